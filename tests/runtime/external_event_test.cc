// SPDX-License-Identifier: Apache-2.0
// Events that graphs record for other streams, and wait for (ACL_EVENT_*_EXTERNAL).
#include <atomic>

#include "capture_calls.h"

namespace anyacl::test {
namespace {

using ExternalEventTest = RuntimeTest;

bool IsIdle(aclrtStream stream) {
  aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
  EXPECT_OK(aclrtStreamQuery(stream, &status));
  return status == ACL_STREAM_STATUS_COMPLETE;
}

int WaitOutside(aclrtStream stream, aclrtEvent event) {
  return aclrtStreamWaitEventWithFlag(stream, event, 0, ACL_EVENT_WAIT_EXTERNAL);
}
int RecordOutside(aclrtEvent event, aclrtStream stream) {
  return aclrtRecordEventWithFlag(event, stream, ACL_EVENT_RECORD_EXTERNAL);
}

TEST_F(ExternalEventTest, EachExecutionWaitsForTheLastRecord) {
  aclrtStream stream = NewStream(), other = NewStream();
  aclrtEvent event = NewExEvent();
  std::atomic<int> runs{0};
  Begin(stream);
  EXPECT_OK(WaitOutside(stream, event));
  Launch(stream, runs);
  aclmdlRI graph = End(stream);
  Replay(graph, stream);  // never recorded: nothing to wait for
  EXPECT_EQ(runs, 1);
  for (int i = 2; i < 4; ++i) {
    Gate gate;
    gate.BlockNow(other);
    EXPECT_OK(aclrtRecordEvent(event, other));
    EXPECT_OK(aclmdlRIExecuteAsync(graph, stream));
    EXPECT_FALSE(IsIdle(stream));
    EXPECT_EQ(runs, i - 1);
    gate.Open();
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_EQ(runs, i);
  }
  EXPECT_OK(aclmdlRIDestroy(graph));
}

TEST_F(ExternalEventTest, EachExecutionRecordsForOthers) {
  aclrtStream stream = NewStream(), other = NewStream();
  aclrtEvent event = NewExEvent();
  Gate gate;
  std::atomic<int> runs{0}, after{0};
  Begin(stream);
  gate.Block(stream);
  Launch(stream, runs);
  EXPECT_OK(RecordOutside(event, stream));
  aclmdlRI graph = End(stream);
  EXPECT_OK(aclmdlRIExecuteAsync(graph, stream));
  EXPECT_OK(aclrtStreamWaitEvent(other, event));
  Launch(other, after);
  EXPECT_FALSE(IsIdle(other));
  EXPECT_EQ(after, 0);
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(other));
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(after, 1);
  EXPECT_OK(aclmdlRIDestroy(graph));
}

TEST_F(ExternalEventTest, OneGraphWaitsForAnother) {
  aclrtStream first = NewStream(), second = NewStream();
  aclrtEvent event = NewExEvent();
  Gate gate;
  std::atomic<int> before{0}, after{0};
  Begin(first);
  gate.Block(first);
  Launch(first, before);
  EXPECT_OK(RecordOutside(event, first));
  aclmdlRI recording = End(first);
  Begin(second);
  EXPECT_OK(WaitOutside(second, event));
  Launch(second, after);
  aclmdlRI waiting = End(second);
  EXPECT_OK(aclmdlRIExecuteAsync(recording, first));
  EXPECT_OK(aclmdlRIExecuteAsync(waiting, second));
  EXPECT_FALSE(IsIdle(second));
  EXPECT_EQ(after, 0);
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(second));
  EXPECT_EQ(before, 1);
  EXPECT_EQ(after, 1);
  EXPECT_OK(aclmdlRIDestroy(recording));
  EXPECT_OK(aclmdlRIDestroy(waiting));
}

TEST_F(ExternalEventTest, AGraphRecordsAnEventOnceOrWaitsForIt) {
  aclrtStream stream = NewStream();
  aclrtEvent recorded = NewExEvent(), awaited = NewExEvent();
  aclrtEvent classic = nullptr;
  ASSERT_OK(aclrtCreateEventWithFlag(&classic, ACL_EVENT_SYNC));
  Begin(stream);
  EXPECT_OK(RecordOutside(recorded, stream));
  EXPECT_OK(WaitOutside(stream, awaited));
  EXPECT_OK(WaitOutside(stream, awaited));
  const int invalid = ACL_ERROR_RT_PARAM_INVALID;
  const auto fails = [](int code, const char* api, const auto& call) {
    ExpectFails(code, api, call, {"event"});
  };
  fails(invalid, "aclrtRecordEventWithFlag(", [&] { return RecordOutside(recorded, stream); });
  fails(invalid, "aclrtStreamWaitEventWithFlag(", [&] { return WaitOutside(stream, recorded); });
  fails(invalid, "aclrtRecordEventWithFlag(", [&] { return RecordOutside(awaited, stream); });
  fails(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "aclrtRecordEventWithFlag(",
        [&] { return RecordOutside(classic, stream); });
  EXPECT_OK(aclmdlRIDestroy(End(stream)));
}

}  // namespace
}  // namespace anyacl::test
