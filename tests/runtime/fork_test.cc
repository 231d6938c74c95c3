// SPDX-License-Identifier: Apache-2.0
// fork() with live streams: the child starts with idle streams and can use them; the parent goes
// on undisturbed.
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "fixture.h"

namespace anyacl::test {
namespace {

class ForkTest : public RuntimeTest {
 protected:
  void SetUp() override {
    if (IsEmulated()) GTEST_SKIP() << "QEMU aborts a forked child that starts a thread";
    RuntimeTest::SetUp();
  }
  void TearDown() override {
    if (!IsEmulated()) RuntimeTest::TearDown();
  }
};

// Runs `body` in a forked child and expects it to return true. One that hangs, maybe before it has
// left fork(), ctest ends together with the parent.
template <class Body>
void ExpectInChild(const Body& body) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) _exit(body() ? 0 : 1);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

// Uses a stream in all the ways that need its thread.
bool Works(aclrtStream stream) {
  void* memory = nullptr;
  if (aclrtMalloc(&memory, 256, ACL_MEM_MALLOC_HUGE_FIRST) != 0) return false;
  bool ok = aclrtMemsetAsync(memory, 256, 7, 256, stream) == 0;
  bool ran = false;
  ok &= aclrtLaunchHostFunc(
            stream, [](void* argument) { *static_cast<bool*>(argument) = true; }, &ran) == 0;
  aclrtEvent event = nullptr;
  ok &= aclrtCreateEvent(&event) == 0 && aclrtRecordEvent(event, stream) == 0;
  ok &= aclrtSynchronizeEvent(event) == 0 && aclrtSynchronizeStream(stream) == 0;
  ok &= ran && static_cast<char*>(memory)[255] == 7;
  ok &= aclrtDestroyEvent(event) == 0 && aclrtFree(memory) == 0;
  return ok;
}

TEST_F(ForkTest, ChildUsesStreamsOfTheParent) {
  aclrtStream stream = NewStream();
  EXPECT_TRUE(Works(stream));  // its thread exists
  aclrtStream unused = NewStream();
  ExpectInChild([&] { return Works(stream) && Works(unused) && Works(nullptr); });
  EXPECT_TRUE(Works(stream));
}

TEST_F(ForkTest, ChildMakesItsOwn) {
  EXPECT_TRUE(Works(nullptr));
  ExpectInChild([] {
    aclrtStream stream = nullptr;
    return aclrtSetDevice(0) == 0 && aclrtCreateStream(&stream) == 0 && Works(stream) &&
           aclrtDestroyStream(stream) == 0;
  });
}

TEST_F(ForkTest, QueuedTasksStayTheParents) {
  aclrtStream stream = NewStream();
  Gate gate;
  gate.BlockNow(stream);
  std::atomic<int> ran{0};
  for (int i = 0; i < 10; ++i) {
    EXPECT_OK(aclrtLaunchHostFunc(
        stream, [](void* argument) { ++*static_cast<std::atomic<int>*>(argument); }, &ran));
  }
  ExpectInChild([&] { return Works(stream) && ran == 0; });
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(ran, 10);
}

TEST_F(ForkTest, QueuedWaitsAreForgotten) {
  Gate gate;
  aclrtStream holder = NewStream();
  gate.BlockNow(holder);
  aclrtEvent event = NewEvent();
  EXPECT_OK(aclrtRecordEvent(event, holder));
  aclrtStream waiter = NewStream();
  EXPECT_OK(aclrtStreamWaitEvent(waiter, event));
  ExpectInChild([&] { return Works(waiter) && Works(holder); });
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(waiter));
}

TEST_F(ForkTest, QueuedWaitsForDestroyedStreamsAreForgotten) {
  // The queued wait holds the last reference to the stream it waits for.
  Gate holder_gate;
  Gate waiter_gate;
  aclrtStream holder = NewStream();
  holder_gate.BlockNow(holder);
  aclrtEvent event = NewEvent();
  EXPECT_OK(aclrtRecordEvent(event, holder));
  aclrtStream waiter = NewStream();
  waiter_gate.BlockNow(waiter);
  EXPECT_OK(aclrtStreamWaitEvent(waiter, event));
  holder_gate.Open();
  EXPECT_OK(aclrtDestroyStream(holder));
  EXPECT_OK(aclrtDestroyEvent(event));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // its thread lets go of it, too
  ExpectInChild([&] { return Works(waiter); });
  waiter_gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(waiter));
}

TEST_F(ForkTest, ChildExitsNormallyWithLiveStreams) {
  aclrtStream stream = NewStream();
  EXPECT_TRUE(Works(stream));
  Gate gate;
  gate.BlockNow(stream);
  ExpectInChild([&] { return aclrtResetDevice(0) == 0 && aclFinalize() == 0; });
}

TEST_F(ForkTest, GrandchildrenWork) {
  aclrtStream stream = NewStream();
  EXPECT_TRUE(Works(stream));
  ExpectInChild([&] {
    if (!Works(stream)) return false;
    const pid_t child = fork();
    if (child == 0) _exit(Works(stream) ? 0 : 1);
    int status = 0;
    return waitpid(child, &status, 0) == child && status == 0 && Works(stream);
  });
}

// The child is the stream's own thread, in the middle of its task.
TEST_F(ForkTest, InAHostFunctionTheChildCanUseItsStream) {
  static aclrtStream stream;
  static bool fine;
  stream = NewStream();
  EXPECT_OK(aclrtLaunchHostFunc(stream, &DoNothing, nullptr));
  EXPECT_OK(aclrtLaunchHostFunc(
      stream,
      [](void*) {
        EXPECT_NE(aclrtSynchronizeStream(stream), 0);  // would wait for itself
        ExpectInChild([] {
          return aclrtSetDevice(0) == 0 && Works(stream) && aclrtSynchronizeDevice() == 0;
        });
        fine = true;
      },
      nullptr));
  EXPECT_OK(aclrtLaunchHostFunc(stream, &DoNothing, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_TRUE(fine);
  EXPECT_TRUE(Works(stream));
}

// There is nothing that the child could go on with.
TEST_F(ForkTest, AChildThatReturnsFromItsHostFunctionExits) {
  static pid_t child;
  aclrtStream stream = NewStream();
  EXPECT_OK(aclrtLaunchHostFunc(
      stream, [](void*) { child = fork(); }, nullptr));
  std::atomic<int> ran{0};
  EXPECT_OK(aclrtLaunchHostFunc(
      stream, [](void* count) { ++*static_cast<std::atomic<int>*>(count); }, &ran));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(ran, 1);
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << status;
}

TEST_F(ForkTest, WithSubscribersTheChildSubscribesItself) {
  aclrtStream stream = NewStream();
  const auto self = static_cast<uint64_t>(pthread_self());
  ASSERT_OK(aclrtSubscribeReport(self, stream));
  static int ran;
  ran = 0;
  EXPECT_OK(aclrtLaunchCallback([](void*) { ++ran; }, nullptr, ACL_CALLBACK_BLOCK, stream));
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  ExpectInChild([&] {
    return aclrtLaunchCallback([](void*) { ran += 10; }, nullptr, ACL_CALLBACK_BLOCK, stream) ==
               0 &&
           aclrtProcessReport(-1) == 0 && aclrtSynchronizeStream(stream) == 0 && ran == 10;
  });
  EXPECT_OK(aclrtProcessReport(-1));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(ran, 1);
  EXPECT_OK(aclrtUnSubscribeReport(self, stream));
}

TEST_F(ForkTest, WhileOtherThreadsAreInsideTheLibrary) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer's own allocator may be locked by another thread at the fork";
#endif
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      EXPECT_OK(aclrtSetDevice(0));
      aclrtStream stream = NewStream();
      while (!stop) {
        if (t == 0) {
          EXPECT_OK(aclrtFree(NewDeviceMemory(64)));
          EXPECT_NE(aclrtFree(nullptr), 0);
        } else if (t == 1) {
          aclrtStream other = NewStream();
          EXPECT_OK(aclrtLaunchHostFunc(other, &DoNothing, nullptr));
          EXPECT_OK(aclrtDestroyStream(other));
        } else {
          EXPECT_TRUE(Works(stream));
        }
      }
      TakeMessages();
      EXPECT_OK(aclrtResetDevice(0));
    });
  }
  for (int i = 0; i < 30 && !HasFailure(); ++i) {
    ExpectInChild([&] { return aclrtSetDevice(0) == 0 && Works(nullptr); });
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace anyacl::test
