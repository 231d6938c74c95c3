// SPDX-License-Identifier: Apache-2.0
// Sums across the lanes of several vectors at once.
#pragma once

#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {

// Lane i is ReduceSum(v[i]), with the same bits; 0 from lane kCount on. 15 additions and 30
// shuffles for 16 vectors, where one by one would take 64 and 64.
template <int kCount>
inline VecF32 ReduceSums(const VecF32* v) {
  static_assert(kCount <= 16);
#if defined(__AVX512BW__)
  if constexpr (kCount == 16) {
    // Each level adds the upper half of what is left of a vector to the lower one, for two vectors.
    __m512 eight[8], four[4], two[2];
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) {
      const __m512 a = v[2 * i].raw, b = v[2 * i + 1].raw;
      eight[i] = _mm512_add_ps(_mm512_shuffle_f32x4(a, b, 0x44), _mm512_shuffle_f32x4(a, b, 0xee));
    }
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
      const __m512 a = eight[2 * i], b = eight[2 * i + 1];
      four[i] = _mm512_add_ps(_mm512_shuffle_f32x4(a, b, 0x88), _mm512_shuffle_f32x4(a, b, 0xdd));
    }
    // 128-bit part i of four[k] belongs to v[4k + i].
#pragma GCC unroll 2
    for (int i = 0; i < 2; ++i) {
      const __m512 a = four[2 * i], b = four[2 * i + 1];
      two[i] = _mm512_add_ps(_mm512_shuffle_ps(a, b, 0x44), _mm512_shuffle_ps(a, b, 0xee));
    }
    const __m512 one = _mm512_add_ps(_mm512_shuffle_ps(two[0], two[1], 0x88),
                                     _mm512_shuffle_ps(two[0], two[1], 0xdd));
    // Lane 4i + k holds v[4k + i].
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    return {_mm512_permutexvar_ps(order, one)};
  }
#endif
  float sums[kLanes] = {};
#pragma GCC unroll 16
  for (int i = 0; i < kCount; ++i) sums[i] = ReduceSum(v[i]);
  return Load(sums);
}

// The same for integers, modulo 2^32.
template <int kCount>
inline VecI32 ReduceSums(const VecI32* v) {
  static_assert(kCount <= 16);
#if defined(__AVX512BW__)
  if constexpr (kCount == 16) {
    __m512i eight[8], four[4], two[2];
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) {
      const __m512i a = v[2 * i].raw, b = v[2 * i + 1].raw;
      eight[i] = _mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
    }
    // In each 128 bits, lane k of four[i] belongs to v[4 i + 0, 1, 2, 3].
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
      const __m512i a = eight[2 * i], b = eight[2 * i + 1];
      four[i] = _mm512_add_epi32(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
    }
#pragma GCC unroll 2
    for (int i = 0; i < 2; ++i) {
      const __m512i a = four[2 * i], b = four[2 * i + 1];
      two[i] = _mm512_add_epi32(_mm512_shuffle_i32x4(a, b, 0x88), _mm512_shuffle_i32x4(a, b, 0xdd));
    }
    return {_mm512_add_epi32(_mm512_shuffle_i32x4(two[0], two[1], 0x88),
                             _mm512_shuffle_i32x4(two[0], two[1], 0xdd))};
  }
#endif
  int32_t sums[kLanes] = {};
#pragma GCC unroll 16
  for (int i = 0; i < kCount; ++i) sums[i] = ReduceSum(v[i]);
  return Load(sums);
}

}  // namespace anyacl::ANYACL_ISA
