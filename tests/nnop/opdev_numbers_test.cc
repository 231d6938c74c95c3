// SPDX-License-Identifier: Apache-2.0
// op::fp16_t and op::bfloat16 against the list of their values, from which the nearest is chosen.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "aclnn/opdev/bfloat16.h"
#include "aclnn/opdev/fp16_t.h"

namespace {

using op::bfloat16;
using op::fp16_t;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Fp16 {
  using Type = fp16_t;
  static constexpr int kMantissa = 10;
  static constexpr int kBias = 15;
  static uint16_t Bits(fp16_t x) { return x.val; }
  static fp16_t Of(uint16_t bits) { return fp16_t(bits); }
};
struct Bf16 {
  using Type = bfloat16;
  static constexpr int kMantissa = 7;
  static constexpr int kBias = 127;
  static uint16_t Bits(bfloat16 x) { return x.value; }
  static bfloat16 Of(uint16_t bits) { return bfloat16(bits, bfloat16::from_bits()); }
};

template <typename Format>
class OpdevNumbers : public testing::Test {
 protected:
  static constexpr int kLargestExponent = (1 << (15 - Format::kMantissa)) - 1;
  static constexpr uint16_t kInfinityBits = kLargestExponent << Format::kMantissa;

  static double Value(uint16_t bits) {
    const int exponent = (bits & 0x7fff) >> Format::kMantissa;
    const int mantissa = bits & ((1 << Format::kMantissa) - 1);
    double value;
    if (exponent == kLargestExponent) {
      value = mantissa == 0 ? kInfinity : std::numeric_limits<double>::quiet_NaN();
    } else if (exponent == 0) {
      value = std::ldexp(mantissa, 1 - Format::kBias - Format::kMantissa);
    } else {
      value = std::ldexp(mantissa + (1 << Format::kMantissa),
                         exponent - Format::kBias - Format::kMantissa);
    }
    return (bits & 0x8000) != 0 ? -value : value;
  }

  // The magnitudes ascend with their bits; infinity begins half a step beyond the largest number.
  static uint16_t Nearest(double value) {
    const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    const double magnitude = std::fabs(value);
    uint16_t below = 0;
    uint16_t above = kInfinityBits;
    while (above - below > 1) {
      const uint16_t middle = static_cast<uint16_t>((below + above) / 2);
      (Value(middle) <= magnitude ? below : above) = middle;
    }
    if (Value(above) <= magnitude) return sign | above;
    const double next =
        above == kInfinityBits ? 2 * Value(above - 1) - Value(above - 2) : Value(above);
    const double under = magnitude - Value(below);
    const double over = next - magnitude;
    const bool up = over < under || (over == under && (below & 1) != 0);
    return static_cast<uint16_t>(sign | (up ? above : below));
  }
};

using Formats = testing::Types<Fp16, Bf16>;
TYPED_TEST_SUITE(OpdevNumbers, Formats);

TYPED_TEST(OpdevNumbers, EveryPatternThereAndBack) {
  using T = typename TypeParam::Type;
  for (uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const T number = TypeParam::Of(static_cast<uint16_t>(bits));
    const double value = this->Value(static_cast<uint16_t>(bits));
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(float(number))) << bits;
      EXPECT_TRUE(std::isnan(number)) << bits;
      EXPECT_TRUE(std::isnan(T(float(number)))) << bits;
      continue;
    }
    ASSERT_EQ(double(float(number)), value) << bits;
    ASSERT_EQ(TypeParam::Bits(T(float(number))), bits);
    ASSERT_EQ(TypeParam::Bits(T(value)), bits);
    ASSERT_EQ(TypeParam::Bits(-number), bits ^ 0x8000);
  }
}

TYPED_TEST(OpdevNumbers, TiesAndTheirNeighbours) {
  using T = typename TypeParam::Type;
  for (uint16_t bits = 0; bits < this->kInfinityBits; ++bits) {
    const double low = this->Value(bits);
    const double high =
        bits + 1 == this->kInfinityBits ? 2 * low - this->Value(bits - 1) : this->Value(bits + 1);
    const double tie = (low + high) / 2;
    for (const double value : {tie, std::nextafter(tie, 0), std::nextafter(tie, kInfinity)}) {
      ASSERT_EQ(TypeParam::Bits(T(value)), this->Nearest(value)) << value;
      ASSERT_EQ(TypeParam::Bits(T(-value)), this->Nearest(-value)) << value;
    }
    const float tie_as_float = static_cast<float>(tie);
    ASSERT_EQ(TypeParam::Bits(T(tie_as_float)), this->Nearest(tie_as_float)) << tie;
  }
  EXPECT_EQ(TypeParam::Bits(T(kInfinity)), this->kInfinityBits);
  EXPECT_EQ(TypeParam::Bits(T(1e300)), this->kInfinityBits);
  EXPECT_EQ(TypeParam::Bits(T(-1e300)), this->kInfinityBits | 0x8000);
  EXPECT_EQ(TypeParam::Bits(T(1e-300)), 0);
  EXPECT_EQ(TypeParam::Bits(T(-1e-300)), 0x8000);
}

TYPED_TEST(OpdevNumbers, Integers) {
  using T = typename TypeParam::Type;
  for (int64_t value = -70000; value <= 70000; ++value) {
    const uint16_t nearest = this->Nearest(static_cast<double>(value));
    ASSERT_EQ(TypeParam::Bits(T(value)), nearest) << value;
    ASSERT_EQ(TypeParam::Bits(T(static_cast<int>(value))), nearest) << value;
    if (value >= 0) {
      ASSERT_EQ(TypeParam::Bits(T(static_cast<uint64_t>(value))), nearest) << value;
    }
  }
  // A tie of bfloat16's, and one more, which a double does not hold.
  const int64_t tie = (int64_t{1} << 60) + (int64_t{1} << 52);
  EXPECT_EQ(float(bfloat16(tie)), std::ldexp(1.0f, 60));
  EXPECT_EQ(float(bfloat16(tie + 1)), std::ldexp(1.0f, 60) + std::ldexp(1.0f, 53));
  EXPECT_EQ(float(bfloat16(-tie - 1)), -std::ldexp(1.0f, 60) - std::ldexp(1.0f, 53));
  EXPECT_EQ(float(bfloat16(std::numeric_limits<int64_t>::min())), -std::ldexp(1.0f, 63));
  EXPECT_EQ(float(bfloat16(std::numeric_limits<uint64_t>::max())), std::ldexp(1.0f, 64));
}

TYPED_TEST(OpdevNumbers, ArithmeticRoundsOnce) {
  using T = typename TypeParam::Type;
  std::mt19937 random(7);
  // Exact, or so in 64 bits of mantissa that the nearest of both is the same.
  const auto expect = [&](T actual, long double exact) {
    if (std::isnan(exact)) {
      EXPECT_TRUE(std::isnan(actual));
    } else {
      double rounded = static_cast<double>(exact);
      if (rounded != exact && std::isfinite(rounded)) {  // to odd
        if (std::fabs(static_cast<long double>(rounded)) > std::fabs(exact)) {
          rounded = std::nextafter(rounded, 0.0);
        }
        uint64_t bits = __builtin_bit_cast(uint64_t, rounded) | 1u;
        rounded = __builtin_bit_cast(double, bits);
      }
      EXPECT_EQ(TypeParam::Bits(actual), this->Nearest(rounded)) << static_cast<double>(exact);
    }
  };
  for (int i = 0; i < 200000; ++i) {
    const T a = TypeParam::Of(static_cast<uint16_t>(random()));
    const T b = TypeParam::Of(static_cast<uint16_t>(random()));
    const long double x = float(a);
    const long double y = float(b);
    expect(a + b, x + y);
    expect(a - b, x - y);
    expect(a * b, x * y);
    expect(a / b, x / y);
    ASSERT_EQ(a < b, x < y);
    ASSERT_EQ(a <= b, x <= y);
    ASSERT_EQ(a > b, x > y);
    ASSERT_EQ(a >= b, x >= y);
    ASSERT_EQ(a == b, x == y);
    ASSERT_EQ(a != b, x != y);
    if (testing::Test::HasFailure()) return;
  }
  T a = 3;
  a += 1;
  a *= T(2.5f);
  a -= 4.0;
  a /= 2;
  EXPECT_EQ(float(a), 3.0f);
  EXPECT_EQ(float(a++), 3.0f);
  EXPECT_EQ(float(--a), 3.0f);
  EXPECT_TRUE(a > 2 && 2 < a && a == 3.0f && 4 > a && a <= 3 && a != 2);
  EXPECT_EQ(float(1 + a), 4.0f);
  EXPECT_EQ(float(a * 2), 6.0f);
}

TYPED_TEST(OpdevNumbers, AreCollectedInWiderNumbers) {
  const typename TypeParam::Type x(1.5f);
  float sum = 0x1p-30f;
  sum += x;
  sum -= x;
  EXPECT_EQ(sum, 0);  // as floats do
  double product = 3;
  product *= x;
  EXPECT_EQ(product, 4.5);
  product /= x;
  EXPECT_EQ(product, 3);
}

TEST(OpdevFp16, ToIntegersNearestEvenAndSaturated) {
  for (uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const fp16_t number(static_cast<uint16_t>(bits));
    const float value = number;
    if (!std::isfinite(value)) continue;
    const double nearest = std::nearbyint(value);
    ASSERT_EQ(int64_t{number}, static_cast<int64_t>(nearest)) << value;
    ASSERT_EQ(number.toInt32(), static_cast<int32_t>(nearest)) << value;
    ASSERT_EQ(number.toInt16(), std::fmin(std::fmax(nearest, -32768), 32767)) << value;
    ASSERT_EQ(number.toInt8(), std::fmin(std::fmax(nearest, -128), 127)) << value;
    ASSERT_EQ(number.toUInt8(), std::fmin(std::fmax(nearest, 0), 255)) << value;
    ASSERT_EQ(number.toUInt16(), std::fmax(nearest, 0)) << value;
    ASSERT_EQ(number.toUInt32(), std::fmax(nearest, 0)) << value;
    ASSERT_EQ(bool{number}, value != 0) << value;
  }
  const fp16_t infinity(uint16_t{0x7c00});
  EXPECT_EQ(infinity.toInt8(), 127);
  EXPECT_EQ((-infinity).toInt32(), std::numeric_limits<int32_t>::min());
  EXPECT_EQ(int64_t{infinity}, std::numeric_limits<int64_t>::max());
  EXPECT_EQ((-infinity).toUInt32(), 0u);
  EXPECT_EQ(infinity.IsInf(), 1);
  EXPECT_EQ((-infinity).IsInf(), -1);
  EXPECT_EQ(fp16_t(65504).IsInf(), 0);
  EXPECT_EQ(fp16_t(NAN).IsInf(), 0);
}

TEST(OpdevFp16, WhatProgramsDoWithIt) {
  EXPECT_EQ(fp16_t(65504.0).val, 0x7bff);
  EXPECT_EQ(fp16_t(65520.0f).val, 0x7c00);
  EXPECT_EQ(fp16_t(65520).val, 0x7c00);
  EXPECT_EQ(fp16_t(static_cast<double>(NAN)).val, 0x7fff);
  const std::vector<fp16_t> ones(4, 1);
  EXPECT_EQ(ones[3].val, 0x3c00);
  const uint16_t number = 1;
  EXPECT_EQ(fp16_t(number).val, 1);  // the bits
  fp16_t assigned;
  assigned = number;
  EXPECT_EQ(assigned.val, 0x3c00);  // the number
  EXPECT_EQ(fp16_t(bfloat16(1.5f)).val, 0x3e00);
  EXPECT_EQ(bfloat16(fp16_t(1.5f)).value, 0x3fc0);
  EXPECT_EQ(std::abs(fp16_t(-2)), 2.0f);
}

TEST(OpdevBfloat16, Limits) {
  using Limits = std::numeric_limits<bfloat16>;
  EXPECT_EQ(float(Limits::epsilon()), std::ldexp(1.0f, -7));
  EXPECT_EQ(float(Limits::min()), std::ldexp(1.0f, -126));
  EXPECT_EQ(float(Limits::denorm_min()), std::ldexp(1.0f, -133));
  EXPECT_EQ(float(Limits::max()), std::ldexp(255.0f, 120));
  EXPECT_EQ(Limits::lowest(), -Limits::max());
  EXPECT_TRUE(std::isinf(Limits::infinity()) && !std::isfinite(Limits::infinity()));
  EXPECT_TRUE(std::isnan(Limits::quiet_NaN()) && std::isnan(Limits::signaling_NaN()));
  EXPECT_EQ(float(std::sqrt(bfloat16(4))), 2.0f);
  EXPECT_TRUE(bfloat16().IsZero() && bfloat16(-0.0f).IsZero());
}

}  // namespace
