// SPDX-License-Identifier: Apache-2.0
// Phase 2 of aclnnDynamicQuantV2: executors, addresses, workspaces, streams, and what may change or
// go away between the phases. Failures that the call detects are 561000 for this operator.
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include <cfenv>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "ops/dynamic_quant_case.h"

namespace anyacl::test {
namespace {

constexpr int kInner = 561000;

class ExecutorTest : public DynamicQuantTest {
 protected:
  void SetUp() override {
    DynamicQuantTest::SetUp();
    first_ = RandomProblem(kForm, {5, 40}, random());
    second_ = RandomProblem(kForm, {5, 40}, random());
    tensors_.emplace(MakeTensors(first_));
  }
  void TearDown() override {
    workspace_.reset();
    tensors_.reset();
    DynamicQuantTest::TearDown();
  }

  // Phase 1, and a workspace of the size that it asks for.
  aclOpExecutor* PrepareExecutor() {
    const Prepared prepared = Prepare(tensors_->V2());
    EXPECT_OK(prepared.code);
    workspace_.emplace(
        Layout{.dims = {static_cast<int64_t>(prepared.workspace_size)}, .dtype = ACL_UINT8});
    return prepared.executor;
  }
  aclOpExecutor* PrepareRepeatable() {
    aclOpExecutor* executor = PrepareExecutor();
    EXPECT_OK(aclSetAclOpExecutorRepeatable(executor));
    return executor;
  }

  void* workspace() const { return workspace_size() > 0 ? workspace_->data() : nullptr; }
  uint64_t workspace_size() const { return static_cast<uint64_t>(workspace_->count()); }

  // Phase 2 without a wait.
  aclnnStatus Launch(aclOpExecutor* executor, aclrtStream stream) {
    TakeMessages();
    return aclnnDynamicQuantV2(workspace(), workspace_size(), executor, stream);
  }

  void ExpectRuns(aclOpExecutor* executor) {
    ASSERT_OK(Launch(executor, stream()));
    ASSERT_OK(aclrtSynchronizeStream(stream()));
  }

  // Phase 2 fails and writes nothing.
  void ExpectFails(aclOpExecutor* executor, std::initializer_list<std::string_view> words) {
    const std::vector<uint8_t> before = tensors_->OutputBytes();
    ExpectFailure(Launch(executor, stream()), kInner, words);
    EXPECT_OK(aclrtSynchronizeStream(stream()));
    EXPECT_EQ(tensors_->OutputBytes(), before);
  }

  void ExpectOutputOf(const QuantProblem& problem) {
    ExpectSameOutput(ReadOutput(*tensors_), ReferenceOf(problem), problem.cols());
    EXPECT_TRUE(tensors_->GuardsIntact());
  }

  static constexpr QuantForm kForm{.asymmetric = true, .smooth = Smooth::kPerExpert};
  QuantProblem first_;
  QuantProblem second_;
  std::optional<QuantTensors> tensors_;
  std::optional<Tensor> workspace_;
};

TEST_F(ExecutorTest, OneShotExecutorRunsOnce) {
  aclOpExecutor* executor = PrepareExecutor();
  ExpectRuns(executor);
  ExpectOutputOf(first_);
  ExpectFails(executor, {"aclnnDynamicQuantV2", "executor"});
  TakeMessages();
  ExpectFailure(aclDestroyAclOpExecutor(executor), kInner, {"executor"});
}

TEST_F(ExecutorTest, NullExecutor) {
  ExpectFailure(aclnnDynamicQuantV2(nullptr, 0, nullptr, stream()), kInner,
                {"aclnnDynamicQuantV2", "executor", "null"});
}

TEST_F(ExecutorTest, ForeignExecutors) {
  aclOpExecutor* real = PrepareExecutor();
  alignas(64) unsigned char on_stack[256] = {};
  for (void* foreign :
       {static_cast<void*>(on_stack), tensors_->x.data(), static_cast<void*>(tensors_->x.handle()),
        static_cast<void*>(stream()), reinterpret_cast<void*>(uintptr_t{1}),
        reinterpret_cast<void*>(uintptr_t{0xdeadbeefdeadbeef}),
        reinterpret_cast<void*>(~uintptr_t{0}),
        reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(real) + 1)}) {
    ExpectFails(static_cast<aclOpExecutor*>(foreign), {"executor"});
    ExpectFailure(aclDestroyAclOpExecutor(static_cast<aclOpExecutor*>(foreign)), kInner, {});
    ExpectFailure(aclSetAclOpExecutorRepeatable(static_cast<aclOpExecutor*>(foreign)), kInner, {});
  }
  ExpectRuns(real);
  ExpectOutputOf(first_);
}

TEST_F(ExecutorTest, DestroyedExecutorDoesNotRun) {
  aclOpExecutor* executor = PrepareExecutor();
  ASSERT_OK(aclDestroyAclOpExecutor(executor));
  ExpectFails(executor, {"executor"});
}

TEST_F(ExecutorTest, RepeatableExecutorRunsUntilDestroyed) {
  aclOpExecutor* executor = PrepareRepeatable();
  ExpectRuns(executor);
  ExpectOutputOf(first_);
  WriteX(second_, tensors_->x);
  second_.smooth = first_.smooth;
  second_.group = first_.group;
  for (int i = 0; i < 3; ++i) ExpectRuns(executor);
  ExpectOutputOf(second_);
  ASSERT_OK(aclDestroyAclOpExecutor(executor));
  ExpectFails(executor, {"executor"});
}

TEST_F(ExecutorTest, RepeatableRunsMayBeQueuedTogether) {
  aclOpExecutor* executor = PrepareRepeatable();
  for (int i = 0; i < 50; ++i) ASSERT_OK(Launch(executor, stream()));
  ASSERT_OK(aclDestroyAclOpExecutor(executor));
  ASSERT_OK(aclrtSynchronizeStream(stream()));
  ExpectOutputOf(first_);
}

// What frameworks do: nothing of the call outlives the second phase but the memory.
TEST_F(ExecutorTest, TensorsMayGoRightAfterPhaseTwo) {
  for (int i = 0; i < 20; ++i) {
    QuantTensors tensors = MakeTensors(first_);
    const Prepared prepared = Prepare(tensors.V2());
    ASSERT_OK(prepared.code);
    const Tensor workspace(
        {.dims = {static_cast<int64_t>(prepared.workspace_size)}, .dtype = ACL_UINT8});
    ASSERT_OK(aclnnDynamicQuantV2(prepared.workspace_size > 0 ? workspace.data() : nullptr,
                                  prepared.workspace_size, prepared.executor, stream()));
    for (Tensor* tensor : {&tensors.x, &*tensors.smooth, &*tensors.group, &tensors.y,
                           &tensors.scale, &*tensors.offset}) {
      tensor->Destroy();
    }
    ASSERT_OK(aclrtSynchronizeStream(stream()));
    ExpectSameOutput(ReadOutput(tensors), ReferenceOf(first_), first_.cols());
  }
}

TEST_F(ExecutorTest, TensorsMayGoBetweenThePhases) {
  aclOpExecutor* executor = PrepareExecutor();
  for (Tensor* tensor : {&tensors_->x, &*tensors_->smooth, &tensors_->y}) tensor->Destroy();
  ExpectRuns(executor);
  ExpectOutputOf(first_);
}

TEST_F(ExecutorTest, DataIsReadWhenTheStreamGetsThere) {
  aclOpExecutor* executor = PrepareExecutor();
  WriteX(second_, tensors_->x);
  // The stream itself brings the smooth scales and the groups.
  const QuantTensors source = MakeTensors(second_);
  for (auto [from, to] : {std::pair{&*source.smooth, &*tensors_->smooth},
                          std::pair{&*source.group, &*tensors_->group}}) {
    const size_t bytes = from->ElementBytes().size();
    ASSERT_OK(aclrtMemcpyAsync(to->data(), bytes, from->data(), bytes, ACL_MEMCPY_DEVICE_TO_DEVICE,
                               stream()));
  }
  ExpectRuns(executor);
  ExpectOutputOf(second_);
}

// A host function ahead of the operator changes x while both are queued. It must not call the
// runtime, but device memory is memory of the process.
TEST_F(ExecutorTest, DataOfEarlierTasksOfTheStreamIsSeen) {
  second_.smooth = first_.smooth;
  second_.group = first_.group;
  const QuantTensors source = MakeTensors(second_);
  struct Change {
    std::vector<uint8_t> bytes;
    void* x;
  } change{source.x.ElementBytes(), tensors_->x.data()};
  aclOpExecutor* executor = PrepareExecutor();
  ASSERT_OK(aclrtLaunchHostFunc(
      stream(),
      [](void* argument) {
        const auto* change = static_cast<Change*>(argument);
        std::memcpy(change->x, change->bytes.data(), change->bytes.size());
      },
      &change));
  ExpectRuns(executor);
  ExpectOutputOf(second_);
}

TEST_F(ExecutorTest, ChainedCallsSeeEachOthersResults) {
  QuantProblem problem = RandomProblem({}, {1, 16}, random());
  problem.x[3] = 127;
  const QuantTensors first = MakeTensors(problem);
  // The scale of the first call, 1, is x of the second one: the two halves of an fp32 number, the
  // lower of which is 0.
  QuantProblem next{.dims = {1, 2}, .x_type = ACL_BF16};
  QuantLayouts layouts = LayoutsOf(next);
  next.x = {0, 0};
  const QuantTensors second = MakeTensors(next, layouts);
  ASSERT_OK(aclSetRawTensorAddr(second.x.handle(), first.scale.data()));
  for (const QuantTensors* tensors : {&first, &second}) {
    const Prepared prepared = Prepare(tensors->V2());
    ASSERT_OK(prepared.code);
    ASSERT_EQ(prepared.workspace_size, 0u);
    ASSERT_OK(aclnnDynamicQuantV2(nullptr, 0, prepared.executor, stream()));
  }
  ASSERT_OK(aclrtSynchronizeStream(stream()));
  EXPECT_EQ(ReadOutput(second).y[1], 127);
  EXPECT_NEAR(ReadOutput(second).scale[0] * 127 / ReadOutput(first).scale[0], 1, 1.0 / 128);
}

TEST_F(ExecutorTest, PhasesMayRunOnDifferentThreads) {
  aclOpExecutor* executor = nullptr;
  std::thread([&] {
    ASSERT_OK(aclrtSetDevice(0));
    executor = PrepareExecutor();
    EXPECT_OK(aclrtResetDevice(0));
  }).join();
  std::thread([&] {
    ASSERT_OK(aclrtSetDevice(0));
    ExpectRuns(executor);
    EXPECT_OK(aclrtResetDevice(0));
  }).join();
  ExpectOutputOf(first_);
}

TEST_F(ExecutorTest, ManyThreadsAndStreamsGetTheirOwnResults) {
  const QuantProblem problem = RandomProblem(kForm, {33, 130}, random());
  const DynamicQuantOutput expected = ReferenceOf(problem);
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&] {
      ASSERT_OK(aclrtSetDevice(0));
      aclrtStream own = nullptr;
      ASSERT_OK(aclrtCreateStream(&own));
      const QuantTensors tensors = MakeTensors(problem);
      for (int round = 0; round < 20; ++round) {
        const Prepared prepared = Prepare(tensors.V2());
        ASSERT_OK(prepared.code);
        const Tensor workspace(
            {.dims = {static_cast<int64_t>(prepared.workspace_size)}, .dtype = ACL_UINT8});
        ASSERT_OK(
            aclnnDynamicQuantV2(workspace.data(), prepared.workspace_size, prepared.executor, own));
        ASSERT_OK(aclrtSynchronizeStream(own));
        ASSERT_TRUE(workspace.GuardsIntact());
        ExpectSameOutput(ReadOutput(tensors), expected, problem.cols());
      }
      EXPECT_OK(aclrtDestroyStream(own));
      EXPECT_OK(aclrtResetDevice(0));
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(ExecutorTest, DefaultStreamIsNull) {
  aclOpExecutor* executor = PrepareExecutor();
  ASSERT_OK(Launch(executor, nullptr));
  ASSERT_OK(aclrtSynchronizeStream(nullptr));
  ExpectOutputOf(first_);
}

TEST_F(ExecutorTest, DeadStream) {
  aclrtStream dead = nullptr;
  ASSERT_OK(aclrtCreateStream(&dead));
  ASSERT_OK(aclrtDestroyStream(dead));
  int on_stack = 0;
  for (aclrtStream stream : {dead, static_cast<aclrtStream>(&on_stack),
                             static_cast<aclrtStream>(tensors_->x.handle())}) {
    aclOpExecutor* executor = PrepareRepeatable();
    const std::vector<uint8_t> before = tensors_->OutputBytes();
    ExpectFailure(Launch(executor, stream), kInner, {"aclnnDynamicQuantV2", "stream"});
    EXPECT_EQ(tensors_->OutputBytes(), before);
    EXPECT_OK(aclDestroyAclOpExecutor(executor));
  }
}

TEST_F(ExecutorTest, NullWorkspaceWithASizeIsRefusedAndUsesTheExecutorUp) {
  aclOpExecutor* executor = PrepareExecutor();
  const std::vector<uint8_t> before = tensors_->OutputBytes();
  ExpectFailure(aclnnDynamicQuantV2(nullptr, workspace_size() + 64, executor, stream()), kInner,
                {"aclnnDynamicQuantV2", "workspace", "null"});
  EXPECT_EQ(tensors_->OutputBytes(), before);
  ExpectFails(executor, {"executor"});
}

TEST_F(ExecutorTest, LargerWorkspaceThanNeededIsFine) {
  aclOpExecutor* executor = PrepareExecutor();
  const Tensor large({.dims = {static_cast<int64_t>(workspace_size()) + 4096}, .dtype = ACL_UINT8});
  ASSERT_OK(aclnnDynamicQuantV2(large.data(), workspace_size() + 4096, executor, stream()));
  ASSERT_OK(aclrtSynchronizeStream(stream()));
  ExpectOutputOf(first_);
}

// Forms and shapes that might need a workspace get one that is a byte too small.
TEST_F(ExecutorTest, SmallerWorkspaceThanNeededIsRefused) {
  for (const QuantForm& form : AllForms()) {
    const QuantProblem problem = RandomProblem(form, {3, 4096}, random());
    QuantLayouts layouts = LayoutsOf(problem);
    layouts.x.strides = {2 * 4096, 2};
    layouts.scale.strides = {3};
    const QuantTensors tensors = MakeTensors(problem, layouts);
    const Prepared prepared = Prepare(tensors.V2());
    ASSERT_OK(prepared.code);
    if (prepared.workspace_size == 0) {
      EXPECT_OK(aclDestroyAclOpExecutor(prepared.executor));
      continue;
    }
    const Tensor workspace(
        {.dims = {static_cast<int64_t>(prepared.workspace_size)}, .dtype = ACL_UINT8});
    const std::vector<uint8_t> before = tensors.OutputBytes();
    ExpectFailure(aclnnDynamicQuantV2(workspace.data(), prepared.workspace_size - 1,
                                      prepared.executor, stream()),
                  kInner,
                  {"workspaceSize", std::to_string(prepared.workspace_size),
                   std::to_string(prepared.workspace_size - 1)});
    EXPECT_EQ(tensors.OutputBytes(), before);
  }
}

TEST_F(ExecutorTest, TensorsWithoutDataAreRefused) {
  const std::vector<std::pair<const char*, Tensor*>> parameters = {
      {"x", &tensors_->x},
      {"smoothScalesOptional", &*tensors_->smooth},
      {"yOut", &tensors_->y},
      {"groupIndexOptional", &*tensors_->group},
      {"scaleOut", &tensors_->scale},
      {"offsetOut", &*tensors_->offset}};
  for (const auto& [name, tensor] : parameters) {
    SCOPED_TRACE(name);
    ASSERT_OK(aclSetRawTensorAddr(tensor->handle(), nullptr));
    ExpectFails(PrepareExecutor(), {"aclnnDynamicQuantV2", name});
    ASSERT_OK(aclSetRawTensorAddr(tensor->handle(), tensor->data()));
  }
  ExpectRuns(PrepareExecutor());
  ExpectOutputOf(first_);
}

// Elements past the end of an allocation of ours, or before its start.
TEST_F(ExecutorTest, TensorsThatReachOutOfTheirMemoryAreRefused) {
  const std::vector<std::pair<const char*, Tensor*>> parameters = {
      {"x", &tensors_->x},
      {"smoothScalesOptional", &*tensors_->smooth},
      {"yOut", &tensors_->y},
      {"groupIndexOptional", &*tensors_->group},
      {"scaleOut", &tensors_->scale},
      {"offsetOut", &*tensors_->offset}};
  for (const auto& [name, tensor] : parameters) {
    SCOPED_TRACE(name);
    // The tensor's address in an allocation that ends with its last whole 32 bytes: the padding of
    // 32 bytes and the rounding do not make up for 96.
    const size_t bytes = tensor->ElementBytes().size();
    const DeviceBuffer memory(1024);
    auto* end = memory.data() + 1024 + 32;
    void* late = end - (bytes - 1) / 4 * 4;
    ASSERT_OK(aclSetRawTensorAddr(tensor->handle(), late));
    ExpectFails(PrepareExecutor(), {"aclnnDynamicQuantV2", name});
    ASSERT_OK(aclSetRawTensorAddr(tensor->handle(), tensor->data()));
  }
  QuantLayouts layouts = LayoutsOf(first_);
  layouts.x.offset = -1;
  const Tensor before_start(layouts.x);
  ASSERT_OK(
      aclSetRawTensorAddr(before_start.handle(), static_cast<uint8_t*>(tensors_->x.data()) - 64));
  const Prepared prepared = Prepare([&](uint64_t* size, aclOpExecutor** executor) {
    return aclnnDynamicQuantV2GetWorkspaceSize(before_start.handle(), nullptr, nullptr, 2,
                                               tensors_->y.handle(), tensors_->scale.handle(),
                                               nullptr, size, executor);
  });
  ASSERT_OK(prepared.code);
  ExpectFails(prepared.executor, {"x"});
}

// A thread that rounds otherwise or flushes denormals calls, and starts the stream's own thread.
TEST_F(ExecutorTest, FloatingPointModesOfTheClientDoNotMatter) {
  QuantProblem tiny = RandomProblem({.x_type = ACL_BF16, .asymmetric = true}, {5, 40}, random());
  for (float& value : tiny.x) value *= 0x1p-127f;
  const auto run = [&](const QuantProblem& problem, const std::function<void()>& enter_mode) {
    const DynamicQuantOutput expected = ReferenceOf(problem);
    const QuantTensors tensors = MakeTensors(problem);
    std::fenv_t saved;
    std::fegetenv(&saved);
    enter_mode();
    aclrtStream own = nullptr;
    EXPECT_OK(aclrtCreateStream(&own));
    const Prepared prepared = Prepare(tensors.V2());
    EXPECT_OK(aclnnDynamicQuantV2(nullptr, 0, prepared.executor, own));
    EXPECT_OK(aclrtSynchronizeStream(own));
    std::fesetenv(&saved);
    EXPECT_OK(aclrtDestroyStream(own));
    ExpectSameOutput(ReadOutput(tensors), expected, problem.cols());
  };
  for (bool asymmetric : {false, true}) {
    const QuantProblem problem = RandomProblem({.asymmetric = asymmetric}, {5, 40}, random());
    for (int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
      run(problem, [mode] { std::fesetround(mode); });
      run(tiny, [mode] { std::fesetround(mode); });
    }
  }
#if defined(__x86_64__)
  constexpr unsigned kFlushToZeroAndDenormalsAreZero = 0x8040;
  run(tiny, [] { _mm_setcsr(_mm_getcsr() | kFlushToZeroAndDenormalsAreZero); });
#endif
}

// The padding of an allocation counts as part of it, unless ANYACL_STRICT is set.
TEST_F(ExecutorTest, PaddingBelongsToTheAllocation) {
  const char* strict = std::getenv("ANYACL_STRICT");
  const bool is_strict = strict != nullptr && strict[0] == '1';
  const QuantProblem problem = RandomProblem({}, {1, 32}, random());
  const QuantTensors tensors = MakeTensors(problem);
  const DeviceBuffer memory(64);
  ASSERT_OK(aclSetRawTensorAddr(tensors.x.handle(), memory.data() + 32));
  const Prepared prepared = Prepare(tensors.V2());
  ASSERT_OK(prepared.code);
  const int code = aclnnDynamicQuantV2(nullptr, 0, prepared.executor, stream());
  if (is_strict) {
    ExpectFailure(code, kInner, {"x"});
  } else {
    EXPECT_OK(code);
  }
  ASSERT_OK(aclrtSynchronizeStream(stream()));
}

}  // namespace
}  // namespace anyacl::test
