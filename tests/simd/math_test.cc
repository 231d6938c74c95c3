// SPDX-License-Identifier: Apache-2.0
// Error bounds of simd/math.h against double precision, and the same bits on every tier. The tests
// step through the floats; with ANYACL_LONG_TESTS=1 they visit all of them.
#include <algorithm>
#include <cstdlib>

#include "simd/tiers.h"

namespace anyacl::test {
namespace {

// In units of the spacing of floats at `exact`.
double UlpError(float actual, double exact) {
  const int exponent = std::max(std::ilogb(exact), -126);
  return std::fabs(actual - exact) / std::ldexp(1.0, exponent - 23);
}

class VectorMath : public TierTest {
 protected:
  template <class Fn>
  void ExpectWithin(double bound, Probes::F32Unary Probes::*function, Fn reference) {
    // A prime, so that mantissas vary from one exponent to the next.
    const bool all = std::getenv("ANYACL_LONG_TESTS") != nullptr;
    const uint64_t step = all ? 1 : 4099;
    const Probes& base = ProbesOf(IsaTier::kBase);
    double worst = 0;
    for (uint64_t bits = 0; bits <= UINT32_MAX; bits += step * kLanes) {
      F32s x, y, y_base;
      for (size_t i = 0; i < kLanes; ++i) {
        x.at[i] = std::bit_cast<float>(static_cast<uint32_t>(bits + i * step));
      }
      (probes_.*function)(x, y);
      (base.*function)(x, y_base);
      for (size_t i = 0; i < kLanes; ++i) {
        ASSERT_TRUE(SameBits(y[i], y_base[i])) << "against base, of " << std::hexfloat << x[i];
        const double exact = reference(static_cast<double>(x[i]));
        if (std::isnan(exact)) {
          ASSERT_TRUE(std::isnan(y[i])) << x[i];
          continue;
        }
        // Above the largest float by half a step or more, infinity is the rounded result.
        if (std::fabs(exact) >= 0x1.ffffffp127) {
          ASSERT_TRUE(std::isinf(y[i])) << x[i];
          continue;
        }
        if (exact == 0) {
          ASSERT_EQ(y[i], 0.0f) << x[i];
          continue;
        }
        const double error = UlpError(y[i], exact);
        ASSERT_LE(error, bound) << std::hexfloat << x[i] << " gives " << y[i] << ", expected "
                                << exact;
        worst = std::max(worst, error);
      }
    }
    RecordProperty("worst_ulp", std::to_string(worst));
    std::printf("worst error %.3f ulp\n", worst);
  }
};
ANYACL_FOR_EACH_TIER(VectorMath);

TEST_P(VectorMath, ExpIsWithinOneUlp) {
  ExpectWithin(1.0, &Probes::exp, [](double x) { return std::exp(x); });
}

TEST_P(VectorMath, SiluIsWithinThreeUlp) {
  ExpectWithin(3.0, &Probes::silu, [](double x) {
    if (std::isinf(x)) return x > 0 ? x : -0.0;
    return x / (1 + std::exp(-x));
  });
}

TEST_P(VectorMath, SqrtIsRounded) {
  ExpectWithin(0.5, &Probes::sqrt, [](double x) { return std::sqrt(x); });
}

TEST_P(VectorMath, LogIsWithinOneUlp) {
  ExpectWithin(1.0, &Probes::log, [](double x) { return std::log(x); });
}

TEST_P(VectorMath, SigmoidIsWithinThreeUlp) {
  ExpectWithin(3.0, &Probes::sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); });
}

TEST_P(VectorMath, TanhIsWithinTwoAndAHalfUlp) {
  ExpectWithin(2.5, &Probes::tanh, [](double x) { return std::tanh(x); });
}

TEST_P(VectorMath, SinAndCosAreWithinTwoUlp) {
  ExpectWithin(2.0, &Probes::sin, [](double x) { return std::sin(x); });
  ExpectWithin(2.0, &Probes::cos, [](double x) { return std::cos(x); });
}

// Close to multiples of pi / 2, where most bits of the quotient cancel.
TEST_P(VectorMath, SinAndCosHoldNearTheirZeros) {
  for (int exponent = 0; exponent < 128; ++exponent) {
    F32s x, sine, cosine;
    for (size_t i = 0; i < kLanes; ++i) {
      const double n = std::round(std::ldexp(random_.Uniform(1, 2), exponent) / M_PI_2);
      x[i] = static_cast<float>(n * M_PI_2);
    }
    probes_.sin(x, sine);
    probes_.cos(x, cosine);
    for (size_t i = 0; i < kLanes; ++i) {
      if (std::isinf(x[i])) continue;
      const double exact_sine = std::sin(static_cast<double>(x[i]));
      const double exact_cosine = std::cos(static_cast<double>(x[i]));
      EXPECT_LE(UlpError(sine[i], exact_sine), 2.0) << std::hexfloat << x[i];
      EXPECT_LE(UlpError(cosine[i], exact_cosine), 2.0) << std::hexfloat << x[i];
    }
  }
}

// 2u = 1.6 (x + 0.045 x^3): see the comment at GeluTanh.
TEST_P(VectorMath, GeluIsWithinItsBound) {
  const Probes& base = ProbesOf(IsaTier::kBase);
  for (uint64_t bits = 0; bits <= UINT32_MAX; bits += 4099 * kLanes) {
    F32s x, y, y_base;
    for (size_t i = 0; i < kLanes; ++i) {
      x[i] = std::bit_cast<float>(static_cast<uint32_t>(bits + i * 4099));
    }
    probes_.gelu_tanh(x, y);
    base.gelu_tanh(x, y_base);
    for (size_t i = 0; i < kLanes; ++i) {
      ASSERT_TRUE(SameBits(y[i], y_base[i])) << std::hexfloat << x[i];
      const double v = x[i];
      if (std::isnan(v)) {
        ASSERT_TRUE(std::isnan(y[i]));
        continue;
      }
      const double twice = 2 * std::sqrt(2 / M_PI) * (v + 0.044715 * v * v * v);
      const double exact = v == -INFINITY ? 0 : v / (1 + std::exp(-twice));
      if (std::isinf(v) || exact == 0) {
        ASSERT_EQ(y[i], static_cast<float>(exact)) << v;
        continue;
      }
      const double allowed = 3 + (twice < 0 ? -twice * 4 : 0);
      ASSERT_LE(UlpError(y[i], exact), allowed) << std::hexfloat << x[i];
    }
  }
}

TEST_P(VectorMath, PowIsWithinThreeUlp) {
  const Probes& base = ProbesOf(IsaTier::kBase);
  const float inf = INFINITY;
  const std::vector<float> special = {0,      -0.0f,   1,  -1,  2,     -2,  0.5f,
                                      -0.5f,  3,       -3, inf, -inf,  NAN, 1e30f,
                                      1e-40f, -1e-40f, 7,  -7,  1e-30f};
  double worst = 0;
  for (int round = 0; round < 20000; ++round) {
    F32s x, y, z, z_base;
    for (size_t i = 0; i < kLanes; ++i) {
      const bool odd = round % 4 == 0;
      x[i] = odd              ? random_.Pick(special)
             : round % 4 == 1 ? AnyFloat(random_)
                              : static_cast<float>(std::exp(random_.Uniform(-5, 5)));
      y[i] = round % 8 == 0 ? random_.Pick(special) : static_cast<float>(random_.Uniform(-20, 20));
      if (round % 4 == 3) {
        x[i] = static_cast<float>(random_.Uniform(0.9, 1.1));
        y[i] = static_cast<float>(random_.Uniform(-900, 900));
      }
    }
    probes_.pow(x, y, z);
    base.pow(x, y, z_base);
    for (size_t i = 0; i < kLanes; ++i) {
      ASSERT_TRUE(SameBits(z[i], z_base[i])) << std::hexfloat << x[i] << " to " << y[i];
      const double exact = std::pow(static_cast<double>(x[i]), static_cast<double>(y[i]));
      const auto rounded = static_cast<float>(exact);
      if (std::isnan(exact) || exact == 0 || std::isinf(rounded)) {
        ASSERT_TRUE(SameBits(z[i], rounded)) << std::hexfloat << x[i] << " to " << y[i];
        continue;
      }
      worst = std::max(worst, UlpError(z[i], exact));
      ASSERT_LE(UlpError(z[i], exact), 3.0) << std::hexfloat << x[i] << " to " << y[i];
    }
  }
  std::printf("worst error %.3f ulp\n", worst);
}

TEST_P(VectorMath, PowersAndLogarithmsAreWithinTheirBounds) {
  ExpectWithin(1.5, &Probes::exp2, [](double x) { return std::exp2(x); });
  ExpectWithin(2.0, &Probes::expm1, [](double x) { return std::expm1(x); });
  ExpectWithin(1.0, &Probes::log2, [](double x) { return std::log2(x); });
  ExpectWithin(1.0, &Probes::log10, [](double x) { return std::log10(x); });
  ExpectWithin(2.0, &Probes::log1p, [](double x) { return std::log1p(x); });
  ExpectWithin(3.0, &Probes::softplus, [](double x) {
    return std::isnan(x) ? x : std::fmax(x, 0) + std::log1p(std::exp(-std::fabs(x)));
  });
}

TEST_P(VectorMath, CircularFunctionsAreWithinTheirBounds) {
  ExpectWithin(4.0, &Probes::tan, [](double x) { return std::tan(x); });
  ExpectWithin(2.0, &Probes::asin, [](double x) { return std::asin(x); });
  ExpectWithin(2.0, &Probes::acos, [](double x) { return std::acos(x); });
  ExpectWithin(2.0, &Probes::atan, [](double x) { return std::atan(x); });
  ExpectWithin(4.0, &Probes::sinc, [](double x) {
    if (x == 0 || std::isnan(x) || std::isinf(x)) return x == 0 ? 1 : std::nan("");
    const double whole = std::round(x), sine = std::sin(M_PI * (x - whole)) / (M_PI * x);
    return std::fmod(whole, 2) == 0 ? sine : -sine;
  });
}

TEST_P(VectorMath, HyperbolicFunctionsAreWithinTheirBounds) {
  ExpectWithin(2.0, &Probes::sinh, [](double x) { return std::sinh(x); });
  ExpectWithin(2.0, &Probes::cosh, [](double x) { return std::cosh(x); });
  ExpectWithin(3.0, &Probes::asinh, [](double x) { return std::asinh(x); });
  ExpectWithin(3.0, &Probes::acosh, [](double x) { return std::acosh(x); });
  ExpectWithin(3.0, &Probes::atanh, [](double x) { return std::atanh(x); });
}

TEST_P(VectorMath, ErrorFunctionsAreWithinTheirBounds) {
  ExpectWithin(1.5, &Probes::erf, [](double x) { return std::erf(x); });
  ExpectWithin(4.0, &Probes::erfc, [](double x) { return std::erfc(x); });
  // Its inverse by bisection, where erf tells numbers apart.
  ExpectWithin(6.0, &Probes::erfinv, [](double x) {
    if (!(std::fabs(x) <= 1)) return std::nan("");
    if (std::fabs(x) == 1) return x * INFINITY;
    if (std::fabs(x) < 1e-6) return x * (std::sqrt(M_PI) / 2);
    double low = 0, high = 6;
    for (int i = 0; i < 52; ++i) {
      const double middle = (low + high) / 2;
      (std::erfc(middle) > 1 - std::fabs(x) ? low : high) = middle;
    }
    return std::copysign((low + high) / 2, x);
  });
}

TEST_P(VectorMath, RoundingIsExact) {
  ExpectWithin(0.0, &Probes::floor, [](double x) { return std::floor(x); });
  ExpectWithin(0.0, &Probes::ceil, [](double x) { return std::ceil(x); });
  ExpectWithin(0.0, &Probes::trunc, [](double x) { return std::trunc(x); });
}

TEST_P(VectorMath, DivisionWithRemainderIsThatOfTheLibrary) {
  const Probes& base = ProbesOf(IsaTier::kBase);
  const float inf = INFINITY;
  const std::vector<float> special = {0,   -0.0f, 1,     -1,     2,       0.5f,   -3,
                                      inf, -inf,  1e30f, 1e-40f, 0x1p24f, 1e-30f, 0.1f};
  for (int round = 0; round < 20000; ++round) {
    F32s a, b, r, same, whole;
    for (size_t i = 0; i < kLanes; ++i) {
      const bool odd = round % 4 == 0;
      a[i] = odd ? random_.Pick(special) : static_cast<float>(random_.Uniform(-900, 900));
      b[i] = odd ? random_.Pick(special) : static_cast<float>(random_.Uniform(-9, 9));
      // Multiples, where the quotient is whole or next to it.
      if (round % 4 == 1) a[i] = b[i] * std::round(a[i]);
      if (round % 4 == 2) b[i] = AnyFloat(random_);
    }
    probes_.fmod(a, b, r);
    probes_.remainder(a, b, same);
    probes_.floor_divide(a, b, whole);
    F32s whole_base;
    base.floor_divide(a, b, whole_base);
    for (size_t i = 0; i < kLanes; ++i) {
      const float exact = std::fmod(a[i], b[i]);
      ASSERT_TRUE(SameBits(r[i], exact)) << std::hexfloat << a[i] << " by " << b[i];
      const bool moved = exact != 0 && (exact < 0) != (b[i] < 0);
      ASSERT_TRUE(SameBits(same[i], moved ? exact + b[i] : exact)) << a[i] << " by " << b[i];
      ASSERT_TRUE(SameBits(whole[i], whole_base[i])) << std::hexfloat << a[i] << " by " << b[i];
      const double quotient = std::floor(static_cast<double>(a[i]) / b[i]);
      if (b[i] == 0 || !(std::fabs(quotient) < 1e6) || std::isinf(b[i])) continue;
      ASSERT_EQ(whole[i], quotient) << std::hexfloat << a[i] << " by " << b[i];
    }
  }
}

TEST_P(VectorMath, AnglesOfPointsAreWithinThreeUlp) {
  const Probes& base = ProbesOf(IsaTier::kBase);
  const float inf = INFINITY;
  const std::vector<float> special = {0, -0.0f, 1, -1, inf, -inf, NAN, 3e38f, -3e38f, 1e-40f, 2};
  for (int round = 0; round < 20000; ++round) {
    F32s y, x, angle, angle_base;
    for (size_t i = 0; i < kLanes; ++i) {
      y[i] = round % 2 == 0 ? random_.Pick(special) : AnyFloat(random_);
      x[i] = round % 4 < 2 ? random_.Pick(special) : AnyFloat(random_);
    }
    probes_.atan2(y, x, angle);
    base.atan2(y, x, angle_base);
    for (size_t i = 0; i < kLanes; ++i) {
      ASSERT_TRUE(SameBits(angle[i], angle_base[i])) << std::hexfloat << y[i] << ", " << x[i];
      const double exact = std::atan2(static_cast<double>(y[i]), static_cast<double>(x[i]));
      if (std::isnan(exact) || exact == 0) {
        ASSERT_TRUE(SameBits(angle[i], static_cast<float>(exact))) << y[i] << ", " << x[i];
        continue;
      }
      ASSERT_LE(UlpError(angle[i], exact), 3.0) << std::hexfloat << y[i] << ", " << x[i];
    }
  }
}

}  // namespace
}  // namespace anyacl::test
