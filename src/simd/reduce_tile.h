// SPDX-License-Identifier: Apache-2.0
// Sums across the lanes of several vectors at once.
#pragma once

#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {

#if defined(__AVX512BW__)

// Each level adds the halves of two vectors: half of each stays where it is (a blend, which any
// unit does), the others change places (one shuffle, of which there is one per cycle).
template <class Add>
[[gnu::always_inline]] inline __m512i ReduceTree(__m512i (&v)[16], const Add& add) {
  const __m512i parts = _mm512_setr_epi64(2, 3, 8, 9, 6, 7, 12, 13);
  const __m512i lanes =
      _mm512_setr_epi32(1, 16, 3, 18, 5, 20, 7, 22, 9, 24, 11, 26, 13, 28, 15, 30);
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) {
    const __m512i a = v[2 * i], b = v[2 * i + 1];
    v[i] = add(_mm512_mask_blend_epi64(0xf0, a, b), _mm512_shuffle_i64x2(a, b, 0x4e));
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    const __m512i a = v[2 * i], b = v[2 * i + 1];
    v[i] = add(_mm512_mask_blend_epi64(0xcc, a, b), _mm512_permutex2var_epi64(a, parts, b));
  }
#pragma GCC unroll 2
  for (int i = 0; i < 2; ++i) {
    const __m512i a = v[2 * i], b = v[2 * i + 1];
    v[i] = add(_mm512_mask_blend_epi64(0xaa, a, b),
               _mm512_castpd_si512(
                   _mm512_shuffle_pd(_mm512_castsi512_pd(a), _mm512_castsi512_pd(b), 0x55)));
  }
  const __m512i sums = add(_mm512_mask_blend_epi32(0xaaaa, v[0], v[1]),
                           _mm512_permutex2var_epi32(v[0], lanes, v[1]));
  // Lane i holds the sum of the vector whose number has the bits of i in reverse.
  const __m512i order = _mm512_setr_epi32(0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15);
  return _mm512_permutexvar_epi32(order, sums);
}

#endif

// Lane i is ReduceSum(v[i]), with the same bits; 0 from lane kCount on. 15 additions, 15 blends and
// 16 shuffles for 16 vectors, where one by one would take 64 additions and 64 shuffles.
template <int kCount>
inline VecF32 ReduceSums(const VecF32* v) {
  static_assert(kCount <= 16);
#if defined(__AVX512BW__)
  if constexpr (kCount == 16) {
    __m512i bits[16];
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) bits[i] = _mm512_castps_si512(v[i].raw);
    return {_mm512_castsi512_ps(ReduceTree(bits, [](__m512i a, __m512i b) {
      return _mm512_castps_si512(_mm512_add_ps(_mm512_castsi512_ps(a), _mm512_castsi512_ps(b)));
    }))};
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
    __m512i bits[16];
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) bits[i] = v[i].raw;
    return {ReduceTree(bits, [](__m512i a, __m512i b) { return _mm512_add_epi32(a, b); })};
  }
#endif
  int32_t sums[kLanes] = {};
#pragma GCC unroll 16
  for (int i = 0; i < kCount; ++i) sums[i] = ReduceSum(v[i]);
  return Load(sums);
}

}  // namespace anyacl::ANYACL_ISA
