// SPDX-License-Identifier: Apache-2.0
// Rows that lie side by side, one number of each in a vector. The lanes of a sum are vectors here,
// so that a row has the bits that it has alone.
#include "ops/rowwise/kernel.h"
#include "simd/pair.h"

namespace anyacl::ANYACL_ISA {
namespace {

using rowwise::Across;
using rowwise::kAcross;
using rowwise::kBlock;

template <class F>
class Numbers {
 public:
  using Bits = typename F::Bits;
  explicit Numbers(const Across& x)
      : data_(static_cast<const Bits*>(x.data)),
        pitch_(x.pitch),
        rows_(static_cast<size_t>(x.rows)) {}
  [[gnu::always_inline]] VecF32 operator()(int64_t i) const {
    return F::Load(data_ + i * pitch_, rows_);
  }

 private:
  const Bits* data_;
  int64_t pitch_;
  size_t rows_;
};

template <class F, class Value>
[[gnu::always_inline]] inline void Map(int64_t n, const Across& to, const Value& value) {
  auto* data = static_cast<typename F::Bits*>(to.data);
  for (int64_t i = 0; i < n; ++i, data += to.pitch) {
    F::Store(data, value(i), static_cast<size_t>(to.rows));
  }
}

template <class Term>
[[gnu::always_inline]] inline void SumOf(int64_t n, int64_t rows, const Term& term, double* sums) {
  constexpr int64_t kSumLanes = 32;
  for (int64_t r = 0; r < rows; ++r) sums[r] = 0;
  for (int64_t begin = 0; begin < n; begin += kBlock) {
    const int64_t end = n - begin < kBlock ? n : begin + kBlock;
    VecF32 lanes[kSumLanes];
    for (VecF32& lane : lanes) lane = SetF32(0.0f);
    for (int64_t i = begin; i < end; i += kSumLanes) {
      const int64_t count = end - i < kSumLanes ? end - i : kSumLanes;
      for (int64_t l = 0; l < count; ++l) lanes[l] = Add(lanes[l], term(i + l));
    }
    for (int64_t half = kSumLanes / 2; half > 0; half /= 2) {
      for (int64_t l = 0; l < half; ++l) lanes[l] = Add(lanes[l], lanes[l + half]);
    }
    float block[kAcross];
    Store(block, lanes[0]);
    for (int64_t r = 0; r < rows; ++r) sums[r] += static_cast<double>(block[r]);
  }
}

// Of some numbers, in a vector.
inline VecF32 PerRow(const float* numbers, int64_t rows) {
  return Load(numbers, static_cast<size_t>(rows));
}

template <class F>
void MaxOf(const Across& from, int64_t n, float* max) {
  const Numbers<F> x(from);
  VecF32 most = SetF32(-__builtin_inff());
  for (int64_t i = 0; i < n; ++i) most = Select(Equal(most, most), Max(most, x(i)), most);
  // As of rows alone, whatever the bits of a NaN are.
  most = Select(Equal(most, most), most, SetF32(__builtin_nanf("")));
  Store(max, most, static_cast<size_t>(from.rows));
}

template <class F>
void ExpSum(const Across& from, int64_t n, const float* m, float* to, double* sums) {
  const Numbers<F> x(from);
  const VecF32 shift = PerRow(m, from.rows);
  SumOf(
      n, from.rows,
      [&](int64_t i) {
        const VecF32 e = Exp(Sub(x(i), shift));
        if (to != nullptr) Store(to + i * kAcross, e);
        return e;
      },
      sums);
}

template <class F>
void Scale(const float* e, int64_t n, const float* f, const Across& to) {
  const VecF32 factor = PerRow(f, to.rows);
  Map<F>(n, to, [&](int64_t i) { return Mul(Load(e + i * kAcross), factor); });
}

template <class F>
void Shift(const Across& from, int64_t n, const float* a, const float* b, const Across& to) {
  const Numbers<F> x(from);
  const VecF32 first = PerRow(a, from.rows), second = PerRow(b, from.rows);
  Map<F>(n, to, [&](int64_t i) { return Sub(Sub(x(i), first), second); });
}

template <class F>
void Sum(const Across& from, int64_t n, double* sums) {
  SumOf(n, from.rows, Numbers<F>(from), sums);
}

template <class F>
void Dot(const Across& first, const Across& second, int64_t n, double* sums) {
  const Numbers<F> a(first), b(second);
  SumOf(
      n, first.rows, [&](int64_t i) { return Mul(a(i), b(i)); }, sums);
}

template <class F>
void SoftmaxGrad(const Across& gradient, const Across& result, int64_t n, const float* s,
                 const Across& to) {
  const Numbers<F> g(gradient), y(result);
  const VecF32 sum = PerRow(s, gradient.rows);
  Map<F>(n, to, [&](int64_t i) { return Mul(Sub(g(i), sum), y(i)); });
}

template <class F>
void LogSoftmaxGrad(const Across& gradient, const Across& result, int64_t n, const float* s,
                    const Across& to) {
  const Numbers<F> g(gradient), y(result);
  const VecF32 minus_sum = Neg(PerRow(s, gradient.rows));
  Map<F>(n, to, [&](int64_t i) { return Fma(Exp(y(i)), minus_sum, g(i)); });
}

template <class F>
constexpr rowwise::AcrossKernels kKernelsOf = {
    MaxOf<F>, ExpSum<F>, Scale<F>, Shift<F>, Sum<F>, Dot<F>, SoftmaxGrad<F>, LogSoftmaxGrad<F>};

}  // namespace

constinit const OfFloats<rowwise::AcrossKernels> kRowwiseAcrossKernels = {
    kKernelsOf<Fp32>, kKernelsOf<Fp16>, kKernelsOf<Bf16>};

}  // namespace anyacl::ANYACL_ISA
