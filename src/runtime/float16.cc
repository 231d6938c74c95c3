// SPDX-License-Identifier: Apache-2.0
// The public fp16 conversions, which know no Inf and NaN: exponent 31 is an ordinary exponent, and
// what is too large, NaN included, becomes the largest finite number. aclDataTypeSize.
#include <bit>
#include <cmath>
#include <cstdint>

#include "acl/acl_base.h"
#include "base/dtype.h"

extern "C" {

aclFloat16 aclFloatToFloat16(float value) {
  constexpr uint16_t kLargest = 0x7bff;  // 65504
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const auto sign = static_cast<uint16_t>(bits >> 16 & 0x8000u);
  if (std::isnan(value)) return kLargest;
  const float magnitude = std::fabs(value);
  if (magnitude > 65504.0f) return sign | kLargest;
  // In integers from here on, because a client may have set another rounding mode.
  if (magnitude < 0x1p-14f) {
    // Subnormal: steps of 2^-24. The value is mantissa * 2^(exponent - 150).
    const uint32_t exponent = bits >> 23 & 0xffu;
    const uint32_t mantissa = (bits & 0x7fffffu) | 0x800000u;
    const uint32_t shift = 126u - exponent;
    if (shift > 24u) return sign;  // below half a step
    const uint32_t odd = mantissa >> shift & 1u;
    return sign | static_cast<uint16_t>((mantissa + (1u << (shift - 1u)) - 1u + odd) >> shift);
  }
  // Drop 13 bits, half to even; a carry moves into the exponent by itself.
  const uint32_t rounded = (bits & 0x7fffffffu) + 0xfffu + (bits >> 13 & 1u);
  return sign | static_cast<uint16_t>((rounded >> 13) - (112u << 10));
}

float aclFloat16ToFloat(aclFloat16 value) {
  const uint32_t exponent = value >> 10 & 0x1fu;
  const auto mantissa = static_cast<float>(value & 0x3ffu);
  const float magnitude = exponent == 0
                              ? mantissa * 0x1p-24f
                              : std::ldexp(1024.0f + mantissa, static_cast<int>(exponent) - 25);
  return (value & 0x8000u) != 0 ? -magnitude : magnitude;
}

size_t aclDataTypeSize(aclDataType dataType) {
  switch (dataType) {
    case ACL_DT_UNDEFINED:
    case ACL_STRING:
      return 0;
    case ACL_UINT1:
    case ACL_INT4:
    case ACL_BOOL:
    case ACL_INT8:
    case ACL_UINT8:
    case ACL_HIFLOAT8:
    case ACL_FLOAT8_E5M2:
    case ACL_FLOAT8_E4M3FN:
    case ACL_FLOAT8_E8M0:
      return 1;
    case ACL_FLOAT16:
    case ACL_BF16:
    case ACL_INT16:
    case ACL_UINT16:
      return 2;
    case ACL_FLOAT:
    case ACL_INT32:
    case ACL_UINT32:
    case ACL_COMPLEX32:
      return 4;
    case ACL_COMPLEX128:
      return 16;
    default:
      return 8;  // upstream's answer for 64-bit types and for everything it does not know
  }
}
}
