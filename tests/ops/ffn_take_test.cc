// SPDX-License-Identifier: Apache-2.0
// What a call takes when flags are up: which slots, in which order, and what it leaves alone.
#include <thread>

#include "aclnnop/aclnn_ffn_worker_scheduler.h"
#include "ops/ffn_case.h"

namespace anyacl::test {
namespace {

using Ints = std::vector<int32_t>;

Ints First(const int32_t* values, size_t count) { return {values, values + count}; }

void ExpectTaken(const FfnWorker& worker, const Ints& sessions, const Ints& micro_batches) {
  EXPECT_EQ(worker.out_num(), sessions.size());
  EXPECT_EQ(First(worker.session_ids(), sessions.size()), sessions);
  EXPECT_EQ(First(worker.micro_batch_ids(), sessions.size()), micro_batches);
}

class FfnTakeTest : public FfnTest {};

TEST_F(FfnTakeTest, AllSyncTakesTheMicroBatchThatIsDueAndMovesOn) {
  FfnWorker worker({});
  worker.PublishAll(3);
  worker.Set(field::kPollingIndex, 1);
  ExpectAsReference(worker, 2);
  ExpectTaken(worker, {0, 1}, {1, 1});
  EXPECT_EQ(worker.Get(field::kPollingIndex), 0u);
}

TEST_F(FfnTakeTest, AllSyncGoesRoundTheMicroBatches) {
  FfnWorker worker({.micro_batches = 3});
  for (int32_t call = 0; call < 6; ++call) {
    for (uint32_t m = 0; m < 3; ++m) {
      for (uint32_t s = 0; s < 2; ++s) {
        if (worker.Flag(s, m) == 0) worker.Publish(s, m, call);
      }
    }
    ExpectAsReference(worker, 2);
    ExpectTaken(worker, {0, 1}, {call % 3, call % 3});
  }
}

TEST_F(FfnTakeTest, AllSyncWaitsForTheMicroBatchThatIsDue) {
  FfnWorker worker({});
  worker.Publish(0, 1, 7);
  worker.Publish(1, 1, 7);
  worker.Publish(0, 0, 8);
  ASSERT_OK(worker.Launch(2, stream()));
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream(), 30), kSyncTimeout);
  worker.Publish(1, 0, 8);
  ASSERT_OK(aclrtSynchronizeStream(stream()));
  ExpectTaken(worker, {0, 1}, {0, 0});
  EXPECT_EQ(First(worker.layer_ids(), 2), Ints({8, 8}));
  EXPECT_EQ(worker.Flag(0, 1), 1);
}

TEST_F(FfnTakeTest, OneSessionIsAllSync) {
  FfnWorker worker({.sessions = 1, .micro_batches = 3});
  worker.Publish(0, 0, 1);
  worker.Publish(0, 2, 2);
  worker.Set(field::kPollingIndex, 2);
  ExpectAsReference(worker, 1);
  ExpectTaken(worker, {0}, {2});
  EXPECT_EQ(worker.Get(field::kPollingIndex), 0u);
}

TEST_F(FfnTakeTest, GroupsAreIndependentAndOutputIsCompact) {
  FfnWorker worker({.sessions = 4, .batch = 1, .experts = 1});
  worker.Publish(2, 1, 5);
  worker.Publish(3, 1, 6);
  ExpectAsReference(worker, 2);
  ExpectTaken(worker, {2, 3}, {1, 1});
  EXPECT_EQ(First(worker.layer_ids(), 2), Ints({5, 6}));
  const int32_t canary = static_cast<int32_t>(0xC5C5C5C5);
  EXPECT_EQ(worker.layer_ids()[2], canary);
  EXPECT_EQ(worker.expert_ids()[3], canary);
}

TEST_F(FfnTakeTest, EveryGroupGivesAtMostOneMicroBatchPerCall) {
  FfnWorker worker({.sessions = 4, .micro_batches = 3});
  worker.Publish(0, 2, 1);
  worker.Publish(1, 0, 1);
  worker.Publish(1, 2, 1);
  worker.Publish(3, 1, 1);
  ExpectAsReference(worker, 1);
  ExpectTaken(worker, {0, 1, 3}, {2, 0, 1});
  ExpectAsReference(worker, 1);
  ExpectTaken(worker, {1}, {2});
  // Entries beyond out_num are the call's before.
  EXPECT_EQ(First(worker.session_ids(), 3), Ints({1, 1, 3}));
}

TEST_F(FfnTakeTest, AGroupThatIsNotCompleteWaits) {
  FfnWorker worker({.sessions = 4});
  worker.Publish(0, 0, 1);
  worker.Publish(3, 1, 1);
  ASSERT_OK(worker.Launch(2, stream()));
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream(), 30), kSyncTimeout);
  worker.Publish(1, 0, 1);
  ASSERT_OK(aclrtSynchronizeStream(stream()));
  ExpectTaken(worker, {0, 1}, {0, 0});
  EXPECT_EQ(worker.Flag(3, 1), 1);
}

TEST_F(FfnTakeTest, GroupsMayDeliverDifferentMicroBatches) {
  FfnWorker worker({.sessions = 4});
  for (uint32_t s : {0, 1}) worker.Publish(s, 1, 10);
  for (uint32_t s : {2, 3}) worker.Publish(s, 0, 20);
  ExpectAsReference(worker, 2);
  ExpectTaken(worker, {0, 1, 2, 3}, {1, 1, 0, 0});
  EXPECT_EQ(First(worker.layer_ids(), 4), Ints({10, 10, 20, 20}));
}

TEST_F(FfnTakeTest, TheLowestMicroBatchGoesFirstAndTheOtherStays) {
  FfnWorker worker({.sessions = 4});
  worker.PublishAll(9);
  const Ints before = First(worker.Slot(0, 1), worker.shape().slot_ints());
  worker.Set(field::kPollingIndex, 1);  // no matter in group mode
  ExpectAsReference(worker, 2);
  ExpectTaken(worker, {0, 1, 2, 3}, {0, 0, 0, 0});
  EXPECT_EQ(First(worker.Slot(0, 1), worker.shape().slot_ints()), before);
  EXPECT_EQ(worker.Get(field::kPollingIndex), 1u);
}

TEST_F(FfnTakeTest, OnlyFlagOneIsReady) {
  for (int32_t flag : {2, -1, 0x101, 0x01000000, INT32_MIN}) {
    FfnWorker worker({});
    worker.Publish(0, 0, 1, flag);
    worker.Publish(1, 0, 1);
    ASSERT_OK(worker.Launch(2, stream()));
    EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream(), 5), kSyncTimeout) << flag;
    worker.SetRunFlag(0);
    ASSERT_OK(aclrtSynchronizeStream(stream()));
    EXPECT_EQ(worker.Flag(0, 0), flag);
  }
}

TEST_F(FfnTakeTest, ATakenSlotKeepsItsLayerAndHasEmptyIds) {
  FfnWorker worker({});
  worker.PublishAll(42);
  ExpectAsReference(worker, 2);
  const int32_t* slot = worker.Slot(1, 0);
  EXPECT_EQ(slot[0], 0);
  EXPECT_EQ(slot[1], 42);
  for (size_t i = 0; i < worker.shape().ids(); ++i) EXPECT_EQ(slot[2 + i], kEmptyId);
}

TEST_F(FfnTakeTest, ASecondCallTakesTheOtherMicroBatch) {
  FfnWorker worker({});
  worker.PublishAll(55);
  ExpectAsReference(worker, 1);
  ExpectTaken(worker, {0, 1}, {0, 0});
  ExpectAsReference(worker, 1);
  ExpectTaken(worker, {0, 1}, {1, 1});
}

TEST_F(FfnTakeTest, AStoppedWorkerTakesNothing) {
  for (int32_t group_size : {1, 2}) {
    FfnWorker worker({});
    worker.PublishAll(1);
    worker.Set(field::kRunFlag, 0);
    worker.ResetOutNum();
    ExpectAsReference(worker, group_size);
    EXPECT_EQ(worker.out_num(), 0u);
    EXPECT_EQ(worker.Flag(0, 0), 1);
  }
}

TEST_F(FfnTakeTest, AnyRunFlagButZeroRuns) {
  FfnWorker worker({});
  worker.PublishAll(1);
  worker.Set(field::kRunFlag, static_cast<uint32_t>(-5));
  ExpectAsReference(worker, 1);
  EXPECT_EQ(worker.out_num(), 2u);
}

TEST_F(FfnTakeTest, ReservedBytesDoNotMatter) {
  FfnWorker worker({});
  worker.PublishAll(1);
  for (auto [begin, end] : {std::pair{16, 28}, {32, 128}, {132, 384}, {424, 512}, {580, 1024}}) {
    std::memset(worker.context() + begin, 0xEE, static_cast<size_t>(end - begin));
  }
  ExpectAsReference(worker, 2);
}

TEST_F(FfnTakeTest, BuffersMayBeLargerThanNeeded) {
  FfnWorker worker({});
  worker.PublishAll(1);
  for (const Field& field : {field::kTokenInfoSize, field::kLayerIdsSize, field::kSessionIdsSize,
                             field::kMicroBatchIdsSize, field::kExpertIdsSize}) {
    worker.Set(field, worker.Get(field) + 4096);
  }
  ExpectAsReference(worker, 2);
}

TEST_F(FfnTakeTest, WindowsMayBeTheClientsOwnMemory) {
  const FfnShape shape;
  Ints window(shape.window_bytes() / 4);
  FfnWorker worker(shape, window.data());
  worker.PublishAll(1);
  ExpectAsReference(worker, 2);
}

TEST_F(FfnTakeTest, AViewIntoALongerTensor) {
  FfnWorker worker({});
  worker.PublishAll(1);
  GuardedBuffer longer(4096);
  std::memcpy(longer.data() + 1024, worker.context(), 1024);
  const int64_t size = 2048, storage = 4096;
  aclTensor* tensor =
      aclCreateTensor(&size, 1, ACL_INT8, nullptr, 1024, ACL_FORMAT_ND, &storage, 1, longer.data());
  RunTwoPhase(
      [&](uint64_t* bytes, aclOpExecutor** executor) {
        return aclnnInplaceFfnWorkerSchedulerGetWorkspaceSize(tensor, 2, 0, bytes, executor);
      },
      aclnnInplaceFfnWorkerScheduler);
  EXPECT_EQ(longer.data()[1024 + field::kOutNum.offset], 2);
  aclDestroyTensor(tensor);
}

TEST_F(FfnTakeTest, ARepeatableExecutorRunsAgain) {
  FfnWorker worker({});
  const Prepared prepared = Prepare([&](uint64_t* size, aclOpExecutor** executor) {
    return aclnnInplaceFfnWorkerSchedulerGetWorkspaceSize(worker.tensor(), 2, 0, size, executor);
  });
  ASSERT_OK(prepared.code);
  ASSERT_OK(aclSetAclOpExecutorRepeatable(prepared.executor));
  for (int32_t call = 0; call < 4; ++call) {
    for (uint32_t s : {0, 1}) worker.Publish(s, static_cast<uint32_t>(call % 2), call);
    ASSERT_OK(aclnnInplaceFfnWorkerScheduler(nullptr, 0, prepared.executor, stream()));
    ASSERT_OK(aclrtSynchronizeStream(stream()));
    EXPECT_EQ(worker.layer_ids()[1], call);
  }
  EXPECT_OK(aclDestroyAclOpExecutor(prepared.executor));
}

TEST_F(FfnTakeTest, RandomStatesAsTheReference) {
  for (int round = 0; round < 400; ++round) {
    const auto pick = [&](int64_t low, int64_t high) {
      return static_cast<uint32_t>(random().Int(low, high));
    };
    const uint32_t group_size = pick(1, 5);
    const FfnShape shape{group_size * pick(1, 4), pick(1, 4), pick(1, 4), pick(1, 9)};
    FfnWorker worker(shape);
    worker.Set(field::kPollingIndex, pick(0, shape.micro_batches - 1));
    for (uint32_t s = 0; s < shape.sessions; ++s) {
      for (uint32_t m = 0; m < shape.micro_batches; ++m) {
        if (random().Chance(0.8)) worker.Publish(s, m, static_cast<int32_t>(pick(0, 60)));
      }
    }
    FfnState state = worker.State();
    if (!ReferenceSchedule(group_size, false, &state)) worker.Set(field::kRunFlag, 0);
    ExpectAsReference(worker, static_cast<int32_t>(group_size));
    if (HasFailure()) FAIL() << "round " << round;
  }
}

}  // namespace
}  // namespace anyacl::test
