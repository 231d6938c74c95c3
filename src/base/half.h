// SPDX-License-Identifier: Apache-2.0
// Scalar conversions of fp16 and bf16, IEEE semantics (Inf and NaN kept); to float they are exact.
// The saturating conversions of the public API (aclFloatToFloat16) are a different rule:
// runtime/float16.cc. Always inlined: kernels use them, and a copy compiled for one instruction set
// must not serve everybody.
#pragma once

#include <cstdint>

namespace anyacl {

[[gnu::always_inline]] inline float FloatFromBf16(uint16_t bits) {
  return __builtin_bit_cast(float, uint32_t{bits} << 16);
}

[[gnu::always_inline]] inline float FloatFromFp16(uint16_t bits) {
  const uint32_t sign = (bits & 0x8000u) << 16;
  const uint32_t magnitude = bits & 0x7fffu;
  if (magnitude >= 0x7c00u) {  // Inf, NaN: the payload moves up with the mantissa
    return __builtin_bit_cast(float, sign | 0x7f800000u | (magnitude & 0x3ffu) << 13);
  }
  if (magnitude >= 0x0400u) {  // normal: rebias the exponent by 127 - 15
    return __builtin_bit_cast(float, sign | ((magnitude << 13) + (112u << 23)));
  }
  // Subnormal: magnitude * 2^-24 is exact in float.
  const float value = static_cast<float>(magnitude) * 0x1p-24f;
  return sign != 0 ? -value : value;
}

// To nearest even, once: the intermediate float is rounded to odd (its last bit tells that
// something was lost), and has more than the two bits beyond 16-bit numbers that this needs (Boldo
// and Melquiond 2008).
[[gnu::always_inline]] inline float FloatRoundedToOdd(double value) {
  const float nearest = static_cast<float>(value);
  if (static_cast<double>(nearest) == value || value != value) return nearest;
  const uint32_t bits = __builtin_bit_cast(uint32_t, nearest);
  // Towards zero, and from infinity to the largest number: without a jump, as each way is taken
  // half the time.
  const uint32_t away = __builtin_fabs(static_cast<double>(nearest)) > __builtin_fabs(value);
  return __builtin_bit_cast(float, (bits - away) | 1u);
}

[[gnu::always_inline]] inline uint16_t Bf16FromDouble(double value) {
  const uint32_t bits = __builtin_bit_cast(uint32_t, FloatRoundedToOdd(value));
  if (value != value) return static_cast<uint16_t>(bits >> 16 | 0x0040u);
  return static_cast<uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

[[gnu::always_inline]] inline uint16_t Fp16FromDouble(double value) {
  const uint32_t all = __builtin_bit_cast(uint32_t, FloatRoundedToOdd(value));
  const uint32_t sign = all >> 16 & 0x8000u;
  const uint32_t bits = all & 0x7fffffffu;
  if (value != value) return static_cast<uint16_t>(sign | 0x7e00u | (bits >> 13 & 0x01ffu));
  if (bits >= 143u << 23) return static_cast<uint16_t>(sign | 0x7c00u);  // 2^16 and more
  if (bits < 113u << 23) {  // below 2^-14: multiples of 2^-24, rounded by the sum with 2^-1
    const float sum = __builtin_bit_cast(float, bits) + 0.5f;
    return static_cast<uint16_t>(sign | (__builtin_bit_cast(uint32_t, sum) - (126u << 23)));
  }
  // 65520 and more carry into the exponent of infinity.
  const uint32_t rounded = bits + 0x0fffu + (bits >> 13 & 1u);
  return static_cast<uint16_t>(sign | (rounded - (112u << 23)) >> 13);
}

}  // namespace anyacl
