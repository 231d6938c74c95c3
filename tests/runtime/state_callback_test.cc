// SPDX-License-Identifier: Apache-2.0
// Callbacks of the program: for failed tasks, and for what becomes of streams, devices and aborts.
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <thread>

#include "fixture.h"

namespace anyacl::test {
namespace {

// What callbacks have seen, for all tests of this file.
struct Seen {
  std::mutex mutex;
  std::vector<std::string> lines;

  void Add(std::string line) {
    std::lock_guard lock(mutex);
    lines.push_back(std::move(line));
  }
  std::vector<std::string> Take() {
    std::lock_guard lock(mutex);
    return std::exchange(lines, {});
  }
};
Seen& AllSeen() {
  static auto* seen = new Seen;
  return *seen;
}

using Lines = std::vector<std::string>;

// A task that fails: a wait for an event that is destroyed before it is recorded, with 107000.
void EnqueueFailing(aclrtStream stream) {
  aclrtEvent event = nullptr;
  ASSERT_OK(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC));
  ASSERT_OK(aclrtStreamWaitEvent(stream, event));
  ASSERT_OK(aclrtDestroyEvent(event));
}

struct Info {
  uint32_t task, stream, thread, device, code;
};
Info g_info;
std::atomic<aclrtExceptionInfo*> g_kept{nullptr};

void ReadInfo(aclrtExceptionInfo* info) {
  g_info = {aclrtGetTaskIdFromExceptionInfo(info), aclrtGetStreamIdFromExceptionInfo(info),
            aclrtGetThreadIdFromExceptionInfo(info), aclrtGetDeviceIdFromExceptionInfo(info),
            aclrtGetErrorCodeFromExceptionInfo(info)};
  void* args = &g_info;
  uint32_t size = 1;
  EXPECT_FAILS(-1, aclrtGetArgsFromExceptionInfo(info, &args, &size), "kernel");
  EXPECT_EQ(args, nullptr);
  EXPECT_EQ(size, 0u);
  aclrtFuncHandle function = &g_info;
  EXPECT_FAILS(-1, aclrtGetFuncHandleFromExceptionInfo(info, &function), "kernel");
  EXPECT_EQ(function, nullptr);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtGetArgsFromExceptionInfo(info, nullptr, &size),
               "devArgsPtr");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtGetArgsFromExceptionInfo(info, &args, nullptr),
               "devArgsLen");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtGetFuncHandleFromExceptionInfo(info, nullptr), "func");
  g_kept = info;
  AllSeen().Add("read");
}

class ExceptionTest : public RuntimeTest {
 protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    AllSeen().Take();
  }
  void TearDown() override {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    EXPECT_OK(aclrtSetExceptionInfoCallback(nullptr));
#pragma GCC diagnostic pop
    RuntimeTest::TearDown();
  }
  static void Set(aclrtExceptionInfoCallback callback) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    EXPECT_OK(aclrtSetExceptionInfoCallback(callback));
#pragma GCC diagnostic pop
  }
};

TEST_F(ExceptionTest, CallbackIsToldTheTaskBeforeTheWaitReturns) {
  Set(&ReadInfo);
  aclrtStream stream = NewStream();
  ASSERT_OK(aclrtLaunchHostFunc(stream, &DoNothing, nullptr));
  uint32_t last = 0, enqueuer = 0;
  std::thread([&] {
    ASSERT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclrtGetThreadLastTaskId(&last));
    EXPECT_EQ(last, 0u);
    EnqueueFailing(stream);
    EXPECT_OK(aclrtGetThreadLastTaskId(&last));
    enqueuer = static_cast<uint32_t>(syscall(SYS_gettid));
    EXPECT_OK(aclrtResetDevice(0));
  }).join();
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(AllSeen().Take(), Lines{"read"});
  int32_t id = -1;
  EXPECT_OK(aclrtStreamGetId(stream, &id));
  EXPECT_EQ(g_info.task, 2u);
  EXPECT_EQ(g_info.task, last);
  EXPECT_EQ(g_info.stream, static_cast<uint32_t>(id));
  EXPECT_EQ(g_info.thread, enqueuer);
  EXPECT_EQ(g_info.device, 0u);
  EXPECT_EQ(g_info.code, static_cast<uint32_t>(ACL_ERROR_RT_PARAM_INVALID));
  // The information is gone with the call.
  TakeMessages();
  EXPECT_EQ(aclrtGetTaskIdFromExceptionInfo(g_kept), UINT32_MAX);
  EXPECT_EQ(aclrtGetErrorCodeFromExceptionInfo(nullptr), UINT32_MAX);
  EXPECT_TRUE(HasWord(TakeMessages(), "aclrtGetErrorCodeFromExceptionInfo"));
  EXPECT_OK(aclrtDestroyStream(stream));
}

TEST_F(ExceptionTest, AddedCallbacksAreCalledOnce) {
  const aclrtExceptionInfoCallback first = [](aclrtExceptionInfo*) { AllSeen().Add("first"); };
  const aclrtExceptionInfoCallback second = [](aclrtExceptionInfo*) { AllSeen().Add("second"); };
  Set([](aclrtExceptionInfo*) { AllSeen().Add("single"); });
  EXPECT_OK(aclrtExceptionInfoCallbackRegister(first));
  EXPECT_OK(aclrtExceptionInfoCallbackRegister(first));
  EXPECT_OK(aclrtExceptionInfoCallbackRegister(second));
  aclrtStream stream = NewStream();
  EnqueueFailing(stream);
  EXPECT_NE(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(AllSeen().Take(), (Lines{"single", "first", "second"}));
  EXPECT_OK(aclrtExceptionInfoCallbackUnregister(first));
  EXPECT_OK(aclrtExceptionInfoCallbackUnregister(first));
  Set(nullptr);
  EnqueueFailing(stream);
  EXPECT_NE(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(AllSeen().Take(), Lines{"second"});
  EXPECT_OK(aclrtExceptionInfoCallbackUnregister(second));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtExceptionInfoCallbackRegister(nullptr), "callback");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtExceptionInfoCallbackUnregister(nullptr),
               "callback");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtGetThreadLastTaskId(nullptr), "taskId");
  EXPECT_OK(aclrtDestroyStream(stream));
}

TEST_F(ExceptionTest, AbortedTasksAreNotTold) {
  Set([](aclrtExceptionInfo*) { AllSeen().Add("told"); });
  aclrtStream stream = NewStream();
  aclrtEvent event = nullptr;
  ASSERT_OK(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC));
  ASSERT_OK(aclrtStreamWaitEvent(stream, event));
  EXPECT_OK(aclrtStreamAbort(stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(AllSeen().Take(), Lines{});
  EXPECT_OK(aclrtDestroyEvent(event));
  EXPECT_OK(aclrtDestroyStream(stream));
}

// Uses the runtime as a program might: allocates, works on another stream, aborts its own.
aclrtStream g_own = nullptr;
void UseRuntime(aclrtExceptionInfo*) {
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_EQ(aclrtSynchronizeStream(g_own), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  aclrtStream other = NewStream();
  void* memory = NewDeviceMemory(1 << 20);
  EXPECT_OK(aclrtMemsetAsync(memory, 1 << 20, 1, 1 << 20, other));
  EXPECT_OK(aclrtSynchronizeStream(other));
  EXPECT_OK(aclrtFree(memory));
  EXPECT_OK(aclrtDestroyStream(other));
  EXPECT_OK(aclrtLaunchHostFunc(
      g_own, [](void*) { AllSeen().Add("appended"); }, nullptr));
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  EXPECT_OK(aclrtSetExceptionInfoCallback(nullptr));
#pragma GCC diagnostic pop
  EXPECT_OK(aclrtResetDevice(0));
}

TEST_F(ExceptionTest, CallbackMayUseTheRuntime) {
  Set(&UseRuntime);
  g_own = NewStream();
  EnqueueFailing(g_own);
  EXPECT_EQ(aclrtSynchronizeStream(g_own), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_OK(aclrtSynchronizeStream(g_own));
  EXPECT_EQ(AllSeen().Take(), Lines{"appended"});
  EXPECT_OK(aclrtDestroyStream(g_own));
}

std::string Word(const void* args, const char* what, int number) {
  return std::string(static_cast<const char*>(args)) + " " + what + " " + std::to_string(number);
}

void StreamState(aclrtStream stream, aclrtStreamState state, void* args) {
  int32_t id = -1;
  EXPECT_OK(aclrtStreamGetId(stream, &id));  // alive in both states
  AllSeen().Add(Word(args, state == ACL_RT_STREAM_STATE_CREATE_POST ? "create" : "destroy", id));
  // Not told again.
  EXPECT_OK(aclrtDestroyStream(NewStream()));
}

char g_a[] = "a";
char g_b[] = "b";

TEST_F(ExceptionTest, StreamsAreToldByName) {
  EXPECT_OK(aclrtRegStreamStateCallback("b", &StreamState, g_b));
  EXPECT_OK(aclrtRegStreamStateCallback("a", &StreamState, g_a));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtRegStreamStateCallback("a", &StreamState, g_b),
               "regName", "a");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtRegStreamStateCallback(nullptr, &StreamState, g_b),
               "regName");
  aclrtStream stream = NewStream();
  int32_t id = -1;
  EXPECT_OK(aclrtStreamGetId(stream, &id));
  EXPECT_EQ(AllSeen().Take(), (Lines{Word(g_a, "create", id), Word(g_b, "create", id)}));
  EXPECT_OK(aclrtRegStreamStateCallback("b", nullptr, nullptr));
  EXPECT_OK(aclrtRegStreamStateCallback("unknown", nullptr, nullptr));
  EXPECT_OK(aclrtDestroyStream(stream));
  EXPECT_EQ(AllSeen().Take(), Lines{Word(g_a, "destroy", id)});

  // Default streams and those that end with their context.
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtCreateContext(&context, 0));
  int32_t default_id = -1;
  EXPECT_OK(aclrtStreamGetId(nullptr, &default_id));
  EXPECT_EQ(AllSeen().Take(), Lines{Word(g_a, "create", default_id)});
  stream = NewStream();
  EXPECT_OK(aclrtStreamGetId(stream, &id));
  AllSeen().Take();
  EXPECT_OK(aclrtDestroyContext(context));
  EXPECT_EQ(AllSeen().Take(), (Lines{Word(g_a, "destroy", default_id), Word(g_a, "destroy", id)}));
  EXPECT_OK(aclrtRegStreamStateCallback("a", nullptr, nullptr));
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_OK(aclrtResetDevice(0));
}

void DeviceState(int32_t device, aclrtDeviceState state, void*) {
  AllSeen().Add("device " + std::to_string(device) + " state " + std::to_string(state));
  // A callback of a set or a reset that sets and resets.
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_OK(aclrtResetDevice(0));
}

TEST(DeviceStateTest, SetsAndResetsAreTold) {
  InFreshProcess([] {
    EXPECT_OK(aclrtRegDeviceStateCallback("d", &DeviceState, nullptr));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
                 aclrtRegDeviceStateCallback("d", &DeviceState, nullptr), "regName");
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
                 aclrtRegDeviceStateCallback(nullptr, &DeviceState, nullptr), "regName");
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_EQ(AllSeen().Take(), (Lines{"device 0 state 0", "device 0 state 1"}));
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_EQ(AllSeen().Take(), Lines{"device 0 state 1"});
    EXPECT_OK(aclrtResetDevice(0));
    EXPECT_EQ(AllSeen().Take(), Lines{});
    EXPECT_OK(aclrtResetDevice(0));
    EXPECT_EQ(AllSeen().Take(), (Lines{"device 0 state 2", "device 0 state 3"}));
    EXPECT_NE(aclrtSetDevice(99), ACL_SUCCESS);
    EXPECT_EQ(AllSeen().Take(), Lines{});
    EXPECT_OK(aclrtRegDeviceStateCallback("d", nullptr, nullptr));
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclrtResetDevice(0));
    EXPECT_EQ(AllSeen().Take(), Lines{});
  });
}

// A stream that a callback makes in the context that is about to end goes with it.
void MakeStream(int32_t, aclrtDeviceState state, void* target) {
  if (state == ACL_RT_DEVICE_STATE_RESET_PRE) {
    EXPECT_OK(aclrtCreateStream(static_cast<aclrtStream*>(target)));
  }
}

TEST(DeviceStateTest, WhatACallbackAddsEndsWithTheReset) {
  InFreshProcess([] {
    aclrtStream stream = nullptr;
    EXPECT_OK(aclrtRegDeviceStateCallback("d", &MakeStream, &stream));
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclrtResetDevice(0));
    EXPECT_NE(stream, nullptr);
    int32_t id = 0;
    EXPECT_EQ(aclrtStreamGetId(stream, &id), ACL_ERROR_RT_INVALID_HANDLE);
  });
}

int32_t TaskAbort(int32_t device, aclrtDeviceTaskAbortStage stage, uint32_t timeout, void* args) {
  AllSeen().Add("abort " + std::to_string(device) + " " + std::to_string(stage) + " " +
                std::to_string(timeout));
  return stage == ACL_RT_DEVICE_TASK_ABORT_PRE ? *static_cast<int32_t*>(args) : 0;
}

TEST_F(ExceptionTest, AbortIsToldAndCanBeRefused) {
  int32_t outcome = 0;
  EXPECT_OK(aclrtSetDeviceTaskAbortCallback("x", &TaskAbort, &outcome));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtSetDeviceTaskAbortCallback("x", &TaskAbort, &outcome), "regName", "x");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclrtSetDeviceTaskAbortCallback(nullptr, &TaskAbort, &outcome), "regName");
  aclrtStream stream = NewStream();
  aclrtEvent event = nullptr;
  ASSERT_OK(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC));
  ASSERT_OK(aclrtStreamWaitEvent(stream, event));
  // The first refusal is the last one asked.
  int32_t later_outcome = 0;
  EXPECT_OK(aclrtSetDeviceTaskAbortCallback("y", &TaskAbort, &later_outcome));
  outcome = 507000;
  EXPECT_FAILS(507000, aclrtDeviceTaskAbort(0, 20), "x", "507000");
  EXPECT_EQ(AllSeen().Take(), Lines{"abort 0 0 20"});
  EXPECT_OK(aclrtSetDeviceTaskAbortCallback("y", nullptr, nullptr));
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  EXPECT_OK(aclrtStreamQuery(stream, &status));
  EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY);
  outcome = 0;
  EXPECT_OK(aclrtDeviceTaskAbort(0, 30));
  EXPECT_EQ(AllSeen().Take(), (Lines{"abort 0 0 30", "abort 0 1 30"}));
  EXPECT_OK(aclrtStreamQuery(stream, &status));
  EXPECT_EQ(status, ACL_STREAM_STATUS_COMPLETE);
  EXPECT_OK(aclrtSetDeviceTaskAbortCallback("x", nullptr, nullptr));
  EXPECT_OK(aclrtDeviceTaskAbort(0, 0));
  EXPECT_EQ(AllSeen().Take(), Lines{});
  EXPECT_OK(aclrtDestroyEvent(event));
  EXPECT_OK(aclrtDestroyStream(stream));
}

}  // namespace
}  // namespace anyacl::test
