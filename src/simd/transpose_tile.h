// SPDX-License-Identifier: Apache-2.0
// Squares of 32-bit lanes, lane j of vector i to lane i of vector j:
//   Transpose(v)                      of sixteen vectors
//   StoreTurned(v, count, to, step)   of eight: the first `count` of 16 rows of eight lanes, each
//                                     `step` lanes behind the one before, which it may overlap
#pragma once

#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {

#if defined(__AVX2__)

// Row i of eight lanes becomes column i.
[[gnu::always_inline]] inline void TransposeEight(__m256i (&v)[8]) {
  __m256i a[8], b[8];
#pragma GCC unroll 4
  for (int i = 0; i < 8; i += 2) {
    a[i] = _mm256_unpacklo_epi32(v[i], v[i + 1]);
    a[i + 1] = _mm256_unpackhi_epi32(v[i], v[i + 1]);
  }
#pragma GCC unroll 2
  for (int i = 0; i < 8; i += 4) {
    b[i] = _mm256_unpacklo_epi64(a[i], a[i + 2]);
    b[i + 1] = _mm256_unpackhi_epi64(a[i], a[i + 2]);
    b[i + 2] = _mm256_unpacklo_epi64(a[i + 1], a[i + 3]);
    b[i + 3] = _mm256_unpackhi_epi64(a[i + 1], a[i + 3]);
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    v[i] = _mm256_permute2x128_si256(b[i], b[4 + i], 0x20);
    v[4 + i] = _mm256_permute2x128_si256(b[i], b[4 + i], 0x31);
  }
}

#endif

#if defined(__AVX512BW__)

[[gnu::always_inline]] inline void Transpose(VecI32 (&v)[16]) {
  __m512i a[16], b[16];
  // Squares of 2 x 2 within 128 bits, then of 4 x 4.
#pragma GCC unroll 8
  for (int i = 0; i < 16; i += 2) {
    a[i] = _mm512_unpacklo_epi32(v[i].raw, v[i + 1].raw);
    a[i + 1] = _mm512_unpackhi_epi32(v[i].raw, v[i + 1].raw);
  }
#pragma GCC unroll 4
  for (int i = 0; i < 16; i += 4) {
    b[i] = _mm512_unpacklo_epi64(a[i], a[i + 2]);
    b[i + 1] = _mm512_unpackhi_epi64(a[i], a[i + 2]);
    b[i + 2] = _mm512_unpacklo_epi64(a[i + 1], a[i + 3]);
    b[i + 3] = _mm512_unpackhi_epi64(a[i + 1], a[i + 3]);
  }
  // b[4 g + j]: lanes j, 4 + j, 8 + j, 12 + j of vectors 4 g to 4 g + 3. The 128-bit parts remain.
#pragma GCC unroll 4
  for (int j = 0; j < 4; ++j) {
    const __m512i low01 = _mm512_shuffle_i32x4(b[j], b[4 + j], 0x88);
    const __m512i high01 = _mm512_shuffle_i32x4(b[j], b[4 + j], 0xdd);
    const __m512i low23 = _mm512_shuffle_i32x4(b[8 + j], b[12 + j], 0x88);
    const __m512i high23 = _mm512_shuffle_i32x4(b[8 + j], b[12 + j], 0xdd);
    v[j] = {_mm512_shuffle_i32x4(low01, low23, 0x88)};
    v[8 + j] = {_mm512_shuffle_i32x4(low01, low23, 0xdd)};
    v[4 + j] = {_mm512_shuffle_i32x4(high01, high23, 0x88)};
    v[12 + j] = {_mm512_shuffle_i32x4(high01, high23, 0xdd)};
  }
}

#elif defined(__AVX2__)

[[gnu::always_inline]] inline void Transpose(VecI32 (&v)[16]) {
  __m256i square[2][2][8];  // by eight vectors and by eight of their lanes
#pragma GCC unroll 2
  for (int i = 0; i < 2; ++i) {
#pragma GCC unroll 8
    for (int j = 0; j < 8; ++j) {
      square[i][0][j] = v[8 * i + j].lo;
      square[i][1][j] = v[8 * i + j].hi;
    }
    TransposeEight(square[i][0]);
    TransposeEight(square[i][1]);
  }
#pragma GCC unroll 2
  for (int i = 0; i < 2; ++i) {
#pragma GCC unroll 8
    for (int j = 0; j < 8; ++j) v[8 * i + j] = {square[0][i][j], square[1][i][j]};
  }
}

#else

inline void Transpose(VecI32 (&v)[16]) {
  typedef int32_t Four __attribute__((vector_size(16)));
  int32_t from[16][16], to[16][16];
  for (int i = 0; i < 16; ++i) Store(from[i], v[i]);
  for (int i = 0; i < 16; i += 4) {
    for (int j = 0; j < 16; j += 4) {
      Four rows[4];
      for (int r = 0; r < 4; ++r) __builtin_memcpy(&rows[r], &from[i + r][j], sizeof(Four));
      const Four low01 = __builtin_shufflevector(rows[0], rows[1], 0, 4, 1, 5);
      const Four high01 = __builtin_shufflevector(rows[0], rows[1], 2, 6, 3, 7);
      const Four low23 = __builtin_shufflevector(rows[2], rows[3], 0, 4, 1, 5);
      const Four high23 = __builtin_shufflevector(rows[2], rows[3], 2, 6, 3, 7);
      const Four columns[4] = {__builtin_shufflevector(low01, low23, 0, 1, 4, 5),
                               __builtin_shufflevector(low01, low23, 2, 3, 6, 7),
                               __builtin_shufflevector(high01, high23, 0, 1, 4, 5),
                               __builtin_shufflevector(high01, high23, 2, 3, 6, 7)};
      for (int r = 0; r < 4; ++r) __builtin_memcpy(&to[j + r][i], &columns[r], sizeof(Four));
    }
  }
  for (int i = 0; i < 16; ++i) v[i] = Load(to[i]);
}

inline void StoreTurned(const VecI32 (&v)[8], int64_t count, int32_t* to, int64_t step) {
  int32_t from[8][16];
  for (int i = 0; i < 8; ++i) Store(from[i], v[i]);
  for (int64_t j = 0; j < count; ++j) {
    int32_t row[8];
    for (int i = 0; i < 8; ++i) row[i] = from[i][j];
    __builtin_memcpy(to + j * step, row, sizeof(row));
  }
}

#endif

#if defined(__AVX2__)

#if defined(__AVX512BW__)
inline __m256i LowHalf(VecI32 v) { return _mm512_castsi512_si256(v.raw); }
inline __m256i HighHalf(VecI32 v) { return _mm512_extracti64x4_epi64(v.raw, 1); }
#else
inline __m256i LowHalf(VecI32 v) { return v.lo; }
inline __m256i HighHalf(VecI32 v) { return v.hi; }
#endif

[[gnu::always_inline]] inline void StoreTurned(const VecI32 (&v)[8], int64_t count, int32_t* to,
                                               int64_t step) {
#pragma GCC unroll 2
  for (int half = 0; half < 2; ++half) {
    __m256i square[8];
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) square[i] = half == 0 ? LowHalf(v[i]) : HighHalf(v[i]);
    TransposeEight(square);
    const int64_t rows = count - 8 * half;
    if (rows >= 8) {
#pragma GCC unroll 8
      for (int i = 0; i < 8; ++i) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + (8 * half + i) * step), square[i]);
      }
    } else {
      for (int i = 0; i < rows; ++i) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + (8 * half + i) * step), square[i]);
      }
    }
  }
}

#endif

}  // namespace anyacl::ANYACL_ISA
