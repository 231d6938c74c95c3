// SPDX-License-Identifier: Apache-2.0
// Fuzzes DynamicQuant for five seconds. A failure shows the seed that makes it the first call.
#include "fuzz/dynamic_quant_fuzz.h"

#include <chrono>
#include <map>
#include <random>

#include "support/device_test.h"

namespace anyacl::test {
namespace {

TEST(DynamicQuantFuzz, NoArgumentsCrashOrComputeWrongly) {
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCreateStream(&stream));
  const uint64_t first = SeedOr(std::random_device{}());
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  std::map<int, int> codes;
  for (uint64_t seed = first; std::chrono::steady_clock::now() < end && !HasFailure(); ++seed) {
    SCOPED_TRACE("ANYACL_TEST_SEED=" + std::to_string(seed));
    Choices choices(seed);
    ++codes[FuzzDynamicQuant(choices, stream).code];
  }
  // A generator that no longer gets through, or no longer breaks anything, proves nothing.
  for (int code : {0, 161001, 161002, 561002, 561003}) EXPECT_GT(codes[code], 0) << code;
  for (const auto& [code, count] : codes) RecordProperty(std::to_string(code), count);
  EXPECT_OK(aclrtDestroyStream(stream));
}

// When the generator changes, old inputs mean other calls: the corpus is to be grown again.
TEST(DynamicQuantFuzz, TheCorpusStillReachesWhatItReached) {
  Replay replay = ReplayCorpus("dynamic_quant",
                               [](Choices& choices) { return FuzzDynamicQuant(choices, nullptr); });
  RecordProperty("inputs", static_cast<int>(replay.inputs));
  RecordProperty("refusals", static_cast<int>(replay.refusals.size()));
  for (int code : {0, 161001, 161002, 561002, 561003}) EXPECT_GT(replay.codes[code], 0) << code;
  EXPECT_GE(replay.refusals.size(), 20u);
}

}  // namespace
}  // namespace anyacl::test
