// SPDX-License-Identifier: Apache-2.0
// What the cache of prepared calls forgets.
#include <gtest/gtest.h>

#include "nnop/call_cache.h"

namespace anyacl {
namespace {

TEST(CallCacheLimitTest, WhatWasNotUsedForHalfTheLimitGoes) {
  CallCache cache(4);
  const auto keep = [&](const char* key) {
    for (int i = 0; i < 2; ++i) cache.Keep(key, std::make_shared<PreparedCall>());
  };
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

TEST(CallCacheLimitTest, TheSecondCallOfAKeyIsKeptAndALaterOneTakesItsPlace) {
  CallCache cache(4);
  const auto first = std::make_shared<PreparedCall>(), second = std::make_shared<PreparedCall>();
  cache.Keep("a", first);
  EXPECT_EQ(cache.Find("a"), nullptr);
  cache.Keep("a", first);
  EXPECT_EQ(cache.Find("a"), first);
  cache.Keep("a", second);
  EXPECT_EQ(cache.Find("a"), second);
}

// Of those that come once in between, as seeds make them.
TEST(CallCacheLimitTest, WhatComesAgainIsKeptAmongManyOthers) {
  CallCache cache(10'000);
  const auto call = std::make_shared<PreparedCall>();
  for (int step = 0; step < 4; ++step) {
    for (int i = 0; i < 2000; ++i) {
      cache.Keep(std::to_string(i), call);
      cache.Keep("once" + std::to_string(step * 2000 + i), call);
    }
  }
  for (int i = 0; i < 2000; ++i) EXPECT_NE(cache.Find(std::to_string(i)), nullptr) << i;
  for (int i = 0; i < 8000; ++i) EXPECT_EQ(cache.Find("once" + std::to_string(i)), nullptr) << i;
}

TEST(CallCacheLimitTest, OfNoneNothingIsKept) {
  CallCache cache(0);
  EXPECT_FALSE(cache.is_used());
  cache.Keep("a", std::make_shared<PreparedCall>());
  EXPECT_EQ(cache.Find("a"), nullptr);
}

}  // namespace
}  // namespace anyacl
