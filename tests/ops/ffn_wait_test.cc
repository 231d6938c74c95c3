// SPDX-License-Identifier: Apache-2.0
// Calls that wait: what ends them, and who goes on meanwhile.
#include <algorithm>
#include <chrono>
#include <thread>

#include "aclnnop/aclnn_dynamic_quant.h"
#include "ops/ffn_case.h"
#include "support/asleep.h"

namespace anyacl::test {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

class FfnWaitTest : public FfnTest {
 protected:
  // A call that waits on its own stream.
  void LaunchAndAwait(FfnWorker& worker, int32_t group_size, aclrtStream stream) {
    worker.ResetOutNum();
    ASSERT_OK(worker.Launch(group_size, stream));
    worker.AwaitStart();
  }
  static aclrtStream NewStream() {
    aclrtStream stream = nullptr;
    EXPECT_OK(aclrtCreateStream(&stream));
    return stream;
  }
  // Nothing but out_num has changed.
  static void ExpectUntouched(FfnWorker& worker, const std::vector<uint8_t>& before) {
    EXPECT_EQ(worker.out_num(), 0u);
    worker.ResetOutNum();
    EXPECT_EQ(worker.Bytes(), before);
  }
};

TEST_F(FfnWaitTest, AStopEndsTheCall) {
  double soonest = 1;
  for (int32_t group_size : {1, 2}) {
    for (int waited_ms : {0, 1, 20, 20, 20, 100}) {
      FfnWorker worker({});
      worker.Publish(0, 0, 1, 2);
      worker.ResetOutNum();
      const std::vector<uint8_t> before = worker.Bytes();
      LaunchAndAwait(worker, group_size, stream());
      std::this_thread::sleep_for(milliseconds(waited_ms));
      worker.SetRunFlag(0);
      const auto begin = Clock::now();
      EXPECT_OK(aclrtSynchronizeStream(stream()));
      if (waited_ms >= 20) soonest = std::min(soonest, SecondsSince(begin));
      worker.SetRunFlag(1);
      ExpectUntouched(worker, before);
    }
  }
  RecordProperty("soonest_us", static_cast<int>(soonest * 1e6));
}

TEST_F(FfnWaitTest, TheTimeoutNamesWhatIsMissing) {
  FfnWorker worker({.sessions = 3});
  worker.Publish(0, 0, 1);
  worker.Publish(1, 0, 1, 7);
  worker.Publish(2, 0, 1);
  worker.ResetOutNum();
  const std::vector<uint8_t> before = worker.Bytes();
  ASSERT_OK(aclrtSetOpExecuteTimeOutWithMs(60));
  const auto begin = Clock::now();
  ASSERT_OK(worker.Launch(3, stream()));
  TakeMessages();
  ExpectFailure(aclrtSynchronizeStream(stream()), kTimeoutError,
                {"session", "1", "micro", "0", "flag", "7"});
  EXPECT_GE(SecondsSince(begin), 0.06);
  ExpectUntouched(worker, before);
  // Told once; the stream goes on.
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  worker.Publish(1, 0, 1);
  EXPECT_OK(worker.Run(3, stream()));
}

TEST_F(FfnWaitTest, TheTimeoutInSeconds) {
  FfnWorker worker({.sessions = 4});
  worker.Publish(1, 0, 1);
  worker.ResetOutNum();
  const std::vector<uint8_t> before = worker.Bytes();
  ASSERT_OK(aclrtSetOpExecuteTimeOut(1));
  const auto begin = Clock::now();
  EXPECT_EQ(worker.Run(2, stream()), kTimeoutError);
  EXPECT_GE(SecondsSince(begin), 1.0);
  ExpectUntouched(worker, before);
}

// The time counts from the start of the task, not from its place in the queue.
TEST_F(FfnWaitTest, TimeInTheQueueDoesNotCount) {
  FfnWorker worker({});
  Clock::time_point front_ended;
  ASSERT_OK(aclrtLaunchHostFunc(
      stream(),
      [](void* ended) {
        std::this_thread::sleep_for(milliseconds(100));
        *static_cast<Clock::time_point*>(ended) = Clock::now();
      },
      &front_ended));
  ASSERT_OK(aclrtSetOpExecuteTimeOutWithMs(80));
  ASSERT_OK(worker.Launch(2, stream()));
  EXPECT_EQ(aclrtSynchronizeStream(stream()), kTimeoutError);
  EXPECT_GE(SecondsSince(front_ended), 0.08);
}

TEST_F(FfnWaitTest, ASynchronisationMayGiveUpAndTheCallGoesOn) {
  FfnWorker worker({});
  ASSERT_OK(worker.Launch(2, stream()));
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream(), 50), kSyncTimeout);
  worker.SetRunFlag(0);
  EXPECT_OK(aclrtSynchronizeStream(stream()));
}

TEST_F(FfnWaitTest, AnAbortEndsTheCall) {
  for (int32_t group_size : {1, 2}) {
    FfnWorker worker({});
    worker.Publish(0, 0, 1, 3);
    worker.ResetOutNum();
    const std::vector<uint8_t> before = worker.Bytes();
    LaunchAndAwait(worker, group_size, stream());
    int waited = -1;
    std::thread waiter([&] {
      ASSERT_OK(aclrtSetDevice(0));
      waited = aclrtSynchronizeStream(stream());
      ASSERT_OK(aclrtResetDevice(0));
    });
    std::this_thread::sleep_for(milliseconds(50));
    EXPECT_OK(aclrtStreamAbort(stream()));
    waiter.join();
    EXPECT_EQ(waited, kAborted);
    ExpectUntouched(worker, before);
    // The stream takes tasks again.
    worker.PublishAll(1);
    EXPECT_OK(worker.Run(group_size, stream()));
  }
}

TEST_F(FfnWaitTest, ForcedDestructionEndsTheCall) {
  FfnWorker worker({});
  const aclrtStream doomed = NewStream();
  LaunchAndAwait(worker, 1, doomed);
  EXPECT_OK(aclrtDestroyStreamForce(doomed));
  EXPECT_EQ(worker.out_num(), 0u);
}

TEST_F(FfnWaitTest, PlainDestructionWaitsForTheCall) {
  FfnWorker worker({});
  const aclrtStream other = NewStream();
  LaunchAndAwait(worker, 2, other);
  std::thread producer([&] {
    std::this_thread::sleep_for(milliseconds(30));
    worker.PublishAll(1);
  });
  EXPECT_OK(aclrtDestroyStream(other));
  EXPECT_EQ(worker.out_num(), 2u);
  producer.join();
}

// The scheduler first, then, on another stream, the copies that let it end.
TEST_F(FfnWaitTest, LaterWorkOfOtherStreamsLetsItEnd) {
  FfnWorker worker({});
  const aclrtStream other = NewStream();
  LaunchAndAwait(worker, 2, stream());
  const std::vector<int32_t> ids(worker.shape().ids(), 17);
  const int32_t layer = 4, ready = 1;
  for (uint32_t s : {0, 1}) {
    int32_t* slot = worker.Slot(s, 0);
    const size_t bytes = 4 * ids.size();
    ASSERT_OK(
        aclrtMemcpyAsync(slot + 2, bytes, ids.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE, other));
    ASSERT_OK(aclrtMemcpyAsync(slot + 1, 4, &layer, 4, ACL_MEMCPY_HOST_TO_DEVICE, other));
    ASSERT_OK(aclrtMemcpyAsync(slot, 4, &ready, 4, ACL_MEMCPY_HOST_TO_DEVICE, other));
  }
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  EXPECT_EQ(worker.out_num(), 2u);
  EXPECT_EQ(worker.layer_ids()[1], 4);
  EXPECT_EQ(worker.expert_ids()[0], 17);
  EXPECT_OK(aclrtDestroyStream(other));
}

// Flags that a host publishes with aclrtMemcpy alone, ids and layer before the flag.
TEST_F(FfnWaitTest, FlagsMayComeByCopies) {
  FfnWorker worker({});
  LaunchAndAwait(worker, 2, stream());
  const int32_t ready = 1;
  for (uint32_t s : {0, 1}) {
    EXPECT_OK(aclrtMemcpy(worker.Slot(s, 0), 4, &ready, 4, ACL_MEMCPY_HOST_TO_DEVICE));
  }
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  EXPECT_EQ(worker.out_num(), 2u);
}

TEST_F(FfnWaitTest, EightWaitingCallsLeaveOtherStreamsRunning) {
  constexpr int kWorkers = 8;
  std::vector<std::unique_ptr<FfnWorker>> workers;
  std::vector<aclrtStream> streams;
  for (int i = 0; i < kWorkers; ++i) {
    workers.push_back(std::make_unique<FfnWorker>(FfnShape{}));
    streams.push_back(NewStream());
    LaunchAndAwait(*workers[i], i % 2 + 1, streams[i]);
  }
  // Work of another kind on another stream.
  GuardedBuffer memory(1 << 16);
  for (int round = 0; round < 50; ++round) {
    ASSERT_OK(aclrtMemsetAsync(memory.data(), memory.size(), round, memory.size(), stream()));
    ASSERT_OK(aclrtSynchronizeStream(stream()));
  }
  for (int i = kWorkers; i-- > 0;) {
    workers[i]->PublishAll(i);
    EXPECT_OK(aclrtSynchronizeStream(streams[i]));
    // One that waits for a single session may find the second one's flag too late.
    EXPECT_GE(workers[i]->out_num(), i % 2 + 1u);
    EXPECT_LE(workers[i]->out_num(), 2u);
    EXPECT_EQ(workers[i]->layer_ids()[0], i);
    EXPECT_OK(aclrtDestroyStream(streams[i]));
  }
}

TEST_F(FfnWaitTest, OneContextServesOneCallAtATime) {
  FfnWorker worker({});
  const aclrtStream other = NewStream();
  LaunchAndAwait(worker, 2, stream());
  TakeMessages();
  ExpectFailure(worker.Run(2, other), kContextError, {"context", "another"});
  worker.PublishAll(1);
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  EXPECT_OK(worker.Run(2, other));
  // Two in one queue are no conflict.
  worker.PublishAll(1);
  EXPECT_OK(worker.Launch(2, stream()));
  EXPECT_OK(worker.Launch(2, stream()));
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  EXPECT_OK(aclrtDestroyStream(other));
}

// What is in the context when the task starts holds for the whole call.
TEST_F(FfnWaitTest, ChangesDuringTheCallAreIgnored) {
  FfnWorker worker({});
  LaunchAndAwait(worker, 2, stream());
  worker.Publish(0, 0, 1);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream(), 20), kSyncTimeout);
  for (const Field& field : {field::kSessionNum, field::kMicroBatchSize, field::kPollingIndex,
                             field::kLayerIds, field::kExpertIds, field::kTokenInfo}) {
    worker.Set(field, 1);
  }
  worker.Publish(1, 0, 2);
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  EXPECT_EQ(worker.out_num(), 2u);
  EXPECT_EQ(worker.layer_ids()[1], 2);
  EXPECT_TRUE(worker.GuardsIntact());
}

TEST_F(FfnWaitTest, AFailureLeavesTheProcessUsable) {
  FfnWorker bad({});
  bad.Set(field::kSessionNum, 0);
  FfnWorker good({});
  good.PublishAll(1);
  ASSERT_OK(bad.Launch(1, stream()));
  ASSERT_OK(good.Launch(1, stream()));
  EXPECT_EQ(aclrtSynchronizeStream(stream()), kContextError);
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  EXPECT_EQ(good.out_num(), 2u);
  const aclrtStream other = NewStream();
  EXPECT_OK(good.Run(1, other));
  EXPECT_OK(aclrtDestroyStream(other));
}

// In failure mode 1 what follows a failed scheduler does not run on stale results.
TEST_F(FfnWaitTest, StopOnFailureDropsWhatFollows) {
  FfnWorker bad({});
  bad.Set(field::kSessionNum, 0);
  FfnWorker next({});
  next.PublishAll(1);
  next.ResetOutNum();
  const aclrtStream other = NewStream();
  ASSERT_OK(aclrtSetStreamFailureMode(other, 1));
  ASSERT_OK(aclrtLaunchHostFunc(
      other, [](void*) { std::this_thread::sleep_for(milliseconds(20)); }, nullptr));
  ASSERT_OK(bad.Launch(1, other));
  ASSERT_OK(next.Launch(1, other));
  EXPECT_EQ(aclrtSynchronizeStream(other), kContextError);
  EXPECT_EQ(next.out_num(), 9u);
  EXPECT_OK(aclrtDestroyStream(other));
}

TEST_F(FfnWaitTest, AnIdleWaitSleeps) {
  FfnWorker worker({.sessions = 32, .micro_batches = 3});
  pid_t waiting = 0;
  ASSERT_OK(aclrtLaunchHostFunc(
      stream(), [](void* id) { *static_cast<pid_t*>(id) = gettid(); }, &waiting));
  LaunchAndAwait(worker, 1, stream());
  EXPECT_TRUE(SeenAsleep(waiting));
  worker.SetRunFlag(0);
  EXPECT_OK(aclrtSynchronizeStream(stream()));
}

}  // namespace
}  // namespace anyacl::test
