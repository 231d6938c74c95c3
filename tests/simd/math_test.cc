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

}  // namespace
}  // namespace anyacl::test
