// SPDX-License-Identifier: Apache-2.0
// Executors: one-shot and repeatable, their codes, addresses set between runs, threads, lifetime of
// the tensors.
#include <atomic>
#include <cstdint>
#include <thread>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_dynamic_quant.h"
#include "aclnnop/aclnn_dynamic_quant_v2.h"
#include "quant_call.h"
#include "runtime/expect_fails.h"
#include "runtime/fixture.h"

namespace anyacl::test {
namespace {

class ExecutorTest : public DeviceTest {
 protected:
  // A second phase, on the fixture's stream, with as much workspace as was asked for.
  aclnnStatus Run(const Prepared& prepared) { return Run(prepared, stream()); }
  aclnnStatus Run(const Prepared& prepared, aclrtStream on) {
    void* workspace = nullptr;
    if (prepared.workspace_size > 0) {
      EXPECT_OK(aclrtMalloc(&workspace, prepared.workspace_size, ACL_MEM_MALLOC_HUGE_FIRST));
    }
    const aclnnStatus code =
        aclnnDynamicQuantV2(workspace, prepared.workspace_size, prepared.executor, on);
    if (workspace != nullptr) {
      EXPECT_OK(aclrtFree(workspace));  // queued tasks keep what they use
    }
    return code;
  }
};

TEST_F(ExecutorTest, TwoPhasesComputeTheResult) {
  QuantCall call;
  RunTwoPhase(call.GetWorkspaceSize(), &aclnnDynamicQuantV2);
  call.ExpectResult();
}

TEST_F(ExecutorTest, FirstPhaseRefusesNullResults) {
  QuantCall call;
  uint64_t size = 5;
  aclOpExecutor* executor = nullptr;
  EXPECT_FAILS(ACLNN_ERR_PARAM_NULLPTR,
               aclnnDynamicQuantV2GetWorkspaceSize(call.x.handle(), nullptr, nullptr, ACL_INT8,
                                                   call.y.handle(), call.scale.handle(), nullptr,
                                                   nullptr, &executor),
               "workspaceSize", "null");
  EXPECT_FAILS(ACLNN_ERR_PARAM_NULLPTR,
               aclnnDynamicQuantV2GetWorkspaceSize(call.x.handle(), nullptr, nullptr, ACL_INT8,
                                                   call.y.handle(), call.scale.handle(), nullptr,
                                                   &size, nullptr),
               "executor", "null");
  // Null results are found before anything else.
  EXPECT_FAILS(ACLNN_ERR_PARAM_NULLPTR,
               aclnnDynamicQuantV2GetWorkspaceSize(nullptr, nullptr, nullptr, 99, nullptr, nullptr,
                                                   nullptr, nullptr, nullptr),
               "workspaceSize");
}

TEST_F(ExecutorTest, FailedFirstPhaseLeavesNoExecutor) {
  ExpectRefused(
      [](uint64_t* size, aclOpExecutor** executor) {
        return aclnnDynamicQuantV2GetWorkspaceSize(nullptr, nullptr, nullptr, ACL_INT8, nullptr,
                                                   nullptr, nullptr, size, executor);
      },
      ACLNN_ERR_PARAM_NULLPTR, {"x"});
}

TEST_F(ExecutorTest, FirstPhaseNeedsNoDevice) {
  QuantCall call;
  std::thread([&] {
    const Prepared prepared = call.Prepare();
    EXPECT_OK(aclDestroyAclOpExecutor(prepared.executor));
  }).join();
}

TEST_F(ExecutorTest, OneShotExecutorRunsOnce) {
  QuantCall call;
  const Prepared prepared = call.Prepare();
  EXPECT_OK(Run(prepared));
  EXPECT_FAILS(ACLNN_ERR_INNER, aclnnDynamicQuantV2(nullptr, 0, prepared.executor, stream()),
               "executor");
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  call.ExpectResult();
}

TEST_F(ExecutorTest, ConsumedExecutorCanBeDestroyedWithoutHarm) {
  // A Python client keeps consumed executors and destroys them at its exit.
  QuantCall call;
  const Prepared prepared = call.Prepare();
  EXPECT_OK(Run(prepared));
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  EXPECT_FAILS(ACLNN_ERR_INNER, aclDestroyAclOpExecutor(prepared.executor), "executor");
}

TEST_F(ExecutorTest, UnusedExecutorCanBeDestroyedOnce) {
  QuantCall call;
  const Prepared prepared = call.Prepare();
  EXPECT_OK(aclDestroyAclOpExecutor(prepared.executor));
  EXPECT_FAILS(ACLNN_ERR_INNER, aclDestroyAclOpExecutor(prepared.executor), "executor");
  EXPECT_NE(aclnnDynamicQuantV2(nullptr, 0, prepared.executor, stream()), 0);
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  call.ExpectUntouched();
}

TEST_F(ExecutorTest, NullCodes) {
  QuantCall call;
  aclTensor* tensor = call.x.handle();
  const aclTensor* member = tensor;
  aclTensorList* list = aclCreateTensorList(&member, 1);
  constexpr int kNull = ACLNN_ERR_INNER_NULLPTR;
  EXPECT_FAILS(kNull, aclSetAclOpExecutorRepeatable(nullptr), "executor", "null");
  EXPECT_FAILS(kNull, aclDestroyAclOpExecutor(nullptr), "executor", "null");
  EXPECT_FAILS(kNull, aclSetTensorAddr(nullptr, 0, tensor, nullptr), "executor", "null");
  EXPECT_FAILS(kNull, aclSetInputTensorAddr(nullptr, 0, tensor, nullptr), "executor", "null");
  EXPECT_FAILS(kNull, aclSetOutputTensorAddr(nullptr, 0, tensor, nullptr), "executor", "null");
  EXPECT_FAILS(kNull, aclSetDynamicTensorAddr(nullptr, 0, 0, list, nullptr), "executor", "null");
  EXPECT_FAILS(kNull, aclSetDynamicInputTensorAddr(nullptr, 0, 0, list, nullptr), "executor");
  EXPECT_FAILS(kNull, aclSetDynamicOutputTensorAddr(nullptr, 0, 0, list, nullptr), "executor");
  EXPECT_FAILS(kNull, AclSetTensorAddr(nullptr, 0, tensor, nullptr), "AclSetTensorAddr");
  EXPECT_FAILS(kNull, AclSetInputTensorAddr(nullptr, 0, tensor, nullptr), "AclSetInputTensorAddr");
  EXPECT_FAILS(kNull, AclSetOutputTensorAddr(nullptr, 0, tensor, nullptr),
               "AclSetOutputTensorAddr");
  EXPECT_FAILS(kNull, AclSetDynamicTensorAddr(nullptr, 0, 0, list, nullptr),
               "AclSetDynamicTensorAddr");
  EXPECT_FAILS(kNull, AclSetDynamicInputTensorAddr(nullptr, 0, 0, list, nullptr),
               "AclSetDynamicInputTensorAddr");
  EXPECT_FAILS(kNull, AclSetDynamicOutputTensorAddr(nullptr, 0, 0, list, nullptr),
               "AclSetDynamicOutputTensorAddr");

  const Prepared prepared = call.Prepare();
  aclOpExecutor* executor = prepared.executor;
  EXPECT_FAILS(kNull, aclSetTensorAddr(executor, 0, nullptr, nullptr), "tensor", "null");
  EXPECT_FAILS(kNull, aclSetInputTensorAddr(executor, 0, nullptr, nullptr), "tensor", "null");
  EXPECT_FAILS(kNull, aclSetOutputTensorAddr(executor, 0, nullptr, nullptr), "tensor", "null");
  EXPECT_FAILS(kNull, aclSetDynamicTensorAddr(executor, 0, 0, nullptr, nullptr), "tensors");
  EXPECT_FAILS(kNull, aclSetDynamicInputTensorAddr(executor, 0, 0, nullptr, nullptr), "tensors");
  EXPECT_FAILS(kNull, aclSetDynamicOutputTensorAddr(executor, 0, 0, nullptr, nullptr), "tensors");
  EXPECT_OK(aclDestroyAclOpExecutor(executor));
}

TEST_F(ExecutorTest, SecondPhaseRefusesANullExecutor) {
  // DynamicQuantV2 reports every failure of its second phase as an inner error.
  EXPECT_FAILS(ACLNN_ERR_INNER, aclnnDynamicQuantV2(nullptr, 0, nullptr, stream()), "executor",
               "null");
  EXPECT_FAILS(ACLNN_ERR_PARAM_NULLPTR, aclnnDynamicQuant(nullptr, 0, nullptr, stream()),
               "executor", "null");
}

TEST_F(ExecutorTest, MissingWorkspaceConsumesTheExecutor) {
  QuantCall call;
  const Prepared v2 = call.Prepare();
  EXPECT_FAILS(ACLNN_ERR_INNER, aclnnDynamicQuantV2(nullptr, 64, v2.executor, stream()),
               "workspace", "null");
  EXPECT_FAILS(ACLNN_ERR_INNER, aclDestroyAclOpExecutor(v2.executor), "executor");

  const Prepared v1 = anyacl::test::Prepare([&](uint64_t* size, aclOpExecutor** executor) {
    return aclnnDynamicQuantGetWorkspaceSize(call.x.handle(), nullptr, call.y.handle(),
                                             call.scale.handle(), size, executor);
  });
  ASSERT_OK(v1.code);
  EXPECT_FAILS(ACLNN_ERR_PARAM_NULLPTR, aclnnDynamicQuant(nullptr, 64, v1.executor, stream()),
               "workspace", "null");
  EXPECT_FAILS(ACLNN_ERR_INNER, aclDestroyAclOpExecutor(v1.executor), "executor");
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  call.ExpectUntouched();
}

TEST_F(ExecutorTest, ExecutorOfAnotherOperatorIsRefused) {
  QuantCall call;
  const Prepared prepared = call.Prepare();
  TakeMessages();
  EXPECT_NE(aclnnDynamicQuant(nullptr, 0, prepared.executor, stream()), 0);
  const std::string message = TakeMessages();
  EXPECT_TRUE(HasWord(message, "executor")) << message;
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  call.ExpectUntouched();
  aclDestroyAclOpExecutor(prepared.executor);
  TakeMessages();
}

TEST_F(ExecutorTest, NullStreamIsTheDefaultStream) {
  QuantCall call;
  const Prepared prepared = call.Prepare();
  ASSERT_EQ(prepared.workspace_size, 0u);
  EXPECT_OK(aclnnDynamicQuantV2(nullptr, 0, prepared.executor, nullptr));
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  call.ExpectResult();
}

TEST_F(ExecutorTest, OnTheNullStreamTheResultIsThereWhenTheSecondPhaseReturns) {
  for (int step = 0; step < 20; ++step) {
    QuantCall call;
    const Prepared prepared = call.Prepare();
    EXPECT_OK(aclnnDynamicQuantV2(nullptr, 0, prepared.executor, nullptr));
    aclrtStreamStatus status;
    EXPECT_OK(aclrtStreamQuery(nullptr, &status));
    EXPECT_EQ(status, ACL_STREAM_STATUS_COMPLETE);
    call.ExpectResult();
  }
}

// Its own thread may have to open the gate.
TEST_F(ExecutorTest, OnTheNullStreamTheSecondPhaseDoesNotWaitForOtherParties) {
  Gate gate;
  QuantCall call;
  const Prepared prepared = call.Prepare();
  gate.BlockNow(nullptr);
  EXPECT_OK(aclnnDynamicQuantV2(nullptr, 0, prepared.executor, nullptr));
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  call.ExpectResult();
}

// What is queued behind an event that is recorded later waits for it once, not each: these would
// take longer than the program may.
TEST_F(ExecutorTest, OnTheNullStreamManyCallsMayStandBehindAnEvent) {
  Gate gate;
  aclrtStream other = NewStream();
  aclrtEvent event = nullptr;
  ASSERT_OK(aclrtCreateEvent(&event));
  gate.BlockNow(other);
  ASSERT_OK(aclrtRecordEvent(event, other));
  ASSERT_OK(aclrtStreamWaitEvent(nullptr, event));
  for (int step = 0; step < 1500; ++step) {
    QuantCall call;
    const Prepared prepared = call.Prepare();
    EXPECT_OK(aclnnDynamicQuantV2(nullptr, 0, prepared.executor, nullptr));
  }
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_OK(aclrtDestroyEvent(event));
}

TEST_F(ExecutorTest, RepeatableExecutorRunsManyTimes) {
  QuantCall call;
  const Prepared prepared = call.Prepare();
  EXPECT_OK(aclSetAclOpExecutorRepeatable(prepared.executor));
  for (int step = 1; step < 14; ++step) {
    call.x.Write(call.Input(step));
    EXPECT_OK(Run(prepared));
    EXPECT_OK(aclrtSynchronizeStream(stream()));
    call.ExpectResult(step);
  }
  EXPECT_OK(aclDestroyAclOpExecutor(prepared.executor));
  EXPECT_FAILS(ACLNN_ERR_INNER, aclDestroyAclOpExecutor(prepared.executor), "executor");
}

TEST_F(ExecutorTest, RepeatableExecutorMayBeDestroyedWhileItsRunsAreQueued) {
  QuantCall call;
  const Prepared prepared = call.Prepare();
  EXPECT_OK(aclSetAclOpExecutorRepeatable(prepared.executor));
  Gate gate;
  gate.BlockNow(stream());
  EXPECT_OK(Run(prepared));
  EXPECT_OK(aclDestroyAclOpExecutor(prepared.executor));
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  call.ExpectResult();
}

TEST_F(ExecutorTest, AddressesSetBetweenRunsAreUsedAndStored) {
  QuantCall call;
  const Prepared prepared = call.Prepare();
  EXPECT_OK(aclSetAclOpExecutorRepeatable(prepared.executor));
  EXPECT_OK(Run(prepared));
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  call.ExpectResult();

  const DeviceBuffer other_x = call.x.NewBuffer();
  const DeviceBuffer other_y = call.y.NewBuffer();
  call.x.Write(call.Input(5), other_x);
  void* x_address = call.x.tensor_data_for(other_x);
  void* y_address = call.y.tensor_data_for(other_y);
  EXPECT_OK(aclSetInputTensorAddr(prepared.executor, 0, call.x.handle(), x_address));
  EXPECT_OK(aclSetOutputTensorAddr(prepared.executor, 0, call.y.handle(), y_address));
  void* stored = nullptr;
  EXPECT_OK(aclGetRawTensorAddr(call.x.handle(), &stored));
  EXPECT_EQ(stored, x_address);
  EXPECT_OK(Run(prepared));
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  EXPECT_EQ(call.y.Read<int8_t>(other_y), call.y.Read<int8_t>());
  EXPECT_EQ(call.scale.Read<float>()[0], 5.0f);
  EXPECT_OK(aclDestroyAclOpExecutor(prepared.executor));
}

TEST_F(ExecutorTest, SetAddressIndexOutOfRangeIsRefused) {
  QuantCall call;
  const Prepared prepared = call.Prepare();
  EXPECT_OK(aclSetAclOpExecutorRepeatable(prepared.executor));
  aclTensor* tensor = call.x.handle();
  void* address = call.x.data();
  constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID;
  aclOpExecutor* executor = prepared.executor;
  EXPECT_FAILS(kInvalid, aclSetTensorAddr(executor, 99, tensor, address), "index", "99");
  EXPECT_FAILS(kInvalid, aclSetInputTensorAddr(executor, 99, tensor, address), "index", "99");
  EXPECT_FAILS(kInvalid, aclSetOutputTensorAddr(executor, 99, tensor, address), "index", "99");
  EXPECT_FAILS(kInvalid, aclSetInputTensorAddr(executor, ~size_t{0}, tensor, address), "index");
  void* stored = nullptr;
  EXPECT_OK(aclGetRawTensorAddr(tensor, &stored));
  EXPECT_EQ(stored, address);
  EXPECT_OK(aclDestroyAclOpExecutor(executor));
}

TEST_F(ExecutorTest, AddressesAreReadWhenTheSecondPhaseIsCalled) {
  QuantCall call;
  const Prepared prepared = call.Prepare();
  const DeviceBuffer other_x = call.x.NewBuffer();
  call.x.Write(call.Input(3), other_x);
  EXPECT_OK(aclSetRawTensorAddr(call.x.handle(), call.x.tensor_data_for(other_x)));
  Gate gate;
  gate.BlockNow(stream());
  EXPECT_OK(Run(prepared));
  EXPECT_OK(aclSetRawTensorAddr(call.x.handle(), nullptr));  // too late to matter
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  call.ExpectResult(3);
}

// Behind nothing an operator on few elements is over when its second phase returns.
TEST_F(ExecutorTest, SmallOperatorsBehindNothingAreDoneAtOnce) {
  for (int round = 0; round < 20; ++round) {
    aclrtStream fresh = nullptr;  // whose thread would begin late
    ASSERT_OK(aclrtCreateStream(&fresh));
    QuantCall call;
    const Prepared prepared = call.Prepare();
    EXPECT_OK(Run(prepared, fresh));
    aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
    EXPECT_OK(aclrtStreamQuery(fresh, &status));
    EXPECT_EQ(status, ACL_STREAM_STATUS_COMPLETE);
    EXPECT_OK(aclrtSynchronizeStream(fresh));
    call.ExpectResult();
    EXPECT_OK(aclrtDestroyStream(fresh));
  }
}

TEST_F(ExecutorTest, DataAreReadWhenTheStreamGetsThere) {
  QuantCall call;
  const Prepared prepared = call.Prepare();
  Gate gate;
  gate.BlockNow(stream());
  EXPECT_OK(Run(prepared));
  call.x.Write(call.Input(7));
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  call.ExpectResult(7);
}

TEST_F(ExecutorTest, TensorsMayBeDestroyedAfterTheSecondPhase) {
  QuantCall call;
  const Prepared prepared = call.Prepare();
  Gate gate;
  gate.BlockNow(stream());
  EXPECT_OK(Run(prepared));
  call.x.Destroy();
  call.y.Destroy();
  call.scale.Destroy();
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  call.ExpectResult();
}

TEST_F(ExecutorTest, PhasesMayRunOnDifferentThreads) {
  QuantCall call;
  Prepared prepared;
  std::thread([&] { prepared = call.Prepare(); }).join();
  std::thread([&] {
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_OK(Run(prepared));
    EXPECT_OK(aclrtResetDevice(0));
  }).join();
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  call.ExpectResult();
}

TEST_F(ExecutorTest, OfTwoThreadsOneRunsAOneShotExecutor) {
  for (int round = 0; round < 100; ++round) {
    QuantCall call;
    const Prepared prepared = call.Prepare();
    std::atomic<int> successes{0};
    const auto run = [&] {
      EXPECT_OK(aclrtSetDevice(0));
      if (aclnnDynamicQuantV2(nullptr, 0, prepared.executor, stream()) == 0) ++successes;
      EXPECT_OK(aclrtResetDevice(0));
    };
    std::thread first(run);
    std::thread second(run);
    first.join();
    second.join();
    EXPECT_EQ(successes, 1);
    EXPECT_OK(aclrtSynchronizeStream(stream()));
    call.ExpectResult();
  }
}

TEST_F(ExecutorTest, ManyThreadsCallAtOnce) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([] {
      EXPECT_OK(aclrtSetDevice(0));
      aclrtStream own = nullptr;
      EXPECT_OK(aclrtCreateStream(&own));
      for (int i = 0; i < 50; ++i) {
        QuantCall call(2 + i % 3, 16);
        const Prepared prepared = call.Prepare();
        EXPECT_OK(aclnnDynamicQuantV2(nullptr, 0, prepared.executor, own));
        EXPECT_OK(aclrtSynchronizeStream(own));
        call.ExpectResult();
      }
      EXPECT_OK(aclrtDestroyStream(own));
      EXPECT_OK(aclrtResetDevice(0));
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// Neither on the default stream nor on one that another thread made. DynamicQuantV2 has one code
// for whatever its phase 2 refuses (561000); other operators give 107002 itself.
TEST_F(ExecutorTest, WithoutAContextNothingRuns) {
  aclrtStream made = nullptr;
  ASSERT_OK(aclrtCreateStream(&made));
  for (aclrtStream stream : {static_cast<aclrtStream>(nullptr), made}) {
    QuantCall call;
    const Prepared v2 = call.Prepare();
    const Prepared v1 = test::Prepare([&](uint64_t* size, aclOpExecutor** executor) {
      return aclnnDynamicQuantGetWorkspaceSize(call.x.handle(), nullptr, call.y.handle(),
                                               call.scale.handle(), size, executor);
    });
    std::thread([&] {
      TakeMessages();
      ExpectFailure(aclnnDynamicQuant(nullptr, 0, v1.executor, stream), ACL_ERROR_RT_CONTEXT_NULL,
                    {"aclrtSetDevice"});
      ExpectFailure(aclnnDynamicQuantV2(nullptr, 0, v2.executor, stream), 561000,
                    {"aclrtSetDevice", "107002"});
    }).join();
    EXPECT_OK(aclrtSynchronizeDevice());
    call.ExpectUntouched();
  }
  EXPECT_OK(aclrtDestroyStream(made));
}

}  // namespace
}  // namespace anyacl::test
