// SPDX-License-Identifier: Apache-2.0
// Circular and hyperbolic functions of fp32 vectors and their inverses, written over the operations
// of simd.h, with the same bits on every tier. The error bounds are those that tests/simd measures.
#pragma once

#include "simd/logarithms.h"

namespace anyacl::ANYACL_ISA {

// a + b of a constant a that is cut in two.
inline VecF32 AddTo(float high, float low, VecF32 b) {
  return Add(Add(SetF32(high), b), SetF32(low));
}

// At most 4 ulp for every finite x; NaN of infinities.
inline VecF32 Tan(VecF32 x) {
  const Angle angle = ReduceAngle(x);
  const SineAndCosine both = SinCosOfReduced(angle.r);
  const Mask even = IsEven(angle.quadrant);
  const VecF32 over = Select(even, both.sine, Neg(both.cosine));
  const VecF32 y = Div(over, Select(even, both.cosine, both.sine));
  return Select(Equal(x, SetF32(0.0f)), x, y);  // keeps the sign of 0
}

// sin(pi x) / (pi x), at most 4 ulp; 1 of 0, NaN of infinities.
inline VecF32 Sinc(VecF32 x) {
  // From 2^23 on every number is whole.
  const VecF32 size = Min(SetF32(0x1p23f), Abs(x));
  const VecF32 n = RoundEven(Add(size, size));
  const float pi = 0x1.921fb6p+1f;
  const VecF32 r = Mul(Fma(n, SetF32(-0.5f), size), SetF32(pi));
  const VecF32 y = Div(SinOfQuadrant({r, RoundToI32(n)}), Mul(Abs(x), SetF32(pi)));
  return Select(Equal(x, SetF32(0.0f)), SetF32(1.0f), Add(y, Sub(x, x)));
}

// asin x of 0 <= x <= 1/2: minimax in the relative error, 2^-27.6.
inline VecF32 AsinOfHalf(VecF32 x) {
  const VecF32 square = Mul(x, x);
  VecF32 p = SetF32(0x1.5987p-5f);
  p = Fma(p, square, SetF32(0x1.8c0bfcp-6f));
  p = Fma(p, square, SetF32(0x1.7480ecp-5f));
  p = Fma(p, square, SetF32(0x1.3301ccp-4f));
  p = Fma(p, square, SetF32(0x1.5555c8p-3f));
  return Fma(Mul(p, square), x, x);
}

// asin |x| = inner, or pi / 2 - 2 inner where |x| is above 1/2.
struct AsinParts {
  VecF32 inner;
  Mask above;
};
inline AsinParts SplitAsin(VecF32 x) {
  const VecF32 size = Abs(x);
  const Mask above = Less(SetF32(0.5f), size);
  const VecF32 root = Sqrt(Mul(Sub(SetF32(1.0f), size), SetF32(0.5f)));
  return {AsinOfHalf(Select(above, root, size)), above};
}

// At most 2 ulp; NaN beyond 1 in magnitude.
inline VecF32 Asin(VecF32 x) {
  const AsinParts parts = SplitAsin(x);
  const VecF32 twice = Add(parts.inner, parts.inner);
  const VecF32 outer = AddTo(0x1.921fb6p+0f, -0x1.777a5cp-25f, Neg(twice));
  return WithSign(Select(parts.above, outer, parts.inner), SignOf(x));
}

// At most 2 ulp; NaN beyond 1 in magnitude.
inline VecF32 Acos(VecF32 x) {
  const AsinParts parts = SplitAsin(x);
  const VecF32 twice = Add(parts.inner, parts.inner);
  const Mask negative = Less(x, SetF32(0.0f));
  const VecF32 outer = Select(negative, AddTo(0x1.921fb6p+1f, -0x1.777a5cp-24f, Neg(twice)), twice);
  const VecF32 signed_inner = Select(negative, parts.inner, Neg(parts.inner));
  return Select(parts.above, outer, AddTo(0x1.921fb6p+0f, -0x1.777a5cp-25f, signed_inner));
}

// atan(over / under) for over, under >= 0, not both 0 or infinite: at most 2 ulp.
inline VecF32 AtanOfRatio(VecF32 over, VecF32 under) {
  // Up to tan(pi / 8), to tan(3 pi / 8), and beyond.
  const Mask low = LessEqual(over, Mul(under, SetF32(0x1.a8279ap-2f)));
  const Mask high = LessEqual(Mul(under, SetF32(0x1.3504f4p+1f)), over);
  VecF32 top = Select(high, Neg(under), Sub(over, under));
  VecF32 bottom = Select(high, over, Add(over, under));
  top = Select(low, over, top);
  bottom = Select(low, under, bottom);
  const VecF32 t = Div(top, bottom);
  const VecF32 square = Mul(t, t);
  VecF32 p = SetF32(-0x1.f1eb6p-5f);
  p = Fma(p, square, SetF32(0x1.b1ebcep-4f));
  p = Fma(p, square, SetF32(-0x1.23b51cp-3f));
  p = Fma(p, square, SetF32(0x1.999196p-3f));
  p = Fma(p, square, SetF32(-0x1.55554ap-2f));
  const VecF32 inner = Fma(Mul(p, square), t, t);
  const VecF32 middle = AddTo(0x1.921fb6p-1f, -0x1.777a5cp-26f, inner);
  const VecF32 outer = AddTo(0x1.921fb6p+0f, -0x1.777a5cp-25f, inner);
  return Select(low, inner, Select(high, outer, middle));
}

inline VecF32 Atan(VecF32 x) { return WithSign(AtanOfRatio(Abs(x), SetF32(1.0f)), SignOf(x)); }

// The angle of (x, y), at most 3 ulp.
inline VecF32 Atan2(VecF32 y, VecF32 x) {
  const VecF32 infinity = SetF32(__builtin_inff()), zero = SetF32(0.0f), one = SetF32(1.0f);
  // So that sums are finite; what this rounds away does not matter beside the other one.
  const VecF32 scale = Select(Less(SetF32(0x1p125f), Max(Abs(x), Abs(y))), SetF32(0.25f), one);
  VecF32 over = Mul(Abs(y), scale), under = Mul(Abs(x), scale);
  const Mask infinite = And(Equal(over, infinity), Equal(under, infinity));
  const Mask none = And(Equal(over, zero), Equal(under, zero));
  over = Select(infinite, one, over);
  under = Select(Or(infinite, none), one, under);
  const VecF32 acute = AtanOfRatio(over, under);
  const VecF32 obtuse = AddTo(0x1.921fb6p+1f, -0x1.777a5cp-24f, Neg(acute));
  const Mask left = Less(BitsOf(x), SetI32(0));  // -0 too
  const VecF32 angle = Select(left, obtuse, acute);
  const Mask number = And(Equal(x, x), Equal(y, y));
  return Select(number, WithSign(angle, SignOf(y)), Add(x, y));
}

// e^|x| / 2: infinite only where the sum or difference with its quarter's inverse is.
inline VecF32 HalfExp(VecF32 x) {
  const ExpParts parts = SplitExp(Min(SetF32(95.0f), Abs(x)));
  return ScalePositiveByPowerOf2(parts.mantissa, Sub(parts.exponent, SetF32(1.0f)));
}

// At most 2 ulp.
inline VecF32 Cosh(VecF32 x) {
  const VecF32 half = HalfExp(x);
  return Add(half, Div(SetF32(0.25f), half));
}

// At most 2 ulp.
inline VecF32 Sinh(VecF32 x) {
  const VecF32 half = HalfExp(x);
  const VecF32 large = WithSign(Sub(half, Div(SetF32(0.25f), half)), SignOf(x));
  const VecF32 square = Mul(x, x);
  VecF32 p = SetF32(0x1.7a15a6p-19f);
  p = Fma(p, square, SetF32(0x1.9ffe92p-13f));
  p = Fma(p, square, SetF32(0x1.111134p-7f));
  p = Fma(p, square, SetF32(0x1.555556p-3f));
  const VecF32 small = Fma(Mul(p, square), x, x);
  return Select(Less(Abs(x), SetF32(1.0f)), small, large);
}

// Of x above this, log(2 x) is asinh x and acosh x, to a quarter of an ulp.
inline constexpr float kLargeHyperbolic = 0x1p12f;
inline VecF32 LogOfTwice(VecF32 x) { return Add(Log(x), SetF32(0x1.62e43p-1f)); }

// At most 3 ulp.
inline VecF32 Asinh(VecF32 x) {
  const VecF32 size = Abs(x), one = SetF32(1.0f);
  const VecF32 square = Mul(size, size);
  // x + sqrt(x^2 + 1) - 1, without a difference.
  const VecF32 root = Sqrt(Fma(size, size, one));
  const VecF32 small = Log1p(Add(size, Div(square, Add(one, root))));
  const VecF32 y = Select(Less(size, SetF32(kLargeHyperbolic)), small, LogOfTwice(size));
  return WithSign(y, SignOf(x));
}

// At most 3 ulp; NaN below 1.
inline VecF32 Acosh(VecF32 x) {
  const VecF32 one = SetF32(1.0f);
  const VecF32 above = Sub(x, one);
  const VecF32 small = Log1p(Add(above, Sqrt(Fma(above, above, Add(above, above)))));
  const VecF32 y = Select(Less(x, SetF32(kLargeHyperbolic)), small, LogOfTwice(x));
  return Select(LessEqual(one, x), y, SetF32(__builtin_nanf("")));
}

// At most 3 ulp; NaN beyond 1 in magnitude.
inline VecF32 Atanh(VecF32 x) {
  const VecF32 size = Abs(x);
  const VecF32 ratio = Div(Add(size, size), Sub(SetF32(1.0f), size));
  return WithSign(Mul(Log1p(ratio), SetF32(0.5f)), SignOf(x));
}

}  // namespace anyacl::ANYACL_ISA
