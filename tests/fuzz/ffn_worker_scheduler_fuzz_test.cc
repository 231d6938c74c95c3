// SPDX-License-Identifier: Apache-2.0
// Fuzzes InplaceFfnWorkerScheduler for five seconds. A failure shows the seed that makes it the
// first call.
#include "fuzz/ffn_worker_scheduler_fuzz.h"

#include <chrono>
#include <map>
#include <random>

namespace anyacl::test {
namespace {

TEST(FfnWorkerSchedulerFuzz, NoArgumentsCrashOrComputeWrongly) {
  const uint64_t first = SeedOr(std::random_device{}());
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  std::map<int, int> codes;
  FfnFuzzer fuzzer;
  for (uint64_t seed = first; std::chrono::steady_clock::now() < end && !HasFailure(); ++seed) {
    SCOPED_TRACE("ANYACL_TEST_SEED=" + std::to_string(seed));
    Choices choices(seed);
    ++codes[fuzzer.Fuzz(choices).code];
  }
  // A generator that no longer gets through, or no longer breaks anything, proves nothing.
  for (int code : {0, 161002, kContextError}) EXPECT_GT(codes[code], 0) << code;
  for (const auto& [code, count] : codes) RecordProperty(std::to_string(code), count);
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
