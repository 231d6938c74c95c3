// SPDX-License-Identifier: Apache-2.0
// The error function, its inverse and the normal distribution of fp32 vectors, written over the
// operations of simd.h, with the same bits on every tier. The error bounds are those that
// tests/simd measures; polynomials are minimax in the relative error.
#pragma once

#include "simd/elementary.h"

namespace anyacl::ANYACL_ISA {

// erf x of |x| <= 1: 2^-29.6.
inline VecF32 ErfOfSmall(VecF32 x) {
  const VecF32 square = Mul(x, x);
  VecF32 p = SetF32(0x1.49694p-14f);
  p = Fma(p, square, SetF32(-0x1.a3f6b2p-11f));
  p = Fma(p, square, SetF32(0x1.5405a8p-8f));
  p = Fma(p, square, SetF32(-0x1.b7f90cp-6f));
  p = Fma(p, square, SetF32(0x1.ce2cf8p-4f));
  p = Fma(p, square, SetF32(-0x1.81273ep-2f));
  p = Fma(p, square, SetF32(0x1.06eba8p-3f));
  return Fma(p, x, x);
}

// x^2 / divisor = high + low, for a divisor of 1 or 2.
struct SquareParts {
  VecF32 high;
  VecF32 low;
};
inline SquareParts SplitSquare(VecF32 x, float inverse_of_divisor) {
  const VecF32 part = Mul(x, SetF32(inverse_of_divisor));
  const VecF32 high = Mul(part, x);
  return {high, Fma(part, x, Neg(high))};
}

// erfc x of 0.45 <= x <= 10.2 with its square, at most 4 ulp: e^(-x^2) / (1 + 2x) times a
// polynomial of (x - 2) / (x + 2) (Shepherd and Laframboise 1981), 2^-27.6.
inline VecF32 ErfcOfLarge(VecF32 x, SquareParts square) {
  const VecF32 two = SetF32(2.0f);
  const VecF32 q = Div(Sub(x, two), Add(x, two));
  VecF32 p = SetF32(-0x1.0b73bcp-12f);
  p = Fma(p, q, SetF32(-0x1.46da34p-10f));
  p = Fma(p, q, SetF32(0x1.31f444p-10f));
  p = Fma(p, q, SetF32(0x1.1b549cp-7f));
  p = Fma(p, q, SetF32(-0x1.067aecp-7f));
  p = Fma(p, q, SetF32(-0x1.bc13cap-5f));
  p = Fma(p, q, SetF32(0x1.4ff8f8p-3f));
  p = Fma(p, q, SetF32(-0x1.54080ep-3f));
  p = Fma(p, q, SetF32(-0x1.7bf5dcp-4f));
  p = Fma(p, q, SetF32(0x1.46e80ep+0f));
  const ExpParts e = SplitExp(Neg(square.high));
  const VecF32 product = Mul(p, e.mantissa);
  const VecF32 over = Fma(product, Neg(square.low), product);
  return ScaleByPowerOf2(Div(over, Fma(x, two, SetF32(1.0f))), e.exponent);
}

// At most 1.5 ulp. Beyond 1 it is 1 - e^-q with a polynomial q of |x| (2^-28.8): what is taken from
// 1 is at most 0.16, so that q need not be right to its last place, and nothing is divided. A
// result may lie 1 ulp below that of the number before.
inline VecF32 Erf(VecF32 x) {
  const VecF32 size = Min(SetF32(4.2f), Abs(x));
  VecF32 q = SetF32(-0x1.852d58p-13f);
  q = Fma(q, size, SetF32(0x1.814ce4p-9f));
  q = Fma(q, size, SetF32(-0x1.654228p-6f));
  q = Fma(q, size, SetF32(0x1.a60a86p-4f));
  q = Fma(q, size, SetF32(0x1.46c584p-1f));
  q = Fma(q, size, SetF32(0x1.2085b2p+0f));
  q = Fma(q, size, SetF32(0x1.72e654p-12f));
  const ExpParts e = SplitExp(Neg(q));
  const VecF32 tail = ScalePositiveByPowerOf2(e.mantissa, e.exponent);
  const VecF32 large = WithSign(Sub(SetF32(1.0f), tail), SignOf(x));
  // Min takes the second operand where one is NaN, so that x decides.
  return Select(Less(SetF32(1.0f), size), large, ErfOfSmall(x));
}

// At most 4 ulp.
inline VecF32 Erfc(VecF32 x) {
  const VecF32 size = Min(SetF32(10.2f), Abs(x));
  const VecF32 tail = ErfcOfLarge(Max(SetF32(0.45f), size), SplitSquare(size, 1.0f));
  const VecF32 large = Select(Less(x, SetF32(0.0f)), Sub(SetF32(2.0f), tail), tail);
  const VecF32 small = Sub(SetF32(1.0f), ErfOfSmall(x));
  return Select(Less(SetF32(0.5f), size), large, small);
}

// At most 6 ulp; NaN beyond 1 in magnitude. Of w = -log(1 - x^2), as Giles (2010): 2^-27.4 below 5,
// 2^-26.6 above.
inline VecF32 Erfinv(VecF32 x) {
  const VecF32 one = SetF32(1.0f);
  const VecF32 w = Neg(Log(Fma(Neg(x), x, one)));
  const VecF32 t = Sub(w, SetF32(2.5f));
  VecF32 p = SetF32(-0x1.2e068cp-27f);
  p = Fma(p, t, SetF32(0x1.8f202ep-26f));
  p = Fma(p, t, SetF32(0x1.f488e8p-22f));
  p = Fma(p, t, SetF32(-0x1.d0c174p-19f));
  p = Fma(p, t, SetF32(-0x1.4d14ecp-18f));
  p = Fma(p, t, SetF32(0x1.c9e6c4p-13f));
  p = Fma(p, t, SetF32(-0x1.486616p-10f));
  p = Fma(p, t, SetF32(-0x1.11c4ecp-8f));
  p = Fma(p, t, SetF32(0x1.f91e8ap-3f));
  p = Fma(p, t, SetF32(0x1.805c5ep+0f));
  // The other half is for what is beyond 0.9966, which few vectors have; beyond 1 both are NaN.
  if (!Any(LessEqual(SetF32(5.0f), w))) return Mul(p, x);
  const VecF32 s = Sub(Sqrt(w), SetF32(3.0f));
  VecF32 q = SetF32(0x1.e54b1cp-14f);
  q = Fma(q, s, SetF32(-0x1.449dacp-12f));
  q = Fma(q, s, SetF32(-0x1.dc356ep-15f));
  q = Fma(q, s, SetF32(0x1.854f1ep-10f));
  q = Fma(q, s, SetF32(-0x1.d78522p-9f));
  q = Fma(q, s, SetF32(0x1.74b392p-8f));
  q = Fma(q, s, SetF32(-0x1.f4846cp-8f));
  q = Fma(q, s, SetF32(0x1.3580cep-7f));
  q = Fma(q, s, SetF32(0x1.006dc6p+0f));
  q = Fma(q, s, SetF32(0x1.6a9efcp+1f));
  const VecF32 y = Mul(Select(Less(w, SetF32(5.0f)), p, q), x);
  const VecF32 infinity = WithSign(SetF32(__builtin_inff()), SignOf(x));
  return Select(Equal(Abs(x), one), infinity, y);
}

// The normal distribution's function, and its density.
struct Normal {
  VecF32 function;
  VecF32 density;
};
inline Normal NormalOf(VecF32 x) {
  // Beyond 14.4 the function is 0 or 1. Min takes the second operand where one is NaN.
  const VecF32 size = Min(SetF32(14.4f), Abs(x));
  const SquareParts square = SplitSquare(size, 0.5f);
  const VecF32 z = Mul(size, SetF32(0x1.6a09e6p-1f)), half = SetF32(0.5f);
  const VecF32 tail = Mul(half, ErfcOfLarge(Max(SetF32(0.45f), z), square));
  const Mask negative = Less(x, SetF32(0.0f));
  const VecF32 small = Mul(half, ErfOfSmall(z));
  const VecF32 near = Add(half, Select(negative, Neg(small), small));
  const VecF32 far = Select(negative, tail, Sub(SetF32(1.0f), tail));
  const VecF32 e = Exp(Neg(square.high));
  const VecF32 density = Mul(Fma(e, Neg(square.low), e), SetF32(0x1.988454p-2f));
  return {Select(Less(half, z), far, near), density};
}

// x times the normal distribution's function; 0 below -14.4.
inline VecF32 GeluErf(VecF32 x) { return Mul(Max(SetF32(-15.0f), x), NormalOf(x).function); }

}  // namespace anyacl::ANYACL_ISA
