// SPDX-License-Identifier: Apache-2.0
// Arithmetic, comparisons, conversions and reductions of vectors against the scalar definition.
#include <algorithm>

#include "simd/tiers.h"

namespace anyacl::test {
namespace {

constexpr int kRounds = 2000;

class VectorArithmetic : public TierTest {
 protected:
  template <class Fn>
  void ExpectUnary(Probes::F32Unary probe, Fn reference) {
    for (int round = 0; round < kRounds; ++round) {
      const F32s x = AnyFloats(random_);
      F32s y;
      probe(x, y);
      for (size_t i = 0; i < kLanes; ++i) {
        ASSERT_TRUE(SameBits(y[i], reference(x[i]))) << x[i] << " in lane " << i;
      }
    }
  }
  template <class Fn>
  void ExpectBinary(Probes::F32Binary probe, Fn reference) {
    for (int round = 0; round < kRounds; ++round) {
      const F32s a = AnyFloats(random_), b = AnyFloats(random_);
      F32s y;
      probe(a, b, y);
      for (size_t i = 0; i < kLanes; ++i) {
        ASSERT_TRUE(SameBits(y[i], reference(a[i], b[i]))) << a[i] << ", " << b[i];
      }
    }
  }
  template <class Fn>
  void ExpectBinary(Probes::I32Binary probe, Fn reference) {
    for (int round = 0; round < kRounds; ++round) {
      const I32s a = AnyInts(random_), b = AnyInts(random_);
      I32s y;
      probe(a, b, y);
      for (size_t i = 0; i < kLanes; ++i) {
        ASSERT_EQ(y[i], static_cast<int32_t>(reference(a[i], b[i]))) << a[i] << ", " << b[i];
      }
    }
  }
  template <class Values, class Fn>
  void ExpectBits(uint32_t actual, const Values& a, const Values& b, Fn reference) {
    for (size_t i = 0; i < kLanes; ++i) {
      ASSERT_EQ((actual >> i & 1) != 0, reference(a[i], b[i])) << a[i] << ", " << b[i];
    }
    ASSERT_EQ(actual >> kLanes, 0u);
  }
};
ANYACL_FOR_EACH_TIER(VectorArithmetic);

TEST_P(VectorArithmetic, FloatsAreRoundedOnce) {
  ExpectBinary(probes_.add, [](float a, float b) { return a + b; });
  ExpectBinary(probes_.sub, [](float a, float b) { return a - b; });
  ExpectBinary(probes_.mul, [](float a, float b) { return a * b; });
  ExpectBinary(probes_.div, [](float a, float b) { return a / b; });
  ExpectUnary(probes_.abs, [](float a) { return std::fabs(a); });
  ExpectUnary(probes_.neg, [](float a) { return -a; });
}

TEST_P(VectorArithmetic, FmaIsRoundedOnce) {
  for (int round = 0; round < 4 * kRounds; ++round) {
    const F32s a = AnyFloats(random_), b = AnyFloats(random_);
    F32s c = AnyFloats(random_), y;
    // Near cancellation, and sums whose second term decides the rounding.
    for (size_t i = 0; i < kLanes; ++i) {
      if (i % 4 == 0) c.at[i] = -a[i] * b[i];
      if (i % 4 == 1) c.at[i] = std::ldexp(a[i] * b[i], static_cast<int>(random_.Int(-60, 60)));
    }
    probes_.fma(a, b, c, y);
    for (size_t i = 0; i < kLanes; ++i) {
      ASSERT_TRUE(SameBits(y[i], std::fma(a[i], b[i], c[i])))
          << std::hexfloat << a[i] << " * " << b[i] << " + " << c[i];
    }
  }
}

// Sums that lie in the middle of two floats but for a bit that double has no place for, normal ones
// and denormal ones.
TEST_P(VectorArithmetic, FmaIsRoundedOnceNextToTheMiddleOfFloats) {
  for (int round = 0; round < kRounds; ++round) {
    F32s a, b, c, y;
    for (size_t i = 0; i < kLanes; ++i) {
      const float least = std::ldexp(1.0f, -static_cast<int>(random_.Int(12, 22)));
      const float sign = random_.Chance(0.5) ? 1.0f : -1.0f;
      const bool normal = random_.Chance(0.5);
      const int exponent = normal ? static_cast<int>(random_.Int(-40, 40)) : -149;
      const auto units = static_cast<float>(random_.Int(0, 4095) + (normal ? 1 << 23 : 0));
      c.at[i] = std::ldexp(units, exponent);
      a.at[i] = std::ldexp(1 + least, exponent / 2 - 1);
      b.at[i] = std::ldexp(sign * (1 - least), exponent - exponent / 2);
    }
    probes_.fma(a, b, c, y);
    for (size_t i = 0; i < kLanes; ++i) {
      ASSERT_TRUE(SameBits(y[i], std::fma(a[i], b[i], c[i])))
          << std::hexfloat << a[i] << " * " << b[i] << " + " << c[i];
    }
  }
}

// Products that have no more bits than float, or one more, and some that leave its range.
TEST_P(VectorArithmetic, FmaOfFactorsWithFewBitsIsRoundedOnce) {
  for (int round = 0; round < 4 * kRounds; ++round) {
    const int bits = random_.Chance(0.7) ? 12 : 13;
    const auto number = [&](int exponent) {
      const auto units = static_cast<float>(random_.Int(1 << (bits - 1), (1 << bits) - 1));
      return std::ldexp(random_.Chance(0.5) ? units : -units, exponent - bits);
    };
    F32s a, b, c, y;
    for (size_t i = 0; i < kLanes; ++i) {
      const auto exponent = static_cast<int>(random_.Int(-60, 60));
      int product = static_cast<int>(random_.Int(-60, 60));
      if (random_.Chance(0.05)) product = static_cast<int>(random_.Int(-155, -124));
      if (random_.Chance(0.05)) product = static_cast<int>(random_.Int(127, 130));
      a.at[i] = random_.Chance(0.05) ? 0.0f : number(exponent);
      b.at[i] = random_.Chance(0.05) ? -0.0f : number(product - exponent);
      c.at[i] =
          random_.Chance(0.2) ? AnyFloat(random_) : number(std::min(product + 2, 128)) * 0.9999f;
    }
    probes_.fma(a, b, c, y);
    for (size_t i = 0; i < kLanes; ++i) {
      ASSERT_TRUE(SameBits(y[i], std::fma(a[i], b[i], c[i])))
          << std::hexfloat << a[i] << " * " << b[i] << " + " << c[i];
    }
  }
}

TEST_P(VectorArithmetic, MulAddEitherIsRoundedOnceOrTwice) {
  for (int round = 0; round < kRounds; ++round) {
    const F32s a = AnyFloats(random_), b = AnyFloats(random_), c = AnyFloats(random_);
    F32s y;
    probes_.mul_add_either(a, b, c, y);
    for (size_t i = 0; i < kLanes; ++i) {
      ASSERT_TRUE(SameBits(y[i], std::fma(a[i], b[i], c[i])) || SameBits(y[i], a[i] * b[i] + c[i]));
    }
  }
}

TEST_P(VectorArithmetic, MinAndMaxReturnTheSecondOfUnordered) {
  ExpectBinary(probes_.min, [](float a, float b) { return a < b ? a : b; });
  ExpectBinary(probes_.max, [](float a, float b) { return a > b ? a : b; });
}

TEST_P(VectorArithmetic, ClampKeepsNan) {
  for (int round = 0; round < kRounds; ++round) {
    const F32s x = AnyFloats(random_);
    F32s y;
    probes_.clamp(x, -3.0f, 100.5f, y);
    for (size_t i = 0; i < kLanes; ++i) {
      const float expected = std::isnan(x[i]) ? x[i] : std::fmin(std::fmax(x[i], -3.0f), 100.5f);
      ASSERT_TRUE(SameBits(y[i], expected)) << x[i];
    }
  }
}

TEST_P(VectorArithmetic, RoundsHalvesToEven) {
  ExpectUnary(probes_.round_even, [](float x) { return std::nearbyint(x); });
}

TEST_P(VectorArithmetic, FractionIsWhatRoundingTakesAway) {
  for (int round = 0; round < kRounds; ++round) {
    F32s x = AnyFloats(random_), y;
    for (float& value : x.at) value = std::isfinite(value) ? value : 0.25f;
    probes_.fraction(x, y);
    for (size_t i = 0; i < kLanes; ++i) {
      ASSERT_TRUE(SameBits(y[i], x[i] - std::nearbyint(x[i]))) << x[i];
    }
  }
}

TEST_P(VectorArithmetic, RoundsToIntegersBelow2To31) {
  for (int round = 0; round < kRounds; ++round) {
    F32s x = AnyFloats(random_);
    for (float& value : x.at) value = std::fabs(value) < 0x1p31f ? value : -2.5f;
    I32s y;
    probes_.i32_from_f32(x, y);
    for (size_t i = 0; i < kLanes; ++i) ASSERT_EQ(y[i], std::lrint(x[i])) << x[i];
  }
}

TEST_P(VectorArithmetic, IntegersBecomeTheNearestFloats) {
  for (int round = 0; round < kRounds; ++round) {
    const I32s x = AnyInts(random_);
    F32s y;
    probes_.f32_from_i32(x, y);
    for (size_t i = 0; i < kLanes; ++i) ASSERT_TRUE(SameBits(y[i], static_cast<float>(x[i])));
  }
}

TEST_P(VectorArithmetic, ScalingByAPowerOfTwoRoundsOnce) {
  for (int round = 0; round < kRounds; ++round) {
    F32s x, y;
    I32s n;
    for (size_t i = 0; i < kLanes; ++i) {
      x.at[i] = std::ldexp(static_cast<float>(random_.Uniform(1, 2)),
                           static_cast<int>(random_.Int(-20, 19)));
      n.at[i] = static_cast<int32_t>(random_.Int(-200, 200));
      if (random_.Chance(0.1)) n.at[i] = 0, x.at[i] = AnyFloat(random_);
      if (random_.Chance(0.1)) n.at[i] = std::max(-170, AnyInt(random_)), x.at[i] = std::nanf("");
    }
    probes_.scale_by_power_of_2(x, n, y);
    for (size_t i = 0; i < kLanes; ++i) {
      ASSERT_TRUE(SameBits(y[i], std::ldexp(x[i], n[i]))) << x[i] << " * 2^" << n[i];
    }
    for (float& number : x.at) number = std::fabs(number);
    probes_.scale_positive_by_power_of_2(x, n, y);
    for (size_t i = 0; i < kLanes; ++i) {
      ASSERT_TRUE(SameBits(y[i], std::ldexp(x[i], n[i]))) << x[i] << " * 2^" << n[i];
    }
  }
}

TEST_P(VectorArithmetic, NeighboursChangePlaces) {
  F32s x, y;
  for (size_t i = 0; i < kLanes; ++i) x.at[i] = static_cast<float>(i);
  probes_.swap_neighbours(x, y);
  for (size_t i = 0; i < kLanes; ++i) EXPECT_EQ(y[i], static_cast<float>(i ^ 1));
}

TEST_P(VectorArithmetic, IntegersWrapAround) {
  const auto wide = [](int32_t x) { return static_cast<uint32_t>(x); };
  ExpectBinary(probes_.add_i32, [&](int32_t a, int32_t b) { return wide(a) + wide(b); });
  ExpectBinary(probes_.sub_i32, [&](int32_t a, int32_t b) { return wide(a) - wide(b); });
  ExpectBinary(probes_.mul_i32, [&](int32_t a, int32_t b) { return wide(a) * wide(b); });
  ExpectBinary(probes_.min_i32, [](int32_t a, int32_t b) { return std::min(a, b); });
  ExpectBinary(probes_.max_i32, [](int32_t a, int32_t b) { return std::max(a, b); });
  ExpectBinary(probes_.and_i32, [](int32_t a, int32_t b) { return a & b; });
  ExpectBinary(probes_.or_i32, [](int32_t a, int32_t b) { return a | b; });
  ExpectBinary(probes_.xor_i32, [](int32_t a, int32_t b) { return a ^ b; });
}

TEST_P(VectorArithmetic, WideProductsHaveBothHalves) {
  for (int round = 0; round < kRounds; ++round) {
    const I32s a = AnyInts(random_), b = AnyInts(random_);
    I32s low, high;
    probes_.mul_wide(a, b, low, high);
    for (size_t i = 0; i < kLanes; ++i) {
      const uint64_t exact = uint64_t{static_cast<uint32_t>(a[i])} * static_cast<uint32_t>(b[i]);
      ASSERT_EQ(static_cast<uint32_t>(low[i]), static_cast<uint32_t>(exact));
      ASSERT_EQ(static_cast<uint32_t>(high[i]), static_cast<uint32_t>(exact >> 32));
    }
  }
}

// The answers that come with Random123, each in every lane.
TEST_P(VectorArithmetic, PhiloxGivesItsPublishedAnswers) {
  struct Answer {
    uint64_t low, high, key;
    uint32_t words[4];
  };
  const Answer answers[] = {
      {0, 0, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {UINT64_MAX, UINT64_MAX, UINT64_MAX, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {0x85a308d3243f6a88,
       0x0370734413198a2e,
       0x299f31d0a4093822,
       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
  };
  for (const Answer& answer : answers) {
    for (size_t lane = 0; lane < kLanes; ++lane) {
      uint64_t low[kLanes] = {}, high[kLanes] = {};
      low[lane] = answer.low;
      high[lane] = answer.high;
      int32_t words[4 * kLanes];
      probes_.philox(low, high, answer.key, words);
      for (size_t k = 0; k < 4; ++k) {
        ASSERT_EQ(static_cast<uint32_t>(words[4 * lane + k]), answer.words[k]) << lane;
      }
    }
  }
}

TEST_P(VectorArithmetic, ShiftsFillWithZeros) {
  for (int round = 0; round < kRounds; ++round) {
    const I32s x = AnyInts(random_);
    I32s left, right;
    probes_.shift_i32(x, left, right);
    for (size_t i = 0; i < kLanes; ++i) {
      const auto bits = static_cast<uint32_t>(x[i]);
      ASSERT_EQ(static_cast<uint32_t>(left[i]), bits << 5);
      ASSERT_EQ(static_cast<uint32_t>(right[i]), bits >> 5);
    }
  }
}

TEST_P(VectorArithmetic, ShortAndByteLanes) {
  for (int round = 0; round < kRounds; ++round) {
    Vector<int16_t, 32> a, b, both, larger;
    for (size_t i = 0; i < 32; ++i) {
      a.at[i] = static_cast<int16_t>(AnyInt(random_));
      b.at[i] = static_cast<int16_t>(AnyInt(random_));
    }
    probes_.and_i16(a, b, both);
    probes_.max_i16(a, b, larger);
    for (size_t i = 0; i < 32; ++i) {
      ASSERT_EQ(both[i], a[i] & b[i]);
      ASSERT_EQ(larger[i], std::max(a[i], b[i]));
    }
    Vector<int8_t, 64> x, y, flipped;
    for (size_t i = 0; i < 64; ++i) {
      x.at[i] = static_cast<int8_t>(AnyInt(random_));
      y.at[i] = static_cast<int8_t>(AnyInt(random_));
    }
    probes_.xor_i8(x, y, flipped);
    for (size_t i = 0; i < 64; ++i) ASSERT_EQ(flipped[i], x[i] ^ y[i]);
  }
}

TEST_P(VectorArithmetic, ComparisonsAreFalseForNan) {
  for (int round = 0; round < kRounds; ++round) {
    const F32s a = AnyFloats(random_);
    F32s b = AnyFloats(random_);
    for (size_t i = 0; i < kLanes; i += 3) b.at[i] = a[i];
    ExpectBits(probes_.less(a, b), a, b, [](float x, float y) { return x < y; });
    ExpectBits(probes_.less_equal(a, b), a, b, [](float x, float y) { return x <= y; });
    ExpectBits(probes_.equal(a, b), a, b, [](float x, float y) { return x == y; });
    const I32s c = AnyInts(random_), d = AnyInts(random_);
    ExpectBits(probes_.less_i32(c, d), c, d, [](int32_t x, int32_t y) { return x < y; });
    ExpectBits(probes_.equal_i32(c, d), c, d, [](int32_t x, int32_t y) { return x == y; });
  }
}

TEST_P(VectorArithmetic, MasksCombine) {
  for (int round = 0; round < kRounds; ++round) {
    const F32s a = AnyFloats(random_), b = round % 8 == 0 ? a : AnyFloats(random_);
    const uint32_t less = probes_.less(a, b), equal = probes_.equal(a, b);
    uint32_t out[4];
    probes_.mask_logic(a, b, out);
    ASSERT_EQ(out[0], less & ~equal);
    ASSERT_EQ(out[1], less | equal);
    ASSERT_EQ(out[2], ~less & 0xffffu);
    ASSERT_EQ(out[3], less != 0 ? 1u : 0u);
  }
  for (size_t n = 0; n <= kLanes; ++n) EXPECT_EQ(probes_.first_n(n), (1u << n) - 1);
  // Any() must see every lane.
  for (size_t lane = 0; lane < kLanes; ++lane) {
    F32s a, b;
    b.at[lane] = 1.0f;
    uint32_t out[4];
    probes_.mask_logic(a, b, out);
    EXPECT_EQ(out[3], 1u) << lane;
  }
}

TEST_P(VectorArithmetic, SelectsByLane) {
  for (int round = 0; round < kRounds; ++round) {
    const F32s a = AnyFloats(random_), b = AnyFloats(random_), yes = AnyFloats(random_),
               no = AnyFloats(random_);
    F32s y;
    probes_.select_less(a, b, yes, no, y);
    for (size_t i = 0; i < kLanes; ++i) ASSERT_TRUE(SameBits(y[i], a[i] < b[i] ? yes[i] : no[i]));
    const I32s c = AnyInts(random_), d = AnyInts(random_), one = AnyInts(random_),
               other = AnyInts(random_);
    I32s z;
    probes_.select_less_i32(c, d, one, other, z);
    for (size_t i = 0; i < kLanes; ++i) ASSERT_EQ(z[i], c[i] < d[i] ? one[i] : other[i]);
  }
}

TEST_P(VectorArithmetic, BitsOfFloats) {
  const F32s x = AnyFloats(random_);
  I32s bits;
  F32s y;
  probes_.bits_and_back(x, bits, y);
  for (size_t i = 0; i < kLanes; ++i) {
    EXPECT_EQ(bits[i], std::bit_cast<int32_t>(x[i]));
    EXPECT_TRUE(SameBits(y[i], x[i]));
  }
}

// Lane i with lane i + half, halving.
template <class T, size_t kCount, class Fn>
T Tree(Vector<T, kCount> v, Fn combine) {
  for (size_t half = kCount / 2; half > 0; half /= 2) {
    for (size_t i = 0; i < half; ++i) v.at[i] = combine(v[i], v[i + half]);
  }
  return v[0];
}

TEST_P(VectorArithmetic, ReductionsFollowTheStatedOrder) {
  for (int round = 0; round < kRounds; ++round) {
    const F32s x = AnyFloats(random_);
    ASSERT_TRUE(SameBits(probes_.sum(x), Tree(x, [](float a, float b) { return a + b; })));
    Vector<double, kLanes> wide;
    for (size_t i = 0; i < kLanes; ++i) wide.at[i] = double{x[i]};
    ASSERT_TRUE(SameBits(probes_.product(x), Tree(wide, [](double a, double b) { return a * b; })));
    ASSERT_TRUE(
        SameBits(probes_.max_of(x), Tree(x, [](float a, float b) { return a > b ? a : b; })));
    ASSERT_TRUE(
        SameBits(probes_.min_of(x), Tree(x, [](float a, float b) { return a < b ? a : b; })));
    const I32s n = AnyInts(random_);
    int64_t sum = 0;
    for (int32_t value : n.at) sum += value;
    ASSERT_EQ(probes_.sum_i32(n), static_cast<int32_t>(sum));
    ASSERT_EQ(probes_.max_of_i32(n), *std::max_element(n.at, n.at + kLanes));
    Vector<int16_t, 32> s;
    for (int16_t& value : s.at) value = static_cast<int16_t>(AnyInt(random_));
    ASSERT_EQ(probes_.max_of_i16(s), *std::max_element(s.at, s.at + 32));
  }
}

TEST_P(VectorArithmetic, ByteDotProductsAreExact) {
  for (int round = 0; round < kRounds; ++round) {
    const I32s sum = AnyInts(random_);
    Vector<uint8_t, 64> u;
    Vector<int8_t, 64> s;
    for (size_t i = 0; i < 64; ++i) {
      u.at[i] = round < 8 ? 255 : static_cast<uint8_t>(AnyInt(random_));
      s.at[i] = round < 4 ? -128 : round < 8 ? 127 : static_cast<int8_t>(AnyInt(random_));
    }
    I32s y;
    probes_.dot_u8_i8(sum, u, s, y);
    for (size_t i = 0; i < kLanes; ++i) {
      int64_t expected = sum[i];
      for (size_t j = 4 * i; j < 4 * i + 4; ++j) expected += int{u[j]} * int{s[j]};
      ASSERT_EQ(y[i], static_cast<int32_t>(expected));
    }
  }
}

TEST_P(VectorArithmetic, Bf16DotProductsAreCloseToExact) {
  for (int round = 0; round < kRounds; ++round) {
    F32s sum, y;
    Vector<uint16_t, 32> a, b;
    for (float& value : sum.at) value = static_cast<float>(random_.Normal(0, 1));
    for (size_t i = 0; i < 32; ++i) {
      const auto bits = [&] {
        const auto value = static_cast<float>(random_.Normal(0, 1));
        return static_cast<uint16_t>(std::bit_cast<uint32_t>(value) >> 16);
      };
      a.at[i] = bits();
      b.at[i] = bits();
    }
    const auto value = [](uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); };
    probes_.dot_bf16(sum, a, b, y);
    for (size_t i = 0; i < kLanes; ++i) {
      double exact = sum[i], magnitude = std::fabs(sum[i]);
      for (size_t j = 2 * i; j < 2 * i + 2; ++j) {
        const double product = double{value(a[j])} * double{value(b[j])};
        exact += product;
        magnitude += std::fabs(product);
      }
      // Three roundings at most, each of an intermediate no larger than the sum of magnitudes.
      ASSERT_NEAR(y[i], exact, 3 * magnitude * 0x1p-24);
    }
  }
}

}  // namespace
}  // namespace anyacl::test
