// SPDX-License-Identifier: Apache-2.0
// Philox4x32-10 (base/philox.h) of sixteen counters at a time, and their words in order.
#pragma once

#include "base/philox.h"
#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {

// words[k]: word k of each lane's counter, the lowest first, and afterwards of its block.
[[gnu::always_inline]] inline void Philox(VecI32 (&words)[4], uint64_t key) {
  uint32_t key0 = static_cast<uint32_t>(key), key1 = static_cast<uint32_t>(key >> 32);
  const VecI32 factor0 = SetI32(static_cast<int32_t>(kPhiloxFactor0));
  const VecI32 factor1 = SetI32(static_cast<int32_t>(kPhiloxFactor1));
#pragma GCC unroll 10
  for (int round = 0; round < kPhiloxRounds; ++round) {
    const WideProduct a = MulWide(words[0], factor0), b = MulWide(words[2], factor1);
    words[0] = Xor(Xor(b.high, words[1]), SetI32(static_cast<int32_t>(key0)));
    words[1] = b.low;
    words[2] = Xor(Xor(a.high, words[3]), SetI32(static_cast<int32_t>(key1)));
    words[3] = a.low;
    key0 += kPhiloxKeyStep0;
    key1 += kPhiloxKeyStep1;
  }
}

// p[4 i + k] = lane i of words[k].
#if defined(__AVX512BW__)

[[gnu::always_inline]] inline void StoreInterleaved(int32_t* p, const VecI32 (&words)[4]) {
  // Squares of 4 x 4 within 128 bits: lane block l of square[j] is block 4 l + j.
  const __m512i low01 = _mm512_unpacklo_epi32(words[0].raw, words[1].raw);
  const __m512i high01 = _mm512_unpackhi_epi32(words[0].raw, words[1].raw);
  const __m512i low23 = _mm512_unpacklo_epi32(words[2].raw, words[3].raw);
  const __m512i high23 = _mm512_unpackhi_epi32(words[2].raw, words[3].raw);
  const __m512i square[4] = {
      _mm512_unpacklo_epi64(low01, low23), _mm512_unpackhi_epi64(low01, low23),
      _mm512_unpacklo_epi64(high01, high23), _mm512_unpackhi_epi64(high01, high23)};
  // Then the square of 4 x 4 of those parts.
  const __m512i even01 = _mm512_shuffle_i32x4(square[0], square[1], 0x88);
  const __m512i odd01 = _mm512_shuffle_i32x4(square[0], square[1], 0xdd);
  const __m512i even23 = _mm512_shuffle_i32x4(square[2], square[3], 0x88);
  const __m512i odd23 = _mm512_shuffle_i32x4(square[2], square[3], 0xdd);
  _mm512_storeu_si512(p, _mm512_shuffle_i32x4(even01, even23, 0x88));
  _mm512_storeu_si512(p + 16, _mm512_shuffle_i32x4(odd01, odd23, 0x88));
  _mm512_storeu_si512(p + 32, _mm512_shuffle_i32x4(even01, even23, 0xdd));
  _mm512_storeu_si512(p + 48, _mm512_shuffle_i32x4(odd01, odd23, 0xdd));
}

#else

[[gnu::always_inline]] inline void StoreInterleaved(int32_t* p, const VecI32 (&words)[4]) {
  typedef int32_t Four __attribute__((vector_size(16)));
  int32_t from[4][kLanes];
  for (int k = 0; k < 4; ++k) Store(from[k], words[k]);
  for (size_t i = 0; i < kLanes; i += 4) {
    Four rows[4];
    for (int k = 0; k < 4; ++k) __builtin_memcpy(&rows[k], &from[k][i], sizeof(Four));
    const Four low01 = __builtin_shufflevector(rows[0], rows[1], 0, 4, 1, 5);
    const Four high01 = __builtin_shufflevector(rows[0], rows[1], 2, 6, 3, 7);
    const Four low23 = __builtin_shufflevector(rows[2], rows[3], 0, 4, 1, 5);
    const Four high23 = __builtin_shufflevector(rows[2], rows[3], 2, 6, 3, 7);
    const Four blocks[4] = {__builtin_shufflevector(low01, low23, 0, 1, 4, 5),
                            __builtin_shufflevector(low01, low23, 2, 3, 6, 7),
                            __builtin_shufflevector(high01, high23, 0, 1, 4, 5),
                            __builtin_shufflevector(high01, high23, 2, 3, 6, 7)};
    __builtin_memcpy(p + 4 * i, blocks, sizeof(blocks));
  }
}

#endif

}  // namespace anyacl::ANYACL_ISA
