// SPDX-License-Identifier: Apache-2.0
// a * b + c, rounded once, for machines that have no instruction for it. A vector has kParts of
// four lanes.
#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>
#endif
#include <stdint.h>

namespace anyacl::ANYACL_ISA {

inline constexpr int kParts = 4;

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
inline F32x4 FmaOfPairs(F32x4 a, F32x4 b, F32x4 c) {
  const auto half = [](int at, const F32x4& of) { return F32x2{of[at], of[at + 1]}; };
  const F32x2 low = FmaPair(half(0, a), half(0, b), half(0, c));
  const F32x2 high = FmaPair(half(2, a), half(2, b), half(2, c));
  return F32x4{low[0], low[1], high[0], high[1]};
}

#if defined(__SSE2__)
// Products that float has all bits of, as fp16's, bf16's and small integers' are, need no double: a
// fifth of the time. False where a factor has more than 12 bits, or a product leaves the range.
template <class Vec>
inline bool ExactProducts(const Vec& a, const Vec& b, Vec* products) {
  I32x4 bits = {};
  for (int i = 0; i < kParts; ++i) bits |= (I32x4)a.part[i] | (I32x4)b.part[i];
  const __m128i further = _mm_slli_epi32((__m128i)bits, 20);
  if (_mm_movemask_epi8(_mm_cmpeq_epi32(further, _mm_setzero_si128())) != 0xffff) return false;
  I32x4 outside = {};
  for (int i = 0; i < kParts; ++i) {
    products->part[i] = a.part[i] * b.part[i];
    const I32x4 above_least = ((I32x4)products->part[i] & 0x7fffffff) - 0x00800000;
    const I32x4 zero = (I32x4)(a.part[i] == 0) | (I32x4)(b.part[i] == 0);
    outside |= (above_least & ~zero) | (0x7effffff - above_least);
  }
  return _mm_movemask_ps((__m128)outside) == 0;
}

// The sums of four lanes in double, rounded to float. Where rounding twice may not be rounding
// once, bits of *doubt are set: where the sum in double is just between two floats, or less than
// the least normal one, which zero may be.
inline F32x4 FmaRoundedTwice(__m128 a, __m128 b, __m128 c, __m128i* doubt) {
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
  *doubt = _mm_or_si128(*doubt, _mm_or_si128(between, small));
  return (F32x4)_mm_movelh_ps(_mm_cvtpd_ps(low), _mm_cvtpd_ps(high));
}
#endif

// A branch for all parts of a vector: for each it took as long again, or twice.
template <class Vec>
inline Vec EmulatedFma(const Vec& a, const Vec& b, const Vec& c) {
  Vec result;
#if defined(__SSE2__)
  if (ExactProducts(a, b, &result)) {
    for (int i = 0; i < kParts; ++i) result.part[i] += c.part[i];
    return result;
  }
  __m128i doubt = {};
  for (int i = 0; i < kParts; ++i) {
    result.part[i] = FmaRoundedTwice(a.part[i], b.part[i], c.part[i], &doubt);
  }
  if (_mm_movemask_epi8(doubt) == 0) return result;
#endif
  for (int i = 0; i < kParts; ++i) result.part[i] = FmaOfPairs(a.part[i], b.part[i], c.part[i]);
  return result;
}

}  // namespace anyacl::ANYACL_ISA
