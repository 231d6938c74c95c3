// SPDX-License-Identifier: Apache-2.0
// Fuzzes InplaceFfnWorkerScheduler for five seconds. A failure shows the seed that makes it the
// first call.
#include "fuzz/ffn_worker_scheduler_fuzz.h"

#include <map>

namespace anyacl::test {
namespace {

TEST(FfnWorkerSchedulerFuzz, NoArgumentsCrashOrComputeWrongly) {
  FfnFuzzer fuzzer;
  std::map<int, int> codes = FuzzRandomly([&](Choices& choices) { return fuzzer.Fuzz(choices); });
  // A generator that no longer gets through, or no longer breaks anything, proves nothing.
  for (int code : {0, 161002, kContextError}) EXPECT_GT(codes[code], 0) << code;
}

// When the generator changes, old inputs mean other calls: the corpus is to be grown again.
TEST(FfnWorkerSchedulerFuzz, TheCorpusStillReachesWhatItReached) {
  FfnFuzzer fuzzer;
  Replay replay =
      ReplayCorpus("ffn_worker_scheduler", [&](Choices& choices) { return fuzzer.Fuzz(choices); });
  RecordProperty("inputs", static_cast<int>(replay.inputs));
  RecordProperty("refusals", static_cast<int>(replay.refusals.size()));
  for (int code : {0, 161002, kContextError}) EXPECT_GT(replay.codes[code], 0) << code;
  EXPECT_GE(replay.refusals.size(), 50u);
}

}  // namespace
}  // namespace anyacl::test
