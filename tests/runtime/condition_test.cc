// SPDX-License-Identifier: Apache-2.0
// Conditions in captured graphs: which of the graphs of a task runs, and how often.
#include <atomic>
#include <functional>
#include <vector>

#include "capture_calls.h"

namespace anyacl::test {
namespace {

using ConditionTest = RuntimeTest;

// A graph with one task of conditions, whose parts count their runs.
class Conditional {
 public:
  Conditional(aclmdlRICondTaskType type, size_t count, int flag = 0, uint32_t value = 0)
      : parts_(count), runs(count) {
    aclrtStream stream = NewStream(), part = NewStream();
    Begin(stream, ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL);
    EXPECT_OK(aclmdlRICaptureGetInfo(stream, nullptr, &graph));
    aclmdlRICondHandle handle = nullptr;
    EXPECT_OK(
        aclmdlRICondHandleCreate(graph, value, static_cast<aclmdlRICondHandleFlag>(flag), &handle));
    EXPECT_OK(aclmdlRICondHandleGetCondPtr(handle, &word));
    const aclmdlRICondTaskParams params{handle, type, static_cast<uint32_t>(count), parts_.data()};
    Launch(stream, before);
    EXPECT_OK(aclmdlRIAddCondTask(params, stream, 0));
    Launch(stream, after);
    for (size_t i = 0; i < count; ++i) {
      EXPECT_OK(
          aclmdlRICaptureToModelRIBegin(part, parts_[i], ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL));
      bodies_.push_back(std::make_unique<std::function<void()>>([this, i] {
        ++runs[i];
        if (on_run) on_run();
      }));
      Launch(part, *bodies_.back());
      aclmdlRI ended = nullptr;
      EXPECT_OK(aclmdlRICaptureEnd(part, &ended));
      EXPECT_EQ(ended, parts_[i]);
    }
    EXPECT_EQ(End(stream), graph);
  }
  ~Conditional() { EXPECT_OK(aclmdlRIDestroy(graph)); }
  Conditional(const Conditional&) = delete;
  Conditional& operator=(const Conditional&) = delete;

  void Run(uint64_t value) {
    Set(value);
    Replay(graph, on);
  }
  void Set(uint64_t value) { __atomic_store_n(word, value, __ATOMIC_RELEASE); }

 private:
  std::vector<aclmdlRI> parts_;
  std::vector<std::unique_ptr<std::function<void()>>> bodies_;

 public:
  aclmdlRI graph = nullptr;
  uint64_t* word = nullptr;
  std::vector<std::atomic<int>> runs;
  std::atomic<int> before{0}, after{0};
  std::function<void()> on_run;
  const aclrtStream on = NewStream();
  aclmdlRI part(size_t i) const { return parts_[i]; }
};

TEST_F(ConditionTest, IfRunsOneOfTwoGraphs) {
  Conditional graph(ACL_MODEL_RI_COND_TYPE_IF, 2);
  graph.Run(7);
  EXPECT_EQ(graph.runs[0], 1);
  EXPECT_EQ(graph.runs[1], 0);
  graph.Run(0);
  EXPECT_EQ(graph.runs[0], 1);
  EXPECT_EQ(graph.runs[1], 1);
  EXPECT_EQ(graph.before, 2);
  EXPECT_EQ(graph.after, 2);
}

TEST_F(ConditionTest, IfWithoutElseMayRunNothing) {
  Conditional graph(ACL_MODEL_RI_COND_TYPE_IF, 1);
  graph.Run(0);
  EXPECT_EQ(graph.runs[0], 0);
  graph.Run(1);
  EXPECT_EQ(graph.runs[0], 1);
}

TEST_F(ConditionTest, WhileRunsAsLongAsTheConditionHolds) {
  Conditional graph(ACL_MODEL_RI_COND_TYPE_WHILE, 1);
  graph.on_run = [&] { graph.Set(graph.runs[0] < 4); };
  graph.Run(1);
  EXPECT_EQ(graph.runs[0], 4);
  graph.Run(0);
  EXPECT_EQ(graph.runs[0], 4);
  EXPECT_EQ(graph.after, 2);
}

TEST_F(ConditionTest, SwitchRunsTheGraphOfItsNumberOrNone) {
  Conditional graph(ACL_MODEL_RI_COND_TYPE_SWITCH, 3);
  for (uint64_t value : {uint64_t{1}, uint64_t{2}, uint64_t{2}, uint64_t{3}, UINT64_MAX}) {
    graph.Run(value);
  }
  EXPECT_EQ(graph.runs[0], 0);
  EXPECT_EQ(graph.runs[1], 1);
  EXPECT_EQ(graph.runs[2], 2);
}

TEST_F(ConditionTest, ADefaultIsAssignedWhenAnExecutionBegins) {
  Conditional graph(ACL_MODEL_RI_COND_TYPE_SWITCH, 2, ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT, 1);
  graph.Run(0);
  EXPECT_EQ(graph.runs[0], 0);
  EXPECT_EQ(graph.runs[1], 1);
}

TEST_F(ConditionTest, ADefaultIsAssignedInGraphsWithinGraphs) {
  constexpr auto kMode = ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL;
  constexpr auto kAssign = ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT;
  aclrtStream stream = NewStream(), outer = NewStream(), inner = NewStream();
  aclmdlRI graph = nullptr, ended = nullptr, parts[1] = {}, choices[2] = {};
  aclmdlRICondHandle handle = nullptr, within = nullptr;
  uint64_t* word = nullptr;
  std::atomic<int> runs[2] = {};
  Begin(stream, kMode);
  EXPECT_OK(aclmdlRICaptureGetInfo(stream, nullptr, &graph));
  EXPECT_OK(aclmdlRICondHandleCreate(graph, 1, kAssign, &handle));
  EXPECT_OK(aclmdlRIAddCondTask({handle, ACL_MODEL_RI_COND_TYPE_IF, 1, parts}, stream, 0));
  EXPECT_OK(aclmdlRICaptureToModelRIBegin(outer, parts[0], kMode));
  EXPECT_OK(aclmdlRICondHandleCreate(parts[0], 1, kAssign, &within));
  EXPECT_OK(aclmdlRICondHandleGetCondPtr(within, &word));
  EXPECT_OK(aclmdlRIAddCondTask({within, ACL_MODEL_RI_COND_TYPE_SWITCH, 2, choices}, outer, 0));
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_OK(aclmdlRICaptureToModelRIBegin(inner, choices[i], kMode));
    Launch(inner, runs[i]);
    EXPECT_OK(aclmdlRICaptureEnd(inner, &ended));
  }
  EXPECT_OK(aclmdlRICaptureEnd(outer, &ended));
  EXPECT_EQ(End(stream), graph);
  __atomic_store_n(word, 0, __ATOMIC_RELEASE);
  Replay(graph, NewStream());
  EXPECT_EQ(runs[0], 0);
  EXPECT_EQ(runs[1], 1);
  EXPECT_OK(aclmdlRIDestroy(graph));
}

TEST_F(ConditionTest, AnAbortEndsALoop) {
  Conditional graph(ACL_MODEL_RI_COND_TYPE_WHILE, 1);
  graph.Set(1);
  EXPECT_OK(aclmdlRIExecuteAsync(graph.graph, graph.on));
  while (graph.runs[0] < 3) {
  }
  EXPECT_OK(aclrtStreamAbort(graph.on));
  EXPECT_OK(aclrtSynchronizeStream(graph.on));
}

TEST_F(ConditionTest, PartsHaveNoLifeOfTheirOwn) {
  Conditional graph(ACL_MODEL_RI_COND_TYPE_IF, 1);
  const int refused = ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
  EXPECT_FAILS(refused, aclmdlRIExecuteAsync(graph.part(0), graph.on), "aclmdlRIAddCondTask");
  EXPECT_FAILS(refused, aclmdlRIDestroy(graph.part(0)), "aclmdlRIAddCondTask");
  EXPECT_FAILS(
      ACL_ERROR_RT_MODEL_CAPTURED,
      aclmdlRICaptureToModelRIBegin(graph.on, graph.part(0), ACL_MODEL_RI_CAPTURE_MODE_GLOBAL),
      "captured");
}

TEST_F(ConditionTest, RefusesWrongArguments) {
  const int invalid = ACL_ERROR_RT_PARAM_INVALID;
  const auto flag = ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT;
  aclrtStream stream = NewStream(), other = NewStream();
  aclmdlRI graph = nullptr, built = nullptr;
  aclmdlRICondHandle handle = nullptr;
  uint64_t* word = nullptr;
  aclmdlRI parts[3] = {};
  EXPECT_OK(aclmdlRIBuildBegin(&built, 0));
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclmdlRICondHandleCreate(built, 0, flag, &handle),
               "hand");
  Begin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED);
  EXPECT_OK(aclmdlRICaptureGetInfo(stream, nullptr, &graph));
  EXPECT_FAILS(100000, aclmdlRICondHandleCreate(nullptr, 0, flag, &handle), "modelRI");
  EXPECT_FAILS(100000, aclmdlRICondHandleCreate(graph, 0, flag, nullptr), "handle");
  EXPECT_OK(aclmdlRICondHandleCreate(graph, 0, flag, &handle));
  EXPECT_FAILS(100000, aclmdlRICondHandleGetCondPtr(handle, nullptr), "ptr");
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclmdlRICondHandleGetCondPtr(parts, &word), "handle");
  aclmdlRICondTaskParams params{handle, ACL_MODEL_RI_COND_TYPE_IF, 2, parts};
  EXPECT_FAILS(invalid, aclmdlRIAddCondTask(params, stream, 1), "flags");
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_NOT_CAPTURED, aclmdlRIAddCondTask(params, other, 0), "captured");
  params.size = 3;
  EXPECT_FAILS(invalid, aclmdlRIAddCondTask(params, stream, 0), "size");
  params.type = ACL_MODEL_RI_COND_TYPE_WHILE;
  params.size = 2;
  EXPECT_FAILS(invalid, aclmdlRIAddCondTask(params, stream, 0), "size");
  params.size = 0;
  EXPECT_FAILS(invalid, aclmdlRIAddCondTask(params, stream, 0), "size");
  params.size = 1;
  params.modelRIArray = nullptr;
  EXPECT_FAILS(100000, aclmdlRIAddCondTask(params, stream, 0), "modelRIArray");
  params.modelRIArray = parts;
  Begin(other, ACL_MODEL_RI_CAPTURE_MODE_RELAXED);
  EXPECT_FAILS(invalid, aclmdlRIAddCondTask(params, other, 0), "handle");
  EXPECT_OK(aclmdlRIDestroy(End(other)));
  params.type = ACL_MODEL_RI_COND_TYPE_SWITCH;
  EXPECT_OK(aclmdlRIAddCondTask(params, stream, 0));
  EXPECT_FAILS(invalid, aclmdlRIAddCondTask(params, stream, 0), "handle");
  EXPECT_EQ(End(stream), graph);
  EXPECT_FAILS(invalid, aclmdlRICondHandleCreate(graph, 0, flag, &handle), "captured");
  // The part was never captured.
  EXPECT_OK(aclmdlRIExecuteAsync(graph, stream));
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_MODEL_EXECUTE);
  EXPECT_OK(aclmdlRIDestroy(graph));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclmdlRICondHandleGetCondPtr(params.handle, &word),
               "handle");
  EXPECT_OK(aclmdlRIDestroy(built));
}

}  // namespace
}  // namespace anyacl::test
