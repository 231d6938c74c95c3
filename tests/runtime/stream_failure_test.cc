// SPDX-License-Identifier: Apache-2.0
// Tasks that fail, and tasks that wait for memory others write: no public call makes them, so that
// these are enqueued from the inside and observed through the public functions.
#include <atomic>
#include <chrono>
#include <memory>
#include <new>
#include <stdexcept>
#include <thread>

#include "base/status.h"
#include "fixture.h"
#include "runtime/device.h"
#include "runtime/exports.h"

namespace anyacl::test {
namespace {

using StreamFailureTest = RuntimeTest;

constexpr int kFirst = ACL_ERROR_RT_AICPU_EXCEPTION;
constexpr int kSecond = ACL_ERROR_RT_VECTOR_CORE_EXCEPTION;

template <class Body>
void Enqueue(aclrtStream stream, Body body, TaskKind kind = TaskKind::kCompute) {
  EXPECT_EQ(anyaclEnqueue(stream, std::make_shared<FunctionTask<Body>>(kind, "aclnnTest", body)),
            0);
}

void EnqueueFailure(aclrtStream stream, int code) {
  Enqueue(stream, [code] { return Fail(code, "field is {}, expected {}", 3, 4); });
}

void EnqueueCount(aclrtStream stream, std::atomic<int>& counter) {
  Enqueue(stream, [&counter]() -> Status {
    ++counter;
    return {};
  });
}

TEST_F(StreamFailureTest, SynchroniseReportsItOnce) {
  aclrtStream stream = NewStream();
  EnqueueFailure(stream, kFirst);
  TakeMessages();
  EXPECT_EQ(aclrtSynchronizeStream(stream), kFirst);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), kFirst);
  const std::string message = TakeMessages();
  for (const char* word : {"aclnnTest", "field", "3", "4"}) {
    EXPECT_TRUE(HasWord(message, word)) << message;
  }
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

// Two callbacks that each hold up the computing tasks of the other's stream, as the export of
// memory does.
struct HoldEachOther {
  std::shared_ptr<Stream> streams[2];
  std::atomic<int> inside{0};
};
HoldEachOther* g_hold = nullptr;

TEST_F(StreamFailureTest, CallbacksOfTwoStreamsDoNotHoldEachOtherUp) {
  HoldEachOther hold;
  g_hold = &hold;
  const aclrtExceptionInfoCallback callback = [](aclrtExceptionInfo* info) {
    const auto id = static_cast<int32_t>(aclrtGetStreamIdFromExceptionInfo(info));
    Stream& other = *g_hold->streams[id == g_hold->streams[0]->id() ? 1 : 0];
    ++g_hold->inside;
    while (g_hold->inside < 2) std::this_thread::yield();
    other.Hold();
    other.Unhold();
  };
  EXPECT_OK(aclrtExceptionInfoCallbackRegister(callback));
  aclrtStream handles[] = {NewStream(), NewStream()};
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(FindStream(handles[i], &hold.streams[i]).ok());
  std::atomic<int> running{0};
  for (aclrtStream handle : handles) {
    Enqueue(handle, [&running] {
      ++running;  // both in their own streams' threads
      while (running < 2) std::this_thread::yield();
      return Fail(kFirst, "field is {}, expected {}", 3, 4);
    });
  }
  while (running < 2) std::this_thread::yield();
  for (aclrtStream handle : handles) EXPECT_EQ(aclrtSynchronizeStream(handle), kFirst);
  TakeMessages();
  EXPECT_OK(aclrtExceptionInfoCallbackUnregister(callback));
}

TEST_F(StreamFailureTest, FirstErrorWins) {
  aclrtStream stream = NewStream();
  EnqueueFailure(stream, kFirst);
  EnqueueFailure(stream, kSecond);
  EXPECT_EQ(aclrtSynchronizeStream(stream), kFirst);
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(StreamFailureTest, LaterTasksStillRunByDefault) {
  aclrtStream stream = NewStream();
  std::atomic<int> ran{0};
  EnqueueFailure(stream, kFirst);
  EnqueueCount(stream, ran);
  EXPECT_EQ(aclrtSynchronizeStream(stream), kFirst);
  EXPECT_EQ(ran, 1);
  EnqueueCount(stream, ran);
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(ran, 2);
}

TEST_F(StreamFailureTest, EveryWayToWaitReportsIt) {
  aclrtStream stream = NewStream();
  EnqueueFailure(stream, kFirst);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 5000), kFirst);
  EnqueueFailure(stream, kFirst);
  EXPECT_EQ(aclrtSynchronizeDevice(), kFirst);
  EnqueueFailure(stream, kFirst);
  EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(5000), kFirst);
}

TEST_F(StreamFailureTest, OtherStreamsAreNotAffected) {
  aclrtStream failing = NewStream();
  aclrtStream other = NewStream();
  EnqueueFailure(failing, kFirst);
  EXPECT_OK(aclrtSynchronizeStream(other));
  EXPECT_EQ(aclrtSynchronizeStream(failing), kFirst);
}

TEST_F(StreamFailureTest, EventsCompleteInSpiteOfIt) {
  aclrtStream stream = NewStream();
  aclrtStream waiter = NewStream();
  aclrtEvent event = NewEvent();
  EnqueueFailure(stream, kFirst);
  EXPECT_OK(aclrtRecordEvent(event, stream));
  EXPECT_OK(aclrtStreamWaitEvent(waiter, event));
  EXPECT_OK(aclrtSynchronizeStreamWithTimeout(waiter, 5000));
  aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  EXPECT_OK(aclrtQueryEventStatus(event, &status));
  EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_COMPLETE);
  EXPECT_EQ(aclrtSynchronizeStream(stream), kFirst);
}

TEST_F(StreamFailureTest, StopModeDropsWhatIsQueuedAndRefusesMore) {
  aclrtStream stream = NewStream();
  EXPECT_OK(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
  Gate gate;
  gate.BlockNow(stream);
  std::atomic<int> ran{0};
  EnqueueCount(stream, ran);
  EnqueueFailure(stream, kFirst);
  EnqueueCount(stream, ran);
  EnqueueCount(stream, ran);
  gate.Open();
  EXPECT_EQ(aclrtSynchronizeStream(stream), kFirst);
  EXPECT_EQ(ran, 1);
  TakeMessages();
  EXPECT_NE(aclrtLaunchHostFunc(stream, &DoNothing, nullptr), 0);
  const std::string message = TakeMessages();
  EXPECT_TRUE(HasWord(message, "aclrtLaunchHostFunc")) << message;
  EXPECT_TRUE(HasWord(message, "field")) << "the cause is missing: " << message;
  EXPECT_OK(aclrtDestroyStream(stream));
}

TEST_F(StreamFailureTest, StopModeMeansNothingWithoutAFailure) {
  aclrtStream stream = NewStream();
  EXPECT_OK(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
  std::atomic<int> ran{0};
  EnqueueCount(stream, ran);
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(ran, 1);
}

TEST_F(StreamFailureTest, UnreportedErrorsDoNotMakeDestructionFail) {
  aclrtStream stream = NewStream();
  EnqueueFailure(stream, kFirst);
  EXPECT_OK(aclrtDestroyStream(stream));
  aclrtStream forced = NewStream();
  EnqueueFailure(forced, kFirst);
  EXPECT_OK(aclrtDestroyStreamForce(forced));
  EnqueueFailure(NewStream(), kFirst);
  // The fixture's reset meets the last one.
}

TEST_F(StreamFailureTest, ExceptionsBecomeErrors) {
  aclrtStream stream = NewStream();
  Enqueue(stream, []() -> Status { throw std::bad_alloc(); });
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_BAD_ALLOC);
  Enqueue(stream, []() -> Status { throw std::runtime_error("broken"); });
  TakeMessages();
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_INTERNAL_ERROR);
  const std::string message = TakeMessages();
  EXPECT_TRUE(HasWord(message, "broken")) << message;
}

// A task like a scheduler: polls memory until somebody else sets it.
class PollTask final : public Task {
 public:
  explicit PollTask(const std::atomic<int>& flag)
      : Task(TaskKind::kPoll, "aclnnPoll"), flag_(flag) {}

  Status Run(const StopToken& stop) override {
    while (flag_.load() == 0) {
      if (stop.Requested()) return Fail(ACL_ERROR_RT_STREAM_ABORT, "polling was ended");
      std::this_thread::yield();
    }
    return {};
  }

 private:
  const std::atomic<int>& flag_;
};

void EnqueuePoll(aclrtStream stream, const std::atomic<int>& flag) {
  EXPECT_EQ(anyaclEnqueue(stream, std::make_shared<PollTask>(flag)), 0);
}

TEST_F(StreamFailureTest, PollingTaskEndsWithItsFlag) {
  aclrtStream poller = NewStream();
  aclrtStream producer = NewStream();
  std::atomic<int> flag{0};
  EnqueuePoll(poller, flag);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(poller, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EnqueueCount(producer, flag);
  EXPECT_OK(aclrtSynchronizeStream(poller));
}

TEST_F(StreamFailureTest, AbortEndsAPollingTask) {
  aclrtStream stream = NewStream();
  std::atomic<int> flag{0};
  std::atomic<int> ran{0};
  EnqueuePoll(stream, flag);
  EnqueueCount(stream, ran);
  std::atomic<int> code{-1};
  std::thread waiter([&] {
    EXPECT_OK(aclrtSetDevice(0));
    code = aclrtSynchronizeStream(stream);
    TakeMessages();
    EXPECT_OK(aclrtResetDevice(0));
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_OK(aclrtStreamAbort(stream));
  waiter.join();
  EXPECT_EQ(code, ACL_ERROR_RT_STREAM_ABORT);
  EXPECT_EQ(ran, 0);
  // The task is over when the abort returns: the stream can be used at once.
  EnqueueCount(stream, ran);
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(ran, 1);
}

TEST_F(StreamFailureTest, ResetDeviceEndsAPollingTask) {
  std::atomic<int> flag{0};
  std::atomic<int> ran{0};
  EnqueuePoll(NewStream(), flag);
  EnqueuePoll(nullptr, flag);
  aclrtStream computing = NewStream();
  EnqueueCount(computing, ran);
  EXPECT_OK(aclrtResetDevice(0));
  EXPECT_EQ(ran, 1);  // what computes is waited for
  EXPECT_OK(aclrtSetDevice(0));
}

TEST_F(StreamFailureTest, ForcedDestructionEndsAPollingTask) {
  aclrtStream stream = NewStream();
  std::atomic<int> flag{0};
  EnqueuePoll(stream, flag);
  EXPECT_OK(aclrtDestroyStreamForce(stream));
  EXPECT_OK(aclrtSynchronizeDevice());
}

TEST_F(StreamFailureTest, FinalizeEndsAPollingTask) {
  InFreshProcess([] {
    EXPECT_OK(aclInit(nullptr));
    EXPECT_OK(aclrtSetDevice(0));
    static std::atomic<int> flag{0};
    EnqueuePoll(NewStream(), flag);
    EXPECT_OK(aclFinalize());
  });
}

TEST_F(StreamFailureTest, ExitDoesNotWaitForAPollingTask) {
  InFreshProcess([] {
    EXPECT_OK(aclrtSetDevice(0));
    static std::atomic<int> flag{0};
    EnqueuePoll(NewStream(), flag);
  });
}

TEST_F(StreamFailureTest, PollingTaskHoldsNoFreeBack) {
  aclrtStream poller = NewStream();
  std::atomic<int> flag{0};
  EnqueuePoll(poller, flag);
  size_t before = 0, after = 0, total = 0;
  EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &before, &total));
  for (int i = 0; i < 1000; ++i) EXPECT_OK(aclrtFree(NewDeviceMemory(1 << 20)));
  EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &after, &total));
  EXPECT_EQ(before, after);
  flag = 1;
  EXPECT_OK(aclrtSynchronizeStream(poller));
}

}  // namespace
}  // namespace anyacl::test
