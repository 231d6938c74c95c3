// SPDX-License-Identifier: Apache-2.0
// Order within a stream under several enqueuing threads, and across streams through events.
#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <numeric>
#include <thread>

#include "fixture.h"

namespace anyacl::test {
namespace {

using OrderTest = RuntimeTest;

struct Item {
  std::vector<int>* order;
  int value;
};

void Append(void* argument) {
  auto* item = static_cast<Item*>(argument);
  item->order->push_back(item->value);
}

void RunThreads(int count, const std::function<void(int)>& body) {
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t) {
    threads.emplace_back([&body, t] {
      EXPECT_OK(aclrtSetDevice(0));
      body(t);
      EXPECT_OK(aclrtResetDevice(0));
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(OrderTest, EachThreadsTasksKeepTheirOrder) {
  constexpr int kThreads = 4, kTasks = 2000;
  aclrtStream stream = NewStream();
  std::vector<int> order;
  std::vector<std::vector<Item>> items(kThreads, std::vector<Item>(kTasks));
  RunThreads(kThreads, [&](int t) {
    for (int i = 0; i < kTasks; ++i) {
      Item& item = items[static_cast<size_t>(t)][static_cast<size_t>(i)];
      item = {&order, t * kTasks + i};
      EXPECT_OK(aclrtLaunchHostFunc(stream, &Append, &item));
    }
  });
  EXPECT_OK(aclrtSynchronizeStream(stream));
  ASSERT_EQ(order.size(), size_t{kThreads} * kTasks);
  std::vector<int> next(kThreads, 0);
  for (int value : order) EXPECT_EQ(value % kTasks, next[static_cast<size_t>(value / kTasks)]++);
}

TEST_F(OrderTest, EnqueueOrderOfSeveralThreadsIsExecutionOrder) {
  constexpr int kThreads = 3, kTasks = 1500;
  aclrtStream stream = NewStream();
  std::vector<int> order;
  std::vector<Item> items(kThreads * kTasks);
  std::mutex mutex;
  int next = 0;
  RunThreads(kThreads, [&](int) {
    for (int i = 0; i < kTasks; ++i) {
      std::lock_guard lock(mutex);  // the program provides the order
      Item& item = items[static_cast<size_t>(next)];
      item = {&order, next++};
      EXPECT_OK(aclrtLaunchHostFunc(stream, &Append, &item));
    }
  });
  EXPECT_OK(aclrtSynchronizeStream(stream));
  std::vector<int> expected(kThreads * kTasks);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(order, expected);
}

TEST_F(OrderTest, MixedTaskKindsKeepTheirOrder) {
  // Copies may be run by the thread that synchronises, host functions by the stream's own: the
  // order must hold across both.
  aclrtStream stream = NewStream();
  constexpr size_t kCount = 400;
  auto* cells = static_cast<uint8_t*>(NewDeviceMemory(kCount + 1));
  EXPECT_OK(aclrtMemset(cells, kCount + 1, 0, kCount + 1));
  struct Step {
    uint8_t* cell;
  };
  std::vector<Step> steps(kCount);
  for (int round = 0; round < 5; ++round) {
    EXPECT_OK(aclrtMemsetAsync(cells, kCount + 1, round + 1, 1, stream));
    for (size_t i = 0; i < kCount; ++i) {
      // Each step copies the value of the previous cell on, alternating kinds.
      if (i % 2 == 0) {
        EXPECT_OK(
            aclrtMemcpyAsync(cells + i + 1, 1, cells + i, 1, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
      } else {
        steps[i] = {cells + i};
        EXPECT_OK(aclrtLaunchHostFunc(
            stream,
            [](void* argument) {
              uint8_t* cell = static_cast<Step*>(argument)->cell;
              cell[1] = cell[0];
            },
            &steps[i]));
      }
      if (i % 97 == 0) {
        EXPECT_OK(aclrtSynchronizeStream(stream));
      }
    }
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_EQ(cells[kCount], round + 1);
  }
}

// Small tasks, which their enqueuer runs where it can, between large ones, which it leaves.
TEST_F(OrderTest, SmallTasksKeepTheirPlaceBetweenLargeOnes) {
  constexpr size_t kSteps = 3000, kLarge = 64 << 10;
  RunThreads(2, [&](int) {
    aclrtStream stream = NewStream();
    auto* from = static_cast<uint8_t*>(NewDeviceMemory(kLarge));
    auto* to = static_cast<uint8_t*>(NewDeviceMemory(kLarge));
    auto* log = static_cast<uint8_t*>(NewDeviceMemory(kSteps));
    for (size_t i = 0; i < kSteps; ++i) {
      EXPECT_OK(aclrtMemsetAsync(from, 8, static_cast<int>(i % 251), 8, stream));
      if (i % 3 != 0) {
        EXPECT_OK(aclrtMemcpyAsync(to, kLarge, from, kLarge, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
      } else {
        EXPECT_OK(aclrtMemcpyAsync(to, 8, from, 8, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
      }
      EXPECT_OK(aclrtMemcpyAsync(log + i, 1, to, 1, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
      if (i % 16 < 3) std::this_thread::sleep_for(std::chrono::microseconds(30 * (i % 16)));
    }
    EXPECT_OK(aclrtSynchronizeStream(stream));
    for (size_t i = 0; i < kSteps; ++i) ASSERT_EQ(log[i], i % 251) << i;
  });
}

// Of two threads one may run a small task of the stream to which the other appends.
TEST_F(OrderTest, SmallTasksOfTwoThreadsRunOneAtATime) {
  constexpr int kEach = 20000;
  struct Cell {
    aclrtStream stream;
    uint8_t* memory;
  } cell{NewStream(), static_cast<uint8_t*>(NewDeviceMemory(8192))};
  RunThreads(2, [&](int t) {
    uint8_t* const mine = cell.memory + t * 4096;
    for (int i = 0; i < kEach; ++i) {
      EXPECT_OK(aclrtMemsetAsync(mine, 1, i % 200, 1, cell.stream));
      EXPECT_OK(aclrtMemcpyAsync(mine + 1, 1, mine, 1, ACL_MEMCPY_DEVICE_TO_DEVICE, cell.stream));
      EXPECT_OK(aclrtMemcpyAsync(mine + 64 + i % 1024, 1, mine + 1, 1, ACL_MEMCPY_DEVICE_TO_DEVICE,
                                 cell.stream));
    }
    EXPECT_OK(aclrtSynchronizeStream(cell.stream));
    for (int i = kEach - 1024; i < kEach; ++i) ASSERT_EQ(mine[64 + i % 1024], i % 200) << i;
  });
}

TEST_F(OrderTest, SeveralThreadsSynchroniseOneStream) {
  aclrtStream stream = NewStream();
  auto* memory = static_cast<uint8_t*>(NewDeviceMemory(64));
  RunThreads(4, [&](int t) {
    for (int i = 0; i < 300; ++i) {
      // Each thread owns one byte; its value must be there after its own synchronise.
      EXPECT_OK(aclrtMemsetAsync(memory + t * 8, 1, i, 1, stream));
      EXPECT_OK(aclrtSynchronizeStream(stream));
      EXPECT_EQ(memory[t * 8], static_cast<uint8_t>(i));
    }
  });
}

TEST_F(OrderTest, EventsCarryDataFromStreamToStream) {
  constexpr int kStreams = 20;
  std::vector<aclrtStream> streams;
  for (int i = 0; i < kStreams; ++i) streams.push_back(NewStream());
  aclrtEvent event = NewExEvent();  // one event, recorded again and again
  int64_t value = 0;                // touched by one stream at a time
  for (int round = 0; round < 100; ++round) {
    for (aclrtStream stream : streams) {
      EXPECT_OK(aclrtStreamWaitEvent(stream, event));
      EXPECT_OK(aclrtLaunchHostFunc(
          stream,
          [](void* argument) {
            auto* number = static_cast<int64_t*>(argument);
            *number = (*number * 31 + 7) % 1000003;
          },
          &value));
      EXPECT_OK(aclrtRecordEvent(event, stream));
    }
  }
  EXPECT_OK(aclrtSynchronizeEvent(event));
  int64_t expected = 0;
  for (int i = 0; i < 100 * kStreams; ++i) expected = (expected * 31 + 7) % 1000003;
  EXPECT_EQ(value, expected);
}

TEST_F(OrderTest, OneThreadRecordsAnotherWaits) {
  constexpr int kSteps = 500;
  aclrtStream producer = NewStream();
  aclrtStream consumer = NewStream();
  struct Slot {
    aclrtEvent event = nullptr;
    int produced = 0;
    int consumed = 0;
    std::atomic<bool> recorded{false};
  };
  std::vector<Slot> slots(kSteps);
  for (Slot& slot : slots) slot.event = NewEvent();
  RunThreads(2, [&](int t) {
    for (int i = 0; i < kSteps; ++i) {
      Slot& slot = slots[static_cast<size_t>(i)];
      if (t == 0) {
        EXPECT_OK(aclrtLaunchHostFunc(
            producer, [](void* s) { static_cast<Slot*>(s)->produced = 5; }, &slot));
        EXPECT_OK(aclrtRecordEvent(slot.event, producer));
        slot.recorded = true;
      } else {
        while (!slot.recorded) std::this_thread::yield();
        EXPECT_OK(aclrtStreamWaitEvent(consumer, slot.event));
        EXPECT_OK(aclrtLaunchHostFunc(
            consumer,
            [](void* s) {
              auto* filled = static_cast<Slot*>(s);
              filled->consumed = filled->produced;
            },
            &slot));
      }
    }
  });
  EXPECT_OK(aclrtSynchronizeStream(consumer));
  for (const Slot& slot : slots) EXPECT_EQ(slot.consumed, 5);
}

TEST_F(OrderTest, TwoThreadsRecordAndWaitForOneEvent) {
  // Which record a wait sees is a race of the program; every wait must still end.
  aclrtEvent event = NewExEvent();
  RunThreads(2, [&](int) {
    aclrtStream stream = NewStream();
    for (int i = 0; i < 500; ++i) {
      EXPECT_OK(aclrtRecordEvent(event, stream));
      EXPECT_OK(aclrtStreamWaitEvent(stream, event));
      if (i % 50 == 0) {
        EXPECT_OK(aclrtSynchronizeEvent(event));
      }
    }
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_OK(aclrtDestroyStream(stream));
  });
}

}  // namespace
}  // namespace anyacl::test
