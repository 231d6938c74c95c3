// SPDX-License-Identifier: Apache-2.0
// As many doubles as a register has, and the fp32 numbers that they come from and become.
//   Transpose(v)   of a square: lane j of vector i to lane i of vector j
#pragma once

#include <stdint.h>

#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {

#if defined(__AVX512F__)
inline constexpr int64_t kDoubles = 8;
#elif defined(__AVX__)
inline constexpr int64_t kDoubles = 4;
#else
inline constexpr int64_t kDoubles = 2;
#endif

using VecF64 [[gnu::vector_size(8 * kDoubles)]] = double;
using MaskF64 [[gnu::vector_size(8 * kDoubles)]] = int64_t;
using HalfF32 [[gnu::vector_size(4 * kDoubles)]] = float;
using HalfI32 [[gnu::vector_size(4 * kDoubles)]] = int32_t;

inline VecF64 LoadDoubles(const float* p) {
  HalfF32 v;
  __builtin_memcpy(&v, p, sizeof(v));
  return __builtin_convertvector(v, VecF64);
}
inline VecF64 LoadDoubles(const double* p) {
  VecF64 v;
  __builtin_memcpy(&v, p, sizeof(v));
  return v;
}
inline void StoreDoubles(double* p, const VecF64& v) { __builtin_memcpy(p, &v, sizeof(v)); }

inline VecF64 Where(MaskF64 mask, VecF64 a, VecF64 b) { return mask ? a : b; }
inline VecF64 Magnitude(VecF64 v) {
  return reinterpret_cast<VecF64>(reinterpret_cast<MaskF64>(v) & (MaskF64{} + INT64_MAX));
}
// Rounded to nearest even.
inline VecF64 Sqrt(VecF64 v) {
#if defined(__AVX512F__)
  return _mm512_sqrt_pd(v);
#elif defined(__AVX__)
  return _mm256_sqrt_pd(v);
#elif defined(__SSE2__)
  return _mm_sqrt_pd(v);
#else
  for (int64_t i = 0; i < kDoubles; ++i) v[i] = __builtin_sqrt(v[i]);
  return v;
#endif
}

[[gnu::always_inline]] inline void Transpose(VecF64 (&v)[kDoubles]) {
#if defined(__AVX512F__)
  __m512d a[8];
#pragma GCC unroll 4
  for (int i = 0; i < 8; i += 2) {
    a[i] = _mm512_unpacklo_pd(v[i], v[i + 1]);
    a[i + 1] = _mm512_unpackhi_pd(v[i], v[i + 1]);
  }
  // a[2 g + j]: lanes j, 2 + j, 4 + j, 6 + j of vectors 2 g and 2 g + 1. The 128-bit parts remain.
#pragma GCC unroll 2
  for (int j = 0; j < 2; ++j) {
    const __m512d low01 = _mm512_shuffle_f64x2(a[j], a[2 + j], 0x88);
    const __m512d high01 = _mm512_shuffle_f64x2(a[j], a[2 + j], 0xdd);
    const __m512d low23 = _mm512_shuffle_f64x2(a[4 + j], a[6 + j], 0x88);
    const __m512d high23 = _mm512_shuffle_f64x2(a[4 + j], a[6 + j], 0xdd);
    v[j] = _mm512_shuffle_f64x2(low01, low23, 0x88);
    v[2 + j] = _mm512_shuffle_f64x2(high01, high23, 0x88);
    v[4 + j] = _mm512_shuffle_f64x2(low01, low23, 0xdd);
    v[6 + j] = _mm512_shuffle_f64x2(high01, high23, 0xdd);
  }
#elif defined(__AVX__)
  const __m256d low01 = _mm256_unpacklo_pd(v[0], v[1]), high01 = _mm256_unpackhi_pd(v[0], v[1]);
  const __m256d low23 = _mm256_unpacklo_pd(v[2], v[3]), high23 = _mm256_unpackhi_pd(v[2], v[3]);
  v[0] = _mm256_permute2f128_pd(low01, low23, 0x20);
  v[1] = _mm256_permute2f128_pd(high01, high23, 0x20);
  v[2] = _mm256_permute2f128_pd(low01, low23, 0x31);
  v[3] = _mm256_permute2f128_pd(high01, high23, 0x31);
#else
  const VecF64 low = __builtin_shufflevector(v[0], v[1], 0, 2);
  v[1] = __builtin_shufflevector(v[0], v[1], 1, 3);
  v[0] = low;
#endif
}

// Rounded to nearest even.
inline void StoreFloats(float* p, const VecF64& v) {
  const HalfF32 near = __builtin_convertvector(v, HalfF32);
  __builtin_memcpy(p, &near, sizeof(near));
}

// Rounded to odd: rounding those to 16 bits is rounding the doubles, since fp32 has two bits more
// than either type needs, denormals included.
inline void StoreFloatsToOdd(float* p, const VecF64& v) {
  const HalfF32 near = __builtin_convertvector(v, HalfF32);
  const VecF64 back = __builtin_convertvector(near, VecF64);
  const auto away = Magnitude(back) > Magnitude(v);
  const auto inexact = back != v;
  // Masks are -1: what is too large loses its last bit, then the last bit is set.
  const HalfI32 bits = reinterpret_cast<HalfI32>(near) + __builtin_convertvector(away, HalfI32);
  const HalfI32 odd = bits | (__builtin_convertvector(inexact, HalfI32) & 1);
  __builtin_memcpy(p, &odd, sizeof(odd));
}

}  // namespace anyacl::ANYACL_ISA
