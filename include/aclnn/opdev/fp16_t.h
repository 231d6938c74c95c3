// SPDX-License-Identifier: Apache-2.0
// op::fp16_t, IEEE's number of 16 bits for host programs. Every conversion and operation rounds
// once, to nearest even; conversions to integers saturate.
#ifndef ANYACL_ACLNN_OPDEV_FP16_T_H_
#define ANYACL_ACLNN_OPDEV_FP16_T_H_

#ifdef __cplusplus

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "bfloat16.h"

namespace op {

typedef struct tagFp16 {
  uint16_t val;

  constexpr tagFp16() : val(0) {}
  // As CANN has it, a uint16_t in the constructor is the bits and in an assignment a number.
  constexpr tagFp16(const uint16_t& bits) : val(bits) {}
  template <typename T, internal::EnableIfArithmetic<T> = 0>
  tagFp16(const T& number)
      : val(internal::RoundedTo<10, -14>(internal::ToDouble(number), 0x7fff)) {}
  tagFp16(const bfloat16& number) : tagFp16(static_cast<float>(number)) {}

  template <typename T, internal::EnableIfArithmetic<T> = 0>
  tagFp16& operator=(const T& number) {
    val = internal::RoundedTo<10, -14>(internal::ToDouble(number), 0x7fff);
    return *this;
  }

  operator float() const {
    const uint32_t sign = static_cast<uint32_t>(val & 0x8000u) << 16;
    const uint32_t magnitude = val & 0x7fffu;
    float number;
    if (magnitude < 0x0400u) {  // subnormal: multiples of 2^-24
      number = static_cast<float>(magnitude) / 16777216.0f;
      return sign != 0 ? -number : number;
    }
    const uint32_t exponent = magnitude >= 0x7c00u ? 224u << 23 : 112u << 23;  // 255 - 31, 127 - 15
    const uint32_t bits = sign | ((magnitude << 13) + exponent);
    std::memcpy(&number, &bits, sizeof number);
    return number;
  }
  // Infinity and NaN count as the largest number of their sign.
  template <typename T, typename std::enable_if<std::is_integral<T>::value, int>::type = 0>
  operator T() const {
    const bool negative = val >> 15 != 0;
    const bool finite = (val & 0x7c00u) != 0x7c00u;
    const double magnitude = std::fabs(static_cast<double>(static_cast<float>(*this)));
    uint64_t whole = finite ? static_cast<uint64_t>(magnitude) : UINT64_MAX;
    if (finite) {
      const double rest = magnitude - static_cast<double>(whole);
      if (rest > 0.5 || (rest == 0.5 && (whole & 1u) != 0)) ++whole;
    }
    if (!negative) {
      const uint64_t largest = static_cast<uint64_t>(std::numeric_limits<T>::max());
      return static_cast<T>(whole < largest ? whole : largest);
    }
    if (std::is_unsigned<T>::value) return 0;
    const uint64_t largest = static_cast<uint64_t>(std::numeric_limits<T>::max());
    return whole > largest ? std::numeric_limits<T>::min()
                           : static_cast<T>(-static_cast<int64_t>(whole));
  }
  operator bool() const { return (val & 0x7fffu) != 0; }
  operator bfloat16() const { return bfloat16(static_cast<float>(*this)); }

  // 1 and -1 for the infinities.
  int IsInf() const { return (val & 0x7fffu) != 0x7c00u ? 0 : val >> 15 != 0 ? -1 : 1; }
  float toFloat() const { return *this; }
  double toDouble() const { return static_cast<float>(*this); }
  int8_t toInt8() const { return *this; }
  uint8_t toUInt8() const { return *this; }
  int16_t toInt16() const { return *this; }
  uint16_t toUInt16() const { return *this; }
  int32_t toInt32() const { return *this; }
  uint32_t toUInt32() const { return *this; }
} fp16_t;

namespace internal {
template <>
struct Is16Bit<fp16_t> : std::true_type {};
}  // namespace internal

inline fp16_t operator-(fp16_t a) { return fp16_t(static_cast<uint16_t>(a.val ^ 0x8000u)); }

}  // namespace op

namespace std {

inline bool isnan(op::fp16_t a) { return (a.val & 0x7fffu) > 0x7c00u; }
inline float abs(op::fp16_t a) { return std::fabs(static_cast<float>(a)); }

}  // namespace std

#endif  // __cplusplus

#endif  // ANYACL_ACLNN_OPDEV_FP16_T_H_
