// SPDX-License-Identifier: Apache-2.0
// Tasks that fail in a replay: no public call makes them, so that these are enqueued from the
// inside and observed through the public functions.
#include <atomic>
#include <memory>
#include <thread>

#include "base/status.h"
#include "fixture.h"
#include "runtime/exports.h"

namespace anyacl::test {
namespace {

using GraphFailureTest = RuntimeTest;

template <class Body>
void Enqueue(aclrtStream stream, Body body) {
  EXPECT_EQ(anyaclEnqueue(stream, std::make_shared<FunctionTask<Body>>(TaskKind::kCompute,
                                                                       "aclnnTest", body)),
            0);
}

void EnqueueFailure(aclrtStream stream, int code) {
  Enqueue(stream, [code] { return Fail(code, "field is {}, expected {}", 3, 4); });
}

TEST_F(GraphFailureTest, TheFirstErrorIsReportedAndTheOtherTasksRun) {
  aclrtStream stream = NewStream();
  std::atomic<int> after{0};
  ASSERT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  EnqueueFailure(stream, ACL_ERROR_RT_AICPU_EXCEPTION);
  EnqueueFailure(stream, ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
  Enqueue(stream, [&]() -> Status {
    ++after;
    return {};
  });
  aclmdlRI graph = nullptr;
  ASSERT_OK(aclmdlRICaptureEnd(stream, &graph));
  for (int i = 1; i <= 2; ++i) {
    TakeMessages();
    EXPECT_OK(aclmdlRIExecuteAsync(graph, stream));
    EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_AICPU_EXCEPTION);
    const std::string message = TakeMessages();
    EXPECT_TRUE(HasWord(message, "aclnnTest")) << message;
    EXPECT_TRUE(HasWord(message, "field is 3, expected 4")) << message;
    EXPECT_EQ(after, i);
    EXPECT_OK(aclrtSynchronizeStream(stream));
  }
}

TEST_F(GraphFailureTest, AFailureInAStreamThatJoinedIsReported) {
  aclrtStream first = NewStream(), second = NewStream();
  aclrtEvent fork = NewExEvent(), join = NewExEvent();
  ASSERT_OK(aclmdlRICaptureBegin(first, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  EXPECT_OK(aclrtRecordEvent(fork, first));
  EXPECT_OK(aclrtStreamWaitEvent(second, fork));
  EnqueueFailure(second, ACL_ERROR_RT_AICPU_EXCEPTION);
  EXPECT_OK(aclrtRecordEvent(join, second));
  EXPECT_OK(aclrtStreamWaitEvent(first, join));
  aclmdlRI graph = nullptr;
  ASSERT_OK(aclmdlRICaptureEnd(first, &graph));
  EXPECT_OK(aclmdlRIExecuteAsync(graph, first));
  EXPECT_EQ(aclrtSynchronizeStream(first), ACL_ERROR_RT_AICPU_EXCEPTION);
  EXPECT_OK(aclrtSynchronizeStream(second));
}

// What becomes of a task.
struct Fate {
  std::atomic<int> runs{0}, drops{0};
};

class CountedTask final : public Task {
 public:
  explicit CountedTask(Fate& fate) : Task(TaskKind::kCompute, "aclnnTest"), fate_(fate) {}
  Status Run(const StopToken&) override {
    ++fate_.runs;
    return {};
  }
  void Dropped() override { ++fate_.drops; }

 private:
  Fate& fate_;
};

// In the first lane, in another one and in a condition's graph; of the replay that runs and of the
// one that waits behind it.
TEST_F(GraphFailureTest, TasksThatAnAbortedReplayDoesNotComeToAreTold) {
  constexpr auto kMode = ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL;
  Fate before, beside, inside, after;
  const auto enqueue = [](aclrtStream stream, Fate& fate) {
    EXPECT_EQ(anyaclEnqueue(stream, std::make_shared<CountedTask>(fate)), 0);
  };
  aclrtStream stream = NewStream(), second = NewStream(), inner = NewStream();
  aclrtEvent fork = NewExEvent(), join = NewExEvent();
  aclrtNotify never = nullptr;
  ASSERT_OK(aclrtCreateNotify(&never, 0));
  ASSERT_OK(aclmdlRICaptureBegin(stream, kMode));
  aclmdlRI graph = nullptr, part = nullptr, ended = nullptr;
  EXPECT_OK(aclmdlRICaptureGetInfo(stream, nullptr, &graph));
  aclmdlRICondHandle handle = nullptr;
  EXPECT_OK(aclmdlRICondHandleCreate(graph, 0, static_cast<aclmdlRICondHandleFlag>(0), &handle));
  enqueue(stream, before);
  EXPECT_OK(aclrtWaitAndResetNotify(never, stream, 0));
  EXPECT_OK(aclrtRecordEvent(fork, stream));
  EXPECT_OK(aclrtStreamWaitEvent(second, fork));
  enqueue(second, beside);
  EXPECT_OK(aclrtRecordEvent(join, second));
  EXPECT_OK(aclrtStreamWaitEvent(stream, join));
  EXPECT_OK(aclmdlRIAddCondTask({handle, ACL_MODEL_RI_COND_TYPE_IF, 1, &part}, stream, 0));
  enqueue(stream, after);
  EXPECT_OK(aclmdlRICaptureToModelRIBegin(inner, part, kMode));
  enqueue(inner, inside);
  EXPECT_OK(aclmdlRICaptureEnd(inner, &ended));
  ASSERT_OK(aclmdlRICaptureEnd(stream, &graph));
  for (int i = 0; i < 2; ++i) EXPECT_OK(aclmdlRIExecuteAsync(graph, stream));
  while (before.runs == 0) std::this_thread::yield();
  EXPECT_OK(aclrtStreamAbort(stream));
  aclrtSynchronizeStream(stream);
  EXPECT_EQ(before.runs, 1);
  EXPECT_EQ(before.drops, 1);
  for (const Fate* fate : {&beside, &inside, &after}) {
    EXPECT_EQ(fate->runs, 0);
    EXPECT_EQ(fate->drops, 2);
  }
  EXPECT_OK(aclmdlRIDestroy(graph));
  EXPECT_OK(aclrtDestroyNotify(never));
}

}  // namespace
}  // namespace anyacl::test
