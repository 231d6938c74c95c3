// SPDX-License-Identifier: Apache-2.0
// The operations of simd.h for single numbers of other forms than fp32, so that an element-wise
// operation is written once. Integers wrap around.
#pragma once

#include "simd/elementary.h"

namespace anyacl::ANYACL_ISA {

template <class N>
constexpr bool kIsNumber = __is_same(N, double) || __is_same(N, int32_t) || __is_same(N, int64_t) ||
                           __is_same(N, uint64_t);
template <class N>
concept Numeric = kIsNumber<N>;

// The type whose arithmetic wraps.
template <class N>
struct Wrapping {
  using Type = N;
};
template <>
struct Wrapping<int32_t> {
  using Type = uint32_t;
};
template <>
struct Wrapping<int64_t> {
  using Type = uint64_t;
};
template <Numeric N>
inline typename Wrapping<N>::Type Wrap(N a) {
  return static_cast<typename Wrapping<N>::Type>(a);
}

template <Numeric N>
inline N Add(N a, N b) {
  return static_cast<N>(Wrap(a) + Wrap(b));
}
template <Numeric N>
inline N Sub(N a, N b) {
  return static_cast<N>(Wrap(a) - Wrap(b));
}
template <Numeric N>
inline N Mul(N a, N b) {
  return static_cast<N>(Wrap(a) * Wrap(b));
}
inline double Div(double a, double b) { return a / b; }
template <Numeric N>
inline N Fma(N a, N b, N c) {
  return Add(Mul(a, b), c);
}
template <Numeric N>
inline N Neg(N a) {
  return static_cast<N>(-Wrap(a));
}
template <Numeric N>
inline N Abs(N a) {
  return a < N{0} ? Neg(a) : a;
}
inline double Abs(double a) { return __builtin_fabs(a); }
template <Numeric N>
inline N Max(N a, N b) {
  return a > b ? a : b;
}
template <Numeric N>
inline N Min(N a, N b) {
  return a < b ? a : b;
}
template <Numeric N>
inline bool Less(N a, N b) {
  return a < b;
}
template <Numeric N>
inline bool LessEqual(N a, N b) {
  return a <= b;
}
template <Numeric N>
inline bool Equal(N a, N b) {
  return a == b;
}
inline bool And(bool a, bool b) { return a && b; }
inline bool Or(bool a, bool b) { return a || b; }
inline bool Not(bool a) { return !a; }
template <Numeric N>
inline N Select(bool yes, N a, N b) {
  return yes ? a : b;
}

// A number in a vector, or itself.
template <class V>
inline V Constant(double number) {
  return static_cast<V>(number);
}
template <>
inline VecF32 Constant<VecF32>(double number) {
  return SetF32(static_cast<float>(number));
}

inline double Sqrt(double a) { return __builtin_sqrt(a); }
inline double Exp(double a) { return __builtin_exp(a); }
inline double Log(double a) { return __builtin_log(a); }
inline double Sin(double a) { return __builtin_sin(a); }
inline double Cos(double a) { return __builtin_cos(a); }
inline double Tanh(double a) { return __builtin_tanh(a); }
inline double Sigmoid(double a) { return 1 / (1 + __builtin_exp(-a)); }
inline double Silu(double a) { return a == -__builtin_inf() ? -0.0 : a / (1 + __builtin_exp(-a)); }
inline double GeluTanh(double a) {
  const double u = 0x1.9884533d43651p-1 * (a + 0.044715 * a * a * a);
  return 0.5 * a * (1 + __builtin_tanh(u));
}
inline double Pow(double a, double b) { return __builtin_pow(a, b); }
// By squaring; negative exponents leave what is left of 1 / a^-b: 1 and -1 only.
template <Numeric N>
inline N Pow(N a, N b) {
  if (b < N{0}) {
    if (a == N{1}) return 1;
    if (a == N{-1}) return (b & 1) != 0 ? N{-1} : N{1};
    return 0;
  }
  N power = 1;
  for (N base = a; b > N{0}; b = static_cast<N>(b >> 1), base = Mul(base, base)) {
    if ((b & 1) != 0) power = Mul(power, base);
  }
  return power;
}

}  // namespace anyacl::ANYACL_ISA
