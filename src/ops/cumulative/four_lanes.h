// SPDX-License-Identifier: Apache-2.0
// Four running sums in double of numbers in fp32, which are rounded to odd: rounding those to 16
// bits is rounding the doubles, since fp32 has two bits more than either needs, denormals included.
#pragma once

#include "base/half.h"

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace anyacl::cumulative {

// The next number of one sum or product; the result, rounded to odd.
template <bool kProduct>
float AddAndRound(float number, double* sum) {
  const auto x = static_cast<double>(number);
  *sum = kProduct ? *sum * x : *sum + x;
  return FloatRoundedToOdd(*sum);
}

#if defined(__x86_64__)

using FourFloats = __m128;
struct FourDoubles {
  __m128d low, high;
};

inline FourFloats LoadFour(const float* p) { return _mm_loadu_ps(p); }
inline void StoreFour(float* p, FourFloats v) { _mm_storeu_ps(p, v); }
inline FourDoubles LoadFour(const double* p) { return {_mm_loadu_pd(p), _mm_loadu_pd(p + 2)}; }
inline void StoreFour(double* p, const FourDoubles& v) {
  _mm_storeu_pd(p, v.low);
  _mm_storeu_pd(p + 2, v.high);
}

inline void Transpose(FourFloats (&v)[4]) { _MM_TRANSPOSE4_PS(v[0], v[1], v[2], v[3]); }

// 2^20 sums of 16 bits take 1.4 ms in one thread, one after the other 3.1.
template <bool kProduct>
FourFloats AddAndRound(FourFloats numbers, FourDoubles* sums) {
  const __m128d x = _mm_cvtps_pd(numbers);
  const __m128d y = _mm_cvtps_pd(_mm_movehl_ps(numbers, numbers));
  const __m128d a = kProduct ? _mm_mul_pd(sums->low, x) : _mm_add_pd(sums->low, x);
  const __m128d b = kProduct ? _mm_mul_pd(sums->high, y) : _mm_add_pd(sums->high, y);
  *sums = {a, b};
  const __m128 near_a = _mm_cvtpd_ps(a), near_b = _mm_cvtpd_ps(b);
  const __m128d back_a = _mm_cvtps_pd(near_a), back_b = _mm_cvtps_pd(near_b);
  const auto both = [](__m128d low, __m128d high) {  // masks of 64 bits as such of 32
    const __m128 mask = _mm_shuffle_ps(_mm_castpd_ps(low), _mm_castpd_ps(high), 0x88);
    return _mm_castps_si128(mask);
  };
  const __m128d sign = _mm_set1_pd(-0.0);
  const __m128i away = both(_mm_cmpgt_pd(_mm_andnot_pd(sign, back_a), _mm_andnot_pd(sign, a)),
                            _mm_cmpgt_pd(_mm_andnot_pd(sign, back_b), _mm_andnot_pd(sign, b)));
  const __m128i inexact = both(_mm_cmpneq_pd(back_a, a), _mm_cmpneq_pd(back_b, b));
  const __m128i odd = _mm_srli_epi32(inexact, 31);
  const __m128i nearest = _mm_castps_si128(_mm_movelh_ps(near_a, near_b));
  return _mm_castsi128_ps(_mm_or_si128(_mm_add_epi32(nearest, away), odd));
}

#else

struct FourFloats {
  float lanes[4];
};
struct FourDoubles {
  double lanes[4];
};

inline FourFloats LoadFour(const float* p) { return {{p[0], p[1], p[2], p[3]}}; }
inline void StoreFour(float* p, const FourFloats& v) {
  for (int i = 0; i < 4; ++i) p[i] = v.lanes[i];
}
inline FourDoubles LoadFour(const double* p) { return {{p[0], p[1], p[2], p[3]}}; }
inline void StoreFour(double* p, const FourDoubles& v) {
  for (int i = 0; i < 4; ++i) p[i] = v.lanes[i];
}

inline void Transpose(FourFloats (&v)[4]) {
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < i; ++j) {
      const float other = v[i].lanes[j];
      v[i].lanes[j] = v[j].lanes[i];
      v[j].lanes[i] = other;
    }
  }
}

template <bool kProduct>
FourFloats AddAndRound(FourFloats numbers, FourDoubles* sums) {
  for (int i = 0; i < 4; ++i) {
    numbers.lanes[i] = AddAndRound<kProduct>(numbers.lanes[i], &sums->lanes[i]);
  }
  return numbers;
}

#endif

}  // namespace anyacl::cumulative
