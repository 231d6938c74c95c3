// SPDX-License-Identifier: Apache-2.0
// Packed 4-bit numbers as floats.
#pragma once

#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {

// 64 numbers from 32 bytes, 16 to each of out[0] to out[3].
[[gnu::always_inline]] inline void LoadI4AsF32(const uint8_t* p, VecF32 (&out)[4]) {
#if defined(__AVX512BW__)
  // Lane i wants nibble i of two neighbouring words: the words are spread over 8 lanes each and
  // shifted, and the low four bits of a lane, all that the last instruction looks at, pick a float.
  const __m512i shifts =
      _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 0, 4, 8, 12, 16, 20, 24, 28);
  const __m512 numbers = _mm512_setr_ps(0, 1, 2, 3, 4, 5, 6, 7, -8, -7, -6, -5, -4, -3, -2, -1);
  const __m512i words =
      _mm512_castsi256_si512(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
  const __m512i first = _mm512_setr_epi32(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    const __m512i pick = _mm512_add_epi32(first, _mm512_set1_epi32(2 * i));
    const __m512i nibbles = _mm512_srlv_epi32(_mm512_permutexvar_epi32(pick, words), shifts);
    out[i] = {_mm512_permutexvar_ps(nibbles, numbers)};
  }
#else
  const VecI8 bytes = UnpackI4(LoadI4(p));
  out[0] = ToF32(Widen<0>(bytes));
  out[1] = ToF32(Widen<1>(bytes));
  out[2] = ToF32(Widen<2>(bytes));
  out[3] = ToF32(Widen<3>(bytes));
#endif
}

}  // namespace anyacl::ANYACL_ISA
