// SPDX-License-Identifier: Apache-2.0
// a * b + c of four lanes, rounded once, for machines that have no instruction for it.
#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>
#endif
#include <stdint.h>

namespace anyacl::ANYACL_ISA {

typedef float F32x2 __attribute__((vector_size(8)));
typedef float F32x4 __attribute__((vector_size(16)));
typedef double F64x2 __attribute__((vector_size(16)));
typedef int32_t I32x4 __attribute__((vector_size(16)));
typedef int64_t I64x2 __attribute__((vector_size(16)));

// In double the product is exact, and the sum, rounded to odd (Boldo and Melquiond 2008: set the
// last bit if anything was lost), has more than the two extra bits that the final rounding to float
// needs. About 15 operations.
inline F32x2 FmaPair(F32x2 a, F32x2 b, F32x2 c) {
  const F64x2 product = __builtin_convertvector(a, F64x2) * __builtin_convertvector(b, F64x2);
  const F64x2 addend = __builtin_convertvector(c, F64x2);
  const F64x2 sum = product + addend;
  // Knuth's error of the sum; NaN, so neither above nor below, if something is not finite.
  const F64x2 part = sum - product;
  const F64x2 error = (product - (sum - part)) + (addend - part);
  const F64x2 zero = {};
  const I64x2 above = error > zero, below = error<zero, positive = sum> zero;
  const I64x2 bits = (I64x2)sum;
  const I64x2 even = (bits & 1) - 1;
  // Away from zero if the error has the sum's sign, else towards it.
  const I64x2 step = (above ^ positive) | 1;
  return __builtin_convertvector((F64x2)(bits + (step & even & (above | below))), F32x2);
}
#if defined(__SSE2__)
// Four lanes in a third of that time, where rounding twice is rounding once: where the sum in
// double is neither just between two floats nor less than the least normal one, which zero may be.
inline bool FmaRoundedTwice(__m128 a, __m128 b, __m128 c, F32x4* to) {
  const auto sum = [](__m128 x, __m128 y, __m128 z) {
    return _mm_add_pd(_mm_mul_pd(_mm_cvtps_pd(x), _mm_cvtps_pd(y)), _mm_cvtps_pd(z));
  };
  const __m128d low = sum(a, b, c);
  const __m128d high = sum(_mm_movehl_ps(a, a), _mm_movehl_ps(b, b), _mm_movehl_ps(c, c));
  const __m128i lower = (__m128i)_mm_shuffle_ps((__m128)low, (__m128)high, 0x88);
  const __m128i upper = _mm_and_si128((__m128i)_mm_shuffle_ps((__m128)low, (__m128)high, 0xdd),
                                      _mm_set1_epi32(0x7fffffff));
  // Of 52 bits float drops 29.
  const __m128i between =
      _mm_cmpeq_epi32(_mm_and_si128(lower, _mm_set1_epi32(0x1fffffff)), _mm_set1_epi32(0x10000000));
  const __m128i small = _mm_and_si128(_mm_cmpgt_epi32(upper, _mm_setzero_si128()),
                                      _mm_cmpgt_epi32(_mm_set1_epi32((1023 - 126) << 20), upper));
  if (_mm_movemask_epi8(_mm_or_si128(between, small)) != 0) return false;
  *to = (F32x4)_mm_movelh_ps(_mm_cvtpd_ps(low), _mm_cvtpd_ps(high));
  return true;
}
#endif

inline F32x4 EmulatedFma(F32x4 a, F32x4 b, F32x4 c) {
#if defined(__SSE2__)
  F32x4 quick;
  if (FmaRoundedTwice(a, b, c, &quick)) return quick;
#endif
  const auto half = [](int at, const F32x4& of) { return F32x2{of[at], of[at + 1]}; };
  const F32x2 low = FmaPair(half(0, a), half(0, b), half(0, c));
  const F32x2 high = FmaPair(half(2, a), half(2, b), half(2, c));
  return F32x4{low[0], low[1], high[0], high[1]};
}

}  // namespace anyacl::ANYACL_ISA
