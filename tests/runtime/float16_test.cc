// SPDX-License-Identifier: Apache-2.0
// The public fp16 conversions against their rule, which saturates and knows no infinity, computed
// here in double precision; the sizes of the data types.
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "fixture.h"

namespace anyacl::test {
namespace {

// The rule of aclFloat16ToFloat: exponent 31 is an ordinary one.
double Decode(uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const double mantissa = bits & 1023;
  const double magnitude = exponent == 0 ? std::ldexp(mantissa, -24)
                                         : std::ldexp(1024 + mantissa, exponent - 25);
  return bits >> 15 != 0 ? -magnitude : magnitude;
}

// The rule of aclFloatToFloat16: nearest, ties to even, saturating; NaN counts as above the range.
uint16_t Encode(float value) {
  const double magnitude = std::fabs(static_cast<double>(value));
  if (std::isnan(value)) return 0x7BFF;
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (magnitude > 65504.0) return sign | 0x7BFF;
  if (magnitude == 0) return sign;
  int exponent = 0;
  std::frexp(magnitude, &exponent);  // magnitude = [0.5, 1) * 2^exponent
  const int unit = std::max(exponent - 11, -24);
  // The scaled value has at most 11 bits before the point and is exact in double.
  const double scaled = std::ldexp(magnitude, -unit);
  double rounded = std::floor(scaled);
  const double rest = scaled - rounded;
  if (rest > 0.5 || (rest == 0.5 && std::fmod(rounded, 2.0) == 1.0)) rounded += 1;
  const auto steps = static_cast<uint32_t>(rounded);
  // Steps of 2^unit: below 1024 subnormal; 1024 and above carry into the exponent by addition.
  const uint32_t bits = static_cast<uint32_t>(unit + 24) * 1024 + steps;
  return static_cast<uint16_t>(sign | std::min<uint32_t>(bits, 0x7BFF));
}

TEST(Float16Test, EveryHalfDecodesToItsValue) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const float actual = aclFloat16ToFloat(static_cast<aclFloat16>(bits));
    const double expected = Decode(static_cast<uint16_t>(bits));
    ASSERT_EQ(static_cast<double>(actual), expected) << std::hex << bits;
    ASSERT_EQ(std::signbit(actual), bits >> 15 != 0) << std::hex << bits;
  }
}

TEST(Float16Test, ExponentThirtyOneIsOrdinary) {
  EXPECT_EQ(aclFloat16ToFloat(0x7C00), 65536.0f);
  EXPECT_EQ(aclFloat16ToFloat(0xFC00), -65536.0f);
  EXPECT_EQ(aclFloat16ToFloat(0x7E00), 98304.0f);
  EXPECT_EQ(aclFloat16ToFloat(0x7FFF), 131008.0f);
}

TEST(Float16Test, EveryFiniteHalfSurvivesTheRoundTrip) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    if ((bits & 0x7C00) == 0x7C00) continue;
    const float value = aclFloat16ToFloat(static_cast<aclFloat16>(bits));
    ASSERT_EQ(aclFloatToFloat16(value), bits) << std::hex << bits;
  }
}

TEST(Float16Test, SpecialValuesSaturate) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(aclFloatToFloat16(std::numeric_limits<float>::quiet_NaN()), 0x7BFF);
  EXPECT_EQ(aclFloatToFloat16(infinity), 0x7BFF);
  EXPECT_EQ(aclFloatToFloat16(-infinity), 0xFBFF);
  EXPECT_EQ(aclFloatToFloat16(65504.0f), 0x7BFF);
  EXPECT_EQ(aclFloatToFloat16(65505.0f), 0x7BFF);
  EXPECT_EQ(aclFloatToFloat16(65520.0f), 0x7BFF);
  EXPECT_EQ(aclFloatToFloat16(-65505.0f), 0xFBFF);
  EXPECT_EQ(aclFloatToFloat16(3.4e38f), 0x7BFF);
  EXPECT_EQ(aclFloatToFloat16(-3.4e38f), 0xFBFF);
}

TEST(Float16Test, TiesGoToEven) {
  EXPECT_EQ(aclFloatToFloat16(1.0f + 0x1p-11f), 0x3C00);
  EXPECT_EQ(aclFloatToFloat16(1.0f + 3 * 0x1p-11f), 0x3C02);
  EXPECT_EQ(aclFloatToFloat16(2049.0f), 0x6800);
  EXPECT_EQ(aclFloatToFloat16(2051.0f), 0x6802);
}

TEST(Float16Test, SubnormalsRoundAndUnderflowToSignedZero) {
  EXPECT_EQ(aclFloatToFloat16(0x1p-24f), 0x0001);
  EXPECT_EQ(aclFloatToFloat16(0x1p-25f), 0x0000);  // tie with even zero
  EXPECT_EQ(aclFloatToFloat16(std::nextafter(0x1p-25f, 1.0f)), 0x0001);
  EXPECT_EQ(aclFloatToFloat16(3 * 0x1p-25f), 0x0002);
  EXPECT_EQ(aclFloatToFloat16(-0x1p-26f), 0x8000);
  EXPECT_EQ(aclFloatToFloat16(-0.0f), 0x8000);
  EXPECT_EQ(aclFloatToFloat16(std::numeric_limits<float>::denorm_min()), 0x0000);
  EXPECT_EQ(aclFloatToFloat16(std::nextafter(0x1p-14f, 0.0f)), 0x0400);  // carries into a normal
}

// Bit patterns that stand for all 2^32: every exponent with mantissas around the rounding edges,
// and random ones.
TEST(Float16Test, ForwardFollowsTheRule) {
  const auto check = [](uint32_t bits) {
    const float value = std::bit_cast<float>(bits);
    ASSERT_EQ(aclFloatToFloat16(value), Encode(value)) << std::hex << bits << " " << value;
  };
  for (uint32_t sign_and_exponent = 0; sign_and_exponent < 512; ++sign_and_exponent) {
    for (uint32_t high = 0; high < 4096; ++high) {
      for (uint32_t low : {0u, 1u, 0x3ffu, 0x400u, 0x7ffu}) {
        check(sign_and_exponent << 23 | high << 11 | low);
      }
    }
  }
  std::mt19937 random(20240601);
  for (int i = 0; i < 2000000; ++i) check(static_cast<uint32_t>(random()));
}

// The caller's rounding mode and flushing of denormals must not show.
TEST(Float16Test, FloatEnvironmentOfTheCallerDoesNotMatter) {
  const float values[] = {1.0f + 0x1p-11f, 1.0f + 3 * 0x1p-11f, 0x1p-25f, 3 * 0x1p-25f,
                          -0x1.8p-24f,     65504.0f,            0.1f,     -0.1f};
  for (int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    for (float value : values) {
      const uint16_t expected = Encode(value);
      ASSERT_EQ(std::fesetround(mode), 0);
      const uint16_t actual = aclFloatToFloat16(value);
      std::fesetround(FE_TONEAREST);
      EXPECT_EQ(actual, expected) << mode << " " << value;
    }
  }
#if defined(__x86_64__)
  const unsigned saved = _mm_getcsr();
  _mm_setcsr(saved | 0x8040);  // flush denormal results, read denormal operands as zero
  const float smallest = aclFloat16ToFloat(0x0001);
  const uint16_t largest_subnormal = aclFloatToFloat16(0x1.ff8p-15f);
  _mm_setcsr(saved);
  EXPECT_EQ(smallest, 0x1p-24f);
  EXPECT_EQ(largest_subnormal, 0x03FF);
#endif
}

size_t ExpectedSize(int dtype) {
  switch (dtype) {
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
    default:  // 64-bit types, FP6, FP4, and numbers that name no type
      return 8;
  }
}

TEST(DataTypeSizeTest, EveryValueHasItsSize) {
  for (int dtype = -64; dtype < 64; ++dtype) {
    EXPECT_EQ(aclDataTypeSize(static_cast<aclDataType>(dtype)), ExpectedSize(dtype)) << dtype;
  }
  for (int dtype : BeyondEnum({1000, std::numeric_limits<int>::max(),
                               std::numeric_limits<int>::min()})) {
    EXPECT_EQ(aclDataTypeSize(static_cast<aclDataType>(dtype)), 8u) << dtype;
  }
}

}  // namespace
}  // namespace anyacl::test
