// SPDX-License-Identifier: Apache-2.0
// The functions of the vector headers for fp64, and the questions that comparisons ask of every
// number: so that an element-wise operation is written once.
#pragma once

#include "ops/elementwise/kernel_numbers.h"
#include "simd/error_function.h"
#include "simd/rounding.h"
#include "simd/trigonometry.h"

// The C library's, which clang has no builtin of; <math.h> would bring inline functions in.
extern "C" double lgamma_r(double, int*) noexcept;

namespace anyacl::ANYACL_ISA {

inline double Floor(double a) { return __builtin_floor(a); }
inline double Ceil(double a) { return __builtin_ceil(a); }
inline double RoundEven(double a) { return __builtin_rint(a); }
inline double Trunc(double a) { return __builtin_trunc(a); }
inline double Fmod(double a, double b) { return __builtin_fmod(a, b); }
inline double Remainder(double a, double b) {
  const double r = Fmod(a, b);
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}
inline double FloorDivide(double a, double b) {
  if (b == 0) return a / b;
  const double r = Fmod(a, b);
  double quotient = (a - r) / b;
  if (r != 0 && (r < 0) != (b < 0)) quotient -= 1;
  if (quotient == 0) return __builtin_copysign(0.0, a / b);
  const double whole = Floor(quotient);
  return quotient - whole > 0.5 ? whole + 1 : whole;
}

inline double Exp2(double a) { return __builtin_exp2(a); }
inline double Expm1(double a) { return __builtin_expm1(a); }
inline double Log2(double a) { return __builtin_log2(a); }
inline double Log10(double a) { return __builtin_log10(a); }
inline double Log1p(double a) { return __builtin_log1p(a); }
inline double Tan(double a) { return __builtin_tan(a); }
inline double Sinc(double a) {
  if (a == 0) return 1;
  const double whole = RoundEven(a), r = a - whole;
  const double sine = Sin(0x1.921fb54442d18p+1 * r) / (0x1.921fb54442d18p+1 * a);
  return Fmod(whole, 2.0) == 0 ? sine : -sine;
}
inline double Asin(double a) { return __builtin_asin(a); }
inline double Acos(double a) { return __builtin_acos(a); }
inline double Atan(double a) { return __builtin_atan(a); }
inline double Atan2(double a, double b) { return __builtin_atan2(a, b); }
inline double Sinh(double a) { return __builtin_sinh(a); }
inline double Cosh(double a) { return __builtin_cosh(a); }
inline double Asinh(double a) { return __builtin_asinh(a); }
inline double Acosh(double a) { return __builtin_acosh(a); }
inline double Atanh(double a) { return __builtin_atanh(a); }
inline double Erf(double a) { return __builtin_erf(a); }
inline double Erfc(double a) { return __builtin_erfc(a); }
inline double LogAddExp(double a, double b) {
  if (a == b) return a + 0x1.62e42fefa39efp-1;
  return __builtin_fmax(a, b) + Log1p(Exp(-Abs(a - b)));
}
inline double LogAddExp2(double a, double b) {
  if (a == b) return a + 1;
  return __builtin_fmax(a, b) + 0x1.71547652b82fep+0 * Log1p(Exp2(-Abs(a - b)));
}
inline double Lgamma(double a) {
  int sign;
  return ::lgamma_r(a, &sign);
}
// The numbers below 0 reflected, those below 10 by recurrence from a series in 1 / a^2.
inline double Digamma(double a) {
  if (a == 0) return __builtin_copysign(__builtin_inf(), -a);
  double reflection = 0;
  if (a < 0) {
    const double fraction = a - RoundEven(a);
    if (fraction == 0) return __builtin_nan("");
    reflection = 0x1.921fb54442d18p+1 / Tan(0x1.921fb54442d18p+1 * fraction);
    a = 1 - a;
  }
  constexpr double kSeries[] = {1.0 / 12,  -691.0 / 32760, 1.0 / 132, -1.0 / 240,
                                1.0 / 252, -1.0 / 120,     1.0 / 12};
  const int steps = a < 10 ? static_cast<int>(11 - a) : 0;
  const double far = a + steps, y = 1 / (far * far);
  double series = 0;
  for (double factor : kSeries) series = series * y + factor;
  double sum = Log(far) - 0.5 / far - series * y;
  for (int i = steps - 1; i >= 0; --i) sum -= 1 / (a + i);
  return sum - reflection;
}
inline double Softplus(double a) { return (a > 0 ? a : 0.0) + Log1p(Exp(-Abs(a))); }
struct NormalNumbers {
  double function;
  double density;
};
inline NormalNumbers NormalOf(double a) {
  return {0.5 * Erfc(-0x1.6a09e667f3bcdp-1 * a), 0x1.9884533d43651p-2 * Exp(-0.5 * a * a)};
}
inline double GeluErf(double a) { return a < -40 ? -0.0 : a * NormalOf(a).function; }

// The infinity of a sign, 1 or -1.
inline Mask IsInfinite(VecF32 a, int sign) {
  return Equal(a, SetF32(static_cast<float>(sign) * __builtin_inff()));
}
template <Numeric N>
inline bool IsInfinite(N, int) {
  return false;
}
inline bool IsInfinite(double a, int sign) { return a == sign * __builtin_inf(); }
inline Mask IsFinite(VecF32 a) { return Less(Abs(a), SetF32(__builtin_inff())); }
template <Numeric N>
inline bool IsFinite(N) {
  return true;
}
inline bool IsFinite(double a) { return Abs(a) < __builtin_inf(); }
// -0 too.
inline Mask IsNegative(VecF32 a) { return Less(BitsOf(a), SetI32(0)); }
template <Numeric N>
inline bool IsNegative(N a) {
  return a < N{0};
}
inline bool IsNegative(double a) { return __builtin_signbit(a) != 0; }

}  // namespace anyacl::ANYACL_ISA
