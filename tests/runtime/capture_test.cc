// SPDX-License-Identifier: Apache-2.0
// Capture of streams into graphs, and their replay.
#include <atomic>
#include <cstdio>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>

#include "capture_calls.h"

namespace anyacl::test {
namespace {

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
  std::atomic<int> after{0};
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

TEST_F(CaptureTest, AGraphMayBeDestroyedBehindItsContext) {
  aclrtContext before = nullptr, context = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&before));
  ASSERT_OK(aclrtCreateContext(&context, 0));
  aclrtStream stream = NewStream();
  Begin(stream);
  aclmdlRI graph = End(stream);
  EXPECT_OK(aclrtDestroyContext(context));
  ASSERT_OK(aclrtSetCurrentContext(before));
  EXPECT_OK(aclmdlRIDestroy(graph));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclmdlRIDestroy(graph), "modelRI");
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
  EXPECT_OK(aclmdlRIDestroy(graph));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclmdlRIDestroy(graph), "modelRI");
  EXPECT_OK(aclrtSynchronizeDevice());
  ExpectSynchronousCalls(true, NewStream());
}

}  // namespace
}  // namespace anyacl::test
