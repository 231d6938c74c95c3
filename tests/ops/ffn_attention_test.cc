// SPDX-License-Identifier: Apache-2.0
// aclnnInplaceAttentionWorkerScheduler: checks, waits, and both ends of the protocol at once.
#include <chrono>
#include <thread>

#include "aclnnop/aclnn_attention_worker_scheduler.h"
#include "ops/ffn_case.h"

namespace anyacl::test {
namespace {

// A context of an attention worker: a flag per micro batch, token and expert.
class AttentionWorker {
 public:
  AttentionWorker(uint32_t micro_batches, uint32_t batch, uint32_t experts)
      : flags_per_batch_(size_t{batch} * experts),
        context_(1024),
        flags_(4 * flags_per_batch_ * micro_batches),
        data_(64) {
    std::memset(context_.data(), 0, 1024);
    std::memset(flags_.data(), 0, flags_.size());
    Set(field::kMicroBatchNum, micro_batches);
    Set(field::kMicroBatchSize, batch);
    Set(field::kSelectedExpertNum, experts);
    Set(field::kScheduleMode, 1);
    Set(field::kRunFlag, 1);
    Set(field::kAttentionInfo, reinterpret_cast<uintptr_t>(flags_.data()));
    Set(field::kAttentionInfoSize, flags_.size());
    Set(field::kAttentionData, reinterpret_cast<uintptr_t>(data_.data()));
    Set(field::kMicroBatchId, micro_batches - 1);
    const int64_t size = 1024;
    tensor_ =
        aclCreateTensor(&size, 1, ACL_INT8, nullptr, 0, ACL_FORMAT_ND, &size, 1, context_.data());
  }
  ~AttentionWorker() { aclDestroyTensor(tensor_); }

  uint64_t Get(const Field& field) const {
    uint64_t value = 0;
    std::memcpy(&value, context_.data() + field.offset, field.bytes);
    return value;
  }
  void Set(const Field& field, uint64_t value) {
    std::memcpy(context_.data() + field.offset, &value, field.bytes);
  }
  void Stop() {
    __atomic_store_n(reinterpret_cast<int32_t*>(context_.data() + field::kRunFlag.offset), 0,
                     __ATOMIC_RELEASE);
  }
  int32_t* Flags(uint32_t micro_batch) const {
    return flags_.ints() + micro_batch * flags_per_batch_;
  }
  void Raise(uint32_t micro_batch, size_t first = 0) {
    for (size_t i = first; i < flags_per_batch_; ++i) {
      __atomic_store_n(Flags(micro_batch) + i, 1, __ATOMIC_RELEASE);
    }
  }
  uint64_t micro_batch() const { return Get(field::kMicroBatchId); }
  aclTensor* tensor() const { return tensor_; }
  std::vector<uint8_t> Bytes() const {
    std::vector<uint8_t> bytes(context_.data(), context_.data() + 1024);
    bytes.insert(bytes.end(), flags_.data(), flags_.data() + flags_.size());
    return bytes;
  }
  bool GuardsIntact() const { return context_.GuardsIntact() && flags_.GuardsIntact(); }

  aclnnStatus Launch(aclrtStream stream) const {
    const Prepared prepared = Prepare([&](uint64_t* size, aclOpExecutor** executor) {
      return aclnnInplaceAttentionWorkerSchedulerGetWorkspaceSize(tensor_, size, executor);
    });
    if (prepared.code != 0) return prepared.code;
    return aclnnInplaceAttentionWorkerScheduler(nullptr, 0, prepared.executor, stream);
  }
  int Run(aclrtStream stream) const {
    const int code = Launch(stream);
    return code != 0 ? code : aclrtSynchronizeStream(stream);
  }

 private:
  const size_t flags_per_batch_;
  GuardedBuffer context_;
  GuardedBuffer flags_;
  GuardedBuffer data_;
  aclTensor* tensor_;
};

class AttentionSchedulerTest : public FfnTest {};

TEST_F(AttentionSchedulerTest, TakesTheNextMicroBatch) {
  AttentionWorker worker(3, 2, 5);
  for (uint32_t m = 0; m < 3; ++m) worker.Raise(m);
  for (uint32_t expected : {0, 1, 2}) {
    ASSERT_OK(worker.Run(stream()));
    EXPECT_EQ(worker.micro_batch(), expected);
    for (int i = 0; i < 10; ++i) EXPECT_EQ(worker.Flags(expected)[i], 0);
    if (expected < 2) {
      EXPECT_EQ(worker.Flags(expected + 1)[0], 1);
    }
  }
  EXPECT_TRUE(worker.GuardsIntact());
}

TEST_F(AttentionSchedulerTest, WaitsForEveryFlag) {
  AttentionWorker worker(2, 2, 5);
  worker.Raise(0, 1);
  worker.Raise(1);
  worker.Flags(0)[0] = 2;
  ASSERT_OK(worker.Launch(stream()));
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream(), 30), kSyncTimeout);
  worker.Raise(0);
  ASSERT_OK(aclrtSynchronizeStream(stream()));
  EXPECT_EQ(worker.micro_batch(), 0u);
  EXPECT_EQ(worker.Flags(1)[0], 1);
}

TEST_F(AttentionSchedulerTest, AStopChangesNothing) {
  AttentionWorker worker(2, 2, 5);
  worker.Raise(0, 1);
  const std::vector<uint8_t> before = worker.Bytes();
  ASSERT_OK(worker.Launch(stream()));
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  worker.Stop();
  ASSERT_OK(aclrtSynchronizeStream(stream()));
  worker.Set(field::kRunFlag, 1);
  EXPECT_EQ(worker.Bytes(), before);
}

TEST_F(AttentionSchedulerTest, TheTimeoutNamesTheFlag) {
  AttentionWorker worker(2, 2, 5);
  worker.Raise(0);
  worker.Flags(0)[6] = 4;
  const std::vector<uint8_t> before = worker.Bytes();
  ASSERT_OK(aclrtSetOpExecuteTimeOutWithMs(20));
  ASSERT_OK(worker.Launch(stream()));
  TakeMessages();
  ExpectFailure(aclrtSynchronizeStream(stream()), kTimeoutError, {"6", "flag", "4"});
  EXPECT_EQ(worker.Bytes(), before);
}

TEST_F(AttentionSchedulerTest, AnAbortChangesNothing) {
  AttentionWorker worker(2, 2, 5);
  const std::vector<uint8_t> before = worker.Bytes();
  ASSERT_OK(worker.Launch(stream()));
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  ASSERT_OK(aclrtStreamAbort(stream()));
  EXPECT_EQ(worker.Bytes(), before);
}

TEST_F(AttentionSchedulerTest, WrongArguments) {
  const auto phase1 = [](aclTensor* tensor) {
    return [tensor](uint64_t* size, aclOpExecutor** executor) {
      return aclnnInplaceAttentionWorkerSchedulerGetWorkspaceSize(tensor, size, executor);
    };
  };
  ExpectRefused(phase1(nullptr), 161001, {"scheduleContextRef"});
  const Tensor matrix({.dims = {32, 32}, .dtype = ACL_INT8});
  ExpectRefused(phase1(matrix.handle()), 161002, {"scheduleContextRef"});
  const Tensor empty({.dims = {0}, .dtype = ACL_INT8});
  ExpectRefused(phase1(empty.handle()), 161002, {"scheduleContextRef"});
}

TEST_F(AttentionSchedulerTest, WrongContexts) {
  const auto expect = [&](const Field& field, uint64_t value) {
    SCOPED_TRACE(field.name);
    AttentionWorker worker(2, 2, 5);
    worker.Raise(0);
    worker.Set(field, value);
    const std::vector<uint8_t> before = worker.Bytes();
    ASSERT_OK(worker.Launch(stream()));
    TakeMessages();
    ExpectFailure(aclrtSynchronizeStream(stream()), kContextError, {});
    EXPECT_EQ(worker.Bytes(), before);
  };
  for (uint64_t mode : {0, 2, -1}) expect(field::kScheduleMode, mode);
  for (const Field& field :
       {field::kMicroBatchNum, field::kMicroBatchSize, field::kSelectedExpertNum,
        field::kAttentionInfo, field::kAttentionData, field::kAttentionInfoSize}) {
    expect(field, 0);
  }
  for (const Field& field :
       {field::kMicroBatchNum, field::kMicroBatchSize, field::kSelectedExpertNum}) {
    expect(field, UINT32_MAX);
  }
  const AttentionWorker model(2, 2, 5);
  expect(field::kAttentionInfoSize, model.Get(field::kAttentionInfoSize) - 1);
  expect(field::kMicroBatchId, 2);
  expect(field::kMicroBatchId, UINT32_MAX);
  expect(field::kAttentionInfo, model.Get(field::kAttentionInfo) + 1);
  expect(field::kAttentionInfo, UINT64_MAX);
}

// A decoding loop: an attention worker sends a micro batch, the FFN worker takes it and answers,
// the attention worker waits for the answer before it sends the same micro batch again.
TEST_F(AttentionSchedulerTest, BothEndsTogether) {
  constexpr int kRounds = 2000;
  const FfnShape shape{1, 2, 2, 5};
  FfnWorker ffn(shape);
  AttentionWorker attention(2, 2, 5);
  std::thread ffn_side([&] {
    EXPECT_OK(aclrtSetDevice(0));
    aclrtStream own = nullptr;
    EXPECT_OK(aclrtCreateStream(&own));
    for (int round = 0; round < kRounds; ++round) {
      ASSERT_OK(ffn.Run(1, own));
      ASSERT_EQ(ffn.layer_ids()[0], round);
      attention.Raise(static_cast<uint32_t>(ffn.micro_batch_ids()[0]));
    }
    EXPECT_OK(aclrtDestroyStream(own));
    EXPECT_OK(aclrtResetDevice(0));
  });
  for (int round = 0; round < kRounds; ++round) {
    const auto m = static_cast<uint32_t>(round % 2);
    ffn.Publish(0, m, round);
    ASSERT_OK(attention.Run(stream()));
    ASSERT_EQ(attention.micro_batch(), m);
  }
  ffn_side.join();
}

}  // namespace
}  // namespace anyacl::test
