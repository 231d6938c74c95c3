// SPDX-License-Identifier: Apache-2.0
// base/half.h: every fp16 and bf16 number against its definition in double precision.
#include "base/half.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace anyacl::test {
namespace {

// sign * 1.mantissa * 2^(exponent - bias), without the hidden one at exponent 0.
double Value(uint32_t bits, int mantissa_bits, int exponent_bits) {
  const int mantissa = static_cast<int>(bits & ((1u << mantissa_bits) - 1));
  const int exponent = static_cast<int>(bits >> mantissa_bits & ((1u << exponent_bits) - 1));
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const double sign = bits >> 15 != 0 ? -1.0 : 1.0;
  if (exponent == (1 << exponent_bits) - 1) {
    return mantissa == 0 ? sign * INFINITY : std::copysign(NAN, sign);
  }
  const double significand = mantissa + (exponent == 0 ? 0 : 1 << mantissa_bits);
  return sign * std::ldexp(significand, std::max(exponent, 1) - bias - mantissa_bits);
}

void ExpectSame(float actual, double expected, uint32_t bits) {
  ASSERT_EQ(std::isnan(actual), std::isnan(expected)) << std::hex << bits;
  ASSERT_EQ(std::signbit(actual), std::signbit(expected)) << std::hex << bits;
  if (!std::isnan(expected)) {
    ASSERT_EQ(static_cast<double>(actual), expected) << std::hex << bits;
  }
}

TEST(HalfTest, EveryFp16NumberIsExact) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    ExpectSame(FloatFromFp16(static_cast<uint16_t>(bits)), Value(bits, 10, 5), bits);
  }
}

TEST(HalfTest, EveryBf16NumberIsExact) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    ExpectSame(FloatFromBf16(static_cast<uint16_t>(bits)), Value(bits, 7, 8), bits);
  }
}

}  // namespace
}  // namespace anyacl::test
