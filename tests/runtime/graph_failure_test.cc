// SPDX-License-Identifier: Apache-2.0
// Tasks that fail in a replay: no public call makes them, so that these are enqueued from the
// inside and observed through the public functions.
#include <atomic>
#include <memory>

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

}  // namespace
}  // namespace anyacl::test
