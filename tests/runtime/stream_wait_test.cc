// SPDX-License-Identifier: Apache-2.0
// What a wait may return while tasks run, fail, are aborted or run out of memory. Tasks that no
// public call makes are enqueued from the inside.
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "base/status.h"
#include "fixture.h"
#include "runtime/exports.h"
#include "support/memory_exhaustion.h"
#include "support/temp_dir.h"

namespace anyacl::test {
namespace {

using StreamWaitTest = RuntimeTest;

constexpr int kCode = ACL_ERROR_RT_AICPU_EXCEPTION;

class BodyTask final : public Task {
 public:
  using Body = std::function<Status(const StopToken&)>;
  BodyTask(TaskKind kind, Body body) : Task(kind, "aclnnTest"), body_(std::move(body)) {}
  Status Run(const StopToken& stop) override { return body_(stop); }

 private:
  const Body body_;
};

void Enqueue(aclrtStream stream, TaskKind kind, BodyTask::Body body) {
  EXPECT_EQ(anyaclEnqueue(stream, std::make_shared<BodyTask>(kind, std::move(body))), 0);
}

void Await(const std::atomic<bool>& flag) {
  while (!flag) std::this_thread::yield();
}

size_t CountOf(const std::string& text, const std::string& word) {
  size_t count = 0;
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++count;
  return count;
}

// The task stands for a copy from or to memory of the waiting thread, which frees it afterwards.
TEST_F(StreamWaitTest, OfAnAbortedStreamOutlastsTheRunningTask) {
  for (const bool by_event : {false, true}) {
    aclrtStream stream = NewStream();
    std::atomic<bool> running{false}, aborted{false}, open{false}, over{false};
    Enqueue(stream, TaskKind::kCompute, [&](const StopToken& stop) -> Status {
      running = true;
      while (!stop.Aborted()) std::this_thread::yield();
      aborted = true;
      Await(open);
      over = true;
      return {};
    });
    Await(running);
    aclrtEvent event = NewEvent();
    EXPECT_OK(aclrtRecordEvent(event, stream));
    std::atomic<bool> started{false};
    std::thread waiter([&] {
      EXPECT_OK(aclrtSetDevice(0));
      started = true;
      const int code = by_event ? aclrtSynchronizeEvent(event) : aclrtSynchronizeStream(stream);
      EXPECT_TRUE(over) << "the wait ended before the task";
      EXPECT_EQ(code, ACL_ERROR_RT_STREAM_ABORT);
      EXPECT_OK(aclrtResetDevice(0));
    });
    Await(started);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // so that it waits, most likely
    std::thread aborter([&] {
      EXPECT_OK(aclrtSetDevice(0));
      EXPECT_OK(aclrtStreamAbort(stream));
      EXPECT_TRUE(over);
      EXPECT_OK(aclrtResetDevice(0));
    });
    Await(aborted);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // for a wait that ends too early
    open = true;
    waiter.join();
    aborter.join();
  }
}

// A client that waits for each task runs them itself: the stream's thread then leaves a single task
// to it, but not for ever.
TEST_F(StreamWaitTest, ATaskThatNobodyWaitsForRunsAfterManyThatWereWaitedFor) {
  aclrtStream stream = NewStream();
  const auto wait_often = [&] {
    for (int i = 0; i < 2000; ++i) {  // a millisecond: the stream's thread has begun to leave them
      Enqueue(stream, TaskKind::kCompute, [](const StopToken&) { return Status(); });
      EXPECT_OK(aclrtSynchronizeStream(stream));
    }
  };
  for (int round = 0; round < 30; ++round) {
    wait_often();
    std::atomic<bool> alone{false};
    Enqueue(stream, TaskKind::kCompute, [&](const StopToken&) {
      alone = true;
      return Status();
    });
    Await(alone);

    wait_often();
    std::atomic<int> two{0};
    for (int i = 0; i < 2; ++i) {
      Enqueue(stream, TaskKind::kCompute, [&](const StopToken&) {
        ++two;
        return Status();
      });
    }
    while (two != 2) std::this_thread::yield();

    wait_often();
    Enqueue(stream, TaskKind::kCompute, [](const StopToken&) { return Status(); });
    EXPECT_OK(aclrtSynchronizeStreamWithTimeout(stream, 100000));

    wait_often();
    aclrtEvent event = NewEvent();
    EXPECT_OK(aclrtRecordEvent(event, stream));
    aclrtStream other = NewStream();
    EXPECT_OK(aclrtStreamWaitEvent(other, event));
    EXPECT_OK(aclrtSynchronizeStream(other));
  }
}

// A call on the null stream runs what stands before it, up to a task that it may not run: nobody
// else tells the stream's thread of that one.
TEST_F(StreamWaitTest, WhatACallLeavesBehindRuns) {
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCtxGetCurrentDefaultStream(&stream));  // by its handle, no call waits
  for (int round = 0; round < 200; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // until the stream's thread sleeps
    Enqueue(stream, TaskKind::kCompute, [](const StopToken&) {
      const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(300);
      while (std::chrono::steady_clock::now() < end) {
      }
      return Status();
    });
    std::atomic<bool> called{false};
    EXPECT_OK(aclrtLaunchHostFunc(
        stream, [](void* flag) { *static_cast<std::atomic<bool>*>(flag) = true; }, &called));
    Enqueue(nullptr, TaskKind::kCompute, [](const StopToken&) { return Status(); });
    Await(called);
  }
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

class RestingTask final : public Task {
 public:
  RestingTask(const std::atomic<bool>& over, std::function<void()> run)
      : Task(TaskKind::kWait, "aclrtStreamWaitEvent"), over_(over), run_(std::move(run)) {}
  bool MayRest() const override { return true; }
  bool IsOver() const override { return over_; }
  Status Run(const StopToken&) override {
    Await(over_);
    run_();
    return {};
  }

 private:
  const std::atomic<bool>& over_;
  const std::function<void()> run_;
};

void EnqueueResting(
    aclrtStream stream, const std::atomic<bool>& over, std::function<void()> run = [] {}) {
  EXPECT_EQ(anyaclEnqueue(stream, std::make_shared<RestingTask>(over, std::move(run))), 0);
}

// Whoever runs a small task of the stream leaves it to its thread afterwards: nobody synchronises.
TEST_F(StreamWaitTest, WhatIsEnqueuedBesideASmallTaskRuns) {
  aclrtStream stream = NewStream();
  for (int round = 0; round < 2; ++round) {  // with and without a thread that sleeps
    std::atomic<bool> running{false}, open{false}, ran{false};
    std::thread client([&] {
      EXPECT_OK(aclrtSetDevice(0));
      const auto body = [&]() -> Status {
        running = true;
        Await(open);
        return {};
      };
      EXPECT_EQ(anyaclEnqueue(stream, MakeTask(TaskKind::kCompute, "aclnnTest", body, true)), 0);
      EXPECT_OK(aclrtResetDevice(0));
    });
    Await(running);
    Enqueue(stream, TaskKind::kHost, [&](const StopToken&) -> Status {
      ran = true;
      return {};
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // so that its thread sleeps
    EXPECT_FALSE(ran);
    open = true;
    client.join();
    for (int i = 0; i < 10000 && !ran; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_TRUE(ran);
  }
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

// A client that waits for the last of many tasks is not woken by each of the others.
TEST_F(StreamWaitTest, AWaitingClientSleepsThrough) {
  constexpr int kTasks = 100;
  aclrtStream stream = NewStream();
  for (int i = 0; i < kTasks; ++i) {
    Enqueue(stream, TaskKind::kHost, [](const StopToken&) -> Status {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return {};
    });
  }
  const auto sleeps = [] {
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw;
  };
  const long before = sleeps();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_LT(sleeps() - before, kTasks / 4);
}

// A stream that is told to wait again and again, and to do nothing else, wakes no thread and keeps
// none of the waits that are over.
TEST_F(StreamWaitTest, WaitsWithNothingBehindThemRest) {
  aclrtStream stream = NewStream();
  std::atomic<bool> over{false};
  std::vector<std::thread::id> threads;
  const auto wait = [&] {
    EnqueueResting(stream, over, [&] { threads.push_back(std::this_thread::get_id()); });
  };
  for (int i = 0; i < 3; ++i) wait();
  over = true;
  wait();
  EXPECT_EQ(threads, std::vector(3, std::this_thread::get_id()));
  aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
  EXPECT_OK(aclrtStreamQuery(stream, &status));
  EXPECT_EQ(status, ACL_STREAM_STATUS_COMPLETE);
  EXPECT_EQ(threads.size(), 4u);
}

TEST_F(StreamWaitTest, WhatStandsBehindAWaitThatRestsRuns) {
  for (const bool by_query : {false, true}) {
    aclrtStream first = NewStream(), second = NewStream();
    std::atomic<bool> open{false};
    Enqueue(first, TaskKind::kHost, [&](const StopToken&) -> Status {
      Await(open);
      return {};
    });
    aclrtEvent event = NewExEvent();
    EXPECT_OK(aclrtRecordEvent(event, first));
    EXPECT_OK(aclrtStreamWaitEvent(second, event));
    std::atomic<bool> behind{false};
    if (!by_query) {
      Enqueue(second, TaskKind::kCompute, [&](const StopToken&) -> Status {
        EXPECT_TRUE(open);
        behind = true;
        return {};
      });
    }
    aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
    EXPECT_OK(aclrtStreamQuery(second, &status));
    EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY);
    open = true;
    while (status != ACL_STREAM_STATUS_COMPLETE && (by_query || !behind)) {
      std::this_thread::yield();
      if (by_query) {
        EXPECT_OK(aclrtStreamQuery(second, &status));
      }
    }
    EXPECT_OK(aclrtSynchronizeDevice());
    EXPECT_NE(by_query, behind);
  }
}

// A client's thread runs a wait that is over, and meanwhile another one comes for what is behind
// it.
class RunningWaitTest : public StreamWaitTest {
 protected:
  // Where it is held until `open_`.
  void Rest() {
    EnqueueResting(stream_, over_, [this] {
      running_ = true;
      Await(open_);
    });
  }
  void Open() {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // the other one waits, most likely
    open_ = true;
  }
  aclrtStream stream_ = nullptr;
  std::atomic<bool> over_{false}, running_{false}, open_{false};
};

TEST_F(RunningWaitTest, WhatIsEnqueuedMeanwhileRuns) {
  stream_ = NewStream();
  Rest();
  over_ = true;
  std::thread runner([&] {
    EXPECT_OK(aclrtSetDevice(0));
    aclrtStreamStatus status;
    EXPECT_OK(aclrtStreamQuery(stream_, &status));
    EXPECT_OK(aclrtResetDevice(0));
  });
  Await(running_);
  std::atomic<bool> behind{false};
  Enqueue(stream_, TaskKind::kCompute, [&](const StopToken&) -> Status {
    behind = true;
    return {};
  });
  Open();
  Await(behind);
  runner.join();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(RunningWaitTest, WhoSynchronisesMeanwhileEnds) {
  stream_ = NewStream();
  std::atomic<bool> later{false}, enqueued{false};
  Rest();
  EnqueueResting(stream_, later);
  over_ = true;
  std::thread runner([&] {
    EXPECT_OK(aclrtSetDevice(0));
    EnqueueResting(stream_, later);
    enqueued = true;
    EXPECT_OK(aclrtResetDevice(0));
  });
  Await(running_);
  std::thread waiter([&] {
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    EXPECT_OK(aclrtResetDevice(0));
  });
  Open();
  Await(enqueued);
  later = true;
  waiter.join();
  runner.join();
  EXPECT_OK(aclrtSynchronizeStream(stream_));
}

TEST_F(StreamWaitTest, AbortLetsAStoppedStreamGoOn) {
  aclrtStream stream = NewStream();
  EXPECT_OK(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
  const auto fail = [](const StopToken&) { return Fail(kCode, "field is 3, expected 4"); };
  Enqueue(stream, TaskKind::kCompute, fail);
  EXPECT_EQ(aclrtSynchronizeStream(stream), kCode);
  EXPECT_EQ(aclrtLaunchHostFunc(stream, &DoNothing, nullptr), kCode);
  EXPECT_OK(aclrtStreamAbort(stream));
  EXPECT_OK(aclrtLaunchHostFunc(stream, &DoNothing, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  Enqueue(stream, TaskKind::kCompute, fail);  // and stops again
  EXPECT_EQ(aclrtSynchronizeStream(stream), kCode);
  EXPECT_EQ(aclrtLaunchHostFunc(stream, &DoNothing, nullptr), kCode);
}

TEST_F(StreamWaitTest, AFailuresMessageIsThereOnce) {
  aclrtStream stream = NewStream();
  const auto fail = [](const StopToken&) { return Fail(kCode, "field is 3, expected 4"); };
  for (const TaskKind kind : {TaskKind::kCompute, TaskKind::kWait}) {  // runs here; does not
    TakeMessages();
    Gate gate;
    gate.BlockNow(stream);
    Enqueue(stream, kind, fail);
    gate.Open();
    EXPECT_EQ(aclrtSynchronizeStream(stream), kCode);
    EXPECT_EQ(CountOf(TakeMessages(), "field is"), 1u);
  }
}

TEST_F(StreamWaitTest, AFailureOfATaskIsTheThreadsOnlyWhenItSynchronises) {
  aclrtStream stream = NewStream();
  TakeMessages();
  aclrtGetLastError(ACL_RT_THREAD_LEVEL);
  Enqueue(stream, TaskKind::kCompute,
          [](const StopToken&) { return Fail(kCode, "field is 3, expected 4"); });
  aclrtEvent event = NewEvent();
  EXPECT_OK(aclrtRecordEvent(event, stream));
  EXPECT_OK(aclrtSynchronizeEvent(event));  // may run the task here
  EXPECT_EQ(TakeMessages(), "");
  EXPECT_OK(aclrtGetLastError(ACL_RT_THREAD_LEVEL));
  EXPECT_EQ(aclrtSynchronizeStream(stream), kCode);
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), kCode);
}

TEST_F(StreamWaitTest, AFailureIsToldInItsOwnWordsWhateverElseFails) {
  InFreshProcess([] {
    const TempDir directory;
    directory.Write("acl.json", R"({"err_msg_mode": "1"})");
    EXPECT_OK(aclInit((directory.path() / "acl.json").c_str()));
    EXPECT_OK(aclrtSetDevice(0));
    aclrtStream stream = NewStream();
    for (const TaskKind kind : {TaskKind::kCompute, TaskKind::kWait}) {
      Enqueue(stream, kind, [](const StopToken&) {
        const Status failed = Fail(kCode, "field is 3, expected 4");
        std::thread([] { EXPECT_NE(aclrtFree(nullptr), 0); }).join();
        return failed;
      });
      EXPECT_EQ(aclrtSynchronizeStream(stream), kCode);
      const std::string text = TakeMessages();
      EXPECT_EQ(CountOf(text, "field is"), 1u) << text;
      EXPECT_EQ(CountOf(text, "aclrtFree"), 1u) << text;
    }
  });
}

TEST_F(StreamWaitTest, AHostFunctionReadsItsOwnMessages) {
  aclrtStream stream = NewStream();
  static std::string text;
  EXPECT_OK(aclrtLaunchHostFunc(
      stream,
      [](void*) {
        EXPECT_EQ(aclrtFree(nullptr), ACL_ERROR_INVALID_PARAM);
        EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_INVALID_PARAM);
        text = TakeMessages();
      },
      nullptr));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_NE(text.find("aclrtFree"), std::string::npos) << text;
}

// Memory is exhausted in the stream's thread from within a task until the next one begins.
TEST_F(StreamWaitTest, ExhaustedMemoryAfterATaskKeepsItsCode) {
  aclrtStream stream = NewStream();
  EXPECT_OK(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
  const std::string text(4096, 'x');
  Enqueue(stream, TaskKind::kHost, [&](const StopToken&) {
    const Status failed = Fail(kCode, "{}", text);
    ExhaustMemory(true);
    return failed;
  });
  EXPECT_EQ(aclrtSynchronizeStream(stream), kCode);
}

TEST_F(StreamWaitTest, ExhaustedMemoryInATaskIsReported) {
  aclrtStream stream = NewStream();
  Enqueue(stream, TaskKind::kHost, [&](const StopToken&) {
    ExhaustMemory(true);
    return Fail(kCode, "{}", std::string_view("a message that is much too long for the stack"));
  });
  const int code = aclrtSynchronizeStream(stream);
  EXPECT_TRUE(code == ACL_ERROR_BAD_ALLOC || code == kCode) << code;
  EXPECT_NE(TakeMessages(), "");
}

TEST_F(StreamWaitTest, ExhaustedMemoryDoesNotKeepTasksFromBeingDropped) {
  aclrtStream stream = NewStream();
  for (int i = 0; i < 20; ++i) {
    std::atomic<bool> running{false};
    Enqueue(stream, TaskKind::kPoll, [&](const StopToken& stop) {
      ExhaustMemory(true);
      running = true;
      while (!stop.Requested()) std::this_thread::yield();
      ExhaustMemory(i % 2 == 0);
      return Replay(kCode);
    });
    Enqueue(stream, TaskKind::kHost, [](const StopToken&) { return Status(); });
    Await(running);
    EXPECT_OK(aclrtStreamAbort(stream));
    Enqueue(stream, TaskKind::kHost, [](const StopToken&) {
      ExhaustMemory(false);
      return Status();
    });
    EXPECT_OK(aclrtSynchronizeStream(stream));
  }
}

}  // namespace
}  // namespace anyacl::test
