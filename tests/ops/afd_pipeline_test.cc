// SPDX-License-Identifier: Apache-2.0
// Whole decode steps with threads as ranks, on a communicator of the tests' own.
#include <thread>

#include "ops/afd_rank.h"
#include "ops/afd_world.h"
#include "support/device_test.h"

namespace anyacl::test {
namespace {

struct Mode {
  bool by_message = false;
  PipelineMode pipeline = {};
};

class PipelineTest : public FfnTest, public ::testing::WithParamInterface<Mode> {};

TEST_P(PipelineTest, IsThePlainComputation) {
  // A lost flag would have all wait.
  ASSERT_OK(aclrtSetOpExecuteTimeOut(20));
  const PipelineShape shape = ShapeOf(GetParam().pipeline);
  World world("afd", shape.windows(), GetParam().by_message);
  const auto seed = static_cast<uint64_t>(random().Int(0, INT32_MAX));
  std::vector<std::unique_ptr<AfdRank>> ranks;
  for (uint32_t r = 0; r < shape.world(); ++r) {
    ranks.push_back(
        std::make_unique<AfdRank>(GetParam().pipeline, seed, r, "afd", world.window(r)));
  }
  std::vector<std::thread> threads;
  for (uint32_t r = 0; r < shape.world(); ++r) {
    threads.emplace_back([&, r] {
      ASSERT_OK(aclrtSetDevice(static_cast<int32_t>(r)));
      aclrtStream stream = nullptr;
      ASSERT_OK(aclrtCreateStream(&stream));
      ranks[r]->Run(stream);
      EXPECT_OK(aclrtDestroyStream(stream));
    });
  }
  for (std::thread& thread : threads) thread.join();
}

INSTANTIATE_TEST_SUITE_P(Modes, PipelineTest,
                         ::testing::Values(Mode{}, Mode{true}, Mode{false, {.quant = 2}},
                                           Mode{false, {.need_schedule = 1}},
                                           Mode{false, {.masked = true}},
                                           Mode{true, {2, 1, true}}));

}  // namespace
}  // namespace anyacl::test
