// SPDX-License-Identifier: Apache-2.0
// Operations that quantisation needs besides those of simd.h, per tier.
// clang-format off
//   NearI32(x)                    an integer less than 1 away from x, for |x| < 2^31; the result
//                                 may differ between tiers
//   kSumError                     the most by which NearI32(MulAddEither(a, b, c)) differs from
//                                 a * b + c where that is below 2^24, beyond a * b being rounded
//   AnyLowHalfBelow(a, b, c, d, n)  whether the low half of some lane, unsigned, is below n < 2^16
//   Bytes<kByte, kInterleaved>(a, b, c, d)
//                                 byte kByte (0 or 2) of 64 lanes, of which the half it begins must
//                                 be in the range of int8_t. Lanes in order, or if interleaved
//                                 a0 b0 a1 b1 ..., then c0 d0 c1 d1 ...
//   LargerMagnitude(m, x)         the larger of m >= 0 and |x|; m if x is NaN (not a signalling one)
//   Ordered(x)                    maps the bits of fp16 or bf16 to integers of the same order
// clang-format on
#pragma once

#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {

#if defined(__AVX512BW__)

// 1/4 of a sum below 2^23 and 1/2 of its conversion; 1/2 of one above, which is an integer.
inline constexpr float kSumError = 0.75f;
inline VecI32 NearI32(VecF32 x) { return RoundToI32(x); }
inline bool AnyLowHalfBelow(VecI32 a, VecI32 b, VecI32 c, VecI32 d, int32_t n) {
  const __m512i least =
      _mm512_min_epu16(_mm512_min_epu16(a.raw, b.raw), _mm512_min_epu16(c.raw, d.raw));
  // The high halves are compared with 0.
  return _mm512_cmplt_epu16_mask(least, _mm512_set1_epi32(n)) != 0;
}
// Where 32 bytes of a pair of vectors come from; the upper 32 are the same again.
struct ByteOrder {
  alignas(64) int8_t index[64];
};
constexpr ByteOrder MakeByteOrder(int byte, bool interleaved) {
  ByteOrder order = {};
  for (int i = 0; i < 64; ++i) {
    const int lane = interleaved ? i % 32 / 2 + i % 2 * 16 : i % 32;
    order.index[i] = static_cast<int8_t>(4 * lane + byte);
  }
  return order;
}
template <int kByte, bool kInterleaved>
inline constexpr ByteOrder kByteOrder = MakeByteOrder(kByte, kInterleaved);
template <int kByte, bool kInterleaved>
inline VecI8 Bytes(VecI32 a, VecI32 b, VecI32 c, VecI32 d) {
  const __m512i order = _mm512_load_si512(kByteOrder<kByte, kInterleaved>.index);
  const __m512i low = _mm512_permutex2var_epi8(a.raw, order, b.raw);
  const __m512i high = _mm512_permutex2var_epi8(c.raw, order, d.raw);
  // Not a blend: gcc 12 would make its mask again for each.
  return {_mm512_inserti64x4(low, _mm512_castsi512_si256(high), 1)};
}
inline VecF32 LargerMagnitude(VecF32 m, VecF32 x) {
  return {_mm512_range_ps(m.raw, x.raw, 0x0b)};  // the larger absolute value, sign cleared
}
inline VecI16 Ordered(VecI16 x) {
  // Where the sign is set, flips the other bits: x ^ (sign & 0x7fff).
  const __m512i sign = _mm512_srai_epi16(x.raw, 15);
  return {_mm512_ternarylogic_epi32(x.raw, sign, _mm512_set1_epi16(0x7fff), 0x78)};
}
inline VecI16 Min(VecI16 a, VecI16 b) { return {_mm512_min_epi16(a.raw, b.raw)}; }

#elif defined(__AVX2__)

// 1/4 of a sum below 2^23 and 1/2 of its conversion; 1/2 of one above, which is an integer.
inline constexpr float kSumError = 0.75f;
inline VecI32 NearI32(VecF32 x) { return RoundToI32(x); }
inline bool AnyLowHalfBelow(VecI32 a, VecI32 b, VecI32 c, VecI32 d, int32_t n) {
  const auto least = [](VecI32 x, VecI32 y) {
    return _mm256_min_epu16(_mm256_min_epu16(x.lo, x.hi), _mm256_min_epu16(y.lo, y.hi));
  };
  const __m256i below =
      _mm256_subs_epu16(_mm256_set1_epi32(n), _mm256_min_epu16(least(a, b), least(c, d)));
  return _mm256_testz_si256(below, below) == 0;
}
// Lane i of x becomes a 16-bit value, in the low or in both halves.
template <int kByte>
inline __m256i Half(__m256i x) {
  return _mm256_srai_epi32(kByte == 2 ? x : _mm256_slli_epi32(x, 16), 16);
}
template <int kByte>
inline __m256i Interleave(__m256i even, __m256i odd) {
  return kByte == 2 ? _mm256_blend_epi16(_mm256_srli_epi32(even, 16), odd, 0xaa)
                    : _mm256_blend_epi16(even, _mm256_slli_epi32(odd, 16), 0xaa);
}
template <int kByte, bool kInterleaved>
inline VecI8 Bytes(VecI32 a, VecI32 b, VecI32 c, VecI32 d) {
  if constexpr (kInterleaved) {
    const auto pack = [](VecI32 even, VecI32 odd) {
      const __m256i bytes = _mm256_packs_epi16(Interleave<kByte>(even.lo, odd.lo),
                                               Interleave<kByte>(even.hi, odd.hi));
      return _mm256_permute4x64_epi64(bytes, 0xd8);
    };
    return {pack(a, b), pack(c, d)};
  } else {
    const auto halves = [](VecI32 x) { return VecI32{Half<kByte>(x.lo), Half<kByte>(x.hi)}; };
    return PackI8(halves(a), halves(b), halves(c), halves(d));
  }
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

// 1/4 of a sum below 2^23 and 1/2 of its conversion; 1/2 of one above, which is an integer.
inline constexpr float kSumError = 0.75f;
inline VecI32 NearI32(VecF32 x) { return RoundToI32(x); }
inline bool AnyLowHalfBelow(VecI32 a, VecI32 b, VecI32 c, VecI32 d, int32_t n) {
  uint16x8_t least = vdupq_n_u16(0xffff);
  const VecI32* const vectors[] = {&a, &b, &c, &d};
  for (const VecI32* v : vectors) {
    for (int i = 0; i < kParts; ++i) {
      least = vminq_u16(least, vreinterpretq_u16_s32(v->part[i]));
    }
  }
  // The high halves are compared with 0.
  return vmaxvq_u16(vcltq_u16(least, vreinterpretq_u16_s32(vdupq_n_s32(n)))) != 0;
}
template <int kByte, bool kInterleaved>
inline int16x8_t Halves(int32x4_t x, int32x4_t y) {
  const int16x8_t a = vreinterpretq_s16_s32(x);
  const int16x8_t b = vreinterpretq_s16_s32(y);
  if constexpr (kInterleaved) return kByte == 2 ? vtrn2q_s16(a, b) : vtrn1q_s16(a, b);
  return kByte == 2 ? vuzp2q_s16(a, b) : vuzp1q_s16(a, b);
}
inline int8x16_t Narrow(int16x8_t x, int16x8_t y) {
  return vuzp1q_s8(vreinterpretq_s8_s16(x), vreinterpretq_s8_s16(y));
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

// Conversion that truncates is one instruction everywhere. 1/2 of the sum, 1 of its conversion.
inline constexpr float kSumError = 1.5f;
inline VecI32 NearI32(VecF32 x) {
  return Parts<VecI32>([&](int i) { return __builtin_convertvector(x.part[i], I32x4); });
}
inline bool AnyLowHalfBelow(VecI32 a, VecI32 b, VecI32 c, VecI32 d, int32_t n) {
  VecI32 any = SetI32(0);
  const VecI32* const vectors[] = {&a, &b, &c, &d};
  for (const VecI32* v : vectors) {
    for (int i = 0; i < kParts; ++i) any.part[i] |= (v->part[i] & 0xffff) < n;
  }
  return Any(Mask{{any.part[0], any.part[1], any.part[2], any.part[3]}});
}
template <int kByte, bool kInterleaved>
inline I16x8 Halves(I32x4 x, I32x4 y) {
  constexpr int k = kByte / 2;
  if constexpr (kInterleaved) {
    return kByte == 2 ? (I16x8)(((U32x4)x >> 16) | (U32x4)(y & ~0xffff))
                      : (I16x8)((x & 0xffff) | (I32x4)((U32x4)y << 16));
  } else {
    return __builtin_shufflevector((I16x8)x, (I16x8)y, k, k + 2, k + 4, k + 6, k + 8, k + 10,
                                   k + 12, k + 14);
  }
}
inline I8x16 Narrow(I16x8 x, I16x8 y) {
#if defined(__SSE2__)
  return (I8x16)_mm_packs_epi16((__m128i)x, (__m128i)y);
#else
  return __builtin_shufflevector((I8x16)x, (I8x16)y, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24,
                                 26, 28, 30);
#endif
}
inline VecI16 Ordered(VecI16 x) {
  return Parts<VecI16>([&](int i) { return x.part[i] ^ ((x.part[i] >> 15) & 0x7fff); });
}
inline VecI16 Min(VecI16 a, VecI16 b) {
  return Parts<VecI16>([&](int i) { return a.part[i] < b.part[i] ? a.part[i] : b.part[i]; });
}

#endif

#if !defined(__AVX2__)
// 16 of the lanes: of x, or of two parts of x and y from i on.
template <int kByte, bool kInterleaved>
inline auto Bytes16(const VecI32& x, const VecI32& y, int i) {
  constexpr auto kHalves = Halves<kByte, kInterleaved>;
  if constexpr (kInterleaved) {
    return Narrow(kHalves(x.part[i], y.part[i]), kHalves(x.part[i + 1], y.part[i + 1]));
  } else {
    return Narrow(kHalves(x.part[0], x.part[1]), kHalves(x.part[2], x.part[3]));
  }
}
template <int kByte, bool kInterleaved>
inline VecI8 Bytes(VecI32 a, VecI32 b, VecI32 c, VecI32 d) {
  constexpr auto kBytes = Bytes16<kByte, kInterleaved>;
  if constexpr (kInterleaved)
    return {{kBytes(a, b, 0), kBytes(a, b, 2), kBytes(c, d, 0), kBytes(c, d, 2)}};
  return {{kBytes(a, a, 0), kBytes(b, b, 0), kBytes(c, c, 0), kBytes(d, d, 0)}};
}
#endif

#if !defined(__AVX512BW__)
inline VecF32 LargerMagnitude(VecF32 m, VecF32 x) { return Max(Abs(x), m); }
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
