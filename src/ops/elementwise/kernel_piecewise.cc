// SPDX-License-Identifier: Apache-2.0
// Activations of a few pieces and gradients that memory bounds.
#include "ops/elementwise/kernel_loop.h"

namespace anyacl::ANYACL_ISA {
namespace {

template <class V>
inline V Zero() {
  return Constant<V>(0);
}

struct ThresholdOp : Unary {
  template <class V>
  static V Of(V a, V, ScalarsRef<V> s) {
    return Select(LessEqual(a, s.p), s.q, a);
  }
};
struct ThresholdGradOp : Binary {
  template <class V>
  static V Of(V a, V b, ScalarsRef<V> s) {
    return Select(LessEqual(b, s.p), s.q, a);
  }
};
struct NanToNumOp : Unary {
  template <class V>
  static V Of(V a, V, ScalarsRef<V> s) {
    const V bounded = Select(IsInfinite(a, 1), s.q, Select(IsInfinite(a, -1), s.r, a));
    return Select(Equal(a, a), bounded, s.p);
  }
};
// Max and Min give the second operand if either is NaN, so NaN stays.
struct HardsigmoidOp : Unary {
  template <class V>
  static V Of(V a, V, ScalarsRef<V>) {
    const V moved = Add(a, Constant<V>(3));
    return Div(Min(Constant<V>(6), Max(Zero<V>(), moved)), Constant<V>(6));
  }
};
struct HardswishOp : Unary {
  template <class V>
  static V Of(V a, V, ScalarsRef<V>) {
    const V held = Min(Constant<V>(6), Max(Zero<V>(), Add(a, Constant<V>(3))));
    const V y = Div(Mul(a, held), Constant<V>(6));
    return Select(LessEqual(a, Constant<V>(-3)), Zero<V>(),
                  Select(LessEqual(Constant<V>(3), a), a, y));
  }
};
template <class V>
inline auto IsWithin(V a, V limit) {
  return And(LessEqual(Neg(limit), a), LessEqual(a, limit));
}
struct HardshrinkOp : Unary {
  template <class V>
  static V Of(V a, V, ScalarsRef<V> s) {
    return Select(IsWithin(a, s.p), Zero<V>(), a);
  }
};
struct SoftshrinkOp : Unary {
  template <class V>
  static V Of(V a, V, ScalarsRef<V> s) {
    const V above = Select(Less(s.p, a), Sub(a, s.p), Add(a, s.p));
    return Select(IsWithin(a, s.p), Zero<V>(), above);
  }
};
struct ShrinkOp : Unary {
  template <class V>
  static V Of(V a, V, ScalarsRef<V> s) {
    const V below = Select(Less(a, Neg(s.p)), Add(a, s.q), Zero<V>());
    return Select(Less(s.p, a), Sub(a, s.q), below);
  }
};
struct PreluOp : Binary {
  template <class V>
  static V Of(V a, V b, ScalarsRef<V>) {
    return Select(Less(Zero<V>(), a), a, Mul(a, b));
  }
};
struct HeavisideOp : Binary {
  template <class V>
  static V Of(V a, V b, ScalarsRef<V>) {
    const V step = Select(Less(Zero<V>(), a), Constant<V>(1), Zero<V>());
    return Select(Equal(a, Zero<V>()), b, step);
  }
};
struct PreluGradOp : Ternary {
  template <class V>
  static V Of(V a, V b, V c, ScalarsRef<V>) {
    return Select(Less(Zero<V>(), b), a, Mul(a, c));
  }
};

struct HardsigmoidGradOp : Binary {
  template <class V>
  static V Of(V a, V b, ScalarsRef<V>) {
    return Select(Less(Abs(b), Constant<V>(3)), Div(a, Constant<V>(6)), Zero<V>());
  }
};
template <class V>
inline V HardswishSlope(V a, V b) {
  return Mul(a, Add(Div(b, Constant<V>(3)), Constant<V>(0.5)));
}
struct HardswishGradOp : Binary {
  template <class V>
  static V Of(V a, V b, ScalarsRef<V>) {
    const V inner = Select(Less(Constant<V>(3), b), a, HardswishSlope(a, b));
    return Select(Less(b, Constant<V>(-3)), Zero<V>(), inner);
  }
};
struct HardswishGradOpenOp : Binary {
  template <class V>
  static V Of(V a, V b, ScalarsRef<V>) {
    const V inner = Select(LessEqual(Constant<V>(3), b), a, HardswishSlope(a, b));
    return Select(LessEqual(b, Constant<V>(-3)), Zero<V>(), inner);
  }
};
struct HardtanhGradOp : Binary {
  template <class V>
  static V Of(V a, V b, ScalarsRef<V> s) {
    return Select(Or(LessEqual(b, s.p), LessEqual(s.q, b)), Zero<V>(), a);
  }
};
struct HardshrinkGradOp : Binary {
  template <class V>
  static V Of(V a, V b, ScalarsRef<V> s) {
    return Select(IsWithin(b, s.p), Zero<V>(), a);
  }
};
struct LeakyReluGradOp : Binary {
  template <class V>
  static V Of(V a, V b, ScalarsRef<V> s) {
    return Select(Less(Zero<V>(), b), a, Mul(a, s.p));
  }
};
struct TanhGradOp : Binary {
  template <class V>
  static V Of(V a, V b, ScalarsRef<V>) {
    return Mul(a, Fma(Neg(b), b, Constant<V>(1)));
  }
};
struct SigmoidGradOp : Binary {
  template <class V>
  static V Of(V a, V b, ScalarsRef<V>) {
    return Mul(Mul(a, Sub(Constant<V>(1), b)), b);
  }
};

}  // namespace

// In the order of elementwise::Op.
extern constinit const elementwise::Row kElementwisePiecewise[];
constinit const elementwise::Row kElementwisePiecewise[] = {
    kEveryForm<ThresholdOp>,         kEveryForm<ThresholdGradOp>,
    kEveryForm<NanToNumOp>,          kFloatingForms<HardsigmoidOp>,
    kFloatingForms<HardswishOp>,     kRareFunction<HardshrinkOp>,
    kRareFunction<SoftshrinkOp>,     kRareFunction<ShrinkOp>,
    kFloatingForms<PreluOp>,         kRareFunction<HeavisideOp>,
    kRareFunction<PreluGradOp>,      kFloatingForms<HardsigmoidGradOp>,
    kFloatingForms<HardswishGradOp>, kFloatingForms<HardswishGradOpenOp>,
    kFloatingForms<HardtanhGradOp>,  kRareFunction<HardshrinkGradOp>,
    kFloatingForms<LeakyReluGradOp>, kFloatingForms<TanhGradOp>,
    kFloatingForms<SigmoidGradOp>,
};
static_assert(sizeof(kElementwisePiecewise) / sizeof(elementwise::Row) ==
              elementwise::SizeOfGroup(3));

}  // namespace anyacl::ANYACL_ISA
