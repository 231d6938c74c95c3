// SPDX-License-Identifier: Apache-2.0
// Operations that quantisation needs besides those of simd.h, per tier.
// clang-format off
//   NearI32(x)                    an integer less than 1 away from x, for |x| < 2^31; the result
//                                 may differ between tiers
//   AnyWithout(a, b, c, d, bits)  whether some lane of the four has none of the bits set
//   HighHalves(even, odd)         lane 2i is the high half of even's lane i, lane 2i + 1 of odd's
//   NarrowI8(a, b)                64 lanes in order; each must be in the range of int8_t
//   HighHalvesI8(a, b, c, d)      the high halves of 64 lanes in order; each in that range
//   Ordered(x)                    maps the bits of fp16 or bf16 to integers of the same order
// clang-format on
#pragma once

#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {

#if defined(__AVX512BW__)

inline VecI32 NearI32(VecF32 x) { return RoundToI32(x); }
inline bool AnyWithout(VecI32 a, VecI32 b, VecI32 c, VecI32 d, VecI32 bits) {
  const __mmask16 ab = _kor_mask16(_mm512_testn_epi32_mask(a.raw, bits.raw),
                                   _mm512_testn_epi32_mask(b.raw, bits.raw));
  const __mmask16 cd = _kor_mask16(_mm512_testn_epi32_mask(c.raw, bits.raw),
                                   _mm512_testn_epi32_mask(d.raw, bits.raw));
  return !_kortestz_mask16_u8(ab, cd);
}
inline VecI16 HighHalves(VecI32 even, VecI32 odd) {
  return {_mm512_mask_blend_epi16(0xaaaaaaaa, _mm512_srli_epi32(even.raw, 16), odd.raw)};
}
inline VecI8 NarrowI8(VecI16 a, VecI16 b) {
  const __m512i order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
  return {_mm512_permutexvar_epi64(order, _mm512_packs_epi16(a.raw, b.raw))};
}
// Packing leaves, in each 128-bit lane l, pairs of a and b and then pairs of c and d, of the dwords
// 4l to 4l + 3.
alignas(64) inline constexpr int8_t kHighHalvesOrder[64] = {
    0, 2,  4,  6,  16, 18, 20, 22, 32, 34, 36, 38, 48, 50, 52, 54,  // a
    1, 3,  5,  7,  17, 19, 21, 23, 33, 35, 37, 39, 49, 51, 53, 55,  // b
    8, 10, 12, 14, 24, 26, 28, 30, 40, 42, 44, 46, 56, 58, 60, 62,  // c
    9, 11, 13, 15, 25, 27, 29, 31, 41, 43, 45, 47, 57, 59, 61, 63,  // d
};
inline VecI8 HighHalvesI8(VecI32 a, VecI32 b, VecI32 c, VecI32 d) {
  const __m512i bytes = _mm512_packs_epi16(HighHalves(a, b).raw, HighHalves(c, d).raw);
  return {_mm512_permutexvar_epi8(_mm512_load_si512(kHighHalvesOrder), bytes)};
}
inline VecI16 Ordered(VecI16 x) {
  // Where the sign is set, flips the other bits: x ^ (sign & 0x7fff).
  const __m512i sign = _mm512_srai_epi16(x.raw, 15);
  return {_mm512_ternarylogic_epi32(x.raw, sign, _mm512_set1_epi16(0x7fff), 0x78)};
}
inline VecI16 Min(VecI16 a, VecI16 b) { return {_mm512_min_epi16(a.raw, b.raw)}; }

#elif defined(__AVX2__)

inline VecI32 NearI32(VecF32 x) { return RoundToI32(x); }
inline bool AnyWithout(VecI32 a, VecI32 b, VecI32 c, VecI32 d, VecI32 bits) {
  const __m256i zero = _mm256_setzero_si256();
  const auto without = [&](__m256i v) {
    return _mm256_cmpeq_epi32(_mm256_and_si256(v, bits.lo), zero);
  };
  const auto either = [&](VecI32 v) { return _mm256_or_si256(without(v.lo), without(v.hi)); };
  const __m256i any =
      _mm256_or_si256(_mm256_or_si256(either(a), either(b)), _mm256_or_si256(either(c), either(d)));
  return _mm256_testz_si256(any, any) == 0;
}
inline __m256i HighHalves(__m256i even, __m256i odd) {
  return _mm256_blend_epi16(_mm256_srli_epi32(even, 16), odd, 0xaa);
}
inline VecI16 HighHalves(VecI32 even, VecI32 odd) {
  return {HighHalves(even.lo, odd.lo), HighHalves(even.hi, odd.hi)};
}
inline VecI8 NarrowI8(VecI16 a, VecI16 b) {
  return {_mm256_permute4x64_epi64(_mm256_packs_epi16(a.lo, a.hi), 0xd8),
          _mm256_permute4x64_epi64(_mm256_packs_epi16(b.lo, b.hi), 0xd8)};
}
inline VecI32 ArithmeticHigh(VecI32 v) {
  return {_mm256_srai_epi32(v.lo, 16), _mm256_srai_epi32(v.hi, 16)};
}
inline VecI8 HighHalvesI8(VecI32 a, VecI32 b, VecI32 c, VecI32 d) {
  return PackI8(ArithmeticHigh(a), ArithmeticHigh(b), ArithmeticHigh(c), ArithmeticHigh(d));
}
inline __m256i Ordered(__m256i x) {
  const __m256i sign = _mm256_srai_epi16(x, 15);
  return _mm256_xor_si256(x, _mm256_and_si256(sign, _mm256_set1_epi16(0x7fff)));
}
inline VecI16 Ordered(VecI16 x) { return {Ordered(x.lo), Ordered(x.hi)}; }
inline VecI16 Min(VecI16 a, VecI16 b) {
  return {_mm256_min_epi16(a.lo, b.lo), _mm256_min_epi16(a.hi, b.hi)};
}

#elif defined(__ARM_FEATURE_DOTPROD)

inline VecI32 NearI32(VecF32 x) { return RoundToI32(x); }
inline bool AnyWithout(VecI32 a, VecI32 b, VecI32 c, VecI32 d, VecI32 bits) {
  uint32x4_t any = vdupq_n_u32(0);
  const VecI32* const vectors[] = {&a, &b, &c, &d};
  for (const VecI32* v : vectors) {
    for (int i = 0; i < kParts; ++i) {
      any = vornq_u32(any, vtstq_s32(v->part[i], bits.part[0]));
    }
  }
  return vmaxvq_u32(any) != 0;
}
inline VecI16 HighHalves(VecI32 even, VecI32 odd) {
  return Parts<VecI16>([&](int i) {
    return vtrn2q_s16(vreinterpretq_s16_s32(even.part[i]), vreinterpretq_s16_s32(odd.part[i]));
  });
}
inline VecI8 NarrowI8(VecI16 a, VecI16 b) {
  const auto narrow = [](int16x8_t x, int16x8_t y) {
    return vuzp1q_s8(vreinterpretq_s8_s16(x), vreinterpretq_s8_s16(y));
  };
  return {{narrow(a.part[0], a.part[1]), narrow(a.part[2], a.part[3]), narrow(b.part[0], b.part[1]),
           narrow(b.part[2], b.part[3])}};
}
inline VecI8 HighHalvesI8(VecI32 a, VecI32 b, VecI32 c, VecI32 d) {
  const auto high = [](const VecI32& v, int i) {
    return vuzp2q_s16(vreinterpretq_s16_s32(v.part[i]), vreinterpretq_s16_s32(v.part[i + 1]));
  };
  return NarrowI8({{high(a, 0), high(a, 2), high(b, 0), high(b, 2)}},
                  {{high(c, 0), high(c, 2), high(d, 0), high(d, 2)}});
}
inline VecI16 Ordered(VecI16 x) {
  return Parts<VecI16>([&](int i) {
    const int16x8_t sign = vshrq_n_s16(x.part[i], 15);
    return veorq_s16(x.part[i], vandq_s16(sign, vdupq_n_s16(0x7fff)));
  });
}
inline VecI16 Min(VecI16 a, VecI16 b) {
  return Parts<VecI16>([&](int i) { return vminq_s16(a.part[i], b.part[i]); });
}

#else

// Conversion that truncates is one instruction everywhere.
inline VecI32 NearI32(VecF32 x) {
  return Parts<VecI32>([&](int i) { return __builtin_convertvector(x.part[i], I32x4); });
}
inline bool AnyWithout(VecI32 a, VecI32 b, VecI32 c, VecI32 d, VecI32 bits) {
  const VecI32 zero = SetI32(0);
  const auto without = [&](VecI32 v) { return Equal(And(v, bits), zero); };
  return Any(Or(Or(without(a), without(b)), Or(without(c), without(d))));
}
inline VecI16 HighHalves(VecI32 even, VecI32 odd) {
  const VecI32 halves = Or(ShiftRight<16>(even), And(odd, SetI32(static_cast<int>(0xffff0000))));
  return Parts<VecI16>([&](int i) { return (I16x8)halves.part[i]; });
}
inline VecI8 NarrowI8(VecI16 a, VecI16 b) {
  const auto narrow = [](I16x8 x, I16x8 y) {
    return __builtin_shufflevector((I8x16)x, (I8x16)y, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22,
                                   24, 26, 28, 30);
  };
  return {{narrow(a.part[0], a.part[1]), narrow(a.part[2], a.part[3]), narrow(b.part[0], b.part[1]),
           narrow(b.part[2], b.part[3])}};
}
inline VecI8 HighHalvesI8(VecI32 a, VecI32 b, VecI32 c, VecI32 d) {
  const auto high = [](const VecI32& v, int i) {
    return __builtin_shufflevector((I16x8)v.part[i], (I16x8)v.part[i + 1], 1, 3, 5, 7, 9, 11, 13,
                                   15);
  };
  return NarrowI8({{high(a, 0), high(a, 2), high(b, 0), high(b, 2)}},
                  {{high(c, 0), high(c, 2), high(d, 0), high(d, 2)}});
}
inline VecI16 Ordered(VecI16 x) {
  return Parts<VecI16>([&](int i) { return x.part[i] ^ ((x.part[i] >> 15) & 0x7fff); });
}
inline VecI16 Min(VecI16 a, VecI16 b) {
  return Parts<VecI16>([&](int i) { return a.part[i] < b.part[i] ? a.part[i] : b.part[i]; });
}

#endif

// The smallest lane; once per row, so plain code will do.
inline int16_t ReduceMin(VecI16 v) {
  int16_t lanes[2 * kLanes];
  Store(lanes, v);
  int16_t least = lanes[0];
  for (int16_t lane : lanes) least = lane < least ? lane : least;
  return least;
}

}  // namespace anyacl::ANYACL_ISA
