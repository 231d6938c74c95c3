// SPDX-License-Identifier: Apache-2.0
// Exact scalar fp16 / bf16 -> float, IEEE semantics (Inf and NaN kept). The saturating conversions
// of the public API (aclFloatToFloat16) are a different rule: runtime/float16.cc. Always inlined:
// kernels use them, and a copy compiled for one instruction set must not serve everybody.
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

}  // namespace anyacl
