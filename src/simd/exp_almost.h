// SPDX-License-Identifier: Apache-2.0
// e^x for probabilities that become bf16: two thirds of the work of Exp.
#pragma once

#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {

// Within 2^-22 + 2^-23 |x| of e^x, relative to it, for x < 88; 0 below -104; NaN of NaN. The same
// bits on every tier.
inline VecF32 ExpAlmost(VecF32 x) {
  VecF32 y = Mul(x, SetF32(0x1.715476p+0f));
#if !defined(__AVX512DQ__)  // whose instruction scales by any power
  y = Max(SetF32(-200.0f), y);
#endif
  const VecF32 f = Fraction(y);
  const VecF32 n = Sub(y, f);
  // 2^f = 1 + ..., the rest minimax in the relative error on [-1/2, 1/2]: 2^-23.3.
  VecF32 p = SetF32(0x1.5bba14p-10f);
  p = Fma(p, f, SetF32(0x1.3cea88p-7f));
  p = Fma(p, f, SetF32(0x1.c6b752p-5f));
  p = Fma(p, f, SetF32(0x1.ebf9bcp-3f));
  p = Fma(p, f, SetF32(0x1.62e42ap-1f));
  p = Fma(p, f, SetF32(1.0f));
  return ScalePositiveByPowerOf2(p, n);
}

}  // namespace anyacl::ANYACL_ISA
