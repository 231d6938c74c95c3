// SPDX-License-Identifier: Apache-2.0
// Loads for loops that do little else than to load and store: LoadSplit(p) is Load(p),
// LoadFp16Split(p) is LoadFp16(p).
#pragma once

#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {

#if defined(__AVX512BW__)

// Where two arrays begin a cache line apart, modulo 4 KiB, as those of many allocators do, Zen 4
// lets loads of a whole line wait for stores to the other one: 6.6 instead of 4.4 us for 65536
// sums.
inline VecF32 LoadSplit(const float* p) {
  __m256 low = _mm256_loadu_ps(p), high = _mm256_loadu_ps(p + 8);
  asm("" : "+v"(low), "+v"(high));  // which the compiler would join to one load
  return {_mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1)};
}

// Two conversions to 256 bits and an insertion take less than one to 512.
inline VecF32 LoadFp16Split(const uint16_t* p) {
  const auto* halves = reinterpret_cast<const __m128i*>(p);
  return {_mm512_insertf32x8(_mm512_castps256_ps512(_mm256_cvtph_ps(_mm_loadu_si128(halves))),
                             _mm256_cvtph_ps(_mm_loadu_si128(halves + 1)), 1)};
}

#else

inline VecF32 LoadSplit(const float* p) { return Load(p); }
inline VecF32 LoadFp16Split(const uint16_t* p) { return LoadFp16(p); }

#endif

}  // namespace anyacl::ANYACL_ISA
