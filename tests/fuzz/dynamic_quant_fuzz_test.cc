// SPDX-License-Identifier: Apache-2.0
// Fuzzes DynamicQuant for five seconds. A failure shows the seed that makes it the first call.
#include "fuzz/dynamic_quant_fuzz.h"

#include <map>

#include "support/device_test.h"

namespace anyacl::test {
namespace {

TEST(DynamicQuantFuzz, NoArgumentsCrashOrComputeWrongly) {
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCreateStream(&stream));
  std::map<int, int> codes =
      FuzzRandomly([&](Choices& choices) { return FuzzDynamicQuant(choices, stream); });
  // A generator that no longer gets through, or no longer breaks anything, proves nothing.
  for (int code : {0, 161001, 161002, 561002, 561003}) EXPECT_GT(codes[code], 0) << code;
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
