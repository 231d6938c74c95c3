// SPDX-License-Identifier: Apache-2.0
// ANYACL_FAIR_GROUPS=1 and ANYACL_POLL=spin, which this program runs under.
#include "ops/ffn_case.h"

namespace anyacl::test {
namespace {

class FfnFairTest : public FfnTest {};

TEST_F(FfnFairTest, GroupsBeginWithAnotherMicroBatchInEveryCall) {
  FfnWorker worker({.sessions = 4, .micro_batches = 3});
  int taken_last = 0;
  for (int32_t call = 0; call < 9; ++call) {
    // Producers that refill whatever was taken.
    for (uint32_t s = 0; s < 4; ++s) {
      for (uint32_t m = 0; m < 3; ++m) {
        if (worker.Flag(s, m) == 0) worker.Publish(s, m, call);
      }
    }
    ExpectAsReference(worker, 2, true);
    EXPECT_EQ(worker.micro_batch_ids()[0], call % 3);
    taken_last += worker.micro_batch_ids()[3] == 2;
  }
  EXPECT_EQ(taken_last, 3);
}

TEST_F(FfnFairTest, RandomStatesAsTheReference) {
  for (int round = 0; round < 200; ++round) {
    FfnWorker worker({.sessions = 6, .micro_batches = 3});
    worker.Set(field::kPollingIndex, static_cast<uint64_t>(random().Int(0, 2)));
    for (uint32_t s = 0; s < 6; ++s) {
      for (uint32_t m = 0; m < 3; ++m) {
        if (random().Chance(0.7)) worker.Publish(s, m, round);
      }
    }
    FfnState state = worker.State();
    if (!ReferenceSchedule(2, true, &state)) continue;
    ExpectAsReference(worker, 2, true);
  }
}

TEST_F(FfnFairTest, SpinningEndsWhenTheWorkerStops) {
  FfnWorker worker({});
  worker.ResetOutNum();
  ASSERT_OK(worker.Launch(2, stream()));
  worker.AwaitStart();
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream(), 20), kSyncTimeout);
  worker.SetRunFlag(0);
  EXPECT_OK(aclrtSynchronizeStream(stream()));
}

TEST_F(FfnFairTest, SpinningEndsAtTheTimeout) {
  FfnWorker worker({});
  ASSERT_OK(aclrtSetOpExecuteTimeOutWithMs(20));
  EXPECT_EQ(worker.Run(2, stream()), kTimeoutError);
}

}  // namespace
}  // namespace anyacl::test
