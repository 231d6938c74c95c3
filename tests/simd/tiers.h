// SPDX-License-Identifier: Apache-2.0
// Tests of the vector layer run once per tier that this machine has.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "base/cpu.h"
#include "simd/probes.h"
#include "support/random.h"

namespace anyacl::test {

inline constexpr size_t kLanes = 16;

// Of a tier of this architecture.
const Probes& ProbesOf(IsaTier of);

inline std::vector<IsaTier> TiersHere() {
  std::vector<IsaTier> tiers;
  for (IsaTier tier : kIsaTiers) {
    if (CpuSupports(tier)) tiers.push_back(tier);
  }
  return tiers;
}

class TierTest : public testing::TestWithParam<IsaTier> {
 protected:
  TierTest() : probes_(ProbesOf(GetParam())), seed_(SeedOr(20)), random_(seed_) {
    RecordProperty("seed", std::to_string(seed_));
  }

  const Probes& probes_;
  const uint64_t seed_;
  Random random_;
};

inline std::string TierName(const testing::TestParamInfo<IsaTier>& info) {
  return std::string(NameOf(info.param));
}

#define ANYACL_FOR_EACH_TIER(suite) \
  INSTANTIATE_TEST_SUITE_P(, suite, testing::ValuesIn(TiersHere()), TierName)

// The same bits; of NaN neither sign nor payload counts.
template <class T>
testing::AssertionResult SameBits(T actual, T expected) {
  if (std::isnan(actual) && std::isnan(expected)) return testing::AssertionSuccess();
  if (actual == expected && std::signbit(actual) == std::signbit(expected)) {
    return testing::AssertionSuccess();
  }
  char text[100];
  std::snprintf(text, sizeof(text), "%a (%.9g), expected %a (%.9g)", static_cast<double>(actual),
                static_cast<double>(actual), static_cast<double>(expected),
                static_cast<double>(expected));
  return testing::AssertionFailure() << text;
}

// One vector, aligned as StorePastCaches() asks.
template <class T, size_t kCount>
struct alignas(64) Vector {
  T at[kCount] = {};
  operator T*() { return at; }
  operator const T*() const { return at; }
};
using F32s = Vector<float, kLanes>;
using I32s = Vector<int32_t, kLanes>;

// Numbers of all sizes: corner cases, halves, random bit patterns.
float AnyFloat(Random& random);
int32_t AnyInt(Random& random);
F32s AnyFloats(Random& random);
I32s AnyInts(Random& random);

}  // namespace anyacl::test
