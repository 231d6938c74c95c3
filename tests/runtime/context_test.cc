// SPDX-License-Identifier: Apache-2.0
// Contexts: creation, binding, default contexts, and the error of every call made without one.
#include <string>
#include <thread>

#include "fixture.h"

namespace anyacl::test {
namespace {

TEST(ContextTest, CreateMakesItCurrent) {
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtCreateContext(&context, 0));
  ASSERT_NE(context, nullptr);
  aclrtContext current = nullptr;
  EXPECT_OK(aclrtGetCurrentContext(&current));
  EXPECT_EQ(current, context);
  int32_t device = -1;
  EXPECT_OK(aclrtGetDevice(&device));
  EXPECT_EQ(device, 0);
  EXPECT_OK(aclrtDestroyContext(context));
}

TEST(ContextTest, CreateRefusesBadArguments) {
  aclrtContext context = nullptr;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtCreateContext(nullptr, 0), "context", "null");
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, aclrtCreateContext(&context, 4), "deviceId", "4");
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, aclrtCreateContext(&context, -1), "deviceId", "-1");
}

TEST(ContextTest, DestroyRefusesNull) {
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtDestroyContext(nullptr), "context", "null");
}

TEST_F(RuntimeTest, DefaultContextCannotBeDestroyed) {
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&context));
  EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, aclrtDestroyContext(context), "context");
  aclrtContext still = nullptr;
  EXPECT_OK(aclrtGetCurrentContext(&still));
  EXPECT_EQ(still, context);
}

TEST_F(RuntimeTest, SetCurrentContextRefusesWhatIsNoContext) {
  int local = 0;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSetCurrentContext(&local), "context");
  aclrtContext destroyed = nullptr;
  aclrtContext before = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&before));
  ASSERT_OK(aclrtCreateContext(&destroyed, 0));
  ASSERT_OK(aclrtDestroyContext(destroyed));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSetCurrentContext(destroyed), "context");
  EXPECT_OK(aclrtSetCurrentContext(before));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtSetCurrentContext(nullptr), "context", "null");
  EXPECT_NE(aclrtSetCurrentContext(NewStream()), 0);
  aclrtContext current = nullptr;
  EXPECT_OK(aclrtGetCurrentContext(&current));
  EXPECT_EQ(current, before);
}

TEST_F(RuntimeTest, SecondDestroyOfAContextIsAnError) {
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtCreateContext(&context, 0));
  EXPECT_OK(aclrtDestroyContext(context));
  EXPECT_NE(aclrtDestroyContext(context), 0);
}

TEST_F(RuntimeTest, AThreadWhoseContextWasDestroyedHasNone) {
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtCreateContext(&context, 0));
  ASSERT_OK(aclrtDestroyContext(context));
  void* memory = nullptr;
  EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, aclrtMalloc(&memory, 8, ACL_MEM_MALLOC_NORMAL_ONLY));
  EXPECT_OK(aclrtSetDevice(0));
  EXPECT_OK(aclrtResetDevice(0));
}

TEST_F(RuntimeTest, SetCurrentContextMovesBetweenThreads) {
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&context));
  std::thread([&] {
    EXPECT_OK(aclrtSetCurrentContext(context));
    void* memory = NewDeviceMemory(64);
    EXPECT_OK(aclrtFree(memory));
  }).join();
}

TEST_F(RuntimeTest, GetCurrentContextRefusesNull) {
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtGetCurrentContext(nullptr), "context", "null");
}

TEST_F(RuntimeTest, DestroyingAContextEndsItsDefaultStream) {
  aclrtContext first = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&first));
  aclrtContext second = nullptr;
  ASSERT_OK(aclrtCreateContext(&second, 0));
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCtxGetCurrentDefaultStream(&stream));
  EXPECT_OK(aclrtLaunchHostFunc(nullptr, &DoNothing, nullptr));
  EXPECT_OK(aclrtDestroyContext(second));
  EXPECT_OK(aclrtSetCurrentContext(first));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtSynchronizeStream(stream), "stream");
}

TEST_F(RuntimeTest, EveryContextHasItsOwnDefaultStream) {
  aclrtContext first = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&first));
  aclrtStream first_stream = nullptr;
  EXPECT_OK(aclrtCtxGetCurrentDefaultStream(&first_stream));
  aclrtContext second = nullptr;
  ASSERT_OK(aclrtCreateContext(&second, 0));
  aclrtStream second_stream = nullptr;
  EXPECT_OK(aclrtCtxGetCurrentDefaultStream(&second_stream));
  EXPECT_NE(first_stream, second_stream);

  // A blocked default stream of one context does not hold the other's.
  Gate gate;
  gate.BlockNow(nullptr);
  EXPECT_OK(aclrtSetCurrentContext(first));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  gate.Open();
  EXPECT_OK(aclrtDestroyContext(second));
}

TEST_F(RuntimeTest, DefaultStreamHandleNamesTheStreamOfNull) {
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtCtxGetCurrentDefaultStream(nullptr), "stream");
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCtxGetCurrentDefaultStream(&stream));
  Gate gate;
  gate.BlockNow(nullptr);
  aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
  EXPECT_OK(aclrtStreamQuery(stream, &status));
  EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY);
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
}

TEST_F(RuntimeTest, SynchronizeSwitchesToTheStreamsContext) {
  aclrtContext first = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&first));
  aclrtStream stream = NewStream();
  aclrtContext second = nullptr;
  ASSERT_OK(aclrtCreateContext(&second, 0));
  bool ran = false;
  EXPECT_OK(aclrtLaunchHostFunc(
      stream, [](void* argument) { *static_cast<bool*>(argument) = true; }, &ran));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_TRUE(ran);
  EXPECT_OK(aclrtDestroyContext(second));
  EXPECT_OK(aclrtSetCurrentContext(first));
}

TEST_F(RuntimeTest, DestroyStreamFromAnotherContextIsRefused) {
  aclrtContext first = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&first));
  aclrtStream stream = NewStream();
  aclrtContext second = nullptr;
  ASSERT_OK(aclrtCreateContext(&second, 0));
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_CONTEXT, aclrtDestroyStream(stream), "stream");
  EXPECT_OK(aclrtDestroyContext(second));
  EXPECT_OK(aclrtSetCurrentContext(first));
  EXPECT_OK(aclrtDestroyStream(stream));
}

TEST_F(RuntimeTest, DestroyingAContextFromItsOwnTaskIsRefused) {
  aclrtContext first = nullptr;
  ASSERT_OK(aclrtGetCurrentContext(&first));
  static aclrtContext context;
  ASSERT_OK(aclrtCreateContext(&context, 0));
  EXPECT_OK(aclrtLaunchHostFunc(
      nullptr,
      [](void*) {
        EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclrtDestroyContext(context), "task");
      },
      nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_OK(aclrtDestroyContext(context));
  EXPECT_OK(aclrtSetCurrentContext(first));
}

// A reset releases the default context and its streams; what the program created it destroys.
TEST(ContextTest, ExplicitContextsOutliveAReset) {
  for (const bool force : {false, true}) {
    ASSERT_OK(aclrtSetDevice(0));
    size_t before = 0, after = 0, total = 0;
    EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &before, &total));
    aclrtStream of_default = NewStream();
    aclrtEvent event_of_default = NewEvent();
    aclrtContext context = nullptr;
    ASSERT_OK(aclrtCreateContext(&context, 0));
    aclrtStream stream = NewStream();
    aclrtEvent event = NewEvent();
    auto* memory = static_cast<char*>(NewDeviceMemory(64));
    Gate gate;
    gate.BlockNow(stream);
    EXPECT_OK(aclrtMemsetAsync(memory, 64, 7, 64, stream));
    EXPECT_OK(force ? aclrtResetDeviceForce(0) : aclrtResetDevice(0));  // does not wait for it
    EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtSynchronizeStream(of_default), "stream");
    EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtSynchronizeEvent(event_of_default), "event");
    aclrtContext current = nullptr;
    EXPECT_OK(aclrtGetCurrentContext(&current));
    EXPECT_EQ(current, context);
    gate.Open();
    EXPECT_OK(aclrtRecordEvent(event, stream));
    EXPECT_OK(aclrtSynchronizeEvent(event));
    EXPECT_EQ(memory[63], 7);
    EXPECT_OK(aclrtMemset(memory, 64, 8, 64));
    EXPECT_OK(aclrtSynchronizeStream(nullptr));
    // With the last context goes what is left on the device.
    EXPECT_OK(aclrtDestroyContext(context));
    EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtSynchronizeEvent(event), "event");
    ASSERT_OK(aclrtSetDevice(0));
    EXPECT_NE(aclrtFree(memory), 0);
    EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &after, &total));
    EXPECT_EQ(before, after);
    EXPECT_OK(aclrtResetDevice(0));
  }
}

TEST(ContextTest, DestroyingTheLastOneWithoutAResetReleasesNothing) {
  aclrtContext context = nullptr;
  ASSERT_OK(aclrtCreateContext(&context, 0));
  void* memory = NewDeviceMemory(64);
  EXPECT_OK(aclrtDestroyContext(context));
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_OK(aclrtFree(memory));
  EXPECT_OK(aclrtResetDevice(0));
}

// 107002 without a context: one row per function.
struct Row {
  const char* name;
  aclError (*call)();
};

void* g_pointer = nullptr;
size_t g_size = 0;
aclrtStream g_stream = nullptr;  // of another thread
aclrtEvent g_event = nullptr;
char g_bytes[64] = {};

const Row kCallsThatNeedAContext[] = {
    {"aclrtMalloc", [] { return aclrtMalloc(&g_pointer, 8, ACL_MEM_MALLOC_HUGE_FIRST); }},
    {"aclrtMallocAlign32",
     [] { return aclrtMallocAlign32(&g_pointer, 8, ACL_MEM_MALLOC_HUGE_FIRST); }},
    {"aclrtMallocCached",
     [] { return aclrtMallocCached(&g_pointer, 8, ACL_MEM_MALLOC_HUGE_FIRST); }},
    {"aclrtMallocHost", [] { return aclrtMallocHost(&g_pointer, 8); }},
    {"aclrtMemcpy",
     [] { return aclrtMemcpy(g_bytes, 32, g_bytes + 32, 32, ACL_MEMCPY_HOST_TO_HOST); }},
    {"aclrtMemcpyAsync",
     [] {
       return aclrtMemcpyAsync(g_bytes, 32, g_bytes + 32, 32, ACL_MEMCPY_HOST_TO_DEVICE, nullptr);
     }},
    {"aclrtMemset", [] { return aclrtMemset(g_bytes, 8, 0, 8); }},
    {"aclrtMemsetAsync", [] { return aclrtMemsetAsync(g_bytes, 8, 0, 8, nullptr); }},
    {"aclrtMemcpy2d",
     [] { return aclrtMemcpy2d(g_bytes, 8, g_bytes + 32, 8, 8, 2, ACL_MEMCPY_HOST_TO_HOST); }},
    {"aclrtCreateStream", [] { return aclrtCreateStream(&g_pointer); }},
    {"aclrtCreateStreamWithConfig", [] { return aclrtCreateStreamWithConfig(&g_pointer, 0, 0); }},
    {"aclrtSynchronizeStream", [] { return aclrtSynchronizeStream(nullptr); }},
    {"aclrtCreateEvent", [] { return aclrtCreateEvent(&g_pointer); }},
    {"aclrtCreateEventWithFlag",
     [] { return aclrtCreateEventWithFlag(&g_pointer, ACL_EVENT_SYNC); }},
    {"aclrtCreateEventExWithFlag",
     [] { return aclrtCreateEventExWithFlag(&g_pointer, ACL_EVENT_SYNC); }},
    {"aclrtSynchronizeDevice", [] { return aclrtSynchronizeDevice(); }},
    {"aclrtSynchronizeDeviceWithTimeout", [] { return aclrtSynchronizeDeviceWithTimeout(10); }},
    {"aclrtGetMemInfo", [] { return aclrtGetMemInfo(ACL_HBM_MEM, &g_size, &g_size); }},
    {"aclrtGetCurrentContext", [] { return aclrtGetCurrentContext(&g_pointer); }},
    {"aclrtCtxGetCurrentDefaultStream", [] { return aclrtCtxGetCurrentDefaultStream(&g_pointer); }},
    {"aclrtCtxSetSysParamOpt", [] { return aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1); }},
    {"aclrtCtxGetSysParamOpt",
     [] {
       int64_t value = 0;
       return aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value);
     }},
    {"aclrtLaunchHostFunc", [] { return aclrtLaunchHostFunc(nullptr, &DoNothing, nullptr); }},
    // With a stream, too: the thread that forgot aclrtSetDevice.
    {"aclrtLaunchHostFunc", [] { return aclrtLaunchHostFunc(g_stream, &DoNothing, nullptr); }},
    {"aclrtLaunchCallback",
     [] { return aclrtLaunchCallback(&DoNothing, nullptr, ACL_CALLBACK_NO_BLOCK, g_stream); }},
    {"aclrtRecordEvent", [] { return aclrtRecordEvent(g_event, g_stream); }},
    {"aclrtResetEvent", [] { return aclrtResetEvent(g_event, g_stream); }},
    {"aclrtStreamWaitEvent", [] { return aclrtStreamWaitEvent(g_stream, g_event); }},
    {"aclrtStreamQuery",
     [] {
       aclrtStreamStatus status;
       return aclrtStreamQuery(g_stream, &status);
     }},
    {"aclrtSynchronizeStream", [] { return aclrtSynchronizeStream(g_stream); }},
    {"aclrtSynchronizeStreamWithTimeout",
     [] { return aclrtSynchronizeStreamWithTimeout(g_stream, 10); }},
    {"aclrtStreamAbort", [] { return aclrtStreamAbort(g_stream); }},
    {"aclrtSetStreamFailureMode",
     [] { return aclrtSetStreamFailureMode(g_stream, ACL_STOP_ON_FAILURE); }},
    {"aclrtDestroyStream", [] { return aclrtDestroyStream(g_stream); }},
    {"aclrtSubscribeReport", [] { return aclrtSubscribeReport(1, g_stream); }},
};

class NoContextTest : public RuntimeTest, public ::testing::WithParamInterface<Row> {
 protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    g_stream = NewStream();
    ASSERT_OK(aclrtCreateEventWithFlag(&g_event, ACL_EVENT_SYNC));
  }
};

using ContextFreeTest = RuntimeTest;

TEST_F(ContextFreeTest, EventsAndNamesNeedNone) {
  aclrtStream stream = NewStream();
  aclrtEvent event = NewEvent();
  EXPECT_OK(aclrtRecordEvent(event, stream));
  std::thread([=] {
    aclrtEventRecordedStatus status;
    EXPECT_OK(aclrtSynchronizeEvent(event));
    EXPECT_OK(aclrtQueryEventStatus(event, &status));
    int32_t id = -1;
    EXPECT_OK(aclrtStreamGetId(stream, &id));
  }).join();
}

TEST_P(NoContextTest, IsReported) {
  int code = 0;
  std::string message;
  std::thread([&] {
    TakeMessages();
    code = GetParam().call();
    message = TakeMessages();
  }).join();
  EXPECT_EQ(code, ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_NE(message.find(GetParam().name), std::string::npos) << message;
  EXPECT_NE(message.find("aclrtSetDevice"), std::string::npos)
      << "the message does not say what to call: " << message;
}

INSTANTIATE_TEST_SUITE_P(Calls, NoContextTest, ::testing::ValuesIn(kCallsThatNeedAContext),
                         [](const auto& info) {
                           return std::string(info.param.name) + std::to_string(info.index);
                         });

}  // namespace
}  // namespace anyacl::test
