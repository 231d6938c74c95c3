// SPDX-License-Identifier: Apache-2.0
// Integers of which several share a 32-bit lane, as floats.
#pragma once

#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {

// The number that the upper kBits of a lane are.
template <int kBits>
[[gnu::always_inline]] inline VecI32 SignExtended(VecI32 a) {
#if defined(__AVX512BW__)
  return {_mm512_srai_epi32(a.raw, 32 - kBits)};
#else
  const VecI32 sign = SetI32(1 << (kBits - 1));
  return Sub(Xor(ShiftRight<32 - kBits>(a), sign), sign);
#endif
}

// Number kPlace of the eight in each lane.
template <int kPlace>
[[gnu::always_inline]] inline VecF32 I4AsF32(VecI32 eights) {
#if defined(__AVX512BW__)
  const __m512 numbers = _mm512_setr_ps(0, 1, 2, 3, 4, 5, 6, 7, -8, -7, -6, -5, -4, -3, -2, -1);
  return {_mm512_permutexvar_ps(_mm512_srli_epi32(eights.raw, 4 * kPlace), numbers)};
#else
  return ToF32(SignExtended<4>(ShiftLeft<28 - 4 * kPlace>(eights)));
#endif
}

// Byte kPlace of the four in each lane.
template <int kPlace>
[[gnu::always_inline]] inline VecF32 I8AsF32(VecI32 fours) {
  return ToF32(SignExtended<8>(ShiftLeft<24 - 8 * kPlace>(fours)));
}

}  // namespace anyacl::ANYACL_ISA
