// SPDX-License-Identifier: Apache-2.0
// Task groups: replacing tasks of a captured graph.
#include <atomic>

#include "fixture.h"

namespace anyacl::test {
namespace {

// A graph that copies `from` to `to`, in a group.
class TaskGroupTest : public RuntimeTest {
 protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    stream_ = NewStream();
    numbers_ = static_cast<int*>(NewDeviceMemory(4 * sizeof(int)));
    for (int i = 0; i < 4; ++i) numbers_[i] = i + 1;
    ASSERT_OK(aclmdlRICaptureBegin(stream_, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
    ASSERT_OK(aclmdlRICaptureTaskGrpBegin(stream_));
    Copy(0, 3, stream_);
    ASSERT_OK(aclmdlRICaptureTaskGrpEnd(stream_, &group_));
    ASSERT_OK(aclmdlRICaptureEnd(stream_, &graph_));
  }

  void Copy(int from, int to, aclrtStream stream) {
    EXPECT_OK(aclrtMemcpyAsync(numbers_ + to, sizeof(int), numbers_ + from, sizeof(int),
                               ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  }
  int Replay() {
    EXPECT_OK(aclmdlRIExecuteAsync(graph_, stream_));
    EXPECT_OK(aclrtSynchronizeStream(stream_));
    return numbers_[3];
  }

  aclrtStream stream_ = nullptr;
  int* numbers_ = nullptr;
  aclrtTaskGrp group_ = nullptr;
  aclmdlRI graph_ = nullptr;
};

TEST_F(TaskGroupTest, AnUpdateReplacesTheTask) {
  EXPECT_EQ(Replay(), 1);
  aclrtStream other = NewStream();
  EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(other, group_));
  Copy(1, 3, other);
  EXPECT_OK(aclmdlRICaptureTaskUpdateEnd(other));
  EXPECT_OK(aclrtSynchronizeStream(other));
  numbers_[3] = 0;
  EXPECT_EQ(Replay(), 2);
  EXPECT_EQ(Replay(), 2);
}

TEST_F(TaskGroupTest, AnUpdateWaitsForItsTurnInTheStream) {
  aclrtStream other = NewStream();
  Gate gate;
  gate.BlockNow(other);
  EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(other, group_));
  Copy(1, 3, other);
  EXPECT_OK(aclmdlRICaptureTaskUpdateEnd(other));
  EXPECT_EQ(Replay(), 1);
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(other));
  EXPECT_EQ(Replay(), 2);
}

TEST_F(TaskGroupTest, TooFewOrTooManyTasksChangeNothing) {
  EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(stream_, group_));
  EXPECT_FAILS(ACL_ERROR_RT_INTERNAL_ERROR, aclmdlRICaptureTaskUpdateEnd(stream_), "0 tasks");
  EXPECT_EQ(Replay(), 1);
  EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(stream_, group_));
  Copy(1, 3, stream_);
  EXPECT_FAILS(ACL_ERROR_RT_INTERNAL_ERROR,
               aclrtMemsetAsync(numbers_, sizeof(int), 0, sizeof(int), stream_), "at most the 1");
  EXPECT_OK(aclmdlRICaptureTaskUpdateEnd(stream_));
  EXPECT_EQ(Replay(), 2);
}

TEST_F(TaskGroupTest, OnlyTheSameKindReplacesATask) {
  EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(stream_, group_));
  EXPECT_FAILS(ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT,
               aclrtLaunchHostFunc(stream_, &DoNothing, nullptr), "kind");
  EXPECT_FAILS(ACL_ERROR_RT_INTERNAL_ERROR, aclmdlRICaptureTaskUpdateEnd(stream_), "0 tasks");
  // The stream takes tasks again.
  EXPECT_EQ(Replay(), 1);
}

TEST_F(TaskGroupTest, OneStreamAtATimeUpdatesAGroup) {
  aclrtStream other = NewStream();
  EXPECT_OK(aclmdlRICaptureTaskUpdateBegin(stream_, group_));
  EXPECT_FAILS(ACL_ERROR_STREAM_TASK_GROUP_STATUS, aclmdlRICaptureTaskUpdateBegin(stream_, group_),
               "already");
  EXPECT_FAILS(ACL_ERROR_STREAM_TASK_GROUP_STATUS, aclmdlRICaptureTaskUpdateBegin(other, group_),
               "another stream");
  EXPECT_FAILS(ACL_ERROR_STREAM_TASK_GROUP_STATUS, aclmdlRICaptureTaskUpdateEnd(other),
               "aclmdlRICaptureTaskUpdateBegin");
  Copy(1, 3, stream_);
  EXPECT_OK(aclmdlRICaptureTaskUpdateEnd(stream_));
  EXPECT_EQ(Replay(), 2);
}

TEST_F(TaskGroupTest, GroupsBelongToCaptures) {
  aclrtTaskGrp group = nullptr;
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_NOT_CAPTURED, aclmdlRICaptureTaskGrpBegin(stream_), "captured");
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_NOT_CAPTURED, aclmdlRICaptureTaskGrpEnd(stream_, &group),
               "captured");
  ASSERT_OK(aclmdlRICaptureBegin(stream_, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CAPTURED, aclmdlRICaptureTaskUpdateBegin(stream_, group_),
               "captured");
  EXPECT_FAILS(ACL_ERROR_STREAM_TASK_GROUP_STATUS, aclmdlRICaptureTaskGrpEnd(stream_, &group),
               "no open");
  EXPECT_OK(aclmdlRICaptureTaskGrpBegin(stream_));
  EXPECT_FAILS(ACL_ERROR_STREAM_TASK_GROUP_STATUS, aclmdlRICaptureTaskGrpBegin(stream_), "open");
  EXPECT_FAILS(ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT,
               aclrtLaunchHostFunc(stream_, &DoNothing, nullptr), "group");
  aclmdlRI graph = nullptr;
  EXPECT_FAILS(ACL_ERROR_STREAM_TASK_GROUP_STATUS, aclmdlRICaptureEnd(stream_, &graph), "open");
}

TEST_F(TaskGroupTest, AGroupEndsWithItsGraph) {
  EXPECT_OK(aclmdlRIDestroy(graph_));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclmdlRICaptureTaskUpdateBegin(stream_, group_),
               "task group");
}

}  // namespace
}  // namespace anyacl::test
