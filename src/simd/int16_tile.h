// SPDX-License-Identifier: Apache-2.0
// Small integers in 16 bits: widening from INT8 and INT4, dot products of neighbours. The same bits
// on every tier. Where a tier is faster in another order of lanes, it has that order, and
// ArrangeI4 and the Restore functions know it.
//   DotI16(sum, a, b)        sum[i] + a[2i] b[2i] + a[2i+1] b[2i+1], modulo 2^32
//   LoadI8AsI16(p)           32 numbers, in order
//   LoadI8AsI16(p, out)      64 numbers, in order
//   LoadI4AsI16(p, out)      64 numbers, in the order of ArrangeI4
//   ArrangeI4(v)             64 words in order, to be multiplied with what LoadI4AsI16 loads
//   LoadI8Pairs(a, b, out)   64 numbers of each of two rows, those of one place beside each other
//   LoadI4Pairs(a, b, out)   the same
//   RestoreI8Pairs(v)        lanes of out, into the order of the places; RestoreI4Pairs alike
#pragma once

#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {

#if defined(__AVX512BW__)

inline VecI32 DotI16(VecI32 sum, VecI16 a, VecI16 b) {
  // Assembler for the reason that DotU8I8 has.
  asm("vpdpwssd %2, %1, %0" : "+v"(sum.raw) : "v"(a.raw), "v"(b.raw));
  return sum;
}

inline __m512i WidenBytes(const void* p) {
  return _mm512_cvtepi8_epi16(_mm256_loadu_si256(static_cast<const __m256i*>(p)));
}

inline VecI16 LoadI8AsI16(const int8_t* p) { return {WidenBytes(p)}; }

inline void LoadI8AsI16(const int8_t* p, VecI16 (&out)[2]) {
  out[0] = LoadI8AsI16(p);
  out[1] = LoadI8AsI16(p + 32);
}

// The low and the high nibbles of words that hold a byte, sign included.
inline __m512i LowNibbles(__m512i words) {
  return _mm512_srai_epi16(_mm512_slli_epi16(words, 12), 12);
}
inline __m512i HighNibbles(__m512i words) { return _mm512_srai_epi16(words, 4); }

// Even numbers, odd numbers.
inline void LoadI4AsI16(const uint8_t* p, VecI16 (&out)[2]) {
  const __m512i words = WidenBytes(p);
  out[0] = {LowNibbles(words)};
  out[1] = {HighNibbles(words)};
}

inline void ArrangeI4(VecI16 (&v)[2]) {
  alignas(64) static constexpr struct Even {
    uint16_t words[32];
    constexpr Even() : words() {
      for (int i = 0; i < 32; ++i) words[i] = static_cast<uint16_t>(2 * i);
    }
  } kEven;
  const __m512i even = _mm512_load_si512(kEven.words);
  const __m512i odd = _mm512_add_epi16(even, _mm512_set1_epi16(1));
  const __m512i a = v[0].raw, b = v[1].raw;
  v[0] = {_mm512_permutex2var_epi16(a, even, b)};
  v[1] = {_mm512_permutex2var_epi16(a, odd, b)};
}

// Within 128 bits: places 8 i to 8 i + 3 of 32 in part i of the first, the next 4 in the second.
inline void LoadI8Pairs(const int8_t* a, const int8_t* b, VecI16 (&out)[4]) {
#pragma GCC unroll 2
  for (int i = 0; i < 2; ++i) {
    const __m512i x = WidenBytes(a + 32 * i), y = WidenBytes(b + 32 * i);
    out[2 * i] = {_mm512_unpacklo_epi16(x, y)};
    out[2 * i + 1] = {_mm512_unpackhi_epi16(x, y)};
  }
}
inline void RestoreI8Pairs(VecI32 (&v)[4]) {
  const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
  const __m512i second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
#pragma GCC unroll 2
  for (int i = 0; i < 2; ++i) {
    const __m512i a = v[2 * i].raw, b = v[2 * i + 1].raw;
    v[2 * i] = {_mm512_permutex2var_epi64(a, first, b)};
    v[2 * i + 1] = {_mm512_permutex2var_epi64(a, second, b)};
  }
}

// Even places of bytes 8 i to 8 i + 3, odd ones, those of the next 4 bytes.
inline void LoadI4Pairs(const uint8_t* a, const uint8_t* b, VecI16 (&out)[4]) {
  const __m512i x = WidenBytes(a), y = WidenBytes(b);
  const __m512i low = _mm512_unpacklo_epi16(x, y), high = _mm512_unpackhi_epi16(x, y);
  out[0] = {LowNibbles(low)};
  out[1] = {HighNibbles(low)};
  out[2] = {LowNibbles(high)};
  out[3] = {HighNibbles(high)};
}
inline void RestoreI4Pairs(VecI32 (&v)[4]) {
  // Part i of part[k] holds places 16 i + 4 k to 16 i + 4 k + 3.
  const __m512i part[4] = {
      _mm512_unpacklo_epi32(v[0].raw, v[1].raw), _mm512_unpackhi_epi32(v[0].raw, v[1].raw),
      _mm512_unpacklo_epi32(v[2].raw, v[3].raw), _mm512_unpackhi_epi32(v[2].raw, v[3].raw)};
  const __m512i a = _mm512_shuffle_i32x4(part[0], part[1], 0x88);
  const __m512i b = _mm512_shuffle_i32x4(part[0], part[1], 0xdd);
  const __m512i c = _mm512_shuffle_i32x4(part[2], part[3], 0x88);
  const __m512i d = _mm512_shuffle_i32x4(part[2], part[3], 0xdd);
  // a: parts 0 and 2 of part[0], then of part[1]; b: parts 1 and 3.
  v[0] = {_mm512_shuffle_i32x4(a, c, 0x88)};
  v[1] = {_mm512_shuffle_i32x4(b, d, 0x88)};
  v[2] = {_mm512_shuffle_i32x4(a, c, 0xdd)};
  v[3] = {_mm512_shuffle_i32x4(b, d, 0xdd)};
}

#else

#if defined(__AVX2__)

inline VecI32 DotI16(VecI32 sum, VecI16 a, VecI16 b) {
  return {_mm256_add_epi32(sum.lo, _mm256_madd_epi16(a.lo, b.lo)),
          _mm256_add_epi32(sum.hi, _mm256_madd_epi16(a.hi, b.hi))};
}

inline VecI16 LoadI8AsI16(const int8_t* p) {
  return {_mm256_cvtepi8_epi16(Load128(p)), _mm256_cvtepi8_epi16(Load128(p + 16))};
}

inline void LoadI8Pairs(const int8_t* a, const int8_t* b, VecI16 (&out)[4]) {
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    const __m128i x = Load128(a + 16 * i), y = Load128(b + 16 * i);
    out[i] = {_mm256_cvtepi8_epi16(_mm_unpacklo_epi8(x, y)),
              _mm256_cvtepi8_epi16(_mm_unpackhi_epi8(x, y))};
  }
}

#else

inline VecI32 DotI16(VecI32 sum, VecI16 a, VecI16 b) {
#if defined(__ARM_FEATURE_DOTPROD)
  return Parts<VecI32>([&](int i) {
    const int32x4_t low = vmull_s16(vget_low_s16(a.part[i]), vget_low_s16(b.part[i]));
    const int32x4_t high = vmull_high_s16(a.part[i], b.part[i]);
    return vaddq_s32(sum.part[i], vpaddq_s32(low, high));
  });
#elif defined(__SSE2__)
  return Parts<VecI32>([&](int i) {
    return sum.part[i] + (I32x4)_mm_madd_epi16((__m128i)a.part[i], (__m128i)b.part[i]);
  });
#else
  VecI32 products = SetI32(0);
  for (int i = 0; i < kParts; ++i) {
    for (int j = 0; j < 8; ++j) products.part[i][j / 2] += a.part[i][j] * b.part[i][j];
  }
  return Add(sum, products);
#endif
}

inline VecI16 LoadI8AsI16(const int8_t* p) {
  int16_t words[32];
  for (int i = 0; i < 32; ++i) words[i] = p[i];
  return Load(words);
}

inline void LoadI8Pairs(const int8_t* a, const int8_t* b, VecI16 (&out)[4]) {
  for (int v = 0; v < 4; ++v) {
    int16_t words[32];
    for (int i = 0; i < 16; ++i) {
      words[2 * i] = a[16 * v + i];
      words[2 * i + 1] = b[16 * v + i];
    }
    out[v] = Load(words);
  }
}

#endif

inline void LoadI8AsI16(const int8_t* p, VecI16 (&out)[2]) {
  out[0] = LoadI8AsI16(p);
  out[1] = LoadI8AsI16(p + 32);
}
inline void LoadI4AsI16(const uint8_t* p, VecI16 (&out)[2]) {
  int8_t bytes[64];
  Store(bytes, UnpackI4(LoadI4(p)));
  LoadI8AsI16(bytes, out);
}
inline void ArrangeI4(VecI16 (&)[2]) {}
inline void RestoreI8Pairs(VecI32 (&)[4]) {}
inline void LoadI4Pairs(const uint8_t* a, const uint8_t* b, VecI16 (&out)[4]) {
  int8_t first[64], second[64];
  Store(first, UnpackI4(LoadI4(a)));
  Store(second, UnpackI4(LoadI4(b)));
  LoadI8Pairs(first, second, out);
}
inline void RestoreI4Pairs(VecI32 (&)[4]) {}

#endif

}  // namespace anyacl::ANYACL_ISA
