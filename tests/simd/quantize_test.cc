// SPDX-License-Identifier: Apache-2.0
// The operations of simd/quantize.h against their scalar definition.
#include <algorithm>

#include "simd/tiers.h"

namespace anyacl::test::quantize {
namespace {

constexpr int kRounds = 2000;

using I32x64 = Vector<int32_t, 64>;
using I16x32 = Vector<int16_t, 32>;

class VectorQuantize : public TierTest {
 protected:
  I16x32 AnyShorts() {
    I16x32 v;
    for (int16_t& x : v.at) x = static_cast<int16_t>(random_.Int(INT16_MIN, INT16_MAX));
    return v;
  }
};
ANYACL_FOR_EACH_TIER(VectorQuantize);

TEST_P(VectorQuantize, NearIsLessThanOneAway) {
  for (int round = 0; round < kRounds; ++round) {
    F32s x = AnyFloats(random_);
    for (float& value : x.at) value = std::fabs(value) < 0x1p31f ? value : -2.5f;
    I32s y;
    probes_.near_i32(x, y);
    for (size_t i = 0; i < kLanes; ++i) ASSERT_LT(std::fabs(y[i] - double{x[i]}), 1) << x[i];
  }
}

// NaN must look near a half-integer.
TEST_P(VectorQuantize, NearNanHasNoLowHalf) {
  F32s x;
  for (float& value : x.at) value = -std::nanf("");
  I32s y;
  probes_.near_i32(x, y);
  for (size_t i = 0; i < kLanes; ++i) ASSERT_EQ(y[i] & 0xffff, 0);
}

TEST_P(VectorQuantize, SumsStayWithinTheirError) {
  double worst = 0;
  for (int round = 0; round < 20 * kRounds; ++round) {
    F32s a, b, c, sum;
    for (size_t i = 0; i < kLanes; ++i) {
      a.at[i] = static_cast<float>(random_.Uniform(-200, 200));
      b.at[i] = static_cast<float>(random_.Uniform(0, 20000));
      c.at[i] = static_cast<float>(random_.Uniform(0, 0x1p22));
    }
    probes_.mul_add_either(a, b, c, sum);
    I32s y;
    probes_.near_i32(sum, y);
    for (size_t i = 0; i < kLanes; ++i) {
      // Of the exact product or the rounded one, whichever the tier has added.
      const double exact = double{a[i]} * b[i] + c[i];
      const double rounded = double{a[i] * b[i]} + c[i];
      ASSERT_LT(std::fabs(exact), 0x1p24);
      worst = std::max(worst, std::min(std::fabs(y[i] - exact), std::fabs(y[i] - rounded)));
    }
  }
  EXPECT_LT(worst, probes_.sum_error);
  EXPECT_GT(worst, probes_.sum_error / 2);
}

TEST_P(VectorQuantize, FindsOneLowHalf) {
  for (int round = 0; round < kRounds; ++round) {
    const auto n = static_cast<int32_t>(random_.Int(1, round % 2 == 0 ? 16 : 0xffff));
    I32x64 x;
    for (int32_t& lane : x.at) {
      lane = AnyInt(random_) & ~0xffff;
      lane |= static_cast<int32_t>(random_.Int(n, 0xffff));
    }
    ASSERT_FALSE(probes_.any_low_half_below(x, n));
    const auto at = static_cast<size_t>(random_.Int(0, 63));
    x.at[at] = (x.at[at] & ~0xffff) | n;
    ASSERT_FALSE(probes_.any_low_half_below(x, n)) << n;
    x.at[at] -= 1;
    ASSERT_TRUE(probes_.any_low_half_below(x, n)) << n << " in lane " << at;
    x.at[at] &= ~0xffff;
    ASSERT_TRUE(probes_.any_low_half_below(x, n)) << n << " in lane " << at;
  }
}

TEST_P(VectorQuantize, BytesInOrderAndInterleaved) {
  for (int round = 0; round < kRounds; ++round) {
    I32x64 x;
    for (int byte : {0, 2}) {
      Vector<int8_t, 64> value;
      for (size_t i = 0; i < 64; ++i) {
        value.at[i] = static_cast<int8_t>(random_.Int(-128, 127));
        const uint32_t half = static_cast<uint16_t>(value[i]);
        const uint32_t other = static_cast<uint16_t>(random_.Int(0, 0xffff));
        x.at[i] = static_cast<int32_t>(byte == 0 ? half | other << 16 : other | half << 16);
      }
      Vector<int8_t, 64> y;
      probes_.bytes(x, byte, false, y);
      for (size_t i = 0; i < 64; ++i) ASSERT_EQ(y[i], value[i]) << "lane " << i;
      probes_.bytes(x, byte, true, y);
      for (size_t i = 0; i < 64; ++i) {
        const size_t from = i / 32 * 32 + i % 2 * 16 + i % 32 / 2;
        ASSERT_EQ(y[i], value[from]) << "lane " << i;
      }
    }
  }
}

TEST_P(VectorQuantize, LargerMagnitudeIgnoresNan) {
  for (int round = 0; round < kRounds; ++round) {
    F32s m = AnyFloats(random_), y;
    for (float& value : m.at) value = std::isnan(value) ? 1.0f : std::fabs(value);
    F32s x = AnyFloats(random_);
    for (float& value : x.at) value = std::isnan(value) ? std::nanf("") : value;
    probes_.larger_magnitude(m, x, y);
    for (size_t i = 0; i < kLanes; ++i) {
      const float expected = std::isnan(x[i]) ? m[i] : std::max(m[i], std::fabs(x[i]));
      ASSERT_TRUE(SameBits(y[i], expected)) << m[i] << ", " << x[i];
    }
  }
}

TEST_P(VectorQuantize, OrderedIsTheOrderOfTheNumbers) {
  for (int round = 0; round < kRounds; ++round) {
    Vector<uint16_t, 32> x;
    for (uint16_t& bits : x.at) bits = static_cast<uint16_t>(random_.Int(0, 0xffff));
    I16x32 y;
    probes_.ordered(x, y);
    for (size_t i = 0; i < 32; ++i) {
      const int magnitude = x[i] & 0x7fff;
      ASSERT_EQ(y[i], x[i] & 0x8000 ? -magnitude - 1 : magnitude) << x[i];
    }
  }
}

TEST_P(VectorQuantize, MinimaOfShorts) {
  for (int round = 0; round < kRounds; ++round) {
    const I16x32 a = AnyShorts(), b = AnyShorts();
    I16x32 y;
    probes_.min_i16(a, b, y);
    for (size_t i = 0; i < 32; ++i) ASSERT_EQ(y[i], std::min(a[i], b[i]));
    ASSERT_EQ(probes_.reduce_min_i16(a), *std::min_element(a.at, a.at + 32));
  }
}

}  // namespace
}  // namespace anyacl::test::quantize
