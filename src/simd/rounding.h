// SPDX-License-Identifier: Apache-2.0
// Rounding to whole numbers and division with remainder of fp32 vectors, written over the
// operations of simd.h, with the same bits on every tier: all of them are exact but the quotients.
#pragma once

#include "simd/elementary.h"

namespace anyacl::ANYACL_ISA {

inline VecF32 Floor(VecF32 x) {
  const VecF32 near = RoundEven(x);
  return Select(Less(x, near), Sub(near, SetF32(1.0f)), near);
}
inline VecF32 Ceil(VecF32 x) {
  const VecF32 near = RoundEven(x);
  return WithSign(Select(Less(near, x), Add(near, SetF32(1.0f)), near), SignOf(x));
}
inline VecF32 Trunc(VecF32 x) {
  const VecF32 size = Abs(x), near = RoundEven(size);
  return WithSign(Select(Less(size, near), Sub(near, SetF32(1.0f)), near), SignOf(x));
}

// Of lanes where a quotient is not below 2^23, or is none.
[[gnu::noinline]] inline void FmodOfLanes(const float* a, const float* b, float* r) {
  for (size_t i = 0; i < kLanes; ++i) r[i] = __builtin_fmodf(a[i], b[i]);
}

// The remainder of a / b with the sign of a.
inline VecF32 Fmod(VecF32 a, VecF32 b) {
  const VecF32 zero = SetF32(0.0f), quotient = Trunc(Div(a, b));
  VecF32 r = Fma(Neg(quotient), b, a);
  const Mask simple = And(Less(Abs(quotient), SetF32(0x1p23f)), Equal(r, r));
  if (__builtin_expect(Any(Not(simple)), 0)) {
    float as[kLanes], bs[kLanes], rs[kLanes];
    Store(as, a);
    Store(bs, b);
    FmodOfLanes(as, bs, rs);
    return Load(rs);
  }
  // The division may have rounded up to the next whole number.
  const Mask past = Less(Mul(WithSign(SetF32(1.0f), SignOf(a)), r), zero);
  r = Select(past, Add(r, WithSign(Abs(b), SignOf(a))), r);
  return WithSign(Abs(r), SignOf(a));
}

// The remainder with the sign of b.
inline VecF32 Remainder(VecF32 a, VecF32 b) {
  const VecF32 zero = SetF32(0.0f), r = Fmod(a, b);
  const Mask opposite = Less(Xor(BitsOf(r), BitsOf(b)), SetI32(0));
  return Select(And(opposite, Not(Equal(r, zero))), Add(r, b), r);
}

// The whole number below a / b, as if the division did not round; a / b of b = 0.
inline VecF32 FloorDivide(VecF32 a, VecF32 b) {
  const VecF32 zero = SetF32(0.0f), one = SetF32(1.0f);
  const VecF32 r = Fmod(a, b), ratio = Div(a, b);
  VecF32 quotient = Div(Sub(a, r), b);
  const Mask opposite = Less(Xor(BitsOf(r), BitsOf(b)), SetI32(0));
  quotient = Select(And(opposite, Not(Equal(r, zero))), Sub(quotient, one), quotient);
  const VecF32 whole = Floor(quotient);
  const VecF32 near = Select(Less(SetF32(0.5f), Sub(quotient, whole)), Add(whole, one), whole);
  const VecF32 y = Select(Equal(quotient, zero), WithSign(zero, SignOf(ratio)), near);
  return Select(Equal(b, zero), ratio, y);
}

}  // namespace anyacl::ANYACL_ISA
