// SPDX-License-Identifier: Apache-2.0
// A task that blocks holds up its own stream and nothing else; threads exist only where needed.
#include <atomic>
#include <chrono>
#include <fstream>
#include <string>
#include <thread>

#include "fixture.h"

namespace anyacl::test {
namespace {

using AsynchronyTest = RuntimeTest;

void Count(void* counter) { static_cast<std::atomic<int>*>(counter)->fetch_add(1); }

int ThreadsOfTheProcess() {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (line.rfind("Threads:", 0) == 0) return std::stoi(line.substr(8));
  }
  return -1;
}

// Worker threads end a little after what ended them.
bool ThreadsFallTo(int limit) {
  for (int i = 0; i < 500 && ThreadsOfTheProcess() > limit; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return ThreadsOfTheProcess() <= limit;
}

TEST_F(AsynchronyTest, EnqueueDoesNotWaitForABlockedStream) {
  aclrtStream stream = NewStream();
  Gate gate;
  gate.BlockNow(stream);
  std::atomic<int> ran{0};
  void* memory = NewDeviceMemory(64);
  aclrtEvent event = NewEvent();
  for (int i = 0; i < 1000; ++i) {
    EXPECT_OK(aclrtLaunchHostFunc(stream, &Count, &ran));
    EXPECT_OK(aclrtMemsetAsync(memory, 64, i, 64, stream));
    EXPECT_OK(aclrtRecordEvent(event, stream));
  }
  EXPECT_EQ(ran, 0);
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(ran, 1000);
}

TEST_F(AsynchronyTest, BlockedStreamsHoldUpNoOther) {
  // More blocked streams than this machine has processors.
  constexpr int kBlocked = 64;
  Gate gate;
  for (int i = 0; i < kBlocked; ++i) gate.BlockNow(NewStream());
  std::atomic<int> ran{0};
  for (int i = 0; i < 20; ++i) {
    aclrtStream stream = NewStream();
    EXPECT_OK(aclrtLaunchHostFunc(stream, &Count, &ran));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_OK(aclrtDestroyStream(stream));
  }
  EXPECT_EQ(ran, 20);
}

TEST_F(AsynchronyTest, BlockedStreamHoldsUpNoMemoryCall) {
  Gate gate;
  gate.BlockNow(NewStream());
  gate.BlockNow(nullptr);
  std::vector<char> host(1 << 16, 3);
  for (int i = 0; i < 20; ++i) {
    void* memory = NewDeviceMemory(host.size());
    EXPECT_OK(
        aclrtMemcpy(memory, host.size(), host.data(), host.size(), ACL_MEMCPY_HOST_TO_DEVICE));
    EXPECT_OK(aclrtMemset(memory, host.size(), 1, 100));
    EXPECT_OK(
        aclrtMemcpy(host.data(), host.size(), memory, host.size(), ACL_MEMCPY_DEVICE_TO_HOST));
    EXPECT_OK(aclrtFree(memory));
    void* pinned = nullptr;
    EXPECT_OK(aclrtMallocHost(&pinned, 4096));
    EXPECT_OK(aclrtFreeHost(pinned));
    size_t free_size = 0, total = 0;
    EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free_size, &total));
  }
}

TEST_F(AsynchronyTest, BlockedStreamHoldsUpNoEventOfOthers) {
  Gate gate;
  gate.BlockNow(NewStream());
  aclrtStream first = NewStream();
  aclrtStream second = NewStream();
  aclrtEvent event = NewEvent();
  EXPECT_OK(aclrtRecordEvent(event, first));
  EXPECT_OK(aclrtStreamWaitEvent(second, event));
  EXPECT_OK(aclrtSynchronizeEvent(event));
  EXPECT_OK(aclrtSynchronizeStream(second));
  EXPECT_OK(aclrtDestroyEvent(event));
}

TEST_F(AsynchronyTest, BlockedStreamHoldsUpNoOtherThread) {
  Gate gate;
  gate.BlockNow(NewStream());
  std::thread([] {
    EXPECT_OK(aclrtSetDevice(0));
    aclrtStream stream = NewStream();
    void* memory = NewDeviceMemory(64);
    EXPECT_OK(aclrtMemsetAsync(memory, 64, 1, 64, stream));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_OK(aclrtResetDevice(0));
  }).join();
}

TEST_F(AsynchronyTest, ProducerBehindABlockedConsumerRuns) {
  // The consumer is launched first and ends only through work that is enqueued after it.
  struct Shared {
    std::atomic<int> flag{0};
  } shared;
  aclrtStream consumer = NewStream();
  aclrtStream producer = NewStream();
  EXPECT_OK(aclrtLaunchHostFunc(
      consumer,
      [](void* argument) {
        auto& flag = static_cast<Shared*>(argument)->flag;
        while (flag.load(std::memory_order_acquire) == 0) std::this_thread::yield();
      },
      &shared));
  EXPECT_OK(aclrtLaunchHostFunc(
      producer,
      [](void* argument) {
        static_cast<Shared*>(argument)->flag.store(1, std::memory_order_release);
      },
      &shared));
  EXPECT_OK(aclrtSynchronizeStream(consumer));
}

TEST_F(AsynchronyTest, StreamsWithoutWorkHaveNoThread) {
  const int before = ThreadsOfTheProcess();
  ASSERT_GT(before, 0);
  for (int i = 0; i < 500; ++i) NewStream();
  EXPECT_LE(ThreadsOfTheProcess(), before);
}

TEST_F(AsynchronyTest, SmallTasksBehindNothingAreDoneAtOnceAndNeedNoThread) {
  const int before = ThreadsOfTheProcess();
  auto* memory = static_cast<uint8_t*>(NewDeviceMemory(16384));
  aclrtEvent event = NewEvent();
  for (int i = 1; i <= 100; ++i) {
    aclrtStream stream = NewStream();
    EXPECT_OK(aclrtMemsetAsync(memory, 16384, i, 16384, stream));
    EXPECT_OK(aclrtRecordEvent(event, stream));
    aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
    EXPECT_OK(aclrtQueryEventStatus(event, &status));
    EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_COMPLETE);
    EXPECT_EQ(memory[16383], i);
  }
  EXPECT_LE(ThreadsOfTheProcess(), before);
  EXPECT_OK(aclrtDestroyEvent(event));
}

TEST_F(AsynchronyTest, SmallTasksBehindABlockedOneWait) {
  auto* memory = static_cast<uint8_t*>(NewDeviceMemory(64));
  aclrtStream stream = NewStream();
  EXPECT_OK(aclrtMemsetAsync(memory, 64, 1, 64, stream));
  Gate gate;
  gate.BlockNow(stream);
  EXPECT_OK(aclrtMemsetAsync(memory, 64, 2, 64, stream));
  EXPECT_EQ(memory[0], 1);
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(memory[0], 2);
}

TEST_F(AsynchronyTest, ThreadsEndWithTheirStreams) {
  ASSERT_TRUE(ThreadsFallTo(2000));
  aclrtStream warm_up = NewStream();
  EXPECT_OK(aclrtMemsetAsync(NewDeviceMemory(64), 64, 0, 64, warm_up));
  EXPECT_OK(aclrtSynchronizeStream(warm_up));
  EXPECT_OK(aclrtDestroyStream(warm_up));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const int before = ThreadsOfTheProcess();
  for (int round = 0; round < 10; ++round) {
    std::vector<aclrtStream> streams;
    std::atomic<int> ran{0};
    for (int i = 0; i < 30; ++i) {
      streams.push_back(NewStream());
      EXPECT_OK(aclrtLaunchHostFunc(streams.back(), &Count, &ran));
    }
    for (aclrtStream stream : streams) EXPECT_OK(aclrtDestroyStream(stream));
    EXPECT_EQ(ran, 30);
  }
  EXPECT_TRUE(ThreadsFallTo(before + 2)) << ThreadsOfTheProcess() << " threads, before " << before;
}

// Exit with tasks that will never end; the process must be gone without a signal.
TEST(ExitTest, BlockedHostFunctionDoesNotPreventIt) {
  InFreshProcess([] {
    EXPECT_OK(aclrtSetDevice(0));
    static Gate* gate = new Gate;
    gate->BlockNow(NewStream());
    gate->BlockNow(nullptr);
  });
}

TEST(ExitTest, WaitForAnEventDoesNotPreventIt) {
  InFreshProcess([] {
    EXPECT_OK(aclrtSetDevice(0));
    static Gate* gate = new Gate;
    aclrtStream holder = NewStream();
    gate->BlockNow(holder);
    aclrtEvent event = NewEvent();
    EXPECT_OK(aclrtRecordEvent(event, holder));
    EXPECT_OK(aclrtStreamWaitEvent(NewStream(), event));
  });
}

TEST(ExitTest, RunningAndQueuedTasksDoNotPreventIt) {
  InFreshProcess([] {
    EXPECT_OK(aclInit(nullptr));
    EXPECT_OK(aclrtSetDevice(0));
    for (int s = 0; s < 4; ++s) {
      void* memory = NewDeviceMemory(1 << 18);
      aclrtStream stream = NewStream();
      for (int i = 0; i < 200; ++i) {
        EXPECT_OK(aclrtMemsetAsync(memory, 1 << 18, i, 1 << 18, stream));
      }
    }
  });
}

TEST(ExitTest, UnservedCallbackDoesNotPreventIt) {
  InFreshProcess([] {
    EXPECT_OK(aclrtSetDevice(0));
    aclrtStream stream = NewStream();
    EXPECT_OK(aclrtSubscribeReport(static_cast<uint64_t>(pthread_self()), stream));
    EXPECT_OK(aclrtLaunchCallback(&DoNothing, nullptr, ACL_CALLBACK_BLOCK, stream));
  });
}

TEST(ExitTest, ThreadsMayStillCallWhileItHappens) {
  InFreshProcess([] {
    EXPECT_OK(aclrtSetDevice(0));
    for (int t = 0; t < 3; ++t) {
      std::thread([] {
        aclrtSetDevice(0);
        for (;;) {
          void* memory = nullptr;
          aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST);
          aclrtMemsetAsync(memory, 64, 1, 64, nullptr);
          aclrtSynchronizeStream(nullptr);
          aclrtFree(memory);
          aclrtFree(nullptr);
        }
      }).detach();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  });
}

}  // namespace
}  // namespace anyacl::test
