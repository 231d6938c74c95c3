// SPDX-License-Identifier: Apache-2.0
// Capture of streams into graphs, and their replay.
#include <atomic>
#include <cstdio>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>

#include "fixture.h"

namespace anyacl::test {
namespace {

using CaptureTest = RuntimeTest;

void Begin(aclrtStream stream, aclmdlRICaptureMode mode = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL) {
  ASSERT_OK(aclmdlRICaptureBegin(stream, mode));
}

aclmdlRI End(aclrtStream stream) {
  aclmdlRI graph = nullptr;
  EXPECT_OK(aclmdlRICaptureEnd(stream, &graph));
  return graph;
}

aclmdlRICaptureStatus StatusOf(aclrtStream stream) {
  auto status = ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED;
  EXPECT_OK(aclmdlRICaptureGetInfo(stream, &status, nullptr));
  return status;
}

void Replay(aclmdlRI graph, aclrtStream stream) {
  EXPECT_OK(aclmdlRIExecuteAsync(graph, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

// Enqueues `body`, which the test keeps alive.
void Launch(aclrtStream stream, std::function<void()>& body) {
  EXPECT_OK(aclrtLaunchHostFunc(
      stream, [](void* argument) { (*static_cast<std::function<void()>*>(argument))(); }, &body));
}

void Launch(aclrtStream stream, std::atomic<int>& counter) {
  EXPECT_OK(aclrtLaunchHostFunc(
      stream, [](void* argument) { ++*static_cast<std::atomic<int>*>(argument); }, &counter));
}

void Fork(aclrtStream from, aclrtStream to, aclrtEvent event) {
  EXPECT_OK(aclrtRecordEvent(event, from));
  EXPECT_OK(aclrtStreamWaitEvent(to, event));
}

// Device memory of one number.
class Number {
 public:
  explicit Number(int value) : address_(static_cast<int*>(NewDeviceMemory(sizeof(int)))) {
    *address_ = value;
  }
  ~Number() { EXPECT_OK(aclrtFree(address_)); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  int& value() { return *address_; }
  void CopyTo(Number& other, aclrtStream stream) {
    EXPECT_OK(aclrtMemcpyAsync(other.address_, sizeof(int), address_, sizeof(int),
                               ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  }

 private:
  int* address_;
};

TEST_F(CaptureTest, TasksRunAtEveryReplayAndNotBefore) {
  aclrtStream stream = NewStream();
  std::atomic<int> runs{0};
  Begin(stream);
  Launch(stream, runs);
  Launch(stream, runs);
  aclmdlRI graph = End(stream);
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(runs, 0);
  Replay(graph, stream);
  EXPECT_EQ(runs, 2);
  Replay(graph, stream);
  EXPECT_EQ(runs, 4);
  EXPECT_OK(aclmdlRIDestroy(graph));
}

TEST_F(CaptureTest, ReplaysUseWhatTheAddressesHoldThen) {
  aclrtStream stream = NewStream();
  Number from(1), between(0), to(0);
  Begin(stream);
  from.CopyTo(between, stream);
  between.CopyTo(to, stream);
  aclmdlRI graph = End(stream);
  EXPECT_EQ(to.value(), 0);
  Replay(graph, stream);
  EXPECT_EQ(to.value(), 1);
  from.value() = 2;
  Replay(graph, NewStream());
  EXPECT_EQ(to.value(), 2);
}

TEST_F(CaptureTest, AnEmptyGraphRuns) {
  aclrtStream stream = NewStream();
  Begin(stream);
  Replay(End(stream), stream);
}

TEST_F(CaptureTest, ReplayKeepsItsPlaceInTheStream) {
  aclrtStream stream = NewStream();
  Number a(1), b(0), c(0), d(0);
  Begin(stream);
  b.CopyTo(c, stream);
  aclmdlRI graph = End(stream);
  Gate gate;
  gate.BlockNow(stream);
  a.CopyTo(b, stream);
  EXPECT_OK(aclmdlRIExecuteAsync(graph, stream));
  c.CopyTo(d, stream);
  EXPECT_EQ(c.value(), 0);
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(d.value(), 1);
}

TEST_F(CaptureTest, TasksFromBeforeTheCaptureRun) {
  aclrtStream stream = NewStream();
  std::atomic<int> before{0}, captured{0};
  Gate gate;
  gate.BlockNow(stream);
  Launch(stream, before);
  Begin(stream);
  Launch(stream, captured);
  aclmdlRI graph = End(stream);
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(before, 1);
  EXPECT_EQ(captured, 0);
  EXPECT_OK(aclmdlRIDestroy(graph));
}

TEST_F(CaptureTest, GetInfoTellsStatusAndHandle) {
  aclrtStream stream = NewStream();
  aclmdlRI during = &during;
  auto status = ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE;
  EXPECT_OK(aclmdlRICaptureGetInfo(stream, &status, &during));
  EXPECT_EQ(status, ACL_MODEL_RI_CAPTURE_STATUS_NONE);
  EXPECT_EQ(during, nullptr);
  Begin(stream);
  EXPECT_OK(aclmdlRICaptureGetInfo(stream, &status, &during));
  EXPECT_EQ(status, ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE);
  EXPECT_FAILS(ACL_ERROR_RT_MODEL_CAPTURED, aclmdlRIExecuteAsync(during, NewStream()), "captured");
  EXPECT_FAILS(ACL_ERROR_RT_MODEL_CAPTURED, aclmdlRIDestroy(during), "captured");
  EXPECT_EQ(End(stream), during);
  EXPECT_EQ(StatusOf(stream), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlRICaptureGetInfo(stream, nullptr, nullptr), "status",
               "modelRI", "null");
}

TEST_F(CaptureTest, StreamsJoinByEventsAndAreOrderedByThem) {
  aclrtStream first = NewStream(), second = NewStream(), third = NewStream();
  Number a(1), b(0), c(0), d(0);
  Begin(first);
  a.CopyTo(b, first);
  Fork(first, second, NewExEvent());
  EXPECT_EQ(StatusOf(second), ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE);
  b.CopyTo(c, second);
  Fork(second, third, NewExEvent());
  c.CopyTo(d, third);
  Fork(third, second, NewExEvent());
  Fork(second, first, NewExEvent());
  aclmdlRI graph = End(first);
  EXPECT_EQ(StatusOf(third), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
  for (int value = 1; value <= 100; ++value) {
    a.value() = value;
    Replay(graph, first);
    ASSERT_EQ(d.value(), value);
  }
}

TEST_F(CaptureTest, StreamsOfOneGraphRunSideBySide) {
  aclrtStream first = NewStream(), second = NewStream();
  std::mutex mutex;
  std::condition_variable changed;
  int met = 0;
  // Each returns only when both are there.
  std::function<void()> meet = [&] {
    std::unique_lock lock(mutex);
    const int goal = met / 2 * 2 + 2;
    ++met;
    changed.notify_all();
    changed.wait(lock, [&] { return met >= goal; });
  };
  Begin(first);
  Fork(first, second, NewExEvent());
  Launch(first, meet);
  Launch(second, meet);
  Fork(second, first, NewExEvent());
  aclmdlRI graph = End(first);
  for (int i = 0; i < 20; ++i) Replay(graph, first);
  EXPECT_EQ(met, 40);
}

TEST_F(CaptureTest, ReplaysOfOneGraphExcludeEachOther) {
  aclrtStream first = NewStream(), second = NewStream();
  std::atomic<int> inside{0}, most{0}, runs{0};
  std::function<void()> enter = [&] { most = std::max<int>(most, ++inside); };
  std::function<void()> leave = [&] {
    std::this_thread::yield();
    --inside;
    ++runs;
  };
  Begin(first);
  Launch(first, enter);
  Launch(first, leave);
  aclmdlRI graph = End(first);
  for (int i = 0; i < 200; ++i) {
    EXPECT_OK(aclmdlRIExecuteAsync(graph, i % 2 == 0 ? first : second));
  }
  EXPECT_OK(aclrtSynchronizeStream(first));
  EXPECT_OK(aclrtSynchronizeStream(second));
  EXPECT_EQ(runs, 200);
  EXPECT_EQ(most, 1);
}

TEST_F(CaptureTest, QueuedReplaysOutliveTheGraphsHandle) {
  aclrtStream stream = NewStream();
  std::atomic<int> runs{0};
  Begin(stream);
  Launch(stream, runs);
  aclmdlRI graph = End(stream);
  Gate gate;
  gate.BlockNow(stream);
  EXPECT_OK(aclmdlRIExecuteAsync(graph, stream));
  EXPECT_OK(aclmdlRIDestroy(graph));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclmdlRIExecuteAsync(graph, stream), "modelRI");
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclmdlRIDestroy(graph), "modelRI");
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(runs, 1);
}

TEST_F(CaptureTest, AnUnjoinedStreamFailsTheCapture) {
  aclrtStream first = NewStream(), second = NewStream();
  std::atomic<int> runs{0};
  Begin(first);
  Fork(first, second, NewExEvent());
  aclmdlRI graph = &graph;
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_UNJOINED, aclmdlRICaptureEnd(first, &graph), "aclrtRecordEvent");
  EXPECT_EQ(graph, nullptr);
  // Both take tasks again.
  Launch(first, runs);
  Launch(second, runs);
  EXPECT_OK(aclrtSynchronizeStream(first));
  EXPECT_OK(aclrtSynchronizeStream(second));
  EXPECT_EQ(runs, 2);
}

TEST_F(CaptureTest, ATaskAfterTheJoinFailsTheCapture) {
  aclrtStream first = NewStream(), second = NewStream();
  std::atomic<int> runs{0};
  Begin(first);
  Fork(first, second, NewExEvent());
  Fork(second, first, NewExEvent());
  Launch(second, runs);
  aclmdlRI graph = nullptr;
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_UNJOINED, aclmdlRICaptureEnd(first, &graph), "capture");
}

TEST_F(CaptureTest, WhatNeedsTheOutcomeIsRefused) {
  aclrtStream stream = NewStream();
  aclrtEvent event = NewExEvent();
  Begin(stream);
  EXPECT_OK(aclrtRecordEvent(event, stream));
  aclrtStreamStatus stream_status;
  aclrtEventRecordedStatus event_status;
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, aclrtSynchronizeStream(stream), "captured");
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, aclrtSynchronizeStreamWithTimeout(stream, 1),
               "captured");
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, aclrtStreamQuery(stream, &stream_status), "captured");
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, aclrtDestroyStream(stream), "captured");
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, aclrtDestroyStreamForce(stream), "captured");
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, aclrtSynchronizeDevice(), "captured");
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, aclmdlRICaptureBegin(stream, {}), "captured");
  EXPECT_FAILS(ACL_ERROR_RT_EVENT_CAPTURED, aclrtSynchronizeEvent(event), "capture");
  EXPECT_FAILS(ACL_ERROR_RT_EVENT_CAPTURED, aclrtQueryEventStatus(event, &event_status), "capture");
  float ms = 0;
  EXPECT_FAILS(ACL_ERROR_RT_EVENT_CAPTURED, aclrtEventElapsedTime(&ms, event, event), "capture");
  // The capture is none the worse for it.
  aclmdlRI graph = End(stream);
  EXPECT_OK(aclrtQueryEventStatus(event, &event_status));
  EXPECT_OK(aclrtDestroyStream(stream));
  Replay(graph, NewStream());
}

TEST_F(CaptureTest, WrongStreamsAndThreadsAreRefused) {
  aclrtStream first = NewStream(), second = NewStream();
  aclmdlRI graph = nullptr;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlRICaptureBegin(nullptr, {}), "stream", "null");
  aclrtStream default_stream = nullptr;
  ASSERT_OK(aclrtCtxGetCurrentDefaultStream(&default_stream));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT, aclmdlRICaptureBegin(default_stream, {}),
               "default");
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_NOT_CAPTURED, aclmdlRICaptureEnd(first, &graph),
               "aclmdlRICaptureBegin");
  Begin(first);
  aclrtEvent event = NewExEvent();
  Fork(first, second, event);
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED, aclmdlRICaptureEnd(second, &graph), "began");
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT, aclrtStreamWaitEvent(nullptr, event),
               "default");
  std::thread([&] {
    ASSERT_OK(aclrtSetDevice(0));
    EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD, aclmdlRICaptureEnd(first, &graph),
                 "thread");
    EXPECT_OK(aclrtResetDevice(0));
  }).join();
  EXPECT_EQ(StatusOf(first), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
  EXPECT_EQ(StatusOf(second), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
  Begin(first, ACL_MODEL_RI_CAPTURE_MODE_RELAXED);
  std::thread([&] {
    ASSERT_OK(aclrtSetDevice(0));
    graph = End(first);
    EXPECT_OK(aclrtResetDevice(0));
  }).join();
  Replay(graph, first);
}

TEST_F(CaptureTest, EventsFromOutsideAreRefused) {
  aclrtStream stream = NewStream();
  aclrtEvent recorded = NewExEvent();
  EXPECT_OK(aclrtRecordEvent(recorded, stream));
  Begin(stream);
  EXPECT_FAILS(ACL_ERROR_RT_CAPTURE_DEPENDENCY, aclrtStreamWaitEvent(stream, recorded), "outside");
  EXPECT_OK(aclrtStreamWaitEvent(stream, NewExEvent()));
  aclrtEvent classic = nullptr;
  ASSERT_OK(aclrtCreateEventWithFlag(&classic, ACL_EVENT_SYNC));
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclrtRecordEvent(classic, stream),
               "aclrtCreateEventExWithFlag");
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclrtStreamWaitEvent(stream, classic),
               "aclrtCreateEventExWithFlag");
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclrtResetEvent(classic, stream),
               "aclrtCreateEventExWithFlag");
  Replay(End(stream), stream);
}

TEST_F(CaptureTest, AConflictMakesBothCapturesInvalid) {
  aclrtStream first = NewStream(), second = NewStream();
  aclrtEvent event = NewExEvent();
  Begin(first);
  Begin(second);
  EXPECT_OK(aclrtRecordEvent(event, first));
  EXPECT_FAILS(ACL_ERROR_STREAM_CAPTURE_CONFLICT, aclrtStreamWaitEvent(second, event), "another");
  for (aclrtStream stream : {first, second}) {
    EXPECT_EQ(StatusOf(stream), ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED);
    EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED,
                 aclrtLaunchHostFunc(stream, &DoNothing, nullptr), "invalid");
    aclmdlRI graph = nullptr;
    EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED, aclmdlRICaptureEnd(stream, &graph),
                 "invalid");
    EXPECT_EQ(StatusOf(stream), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
  }
}

TEST_F(CaptureTest, PageableCopiesAreRefused) {
  aclrtStream stream = NewStream();
  Number number(1);
  int pageable = 0;
  Begin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpyAsync(&pageable, sizeof(int), &number.value(), sizeof(int),
                                ACL_MEMCPY_DEVICE_TO_HOST, stream),
               "dst", "aclrtMallocHost");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpyAsync(&number.value(), sizeof(int), &pageable, sizeof(int),
                                ACL_MEMCPY_HOST_TO_DEVICE, stream),
               "src", "aclrtMallocHost");
  Replay(End(stream), stream);
}

// The three synchronous calls and the asynchronous one that becomes synchronous.
void ExpectSynchronousCalls(bool allowed, aclrtStream other) {
  Number number(1);
  int host = 0;
  const int refused = allowed ? 0 : ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT;
  EXPECT_EQ(aclrtMemcpy(&host, 4, &number.value(), 4, ACL_MEMCPY_DEVICE_TO_HOST), refused);
  EXPECT_EQ(aclrtMemcpy2d(&host, 4, &number.value(), 4, 4, 1, ACL_MEMCPY_DEVICE_TO_HOST), refused);
  EXPECT_EQ(aclrtMemset(&number.value(), 4, 0, 4), refused);
  EXPECT_EQ(aclrtMemcpyAsync(&host, 4, &number.value(), 4, ACL_MEMCPY_DEVICE_TO_HOST, other),
            allowed ? 0 : ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC);
}

TEST_F(CaptureTest, TheModeSaysWhoMayCopySynchronously) {
  struct Case {
    aclmdlRICaptureMode mode;
    aclmdlRICaptureMode own;
    bool here;
    bool elsewhere;
  };
  constexpr auto kGlobal = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;
  constexpr auto kLocal = ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL;
  constexpr auto kRelaxed = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;
  aclrtStream stream = NewStream(), other = NewStream();
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&context));
  for (const Case& each : {Case{kGlobal, kGlobal, false, false}, Case{kGlobal, kLocal, false, true},
                           Case{kGlobal, kRelaxed, true, true}, Case{kLocal, kGlobal, false, true},
                           Case{kLocal, kLocal, false, true}, Case{kLocal, kRelaxed, true, true},
                           Case{kRelaxed, kGlobal, true, true}, Case{kRelaxed, kLocal, true, true},
                           Case{kRelaxed, kRelaxed, true, true}}) {
    SCOPED_TRACE(testing::Message() << "mode " << each.mode << ", own " << each.own);
    const auto with_own_mode = [&](bool allowed) {
      aclmdlRICaptureMode mode = each.own;
      EXPECT_OK(aclmdlRICaptureThreadExchangeMode(&mode));
      EXPECT_EQ(mode, kGlobal);
      ExpectSynchronousCalls(allowed, other);
      EXPECT_OK(aclmdlRICaptureThreadExchangeMode(&mode));
      EXPECT_EQ(mode, each.own);
    };
    Begin(stream, each.mode);
    with_own_mode(each.here);
    std::thread([&] {
      EXPECT_OK(aclrtSetCurrentContext(context));
      with_own_mode(each.elsewhere);
    }).join();
    EXPECT_OK(aclmdlRIDestroy(End(stream)));
    ExpectSynchronousCalls(true, other);
  }
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclmdlRICaptureThreadExchangeMode(nullptr), "mode", "null");
}

TEST_F(CaptureTest, ReplayOnACapturedStreamIsRefused) {
  aclrtStream stream = NewStream();
  Begin(stream);
  aclmdlRI graph = End(stream);
  Begin(stream);
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, aclmdlRIExecuteAsync(graph, stream), "captured");
  EXPECT_OK(aclmdlRIDestroy(End(stream)));
}

TEST_F(CaptureTest, ReplayInAnotherContextIsRefused) {
  aclrtStream stream = NewStream();
  Begin(stream);
  aclmdlRI graph = End(stream);
  aclrtContext primary = nullptr, other = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&primary));
  ASSERT_OK(aclrtCreateContext(&other, 0));
  EXPECT_FAILS(ACL_ERROR_RT_MODEL_CONTEXT, aclmdlRIExecuteAsync(graph, NewStream()), "context");
  EXPECT_OK(aclrtDestroyContext(other));
  EXPECT_OK(aclrtSetCurrentContext(primary));
  Replay(graph, stream);
}

TEST_F(CaptureTest, ExecuteWaitsForTheReplay) {
  aclrtStream stream = NewStream();
  std::atomic<int> runs{0};
  Begin(stream);
  Launch(stream, runs);
  aclmdlRI graph = End(stream);
  EXPECT_OK(aclmdlRIExecute(graph, -1));
  EXPECT_EQ(runs, 1);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIExecute(graph, 0), "timeout");
  Gate gate;
  gate.BlockNow(nullptr);
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, aclmdlRIExecute(graph, 1), "1 ms");
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(runs, 2);
}

TEST_F(CaptureTest, NamesAndNumbers) {
  aclrtStream stream = NewStream();
  Begin(stream);
  aclmdlRI graph = End(stream);
  char name[4] = "abc";
  EXPECT_OK(aclmdlRIGetName(graph, sizeof(name), name));
  EXPECT_STREQ(name, "");
  EXPECT_OK(aclmdlRISetName(graph, "decode"));
  EXPECT_OK(aclmdlRIGetName(graph, sizeof(name), name));
  EXPECT_STREQ(name, "dec");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclmdlRIGetName(graph, 0, name), "maxLen");
  Begin(stream);
  aclmdlRI other = End(stream);
  uint32_t id = 0, other_id = 0;
  EXPECT_OK(aclmdlRIGetId(graph, &id));
  EXPECT_OK(aclmdlRIGetId(other, &other_id));
  EXPECT_NE(id, other_id);
}

TEST_F(CaptureTest, JsonNamesTheTasksInTheirOrder) {
  aclrtStream first = NewStream(), second = NewStream();
  Number a(1), b(0);
  Begin(first);
  a.CopyTo(b, first);
  Fork(first, second, NewExEvent());
  EXPECT_OK(aclrtLaunchHostFunc(second, &DoNothing, nullptr));
  Fork(second, first, NewExEvent());
  aclmdlRI graph = End(first);
  const std::string path = testing::TempDir() + "anyacl_capture_test.json";
  EXPECT_OK(aclmdlRIDebugJsonPrint(graph, path.c_str(), ACL_MDLRI_DEBUG_JSON_PRINT_SUMMARY));
  std::ifstream file(path);
  const auto tasks = nlohmann::json::parse(file);
  std::vector<std::string> names;
  for (const auto& task : tasks) names.push_back(task.at("name"));
  EXPECT_EQ(names,
            (std::vector<std::string>{"aclrtMemcpyAsync", "wait", "wait", "aclrtLaunchHostFunc"}));
  EXPECT_NE(tasks[0].at("tid"), tasks[2].at("tid"));
  std::remove(path.c_str());
  EXPECT_FAILS(ACL_ERROR_RT_FILE_OPEN, aclmdlRIDebugJsonPrint(graph, "/no/such/folder/f", 0),
               "/no/such/folder/f");
}

TEST_F(CaptureTest, ACallbackIsServedAtEveryReplay) {
  aclrtStream stream = NewStream();
  std::atomic<int> runs{0};
  const auto count = [](void* argument) { ++*static_cast<std::atomic<int>*>(argument); };
  const auto self = static_cast<uint64_t>(pthread_self());
  ASSERT_OK(aclrtSubscribeReport(self, stream));
  Begin(stream);
  EXPECT_OK(aclrtLaunchCallback(count, &runs, ACL_CALLBACK_BLOCK, stream));
  aclmdlRI graph = End(stream);
  for (int i = 1; i <= 3; ++i) {
    EXPECT_OK(aclmdlRIExecuteAsync(graph, stream));
    // The stream waits for the callback at every replay.
    aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
    EXPECT_OK(aclrtStreamQuery(stream, &status));
    EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY);
    EXPECT_OK(aclrtProcessReport(-1));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_EQ(runs, i);
  }
  EXPECT_OK(aclrtUnSubscribeReport(self, stream));
}

TEST_F(CaptureTest, AbortEndsARunningReplay) {
  aclrtStream first = NewStream(), second = NewStream();
  std::atomic<int> entered{0}, after{0};
  const auto self = static_cast<uint64_t>(pthread_self());
  ASSERT_OK(aclrtSubscribeReport(self, second));
  Begin(first);
  Fork(first, second, NewExEvent());
  // Nobody serves this one.
  EXPECT_OK(aclrtLaunchCallback(&DoNothing, nullptr, ACL_CALLBACK_BLOCK, second));
  Fork(second, first, NewExEvent());
  Launch(first, after);
  aclmdlRI graph = End(first);
  EXPECT_OK(aclmdlRIExecuteAsync(graph, first));
  EXPECT_OK(aclrtStreamAbort(first));
  // The graph and the stream are as good as before.
  EXPECT_OK(aclmdlRIExecuteAsync(graph, first));
  EXPECT_OK(aclrtProcessReport(-1));
  EXPECT_OK(aclrtSynchronizeStream(first));
  EXPECT_EQ(after, 1);
  EXPECT_OK(aclrtUnSubscribeReport(self, second));
}

TEST_F(CaptureTest, AResetEndsCapturesAndGraphs) {
  aclrtStream stream = NewStream(), other = NewStream();
  Begin(stream);
  aclmdlRI graph = End(stream);
  Begin(stream);
  Fork(stream, other, NewExEvent());
  EXPECT_OK(aclrtResetDevice(0));
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclmdlRIExecuteAsync(graph, NewStream()), "modelRI");
  EXPECT_OK(aclrtSynchronizeDevice());
  ExpectSynchronousCalls(true, NewStream());
}

}  // namespace
}  // namespace anyacl::test
