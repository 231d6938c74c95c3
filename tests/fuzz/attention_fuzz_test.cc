// SPDX-License-Identifier: Apache-2.0
// Fuzzes FusedInferAttentionScore for five seconds. A failure shows the seed of the call.
#include "fuzz/attention_fuzz.h"

#include <map>

#include "support/device_test.h"

namespace anyacl::test {
namespace {

TEST(AttentionFuzz, NoArgumentsCrashOrWriteElsewhere) {
  std::map<int, int> codes = FuzzRandomly([&](Choices& choices) { return FuzzAttention(choices); });
  // A generator that no longer gets through, or no longer breaks anything, proves nothing.
  EXPECT_GT(codes[0], 0);
  EXPECT_GT(codes[561002], 0);
}

TEST(AttentionFuzz, NoArgumentsOfLaterVersionsCrashOrWriteElsewhere) {
  std::map<int, int> codes =
      FuzzRandomly([&](Choices& choices) { return FuzzExtendedAttention(choices); });
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
