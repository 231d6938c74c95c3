// SPDX-License-Identifier: Apache-2.0
// op::bfloat16, the brain number of 16 bits for host programs. Every conversion and operation
// rounds once, to nearest even.
#ifndef ANYACL_ACLNN_OPDEV_BFLOAT16_H_
#define ANYACL_ACLNN_OPDEV_BFLOAT16_H_

#ifdef __cplusplus

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <type_traits>

namespace op {
namespace internal {

template <typename T>
using EnableIfArithmetic = typename std::enable_if<std::is_arithmetic<T>::value, int>::type;

// bfloat16, and fp16_t.
template <typename T>
struct Is16Bit : std::false_type {};

// The types of what operators of A and B return, where one is such a type and the other the same or
// built in; no types otherwise.
template <typename A, typename B, bool kFirst = Is16Bit<A>::value, bool kSecond = Is16Bit<B>::value>
struct Common {};
template <typename A>
struct Common<A, A, true, true> {
  using type = A;
  using compound = A&;
  using truth = bool;
};
template <typename A, bool kBuiltIn>
struct FirstOf {};
template <typename A>
struct FirstOf<A, true> {
  using type = A;
  using compound = A&;
  using truth = bool;
};
template <typename B, bool kBuiltIn>
struct SecondOf {};
template <typename B>
struct SecondOf<B, true> {
  using type = B;
  using truth = bool;
};
template <typename A, typename B>
struct Common<A, B, true, false> : FirstOf<A, std::is_arithmetic<B>::value> {};
template <typename A, typename B>
struct Common<A, B, false, true> : SecondOf<B, std::is_arithmetic<A>::value> {};

// A float or double that collects such numbers.
template <typename A, typename B>
using Collector =
    typename std::enable_if<std::is_floating_point<A>::value && Is16Bit<B>::value, A&>::type;

// The bits of the number with so many bits of mantissa, and so small an exponent of the smallest
// normal one, that is nearest to `value`.
template <int kMantissa, int kSmallestExponent>
inline uint16_t RoundedTo(double value, uint16_t nan) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  const uint16_t sign = static_cast<uint16_t>(bits >> 48 & 0x8000u);
  const uint64_t fraction = bits & ((uint64_t(1) << 52) - 1);
  const int exponent = static_cast<int>(bits >> 52 & 0x7ffu) - 1023;
  if (exponent == 1024 && fraction != 0) return nan;
  if (exponent > 1 - kSmallestExponent) {
    return static_cast<uint16_t>(sign | (0x7fffu >> kMantissa << kMantissa));
  }
  if (exponent < kSmallestExponent - kMantissa - 1) return sign;  // below half of the smallest
  const bool subnormal = exponent < kSmallestExponent;
  const int lost = 52 - kMantissa + (subnormal ? kSmallestExponent - exponent : 0);
  const uint64_t significand = fraction | uint64_t(1) << 52;
  const uint64_t half = uint64_t(1) << (lost - 1);
  const uint64_t rest = significand & (2 * half - 1);
  uint64_t kept = significand >> lost;
  if (rest > half || (rest == half && (kept & 1u) != 0)) ++kept;
  // The leading one is an exponent of 1; a carry goes on into the exponent, up to infinity.
  if (!subnormal) kept += static_cast<uint64_t>(exponent - kSmallestExponent) << kMantissa;
  return static_cast<uint16_t>(sign | kept);
}

// The number as a double; of integers beyond 53 bits one that rounds as they do.
template <typename T>
inline typename std::enable_if<std::is_floating_point<T>::value, double>::type ToDouble(T value) {
  return static_cast<double>(value);
}
template <typename T>
inline typename std::enable_if<Is16Bit<T>::value, double>::type ToDouble(T value) {
  return static_cast<float>(value);
}
template <typename T>
inline typename std::enable_if<std::is_integral<T>::value, double>::type ToDouble(T value) {
  if (sizeof(T) < 8) return static_cast<double>(value);
  const bool negative = value < T(0);
  const uint64_t bits = static_cast<uint64_t>(value);
  const uint64_t magnitude = negative ? 0 - bits : bits;
  const uint64_t rest = magnitude & 0x7ffu;
  const bool large = magnitude >> 53 != 0;
  const uint64_t shortened = large && rest != 0 ? (magnitude - rest) | 0x800u : magnitude;
  return negative ? -static_cast<double>(shortened) : static_cast<double>(shortened);
}

}  // namespace internal

struct bfloat16 {
  struct from_bits_t {};
  static constexpr from_bits_t from_bits() { return from_bits_t(); }
  static constexpr uint16_t NAN_VALUE = 0x7fc0;

  uint16_t value;

  constexpr bfloat16() : value(0) {}
  constexpr bfloat16(uint16_t bits, from_bits_t) : value(bits) {}
  template <typename T, internal::EnableIfArithmetic<T> = 0>
  bfloat16(T number)
      : value(internal::RoundedTo<7, -126>(internal::ToDouble(number), uint16_t(NAN_VALUE))) {}

  operator float() const {
    const uint32_t bits = static_cast<uint32_t>(value) << 16;
    float number;
    std::memcpy(&number, &bits, sizeof number);
    return number;
  }

  bool IsZero() const { return (value & 0x7fffu) == 0; }
  static bfloat16 round_to_bfloat16(float number) { return bfloat16(number); }
  static constexpr bfloat16 epsilon() { return bfloat16(0x3c00, from_bits_t()); }
  static constexpr bfloat16 highest() { return bfloat16(0x7f7f, from_bits_t()); }
  static constexpr bfloat16 lowest() { return bfloat16(0xff7f, from_bits_t()); }
  static constexpr bfloat16 min_positive_normal() { return bfloat16(0x0080, from_bits_t()); }
};

namespace internal {
template <>
struct Is16Bit<bfloat16> : std::true_type {};
}  // namespace internal

inline bfloat16 operator-(bfloat16 a) {
  return bfloat16(static_cast<uint16_t>(a.value ^ 0x8000u), bfloat16::from_bits_t());
}

// Operations of two numbers of this header's or fp16_t.h's type, or of one and a built-in number:
// in double, which is wide enough that rounding its result once more is rounding once.
template <typename A, typename B>
inline typename internal::Common<A, B>::type operator+(A a, B b) {
  return internal::ToDouble(a) + internal::ToDouble(b);
}
template <typename A, typename B>
inline typename internal::Common<A, B>::type operator-(A a, B b) {
  return internal::ToDouble(a) - internal::ToDouble(b);
}
template <typename A, typename B>
inline typename internal::Common<A, B>::type operator*(A a, B b) {
  return internal::ToDouble(a) * internal::ToDouble(b);
}
template <typename A, typename B>
inline typename internal::Common<A, B>::type operator/(A a, B b) {
  return internal::ToDouble(a) / internal::ToDouble(b);
}
template <typename A, typename B>
inline typename internal::Common<A, B>::compound operator+=(A& a, B b) {
  return a = a + b;
}
template <typename A, typename B>
inline typename internal::Common<A, B>::compound operator-=(A& a, B b) {
  return a = a - b;
}
template <typename A, typename B>
inline typename internal::Common<A, B>::compound operator*=(A& a, B b) {
  return a = a * b;
}
template <typename A, typename B>
inline typename internal::Common<A, B>::compound operator/=(A& a, B b) {
  return a = a / b;
}
template <typename A, typename B>
inline internal::Collector<A, B> operator+=(A& a, B b) {
  return a = static_cast<A>(a + static_cast<A>(static_cast<float>(b)));
}
template <typename A, typename B>
inline internal::Collector<A, B> operator-=(A& a, B b) {
  return a = static_cast<A>(a - static_cast<A>(static_cast<float>(b)));
}
template <typename A, typename B>
inline internal::Collector<A, B> operator*=(A& a, B b) {
  return a = static_cast<A>(a * static_cast<A>(static_cast<float>(b)));
}
template <typename A, typename B>
inline internal::Collector<A, B> operator/=(A& a, B b) {
  return a = static_cast<A>(a / static_cast<A>(static_cast<float>(b)));
}
template <typename A>
inline typename internal::Common<A, int>::compound operator++(A& a) {
  return a = a + 1;
}
template <typename A>
inline typename internal::Common<A, int>::compound operator--(A& a) {
  return a = a - 1;
}
template <typename A>
inline typename internal::Common<A, int>::type operator++(A& a, int) {
  const A before = a;
  ++a;
  return before;
}
template <typename A>
inline typename internal::Common<A, int>::type operator--(A& a, int) {
  const A before = a;
  --a;
  return before;
}
template <typename A, typename B>
inline typename internal::Common<A, B>::truth operator==(A a, B b) {
  return internal::ToDouble(a) == internal::ToDouble(b);
}
template <typename A, typename B>
inline typename internal::Common<A, B>::truth operator!=(A a, B b) {
  return internal::ToDouble(a) != internal::ToDouble(b);
}
template <typename A, typename B>
inline typename internal::Common<A, B>::truth operator<(A a, B b) {
  return internal::ToDouble(a) < internal::ToDouble(b);
}
template <typename A, typename B>
inline typename internal::Common<A, B>::truth operator<=(A a, B b) {
  return internal::ToDouble(a) <= internal::ToDouble(b);
}
template <typename A, typename B>
inline typename internal::Common<A, B>::truth operator>(A a, B b) {
  return internal::ToDouble(a) > internal::ToDouble(b);
}
template <typename A, typename B>
inline typename internal::Common<A, B>::truth operator>=(A a, B b) {
  return internal::ToDouble(a) >= internal::ToDouble(b);
}

}  // namespace op

namespace std {

inline bool isnan(op::bfloat16 a) { return (a.value & 0x7fffu) > 0x7f80u; }
inline bool isinf(op::bfloat16 a) { return (a.value & 0x7fffu) == 0x7f80u; }
inline bool isfinite(op::bfloat16 a) { return (a.value & 0x7fffu) < 0x7f80u; }
inline op::bfloat16 abs(op::bfloat16 a) { return std::abs(float(a)); }
inline op::bfloat16 exp(op::bfloat16 a) { return std::exp(float(a)); }
inline op::bfloat16 log(op::bfloat16 a) { return std::log(float(a)); }
inline op::bfloat16 log10(op::bfloat16 a) { return std::log10(float(a)); }
inline op::bfloat16 sqrt(op::bfloat16 a) { return std::sqrt(float(a)); }
inline op::bfloat16 sin(op::bfloat16 a) { return std::sin(float(a)); }
inline op::bfloat16 cos(op::bfloat16 a) { return std::cos(float(a)); }
inline op::bfloat16 tan(op::bfloat16 a) { return std::tan(float(a)); }
inline op::bfloat16 tanh(op::bfloat16 a) { return std::tanh(float(a)); }
inline op::bfloat16 floor(op::bfloat16 a) { return std::floor(float(a)); }
inline op::bfloat16 ceil(op::bfloat16 a) { return std::ceil(float(a)); }
inline op::bfloat16 pow(op::bfloat16 a, op::bfloat16 b) { return std::pow(float(a), float(b)); }

template <>
struct hash<op::bfloat16> {
  size_t operator()(op::bfloat16 a) const { return hash<float>()(a); }
};

template <>
class numeric_limits<op::bfloat16> {
  using Bits = op::bfloat16::from_bits_t;

 public:
  static constexpr bool is_specialized = true;
  static constexpr bool is_signed = true;
  static constexpr bool is_integer = false;
  static constexpr bool is_exact = false;
  static constexpr bool is_bounded = true;
  static constexpr bool is_modulo = false;
  static constexpr bool is_iec559 = true;
  static constexpr bool has_infinity = true;
  static constexpr bool has_quiet_NaN = true;
  static constexpr bool has_signaling_NaN = true;
  static constexpr bool traps = false;
  static constexpr bool tinyness_before = false;
  static constexpr float_round_style round_style = round_to_nearest;
  static constexpr int radix = 2;
  static constexpr int digits = 8;
  static constexpr int digits10 = 2;
  static constexpr int max_digits10 = 4;
  static constexpr int min_exponent = -125;
  static constexpr int min_exponent10 = -37;
  static constexpr int max_exponent = 128;
  static constexpr int max_exponent10 = 38;

  static constexpr op::bfloat16 min() { return op::bfloat16::min_positive_normal(); }
  static constexpr op::bfloat16 max() { return op::bfloat16::highest(); }
  static constexpr op::bfloat16 lowest() { return op::bfloat16::lowest(); }
  static constexpr op::bfloat16 epsilon() { return op::bfloat16::epsilon(); }
  static constexpr op::bfloat16 round_error() { return op::bfloat16(0x3f00, Bits()); }
  static constexpr op::bfloat16 infinity() { return op::bfloat16(0x7f80, Bits()); }
  static constexpr op::bfloat16 quiet_NaN() { return op::bfloat16(0x7fc0, Bits()); }
  static constexpr op::bfloat16 signaling_NaN() { return op::bfloat16(0x7fa0, Bits()); }
  static constexpr op::bfloat16 denorm_min() { return op::bfloat16(0x0001, Bits()); }
};

}  // namespace std

#endif  // __cplusplus

#endif  // ANYACL_ACLNN_OPDEV_BFLOAT16_H_
