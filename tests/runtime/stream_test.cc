// SPDX-License-Identifier: Apache-2.0
// Streams: life cycle, order, synchronisation, query, limits, handle validity.
#include <chrono>
#include <numeric>
#include <set>
#include <thread>

#include "fixture.h"

namespace anyacl::test::stream {
namespace {

// Enqueues `vector->push_back(value)`; vectors are read after the stream was synchronised.
struct Push {
  std::vector<int>* target;
  int value;
};

void Enqueue(aclrtStream stream, Push& push) {
  ASSERT_OK(aclrtLaunchHostFunc(
      stream,
      [](void* argument) {
        auto* item = static_cast<Push*>(argument);
        item->target->push_back(item->value);
      },
      &push));
}

using StreamTest = RuntimeTest;

TEST_F(StreamTest, CreateRefusesANullPointer) {
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtCreateStream(nullptr), "stream", "null");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtCreateStreamWithConfig(nullptr, 0, 0), "stream",
               "null");
}

TEST_F(StreamTest, ConfigAcceptsAnyPriorityAndDropsUnknownFlags) {
  const uint32_t flags[] = {0,
                            ACL_STREAM_FAST_LAUNCH,
                            ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC,
                            ACL_STREAM_PERSISTENT,
                            ACL_STREAM_HUGE,
                            ACL_STREAM_CPU_SCHEDULE,
                            0x80000000u,
                            0xffffffffu};
  for (uint32_t flag : flags) {
    for (uint32_t priority : {0u, 7u, 0xffffffffu}) {
      aclrtStream stream = nullptr;
      EXPECT_OK(aclrtCreateStreamWithConfig(&stream, priority, flag));
      EXPECT_NE(stream, nullptr);
      EXPECT_OK(aclrtSynchronizeStream(stream));
      EXPECT_OK(aclrtDestroyStream(stream));
    }
  }
}

TEST_F(StreamTest, DestroyRefusesNull) {
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtDestroyStream(nullptr), "stream", "null");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtDestroyStreamForce(nullptr), "stream", "null");
}

TEST_F(StreamTest, DestroyWaitsForOutstandingWork) {
  aclrtStream stream = NewStream();
  std::vector<int> order;
  std::vector<Push> pushes;
  pushes.reserve(1000);
  for (int i = 0; i < 1000; ++i) Enqueue(stream, pushes.emplace_back(Push{&order, i}));
  EXPECT_OK(aclrtDestroyStream(stream));
  EXPECT_EQ(order.size(), 1000u);
}

TEST_F(StreamTest, DestroyForceDropsOutstandingWork) {
  aclrtStream stream = NewStream();
  Gate gate;
  gate.BlockNow(stream);
  std::vector<int> order;
  Push push{&order, 1};
  Enqueue(stream, push);
  // The host function that runs cannot be ended, so that the call may wait for it.
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    gate.Open();
  });
  EXPECT_OK(aclrtDestroyStreamForce(stream));
  opener.join();
  EXPECT_OK(aclrtSynchronizeDevice());
  EXPECT_TRUE(order.empty());
  EXPECT_NE(aclrtSynchronizeStream(stream), 0);
}

TEST_F(StreamTest, TasksRunInTheOrderOfEnqueueing) {
  aclrtStream stream = NewStream();
  std::vector<int> order;
  std::vector<Push> pushes;
  pushes.reserve(5000);
  for (int i = 0; i < 5000; ++i) Enqueue(stream, pushes.emplace_back(Push{&order, i}));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  std::vector<int> expected(5000);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(order, expected);
}

TEST_F(StreamTest, NullIsTheDefaultStream) {
  std::vector<int> order;
  Push first{&order, 1};
  Push second{&order, 2};
  Enqueue(nullptr, first);
  aclrtStream handle = nullptr;
  ASSERT_OK(aclrtCtxGetCurrentDefaultStream(&handle));
  Enqueue(handle, second);
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST_F(StreamTest, DefaultStreamIsNotOrderedWithOthers) {
  Gate gate;
  gate.BlockNow(nullptr);
  aclrtStream stream = NewStream();
  std::vector<int> order;
  Push push{&order, 7};
  Enqueue(stream, push);
  EXPECT_OK(aclrtSynchronizeStream(stream));  // would hang under CUDA's legacy ordering
  EXPECT_EQ(order, std::vector<int>{7});

  Gate other_gate;
  other_gate.BlockNow(stream);
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
}

TEST_F(StreamTest, SynchronizeWithTimeoutGivesUp) {
  aclrtStream stream = NewStream();
  Gate gate;
  gate.BlockNow(stream);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, aclrtSynchronizeStreamWithTimeout(stream, 50),
               "50");
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(50));
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStreamWithTimeout(stream, -1));
  EXPECT_OK(aclrtSynchronizeStreamWithTimeout(stream, 1));
}

TEST_F(StreamTest, SynchronizeRefusesATimeoutOfZeroOrBelowMinusOne) {
  aclrtStream stream = NewStream();
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSynchronizeStreamWithTimeout(stream, 0), "timeout",
               "0", "expected");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSynchronizeStreamWithTimeout(stream, -2), "timeout",
               "-2", "expected");
}

TEST_F(StreamTest, QueryTellsWhetherTheStreamIsIdle) {
  aclrtStream stream = NewStream();
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  EXPECT_OK(aclrtStreamQuery(stream, &status));
  EXPECT_EQ(status, ACL_STREAM_STATUS_COMPLETE);
  Gate gate;
  gate.Block(stream);
  EXPECT_OK(aclrtStreamQuery(stream, &status));
  EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY);
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_OK(aclrtStreamQuery(stream, &status));
  EXPECT_EQ(status, ACL_STREAM_STATUS_COMPLETE);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtStreamQuery(stream, nullptr), "status", "null");
}

TEST_F(StreamTest, IdsDiffer) {
  std::set<int32_t> ids;
  for (int i = 0; i < 10; ++i) {
    int32_t id = -1;
    EXPECT_OK(aclrtStreamGetId(NewStream(), &id));
    EXPECT_GE(id, 0);
    ids.insert(id);
  }
  EXPECT_EQ(ids.size(), 10u);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtStreamGetId(NewStream(), nullptr), "streamId", "null");
}

TEST_F(StreamTest, ADeviceHasALimitedNumberOfStreams) {
  std::vector<aclrtStream> streams;
  int code = 0;
  while (code == 0 && streams.size() < 5000) {
    aclrtStream stream = nullptr;
    code = aclrtCreateStream(&stream);
    if (code == 0) streams.push_back(stream);
  }
  EXPECT_EQ(code, ACL_ERROR_RT_NO_STREAM_RESOURCE);
  EXPECT_GE(streams.size(), 1000u);
  EXPECT_LE(streams.size(), 1984u);
  EXPECT_FAILS(ACL_ERROR_RT_NO_STREAM_RESOURCE, aclrtCreateStream(&streams[0]), "streams",
               "expected");
  EXPECT_OK(aclrtDestroyStream(streams.back()));
  aclrtStream again = nullptr;
  EXPECT_OK(aclrtCreateStream(&again));
}

TEST_F(StreamTest, LaunchRefusesANullFunction) {
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtLaunchHostFunc(NewStream(), nullptr, nullptr), "fn",
               "null");
}

TEST_F(StreamTest, HostFunctionsGetTheirArgument) {
  int value = 0;
  EXPECT_OK(aclrtLaunchHostFunc(
      NewStream(), [](void* argument) { *static_cast<int*>(argument) = 42; }, &value));
  EXPECT_OK(aclrtSynchronizeDevice());
  EXPECT_EQ(value, 42);
}

TEST_F(StreamTest, SynchronizeInsideAHostFunctionDoesNotHang) {
  aclrtStream stream = NewStream();
  struct Data {
    aclrtStream stream;
    int code;
  } data{stream, 0};
  EXPECT_OK(aclrtLaunchHostFunc(
      stream,
      [](void* argument) {
        auto* d = static_cast<Data*>(argument);
        d->code = aclrtSynchronizeStream(d->stream);
      },
      &data));
  EXPECT_OK(aclrtSynchronizeStreamWithTimeout(stream, 20000));
  EXPECT_NE(data.code, 0);
}

// Every function that takes a stream, with a handle that is none.
struct Row {
  const char* name;
  aclError (*call)(aclrtStream);
};

void* g_event = nullptr;
void* g_memory = nullptr;

const Row kStreamFunctions[] = {
    {"aclrtDestroyStream", [](aclrtStream s) { return aclrtDestroyStream(s); }},
    {"aclrtDestroyStreamForce", [](aclrtStream s) { return aclrtDestroyStreamForce(s); }},
    {"aclrtSynchronizeStream", [](aclrtStream s) { return aclrtSynchronizeStream(s); }},
    {"aclrtSynchronizeStreamWithTimeout",
     [](aclrtStream s) { return aclrtSynchronizeStreamWithTimeout(s, 10); }},
    {"aclrtStreamQuery",
     [](aclrtStream s) {
       aclrtStreamStatus status;
       return aclrtStreamQuery(s, &status);
     }},
    {"aclrtStreamGetId",
     [](aclrtStream s) {
       int32_t id;
       return aclrtStreamGetId(s, &id);
     }},
    {"aclrtStreamAbort", [](aclrtStream s) { return aclrtStreamAbort(s); }},
    {"aclrtSetStreamFailureMode",
     [](aclrtStream s) { return aclrtSetStreamFailureMode(s, ACL_STOP_ON_FAILURE); }},
    {"aclrtStreamWaitEvent", [](aclrtStream s) { return aclrtStreamWaitEvent(s, g_event); }},
    {"aclrtRecordEvent", [](aclrtStream s) { return aclrtRecordEvent(g_event, s); }},
    {"aclrtResetEvent", [](aclrtStream s) { return aclrtResetEvent(g_event, s); }},
    {"aclrtSubscribeReport", [](aclrtStream s) { return aclrtSubscribeReport(pthread_self(), s); }},
    {"aclrtUnSubscribeReport",
     [](aclrtStream s) { return aclrtUnSubscribeReport(pthread_self(), s); }},
    {"aclrtLaunchCallback",
     [](aclrtStream s) { return aclrtLaunchCallback(&DoNothing, nullptr, ACL_CALLBACK_BLOCK, s); }},
    {"aclrtLaunchHostFunc",
     [](aclrtStream s) { return aclrtLaunchHostFunc(s, &DoNothing, nullptr); }},
    {"aclrtMemsetAsync", [](aclrtStream s) { return aclrtMemsetAsync(g_memory, 8, 0, 8, s); }},
    {"aclrtMemcpyAsync",
     [](aclrtStream s) {
       return aclrtMemcpyAsync(g_memory, 8, static_cast<char*>(g_memory) + 8, 8,
                               ACL_MEMCPY_DEVICE_TO_DEVICE, s);
     }},
    {"aclrtMemcpy2dAsync",
     [](aclrtStream s) {
       return aclrtMemcpy2dAsync(g_memory, 8, static_cast<char*>(g_memory) + 32, 8, 8, 2,
                                 ACL_MEMCPY_DEVICE_TO_DEVICE, s);
     }},
};

class BadStreamTest : public RuntimeTest, public ::testing::WithParamInterface<Row> {
 protected:
  void Expect(aclrtStream handle) {
    TakeMessages();
    EXPECT_EQ(GetParam().call(handle), ACL_ERROR_RT_INVALID_HANDLE) << handle;
    const std::string message = TakeMessages();
    for (const char* part : {GetParam().name, "stream"}) {
      EXPECT_NE(message.find(part), std::string::npos) << "no " << part << " in: " << message;
    }
  }
};

TEST_P(BadStreamTest, IsReportedAndNothingWorse) {
  g_event = nullptr;
  ASSERT_OK(aclrtCreateEventWithFlag(&g_event, ACL_EVENT_SYNC));
  g_memory = NewDeviceMemory(64);

  aclrtStream destroyed = NewStream();
  ASSERT_OK(aclrtDestroyStream(destroyed));
  Expect(destroyed);
  std::vector<uint64_t> garbage(32, 0x4141414141414141u);
  Expect(garbage.data());
  Expect(g_event);  // a handle of another kind
  Expect(g_memory);
  Expect(reinterpret_cast<aclrtStream>(uintptr_t{1}));
  Expect(reinterpret_cast<aclrtStream>(~uintptr_t{0}));
  Expect(reinterpret_cast<aclrtStream>(reinterpret_cast<uintptr_t>(NewStream()) + 1));
}

INSTANTIATE_TEST_SUITE_P(Calls, BadStreamTest, ::testing::ValuesIn(kStreamFunctions),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace anyacl::test::stream
