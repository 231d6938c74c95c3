// SPDX-License-Identifier: Apache-2.0
#include "ops/rowwise/kernel.h"

#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {
namespace {

using rowwise::kBlock;
using rowwise::KernelSet;
using rowwise::Moments;
using rowwise::Norm;

constexpr auto kStep = static_cast<int64_t>(kLanes);

// value(i) of 16 elements from i on, value(i, n) of the last n of them.
template <class Value>
inline void Map(int64_t n, float* to, const Value& value) {
  int64_t i = 0;
  for (; i + kStep <= n; i += kStep) Store(to + i, value(i, kLanes));
  const auto left = static_cast<size_t>(n - i);
  if (left > 0) Store(to + i, value(i, left), left);
}

inline VecF32 LoadSome(const float* p, size_t n) { return n == kLanes ? Load(p) : Load(p, n); }

// The sum of term(i, n) over blocks.
template <class Term>
inline double SumOf(int64_t n, const Term& term) {
  const VecF32 zero = SetF32(0.0f);
  double total = 0;
  for (int64_t j = 0; j < n; j += kBlock) {
    const int64_t end = n - j < kBlock ? n : j + kBlock;
    VecF32 a = zero, b = zero;
    int64_t i = j;
    for (; i + 2 * kStep <= end; i += 2 * kStep) {
      a = Add(a, term(i, kLanes));
      b = Add(b, term(i + kStep, kLanes));
    }
    if (i + kStep <= end) {
      a = Add(a, term(i, kLanes));
      i += kStep;
      if (i < end) {
        const auto left = static_cast<size_t>(end - i);
        b = Add(b, Select(FirstN(left), term(i, left), zero));
      }
    } else if (i < end) {
      const auto left = static_cast<size_t>(end - i);
      a = Add(a, Select(FirstN(left), term(i, left), zero));
    }
    total += static_cast<double>(ReduceSum(Add(a, b)));
  }
  return total;
}

float MaxOf(const float* x, int64_t n) {
  const VecF32 lowest = SetF32(-__builtin_inff());
  VecF32 a = lowest, b = lowest;
  const auto fold = [](VecF32 acc, VecF32 v) { return Select(Equal(acc, acc), Max(acc, v), acc); };
  int64_t i = 0;
  for (; i + 2 * kStep <= n; i += 2 * kStep) {
    a = fold(a, Load(x + i));
    b = fold(b, Load(x + i + kStep));
  }
  for (; i < n; i += kStep) {
    const size_t left = n - i < kStep ? static_cast<size_t>(n - i) : kLanes;
    a = fold(a, Select(FirstN(left), LoadSome(x + i, left), lowest));
  }
  float lanes[kLanes];
  Store(lanes, fold(a, b));
  float max = lanes[0];
  for (size_t l = 1; l < kLanes; ++l) max = max != max ? max : max > lanes[l] ? max : lanes[l];
  return max;
}

double ExpSum(const float* x, int64_t n, float m, float* to) {
  const VecF32 shift = SetF32(m);
  if (to == nullptr) {
    return SumOf(n, [&](int64_t i, size_t k) { return Exp(Sub(LoadSome(x + i, k), shift)); });
  }
  return SumOf(n, [&](int64_t i, size_t k) {
    const VecF32 e = Exp(Sub(LoadSome(x + i, k), shift));
    if (k == kLanes) {
      Store(to + i, e);
    } else {
      Store(to + i, e, k);
    }
    return e;
  });
}

void Scale(const float* x, int64_t n, float f, float* to) {
  const VecF32 factor = SetF32(f);
  Map(n, to, [&](int64_t i, size_t k) { return Mul(LoadSome(x + i, k), factor); });
}

void ExpScale(const float* x, int64_t n, float m, float f, float* to) {
  const VecF32 shift = SetF32(m), factor = SetF32(f);
  Map(n, to, [&](int64_t i, size_t k) { return Mul(Exp(Sub(LoadSome(x + i, k), shift)), factor); });
}

void Shift(const float* x, int64_t n, float a, float b, float* to) {
  const VecF32 first = SetF32(a), second = SetF32(b);
  Map(n, to, [&](int64_t i, size_t k) { return Sub(Sub(LoadSome(x + i, k), first), second); });
}

// Both sums in one pass.
Moments MomentsOf(const float* x, int64_t n, float c) {
  const VecF32 zero = SetF32(0.0f), centre = SetF32(c);
  Moments total = {0, 0};
  for (int64_t j = 0; j < n; j += kBlock) {
    const int64_t end = n - j < kBlock ? n : j + kBlock;
    VecF32 sums[2] = {zero, zero}, squares[2] = {zero, zero};
    int64_t i = j;
    for (; i + 2 * kStep <= end; i += 2 * kStep) {
      const VecF32 u = Sub(Load(x + i), centre), v = Sub(Load(x + i + kStep), centre);
      sums[0] = Add(sums[0], u);
      sums[1] = Add(sums[1], v);
      squares[0] = Fma(u, u, squares[0]);
      squares[1] = Fma(v, v, squares[1]);
    }
    for (int half = 0; i < end; i += kStep, half = 1) {
      const size_t left = end - i < kStep ? static_cast<size_t>(end - i) : kLanes;
      const VecF32 u = Select(FirstN(left), Sub(LoadSome(x + i, left), centre), zero);
      sums[half] = Add(sums[half], u);
      squares[half] = Fma(u, u, squares[half]);
    }
    total.sum += static_cast<double>(ReduceSum(Add(sums[0], sums[1])));
    total.squares += static_cast<double>(ReduceSum(Add(squares[0], squares[1])));
  }
  return total;
}

double Dot(const float* a, const float* b, int64_t n) {
  return SumOf(n, [&](int64_t i, size_t k) { return Mul(LoadSome(a + i, k), LoadSome(b + i, k)); });
}

template <bool kGamma, bool kBeta>
void NormalizeBy(const float* x, int64_t n, const Norm& norm, float* to) {
  const VecF32 mean = SetF32(norm.mean), residual = SetF32(norm.residual), rstd = SetF32(norm.rstd);
  Map(n, to, [&](int64_t i, size_t k) {
    VecF32 v = Mul(Sub(Sub(LoadSome(x + i, k), mean), residual), rstd);
    if (kGamma && kBeta) {
      return Fma(v, LoadSome(norm.gamma + i, k), LoadSome(norm.beta + i, k));
    }
    if (kGamma) v = Mul(v, LoadSome(norm.gamma + i, k));
    if (kBeta) v = Add(v, LoadSome(norm.beta + i, k));
    return v;
  });
}

void Normalize(const float* x, int64_t n, const Norm& norm, float* to) {
  if (norm.gamma != nullptr) {
    if (norm.beta != nullptr) return NormalizeBy<true, true>(x, n, norm, to);
    return NormalizeBy<true, false>(x, n, norm, to);
  }
  if (norm.beta != nullptr) return NormalizeBy<false, true>(x, n, norm, to);
  NormalizeBy<false, false>(x, n, norm, to);
}

void AddOf(const float* a, const float* b, int64_t n, float* to) {
  Map(n, to, [&](int64_t i, size_t k) { return Add(LoadSome(a + i, k), LoadSome(b + i, k)); });
}

void SwiGlu(const float* a, const float* b, int64_t n, float* to) {
  Map(n, to,
      [&](int64_t i, size_t k) { return Mul(Silu(LoadSome(a + i, k)), LoadSome(b + i, k)); });
}

void SoftmaxGrad(const float* g, const float* y, int64_t n, float s, float* to) {
  const VecF32 sum = SetF32(s);
  Map(n, to,
      [&](int64_t i, size_t k) { return Mul(Sub(LoadSome(g + i, k), sum), LoadSome(y + i, k)); });
}

void LogSoftmaxGrad(const float* g, const float* y, int64_t n, float s, float* to) {
  const VecF32 minus_sum = SetF32(-s);
  Map(n, to, [&](int64_t i, size_t k) {
    return Fma(Exp(LoadSome(y + i, k)), minus_sum, LoadSome(g + i, k));
  });
}

}  // namespace

extern constinit const KernelSet kRowwiseKernels;
constinit const KernelSet kRowwiseKernels = {.softmax = {MaxOf, ExpSum, Scale, ExpScale, Shift},
                                             .moments = MomentsOf,
                                             .dot = Dot,
                                             .normalize = Normalize,
                                             .add = AddOf,
                                             .swiglu = SwiGlu,
                                             .softmax_grad = SoftmaxGrad,
                                             .log_softmax_grad = LogSoftmaxGrad};

}  // namespace anyacl::ANYACL_ISA
