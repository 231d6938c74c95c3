// SPDX-License-Identifier: Apache-2.0
// aclrtStreamAbort, failure modes and execution timeouts.
#include <atomic>
#include <chrono>
#include <limits>
#include <thread>

#include "fixture.h"

namespace anyacl::test {
namespace {

using AbortTest = RuntimeTest;

void Count(void* counter) { static_cast<std::atomic<int>*>(counter)->fetch_add(1); }

// A stream that waits for an event which its gate holds back: a task that can be ended.
struct WaitingStream {
  explicit WaitingStream(Gate& gate) {
    aclrtStream holder = NewStream();
    gate.BlockNow(holder);
    aclrtEvent event = NewEvent();
    EXPECT_OK(aclrtRecordEvent(event, holder));
    stream = NewStream();
    EXPECT_OK(aclrtStreamWaitEvent(stream, event));
  }
  aclrtStream stream;
};

TEST_F(AbortTest, OfAnIdleStreamSucceeds) {
  aclrtStream stream = NewStream();
  EXPECT_OK(aclrtStreamAbort(stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtStreamAbort(nullptr), "stream", "null");
}

TEST_F(AbortTest, DropsQueuedTasks) {
  Gate gate;
  WaitingStream waiting(gate);
  std::atomic<int> ran{0};
  for (int i = 0; i < 10; ++i) EXPECT_OK(aclrtLaunchHostFunc(waiting.stream, &Count, &ran));
  EXPECT_OK(aclrtStreamAbort(waiting.stream));
  gate.Open();
  EXPECT_OK(aclrtSynchronizeDevice());
  EXPECT_EQ(ran, 0);
}

TEST_F(AbortTest, StreamTakesTasksAgain) {
  Gate gate;
  WaitingStream waiting(gate);
  EXPECT_OK(aclrtStreamAbort(waiting.stream));
  std::atomic<int> ran{0};
  EXPECT_OK(aclrtLaunchHostFunc(waiting.stream, &Count, &ran));
  EXPECT_OK(aclrtSynchronizeStream(waiting.stream));
  EXPECT_EQ(ran, 1);
}

TEST_F(AbortTest, DropsTheTasksBehindARunningHostFunction) {
  aclrtStream stream = NewStream();
  Gate gate;
  gate.BlockNow(stream);
  std::atomic<int> ran{0};
  EXPECT_OK(aclrtLaunchHostFunc(stream, &Count, &ran));
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    gate.Open();
  });
  EXPECT_OK(aclrtStreamAbort(stream));
  opener.join();
  EXPECT_OK(aclrtLaunchHostFunc(stream, &Count, &ran));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(ran, 1);
}

TEST_F(AbortTest, WaitingStreamSynchroniseReturnsAbort) {
  Gate gate;
  WaitingStream waiting(gate);
  std::atomic<bool> started{false};
  int code = 0;
  std::string message;
  std::thread waiter([&] {
    EXPECT_OK(aclrtSetDevice(0));
    TakeMessages();
    started = true;
    code = aclrtSynchronizeStream(waiting.stream);
    message = TakeMessages();
    EXPECT_OK(aclrtResetDevice(0));
  });
  while (!started) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_OK(aclrtStreamAbort(waiting.stream));
  waiter.join();
  EXPECT_EQ(code, ACL_ERROR_RT_STREAM_ABORT);
  EXPECT_NE(message.find("aclrtSynchronizeStream"), std::string::npos) << message;
  EXPECT_NE(message.find("abort"), std::string::npos) << message;
}

TEST_F(AbortTest, WaitingEventSynchroniseReturnsAbort) {
  Gate gate;
  WaitingStream waiting(gate);
  aclrtEvent event = NewEvent();
  EXPECT_OK(aclrtRecordEvent(event, waiting.stream));
  std::atomic<bool> started{false};
  int code = 0;
  std::thread waiter([&] {
    EXPECT_OK(aclrtSetDevice(0));
    started = true;
    code = aclrtSynchronizeEvent(event);
    EXPECT_OK(aclrtResetDevice(0));
  });
  while (!started) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_OK(aclrtStreamAbort(waiting.stream));
  waiter.join();
  EXPECT_EQ(code, ACL_ERROR_RT_STREAM_ABORT);
}

TEST_F(AbortTest, WaitingDeviceSynchroniseReturns) {
  Gate gate;
  WaitingStream waiting(gate);
  std::atomic<bool> started{false};
  int code = 0;
  std::thread waiter([&] {
    EXPECT_OK(aclrtSetDevice(0));
    started = true;
    code = aclrtSynchronizeDevice();
    EXPECT_OK(aclrtResetDevice(0));
  });
  while (!started) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_OK(aclrtStreamAbort(waiting.stream));
  gate.Open();
  waiter.join();
  // Whether the wait had reached the aborted stream is a matter of its order.
  EXPECT_TRUE(code == ACL_SUCCESS || code == ACL_ERROR_RT_STREAM_ABORT) << code;
}

TEST_F(AbortTest, DoesNotReleaseStreamsThatWaitForTheAbortedOne) {
  Gate gate;
  WaitingStream first(gate);
  aclrtEvent event = NewEvent();
  EXPECT_OK(aclrtRecordEvent(event, first.stream));
  aclrtStream second = NewStream();
  EXPECT_OK(aclrtStreamWaitEvent(second, event));
  EXPECT_OK(aclrtStreamAbort(first.stream));
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(second, 100), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_OK(aclrtStreamAbort(second));
  EXPECT_OK(aclrtSynchronizeStreamWithTimeout(second, 5000));
}

TEST_F(AbortTest, OfOneStreamLeavesOthersAlone) {
  Gate gate;
  WaitingStream aborted(gate);
  WaitingStream other(gate);
  std::atomic<int> ran{0};
  EXPECT_OK(aclrtLaunchHostFunc(other.stream, &Count, &ran));
  EXPECT_OK(aclrtStreamAbort(aborted.stream));
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(other.stream, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(other.stream));
  EXPECT_EQ(ran, 1);
}

TEST_F(AbortTest, ManyTimesWhileOthersEnqueueAndSynchronise) {
  aclrtStream stream = NewStream();
  std::atomic<bool> stop{false};
  std::atomic<int> ran{0};
  std::thread producer([&] {
    EXPECT_OK(aclrtSetDevice(0));
    while (!stop) {
      EXPECT_OK(aclrtLaunchHostFunc(stream, &Count, &ran));
      const int code = aclrtSynchronizeStream(stream);
      EXPECT_TRUE(code == ACL_SUCCESS || code == ACL_ERROR_RT_STREAM_ABORT) << code;
    }
    EXPECT_OK(aclrtResetDevice(0));
  });
  for (int i = 0; i < 500; ++i) EXPECT_OK(aclrtStreamAbort(stream));
  stop = true;
  producer.join();
  EXPECT_OK(aclrtLaunchHostFunc(stream, &Count, &ran));
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(AbortTest, FailureModeIsContinueOrStop) {
  aclrtStream stream = NewStream();
  EXPECT_OK(aclrtSetStreamFailureMode(stream, ACL_CONTINUE_ON_FAILURE));
  EXPECT_OK(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
  for (uint64_t mode : {uint64_t{2}, uint64_t{1} << 32, ~uint64_t{0}}) {
    TakeMessages();
    EXPECT_NE(aclrtSetStreamFailureMode(stream, mode), 0);
    EXPECT_NE(TakeMessages().find("mode"), std::string::npos);
  }
  EXPECT_OK(aclrtLaunchHostFunc(stream, &DoNothing, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

// The timeout is state of the process, so that these restore the default.
class TimeoutTest : public ::testing::Test {
 protected:
  void TearDown() override { EXPECT_OK(aclrtSetOpExecuteTimeOut(1091)); }

  uint32_t InForce() {
    uint32_t milliseconds = 1;
    EXPECT_OK(aclrtGetOpExecuteTimeout(&milliseconds));
    return milliseconds;
  }
};

TEST_F(TimeoutTest, DefaultIs1091Seconds) {
  InFreshProcess([] {
    uint32_t milliseconds = 0;
    EXPECT_OK(aclrtGetOpExecuteTimeout(&milliseconds));
    EXPECT_EQ(milliseconds, 1091000u);
  });
}

TEST_F(TimeoutTest, LastCallWins) {
  EXPECT_OK(aclrtSetOpExecuteTimeOut(3));
  EXPECT_EQ(InForce(), 3000u);
  EXPECT_OK(aclrtSetOpExecuteTimeOutWithMs(1234));
  EXPECT_EQ(InForce(), 1234u);
  uint64_t actual = 0;
  EXPECT_OK(aclrtSetOpExecuteTimeOutV2(5000, &actual));
  EXPECT_EQ(actual, 5000u);
  EXPECT_EQ(InForce(), 5u);
  EXPECT_OK(aclrtSetOpExecuteTimeOut(2));
  EXPECT_EQ(InForce(), 2000u);
}

TEST_F(TimeoutTest, V2ReportsTheValueInForce) {
  uint64_t actual = 0;
  EXPECT_OK(aclrtSetOpExecuteTimeOutV2(7000000, &actual));
  EXPECT_EQ(actual, 7000000u);
  // Values are kept to the millisecond; a shorter one must not become "never".
  EXPECT_OK(aclrtSetOpExecuteTimeOutV2(1, &actual));
  EXPECT_EQ(actual, 1000u);
  EXPECT_OK(aclrtSetOpExecuteTimeOutV2(1500, &actual));
  EXPECT_EQ(actual % 1000, 0u);
  EXPECT_EQ(uint64_t{InForce()} * 1000, actual);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtSetOpExecuteTimeOutV2(1, nullptr), "actualTimeout",
               "null");
}

TEST_F(TimeoutTest, ZeroMeansNever) {
  uint64_t actual = 0;
  EXPECT_OK(aclrtSetOpExecuteTimeOutV2(0, &actual));
  EXPECT_EQ(actual, std::numeric_limits<uint64_t>::max());
  const uint32_t never = InForce();
  EXPECT_OK(aclrtSetOpExecuteTimeOut(0));
  EXPECT_EQ(InForce(), never);
  EXPECT_OK(aclrtSetOpExecuteTimeOutWithMs(0));
  EXPECT_EQ(InForce(), never);
}

TEST_F(TimeoutTest, ExtremeValuesDoNotWrap) {
  EXPECT_OK(aclrtSetOpExecuteTimeOut(std::numeric_limits<uint32_t>::max()));
  EXPECT_GE(InForce(), 1000000000u);
  uint64_t actual = 0;
  EXPECT_OK(aclrtSetOpExecuteTimeOutV2(std::numeric_limits<uint64_t>::max(), &actual));
  EXPECT_GE(actual, std::numeric_limits<uint64_t>::max() - 1000);
}

TEST_F(TimeoutTest, IntervalIsOneMillisecond) {
  uint64_t interval = 0;
  EXPECT_OK(aclrtGetOpTimeOutInterval(&interval));
  EXPECT_EQ(interval, 1000u);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtGetOpTimeOutInterval(nullptr), "interval", "null");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtGetOpExecuteTimeout(nullptr), "timeoutMs", "null");
}

TEST_F(TimeoutTest, WaitTimeoutTakesAnyValue) {
  EXPECT_OK(aclrtSetOpWaitTimeout(std::numeric_limits<uint32_t>::max()));
  EXPECT_OK(aclrtSetOpWaitTimeout(100));
  EXPECT_OK(aclrtSetOpWaitTimeout(0));
}

TEST_F(TimeoutTest, HostFunctionsAreNeverCutOff) {
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_OK(aclrtSetOpExecuteTimeOutWithMs(10));
  aclrtStream stream = NewStream();
  bool finished = false;
  EXPECT_OK(aclrtLaunchHostFunc(
      stream,
      [](void* argument) {
        std::this_thread::sleep_for(std::chrono::milliseconds(80));
        *static_cast<bool*>(argument) = true;
      },
      &finished));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_TRUE(finished);
  EXPECT_OK(aclrtResetDevice(0));
}

}  // namespace
}  // namespace anyacl::test
