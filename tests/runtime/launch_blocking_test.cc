// SPDX-License-Identifier: Apache-2.0
// ACL_LAUNCH_BLOCKING=1: who runs a task, and what several threads and host functions may do at
// once. Every test is a process of its own, because the variable is read once.
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "fixture.h"

namespace anyacl::test {
namespace {

struct Inline {
  std::thread::id ran_on;
  bool ran = false;
};

TEST(LaunchBlockingTest, TasksRunInTheEnqueueingThread) {
  ScopedEnv env("ACL_LAUNCH_BLOCKING", "1");
  InFreshProcess([] {
    ASSERT_OK(aclrtSetDevice(0));
    for (aclrtStream stream : {static_cast<aclrtStream>(nullptr), NewStream()}) {
      Inline result;
      EXPECT_OK(aclrtLaunchHostFunc(
          stream,
          [](void* argument) {
            auto* data = static_cast<Inline*>(argument);
            data->ran_on = std::this_thread::get_id();
            data->ran = true;
          },
          &result));
      EXPECT_TRUE(result.ran);
      EXPECT_EQ(result.ran_on, std::this_thread::get_id());
      aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
      EXPECT_OK(aclrtStreamQuery(stream, &status));
      EXPECT_EQ(status, ACL_STREAM_STATUS_COMPLETE);
    }
    EXPECT_OK(aclrtResetDevice(0));
  });
}

TEST(LaunchBlockingTest, CopiesAndEventsAreDoneOnReturn) {
  ScopedEnv env("ACL_LAUNCH_BLOCKING", "1");
  InFreshProcess([] {
    ASSERT_OK(aclrtSetDevice(0));
    aclrtStream first = NewStream();
    aclrtStream second = NewStream();
    auto* memory = static_cast<char*>(NewDeviceMemory(64));
    EXPECT_OK(aclrtMemsetAsync(memory, 64, 9, 64, first));
    EXPECT_EQ(memory[63], 9);
    aclrtEvent event = NewEvent();
    EXPECT_OK(aclrtRecordEvent(event, first));
    EXPECT_OK(aclrtStreamWaitEvent(second, event));
    aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
    EXPECT_OK(aclrtQueryEventStatus(event, &status));
    EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_COMPLETE);
    EXPECT_OK(aclrtSynchronizeStream(second));
    EXPECT_OK(aclrtResetDevice(0));
  });
}

TEST(LaunchBlockingTest, ZeroMeansOff) {
  ScopedEnv env("ACL_LAUNCH_BLOCKING", "0");
  InFreshProcess([] {
    ASSERT_OK(aclrtSetDevice(0));
    Gate gate;
    gate.BlockNow(nullptr);  // would hang in this thread
    gate.Open();
    EXPECT_OK(aclrtSynchronizeStream(nullptr));
  });
}

TEST(LaunchBlockingTest, HostFunctionsMayEnqueue) {
  ScopedEnv env("ACL_LAUNCH_BLOCKING", "1");
  InFreshProcess([] {
    ASSERT_OK(aclrtSetDevice(0));
    static char* memory = static_cast<char*>(NewDeviceMemory(64));
    EXPECT_OK(aclrtLaunchHostFunc(
        nullptr, [](void*) { EXPECT_OK(aclrtMemsetAsync(memory, 64, 4, 64, nullptr)); }, nullptr));
    EXPECT_OK(aclrtSynchronizeStream(nullptr));
    EXPECT_EQ(memory[0], 4);
  });
}

TEST(LaunchBlockingTest, ThreadsThatShareAStreamTakeTurns) {
  ScopedEnv env("ACL_LAUNCH_BLOCKING", "1");
  InFreshProcess([] {
    ASSERT_OK(aclrtSetDevice(0));
    aclrtStream stream = NewStream();
    static int inside = 0;  // tasks of one stream exclude each other
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([stream] {
        EXPECT_OK(aclrtSetDevice(0));
        for (int i = 0; i < 500; ++i) {
          Inline result;
          EXPECT_OK(aclrtLaunchHostFunc(
              stream,
              [](void* argument) {
                EXPECT_EQ(++inside, 1);
                --inside;
                auto* data = static_cast<Inline*>(argument);
                data->ran_on = std::this_thread::get_id();
                data->ran = true;
              },
              &result));
          EXPECT_TRUE(result.ran);
          EXPECT_EQ(result.ran_on, std::this_thread::get_id());
          EXPECT_OK(aclrtSynchronizeStream(stream));
        }
        EXPECT_OK(aclrtResetDevice(0));
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_OK(aclrtResetDevice(0));
  });
}

// The second thread enqueues while the first one's task runs: nobody else would run its task.
TEST(LaunchBlockingTest, ATaskEnqueuedDuringAnotherRunsWhenThatEnds) {
  ScopedEnv env("ACL_LAUNCH_BLOCKING", "1");
  InFreshProcess([] {
    ASSERT_OK(aclrtSetDevice(0));
    aclrtStream stream = NewStream();
    Gate gate;
    std::thread first([&] {
      EXPECT_OK(aclrtSetDevice(0));
      gate.Block(stream);
      EXPECT_OK(aclrtResetDevice(0));
    });
    aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
    while (status == ACL_STREAM_STATUS_COMPLETE) EXPECT_OK(aclrtStreamQuery(stream, &status));
    std::atomic<bool> enqueues{false};
    std::thread second([&] {
      EXPECT_OK(aclrtSetDevice(0));
      enqueues = true;
      EXPECT_OK(aclrtLaunchHostFunc(stream, &DoNothing, nullptr));
      EXPECT_OK(aclrtResetDevice(0));
    });
    while (!enqueues) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // so that it waits, most likely
    gate.Open();
    second.join();
    first.join();
    EXPECT_OK(aclrtSynchronizeStream(stream));
  });
}

TEST(LaunchBlockingTest, WhatAHostFunctionEnqueuesRunsByItself) {
  ScopedEnv env("ACL_LAUNCH_BLOCKING", "1");
  InFreshProcess([] {
    ASSERT_OK(aclrtSetDevice(0));
    static aclrtStream stream = NewStream();
    static std::atomic<int> ran{0};
    constexpr aclrtHostFunc kCount = [](void*) { ++ran; };
    EXPECT_OK(aclrtLaunchHostFunc(
        stream,
        [](void* count) {
          EXPECT_OK(aclrtLaunchHostFunc(stream, reinterpret_cast<aclrtHostFunc>(count), nullptr));
          EXPECT_OK(aclrtLaunchHostFunc(stream, reinterpret_cast<aclrtHostFunc>(count), nullptr));
          EXPECT_EQ(ran, 0);  // they come after this one
        },
        reinterpret_cast<void*>(kCount)));
    while (ran < 2) std::this_thread::yield();  // nobody synchronises
    EXPECT_OK(aclrtLaunchHostFunc(stream, kCount, nullptr));
    EXPECT_EQ(ran, 3);
    EXPECT_OK(aclrtResetDevice(0));
  });
}

// Through another stream and back: the innermost call must not wait for the outermost task.
TEST(LaunchBlockingTest, HostFunctionsMayEnqueueInACircle) {
  ScopedEnv env("ACL_LAUNCH_BLOCKING", "1");
  InFreshProcess([] {
    ASSERT_OK(aclrtSetDevice(0));
    static aclrtStream first = NewStream();
    static aclrtStream second = NewStream();
    static std::atomic<int> ran{0};
    EXPECT_OK(aclrtLaunchHostFunc(
        first,
        [](void*) {
          EXPECT_OK(aclrtLaunchHostFunc(
              second,
              [](void*) {
                EXPECT_NE(aclrtSynchronizeStream(first), 0);
                EXPECT_OK(aclrtLaunchHostFunc(
                    first, [](void*) { ++ran; }, nullptr));
                ++ran;
              },
              nullptr));
          EXPECT_EQ(ran, 1);
        },
        nullptr));
    EXPECT_OK(aclrtSynchronizeStream(first));
    EXPECT_EQ(ran, 2);
    EXPECT_OK(aclrtResetDevice(0));
  });
}

TEST(LaunchBlockingTest, AnAbortedEnqueueSaysSo) {
  ScopedEnv env("ACL_LAUNCH_BLOCKING", "1");
  InFreshProcess([] {
    ASSERT_OK(aclrtSetDevice(0));
    aclrtStream stream = NewStream();
    aclrtEvent never = nullptr;
    ASSERT_OK(aclrtCreateEventWithFlag(&never, ACL_EVENT_SYNC));
    std::thread waiter([&] {
      EXPECT_OK(aclrtSetDevice(0));
      EXPECT_FAILS(ACL_ERROR_RT_STREAM_ABORT, aclrtStreamWaitEvent(stream, never), "aborted");
      EXPECT_OK(aclrtResetDevice(0));
    });
    aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
    while (status == ACL_STREAM_STATUS_COMPLETE) EXPECT_OK(aclrtStreamQuery(stream, &status));
    EXPECT_OK(aclrtStreamAbort(stream));
    waiter.join();
    EXPECT_OK(aclrtLaunchHostFunc(stream, &DoNothing, nullptr));
    EXPECT_OK(aclrtResetDevice(0));
  });
}

TEST(LaunchBlockingTest, ACallbackMayUseTheStreamThatWaitsForIt) {
  ScopedEnv env("ACL_LAUNCH_BLOCKING", "1");
  InFreshProcess([] {
    ASSERT_OK(aclrtSetDevice(0));
    static aclrtStream stream = NewStream();
    static std::atomic<int> ran{0};
    static std::atomic<bool> subscribed{false};
    std::atomic<uint64_t> id{0};
    std::thread server([&] {
      EXPECT_OK(aclrtSetDevice(0));
      id = static_cast<uint64_t>(pthread_self());
      while (!subscribed) std::this_thread::yield();
      EXPECT_OK(aclrtProcessReport(-1));
      EXPECT_OK(aclrtResetDevice(0));
    });
    while (id == 0) std::this_thread::yield();
    ASSERT_OK(aclrtSubscribeReport(id, stream));
    subscribed = true;
    EXPECT_OK(aclrtLaunchCallback(
        [](void*) {
          EXPECT_NE(aclrtSynchronizeStream(stream), 0);  // would wait for itself
          EXPECT_OK(aclrtLaunchHostFunc(
              stream, [](void*) { ++ran; }, nullptr));
        },
        nullptr, ACL_CALLBACK_BLOCK, stream));
    server.join();
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_EQ(ran, 1);
    EXPECT_OK(aclrtResetDevice(0));
  });
}

// The child goes on with what the parent was in the middle of.
TEST(LaunchBlockingTest, AChildThatAHostFunctionForksCanUseTheStream) {
  if (IsEmulated()) GTEST_SKIP() << "QEMU aborts a forked child that starts a thread";
  ScopedEnv env("ACL_LAUNCH_BLOCKING", "1");
  InFreshProcess([] {
    ASSERT_OK(aclrtSetDevice(0));
    static aclrtStream stream = NewStream();
    EXPECT_OK(aclrtLaunchHostFunc(stream, &DoNothing, nullptr));
    static pid_t child = -1;
    EXPECT_OK(aclrtLaunchHostFunc(
        stream,
        [](void*) {
          EXPECT_OK(aclrtLaunchHostFunc(stream, &DoNothing, nullptr));  // stays the parent's
          child = fork();
        },
        nullptr));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_OK(aclrtLaunchHostFunc(stream, &DoNothing, nullptr));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    if (child == 0) _exit(::testing::Test::HasFailure() ? 1 : 0);
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  });
}

}  // namespace
}  // namespace anyacl::test
