// SPDX-License-Identifier: Apache-2.0
// What the cache of prepared calls forgets.
#include <gtest/gtest.h>

#include "nnop/call_cache.h"

namespace anyacl {
namespace {

TEST(CallCacheLimitTest, WhatWasNotUsedForHalfTheLimitGoes) {
  CallCache cache(4);
  const auto keep = [&](const char* key) { cache.Keep(key, std::make_shared<PreparedCall>()); };
  keep("a");
  keep("b");
  keep("c");  // a and b are the older ones now
  const auto a = cache.Find("a");
  ASSERT_NE(a, nullptr);
  keep("d");  // c and a are
  EXPECT_EQ(cache.Find("b"), nullptr);
  EXPECT_EQ(cache.Find("a"), a);
  EXPECT_NE(cache.Find("c"), nullptr);
  EXPECT_NE(cache.Find("d"), nullptr);
  for (int i = 0; i < 100; ++i) keep(std::to_string(i).c_str());
  EXPECT_EQ(cache.Find("a"), nullptr);
  EXPECT_EQ(cache.Find("95"), nullptr);
  EXPECT_NE(cache.Find("98"), nullptr);
  EXPECT_NE(cache.Find("99"), nullptr);
}

TEST(CallCacheLimitTest, ALaterCallOfAKeyTakesItsPlace) {
  CallCache cache(4);
  const auto first = std::make_shared<PreparedCall>(), second = std::make_shared<PreparedCall>();
  cache.Keep("a", first);
  cache.Keep("a", second);
  EXPECT_EQ(cache.Find("a"), second);
}

TEST(CallCacheLimitTest, OfNoneNothingIsKept) {
  CallCache cache(0);
  EXPECT_FALSE(cache.is_used());
  cache.Keep("a", std::make_shared<PreparedCall>());
  EXPECT_EQ(cache.Find("a"), nullptr);
}

}  // namespace
}  // namespace anyacl
