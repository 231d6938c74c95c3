// SPDX-License-Identifier: Apache-2.0
#include "ops/rowwise/kernel.h"

#include "simd/elements.h"
#include "simd/prefetch.h"

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
constexpr int64_t kRowAheadBytes = 4096;

// Elements of a row that is read for the first time.
template <class F>
struct RowOf : Elements<F> {
  using Elements<F>::Elements;
  using Elements<F>::x;
  // The lines of 32 elements from i on, for the first cache.
  [[gnu::always_inline]] void Prefetch(int64_t i) const {
    PrefetchLines<sizeof *x / 2>(x + i, kRowAheadBytes);
  }
  // Those that lie n elements further on, for the second cache: what computes on a piece in the
  // first cache asks for the next piece, so that memory works meanwhile.
  [[gnu::always_inline]] void PrefetchNext(int64_t i, int64_t n) const {
    PrefetchLines<sizeof *x / 2, PrefetchL2>(x + i, n * static_cast<int64_t>(sizeof *x));
  }
};

template <class F, bool kInOrder = false, class Value>
[[gnu::always_inline]] inline void Map(int64_t n, const Target& to, const Value& value) {
  MapElements<F, kInOrder>(n, to.data, to.past_caches, value);
}

// The sum of term(at) over blocks; ahead(i) before each 32 elements. Numbers have the order of F's
// halves, or are in order.
template <class F, bool kInOrder = false, class Term, class Ahead>
[[gnu::always_inline]] inline double SumOf(int64_t n, const Term& term, const Ahead& ahead) {
  const VecF32 zero = SetF32(0.0f);
  double total = 0;
  for (int64_t j = 0; j < n; j += kBlock) {
    const int64_t end = n - j < kBlock ? n : j + kBlock;
    VecF32 first = zero, second = zero;
    int64_t i = j;
    for (; i + 2 * kStep <= end; i += 2 * kStep) {
      ahead(i);
      first = Add(first, term(FirstAt<kInOrder>(i)));
      second = Add(second, term(SecondAt<kInOrder>(i)));
    }
    if constexpr (!kInOrder) InOrder(F(), first, second);
    const auto rest = [&](VecF32& sum) {
      const size_t left = end - i < kStep ? static_cast<size_t>(end - i) : kLanes;
      sum = Add(sum, Select(FirstN(left), term(Some{i, left}), zero));
      i += kStep;
    };
    if (i < end) rest(first);
    if (i < end) rest(second);
    total += static_cast<double>(ReduceSum(Add(first, second)));
  }
  return total;
}

inline VecF32 Larger(VecF32 acc, VecF32 v) { return Select(Equal(acc, acc), Max(acc, v), acc); }

template <class F>
float MaxOf(const void* data, int64_t n) {
  const RowOf<F> x(data);
  const VecF32 lowest = SetF32(-__builtin_inff());
  VecF32 a = lowest, b = lowest, c = lowest, d = lowest;
  int64_t i = 0;
  for (; i + 4 * kStep <= n; i += 4 * kStep) {
    x.Prefetch(i);
    x.Prefetch(i + 2 * kStep);
    a = Larger(a, x(FirstHalf{i}));
    b = Larger(b, x(SecondHalf{i}));
    c = Larger(c, x(FirstHalf{i + 2 * kStep}));
    d = Larger(d, x(SecondHalf{i + 2 * kStep}));
  }
  for (; i + kStep <= n; i += kStep) a = Larger(a, x(Some{i, kLanes}));
  if (i < n) {
    const auto left = static_cast<size_t>(n - i);
    a = Larger(a, Select(FirstN(left), x(Some{i, left}), lowest));
  }
  const VecF32 most = Larger(Larger(a, b), Larger(c, d));
  const bool numbers = BitsOf(Not(Equal(most, most))) == 0;
  return numbers ? ReduceMax(most) : __builtin_nanf("");
}

template <class F>
double ExpSum(const void* data, int64_t n, float m, float* to) {
  const RowOf<F> x(data);
  const VecF32 shift = SetF32(m);
  const auto ahead = [&](int64_t i) { x.PrefetchNext(i, n); };
  if (to == nullptr) {
    return SumOf<F>(
        n, [&](auto at) { return Exp(Sub(x(at), shift)); }, ahead);
  }
  return SumOf<F, true>(
      n,
      [&](Some at) {
        const VecF32 e = Exp(Sub(x(at), shift));
        Write(to + at.i, e, at.k);
        return e;
      },
      ahead);
}

template <class F>
void Scale(const float* e, int64_t n, float f, const Target& to) {
  const VecF32 factor = SetF32(f);
  const Elements<Fp32> x(e);
  Map<F, true>(n, to, [&](Some at) { return Mul(x(at), factor); });
}

template <class F>
void ExpScale(const void* data, int64_t n, float m, float f, const Target& to) {
  const RowOf<F> x(data);
  const VecF32 shift = SetF32(m), factor = SetF32(f);
  Map<F>(n, to, [&](auto at) { return Mul(Exp(Sub(x(at), shift)), factor); });
}

template <class F>
void Shift(const void* data, int64_t n, float a, float b, const Target& to) {
  const RowOf<F> x(data);
  const VecF32 first = SetF32(a), second = SetF32(b);
  Map<F>(n, to, [&](auto at) { return Sub(Sub(x(at), first), second); });
}

template <class F>
double Sum(const void* data, int64_t n) {
  const RowOf<F> x(data);
  return SumOf<F>(n, x, [&](int64_t i) { x.Prefetch(i); });
}

// Both sums in one pass.
template <class F>
Moments MomentsOf(const void* data, int64_t n, float c) {
  const RowOf<F> x(data);
  const VecF32 zero = SetF32(0.0f), centre = SetF32(c);
  Moments total = {0, 0};
  for (int64_t j = 0; j < n; j += kBlock) {
    const int64_t end = n - j < kBlock ? n : j + kBlock;
    // Not arrays: an index would keep them in memory.
    VecF32 sum = zero, more = zero, squares = zero, more_squares = zero;
    int64_t i = j;
    for (; i + 2 * kStep <= end; i += 2 * kStep) {
      x.PrefetchNext(i, n);
      const VecF32 u = Sub(x(FirstHalf{i}), centre), v = Sub(x(SecondHalf{i}), centre);
      sum = Add(sum, u);
      more = Add(more, v);
      squares = Fma(u, u, squares);
      more_squares = Fma(v, v, more_squares);
    }
    InOrder(F(), sum, more);
    InOrder(F(), squares, more_squares);
    const auto rest = [&](VecF32& to, VecF32& squares_to) {
      const size_t left = end - i < kStep ? static_cast<size_t>(end - i) : kLanes;
      const VecF32 u = Select(FirstN(left), Sub(x(Some{i, left}), centre), zero);
      to = Add(to, u);
      squares_to = Fma(u, u, squares_to);
      i += kStep;
    };
    if (i < end) rest(sum, squares);
    if (i < end) rest(more, more_squares);
    total.sum += static_cast<double>(ReduceSum(Add(sum, more)));
    total.squares += static_cast<double>(ReduceSum(Add(squares, more_squares)));
  }
  return total;
}

template <class F>
double Dot(const void* first, const void* second, int64_t n) {
  const RowOf<F> a(first), b(second);
  return SumOf<F>(
      n, [&](auto at) { return Mul(a(at), b(at)); },
      [&](int64_t i) {
        a.Prefetch(i);
        b.Prefetch(i);
      });
}

// Columns are of format G.
template <class F, class G>
void NormalizeBy(const void* data, int64_t n, const Norm& norm, const Target& to) {
  constexpr bool kInOrder = !__is_same(F, G);
  const RowOf<F> x(data);
  const Elements<G> gamma(norm.gamma), beta(norm.beta);
  const VecF32 mean = SetF32(norm.mean), residual = SetF32(norm.residual), rstd = SetF32(norm.rstd);
  const auto normed = [&](auto at) { return Mul(Sub(Sub(x(at), mean), residual), rstd); };
  if (norm.gamma != nullptr && norm.beta != nullptr) {
    return Map<F, kInOrder>(n, to, [&](auto at) { return Fma(normed(at), gamma(at), beta(at)); });
  }
  if (norm.gamma != nullptr) {
    return Map<F, kInOrder>(n, to, [&](auto at) { return Mul(normed(at), gamma(at)); });
  }
  if (norm.beta != nullptr) {
    return Map<F, kInOrder>(n, to, [&](auto at) { return Add(normed(at), beta(at)); });
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
  constexpr bool kInOrder = !__is_same(F, G);
  const RowOf<F> g(gradient), x(data);
  const Elements<G> gamma(grad.gamma);
  const bool weighted = grad.gamma != nullptr;
  const VecF32 zero = SetF32(0.0f), mean = SetF32(grad.mean), rstd = SetF32(grad.rstd);
  Moments total = {0, 0};
  for (int64_t j = 0; j < n; j += kBlock) {
    const int64_t end = n - j < kBlock ? n : j + kBlock;
    VecF32 sum = zero, more = zero, products = zero, more_products = zero;
    // Elements past the end are 0 in g, but need not be in xh.
    const auto step = [&](auto at, VecF32& to, VecF32& products_to, const auto& kept)
        __attribute__((always_inline)) {
      const VecF32 gi = g(at);
      const VecF32 w = weighted ? Mul(gi, gamma(at)) : gi;
      const VecF32 xh = Mul(Sub(x(at), mean), rstd);
      to = Add(to, kept(w));
      products_to = Add(products_to, kept(Mul(w, xh)));
    };
    const auto all = [](VecF32 v) { return v; };
    int64_t i = j;
    for (; i + 2 * kStep <= end; i += 2 * kStep) {
      g.Prefetch(i);
      x.Prefetch(i);
      step(FirstAt<kInOrder>(i), sum, products, all);
      step(SecondAt<kInOrder>(i), more, more_products, all);
    }
    if constexpr (!kInOrder) {
      InOrder(F(), sum, more);
      InOrder(F(), products, more_products);
    }
    const auto rest = [&](VecF32& to, VecF32& products_to) {
      const size_t k = end - i < kStep ? static_cast<size_t>(end - i) : kLanes;
      step(Some{i, k}, to, products_to, [=](VecF32 v) { return Select(FirstN(k), v, zero); });
      i += kStep;
    };
    if (i < end) rest(sum, products);
    if (i < end) rest(more, more_products);
    total.sum += static_cast<double>(ReduceSum(Add(sum, more)));
    total.squares += static_cast<double>(ReduceSum(Add(products, more_products)));
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
  const RowOf<F> g(gradient), x(data);
  const Elements<G> gamma(grad.gamma);
  const bool weighted = grad.gamma != nullptr, first = grad.first;
  float* const sums = grad.sums;
  float* const sums_xh = grad.sums_xh;
  const VecF32 mean = SetF32(grad.mean), rstd = SetF32(grad.rstd);
  const VecF32 c1 = SetF32(grad.c1), c2 = SetF32(-grad.c2);
  const auto value = [&](Some at) {
    PrefetchLines<1, PrefetchL2>(g.x + at.i, n * static_cast<int64_t>(sizeof *g.x));
    PrefetchLines<1, PrefetchL2>(x.x + at.i, n * static_cast<int64_t>(sizeof *x.x));
    const VecF32 gi = g(at);
    const VecF32 xh = Mul(Sub(x(at), mean), rstd);
    if (sums_xh != nullptr) AddTo(sums_xh, at.i, at.k, gi, xh, first);
    if (sums != nullptr) AddTo(sums, at.i, at.k, gi, first);
    const VecF32 w = weighted ? Mul(gi, gamma(at)) : gi;
    return Mul(rstd, Fma(xh, c2, Sub(w, c1)));
  };
  if (to.data != nullptr) return Map<F, true>(n, to, value);
  for (int64_t i = 0; i < n; i += kStep) {
    value(Some{i, n - i < kStep ? static_cast<size_t>(n - i) : kLanes});
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
  const RowOf<F> a(first), b(second);
  Map<F>(n, to, [&](auto at) { return Add(a(at), b(at)); });
}

template <class F>
void SwiGlu(const void* first, const void* second, int64_t n, const Target& to) {
  const RowOf<F> a(first), b(second);
  Map<F>(n, to, [&](auto at) { return Mul(Silu(a(at)), b(at)); });
}

template <class F>
void SoftmaxGrad(const void* gradient, const void* result, int64_t n, float s, const Target& to) {
  const RowOf<F> g(gradient), y(result);
  const VecF32 sum = SetF32(s);
  Map<F>(n, to, [&](auto at) { return Mul(Sub(g(at), sum), y(at)); });
}

template <class F>
void LogSoftmaxGrad(const void* gradient, const void* result, int64_t n, float s,
                    const Target& to) {
  const RowOf<F> g(gradient), y(result);
  const VecF32 minus_sum = SetF32(-s);
  Map<F>(n, to, [&](auto at) { return Fma(Exp(y(at)), minus_sum, g(at)); });
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
constinit const KernelSet kRowwiseKernels = {{kKernelsOf<Fp32>, kKernelsOf<Fp16>, kKernelsOf<Bf16>},
                                             kRowwiseAcrossKernels};

}  // namespace anyacl::ANYACL_ISA
