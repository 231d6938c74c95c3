// SPDX-License-Identifier: Apache-2.0
// Powers and logarithms of fp32 vectors to other bases than e, and beside 1: written over the
// operations of simd.h, with the same bits on every tier. The error bounds are those that
// tests/simd measures.
#pragma once

#include "simd/elementary.h"

namespace anyacl::ANYACL_ISA {

// 2^x, at most 1.5 ulp; infinite from 128 on, 0 below -150.
inline VecF32 Exp2(VecF32 x) {
  const VecF32 held = Clamp(x, -151.0f, 129.0f);
  const VecF32 n = RoundEven(held);
  const ExpParts parts = SplitExp(Mul(Sub(held, n), SetF32(0x1.62e43p-1f)));
  return ScaleByPowerOf2(parts.mantissa, Add(parts.exponent, n));
}

// e^x - 1, at most 2 ulp.
inline VecF32 Expm1(VecF32 x) {
  const Expm1Parts parts = SplitExpm1(Clamp(x, -18.0f, 89.0f));
  // Without 2^n, which is infinite before the result is.
  const VecF32 far = ScaleByPowerOf2(Add(parts.inner, SetF32(1.0f)), parts.n);
  const VecF32 y = Select(Less(SetF32(25.0f), parts.n), far, Together(parts));
  return Select(Equal(x, SetF32(0.0f)), x, y);  // keeps the sign of 0
}

// log(1 + x), at most 2 ulp.
inline VecF32 Log1p(VecF32 x) {
  const VecF32 one = SetF32(1.0f);
  const VecF32 sum = Add(one, x);
  // What the sum lost of the smaller summand, exactly.
  const Mask below = Less(Abs(x), one);
  const VecF32 lost = Sub(Select(below, x, one), Sub(sum, Select(below, one, x)));
  const VecF32 log = Log(sum);
  const VecF32 y = Add(log, Div(lost, sum));
  const Mask ordinary = And(Less(SetF32(-1.0f), x), Less(x, SetF32(__builtin_inff())));
  return Select(Equal(x, SetF32(0.0f)), x, Select(ordinary, y, log));
}

// At most 1 ulp; powers of 2 are exact.
inline VecF32 Log2(VecF32 x) { return WithEndsOfLog(x, LogBase2(x).high); }

// At most 1 ulp.
inline VecF32 Log10(VecF32 x) {
  const DoubleF32 log = LogBase2(x);
  const VecF32 factor = SetF32(0x1.344136p-2f), factor_low = SetF32(-0x1.ec10cp-27f);
  const VecF32 product = Mul(log.high, factor);
  const VecF32 lost = Fma(log.high, factor, Neg(product));
  const VecF32 low = Fma(log.high, factor_low, Fma(log.low, factor, lost));
  return WithEndsOfLog(x, Add(product, low));
}

// log(e^a + e^b), of equal infinities too.
inline VecF32 LogAddExp(VecF32 a, VecF32 b) {
  const VecF32 y = Add(Max(a, b), Log1p(Exp(NegAbs(Sub(a, b)))));
  return Select(Equal(a, b), Add(a, SetF32(0x1.62e43p-1f)), y);
}
inline VecF32 LogAddExp2(VecF32 a, VecF32 b) {
  const VecF32 rest = Log1p(Exp2(NegAbs(Sub(a, b))));
  const VecF32 y = Fma(rest, SetF32(0x1.715476p+0f), Max(a, b));
  return Select(Equal(a, b), Add(a, SetF32(1.0f)), y);
}

// log(1 + e^x).
inline VecF32 Softplus(VecF32 x) { return Add(Max(SetF32(0.0f), x), Log1p(Exp(NegAbs(x)))); }

}  // namespace anyacl::ANYACL_ISA
