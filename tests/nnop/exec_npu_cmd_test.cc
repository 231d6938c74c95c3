// SPDX-License-Identifier: Apache-2.0
// A framework adapter in miniature: linked against nothing of the library, it opens the operator
// library by its bare name, looks everything up through that one handle, runs the two phases on
// different threads, destroys the tensors before the stream has run and recycles the workspace.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"

namespace anyacl::test {
namespace {

// The types of the functions come from the headers, their addresses from dlsym only.
#define LOOK_UP(name) reinterpret_cast<decltype(&::name)>(Symbol(#name))

// The thread that runs the second phases in their order, as the adapter's task queue does.
class TaskQueue {
 public:
  TaskQueue() : thread_([this] { Serve(); }) {}
  ~TaskQueue() {
    Push(nullptr);
    thread_.join();
  }

  void Push(std::function<void()> task) {
    std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    changed_.notify_one();
  }

 private:
  void Serve() {
    for (;;) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return !tasks_.empty(); });
      const std::function<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      if (task == nullptr) return;
      task();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  std::thread thread_;
};

class ExecNpuCmdTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    library_ = dlopen(GetParam(), RTLD_LAZY);
    ASSERT_NE(library_, nullptr) << dlerror();
    ASSERT_EQ(LOOK_UP(aclrtSetDevice)(0), 0);
    ASSERT_EQ(LOOK_UP(aclrtCreateStream)(&stream_), 0);
  }

  void TearDown() override {
    if (stream_ == nullptr) return;
    EXPECT_EQ(LOOK_UP(aclrtDestroyStream)(stream_), 0);
    EXPECT_EQ(LOOK_UP(aclrtResetDevice)(0), 0);
  }

  void* Symbol(const char* name) {
    void* symbol = dlsym(library_, name);
    EXPECT_NE(symbol, nullptr) << name << " is not visible through " << GetParam();
    return symbol;
  }

  void* NewDeviceMemory(size_t size) {
    void* memory = nullptr;
    EXPECT_EQ(LOOK_UP(aclrtMalloc)(&memory, size, ACL_MEM_MALLOC_HUGE_FIRST), 0);
    return memory;
  }

  aclTensor* NewTensor(const std::vector<int64_t>& dims, aclDataType dtype, void* data) {
    std::vector<int64_t> strides(dims.size(), 1);
    for (size_t i = dims.size() - 1; i > 0; --i) strides[i - 1] = strides[i] * dims[i];
    int64_t storage = 1;
    for (int64_t dim : dims) storage *= dim;
    return LOOK_UP(aclCreateTensor)(dims.data(), dims.size(), dtype, strides.data(), 0,
                                    ACL_FORMAT_ND, &storage, 1, data);
  }

  void* library_ = nullptr;
  aclrtStream stream_ = nullptr;
};

TEST_P(ExecNpuCmdTest, EverySymbolOfTheIdiomIsVisible) {
  for (const char* name : {"aclCreateTensor",
                           "aclCreateScalar",
                           "aclCreateIntArray",
                           "aclCreateFloatArray",
                           "aclCreateBoolArray",
                           "aclCreateTensorList",
                           "aclCreateScalarList",
                           "aclDestroyTensor",
                           "aclDestroyScalar",
                           "aclDestroyIntArray",
                           "aclDestroyFloatArray",
                           "aclDestroyBoolArray",
                           "aclDestroyTensorList",
                           "aclDestroyScalarList",
                           "aclDestroyAclOpExecutor",
                           "aclSetAclOpExecutorRepeatable",
                           "aclnnInit",
                           "aclnnFinalize",
                           "aclGetRecentErrMsg",
                           "aclGetViewShape",
                           "aclGetRawTensorAddr",
                           "aclrtMalloc",
                           "aclrtGetSocName",
                           "InitHugeMemThreadLocal",
                           "UnInitHugeMemThreadLocal",
                           "ReleaseHugeMem",
                           "InitPTACacheThreadLocal",
                           "UnInitPTACacheThreadLocal",
                           "SetPTAHashKey",
                           "SetPTACacheHashKey",
                           "CanUsePTACache",
                           "PTAGetExecCache",
                           "PTAFindExecCache",
                           "AddTensorAddrToCachedList"}) {
    Symbol(name);
  }
}

TEST_P(ExecNpuCmdTest, EveryOperatorHasBothPhases) {
  // An operator counts as available if both names resolve.
  for (const std::string op :
       {"aclnnDynamicQuant", "aclnnDynamicQuantV2", "aclnnGroupedMatmulSwigluQuant",
        "aclnnGroupedMatmulSwigluQuantWeightNZ", "aclnnInplaceFfnWorkerScheduler",
        "aclnnFusedInferAttentionScoreV2", "aclnnGroupNormBackward"}) {
    Symbol(op.c_str());
    Symbol((op + "GetWorkspaceSize").c_str());
  }
  EXPECT_EQ(dlsym(library_, "aclnnNoSuchOperator"), nullptr);
}

TEST_P(ExecNpuCmdTest, OneCopyOfTheObjectLayerServesAllHandles) {
  void* base = dlopen("libnnopbase.so", RTLD_LAZY);
  ASSERT_NE(base, nullptr) << dlerror();
  EXPECT_EQ(dlsym(base, "aclCreateTensor"), Symbol("aclCreateTensor"));
  void* again = dlopen("libopapi.so", RTLD_LAZY);
  EXPECT_EQ(again, library_);  // also for a symbolic link to it
  dlclose(again);
  dlclose(base);
}

using GetWorkspaceSize = aclnnStatus (*)(const aclTensor*, const aclTensor*, const aclTensor*,
                                         int64_t, const aclTensor*, const aclTensor*,
                                         const aclTensor*, uint64_t*, aclOpExecutor**);
using Launch = aclnnStatus (*)(void*, uint64_t, aclOpExecutor*, aclrtStream);

TEST_P(ExecNpuCmdTest, RunsDynamicQuantV2) {
  constexpr int64_t kRows = 4, kCols = 16;
  constexpr int kCalls = 50;
  const auto init = reinterpret_cast<int (*)(void*, bool)>(Symbol("InitHugeMemThreadLocal"));
  const auto uninit = reinterpret_cast<void (*)(void*, bool)>(Symbol("UnInitHugeMemThreadLocal"));
  const auto release = reinterpret_cast<void (*)(void*, bool)>(Symbol("ReleaseHugeMem"));
  const auto phase1 =
      reinterpret_cast<GetWorkspaceSize>(Symbol("aclnnDynamicQuantV2GetWorkspaceSize"));
  const auto phase2 = reinterpret_cast<Launch>(Symbol("aclnnDynamicQuantV2"));
  const auto set_device = LOOK_UP(aclrtSetDevice);
  const auto reset_device = LOOK_UP(aclrtResetDevice);
  const auto destroy = LOOK_UP(aclDestroyTensor);
  const auto copy = LOOK_UP(aclrtMemcpy);

  // The rows of a call are 127, 126, ... times its step, which fp16 represents up to 16: the scale
  // is the step, y is 127, 126, ...
  const auto step_of = [](int call) { return call % 16 + 1; };
  std::vector<void*> results;
  std::vector<void*> scales;
  uint64_t workspace_bytes = 1;
  void* workspace = NewDeviceMemory(workspace_bytes);
  {
    TaskQueue queue;
    queue.Push([&] { EXPECT_EQ(set_device(0), 0); });
    for (int call = 0; call < kCalls; ++call) {
      std::vector<uint16_t> x(kRows * kCols);
      for (size_t i = 0; i < x.size(); ++i) {
        const auto column = static_cast<int64_t>(i) % kCols;
        x[i] = LOOK_UP(aclFloatToFloat16)(static_cast<float>((127 - column) * step_of(call)));
      }
      void* x_data = NewDeviceMemory(x.size() * 2);
      EXPECT_EQ(copy(x_data, x.size() * 2, x.data(), x.size() * 2, ACL_MEMCPY_HOST_TO_DEVICE), 0);
      results.push_back(NewDeviceMemory(x.size()));
      scales.push_back(NewDeviceMemory(kRows * 4));

      EXPECT_EQ(init(nullptr, false), 0);
      std::vector<aclTensor*> tensors = {NewTensor({kRows, kCols}, ACL_FLOAT16, x_data),
                                         NewTensor({kRows, kCols}, ACL_INT8, results.back()),
                                         NewTensor({kRows}, ACL_FLOAT, scales.back())};
      uint64_t size = 0;
      aclOpExecutor* executor = nullptr;
      ASSERT_EQ(phase1(tensors[0], nullptr, nullptr, ACL_INT8, tensors[1], tensors[2], nullptr,
                       &size, &executor),
                0)
          << LOOK_UP(aclGetRecentErrMsg)();
      if (size > workspace_bytes) {
        workspace = NewDeviceMemory(size);  // the old one still serves calls in flight
        workspace_bytes = size;
      }
      void* const workspace_of_call = size > 0 ? workspace : nullptr;
      queue.Push([=, this] {
        EXPECT_EQ(phase2(workspace_of_call, size, executor, stream_), 0);
        for (aclTensor* tensor : tensors) EXPECT_EQ(destroy(tensor), 0);
        release(nullptr, false);
      });
      uninit(nullptr, false);
    }
    queue.Push([&] { EXPECT_EQ(reset_device(0), 0); });
  }
  EXPECT_EQ(LOOK_UP(aclrtSynchronizeStream)(stream_), 0);
  for (int call = 0; call < kCalls; ++call) {
    const auto index = static_cast<size_t>(call);
    std::vector<int8_t> y(kRows * kCols);
    std::vector<float> scale(kRows);
    EXPECT_EQ(copy(y.data(), y.size(), results[index], y.size(), ACL_MEMCPY_DEVICE_TO_HOST), 0);
    EXPECT_EQ(copy(scale.data(), kRows * 4, scales[index], kRows * 4, ACL_MEMCPY_DEVICE_TO_HOST),
              0);
    EXPECT_EQ(scale, std::vector<float>(kRows, static_cast<float>(step_of(call))));
    for (size_t i = 0; i < y.size(); ++i) {
      EXPECT_EQ(y[i], 127 - static_cast<int>(i) % kCols) << call;
    }
  }
}

TEST_P(ExecNpuCmdTest, Int64IsTakenForInt32Attributes) {
  // The adapter passes every integer as int64_t; only its low half may count.
  using Phase1 = aclnnStatus (*)(aclTensor*, int64_t, int64_t, uint64_t*, aclOpExecutor**);
  const auto phase1 =
      reinterpret_cast<Phase1>(Symbol("aclnnInplaceFfnWorkerSchedulerGetWorkspaceSize"));
  aclTensor* context = NewTensor({1024}, ACL_INT8, NewDeviceMemory(1024));
  constexpr int64_t kHighHalf = int64_t{0x5A5A5A5A} << 32;
  uint64_t size = 7;
  aclOpExecutor* executor = nullptr;
  const aclnnStatus narrow = phase1(context, 1, 0, &size, &executor);
  if (narrow == 0) {
    EXPECT_EQ(LOOK_UP(aclDestroyAclOpExecutor)(executor), 0);
  }
  const aclnnStatus wide = phase1(context, kHighHalf + 1, kHighHalf, &size, &executor);
  if (wide == 0) {
    EXPECT_EQ(LOOK_UP(aclDestroyAclOpExecutor)(executor), 0);
  }
  EXPECT_EQ(wide, narrow);
  EXPECT_EQ(LOOK_UP(aclDestroyTensor)(context), 0);
}

INSTANTIATE_TEST_SUITE_P(Libraries, ExecNpuCmdTest,
                         ::testing::Values("libopapi.so", "libopapi_nn.so", "libopapi_math.so",
                                           "libopapi_transformer.so"),
                         [](const auto& info) {
                           const std::string name = info.param;
                           return name.substr(3, name.size() - 6);
                         });

}  // namespace
}  // namespace anyacl::test
