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

// vdpbf16ps takes four times as long as a multiply-add of fp32 on Intel's vector units.
TEST(Dispatch, LeavesSlowInstructionsAlone) {
#if defined(__x86_64__)
  if (!CpuSupports(IsaTier::kAvx512Bf16) || CpuSupports(IsaTier::kAmx)) GTEST_SKIP();
  __builtin_cpu_init();
  EXPECT_EQ(BestTier(), __builtin_cpu_is("intel") ? IsaTier::kAvx512 : IsaTier::kAvx512Bf16);
#endif
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

// cmake/isa.cmake, which compiles the kernels, and base/tiers.h, which finds them.
TEST(Dispatch, TheTiersOfTheBuildAreThoseOfTheList) {
  std::string built;
  for (IsaTier tier : kIsaTiers) {
    if (KernelsOf(tier) == nullptr) continue;
    if (!built.empty()) built += ' ';
    built += NameOf(tier);
  }
  EXPECT_EQ(built, ANYACL_BUILT_TIERS);
}

TEST(Dispatch, FollowsTheEnvironment) {
  const char* request = std::getenv("ANYACL_ISA");
  IsaTier expected = BestTier();
  for (IsaTier tier : TiersHere()) {
    if (request != nullptr && NameOf(tier) == request) expected = tier;
  }
  EXPECT_EQ(&Kernels(), KernelsOf(expected));
}

}  // namespace
}  // namespace anyacl::test
