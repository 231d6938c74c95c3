// SPDX-License-Identifier: Apache-2.0
// Functions of vectors that are written once, over the operations of simd.h. The error bounds are
// those that tests/simd measures.
#pragma once

namespace anyacl::ANYACL_ISA {

inline VecF32 LoadBf16(const uint16_t* p) { return FloatFromBits(ShiftLeft<16>(LoadU16(p))); }
inline VecF32 LoadBf16(const uint16_t* p, size_t n) {
  return FloatFromBits(ShiftLeft<16>(LoadU16(p, n)));
}

// To nearest even, in the low 16 bits; NaN stays a NaN, made quiet. Not vcvtneps2bf16, which turns
// denormals into zeros.
inline VecI32 Bf16FromFloat(VecF32 v) {
  const VecI32 bits = BitsOf(v);
  const VecI32 upper = ShiftRight<16>(bits);
  const VecI32 odd = And(upper, SetI32(1));
  const VecI32 rounded = ShiftRight<16>(Add(bits, Add(odd, SetI32(0x7fff))));
  return Select(Equal(v, v), rounded, Or(upper, SetI32(0x0040)));
}
inline void StoreBf16(uint16_t* p, VecF32 v) { StoreLow16(p, Bf16FromFloat(v)); }
inline void StoreBf16(uint16_t* p, VecF32 v, size_t n) { StoreLow16(p, Bf16FromFloat(v), n); }

inline VecF32 Neg(VecF32 v) { return FloatFromBits(Xor(BitsOf(v), SetI32(INT32_MIN))); }
// -|v|
inline VecF32 NegAbs(VecF32 v) { return FloatFromBits(Or(BitsOf(v), SetI32(INT32_MIN))); }

// NaN stays NaN.
inline VecF32 Clamp(VecF32 v, float low, float high) {
  return Min(SetF32(high), Max(SetF32(low), v));
}

// x = n ln 2 + r, |r| < 0.3466. ln 2 is cut in two (Cody and Waite 1980): the upper part has 15
// bits, so its product with n and the first difference are exact.
struct Reduced {
  VecF32 n;
  VecF32 r;
};

inline Reduced ReduceByLn2(VecF32 x) {
  const VecF32 n = RoundEven(Mul(x, SetF32(0x1.715476p+0f)));
  const VecF32 r = Fma(n, SetF32(-0x1.62e4p-1f), x);
  return {n, Fma(n, SetF32(-0x1.7f7d1cp-20f), r)};
}

// e^x = mantissa * 2^exponent with mantissa in [0.7, 1.42], for -130 < x < 130.
struct ExpParts {
  VecF32 mantissa;
  VecF32 exponent;  // whole
};

inline ExpParts SplitExp(VecF32 x) {
  const auto [n, r] = ReduceByLn2(x);
  // 1 + r + ..., the rest minimax in the relative error: 2^-28.2.
  VecF32 p = SetF32(0x1.6a2418p-10f);
  p = Fma(p, r, SetF32(0x1.123a3cp-7f));
  p = Fma(p, r, SetF32(0x1.5558f4p-5f));
  p = Fma(p, r, SetF32(0x1.55549p-3f));
  p = Fma(p, r, SetF32(0x1.fffffcp-2f));
  p = Fma(p, r, SetF32(1.0f));
  p = Fma(p, r, SetF32(1.0f));
  return {p, n};
}

// At most 1 ulp, denormal results included; infinite above 88.73, 0 below -103.98; NaN of NaN.
inline VecF32 Exp(VecF32 x) {
  const ExpParts parts = SplitExp(Clamp(x, -120.0f, 89.0f));
  return ScalePositiveByPowerOf2(parts.mantissa, parts.exponent);
}

// x / (1 + e^-x), at most 3 ulp. With t = -|x| nothing overflows:
//   x >= 0: x / (1 + e^t)        x < 0: x e^t / (1 + e^t)
// and x e^t is scaled only after the product, so that small results lose no bits.
inline VecF32 Silu(VecF32 x) {
  const VecF32 t = Max(SetF32(-120.0f), NegAbs(x));
  const ExpParts parts = SplitExp(t);
  const VecF32 scaled = ScaleByPowerOf2(Mul(t, parts.mantissa), parts.exponent);
  const VecF32 numerator = Select(Less(x, SetF32(0.0f)), scaled, x);
  const VecF32 power = ScalePositiveByPowerOf2(parts.mantissa, parts.exponent);
  const VecF32 denominator = Add(SetF32(1.0f), power);
  return Div(numerator, denominator);
}

}  // namespace anyacl::ANYACL_ISA
