// SPDX-License-Identifier: Apache-2.0
// Smooth activations and their gradients: a is the gradient, b the input or the result.
#include "ops/elementwise/kernel_loop.h"

namespace anyacl::ANYACL_ISA {
namespace {

template <class V>
inline V One() {
  return Constant<V>(1);
}
template <class V>
inline V Zero() {
  return Constant<V>(0);
}

// sigmoid x and 1 - sigmoid x, neither of which cancels.
template <class V>
struct Sides {
  V yes, no;
};
template <class V>
inline Sides<V> SigmoidSides(V x) {
  const V e = Exp(Neg(Abs(x)));
  const V smaller = Div(e, Add(One<V>(), e)), larger = Div(One<V>(), Add(One<V>(), e));
  const auto negative = Less(x, Zero<V>());
  return {Select(negative, smaller, larger), Select(negative, larger, smaller)};
}

struct SoftplusOp : Unary {
  template <class V>
  static V Of(V a, V, ScalarsRef<V> s) {
    const V scaled = Mul(a, s.p);
    return Select(Less(s.q, scaled), a, Div(Softplus(scaled), s.p));
  }
};
struct LogSigmoidOp : Unary {
  template <class V>
  static V Of(V a, V, ScalarsRef<V>) {
    return Sub(Min(Zero<V>(), a), Log1p(Exp(Neg(Abs(a)))));
  }
};

// tanh log(1 + e^x) = n / (n + 2) with n = e^x (e^x + 2). Above 20 it is 1.
template <class V>
inline V Numerator(V e) {
  return Mul(e, Add(e, Constant<V>(2)));
}
struct MishOp : Unary {
  template <class V>
  static V Of(V a, V, ScalarsRef<V>) {
    const V n = Numerator(Exp(Min(Constant<V>(20), a)));
    return Mul(a, Div(n, Add(n, Constant<V>(2))));
  }
};
struct SwishOp : Unary {
  template <class V>
  static V Of(V a, V, ScalarsRef<V> s) {
    return Mul(a, Sigmoid(Mul(s.p, a)));
  }
};
struct GeluErfOp : Unary {
  template <class V>
  static V Of(V a, V, ScalarsRef<V>) {
    return GeluErf(a);
  }
};
struct EluOp : Unary {
  template <class V>
  static V Of(V a, V, ScalarsRef<V> s) {
    const V negative = Mul(s.p, Expm1(Mul(s.r, a)));
    return Select(Less(Zero<V>(), a), Mul(s.q, a), negative);
  }
};

// The derivative of x sigmoid(2u) with 2u = sqrt(8 / pi) (x + 0.044715 x^3). Beyond 15 it is 0
// or 1.
struct GeluGradOp : Binary {
  template <class V>
  static V Of(V a, V b, ScalarsRef<V>) {
    const V x = Min(Constant<V>(15), Max(Constant<V>(-15), b)), square = Mul(x, x);
    const V linear = Constant<V>(0x1.9884533d43651p+0), cubic = Constant<V>(0x1.2444f2a4d8b4bp-4);
    const Sides<V> sides = SigmoidSides(Mul(x, Fma(square, cubic, linear)));
    const V slope = Mul(x, Fma(square, Mul(cubic, Constant<V>(3)), linear));
    return Mul(a, Fma(Mul(slope, sides.no), sides.yes, sides.yes));
  }
};
struct GeluErfGradOp : Binary {
  template <class V>
  static V Of(V a, V b, ScalarsRef<V>) {
    const auto normal = NormalOf(b);
    const V held = Min(Constant<V>(40), Max(Constant<V>(-40), b));
    return Mul(a, Fma(held, normal.density, normal.function));
  }
};
struct SiluGradOp : Binary {
  template <class V>
  static V Of(V a, V b, ScalarsRef<V>) {
    const Sides<V> sides = SigmoidSides(b);
    return Mul(Mul(a, sides.yes), Fma(b, sides.no, One<V>()));
  }
};
struct SwishGradOp : Binary {
  template <class V>
  static V Of(V a, V b, ScalarsRef<V> s) {
    const V x = Mul(s.p, b);
    const Sides<V> sides = SigmoidSides(x);
    return Mul(Mul(a, sides.yes), Fma(x, sides.no, One<V>()));
  }
};
struct SoftplusGradOp : Binary {
  template <class V>
  static V Of(V a, V b, ScalarsRef<V> s) {
    const V scaled = Mul(b, s.p);
    return Select(Less(s.q, scaled), a, Mul(a, Sigmoid(scaled)));
  }
};
struct LogSigmoidGradOp : Binary {
  template <class V>
  static V Of(V a, V b, ScalarsRef<V>) {
    return Mul(a, Sigmoid(Neg(b)));
  }
};
// t + x sigmoid(x) (1 - t^2) with t of MishOp; 1 - t^2 = 4 (n + 1) / (n + 2)^2.
struct MishGradOp : Binary {
  template <class V>
  static V Of(V a, V b, ScalarsRef<V>) {
    const V e = Exp(Min(Constant<V>(20), b)), n = Numerator(e);
    const V inverse = Div(One<V>(), Add(n, Constant<V>(2)));
    const V rest = Mul(Mul(Constant<V>(4), Add(n, One<V>())), Mul(inverse, inverse));
    const V sigmoid = Div(e, Add(One<V>(), e));
    return Mul(a, Fma(Mul(b, sigmoid), rest, Mul(n, inverse)));
  }
};
struct EluGradOp : Binary {
  template <class V>
  static V Of(V a, V b, ScalarsRef<V> s) {
    const V negative = Mul(Mul(s.p, s.r), Exp(Mul(s.r, b)));
    return Mul(a, Select(Less(Zero<V>(), b), s.q, negative));
  }
};
struct EluGradOfResultOp : Binary {
  template <class V>
  static V Of(V a, V b, ScalarsRef<V> s) {
    return Mul(a, Select(Less(Zero<V>(), b), s.q, Mul(s.r, Add(b, s.p))));
  }
};
// Of x beyond the bounds, 0; NaN beyond 0 and 1 where there are none, and of NaN.
struct LogitGradOp : Binary {
  template <class V>
  static V Of(V a, V b, ScalarsRef<V> s) {
    const V nan = Constant<V>(__builtin_nan("")), zero = Zero<V>();
    const auto bounded = LessEqual(zero, s.p);
    const V low = Max(s.p, zero), high = Sub(One<V>(), low);
    const auto outside = Or(Less(b, low), Less(high, b));
    const V inner = Div(a, Mul(b, Sub(One<V>(), b)));
    return Select(outside, Select(bounded, zero, nan), inner);
  }
};

}  // namespace

// In the order of elementwise::Op.
extern constinit const elementwise::Row kElementwiseActivation[];
constinit const elementwise::Row kElementwiseActivation[] = {
    kRareFunction<SoftplusOp>,  kRareFunction<LogSigmoidOp>,   kRareFunction<MishOp>,
    kRareFunction<SwishOp>,     kFloatingForms<GeluErfOp>,     kRareFunction<EluOp>,
    kFloatingForms<GeluGradOp>, kFloatingForms<GeluErfGradOp>, kFloatingForms<SiluGradOp>,
    kRareFunction<SwishGradOp>, kRareFunction<SoftplusGradOp>, kRareFunction<LogSigmoidGradOp>,
    kRareFunction<MishGradOp>,  kRareFunction<EluGradOp>,      kRareFunction<EluGradOfResultOp>,
    kRareFunction<LogitGradOp>,
};
static_assert(sizeof(kElementwiseActivation) / sizeof(elementwise::Row) ==
              elementwise::SizeOfGroup(7));

}  // namespace anyacl::ANYACL_ISA
