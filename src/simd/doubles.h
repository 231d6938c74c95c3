// SPDX-License-Identifier: Apache-2.0
// As many doubles as a register has, and the fp32 numbers that they come from and become.
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
