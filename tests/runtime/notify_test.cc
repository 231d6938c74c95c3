// SPDX-License-Identifier: Apache-2.0
// Notifies and external events: flags between streams, in graphs and between processes.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "fixture.h"

namespace anyacl::test {
namespace {

using NotifyTest = RuntimeTest;

aclrtNotify NewNotify() {
  aclrtNotify notify = nullptr;
  EXPECT_OK(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT));
  return notify;
}

void Count(void* argument) { ++*static_cast<std::atomic<int>*>(argument); }

bool IsIdle(aclrtStream stream) {
  aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
  EXPECT_OK(aclrtStreamQuery(stream, &status));
  return status == ACL_STREAM_STATUS_COMPLETE;
}

TEST_F(NotifyTest, AStreamWaitsForTheRecord) {
  aclrtNotify notify = NewNotify();
  aclrtStream first = NewStream(), second = NewStream();
  std::atomic<int> before{0}, after{0};
  Gate gate;
  gate.BlockNow(first);
  EXPECT_OK(aclrtLaunchHostFunc(first, &Count, &before));
  EXPECT_OK(aclrtRecordNotify(notify, first));
  EXPECT_OK(aclrtWaitAndResetNotify(notify, second, 0));
  EXPECT_OK(aclrtLaunchHostFunc(second, &Count, &after));
  EXPECT_FALSE(IsIdle(second));
  EXPECT_EQ(after, 0);
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(second));
  EXPECT_EQ(before, 1);
  EXPECT_EQ(after, 1);
}

TEST_F(NotifyTest, AWaitClearsIt) {
  aclrtNotify notify = NewNotify();
  aclrtStream stream = NewStream();
  EXPECT_OK(aclrtRecordNotify(notify, stream));
  EXPECT_OK(aclrtRecordNotify(notify, stream));
  EXPECT_OK(aclrtWaitAndResetNotify(notify, stream, 0));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_OK(aclrtWaitAndResetNotify(notify, stream, 1));
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_FFTS_PLUS_TIMEOUT);
}

TEST_F(NotifyTest, BatchResetClears) {
  aclrtNotify notify = NewNotify();
  aclrtStream stream = NewStream();
  EXPECT_OK(aclrtRecordNotify(notify, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_OK(aclrtNotifyBatchReset(&notify, 1));
  EXPECT_OK(aclrtWaitAndResetNotify(notify, stream, 1));
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_FFTS_PLUS_TIMEOUT);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtNotifyBatchReset(&notify, 0), "num");
}

TEST_F(NotifyTest, AbortEndsAWait) {
  aclrtNotify notify = NewNotify();
  aclrtStream stream = NewStream();
  for (int i = 0; i < 100; ++i) {
    EXPECT_OK(aclrtWaitAndResetNotify(notify, stream, 0));
    EXPECT_OK(aclrtStreamAbort(stream));
  }
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(NotifyTest, QueuedTasksOutliveTheHandle) {
  aclrtNotify notify = NewNotify();
  aclrtStream stream = NewStream(), waiting = NewStream();
  Gate gate;
  gate.BlockNow(stream);
  EXPECT_OK(aclrtRecordNotify(notify, stream));
  EXPECT_OK(aclrtWaitAndResetNotify(notify, waiting, 0));
  EXPECT_OK(aclrtDestroyNotify(notify));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtRecordNotify(notify, stream), "notify");
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtDestroyNotify(notify), "notify");
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(waiting));
}

TEST_F(NotifyTest, BadArgumentsAreRefused) {
  aclrtNotify notify = nullptr;
  uint32_t id = 0;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtCreateNotify(nullptr, 0), "notify", "null");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtCreateNotify(&notify, 2), "flag");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtRecordNotify(nullptr, nullptr), "notify", "null");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtGetNotifyId(NewNotify(), nullptr), "notifyId");
  EXPECT_OK(aclrtGetNotifyId(NewNotify(), &id));
  char key[65];
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtNotifyGetExportKey(NewNotify(), key, 64, 0), "len",
               "64");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtNotifyGetExportKey(NewNotify(), key, 65, 1),
               "flags");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtNotifyImportByKey(&notify, "anyacl-notify-x", 0),
               "key");
}

TEST_F(NotifyTest, AGraphWaitsAtEveryReplay) {
  aclrtNotify notify = NewNotify();
  aclrtStream stream = NewStream(), other = NewStream();
  std::atomic<int> runs{0};
  ASSERT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  EXPECT_OK(aclrtWaitAndResetNotify(notify, stream, 0));
  EXPECT_OK(aclrtLaunchHostFunc(stream, &Count, &runs));
  aclmdlRI graph = nullptr;
  ASSERT_OK(aclmdlRICaptureEnd(stream, &graph));
  for (int i = 1; i <= 3; ++i) {
    EXPECT_OK(aclmdlRIExecuteAsync(graph, stream));
    EXPECT_FALSE(IsIdle(stream));
    EXPECT_EQ(runs, i - 1);
    EXPECT_OK(aclrtRecordNotify(notify, other));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_EQ(runs, i);
  }
}

aclrtEvent NewExternalEvent() {
  aclrtEvent event = nullptr;
  EXPECT_OK(aclrtCreateEventWithFlag(&event, ACL_EVENT_EXTERNAL));
  return event;
}

TEST_F(NotifyTest, AnExternalEventHoldsGraphsUntilItIsRecorded) {
  aclrtEvent event = NewExternalEvent();
  aclrtStream stream = NewStream(), other = NewStream();
  std::atomic<int> runs{0};
  ASSERT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  EXPECT_OK(aclrtStreamWaitEvent(stream, event));
  EXPECT_OK(aclrtResetEvent(event, stream));
  EXPECT_OK(aclrtLaunchHostFunc(stream, &Count, &runs));
  aclmdlRI graph = nullptr;
  ASSERT_OK(aclmdlRICaptureEnd(stream, &graph));
  for (int i = 1; i <= 3; ++i) {
    EXPECT_OK(aclmdlRIExecuteAsync(graph, stream));
    EXPECT_FALSE(IsIdle(stream));
    EXPECT_OK(aclrtRecordEvent(event, other));
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_EQ(runs, i);
  }
}

TEST_F(NotifyTest, AnExternalEventIsAFlag) {
  aclrtEvent event = NewExternalEvent();
  aclrtStream stream = NewStream();
  aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_COMPLETE;
  EXPECT_OK(aclrtQueryEventStatus(event, &status));
  EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_NOT_READY);
  EXPECT_FAILS(ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, aclrtSynchronizeEventWithTimeout(event, 1), "1 ms");
  EXPECT_OK(aclrtRecordEvent(event, stream));
  EXPECT_OK(aclrtSynchronizeEvent(event));
  EXPECT_OK(aclrtQueryEventStatus(event, &status));
  EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_COMPLETE);
  EXPECT_OK(aclrtResetEvent(event, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_OK(aclrtQueryEventStatus(event, &status));
  EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_NOT_READY);
  aclrtEvent other = nullptr;
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
               aclrtCreateEventExWithFlag(&other, ACL_EVENT_EXTERNAL), "ACL_EVENT_EXTERNAL");
}

TEST_F(NotifyTest, AWaitForAnEventEndsWithItsTime) {
  aclrtStream stream = NewStream(), held = NewStream();
  std::atomic<int> after{0};
  Gate gate;
  gate.BlockNow(held);
  aclrtEvent event = NewExEvent();
  EXPECT_OK(aclrtRecordEvent(event, held));
  EXPECT_OK(aclrtStreamWaitEventWithTimeout(stream, event, 1));
  EXPECT_OK(aclrtLaunchHostFunc(stream, &Count, &after));
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_WAIT_TIMEOUT);
  EXPECT_EQ(after, 1);
  EXPECT_OK(aclrtStreamWaitEventWithFlag(stream, event, 0, ACL_EVENT_WAIT_DEFAULT));
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtStreamWaitEventWithTimeout(stream, event, -1),
               "timeout", "-1");
  // Outside of a capture there is nothing to be external to.
  EXPECT_OK(aclrtStreamWaitEventWithFlag(stream, event, 0, ACL_EVENT_WAIT_EXTERNAL));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtStreamWaitEventWithFlag(stream, event, 1, ACL_EVENT_WAIT_EXTERNAL), "timeout");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtRecordEventWithFlag(event, stream, 2), "flag");
  EXPECT_OK(aclrtRecordEventWithFlag(event, stream, ACL_EVENT_RECORD_DEFAULT));
}

TEST_F(NotifyTest, StreamsTellTheirConfiguration) {
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCreateStreamWithConfig(&stream, 5, ACL_STREAM_FAST_LAUNCH | 0x80000000u));
  uint32_t priority = 0, flags = 0;
  EXPECT_OK(aclrtStreamGetPriority(stream, &priority));
  EXPECT_OK(aclrtStreamGetFlags(stream, &flags));
  EXPECT_EQ(priority, 5u);
  EXPECT_EQ(flags, ACL_STREAM_FAST_LAUNCH);
  EXPECT_OK(aclrtStreamGetPriority(nullptr, &priority));
  EXPECT_EQ(priority, 0u);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtStreamGetFlags(stream, nullptr), "flags", "null");
}

// Between processes: the peer is a forked child, which imports as any process does.
class PeerTest : public RuntimeTest {
 protected:
  void SetUp() override {
    if (IsEmulated()) GTEST_SKIP() << "QEMU aborts a forked child that starts a thread";
    RuntimeTest::SetUp();
  }
  void TearDown() override {
    if (!IsEmulated()) RuntimeTest::TearDown();
  }
};

template <class Body>
pid_t StartPeer(const Body& body) {
  const pid_t child = fork();
  if (child == 0) _exit(body() ? 0 : 1);
  return child;
}

void ExpectPeerSucceeds(pid_t peer) {
  int status = 0;
  ASSERT_EQ(waitpid(peer, &status, 0), peer);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST_F(PeerTest, ANotifyIsRecordedByAnotherProcess) {
  aclrtNotify ping = NewNotify(), pong = NewNotify();
  char ping_key[65], pong_key[65];
  constexpr uint64_t kAnyone = ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION;
  ASSERT_OK(aclrtNotifyGetExportKey(ping, ping_key, sizeof(ping_key), kAnyone));
  ASSERT_OK(aclrtNotifyGetExportKey(pong, pong_key, sizeof(pong_key), kAnyone));
  constexpr int kRounds = 50;
  const pid_t peer = StartPeer([&] {
    aclrtNotify in = nullptr, out = nullptr;
    aclrtStream stream = nullptr;
    bool ok = aclrtCreateStream(&stream) == 0;
    ok = ok && aclrtNotifyImportByKey(&in, ping_key, 0) == 0;
    ok = ok && aclrtNotifyImportByKey(&out, pong_key, 0) == 0;
    for (int i = 0; ok && i < kRounds; ++i) {
      ok = aclrtWaitAndResetNotify(in, stream, 0) == 0 && aclrtRecordNotify(out, stream) == 0;
    }
    return ok && aclrtSynchronizeStream(stream) == 0 && aclrtDestroyNotify(in) == 0;
  });
  aclrtStream stream = NewStream();
  for (int i = 0; i < kRounds; ++i) {
    EXPECT_OK(aclrtRecordNotify(ping, stream));
    EXPECT_OK(aclrtWaitAndResetNotify(pong, stream, 0));
  }
  EXPECT_OK(aclrtSynchronizeStream(stream));
  ExpectPeerSucceeds(peer);
}

TEST_F(PeerTest, OnlyNamedProcessesImportANotify) {
  aclrtNotify notify = NewNotify();
  char key[65];
  ASSERT_OK(aclrtNotifyGetExportKey(notify, key, sizeof(key), ACL_RT_NOTIFY_EXPORT_FLAG_DEFAULT));
  ExpectPeerSucceeds(StartPeer([&] {
    aclrtNotify imported = nullptr;
    return aclrtNotifyImportByKey(&imported, key, 0) == ACL_ERROR_RT_PARAM_INVALID;
  }));
  int go[2];
  ASSERT_EQ(pipe(go), 0);
  pid_t peer = StartPeer([&] {
    char byte = 0;
    aclrtNotify imported = nullptr;
    return read(go[0], &byte, 1) == 1 && aclrtNotifyImportByKey(&imported, key, 0) == 0;
  });
  EXPECT_OK(aclrtNotifySetImportPid(notify, &peer, 1));
  ASSERT_EQ(write(go[1], "g", 1), 1);
  ExpectPeerSucceeds(peer);
}

TEST_F(PeerTest, ARecordBeforeTheExportIsSeen) {
  aclrtNotify notify = NewNotify();
  aclrtStream stream = NewStream();
  EXPECT_OK(aclrtRecordNotify(notify, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  char key[65];
  ASSERT_OK(aclrtNotifyGetExportKey(notify, key, sizeof(key),
                                    ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION));
  ExpectPeerSucceeds(StartPeer([&] {
    aclrtNotify imported = nullptr;
    aclrtStream own = nullptr;
    return aclrtNotifyImportByKey(&imported, key, 0) == 0 && aclrtCreateStream(&own) == 0 &&
           aclrtWaitAndResetNotify(imported, own, 0) == 0 && aclrtSynchronizeStream(own) == 0;
  }));
}

TEST_F(PeerTest, AStreamOfAnotherProcessWaitsForAnEvent) {
  aclrtEvent event = NewExEvent(ACL_EVENT_IPC);
  aclrtIpcEventHandle handle;
  ASSERT_OK(aclrtIpcGetEventHandle(event, &handle));
  aclrtStream stream = NewStream();
  int held[2], out[2];
  ASSERT_EQ(pipe(held), 0);
  ASSERT_EQ(pipe(out), 0);
  int back[2];
  ASSERT_EQ(pipe(back), 0);
  const pid_t peer = StartPeer([&] {
    char byte = 0;
    aclrtEvent imported = nullptr;
    aclrtStream own = nullptr;
    aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
    bool ok = aclrtIpcOpenEventHandle(handle, &imported) == 0 && aclrtCreateStream(&own) == 0;
    // Never recorded counts as complete.
    ok = ok && aclrtQueryEventStatus(imported, &status) == 0;
    ok = ok && status == ACL_EVENT_RECORDED_STATUS_COMPLETE;
    ok = ok && write(out[1], "r", 1) == 1 && read(held[0], &byte, 1) == 1;
    // Now recorded on a stream that is held.
    ok = ok && aclrtQueryEventStatus(imported, &status) == 0;
    ok = ok && status == ACL_EVENT_RECORDED_STATUS_NOT_READY;
    ok = ok && aclrtSynchronizeEventWithTimeout(imported, 1) == ACL_ERROR_RT_EVENT_SYNC_TIMEOUT;
    ok = ok && aclrtStreamWaitEvent(own, imported) == 0;
    aclrtStreamStatus idle = ACL_STREAM_STATUS_COMPLETE;
    ok = ok && aclrtStreamQuery(own, &idle) == 0 && idle == ACL_STREAM_STATUS_NOT_READY;
    ok = ok && write(back[1], "o", 1) == 1;
    ok = ok && aclrtSynchronizeStream(own) == 0 && aclrtSynchronizeEvent(imported) == 0;
    return ok && aclrtDestroyEvent(imported) == 0;
  });
  char byte = 0;
  ASSERT_EQ(read(out[0], &byte, 1), 1);
  Gate gate;
  gate.BlockNow(stream);
  EXPECT_OK(aclrtRecordEvent(event, stream));
  ASSERT_EQ(write(held[1], "h", 1), 1);
  close(back[1]);  // a peer that ends early ends the read
  EXPECT_EQ(read(back[0], &byte, 1), 1);
  gate.Open();
  ExpectPeerSucceeds(peer);
  EXPECT_OK(aclrtSynchronizeEvent(event));
}

TEST_F(PeerTest, HandlesOfOtherThingsAreRefused) {
  aclrtEvent event = nullptr;
  aclrtIpcEventHandle handle = {};
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtIpcOpenEventHandle(handle, &event), "handle");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtIpcGetEventHandle(NewExEvent(), &handle),
               "ACL_EVENT_IPC");
  aclrtEvent shared = NewExEvent(ACL_EVENT_IPC);
  ASSERT_OK(aclrtIpcGetEventHandle(shared, &handle));
  EXPECT_OK(aclrtDestroyEvent(shared));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtIpcOpenEventHandle(handle, &event), "freed");
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclrtCreateEventWithFlag(&event, ACL_EVENT_IPC),
               "ACL_EVENT_IPC");
}

TEST_F(PeerTest, ADroppedRecordCountsAsComplete) {
  aclrtEvent event = NewExEvent(ACL_EVENT_IPC);
  aclrtStream stream = NewStream(), waiting = NewStream();
  Gate gate;
  gate.BlockNow(stream);
  EXPECT_OK(aclrtRecordEvent(event, stream));
  EXPECT_OK(aclrtStreamWaitEvent(waiting, event));
  EXPECT_OK(aclrtStreamAbort(stream));
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(waiting));
}

}  // namespace
}  // namespace anyacl::test
