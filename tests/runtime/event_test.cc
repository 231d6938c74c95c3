// SPDX-License-Identifier: Apache-2.0
// Events, classic and Ex: what a record captures, queries, waits, timing, handle validity.
#include <atomic>
#include <chrono>
#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "fixture.h"

namespace anyacl::test::event {
namespace {

using EventTest = RuntimeTest;

aclrtEventRecordedStatus StatusOf(aclrtEvent event) {
  aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  EXPECT_OK(aclrtQueryEventStatus(event, &status));
  return status;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
aclError OldQuery(aclrtEvent event, aclrtEventStatus* status) {
  return aclrtQueryEvent(event, status);
}
#pragma GCC diagnostic pop

TEST_F(EventTest, CreateRefusesANullPointer) {
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtCreateEvent(nullptr), "event", "null");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtCreateEventWithFlag(nullptr, ACL_EVENT_SYNC), "event",
               "null");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtCreateEventExWithFlag(nullptr, ACL_EVENT_SYNC),
               "event", "null");
}

TEST_F(EventTest, NullHandleIsRefused) {
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtDestroyEvent(nullptr), "event", "null");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtRecordEvent(nullptr, nullptr), "event", "null");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtSynchronizeEvent(nullptr), "event", "null");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtStreamWaitEvent(nullptr, nullptr), "event", "null");
}

TEST_F(EventTest, ClassicIsNotReadyBeforeTheFirstRecord) {
  EXPECT_EQ(StatusOf(NewEvent()), ACL_EVENT_RECORDED_STATUS_NOT_READY);
}

TEST_F(EventTest, ExIsCompleteBeforeTheFirstRecord) {
  EXPECT_EQ(StatusOf(NewExEvent()), ACL_EVENT_RECORDED_STATUS_COMPLETE);
}

TEST_F(EventTest, CompletesWithTheTasksEnqueuedBeforeTheRecord) {
  for (aclrtEvent event : {NewEvent(), NewExEvent()}) {
    aclrtStream stream = NewStream();
    Gate gate;
    gate.BlockNow(stream);
    EXPECT_OK(aclrtRecordEvent(event, stream));
    EXPECT_EQ(StatusOf(event), ACL_EVENT_RECORDED_STATUS_NOT_READY);
    gate.Open();
    EXPECT_OK(aclrtSynchronizeEvent(event));
    EXPECT_EQ(StatusOf(event), ACL_EVENT_RECORDED_STATUS_COMPLETE);
  }
}

TEST_F(EventTest, RecordDoesNotCaptureLaterTasks) {
  aclrtStream stream = NewStream();
  aclrtEvent event = NewEvent();
  EXPECT_OK(aclrtRecordEvent(event, stream));
  Gate gate;
  gate.BlockNow(stream);
  EXPECT_OK(aclrtSynchronizeEventWithTimeout(event, 5000));
  EXPECT_EQ(StatusOf(event), ACL_EVENT_RECORDED_STATUS_COMPLETE);
}

TEST_F(EventTest, RecordOnNullUsesTheDefaultStream) {
  aclrtEvent event = NewEvent();
  Gate gate;
  gate.BlockNow(nullptr);
  EXPECT_OK(aclrtRecordEvent(event, nullptr));
  EXPECT_EQ(StatusOf(event), ACL_EVENT_RECORDED_STATUS_NOT_READY);
  gate.Open();
  EXPECT_OK(aclrtSynchronizeEvent(event));
}

TEST_F(EventTest, OldQueryReportsCompleteAsZero) {
  aclrtEvent event = NewEvent();
  aclrtStream stream = NewStream();
  Gate gate;
  gate.BlockNow(stream);
  EXPECT_OK(aclrtRecordEvent(event, stream));
  aclrtEventStatus status = ACL_EVENT_STATUS_RESERVED;
  EXPECT_OK(OldQuery(event, &status));
  EXPECT_EQ(status, ACL_EVENT_STATUS_NOT_READY);
  gate.Open();
  EXPECT_OK(aclrtSynchronizeEvent(event));
  EXPECT_OK(OldQuery(event, &status));
  EXPECT_EQ(static_cast<int>(status), 0);
}

TEST_F(EventTest, WaitStatusTellsWhetherTheWaitersHavePassed) {
  aclrtEvent event = NewEvent();
  aclrtStream recorder = NewStream();
  aclrtStream waiter = NewStream();
  Gate gate;
  gate.BlockNow(recorder);
  EXPECT_OK(aclrtRecordEvent(event, recorder));
  EXPECT_OK(aclrtStreamWaitEvent(waiter, event));
  aclrtEventWaitStatus status = ACL_EVENT_WAIT_STATUS_RESERVED;
  EXPECT_OK(aclrtQueryEventWaitStatus(event, &status));
  EXPECT_EQ(status, ACL_EVENT_WAIT_STATUS_NOT_READY);
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(waiter));
  EXPECT_OK(aclrtQueryEventWaitStatus(event, &status));
  EXPECT_EQ(status, ACL_EVENT_WAIT_STATUS_COMPLETE);
}

TEST_F(EventTest, QueriesRefuseANullResult) {
  aclrtEvent event = NewEvent();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtQueryEventStatus(event, nullptr), "status", "null");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtQueryEventWaitStatus(event, nullptr), "status",
               "null");
  EXPECT_EQ(OldQuery(event, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(EventTest, SynchronizeTimesOut) {
  aclrtStream stream = NewStream();
  aclrtEvent event = NewEvent();
  Gate gate;
  gate.BlockNow(stream);
  EXPECT_OK(aclrtRecordEvent(event, stream));
  EXPECT_FAILS(ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, aclrtSynchronizeEventWithTimeout(event, 30), "30");
  for (int32_t timeout : {0, -2}) {
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSynchronizeEventWithTimeout(event, timeout),
                 "timeout", std::to_string(timeout), "expected");
  }
  gate.Open();
  EXPECT_OK(aclrtSynchronizeEventWithTimeout(event, -1));
}

TEST_F(EventTest, WaitHoldsTheStreamUntilTheRecordCompletes) {
  aclrtStream recorder = NewStream();
  aclrtStream waiter = NewStream();
  aclrtEvent event = NewEvent();
  Gate gate;
  gate.BlockNow(recorder);
  EXPECT_OK(aclrtRecordEvent(event, recorder));
  EXPECT_OK(aclrtStreamWaitEvent(waiter, event));
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(waiter, 30), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(waiter));
}

TEST_F(EventTest, WaitOnItsOwnStreamPasses) {
  aclrtStream stream = NewStream();
  aclrtEvent event = NewEvent();
  EXPECT_OK(aclrtRecordEvent(event, stream));
  EXPECT_OK(aclrtStreamWaitEvent(stream, event));
  EXPECT_OK(aclrtSynchronizeStreamWithTimeout(stream, 5000));
}

TEST_F(EventTest, IssuedWaitKeepsTheRecordItSaw) {
  aclrtEvent event = NewExEvent();
  aclrtStream first = NewStream();
  aclrtStream second = NewStream();
  aclrtStream waiter = NewStream();
  Gate first_gate;
  Gate second_gate;
  first_gate.BlockNow(first);
  second_gate.BlockNow(second);
  EXPECT_OK(aclrtRecordEvent(event, first));
  EXPECT_OK(aclrtStreamWaitEvent(waiter, event));
  EXPECT_OK(aclrtRecordEvent(event, second));  // overwrites what the event means from here on
  first_gate.Open();
  EXPECT_OK(aclrtSynchronizeStreamWithTimeout(waiter, 5000));
  EXPECT_EQ(StatusOf(event), ACL_EVENT_RECORDED_STATUS_NOT_READY);
  second_gate.Open();
  EXPECT_OK(aclrtSynchronizeEvent(event));
}

aclrtEvent NewFlaggedEvent(uint32_t flag = ACL_EVENT_SYNC) {
  aclrtEvent event = nullptr;
  EXPECT_OK(aclrtCreateEventWithFlag(&event, flag));
  return event;
}

// Clients' schedulers wait for and synchronise with events before they record them first.
TEST_F(EventTest, UnrecordedEventsHoldUpNobody) {
  for (aclrtEvent event : {NewEvent(), NewFlaggedEvent(), NewExEvent()}) {
    EXPECT_OK(aclrtSynchronizeEvent(event));
    EXPECT_OK(aclrtSynchronizeEventWithTimeout(event, 1));
  }
  for (aclrtEvent event : {NewEvent(), NewFlaggedEvent()}) {
    aclrtEventStatus status = ACL_EVENT_STATUS_RESERVED;
    EXPECT_OK(OldQuery(event, &status));
    EXPECT_EQ(status, ACL_EVENT_STATUS_COMPLETE);
    EXPECT_EQ(StatusOf(event), ACL_EVENT_RECORDED_STATUS_NOT_READY);
  }
  aclrtStream stream = NewStream();
  for (aclrtEvent event : {NewEvent(), NewExEvent()}) {
    EXPECT_OK(aclrtStreamWaitEvent(stream, event));
    EXPECT_OK(aclrtSynchronizeStreamWithTimeout(stream, 5000));
  }
}

TEST_F(EventTest, WaitBeforeTheFirstRecordOnTheSameStreamPasses) {
  for (aclrtEvent event : {NewEvent(), NewFlaggedEvent(), NewExEvent()}) {
    aclrtStream stream = NewStream();
    EXPECT_OK(aclrtStreamWaitEvent(stream, event));
    EXPECT_OK(aclrtRecordEvent(event, stream));
    EXPECT_OK(aclrtSynchronizeStreamWithTimeout(stream, 5000));
    EXPECT_OK(aclrtSynchronizeEventWithTimeout(event, 5000));
  }
}

TEST_F(EventTest, AFlaggedEventIsWaitedForUntilAnotherStreamRecordsIt) {
  aclrtEvent event = NewFlaggedEvent();
  aclrtStream waiter = NewStream();
  aclrtStream recorder = NewStream();
  Gate gate;
  gate.BlockNow(recorder);
  EXPECT_OK(aclrtStreamWaitEvent(waiter, event));
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(waiter, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_OK(aclrtRecordEvent(event, recorder));
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(waiter, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStreamWithTimeout(waiter, 5000));
}

TEST_F(EventTest, AnEventDestroyedBeforeItsRecordIsNotWaitedForInVain) {
  aclrtEvent event = NewFlaggedEvent();
  aclrtStream waiter = NewStream();
  EXPECT_OK(aclrtStreamWaitEvent(waiter, event));
  EXPECT_OK(aclrtDestroyEvent(event));
  TakeMessages();
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(waiter, 5000), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_NE(TakeMessages().find("destroyed"), std::string::npos);
}

// From the call on, not from when the stream gets there: else the next round would find the record
// of the last one.
TEST_F(EventTest, WaitsAfterAResetWantANewRecord) {
  aclrtEvent event = NewFlaggedEvent();
  aclrtStream recorder = NewStream();
  aclrtStream waiter = NewStream();
  EXPECT_OK(aclrtRecordEvent(event, recorder));
  EXPECT_OK(aclrtSynchronizeStream(recorder));
  Gate gate;
  gate.BlockNow(waiter);
  EXPECT_OK(aclrtStreamWaitEvent(waiter, event));
  EXPECT_OK(aclrtResetEvent(event, waiter));
  EXPECT_OK(aclrtStreamWaitEvent(waiter, event));
  gate.Open();
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(waiter, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_EQ(StatusOf(event), ACL_EVENT_RECORDED_STATUS_NOT_READY);
  EXPECT_OK(aclrtSynchronizeEvent(event));
  EXPECT_OK(aclrtRecordEvent(event, recorder));
  EXPECT_OK(aclrtSynchronizeStreamWithTimeout(waiter, 5000));
  EXPECT_EQ(StatusOf(event), ACL_EVENT_RECORDED_STATUS_COMPLETE);
}

TEST_F(EventTest, WaitsAndRecordsFromManyThreadsEnd) {
  aclrtEvent events[] = {NewEvent(), NewFlaggedEvent(), NewExEvent()};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&events] {
      EXPECT_OK(aclrtSetDevice(0));
      aclrtStream stream = NewStream();
      for (int i = 0; i < 200; ++i) {
        for (aclrtEvent event : events) {
          EXPECT_OK(aclrtStreamWaitEvent(stream, event));
          EXPECT_OK(aclrtRecordEvent(event, stream));
        }
        EXPECT_OK(aclrtSynchronizeEvent(events[i % 3]));
      }
      EXPECT_OK(aclrtSynchronizeStreamWithTimeout(stream, 20000));
      EXPECT_OK(aclrtResetDevice(0));
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(EventTest, ResetMakesASyncEventReusable) {
  aclrtEvent event = nullptr;
  ASSERT_OK(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC));
  aclrtStream stream = NewStream();
  for (int round = 0; round < 3; ++round) {
    EXPECT_OK(aclrtRecordEvent(event, stream));
    EXPECT_OK(aclrtStreamWaitEvent(stream, event));
    EXPECT_OK(aclrtResetEvent(event, stream));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_EQ(StatusOf(event), ACL_EVENT_RECORDED_STATUS_NOT_READY);
  }
}

// CANN's example of several streams does so.
TEST_F(EventTest, ResetMakesAPlainEventReusable) {
  aclrtEvent event = NewEvent();
  aclrtStream first = NewStream(), second = NewStream();
  for (int round = 0; round < 3; ++round) {
    EXPECT_OK(aclrtRecordEvent(event, first));
    EXPECT_OK(aclrtStreamWaitEvent(second, event));
    EXPECT_OK(aclrtResetEvent(event, second));
    EXPECT_OK(aclrtSynchronizeStream(second));
    EXPECT_EQ(StatusOf(event), ACL_EVENT_RECORDED_STATUS_NOT_READY);
  }
}

TEST_F(EventTest, ResetNeedsTheSyncFlag) {
  aclrtEvent event = nullptr;
  ASSERT_OK(aclrtCreateEventWithFlag(&event, ACL_EVENT_TIME_LINE));
  TakeMessages();
  EXPECT_NE(aclrtResetEvent(event, nullptr), 0);
  const std::string message = TakeMessages();
  EXPECT_NE(message.find("aclrtResetEvent"), std::string::npos) << message;
  EXPECT_NE(message.find("ACL_EVENT_SYNC"), std::string::npos) << message;
}

TEST_F(EventTest, ExEventsAreRefusedByTheClassicCalls) {
  aclrtEvent event = NewExEvent();
  TakeMessages();
  EXPECT_NE(aclrtResetEvent(event, nullptr), 0);
  EXPECT_NE(TakeMessages().find("aclrtResetEvent"), std::string::npos);
  aclrtEventStatus status;
  EXPECT_NE(OldQuery(event, &status), 0);
  EXPECT_NE(TakeMessages().find("aclrtQueryEvent"), std::string::npos);
  aclrtEventWaitStatus wait_status;
  EXPECT_NE(aclrtQueryEventWaitStatus(event, &wait_status), 0);
  EXPECT_NE(TakeMessages().find("aclrtQueryEventWaitStatus"), std::string::npos);
}

TEST_F(EventTest, WaitRefusesAnEventWithoutTheSyncFlag) {
  for (aclrtEvent event : {NewExEvent(ACL_EVENT_TIME_LINE), NewFlaggedEvent(ACL_EVENT_TIME_LINE)}) {
    EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclrtStreamWaitEvent(NewStream(), event),
                 "ACL_EVENT_SYNC");
  }
  EXPECT_OK(aclrtStreamWaitEvent(NewStream(), NewExEvent(ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE)));
}

TEST_F(EventTest, DestroyingAPendingEventIsLegal) {
  aclrtStream recorder = NewStream();
  aclrtStream waiter = NewStream();
  Gate gate;
  gate.BlockNow(recorder);
  for (aclrtEvent event : {NewEvent(), NewExEvent()}) {
    EXPECT_OK(aclrtRecordEvent(event, recorder));
    EXPECT_OK(aclrtStreamWaitEvent(waiter, event));
    EXPECT_OK(aclrtDestroyEvent(event));
    EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtSynchronizeEvent(event), "event");
  }
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(waiter, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(waiter));
}

TEST_F(EventTest, OutlivesTheStreamItWasRecordedOn) {
  aclrtStream recorder = NewStream();
  aclrtEvent event = NewEvent();
  EXPECT_OK(aclrtRecordEvent(event, recorder));
  EXPECT_OK(aclrtDestroyStream(recorder));
  EXPECT_OK(aclrtSynchronizeEvent(event));
  EXPECT_EQ(StatusOf(event), ACL_EVENT_RECORDED_STATUS_COMPLETE);
  aclrtStream waiter = NewStream();
  EXPECT_OK(aclrtStreamWaitEvent(waiter, event));
  EXPECT_OK(aclrtSynchronizeStreamWithTimeout(waiter, 5000));
}

TEST_F(EventTest, IdsDiffer) {
  uint32_t first = 0;
  uint32_t second = 0;
  EXPECT_OK(aclrtGetEventId(NewEvent(), &first));
  EXPECT_OK(aclrtGetEventId(NewEvent(), &second));
  EXPECT_NE(first, second);
}

// Every function that takes an event, with a handle that is none.
struct Row {
  const char* name;
  aclError (*call)(aclrtEvent);
};

const Row kEventFunctions[] = {
    {"aclrtDestroyEvent", [](aclrtEvent e) { return aclrtDestroyEvent(e); }},
    {"aclrtRecordEvent", [](aclrtEvent e) { return aclrtRecordEvent(e, nullptr); }},
    {"aclrtResetEvent", [](aclrtEvent e) { return aclrtResetEvent(e, nullptr); }},
    {"aclrtQueryEventStatus",
     [](aclrtEvent e) {
       aclrtEventRecordedStatus status;
       return aclrtQueryEventStatus(e, &status);
     }},
    {"aclrtQueryEvent",
     [](aclrtEvent e) {
       aclrtEventStatus status;
       return OldQuery(e, &status);
     }},
    {"aclrtQueryEventWaitStatus",
     [](aclrtEvent e) {
       aclrtEventWaitStatus status;
       return aclrtQueryEventWaitStatus(e, &status);
     }},
    {"aclrtSynchronizeEvent", [](aclrtEvent e) { return aclrtSynchronizeEvent(e); }},
    {"aclrtSynchronizeEventWithTimeout",
     [](aclrtEvent e) { return aclrtSynchronizeEventWithTimeout(e, 10); }},
    {"aclrtStreamWaitEvent", [](aclrtEvent e) { return aclrtStreamWaitEvent(nullptr, e); }},
    {"aclrtEventElapsedTime",
     [](aclrtEvent e) {
       float ms = 0;
       return aclrtEventElapsedTime(&ms, e, e);
     }},
    {"aclrtEventGetTimestamp",
     [](aclrtEvent e) {
       uint64_t timestamp = 0;
       return aclrtEventGetTimestamp(e, &timestamp);
     }},
    {"aclrtGetEventId",
     [](aclrtEvent e) {
       uint32_t id = 0;
       return aclrtGetEventId(e, &id);
     }},
};

class BadEventTest : public RuntimeTest, public ::testing::WithParamInterface<Row> {
 protected:
  void Expect(aclrtEvent handle) {
    TakeMessages();
    EXPECT_EQ(GetParam().call(handle), ACL_ERROR_RT_INVALID_HANDLE) << handle;
    const std::string message = TakeMessages();
    for (const char* part : {GetParam().name, "vent"}) {  // event, startEvent
      EXPECT_NE(message.find(part), std::string::npos) << "no " << part << " in: " << message;
    }
  }
};

TEST_P(BadEventTest, IsReportedAndNothingWorse) {
  aclrtEvent destroyed = NewEvent();
  ASSERT_OK(aclrtDestroyEvent(destroyed));
  Expect(destroyed);
  std::vector<uint64_t> garbage(32, 0x4242424242424242u);
  Expect(garbage.data());
  Expect(NewStream());
  Expect(reinterpret_cast<aclrtEvent>(uintptr_t{8}));
  Expect(reinterpret_cast<aclrtEvent>(~uintptr_t{0}));
}

INSTANTIATE_TEST_SUITE_P(Calls, BadEventTest, ::testing::ValuesIn(kEventFunctions),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace anyacl::test::event
