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
using rowwise::kStrip;

constexpr int64_t kStrips = kAcross / kStrip;

inline int64_t Least(int64_t a, int64_t b) { return a < b ? a : b; }

// The first of `count` numbers, in a vector.
inline VecF32 Some(const float* numbers, int64_t count) {
  return Load(numbers, static_cast<size_t>(count));
}

// visit(strip, its first row, its rows)
template <class Visit>
[[gnu::always_inline]] inline void ForStrips(int64_t rows, const Visit& visit) {
  for (int64_t row = 0; row < rows; row += kStrip) {
    visit(row / kStrip, row, Least(kStrip, rows - row));
  }
}

template <class F>
void Read(const Across& x, int64_t n, float* strips) {
  const auto* data = static_cast<const typename F::Bits*>(x.data);
  const auto read = [&](int64_t i, int64_t strip, int64_t rows) {
    Store(strips + (strip * n + i) * kStrip,
          F::Load(data + i * x.pitch + strip * kStrip, static_cast<size_t>(rows)));
  };
  for (int64_t i = 0; i < n; ++i) {
    ForStrips(x.rows, [&](int64_t strip, int64_t, int64_t rows) { read(i, strip, rows); });
  }
}

// to = value(i, strip), the numbers at i of a strip's rows.
template <class F, class Value>
[[gnu::always_inline]] inline void Map(int64_t n, const Across& to, const Value& value) {
  auto* data = static_cast<typename F::Bits*>(to.data);
  for (int64_t i = 0; i < n; ++i, data += to.pitch) {
    ForStrips(to.rows, [&](int64_t strip, int64_t row, int64_t rows) {
      F::Store(data + row, value(i, strip), static_cast<size_t>(rows));
    });
  }
}

// Numbers that are the same for all elements of a row.
class PerRow {
 public:
  PerRow(const float* numbers, int64_t rows) {
    ForStrips(rows, [&](int64_t strip, int64_t row, int64_t count) {
      numbers_[strip] = Some(numbers + row, count);
    });
  }
  [[gnu::always_inline]] VecF32 operator()(int64_t strip) const { return numbers_[strip]; }

 private:
  VecF32 numbers_[kStrips];
};

// The elements of strips of n.
class Strips {
 public:
  Strips(const float* strips, int64_t n) : strips_(strips), n_(n) {}
  [[gnu::always_inline]] VecF32 operator()(int64_t i, int64_t strip) const {
    return Load(strips_ + (strip * n_ + i) * kStrip);
  }

 private:
  const float* strips_;
  int64_t n_;
};

// Of term(i) of the rows of one strip.
template <class Term>
[[gnu::always_inline]] inline void SumOf(int64_t n, int64_t rows, const Term& term, double* sums) {
  constexpr int64_t kSumLanes = 32;
  for (int64_t r = 0; r < rows; ++r) sums[r] = 0;
  for (int64_t begin = 0; begin < n; begin += kBlock) {
    const int64_t end = Least(n, begin + kBlock);
    VecF32 lanes[kSumLanes];
    for (VecF32& lane : lanes) lane = SetF32(0.0f);
    for (int64_t i = begin; i < end; i += kSumLanes) {
      const int64_t count = Least(kSumLanes, end - i);
      for (int64_t l = 0; l < count; ++l) lanes[l] = Add(lanes[l], term(i + l));
    }
    for (int64_t half = kSumLanes / 2; half > 0; half /= 2) {
      for (int64_t l = 0; l < half; ++l) lanes[l] = Add(lanes[l], lanes[l + half]);
    }
    float block[kStrip];
    Store(block, lanes[0]);
    for (int64_t r = 0; r < rows; ++r) sums[r] += static_cast<double>(block[r]);
  }
}

void MaxOf(const float* strips, int64_t n, int64_t rows, float* max) {
  const Strips x(strips, n);
  ForStrips(rows, [&](int64_t strip, int64_t row, int64_t count) {
    VecF32 most = SetF32(-__builtin_inff());
    for (int64_t i = 0; i < n; ++i) {
      most = Select(Equal(most, most), Max(most, x(i, strip)), most);
    }
    // As of rows alone, whatever the bits of a NaN are.
    most = Select(Equal(most, most), most, SetF32(__builtin_nanf("")));
    Store(max + row, most, static_cast<size_t>(count));
  });
}

void ExpSum(const float* strips, int64_t n, int64_t rows, const float* m, float* to, double* sums) {
  const Strips x(strips, n);
  ForStrips(rows, [&](int64_t strip, int64_t row, int64_t count) {
    const VecF32 shift = Some(m + row, count);
    float* const kept = to != nullptr ? to + strip * n * kStrip : nullptr;
    SumOf(
        n, count,
        [&](int64_t i) {
          const VecF32 e = Exp(Sub(x(i, strip), shift));
          if (kept != nullptr) Store(kept + i * kStrip, e);
          return e;
        },
        sums + row);
  });
}

void Sum(const float* strips, int64_t n, int64_t rows, double* sums) {
  const Strips x(strips, n);
  ForStrips(rows, [&](int64_t strip, int64_t row, int64_t count) {
    SumOf(
        n, count, [&](int64_t i) { return x(i, strip); }, sums + row);
  });
}

void Dot(const float* first, const float* second, int64_t n, int64_t rows, double* sums) {
  const Strips a(first, n), b(second, n);
  ForStrips(rows, [&](int64_t strip, int64_t row, int64_t count) {
    SumOf(
        n, count, [&](int64_t i) { return Mul(a(i, strip), b(i, strip)); }, sums + row);
  });
}

template <class F>
void Scale(const float* exponentials, int64_t n, const float* f, const Across& to) {
  const Strips e(exponentials, n);
  const PerRow factor(f, to.rows);
  Map<F>(n, to, [&](int64_t i, int64_t strip) { return Mul(e(i, strip), factor(strip)); });
}

template <class F>
void Shift(const float* strips, int64_t n, const float* a, const float* b, const Across& to) {
  const Strips x(strips, n);
  const PerRow first(a, to.rows), second(b, to.rows);
  Map<F>(n, to, [&](int64_t i, int64_t strip) {
    return Sub(Sub(x(i, strip), first(strip)), second(strip));
  });
}

template <class F>
void SoftmaxGrad(const float* gradient, const float* result, int64_t n, const float* s,
                 const Across& to) {
  const Strips g(gradient, n), y(result, n);
  const PerRow sum(s, to.rows);
  Map<F>(n, to,
         [&](int64_t i, int64_t strip) { return Mul(Sub(g(i, strip), sum(strip)), y(i, strip)); });
}

template <class F>
void LogSoftmaxGrad(const float* gradient, const float* result, int64_t n, const float* s,
                    const Across& to) {
  const Strips g(gradient, n), y(result, n);
  const PerRow sum(s, to.rows);
  Map<F>(n, to, [&](int64_t i, int64_t strip) {
    return Fma(Exp(y(i, strip)), Neg(sum(strip)), g(i, strip));
  });
}

template <class F>
constexpr rowwise::AcrossKernels kKernelsOf = {
    Read<F>, MaxOf, ExpSum, Sum, Dot, Scale<F>, Shift<F>, SoftmaxGrad<F>, LogSoftmaxGrad<F>};

}  // namespace

constinit const OfFloats<rowwise::AcrossKernels> kRowwiseAcrossKernels = {
    kKernelsOf<Fp32>, kKernelsOf<Fp16>, kKernelsOf<Bf16>};

}  // namespace anyacl::ANYACL_ISA
