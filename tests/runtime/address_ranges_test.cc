// SPDX-License-Identifier: Apache-2.0
// Ranges of addresses that merge and split.
#include "runtime/address_ranges.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace anyacl::test {
namespace {

TEST(AddressRangesTest, AdjoiningMappingsAreOneRange) {
  AddressRanges ranges;
  for (uintptr_t i = 0; i < 8192; ++i) ranges.Add({100 + i * 10, 110 + i * 10});
  EXPECT_EQ(ranges.count(), 1u);
  EXPECT_EQ(ranges.Find(50000)->begin, 100u);
  EXPECT_EQ(ranges.Find(50000)->end, 100u + 81920);
  EXPECT_FALSE(ranges.Find(99));
  EXPECT_FALSE(ranges.Find(100 + 81920));
}

TEST(AddressRangesTest, ComparesWithASetOfAddresses) {
  std::mt19937 random(7);
  AddressRanges ranges;
  std::set<uintptr_t> all;  // the beginnings of pieces of 4
  for (int step = 0; step < 5000; ++step) {
    const uintptr_t begin = random() % 64 * 4;
    if (all.count(begin) != 0) {
      all.erase(begin);
      ranges.Remove({begin, begin + 4});
    } else {
      all.insert(begin);
      ranges.Add({begin, begin + 4});
    }
    const uintptr_t probe = random() % 260;
    const auto found = ranges.Find(probe);
    ASSERT_EQ(found.has_value(), all.count(probe / 4 * 4) != 0) << step;
    if (!found) continue;
    for (uintptr_t at = found->begin; at < found->end; at += 4) ASSERT_EQ(all.count(at), 1u);
    ASSERT_EQ(all.count(found->begin - 4), 0u);
    ASSERT_EQ(all.count(found->end), 0u);
  }
}

}  // namespace
}  // namespace anyacl::test
