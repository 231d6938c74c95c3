// SPDX-License-Identifier: Apache-2.0
// Rounding and division with remainder of integers. A quotient by 0 is 0, so that the remainder is
// the dividend, as the documents say; nothing traps.
#pragma once

#include "ops/elementwise/kernel_numbers.h"

namespace anyacl::ANYACL_ISA {

template <class N>
constexpr bool kIsInteger = kIsNumber<N> && !__is_same(N, double);
template <class N>
concept Integral = kIsInteger<N>;

template <Integral N>
inline N Floor(N a) {
  return a;
}
template <Integral N>
inline N Ceil(N a) {
  return a;
}
template <Integral N>
inline N RoundEven(N a) {
  return a;
}
template <Integral N>
inline N Trunc(N a) {
  return a;
}
// Of the least number by -1, itself.
template <Integral N>
inline N Quotient(N a, N b) {
  if (b == 0) return 0;
  return b == -1 ? Neg(a) : static_cast<N>(a / b);
}
template <Integral N>
inline N Fmod(N a, N b) {
  if (b == 0) return a;
  return b == -1 ? N{0} : static_cast<N>(a % b);
}
template <Integral N>
inline N Remainder(N a, N b) {
  const N r = Fmod(a, b);
  return b != 0 && r != 0 && (r < 0) != (b < 0) ? static_cast<N>(r + b) : r;
}
template <Integral N>
inline N FloorDivide(N a, N b) {
  const N quotient = Quotient(a, b);
  return b != 0 && Fmod(a, b) != 0 && (a < 0) != (b < 0) ? static_cast<N>(quotient - 1) : quotient;
}
// Of magnitudes, which may be 2^31 or 2^63.
template <Integral N>
inline N Gcd(N a, N b) {
  auto x = Wrap(Abs(a)), y = Wrap(Abs(b));
  while (y != 0) {
    const auto r = x % y;
    x = y;
    y = r;
  }
  return static_cast<N>(x);
}

}  // namespace anyacl::ANYACL_ISA
