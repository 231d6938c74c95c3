// SPDX-License-Identifier: Apache-2.0
#include "ops/loss/kernel.h"

#include "simd/elementary.h"
#include "simd/elements.h"

namespace anyacl::ANYACL_ISA {
namespace {

using loss::Block;
using loss::ElementBlock;
using loss::ElementKernels;
using loss::KernelSet;

constexpr auto kStep = static_cast<int64_t>(kLanes);

// 16 elements; w and p are ones where they are not given.
struct Terms {
  VecF32 x, y, w, p, beta;
};

inline VecF32 One() { return SetF32(1.0f); }
inline VecF32 Zero() { return SetF32(0.0f); }

// log(1 + e): what rounding 1 + e lost is put back.
inline VecF32 LogOnePlus(VecF32 e) {
  const VecF32 u = Add(One(), e);
  const VecF32 log = Add(Log(u), Div(Sub(e, Sub(u, One())), u));
  return Select(Equal(u, Zero()), SetF32(-__builtin_inff()), log);
}

// log(1 + e^-|x|)
inline VecF32 SmoothPart(VecF32 x) { return LogOnePlus(Exp(NegAbs(x))); }

// log(1 + e^x)
inline VecF32 SoftPlus(VecF32 x) {
  const VecF32 smooth = SmoothPart(x);
  return Add(Select(Less(Zero(), x), x, Zero()), Select(Equal(x, x), smooth, x));
}

inline VecF32 SignOrNaN(VecF32 d) {
  const VecF32 sign =
      Select(Less(Zero(), d), One(), Select(Less(d, Zero()), SetF32(-1.0f), Zero()));
  return Select(Equal(d, d), sign, d);
}

struct Mse {
  static constexpr bool kWeighted = false;
  static VecF32 Value(const Terms& t) {
    const VecF32 d = Sub(t.x, t.y);
    return Mul(d, d);
  }
  static VecF32 Gradient(const Terms& t) {
    const VecF32 d = Sub(t.x, t.y);
    return Add(d, d);
  }
};

struct L1 {
  static constexpr bool kWeighted = false;
  static VecF32 Value(const Terms& t) { return Abs(Sub(t.x, t.y)); }
  static VecF32 Gradient(const Terms& t) { return SignOrNaN(Sub(t.x, t.y)); }
};

// kUnit: beta is 1, which most calls have, and a division by it changes nothing.
template <bool kUnit>
struct SmoothL1Of {
  static constexpr bool kWeighted = false;
  static VecF32 Over(VecF32 d, VecF32 beta) {
    if constexpr (kUnit) return d;
    return Div(d, beta);
  }
  static VecF32 Value(const Terms& t) {
    const VecF32 d = Abs(Sub(t.x, t.y)), half = SetF32(0.5f);
    return Select(Less(d, t.beta), Over(Mul(Mul(half, d), d), t.beta), Sub(d, Mul(half, t.beta)));
  }
  static VecF32 Gradient(const Terms& t) {
    const VecF32 d = Sub(t.x, t.y);
    return Select(Less(Abs(d), t.beta), Over(d, t.beta), SignOrNaN(d));
  }
};
using SmoothL1 = SmoothL1Of<false>;

struct Bce {
  static constexpr bool kWeighted = true;
  static VecF32 Value(const Terms& t) {
    const VecF32 floor = SetF32(-100.0f);
    const VecF32 yes = Max(floor, Log(t.x)), no = Max(floor, LogOnePlus(Neg(t.x)));
    return Mul(t.w, Sub(Mul(Sub(t.y, One()), no), Mul(t.y, yes)));
  }
  static VecF32 Gradient(const Terms& t) {
    const VecF32 spread = Mul(Sub(One(), t.x), t.x);
    return Mul(t.w, Div(Sub(t.x, t.y), Max(SetF32(1e-12f), spread)));
  }
};

struct BceLogits {
  static constexpr bool kWeighted = true;
  static VecF32 Value(const Terms& t) {
    const VecF32 p = Fma(Sub(t.p, One()), t.y, One()), no = Sub(One(), t.y);
    // log(1 + e^-x) is the smooth part, and -x below 0: terms in x are joined before they cancel.
    const VecF32 linear = Select(Less(t.x, Zero()), Sub(no, p), no);
    return Mul(t.w, Fma(linear, t.x, Mul(p, SmoothPart(t.x))));
  }
  static VecF32 Gradient(const Terms& t) {
    const VecF32 v = Mul(t.p, t.y);
    return Mul(t.w, Sub(Mul(Sub(Add(v, One()), t.y), Sigmoid(t.x)), v));
  }
};

struct BceLogitsInTarget {
  static constexpr bool kWeighted = true;
  static VecF32 Gradient(const Terms& t) {
    // As above: what is linear in x is joined.
    const VecF32 linear = Select(Less(t.x, Zero()), Neg(t.p), SetF32(-1.0f));
    return Mul(t.w, Fma(linear, t.x, Mul(Sub(t.p, One()), SmoothPart(t.x))));
  }
};

struct Kl {
  static constexpr bool kWeighted = false;
  static VecF32 Value(const Terms& t) {
    const VecF32 value = Mul(t.y, Sub(Log(t.y), t.x));
    return Select(Equal(t.y, Zero()), Zero(), value);
  }
  static VecF32 Gradient(const Terms& t) {
    return Select(LessEqual(t.y, Zero()), Zero(), Neg(t.y));
  }
};

struct KlLog {
  static constexpr bool kWeighted = false;
  static VecF32 Value(const Terms& t) { return Mul(Exp(t.y), Sub(t.y, t.x)); }
  static VecF32 Gradient(const Terms& t) { return Neg(Exp(t.y)); }
};

struct KlInTarget {
  static constexpr bool kWeighted = false;
  static VecF32 Gradient(const Terms& t) {
    const VecF32 gradient = Add(Sub(Log(t.y), t.x), One());
    return Select(Equal(t.y, Zero()), Zero(), gradient);
  }
};

struct KlLogInTarget {
  static constexpr bool kWeighted = false;
  static VecF32 Gradient(const Terms& t) { return Mul(Exp(t.y), Add(Sub(t.y, t.x), One())); }
};

struct SoftMargin {
  static constexpr bool kWeighted = false;
  static VecF32 Value(const Terms& t) { return SoftPlus(Neg(Mul(t.x, t.y))); }
  static VecF32 Gradient(const Terms& t) { return Neg(Mul(t.y, Sigmoid(Neg(Mul(t.x, t.y))))); }
};

template <class Op, bool kGradient>
void Map(const Block& block, float* to) {
  const VecF32 one = One(), beta = SetF32(block.beta), scale = SetF32(block.scale);
  const auto result = [&](int64_t i, size_t k) {
    Terms t = {Read(block.x + i, k), Read(block.y + i, k), one, one, beta};
    if (Op::kWeighted && block.w != nullptr) t.w = Read(block.w + i, k);
    if (Op::kWeighted && block.pos_weight != nullptr) t.p = Read(block.pos_weight + i, k);
    if constexpr (kGradient) {
      return Mul(Mul(Op::Gradient(t), scale), Read(block.g + i, k));
    } else {
      return Op::Value(t);
    }
  };
  int64_t i = 0;
  for (; i + kStep <= block.n; i += kStep) Store(to + i, result(i, kLanes));
  if (i < block.n) {
    const auto k = static_cast<size_t>(block.n - i);
    Store(to + i, result(i, k), k);
  }
}

template <class Op, class F>
[[gnu::flatten]] void MapValues(const ElementBlock& block) {
  const ElementsAhead<F> x(block.x), y(block.y);
  const VecF32 one = One(), beta = SetF32(block.beta);
  MapElements<F, false>(block.n, block.to, block.past_caches, [&](auto at) {
    return Op::Value(Terms{x(at), y(at), one, one, beta});
  });
}

template <class Op, class F>
[[gnu::flatten]] void MapGradients(const ElementBlock& block) {
  const ElementsAhead<F> x(block.x), y(block.y), g(block.g);
  const VecF32 one = One(), beta = SetF32(block.beta), scale = SetF32(block.scale);
  const VecF32 g_of_all = SetF32(block.g_of_all);
  const auto gradient = [&](auto at) {
    return Mul(Op::Gradient(Terms{x(at), y(at), one, one, beta}), scale);
  };
  if (block.g == nullptr) {
    return MapElements<F, false>(block.n, block.to, block.past_caches,
                                 [&](auto at) { return Mul(gradient(at), g_of_all); });
  }
  MapElements<F, false>(block.n, block.to, block.past_caches,
                        [&](auto at) { return Mul(gradient(at), g(at)); });
}

template <class F>
void SmoothL1Values(const ElementBlock& block) {
  if (block.beta == 1.0f) return MapValues<SmoothL1Of<true>, F>(block);
  MapValues<SmoothL1, F>(block);
}
template <class F>
void SmoothL1Gradients(const ElementBlock& block) {
  if (block.beta == 1.0f) return MapGradients<SmoothL1Of<true>, F>(block);
  MapGradients<SmoothL1, F>(block);
}

template <class F>
constexpr ElementKernels kElementKernels = {
    {MapValues<Mse, F>, MapValues<L1, F>, SmoothL1Values<F>},
    {MapGradients<Mse, F>, MapGradients<L1, F>, SmoothL1Gradients<F>}};

double Sum(const float* x, int64_t n) {
  constexpr int64_t kBlock = 512;
  double total = 0;
  for (int64_t j = 0; j < n; j += kBlock) {
    const int64_t end = n - j < kBlock ? n : j + kBlock;
    VecF32 a = Zero(), b = Zero();
    int64_t i = j;
    for (; i + 2 * kStep <= end; i += 2 * kStep) {
      a = Add(a, Load(x + i));
      b = Add(b, Load(x + i + kStep));
    }
    // Numbers past the end are loaded as 0.
    if (i < end) a = Add(a, Read(x + i, end - i < kStep ? static_cast<size_t>(end - i) : kLanes));
    if (i + kStep < end) b = Add(b, Load(x + i + kStep, static_cast<size_t>(end - i - kStep)));
    total += static_cast<double>(ReduceSum(Add(a, b)));
  }
  return total;
}

}  // namespace

// In the order of loss::Function.
extern constinit const KernelSet kLossKernels;
constinit const KernelSet kLossKernels = {
    {Map<Mse, false>, Map<L1, false>, Map<SmoothL1, false>, Map<Bce, false>, Map<BceLogits, false>,
     Map<Kl, false>, Map<KlLog, false>, Map<SoftMargin, false>, nullptr, nullptr, nullptr},
    {Map<Mse, true>, Map<L1, true>, Map<SmoothL1, true>, Map<Bce, true>, Map<BceLogits, true>,
     Map<Kl, true>, Map<KlLog, true>, Map<SoftMargin, true>, Map<KlInTarget, true>,
     Map<KlLogInTarget, true>, Map<BceLogitsInTarget, true>},
    Sum,
    {kElementKernels<Fp32>, kElementKernels<Fp16>, kElementKernels<Bf16>}};

}  // namespace anyacl::ANYACL_ISA
