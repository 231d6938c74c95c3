// SPDX-License-Identifier: Apache-2.0
// What the cache of prepared calls forgets.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "nnop/call_cache.h"

namespace anyacl {
namespace {

template <size_t kLimit>
size_t Limit() {
  return kLimit;
}

class CallCacheLimitTest : public ::testing::Test {
 protected:
  using Call = std::shared_ptr<const PreparedCall>;

  // Twice, as a key that comes once is not kept.
  static Call Keep(CallCache& cache, const std::string& key) {
    const auto call = std::make_shared<PreparedCall>();
    for (int i = 0; i < 2; ++i) cache.Keep(key, call);
    return call;
  }
  static Call Find(CallCache& cache, const std::string& key) { return cache.Find(key, {}); }
};

TEST_F(CallCacheLimitTest, WhatWasNotUsedForHalfTheLimitGoes) {
  CallCache cache(Limit<4>);
  const Call a = Keep(cache, "a");
  Keep(cache, "b");
  const Call c = Keep(cache, "c");  // a and b are the older ones now
  EXPECT_EQ(Find(cache, "a"), a);   // and recent again
  const Call d = Keep(cache, "d");  // c and a are the older ones
  EXPECT_EQ(Find(cache, "b"), nullptr);
  EXPECT_EQ(Find(cache, "d"), d);
  EXPECT_EQ(Find(cache, "a"), a);
  EXPECT_EQ(Find(cache, "c"), c);
}

TEST_F(CallCacheLimitTest, NeverAreThereMore) {
  CallCache cache(Limit<4>);
  std::vector<std::string> keys;
  for (int i = 0; i < 50; ++i) {
    keys.push_back(std::to_string(i));
    Keep(cache, keys.back());
    for (int back = 0; back < 3; ++back) {
      int known = 0;
      for (const std::string& key : keys) known += Find(cache, key) != nullptr;
      EXPECT_LE(known, 4) << i;
    }
    EXPECT_NE(Find(cache, keys.back()), nullptr);
  }
}

TEST_F(CallCacheLimitTest, TheSecondCallOfAKeyIsKeptAndALaterOneTakesItsPlace) {
  CallCache cache(Limit<4>);
  const auto first = std::make_shared<PreparedCall>(), second = std::make_shared<PreparedCall>();
  cache.Keep("a", first);
  EXPECT_EQ(Find(cache, "a"), nullptr);
  cache.Keep("a", first);
  EXPECT_EQ(Find(cache, "a"), first);
  cache.Keep("a", second);
  EXPECT_EQ(Find(cache, "a"), second);
}

// Of those that come once in between, as seeds make them.
TEST_F(CallCacheLimitTest, WhatComesAgainIsKeptAmongManyOthers) {
  CallCache cache(Limit<10'000>);
  const auto call = std::make_shared<PreparedCall>();
  for (int step = 0; step < 4; ++step) {
    for (int i = 0; i < 2000; ++i) {
      cache.Keep(std::to_string(i), call);
      cache.Keep("once" + std::to_string(step * 2000 + i), call);
    }
  }
  for (int i = 0; i < 2000; ++i) EXPECT_EQ(Find(cache, std::to_string(i)), call) << i;
  for (int i = 0; i < 8000; ++i) EXPECT_EQ(Find(cache, "once" + std::to_string(i)), nullptr) << i;
}

TEST_F(CallCacheLimitTest, PrivateFormats) {
  CallCache cache(Limit<10>);
  int plain = 0, packed = 0;
  std::vector<void*> addresses = {&plain, &plain};
  const Call other = Keep(cache, "other");
  const auto weights = std::make_shared<PreparedCall>();
  weights->may_have_panels = true;
  for (int i = 0; i < 2; ++i) cache.Keep("weights", weights);
  EXPECT_EQ(cache.Find("weights", addresses), weights);
  cache.NotePrivate(&packed);
  EXPECT_EQ(cache.Find("weights", addresses), nullptr);
  EXPECT_EQ(cache.Find("other", addresses), other);
  addresses[1] = &packed;
  EXPECT_EQ(cache.Find("other", addresses), nullptr);
}

TEST_F(CallCacheLimitTest, WhatOthersTakePartInIsNotKept) {
  CallCache cache(Limit<10>);
  const auto waits = std::make_shared<PreparedCall>();
  waits->kind = TaskKind::kGraph;
  for (int i = 0; i < 3; ++i) cache.Keep("a", waits);
  EXPECT_EQ(Find(cache, "a"), nullptr);
}

TEST_F(CallCacheLimitTest, OfNoneNothingIsKept) {
  CallCache cache(Limit<0>);
  EXPECT_FALSE(cache.is_used());
  Keep(cache, "a");
  EXPECT_EQ(Find(cache, "a"), nullptr);
}

}  // namespace
}  // namespace anyacl
