// SPDX-License-Identifier: Apache-2.0
// Objects used by several threads while one destroys them: an error or the old value, never a crash.
#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "aclnn/opdev/op_errno.h"
#include "quant_call.h"

namespace anyacl::test {
namespace {

using ObjectRaceTest = DeviceTest;

constexpr auto kDuration = std::chrono::milliseconds(200);
constexpr size_t kSlots = 8;

aclTensor* NewTensor(int64_t rows, void* data) {
  const int64_t dims[] = {rows, 8};
  return aclCreateTensor(dims, 2, ACL_FLOAT16, nullptr, 0, ACL_FORMAT_ND, dims, 2, data);
}

TEST_F(ObjectRaceTest, TensorsReplacedWhileOthersReadThem) {
  QuantCall call(2, 8);
  std::array<std::atomic<aclTensor*>, kSlots> slots;
  for (auto& slot : slots) slot = NewTensor(2, call.x.data());
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      Random random(t);
      while (!stop) {
        aclTensor* tensor = slots[static_cast<size_t>(random.Int(0, kSlots - 1))];
        int64_t* dims = nullptr;
        uint64_t count = 0;
        if (aclGetViewShape(tensor, &dims, &count) == 0) {
          const std::unique_ptr<int64_t[]> owner(dims);
          EXPECT_EQ(count, 2u);
          EXPECT_EQ(dims[1], 8);
        }
        aclOpExecutor* executor = nullptr;
        uint64_t size = 0;
        const aclnnStatus code = aclnnDynamicQuantV2GetWorkspaceSize(
            tensor, nullptr, nullptr, ACL_INT8, call.y.handle(), call.scale.handle(), nullptr,
            &size, &executor);
        EXPECT_TRUE(code == 0 || code == ACLNN_ERR_PARAM_INVALID) << code;
        if (code == 0) {
          EXPECT_OK(aclDestroyAclOpExecutor(executor));
        }
        TakeMessages();
      }
    });
  }
  Random random(77);
  const auto end = std::chrono::steady_clock::now() + kDuration;
  while (std::chrono::steady_clock::now() < end) {
    auto& slot = slots[static_cast<size_t>(random.Int(0, kSlots - 1))];
    aclTensor* tensor = slot;
    const int64_t dims[] = {3, 8};  // no longer fits yOut
    EXPECT_OK(aclInitTensor(tensor, dims, 2, ACL_FLOAT16, nullptr, 0, ACL_FORMAT_ND, dims, 2,
                            call.x.data()));
    EXPECT_OK(aclSetRawTensorAddr(tensor, call.x.data()));
    slot = NewTensor(2, call.x.data());
    EXPECT_OK(aclDestroyTensor(tensor));
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  for (auto& slot : slots) EXPECT_OK(aclDestroyTensor(slot));
}

TEST_F(ObjectRaceTest, ExecutorsDestroyedWhileOthersRunThem) {
  QuantCall call(2, 8);
  for (int round = 0; round < 300; ++round) {
    const Prepared prepared = call.Prepare();
    if (round % 2 == 0) {
      EXPECT_OK(aclSetAclOpExecutorRepeatable(prepared.executor));
    }
    std::atomic<int> started{0};
    std::thread runner([&] {
      EXPECT_OK(aclrtSetDevice(0));
      ++started;
      for (int i = 0; i < 5; ++i) {
        const aclnnStatus code = aclnnDynamicQuantV2(nullptr, 0, prepared.executor, stream());
        EXPECT_TRUE(code == 0 || code == ACLNN_ERR_INNER) << code;
      }
      TakeMessages();
      EXPECT_OK(aclrtResetDevice(0));
    });
    while (started == 0) std::this_thread::yield();
    const aclnnStatus code = aclDestroyAclOpExecutor(prepared.executor);
    EXPECT_TRUE(code == 0 || code == ACLNN_ERR_INNER) << code;
    TakeMessages();
    runner.join();
    EXPECT_OK(aclrtSynchronizeStream(stream()));
  }
}

}  // namespace
}  // namespace anyacl::test
