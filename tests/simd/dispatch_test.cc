// SPDX-License-Identifier: Apache-2.0
// Choice of the tier, and the kernels of each tier of this machine.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "kernels.h"
#include "simd/tiers.h"

namespace anyacl::test {
namespace {

TEST(Dispatch, TakesTheBestTierWithoutARequest) {
  EXPECT_EQ(ChooseTier(nullptr), BestTier());
  EXPECT_EQ(ChooseTier(""), BestTier());
}

TEST(Dispatch, TakesEachTierOfThisMachineByName) {
  for (IsaTier tier : TiersHere()) {
    EXPECT_EQ(ChooseTier(std::string(NameOf(tier)).c_str()), tier) << NameOf(tier);
  }
}

TEST(Dispatch, WarnsAndTakesTheBestTierIfThereIsNoSuch) {
  EXPECT_EQ(ChooseTier("avx3"), BestTier());
  EXPECT_EQ(ChooseTier("AVX2"), BestTier());
  EXPECT_EQ(ChooseTier("avx2 "), BestTier());
  for (IsaTier tier : kIsaTiers) {
    if (!CpuSupports(tier)) {
      EXPECT_EQ(ChooseTier(std::string(NameOf(tier)).c_str()), BestTier()) << NameOf(tier);
    }
  }
}

TEST(Dispatch, EveryTierOfThisMachineIsBuilt) {
  for (IsaTier tier : TiersHere()) EXPECT_NE(KernelsOf(tier), nullptr) << NameOf(tier);
  EXPECT_TRUE(CpuSupports(IsaTier::kBase));
}

TEST(Dispatch, FollowsTheEnvironment) {
  const char* request = std::getenv("ANYACL_ISA");
  IsaTier expected = BestTier();
  for (IsaTier tier : TiersHere()) {
    if (request != nullptr && NameOf(tier) == request) expected = tier;
  }
  EXPECT_EQ(&Kernels(), KernelsOf(expected));
}

class MaxMagnitude : public testing::TestWithParam<IsaTier> {};
ANYACL_FOR_EACH_TIER(MaxMagnitude);

TEST_P(MaxMagnitude, IsThatOfTheBitsWithoutSign) {
  const auto max_magnitude = KernelsOf(GetParam())->max_magnitude16;
  Random random(SeedOr(21));
  const GuardedBytes memory;
  for (size_t n = 0; n < 300; ++n) {
    uint16_t* x = memory.Last<uint16_t>(n);
    for (int round = 0; round < 10; ++round) {
      uint16_t expected = 0;
      for (size_t i = 0; i < n; ++i) {
        x[i] = static_cast<uint16_t>(random.Int(0, round % 2 == 0 ? 0xffff : 0x3c00));
        expected = std::max(expected, static_cast<uint16_t>(x[i] & 0x7fff));
      }
      ASSERT_EQ(max_magnitude(x, n), expected) << n;
    }
  }
}

}  // namespace
}  // namespace anyacl::test
