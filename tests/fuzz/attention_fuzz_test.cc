// SPDX-License-Identifier: Apache-2.0
// Fuzzes FusedInferAttentionScore for five seconds. A failure shows the seed of the call.
#include "fuzz/attention_fuzz.h"

#include <chrono>
#include <map>
#include <random>

#include "support/device_test.h"

namespace anyacl::test {
namespace {

TEST(AttentionFuzz, NoArgumentsCrashOrWriteElsewhere) {
  const uint64_t first = SeedOr(std::random_device{}());
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  std::map<int, int> codes;
  for (uint64_t seed = first; std::chrono::steady_clock::now() < end && !HasFailure(); ++seed) {
    SCOPED_TRACE("ANYACL_TEST_SEED=" + std::to_string(seed));
    Choices choices(seed);
    ++codes[FuzzAttention(choices).code];
  }
  for (const auto& [code, count] : codes) RecordProperty(std::to_string(code), count);
  // A generator that no longer gets through, or no longer breaks anything, proves nothing.
  EXPECT_GT(codes[0], 0);
  EXPECT_GT(codes[561002], 0);
}

// When the generator changes, old inputs mean other calls: the corpus is to be grown again.
TEST(AttentionFuzz, TheCorpusStillReachesWhatItReached) {
  Replay replay = ReplayCorpus("attention", FuzzAttention);
  RecordProperty("inputs", static_cast<int>(replay.inputs));
  RecordProperty("refusals", static_cast<int>(replay.refusals.size()));
  for (int code : {0, 161001, 161002, 561002}) EXPECT_GT(replay.codes[code], 0) << code;
  EXPECT_GE(replay.refusals.size(), 150u);
}

}  // namespace
}  // namespace anyacl::test
