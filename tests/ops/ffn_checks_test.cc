// SPDX-License-Identifier: Apache-2.0
// What is refused: arguments in the first phase, contexts when the task runs.
#include "aclnnop/aclnn_ffn_worker_scheduler.h"
#include "ops/ffn_case.h"

namespace anyacl::test {
namespace {

constexpr int kNull = 161001;
constexpr int kInvalid = 161002;

class FfnChecksTest : public FfnTest {
 protected:
  // The first phase on a tensor of this layout.
  void ExpectTensorRefused(const Layout& layout, std::initializer_list<std::string_view> words,
                           int32_t mode = 0) {
    const Tensor tensor(layout);
    ExpectRefused(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnInplaceFfnWorkerSchedulerGetWorkspaceSize(tensor.handle(), 1, mode, size,
                                                                executor);
        },
        kInvalid, words);
  }
  void ExpectArgumentsRefused(int code, aclTensor* tensor, int32_t group_size, int32_t mode,
                              std::initializer_list<std::string_view> words) {
    ExpectRefused(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnInplaceFfnWorkerSchedulerGetWorkspaceSize(tensor, group_size, mode, size,
                                                                executor);
        },
        code, words);
  }

  // A ready worker with one field changed.
  void ExpectFieldRefused(const Field& field, uint64_t value,
                          std::initializer_list<std::string_view> words = {},
                          int32_t group_size = 2) {
    SCOPED_TRACE(std::string(field.name) + " = " + std::to_string(value));
    FfnWorker worker({});
    worker.PublishAll(1);
    worker.ResetOutNum();
    worker.Set(field, value);
    ExpectRefusedLater(worker, group_size, words);
    ExpectRefusedLater(worker, group_size, {field.name});
  }
};

TEST_F(FfnChecksTest, NullArguments) {
  FfnWorker worker({});
  ExpectArgumentsRefused(kNull, nullptr, 1, 0, {"scheduleContextRef"});
  ExpectArgumentsRefused(kNull, nullptr, 1, 7, {"scheduleContextRef"});
  aclOpExecutor* executor = nullptr;
  uint64_t size = 0;
  TakeMessages();
  ExpectFailure(
      aclnnInplaceFfnWorkerSchedulerGetWorkspaceSize(worker.tensor(), 1, 0, nullptr, &executor),
      kNull, {"workspaceSize"});
  ExpectFailure(
      aclnnInplaceFfnWorkerSchedulerGetWorkspaceSize(worker.tensor(), 1, 0, &size, nullptr), kNull,
      {"executor"});
}

TEST_F(FfnChecksTest, TensorsOfAnotherForm) {
  ExpectTensorRefused({.dims = {1024, 2}, .dtype = ACL_INT8}, {"scheduleContextRef", "2"});
  ExpectTensorRefused({.dims = {}, .dtype = ACL_INT8}, {"scheduleContextRef", "0"});
  ExpectTensorRefused({.dims = {0}, .dtype = ACL_INT8}, {"scheduleContextRef", "1024"});
  ExpectTensorRefused({.dims = {0}, .dtype = ACL_INT8}, {}, 1);
  ExpectTensorRefused({.dims = {1023}, .dtype = ACL_INT8}, {"scheduleContextRef", "1024"});
  ExpectTensorRefused({.dims = {1024}, .dtype = ACL_UINT8}, {"scheduleContextRef", "INT8"});
  ExpectTensorRefused({.dims = {256}, .dtype = ACL_FLOAT}, {"scheduleContextRef", "INT8"});
  ExpectTensorRefused({.dims = {1024}, .dtype = ACL_INT8, .strides = {2}},
                      {"scheduleContextRef", "contiguous"});
}

TEST_F(FfnChecksTest, Attributes) {
  FfnWorker worker({});
  for (int32_t mode : {1, 2, -1}) {
    ExpectArgumentsRefused(kInvalid, worker.tensor(), 1, mode, {"executeMode", "0"});
  }
  for (int32_t group_size : {0, -1, INT32_MIN}) {
    ExpectArgumentsRefused(kInvalid, worker.tensor(), group_size, 0, {"syncGroupSize", "1"});
  }
}

TEST_F(FfnChecksTest, GroupsThatDoNotDivideTheSessions) {
  FfnWorker worker({.sessions = 3});
  worker.PublishAll(1);
  ExpectRefusedLater(worker, 2, {"syncGroupSize", "session_num", "3"});
  ExpectRefusedLater(worker, 4, {"syncGroupSize", "session_num", "3"});
  ExpectRefusedLater(worker, INT32_MAX, {"syncGroupSize"});
}

TEST_F(FfnChecksTest, CountsOfZero) {
  for (const Field& field : {field::kSessionNum, field::kMicroBatchNum, field::kMicroBatchSize,
                             field::kSelectedExpertNum}) {
    ExpectFieldRefused(field, 0, {"0", "1"});
  }
}

TEST_F(FfnChecksTest, NullBuffers) {
  for (const Field& field : {field::kTokenInfo, field::kTokenData, field::kLayerIds,
                             field::kSessionIds, field::kMicroBatchIds, field::kExpertIds}) {
    ExpectFieldRefused(field, 0, {"null"});
  }
}

TEST_F(FfnChecksTest, BuffersOneByteTooSmall) {
  for (const Field& field : {field::kTokenInfoSize, field::kLayerIdsSize, field::kSessionIdsSize,
                             field::kMicroBatchIdsSize, field::kExpertIdsSize}) {
    FfnWorker worker({});
    const uint64_t size = worker.Get(field);
    ExpectFieldRefused(field, size - 1, {std::to_string(size - 1), std::to_string(size)});
  }
}

TEST_F(FfnChecksTest, OtherValuesOutOfBounds) {
  for (int32_t group_size : {1, 2}) {
    ExpectFieldRefused(field::kPollingIndex, 2, {"2"}, group_size);
    ExpectFieldRefused(field::kPollingIndex, UINT64_MAX, {}, group_size);
  }
  for (uint64_t mode : {1, 2, -1}) ExpectFieldRefused(field::kScheduleMode, mode, {"0"});
}

TEST_F(FfnChecksTest, ProductsThatOverflow) {
  const auto expect = [&](uint64_t sessions, uint64_t micro_batches, uint64_t batch,
                          uint64_t experts, std::initializer_list<std::string_view> words) {
    FfnWorker worker({});
    worker.PublishAll(1);
    worker.Set(field::kSessionNum, sessions);
    worker.Set(field::kMicroBatchNum, micro_batches);
    worker.Set(field::kMicroBatchSize, batch);
    worker.Set(field::kSelectedExpertNum, experts);
    // Sizes that would do if the products wrapped.
    for (const Field& field : {field::kTokenInfoSize, field::kLayerIdsSize, field::kSessionIdsSize,
                               field::kMicroBatchIdsSize, field::kExpertIdsSize}) {
      worker.Set(field, uint64_t{1} << 40);
    }
    ExpectRefusedLater(worker, 1, words);
  };
  expect(65536, 65536, 65536, 65536, {"2^64", "65536"});
  // Ids of sessions and micro batches would be negative.
  expect(uint64_t{1} << 31, 2, 1, 1, {"session_num", "2147483648", "2147483647"});
  expect(1, uint64_t{1} << 31, 1, 1, {"micro_batch_num", "2147483648", "2147483647"});
  expect(uint64_t{1} << 30, uint64_t{1} << 30, 1, 1, {"token_info_buf_size"});
  expect(1, 1, UINT32_MAX, UINT32_MAX, {"2^64"});
  expect(1, 1, uint64_t{1} << 31, uint64_t{1} << 31, {"2^64"});
  expect(UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, {"session_num"});
  expect(uint64_t{1} << 20, uint64_t{1} << 20, uint64_t{1} << 12, uint64_t{1} << 10, {"2^64"});
}

TEST_F(FfnChecksTest, MisalignedAddresses) {
  FfnWorker worker({});
  for (const Field& field : {field::kTokenInfo, field::kLayerIds, field::kSessionIds,
                             field::kMicroBatchIds, field::kExpertIds}) {
    for (uint64_t by : {1, 2, 3}) ExpectFieldRefused(field, worker.Get(field) + by, {"4"});
  }
  worker.PublishAll(1);
  GuardedBuffer shifted(2048);
  std::memcpy(shifted.data() + 4, worker.context(), 1024);
  const int64_t size = 1024;
  aclTensor* tensor =
      aclCreateTensor(&size, 1, ACL_INT8, nullptr, 0, ACL_FORMAT_ND, &size, 1, shifted.data() + 4);
  const Prepared prepared = Prepare([&](uint64_t* bytes, aclOpExecutor** executor) {
    return aclnnInplaceFfnWorkerSchedulerGetWorkspaceSize(tensor, 2, 0, bytes, executor);
  });
  ASSERT_OK(prepared.code);
  ASSERT_OK(aclnnInplaceFfnWorkerScheduler(nullptr, 0, prepared.executor, stream()));
  ExpectFailure(aclrtSynchronizeStream(stream()), kContextError, {"scheduleContextRef", "8"});
  aclDestroyTensor(tensor);
}

TEST_F(FfnChecksTest, OverlappingBuffers) {
  const Field buffers[] = {field::kTokenInfo, field::kLayerIds, field::kSessionIds,
                           field::kMicroBatchIds, field::kExpertIds};
  for (const Field& a : buffers) {
    FfnWorker worker({});
    worker.PublishAll(1);
    for (const Field& b : buffers) {
      if (a.offset == b.offset) continue;
      const uint64_t before = worker.Get(a);
      worker.Set(a, worker.Get(b));
      ExpectRefusedLater(worker, 2, {a.name, b.name, "overlap"});
      worker.Set(a, before);
    }
    const uint64_t before = worker.Get(a);
    worker.Set(a, reinterpret_cast<uintptr_t>(worker.context()) + 1020);
    ExpectRefusedLater(worker, 2, {a.name, "scheduleContextRef"});
    worker.Set(a, before);
  }
}

// Two buffers may touch, and a buffer may be declared to reach into another one.
TEST_F(FfnChecksTest, OnlyTheBytesInUseMustNotOverlap) {
  FfnWorker worker({});
  worker.PublishAll(1);
  GuardedBuffer ids(24);
  for (auto [field, at] :
       {std::pair{field::kLayerIds, 0}, {field::kSessionIds, 8}, {field::kMicroBatchIds, 16}}) {
    worker.Set(field, reinterpret_cast<uintptr_t>(ids.data()) + static_cast<uint64_t>(at));
    worker.Set({"", field.offset + 8, 8}, 24);
  }
  ASSERT_OK(worker.Run(2, stream()));
  EXPECT_EQ(ids.ints()[3], 1);  // session 1
  EXPECT_TRUE(ids.GuardsIntact());
}

TEST_F(FfnChecksTest, BuffersThatLeaveTheirAllocation) {
  for (const Field& field : {field::kTokenInfo, field::kLayerIds, field::kExpertIds}) {
    FfnWorker worker({});
    worker.PublishAll(1);
    void* memory = nullptr;
    ASSERT_OK(aclrtMalloc(&memory, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
    worker.Set(field, reinterpret_cast<uintptr_t>(memory) + 4124);
    worker.Set({"", field.offset + 8, 8}, 1 << 20);
    ExpectRefusedLater(worker, 2, {field.name, "allocation"});
    EXPECT_OK(aclrtFree(memory));
  }
}

// A stop does not hide an error.
TEST_F(FfnChecksTest, AStoppedWorkerIsCheckedAllTheSame) {
  FfnWorker worker({});
  worker.Set(field::kRunFlag, 0);
  worker.Set(field::kSessionNum, 0);
  ExpectRefusedLater(worker, 2, {"session_num"});
}

// Every field at 0, at its maximum and one off: an error that changes nothing, or what the
// reference makes of it, or a wait where the reference waits.
TEST_F(FfnChecksTest, AnyFieldWrong) {
  ASSERT_OK(aclrtSetOpExecuteTimeOutWithMs(10));
  int refused = 0, taken = 0, waited = 0;
  for (int32_t group_size : {1, 2}) {
    for (const Field& field : kFfnFields) {
      for (int change = 0; change < 4; ++change) {
        FfnWorker worker({});
        worker.PublishAll(1);
        const uint64_t right = worker.Get(field);
        const uint64_t values[] = {0, UINT64_MAX, right - 1, right + 1};
        SCOPED_TRACE(std::string(field.name) + ", change " + std::to_string(change));
        worker.Set(field, values[change]);
        FfnState expected = worker.State();
        const std::vector<uint8_t> before = worker.Bytes();
        const int code = worker.Run(group_size, stream());
        ASSERT_TRUE(worker.GuardsIntact());
        if (code == kContextError) {
          ++refused;
          ASSERT_EQ(worker.Bytes(), before);
          continue;
        }
        const bool takes = ReferenceSchedule(static_cast<uint32_t>(group_size), false, &expected);
        ASSERT_EQ(code, takes ? ACL_SUCCESS : kTimeoutError);
        ASSERT_EQ(worker.State(), expected);
        ++(takes ? taken : waited);
      }
    }
  }
  EXPECT_GT(refused, 80);
  EXPECT_GT(taken, 20);
  RecordProperty("refused", refused);
  RecordProperty("taken", taken);
  RecordProperty("waited", waited);
}

// Many fields wrong at once. Addresses stay within what the process has, as no check can find out a
// wild one.
TEST_F(FfnChecksTest, RandomContexts) {
  ASSERT_OK(aclrtSetOpExecuteTimeOutWithMs(1));
  const char* rounds_text = std::getenv("ANYACL_FUZZ_ROUNDS");
  const long rounds = rounds_text != nullptr ? std::atol(rounds_text) : 20000;
  FfnWorker worker({.sessions = 4, .micro_batches = 3});
  const std::vector<uint8_t> intact(worker.context(), worker.context() + 1024);
  const auto number = [&](uint64_t right) -> uint64_t {
    switch (random().Int(0, 4)) {
      case 0:
        return right + static_cast<uint64_t>(random().Int(-2, 2));
      case 1:
        return static_cast<uint64_t>(random().Int(0, 16));
      case 2:
        return uint64_t{1} << random().Int(0, 63);
      case 3:
        return (uint64_t{1} << random().Int(1, 63)) - 1;
      default:
        return static_cast<uint64_t>(random().Int(INT64_MIN, INT64_MAX));
    }
  };
  const auto address = [&](uint64_t right) -> uint64_t {
    const auto context = reinterpret_cast<uintptr_t>(worker.context());
    switch (random().Int(0, 3)) {
      case 0:
        return right + static_cast<uint64_t>(random().Int(-9, 9));
      case 1:
        return context + static_cast<uint64_t>(random().Int(0, 1024));
      case 2:
        return random().Chance(0.5) ? 0 : ~uint64_t{0} << random().Int(0, 6);
      default:
        return worker.Get(random().Pick(
            std::vector<Field>{field::kTokenInfo, field::kLayerIds, field::kExpertIds}));
    }
  };
  for (long round = 0; round < rounds; ++round) {
    std::memcpy(worker.context(), intact.data(), 1024);
    worker.PublishAll(static_cast<int32_t>(round & 0xFFFF));
    for (int64_t changes = random().Int(1, 4); changes > 0; --changes) {
      const Field& field = random().Pick(kFfnFields);
      const bool is_address = field.bytes == 8 && std::string_view(field.name).ends_with("_buf");
      worker.Set(field, is_address ? address(worker.Get(field)) : number(worker.Get(field)));
    }
    ASSERT_OK(worker.Launch(static_cast<int32_t>(random().Int(1, 4)), stream()));
    const int code = aclrtSynchronizeStream(stream());
    ASSERT_TRUE(code == ACL_SUCCESS || code == kContextError || code == kTimeoutError) << code;
  }
  std::memcpy(worker.context(), intact.data(), 1024);
}

}  // namespace
}  // namespace anyacl::test
