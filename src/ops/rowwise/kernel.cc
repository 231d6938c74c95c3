// SPDX-License-Identifier: Apache-2.0
#include "ops/rowwise/kernel.h"

#include "simd/alignment.h"
#include "simd/ordered.h"

namespace anyacl::ANYACL_ISA {
namespace {

using rowwise::kBlock;
using rowwise::KernelSet;
using rowwise::Moments;
using rowwise::Norm;
using rowwise::NormGrad;
using rowwise::Target;

constexpr auto kStep = static_cast<int64_t>(kLanes);
// What passes over a piece for the first time asks for lines ahead of the hardware's prefetcher.
constexpr int64_t kAheadBytes = 4096;

// Elements of a format.
template <class F>
struct Elements {
  const typename F::Bits* x;
  explicit Elements(const void* data) : x(static_cast<const typename F::Bits*>(data)) {}
  // k of them from i on: all 16 or the last ones.
  [[gnu::always_inline]] VecF32 operator()(int64_t i, size_t k) const {
    return k == kLanes ? LoadElements(F(), x + i) : LoadElements(F(), x + i, k);
  }
  // The lines of 32 elements from i on, for the first cache.
  [[gnu::always_inline]] void Prefetch(int64_t i) const {
    PrefetchLines<sizeof *x / 2>(x + i, kAheadBytes);
  }
  // Those that lie n elements further on, for the second cache: what computes on a piece in the
  // first cache asks for the next piece, so that memory works meanwhile.
  [[gnu::always_inline]] void PrefetchNext(int64_t i, int64_t n) const {
    PrefetchLines<sizeof *x / 2, PrefetchL2>(x + i, n * static_cast<int64_t>(sizeof *x));
  }
};

// to = value(i, k) of elements i to i + k.
template <class F, class Value>
inline void Map(int64_t n, const Target& target, const Value& value) {
  auto* to = static_cast<typename F::Bits*>(target.data);
  constexpr int64_t kPair = 2 * kStep;
  const bool stream = target.stream;
  const int64_t head = stream ? ToAlignment(to, n) : 0;
  int64_t i = head;
  for (; i + kPair <= n; i += kPair) {
    const VecF32 a = value(i, kLanes), b = value(i + kStep, kLanes);
    if (stream) {
      StreamBoth(F(), to + i, a, b);
    } else {
      StoreBoth(F(), to + i, a, b);
    }
  }
  // What is left over behind the whole pairs and before them.
  const int64_t begins[] = {i, 0}, ends[] = {n, head};
  for (int part = 0; part < 2; ++part) {
    for (int64_t j = begins[part]; j < ends[part]; j += kStep) {
      const size_t k = ends[part] - j < kStep ? static_cast<size_t>(ends[part] - j) : kLanes;
      StoreElements(F(), to + j, value(j, k), k);
    }
  }
}

// The sum of term(i, k) over blocks; ahead(i) before each 32 elements.
template <class Term, class Ahead>
inline double SumOf(int64_t n, const Term& term, const Ahead& ahead) {
  const VecF32 zero = SetF32(0.0f);
  double total = 0;
  for (int64_t j = 0; j < n; j += kBlock) {
    const int64_t end = n - j < kBlock ? n : j + kBlock;
    VecF32 sums[2] = {zero, zero};
    int64_t i = j;
    for (; i + 2 * kStep <= end; i += 2 * kStep) {
      ahead(i);
      sums[0] = Add(sums[0], term(i, kLanes));
      sums[1] = Add(sums[1], term(i + kStep, kLanes));
    }
    for (int half = 0; i < end; i += kStep, half = 1) {
      const size_t left = end - i < kStep ? static_cast<size_t>(end - i) : kLanes;
      sums[half] = Add(sums[half], Select(FirstN(left), term(i, left), zero));
    }
    total += static_cast<double>(ReduceSum(Add(sums[0], sums[1])));
  }
  return total;
}

inline VecF32 Larger(VecF32 acc, VecF32 v) { return Select(Equal(acc, acc), Max(acc, v), acc); }

template <class F>
float MaxOf(const void* data, int64_t n) {
  const Elements<F> x(data);
  const VecF32 lowest = SetF32(-__builtin_inff());
  VecF32 a = lowest, b = lowest, c = lowest, d = lowest;
  int64_t i = 0;
  for (; i + 4 * kStep <= n; i += 4 * kStep) {
    x.Prefetch(i);
    x.Prefetch(i + 2 * kStep);
    a = Larger(a, x(i, kLanes));
    b = Larger(b, x(i + kStep, kLanes));
    c = Larger(c, x(i + 2 * kStep, kLanes));
    d = Larger(d, x(i + 3 * kStep, kLanes));
  }
  for (; i + kStep <= n; i += kStep) a = Larger(a, x(i, kLanes));
  if (i < n) {
    const auto left = static_cast<size_t>(n - i);
    a = Larger(a, Select(FirstN(left), x(i, left), lowest));
  }
  float lanes[kLanes];
  Store(lanes, Larger(Larger(a, b), Larger(c, d)));
  float max = lanes[0];
  for (size_t l = 1; l < kLanes; ++l) max = max != max ? max : max > lanes[l] ? max : lanes[l];
  return max;
}

template <class F>
double ExpSum(const void* data, int64_t n, float m, float* to) {
  const Elements<F> x(data);
  const VecF32 shift = SetF32(m);
  return SumOf(
      n,
      [&](int64_t i, size_t k) {
        const VecF32 e = Exp(Sub(x(i, k), shift));
        if (to != nullptr && k == kLanes) Store(to + i, e);
        if (to != nullptr && k != kLanes) Store(to + i, e, k);
        return e;
      },
      [&](int64_t i) { x.PrefetchNext(i, n); });
}

template <class F>
void Scale(const float* e, int64_t n, float f, const Target& to) {
  const VecF32 factor = SetF32(f);
  const Elements<Fp32> x(e);
  Map<F>(n, to, [&](int64_t i, size_t k) { return Mul(x(i, k), factor); });
}

template <class F>
void ExpScale(const void* data, int64_t n, float m, float f, const Target& to) {
  const Elements<F> x(data);
  const VecF32 shift = SetF32(m), factor = SetF32(f);
  Map<F>(n, to, [&](int64_t i, size_t k) { return Mul(Exp(Sub(x(i, k), shift)), factor); });
}

template <class F>
void Shift(const void* data, int64_t n, float a, float b, const Target& to) {
  const Elements<F> x(data);
  const VecF32 first = SetF32(a), second = SetF32(b);
  Map<F>(n, to, [&](int64_t i, size_t k) { return Sub(Sub(x(i, k), first), second); });
}

template <class F>
double Sum(const void* data, int64_t n) {
  const Elements<F> x(data);
  return SumOf(n, x, [&](int64_t i) { x.Prefetch(i); });
}

// Both sums in one pass.
template <class F>
Moments MomentsOf(const void* data, int64_t n, float c) {
  const Elements<F> x(data);
  const VecF32 zero = SetF32(0.0f), centre = SetF32(c);
  Moments total = {0, 0};
  for (int64_t j = 0; j < n; j += kBlock) {
    const int64_t end = n - j < kBlock ? n : j + kBlock;
    VecF32 sums[2] = {zero, zero}, squares[2] = {zero, zero};
    int64_t i = j;
    for (; i + 2 * kStep <= end; i += 2 * kStep) {
      x.PrefetchNext(i, n);
      const VecF32 u = Sub(x(i, kLanes), centre), v = Sub(x(i + kStep, kLanes), centre);
      sums[0] = Add(sums[0], u);
      sums[1] = Add(sums[1], v);
      squares[0] = Fma(u, u, squares[0]);
      squares[1] = Fma(v, v, squares[1]);
    }
    for (int half = 0; i < end; i += kStep, half = 1) {
      const size_t left = end - i < kStep ? static_cast<size_t>(end - i) : kLanes;
      const VecF32 u = Select(FirstN(left), Sub(x(i, left), centre), zero);
      sums[half] = Add(sums[half], u);
      squares[half] = Fma(u, u, squares[half]);
    }
    total.sum += static_cast<double>(ReduceSum(Add(sums[0], sums[1])));
    total.squares += static_cast<double>(ReduceSum(Add(squares[0], squares[1])));
  }
  return total;
}

template <class F>
double Dot(const void* first, const void* second, int64_t n) {
  const Elements<F> a(first), b(second);
  return SumOf(
      n, [&](int64_t i, size_t k) { return Mul(a(i, k), b(i, k)); },
      [&](int64_t i) {
        a.Prefetch(i);
        b.Prefetch(i);
      });
}

// Columns are of format G.
template <class F, class G>
void NormalizeBy(const void* data, int64_t n, const Norm& norm, const Target& to) {
  const Elements<F> x(data);
  const Elements<G> gamma(norm.gamma), beta(norm.beta);
  const VecF32 mean = SetF32(norm.mean), residual = SetF32(norm.residual), rstd = SetF32(norm.rstd);
  const auto normed = [&](int64_t i, size_t k) {
    return Mul(Sub(Sub(x(i, k), mean), residual), rstd);
  };
  if (norm.gamma != nullptr && norm.beta != nullptr) {
    return Map<F>(n, to,
                  [&](int64_t i, size_t k) { return Fma(normed(i, k), gamma(i, k), beta(i, k)); });
  }
  if (norm.gamma != nullptr) {
    return Map<F>(n, to, [&](int64_t i, size_t k) { return Mul(normed(i, k), gamma(i, k)); });
  }
  if (norm.beta != nullptr) {
    return Map<F>(n, to, [&](int64_t i, size_t k) { return Add(normed(i, k), beta(i, k)); });
  }
  Map<F>(n, to, normed);
}

template <class F>
void Normalize(const void* x, int64_t n, const Norm& norm, const Target& to) {
  if (norm.wide) return NormalizeBy<F, Fp32>(x, n, norm, to);
  NormalizeBy<F, F>(x, n, norm, to);
}

// gamma, of format G, or ones.
template <class F, class G>
Moments NormGradSumsBy(const void* gradient, const void* data, int64_t n, const NormGrad& grad) {
  const Elements<F> g(gradient), x(data);
  const Elements<G> gamma(grad.gamma);
  const bool weighted = grad.gamma != nullptr;
  const VecF32 zero = SetF32(0.0f), mean = SetF32(grad.mean), rstd = SetF32(grad.rstd);
  Moments total = {0, 0};
  for (int64_t j = 0; j < n; j += kBlock) {
    const int64_t end = n - j < kBlock ? n : j + kBlock;
    VecF32 sums[2] = {zero, zero}, products[2] = {zero, zero};
    // Elements past the end are 0 in g, but need not be in xh.
    const auto step = [&](int64_t i, size_t k, VecF32& sum, VecF32& product) {
      const VecF32 gi = g(i, k);
      const VecF32 w = weighted ? Mul(gi, gamma(i, k)) : gi;
      const VecF32 xh = Mul(Sub(x(i, k), mean), rstd);
      sum = Add(sum, k == kLanes ? w : Select(FirstN(k), w, zero));
      product = Add(product, k == kLanes ? Mul(w, xh) : Select(FirstN(k), Mul(w, xh), zero));
    };
    int64_t i = j;
    for (; i + 2 * kStep <= end; i += 2 * kStep) {
      g.Prefetch(i);
      x.Prefetch(i);
      step(i, kLanes, sums[0], products[0]);
      step(i + kStep, kLanes, sums[1], products[1]);
    }
    if (i < end) {
      step(i, end - i < kStep ? static_cast<size_t>(end - i) : kLanes, sums[0], products[0]);
    }
    if (i + kStep < end) {
      step(i + kStep, static_cast<size_t>(end - i - kStep), sums[1], products[1]);
    }
    total.sum += static_cast<double>(ReduceSum(Add(sums[0], sums[1])));
    total.squares += static_cast<double>(ReduceSum(Add(products[0], products[1])));
  }
  return total;
}

inline void AddTo(float* sums, int64_t i, size_t k, VecF32 a, VecF32 b, bool first) {
  if (k == kLanes) return Store(sums + i, first ? Mul(a, b) : Fma(a, b, Load(sums + i)));
  Store(sums + i, first ? Mul(a, b) : Fma(a, b, Load(sums + i, k)), k);
}
inline void AddTo(float* sums, int64_t i, size_t k, VecF32 a, bool first) {
  if (k == kLanes) return Store(sums + i, first ? a : Add(a, Load(sums + i)));
  Store(sums + i, first ? a : Add(a, Load(sums + i, k)), k);
}

template <class F, class G>
void NormGradBy(const void* gradient, const void* data, int64_t n, const NormGrad& grad,
                const Target& to) {
  const Elements<F> g(gradient), x(data);
  const Elements<G> gamma(grad.gamma);
  const bool weighted = grad.gamma != nullptr, first = grad.first;
  float* const sums = grad.sums;
  float* const sums_xh = grad.sums_xh;
  const VecF32 mean = SetF32(grad.mean), rstd = SetF32(grad.rstd);
  const VecF32 c1 = SetF32(grad.c1), c2 = SetF32(-grad.c2);
  const auto value = [&](int64_t i, size_t k) {
    PrefetchLines<1, PrefetchL2>(g.x + i, n * static_cast<int64_t>(sizeof *g.x));
    PrefetchLines<1, PrefetchL2>(x.x + i, n * static_cast<int64_t>(sizeof *x.x));
    const VecF32 gi = g(i, k);
    const VecF32 xh = Mul(Sub(x(i, k), mean), rstd);
    if (sums_xh != nullptr) AddTo(sums_xh, i, k, gi, xh, first);
    if (sums != nullptr) AddTo(sums, i, k, gi, first);
    const VecF32 w = weighted ? Mul(gi, gamma(i, k)) : gi;
    return Mul(rstd, Fma(xh, c2, Sub(w, c1)));
  };
  if (to.data != nullptr) return Map<F>(n, to, value);
  for (int64_t i = 0; i < n; i += kStep) {
    value(i, n - i < kStep ? static_cast<size_t>(n - i) : kLanes);
  }
}

template <class F>
Moments NormGradSums(const void* g, const void* x, int64_t n, const NormGrad& grad) {
  return grad.wide ? NormGradSumsBy<F, Fp32>(g, x, n, grad) : NormGradSumsBy<F, F>(g, x, n, grad);
}
template <class F>
void NormGradOf(const void* g, const void* x, int64_t n, const NormGrad& grad, const Target& to) {
  if (grad.wide) return NormGradBy<F, Fp32>(g, x, n, grad, to);
  NormGradBy<F, F>(g, x, n, grad, to);
}

template <class F>
void AddOf(const void* first, const void* second, int64_t n, const Target& to) {
  const Elements<F> a(first), b(second);
  Map<F>(n, to, [&](int64_t i, size_t k) { return Add(a(i, k), b(i, k)); });
}

template <class F>
void SwiGlu(const void* first, const void* second, int64_t n, const Target& to) {
  const Elements<F> a(first), b(second);
  Map<F>(n, to, [&](int64_t i, size_t k) { return Mul(Silu(a(i, k)), b(i, k)); });
}

template <class F>
void SoftmaxGrad(const void* gradient, const void* result, int64_t n, float s, const Target& to) {
  const Elements<F> g(gradient), y(result);
  const VecF32 sum = SetF32(s);
  Map<F>(n, to, [&](int64_t i, size_t k) { return Mul(Sub(g(i, k), sum), y(i, k)); });
}

template <class F>
void LogSoftmaxGrad(const void* gradient, const void* result, int64_t n, float s,
                    const Target& to) {
  const Elements<F> g(gradient), y(result);
  const VecF32 minus_sum = SetF32(-s);
  Map<F>(n, to, [&](int64_t i, size_t k) { return Fma(Exp(y(i, k)), minus_sum, g(i, k)); });
}

template <class F>
constexpr rowwise::RowKernels kKernelsOf = {
    .softmax = {MaxOf<F>, ExpSum<F>, Scale<F>, ExpScale<F>, Shift<F>},
    .sum = Sum<F>,
    .moments = MomentsOf<F>,
    .dot = Dot<F>,
    .normalize = Normalize<F>,
    .norm_grad_sums = NormGradSums<F>,
    .norm_grad = NormGradOf<F>,
    .add = AddOf<F>,
    .swiglu = SwiGlu<F>,
    .softmax_grad = SoftmaxGrad<F>,
    .log_softmax_grad = LogSoftmaxGrad<F>};

}  // namespace

extern constinit const KernelSet kRowwiseKernels;
constinit const KernelSet kRowwiseKernels = {kKernelsOf<Fp32>, kKernelsOf<Fp16>, kKernelsOf<Bf16>};

}  // namespace anyacl::ANYACL_ISA
