// SPDX-License-Identifier: Apache-2.0
// What cannot be captured: unjoined streams, what needs the outcome, foreign events and contexts.
#include <atomic>
#include <functional>
#include <thread>

#include "capture_calls.h"

namespace anyacl::test {
namespace {

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

}  // namespace
}  // namespace anyacl::test
