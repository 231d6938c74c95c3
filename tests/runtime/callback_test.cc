// SPDX-License-Identifier: Apache-2.0
// Callbacks served by a thread of the program: subscription, blocking kinds, codes.
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "fixture.h"

namespace anyacl::test::callback {
namespace {

using CallbackTest = RuntimeTest;

// A thread that serves callbacks until it is told to stop.
class Server {
 public:
  Server() : thread_([this] { Serve(); }) {
    while (!ready_) std::this_thread::yield();
  }
  ~Server() {
    stop_ = true;
    thread_.join();
  }

  uint64_t id() const { return id_; }

 private:
  void Serve() {
    EXPECT_OK(aclrtSetDevice(0));
    id_ = static_cast<uint64_t>(pthread_self());
    ready_ = true;
    while (!stop_) aclrtProcessReport(5);
    TakeMessages();
    EXPECT_OK(aclrtResetDevice(0));
  }

  std::atomic<uint64_t> id_{0};
  std::atomic<bool> ready_{false};
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

void Count(void* counter) { static_cast<std::atomic<int>*>(counter)->fetch_add(1); }

uint64_t Self() { return static_cast<uint64_t>(pthread_self()); }

TEST_F(CallbackTest, RunsOnTheSubscribedThread) {
  Server server;
  aclrtStream stream = NewStream();
  ASSERT_OK(aclrtSubscribeReport(server.id(), stream));
  std::atomic<uint64_t> ran_on{0};
  EXPECT_OK(aclrtLaunchCallback(
      [](void* result) { static_cast<std::atomic<uint64_t>*>(result)->store(Self()); }, &ran_on,
      ACL_CALLBACK_BLOCK, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(ran_on, server.id());
  EXPECT_OK(aclrtUnSubscribeReport(server.id(), stream));
}

TEST_F(CallbackTest, BlockHoldsTheStreamUntilTheCallbackHasRun) {
  aclrtStream stream = NewStream();
  ASSERT_OK(aclrtSubscribeReport(Self(), stream));
  std::atomic<int> callbacks{0};
  EXPECT_OK(aclrtLaunchCallback(&Count, &callbacks, ACL_CALLBACK_BLOCK, stream));
  void* memory = NewDeviceMemory(64);
  EXPECT_OK(aclrtMemsetAsync(memory, 64, 1, 64, stream));
  aclrtEvent event = NewEvent();
  EXPECT_OK(aclrtRecordEvent(event, stream));
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 50), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_COMPLETE;
  EXPECT_OK(aclrtQueryEventStatus(event, &status));
  EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_NOT_READY);
  EXPECT_OK(aclrtProcessReport(5000));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(callbacks, 1);
  EXPECT_OK(aclrtUnSubscribeReport(Self(), stream));
}

TEST_F(CallbackTest, NoBlockLetsTheStreamGoOn) {
  aclrtStream stream = NewStream();
  ASSERT_OK(aclrtSubscribeReport(Self(), stream));
  std::atomic<int> callbacks{0};
  EXPECT_OK(aclrtLaunchCallback(&Count, &callbacks, ACL_CALLBACK_NO_BLOCK, stream));
  EXPECT_OK(aclrtSynchronizeStreamWithTimeout(stream, 5000));
  EXPECT_EQ(callbacks, 0);
  EXPECT_OK(aclrtProcessReport(5000));
  EXPECT_EQ(callbacks, 1);
  EXPECT_OK(aclrtUnSubscribeReport(Self(), stream));
}

TEST_F(CallbackTest, ComesAfterTheTasksBeforeIt) {
  aclrtStream stream = NewStream();
  ASSERT_OK(aclrtSubscribeReport(Self(), stream));
  Gate gate;
  gate.BlockNow(stream);
  std::atomic<int> callbacks{0};
  EXPECT_OK(aclrtLaunchCallback(&Count, &callbacks, ACL_CALLBACK_NO_BLOCK, stream));
  EXPECT_EQ(aclrtProcessReport(30), ACL_ERROR_RT_REPORT_TIMEOUT);
  EXPECT_EQ(callbacks, 0);
  gate.Open();
  EXPECT_OK(aclrtProcessReport(5000));
  EXPECT_EQ(callbacks, 1);
  EXPECT_OK(aclrtUnSubscribeReport(Self(), stream));
}

TEST_F(CallbackTest, ManyKeepTheirOrder) {
  Server server;
  aclrtStream stream = NewStream();
  ASSERT_OK(aclrtSubscribeReport(server.id(), stream));
  struct Item {
    std::vector<int>* order;
    int value;
  };
  std::vector<int> order;
  std::vector<Item> items(200);
  for (int i = 0; i < 200; ++i) {
    items[static_cast<size_t>(i)] = {&order, i};
    EXPECT_OK(aclrtLaunchCallback(
        [](void* argument) {
          auto* item = static_cast<Item*>(argument);
          item->order->push_back(item->value);
        },
        &items[static_cast<size_t>(i)], i % 3 == 0 ? ACL_CALLBACK_BLOCK : ACL_CALLBACK_NO_BLOCK,
        stream));
  }
  std::atomic<int> last{0};
  EXPECT_OK(aclrtLaunchCallback(&Count, &last, ACL_CALLBACK_BLOCK, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  ASSERT_EQ(order.size(), 200u);
  for (int i = 0; i < 200; ++i) EXPECT_EQ(order[static_cast<size_t>(i)], i);
  EXPECT_OK(aclrtUnSubscribeReport(server.id(), stream));
}

TEST_F(CallbackTest, OneThreadServesSeveralStreams) {
  Server server;
  std::atomic<int> callbacks{0};
  std::vector<aclrtStream> streams;
  for (int i = 0; i < 5; ++i) {
    streams.push_back(NewStream());
    ASSERT_OK(aclrtSubscribeReport(server.id(), streams.back()));
  }
  for (aclrtStream stream : streams) {
    EXPECT_OK(aclrtLaunchCallback(&Count, &callbacks, ACL_CALLBACK_BLOCK, stream));
  }
  EXPECT_OK(aclrtSynchronizeDevice());
  EXPECT_EQ(callbacks, 5);
  for (aclrtStream stream : streams) EXPECT_OK(aclrtUnSubscribeReport(server.id(), stream));
}

TEST_F(CallbackTest, LaunchWithoutSubscriptionIsAnError) {
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_NO_CB_REG,
               aclrtLaunchCallback(&Count, nullptr, ACL_CALLBACK_BLOCK, NewStream()), "stream",
               "aclrtSubscribeReport");
}

TEST_F(CallbackTest, SecondSubscriptionIsAnError) {
  aclrtStream stream = NewStream();
  ASSERT_OK(aclrtSubscribeReport(Self(), stream));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_SUBSCRIBE, aclrtSubscribeReport(Self(), stream), "stream");
  Server server;
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_SUBSCRIBE, aclrtSubscribeReport(server.id(), stream), "stream");
  EXPECT_OK(aclrtUnSubscribeReport(Self(), stream));
  EXPECT_OK(aclrtSubscribeReport(server.id(), stream));
}

TEST_F(CallbackTest, UnsubscribeNeedsTheSubscription) {
  aclrtStream stream = NewStream();
  TakeMessages();
  EXPECT_NE(aclrtUnSubscribeReport(Self(), stream), 0);
  EXPECT_NE(TakeMessages().find("aclrtUnSubscribeReport"), std::string::npos);
  ASSERT_OK(aclrtSubscribeReport(Self(), stream));
  EXPECT_NE(aclrtUnSubscribeReport(Self() + 1, stream), 0);
  EXPECT_OK(aclrtUnSubscribeReport(Self(), stream));
  EXPECT_EQ(aclrtLaunchCallback(&Count, nullptr, ACL_CALLBACK_BLOCK, stream),
            ACL_ERROR_RT_STREAM_NO_CB_REG);
}

TEST_F(CallbackTest, ProcessReportNeedsASubscription) {
  std::thread([] {
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_FAILS(ACL_ERROR_RT_THREAD_SUBSCRIBE, aclrtProcessReport(10), "aclrtSubscribeReport");
    EXPECT_OK(aclrtResetDevice(0));
  }).join();
}

TEST_F(CallbackTest, SubscriptionEndsWithItsStream) {
  std::thread([] {
    EXPECT_OK(aclrtSetDevice(0));
    aclrtStream stream = NewStream();
    ASSERT_OK(aclrtSubscribeReport(Self(), stream));
    EXPECT_OK(aclrtDestroyStream(stream));
    EXPECT_EQ(aclrtProcessReport(10), ACL_ERROR_RT_THREAD_SUBSCRIBE);
    EXPECT_OK(aclrtResetDevice(0));
  }).join();
}

TEST_F(CallbackTest, ProcessReportEndsWithTheLastSubscription) {
  aclrtStream stream = NewStream();
  std::atomic<uint64_t> id{0};
  std::atomic<bool> subscribed{false};
  std::thread waiter([&] {
    EXPECT_OK(aclrtSetDevice(0));
    id = Self();
    while (!subscribed) std::this_thread::yield();
    EXPECT_FAILS(ACL_ERROR_RT_THREAD_SUBSCRIBE, aclrtProcessReport(-1), "this");
    EXPECT_OK(aclrtResetDevice(0));
  });
  while (id == 0) std::this_thread::yield();
  ASSERT_OK(aclrtSubscribeReport(id, stream));
  subscribed = true;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_OK(aclrtUnSubscribeReport(id, stream));
  waiter.join();
}

TEST_F(CallbackTest, ProcessReportTimesOut) {
  aclrtStream stream = NewStream();
  ASSERT_OK(aclrtSubscribeReport(Self(), stream));
  EXPECT_FAILS(ACL_ERROR_RT_REPORT_TIMEOUT, aclrtProcessReport(20), "20");
  EXPECT_OK(aclrtUnSubscribeReport(Self(), stream));
}

TEST_F(CallbackTest, ProcessReportTimeoutIsMinusOneOrPositive) {
  aclrtStream stream = NewStream();
  ASSERT_OK(aclrtSubscribeReport(Self(), stream));
  for (int32_t timeout : {0, -2, -1000}) {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtProcessReport(timeout), "timeout",
                 std::to_string(timeout), "expected");
  }
  EXPECT_OK(aclrtLaunchCallback(&DoNothing, nullptr, ACL_CALLBACK_NO_BLOCK, stream));
  EXPECT_OK(aclrtProcessReport(-1));
  EXPECT_OK(aclrtUnSubscribeReport(Self(), stream));
}

TEST_F(CallbackTest, LaunchRefusesBadArguments) {
  aclrtStream stream = NewStream();
  ASSERT_OK(aclrtSubscribeReport(Self(), stream));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclrtLaunchCallback(nullptr, nullptr, ACL_CALLBACK_BLOCK, stream), "fn", "null");
  for (int type : BeyondEnum({2, -1})) {
    EXPECT_FAILS(
        ACL_ERROR_INVALID_PARAM,
        aclrtLaunchCallback(&Count, nullptr, static_cast<aclrtCallbackBlockType>(type), stream),
        "blockType", std::to_string(type));
  }
}

TEST_F(CallbackTest, DefaultStreamCanBeSubscribed) {
  Server server;
  ASSERT_OK(aclrtSubscribeReport(server.id(), nullptr));
  std::atomic<int> callbacks{0};
  EXPECT_OK(aclrtLaunchCallback(&Count, &callbacks, ACL_CALLBACK_BLOCK, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(callbacks, 1);
  EXPECT_OK(aclrtUnSubscribeReport(server.id(), nullptr));
}

TEST_F(CallbackTest, AbortEndsTheWaitForACallback) {
  aclrtStream stream = NewStream();
  ASSERT_OK(aclrtSubscribeReport(Self(), stream));
  std::atomic<int> callbacks{0};
  EXPECT_OK(aclrtLaunchCallback(&Count, &callbacks, ACL_CALLBACK_BLOCK, stream));
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_OK(aclrtStreamAbort(stream));
  EXPECT_OK(aclrtMemsetAsync(NewDeviceMemory(8), 8, 0, 8, stream));
  EXPECT_OK(aclrtSynchronizeStreamWithTimeout(stream, 5000));
}

TEST_F(CallbackTest, AbortDropsTheCallbackItself) {
  // Its user data may be gone once the program knows that the work was aborted.
  aclrtStream stream = NewStream();
  ASSERT_OK(aclrtSubscribeReport(Self(), stream));
  std::atomic<int> callbacks{0};
  EXPECT_OK(aclrtLaunchCallback(&Count, &callbacks, ACL_CALLBACK_BLOCK, stream));
  EXPECT_OK(aclrtLaunchCallback(&Count, &callbacks, ACL_CALLBACK_BLOCK, stream));
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_OK(aclrtStreamAbort(stream));
  EXPECT_EQ(aclrtProcessReport(20), ACL_ERROR_RT_REPORT_TIMEOUT);
  EXPECT_EQ(callbacks, 0);
  EXPECT_OK(aclrtUnSubscribeReport(Self(), stream));
}

TEST_F(CallbackTest, ResetDeviceDoesNotHangOnAnUnservedCallback) {
  aclrtStream stream = NewStream();
  ASSERT_OK(aclrtSubscribeReport(Self(), stream));
  EXPECT_OK(aclrtLaunchCallback(&DoNothing, nullptr, ACL_CALLBACK_BLOCK, stream));
  // The fixture's aclrtResetDevice must return.
}

TEST_F(CallbackTest, UnsubscribedBeforeItsTurnItIsReportedAndTheStreamGoesOn) {
  for (aclrtCallbackBlockType type : {ACL_CALLBACK_BLOCK, ACL_CALLBACK_NO_BLOCK}) {
    aclrtStream stream = NewStream();
    ASSERT_OK(aclrtSubscribeReport(Self(), stream));
    Gate gate;
    gate.BlockNow(stream);
    std::atomic<int> callbacks{0};
    EXPECT_OK(aclrtLaunchCallback(&Count, &callbacks, type, stream));
    std::atomic<int> later{0};
    EXPECT_OK(aclrtLaunchHostFunc(stream, &Count, &later));
    EXPECT_OK(aclrtUnSubscribeReport(Self(), stream));
    gate.Open();
    EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 5000), ACL_ERROR_RT_STREAM_NO_CB_REG);
    EXPECT_EQ(callbacks, 0);
    EXPECT_EQ(later, 1);
  }
}

TEST_F(CallbackTest, TheThreadThatIsSubscribedWhenItsTurnComesRunsIt) {
  for (aclrtCallbackBlockType type : {ACL_CALLBACK_BLOCK, ACL_CALLBACK_NO_BLOCK}) {
    Server server;
    aclrtStream stream = NewStream();
    ASSERT_OK(aclrtSubscribeReport(Self(), stream));
    Gate gate;
    gate.BlockNow(stream);
    std::atomic<uint64_t> ran_on{0};
    EXPECT_OK(aclrtLaunchCallback(
        [](void* result) { static_cast<std::atomic<uint64_t>*>(result)->store(Self()); }, &ran_on,
        type, stream));
    EXPECT_OK(aclrtUnSubscribeReport(Self(), stream));
    EXPECT_OK(aclrtSubscribeReport(server.id(), stream));
    gate.Open();
    EXPECT_OK(aclrtSynchronizeStreamWithTimeout(stream, 5000));
    while (ran_on == 0) std::this_thread::yield();
    EXPECT_EQ(ran_on, server.id());
  }
}

TEST_F(CallbackTest, UnsubscribingLetsGoOfTheStreamThatWaits) {
  aclrtStream stream = NewStream();
  ASSERT_OK(aclrtSubscribeReport(Self(), stream));
  std::atomic<int> callbacks{0};
  EXPECT_OK(aclrtLaunchCallback(&Count, &callbacks, ACL_CALLBACK_BLOCK, stream));
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_OK(aclrtUnSubscribeReport(Self(), stream));
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 5000), ACL_ERROR_RT_STREAM_NO_CB_REG);
  EXPECT_EQ(callbacks, 0);
}

TEST_F(CallbackTest, ManySubscriptionsComeAndGoWhileCallbacksAreLaunched) {
  Server server;
  aclrtStream stream = NewStream();
  std::atomic<bool> stop{false};
  std::thread subscriber([&] {
    EXPECT_OK(aclrtSetDevice(0));
    while (!stop) {
      EXPECT_OK(aclrtSubscribeReport(server.id(), stream));
      std::this_thread::yield();
      EXPECT_OK(aclrtUnSubscribeReport(server.id(), stream));
    }
    EXPECT_OK(aclrtResetDevice(0));
  });
  std::atomic<int> callbacks{0};
  for (int i = 0; i < 2000; ++i) {
    const auto type = i % 2 == 0 ? ACL_CALLBACK_BLOCK : ACL_CALLBACK_NO_BLOCK;
    const int code = aclrtLaunchCallback(&Count, &callbacks, type, stream);
    EXPECT_TRUE(code == 0 || code == ACL_ERROR_RT_STREAM_NO_CB_REG) << code;
  }
  const int code = aclrtSynchronizeStream(stream);  // a lost callback would hang it
  EXPECT_TRUE(code == 0 || code == ACL_ERROR_RT_STREAM_NO_CB_REG) << code;
  stop = true;
  subscriber.join();
  TakeMessages();
}

}  // namespace
}  // namespace anyacl::test::callback
