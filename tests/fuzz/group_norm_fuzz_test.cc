// SPDX-License-Identifier: Apache-2.0
// Fuzzes GroupNormBackward for five seconds. A failure shows the seed that makes it the
// first call.
#include "fuzz/group_norm_fuzz.h"

#include <map>

namespace anyacl::test {
namespace {

TEST(GroupNormFuzz, NoArgumentsCrashOrComputeWrongly) {
  GroupNormFuzzer fuzzer;
  std::map<int, int> codes = FuzzRandomly([&](Choices& choices) { return fuzzer.Fuzz(choices); });
  // A generator that no longer gets through, or no longer breaks anything, proves nothing.
  for (int code : {0, 161002}) EXPECT_GT(codes[code], 0) << code;
}

// When the generator changes, old inputs mean other calls: the corpus is to be grown again.
TEST(GroupNormFuzz, TheCorpusStillReachesWhatItReached) {
  GroupNormFuzzer fuzzer;
  Replay replay =
      ReplayCorpus("group_norm", [&](Choices& choices) { return fuzzer.Fuzz(choices); });
  RecordProperty("inputs", static_cast<int>(replay.inputs));
  RecordProperty("refusals", static_cast<int>(replay.refusals.size()));
  for (int code : {0, 161002}) EXPECT_GT(replay.codes[code], 0) << code;
  EXPECT_GE(replay.refusals.size(), 100u);
}

}  // namespace
}  // namespace anyacl::test
