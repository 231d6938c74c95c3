// SPDX-License-Identifier: Apache-2.0
// Threads that wait for queues and channels, and what ends their waits.
#include <atomic>
#include <thread>

#include "support/asleep.h"
#include "tdt_case.h"

namespace anyacl::test {
namespace {

class WaitingTest : public RuntimeTest {};

// Runs in a thread that has the device.
template <class Body>
std::thread OnDevice(Body body) {
  return std::thread([body] {
    EXPECT_OK(aclrtSetDevice(0));
    body();
    EXPECT_OK(aclrtResetDevice(0));
  });
}

TEST_F(WaitingTest, AReceiverWaitsForASender) {
  const ChannelPtr channel = NewChannel("wait");
  const Vector vector({3});
  // Without a context: a channel knows its device.
  std::thread receiver([&] {
    const DatasetPtr received = NewDataset();
    EXPECT_OK(acltdtReceiveTensor(channel.get(), received.get(), -1));
    EXPECT_EQ(ReceivedValues(received.get()), std::vector<int32_t>{3});
  });
  EXPECT_OK(acltdtSendTensor(channel.get(), vector.dataset.get(), -1));
  receiver.join();
}

TEST_F(WaitingTest, ASenderWaitsForRoom) {
  const TestQueue queue(2);
  EXPECT_OK(queue.Put(1));
  EXPECT_OK(queue.Put(2));
  std::thread sender = OnDevice([&] { EXPECT_OK(queue.Put(3, -1)); });
  for (int32_t i = 1; i <= 3; ++i) EXPECT_EQ(queue.Take(-1), i);
  sender.join();
}

TEST_F(WaitingTest, ASenderWaitsForRoomBehindARoute) {
  const TestQueue source(2), destination(2);
  acltdtQueueRouteList* list = acltdtCreateQueueRouteList();
  acltdtQueueRoute* route = acltdtCreateQueueRoute(source.id(), destination.id());
  ASSERT_OK(acltdtAddQueueRoute(list, route));
  ASSERT_OK(acltdtBindQueueRoutes(list));
  constexpr int32_t kCount = 100;
  std::thread sender = OnDevice([&] {
    for (int32_t i = 0; i < kCount; ++i) EXPECT_OK(source.Put(i, -1));
  });
  for (int32_t i = 0; i < kCount; ++i) EXPECT_EQ(destination.Take(-1), i);
  sender.join();
  EXPECT_OK(acltdtUnbindQueueRoutes(list));
  EXPECT_OK(acltdtDestroyQueueRoute(route));
  EXPECT_OK(acltdtDestroyQueueRouteList(list));
}

TEST_F(WaitingTest, AWaitSleeps) {
  const TestQueue queue;
  std::atomic<pid_t> id = 0;
  std::thread taker = OnDevice([&] {
    id = gettid();
    EXPECT_EQ(queue.Take(-1), 1);
  });
  while (id == 0) std::this_thread::yield();
  EXPECT_TRUE(SeenAsleep(id));
  EXPECT_OK(queue.Put(1));
  taker.join();
}

TEST_F(WaitingTest, AWaitEndsInTime) {
  const TestQueue queue;
  EXPECT_EQ(queue.Take(200), -1);
  EXPECT_OK(queue.Put(1));
  EXPECT_OK(queue.Put(2));
  EXPECT_EQ(queue.Put(3, 1), ACL_ERROR_RT_QUEUE_FULL);
}

TEST_F(WaitingTest, StoppingAChannelEndsItsWaits) {
  const ChannelPtr channel = NewChannel("stop");
  std::thread receiver([&] {
    const DatasetPtr received = NewDataset();
    EXPECT_EQ(acltdtReceiveTensor(channel.get(), received.get(), -1), ACL_ERROR_RT_QUEUE_EMPTY);
  });
  EXPECT_OK(acltdtStopChannel(channel.get()));
  receiver.join();
  // What needs no wait goes on.
  const Vector vector({1});
  EXPECT_OK(acltdtSendTensor(channel.get(), vector.dataset.get(), -1));
  EXPECT_OK(acltdtSendTensor(channel.get(), vector.dataset.get(), -1));
  EXPECT_EQ(acltdtSendTensor(channel.get(), vector.dataset.get(), -1), ACL_ERROR_RT_QUEUE_FULL);
}

TEST_F(WaitingTest, DestroyingEndsWaits) {
  uint32_t id = 0;
  ASSERT_OK(acltdtCreateQueue(nullptr, &id));
  std::thread receiver = OnDevice([&] {
    char byte = 0;
    size_t size = 0;
    EXPECT_EQ(acltdtDequeueData(id, &byte, 1, &size, nullptr, 0, -1), ACL_ERROR_RT_PARAM_INVALID);
  });
  EXPECT_OK(acltdtDestroyQueue(id));
  receiver.join();
}

TEST_F(WaitingTest, ManyThreadsLoseNothing) {
  const ChannelPtr channel = NewChannel("many", 2);
  constexpr int kThreads = 3, kEach = 200;
  std::atomic<int64_t> sum = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < kEach; ++i) {
        const Vector vector({thread * kEach + i});
        EXPECT_OK(acltdtSendTensor(channel.get(), vector.dataset.get(), -1));
      }
    });
    threads.emplace_back([&] {
      const DatasetPtr received = NewDataset();
      for (int i = 0; i < kEach; ++i) {
        EXPECT_OK(acltdtReceiveTensor(channel.get(), received.get(), -1));
        sum += ReceivedValues(received.get()).at(0);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  constexpr int64_t kCount = kThreads * kEach;
  EXPECT_EQ(sum, kCount * (kCount - 1) / 2);
}

}  // namespace
}  // namespace anyacl::test
