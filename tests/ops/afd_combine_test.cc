// SPDX-License-Identifier: Apache-2.0
// aclnnAttentionWorkerCombine: sums beside the document's in double, its wait, refusals.
#include <cmath>
#include <thread>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_attention_worker_combine.h"
#include "ops/afd_case.h"
#include "reference/afd.h"
#include "support/half.h"

namespace anyacl::test {
namespace {

struct CombineShape {
  uint32_t micro_batches = 1;
  uint32_t tokens = 3;   // of a micro batch
  uint32_t experts = 3;  // rows of a token
  uint32_t hidden = 40;

  size_t rows() const { return size_t{tokens} * experts; }
};

// A context of an attention worker with rows, one micro batch after the other.
class Worker {
 public:
  Worker(const CombineShape& shape, aclDataType type, Random& random)
      : shape_(shape),
        type_(type),
        context_(1024),
        flags_(4 * shape.rows() * shape.micro_batches),
        rows_(2 * shape.rows() * shape.micro_batches * shape.hidden) {
    std::memset(context_.data(), 0, 1024);
    std::memset(flags_.data(), 0, flags_.size());
    auto* rows = reinterpret_cast<uint16_t*>(rows_.data());
    for (size_t i = 0; i < rows_.size() / 2; ++i) {
      const auto value = static_cast<float>(random.Normal(0, 1));
      rows[i] = type == ACL_BF16 ? EncodeBf16(value) : EncodeFp16(value);
    }
    Set(field::kMicroBatchNum, shape.micro_batches);
    Set(field::kMicroBatchSize, shape.tokens);
    Set(field::kSelectedExpertNum, shape.experts);
    Set(field::kRunFlag, 1);
    Set(field::kAttentionInfo, reinterpret_cast<uintptr_t>(flags_.data()));
    Set(field::kAttentionInfoSize, flags_.size());
    Set(field::kAttentionData, reinterpret_cast<uintptr_t>(rows_.data()));
    Set(field::kAttentionDataSize, rows_.size());
    const int64_t size = 1024;
    tensor_ =
        aclCreateTensor(&size, 1, ACL_INT8, nullptr, 0, ACL_FORMAT_ND, &size, 1, context_.data());
  }
  ~Worker() { aclDestroyTensor(tensor_); }

  void Set(const Field& field, uint64_t value) {
    std::memcpy(context_.data() + field.offset, &value, field.bytes);
  }
  uint64_t Get(const Field& field) const {
    uint64_t value = 0;
    std::memcpy(&value, context_.data() + field.offset, field.bytes);
    return value;
  }
  int32_t* Flags(uint32_t micro_batch) const { return flags_.ints() + micro_batch * shape_.rows(); }
  void Raise(uint32_t micro_batch, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      __atomic_store_n(Flags(micro_batch) + i, 1, __ATOMIC_RELEASE);
    }
  }
  void Stop() {
    __atomic_store_n(reinterpret_cast<int32_t*>(context_.data() + field::kRunFlag.offset), 0,
                     __ATOMIC_RELEASE);
  }
  std::vector<double> Rows(uint32_t micro_batch) const {
    const size_t count = shape_.rows() * shape_.hidden;
    const auto* rows = reinterpret_cast<uint16_t*>(rows_.data()) + micro_batch * count;
    std::vector<double> values;
    for (size_t i = 0; i < count; ++i) {
      values.push_back(type_ == ACL_BF16 ? DecodeBf16(rows[i]) : DecodeFp16(rows[i]));
    }
    return values;
  }
  std::vector<uint8_t> Bytes() const {
    std::vector<uint8_t> bytes(context_.data(), context_.data() + 1024);
    bytes.insert(bytes.end(), flags_.data(), flags_.data() + flags_.size());
    return bytes;
  }
  aclTensor* tensor() const { return tensor_; }
  aclDataType type() const { return type_; }
  const CombineShape& shape() const { return shape_; }

 private:
  CombineShape shape_;
  aclDataType type_;
  GuardedBuffer context_;
  GuardedBuffer flags_;
  GuardedBuffer rows_;
  aclTensor* tensor_;
};

class CombineTest : public FfnTest {
 protected:
  struct Call {
    Call(const Worker& worker, int64_t tokens, int64_t chosen)
        : worker(worker),
          scales({.dims = {tokens, chosen}}),
          layer({.dims = {1}, .dtype = ACL_INT32}),
          y({.dims = {tokens, worker.shape().hidden}, .dtype = worker.type()}),
          next({.dims = {1}, .dtype = ACL_INT32}) {
      layer.Write(std::vector<int32_t>{41});
    }
    Phase1 PhaseOne(int64_t need_schedule) const {
      return [=, this](uint64_t* size, aclOpExecutor** executor) {
        return aclnnAttentionWorkerCombineGetWorkspaceSize(
            worker.tensor(), scales.handle(), layer.handle(), worker.shape().hidden,
            worker.type() == ACL_BF16, need_schedule, y.handle(), next.handle(), size, executor);
      };
    }

    const Worker& worker;
    Tensor scales, layer, y, next;
    Caller caller;
  };

  std::vector<float> RandomScales(Call& call) {
    std::vector<float> scales(static_cast<size_t>(call.scales.count()));
    for (float& scale : scales) scale = static_cast<float>(random().Normal(0, 1));
    call.scales.Write(scales);
    return scales;
  }

  int Run(Call& call, int64_t need_schedule) {
    return call.caller.Run(call.PhaseOne(need_schedule), aclnnAttentionWorkerCombine, stream());
  }

  void ExpectSums(const Call& call, const std::vector<float>& scales, uint32_t micro_batch) {
    const CombineShape& shape = call.worker.shape();
    const auto tokens = static_cast<size_t>(call.scales.layout().dims[0]);
    const auto chosen = static_cast<size_t>(call.scales.layout().dims[1]);
    const Combined expected = ReferenceCombine(call.worker.Rows(micro_batch), scales, tokens,
                                               shape.experts, chosen, shape.hidden);
    const std::vector<uint16_t> y = call.y.Read<uint16_t>();
    ASSERT_EQ(y.size(), expected.y.size());
    const bool bf16 = call.worker.type() == ACL_BF16;
    for (size_t i = 0; i < y.size(); ++i) {
      const double got = bf16 ? DecodeBf16(y[i]) : DecodeFp16(y[i]);
      // A product and a sum are rounded for each row, and the result to its type.
      const double sums = 2.0 * shape.experts * 0x1p-24 * expected.magnitudes[i];
      const double result = std::fabs(expected.y[i]) * (bf16 ? 0x1p-8 : 0x1p-11) + 0x1p-25;
      ASSERT_NEAR(got, expected.y[i], 1.01 * (sums + result)) << "element " << i;
    }
    EXPECT_EQ(call.next.Read<int32_t>(), std::vector<int32_t>{42});
    EXPECT_TRUE(call.y.GuardsIntact());
    EXPECT_TRUE(call.next.GuardsIntact());
  }

  void ExpectFails(Worker& worker, Call& call, int64_t need_schedule, int code,
                   std::initializer_list<std::string_view> words) {
    TakeMessages();
    const std::vector<uint8_t> before = worker.Bytes();
    ExpectFailure(Run(call, need_schedule), code, words);
    EXPECT_EQ(worker.Bytes(), before);
  }
};

TEST_F(CombineTest, AddsChosenAndSharedRows) {
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    for (const uint32_t hidden : {1u, 40u, 1024u, 2500u}) {
      for (const auto& [chosen, shared] : {std::pair{8, 1}, {2, 0}, {1, 4}, {64, 1}}) {
        SCOPED_TRACE(::testing::Message()
                     << type << ", H " << hidden << ", " << chosen << " + " << shared);
        const CombineShape shape = {2, 3, static_cast<uint32_t>(chosen + shared), hidden};
        Worker worker(shape, type, random());
        worker.Set(field::kMicroBatchId, 1);
        Call call(worker, 3, chosen);
        const std::vector<float> scales = RandomScales(call);
        const std::vector<uint8_t> before = worker.Bytes();
        ASSERT_OK(Run(call, 0));
        ExpectSums(call, scales, 1);
        EXPECT_EQ(worker.Bytes(), before);
      }
    }
  }
}

// Each product and each sum is rounded to fp32, in the order of the rows.
TEST_F(CombineTest, AddsInFp32InTheOrderOfRows) {
  Worker worker({1, 1, 3, 1}, ACL_FLOAT16, random());
  Call call(worker, 1, 3);
  call.scales.Write(std::vector<float>{0x1p24f, 1.0f, -0x1p24f});
  auto* rows = reinterpret_cast<uint16_t*>(worker.Get(field::kAttentionData));
  std::fill_n(rows, 3, EncodeFp16(1.0f));
  ASSERT_OK(Run(call, 0));
  EXPECT_EQ(DecodeFp16(call.y.Read<uint16_t>()[0]), 0.0f) << "2^24 + 1 is 2^24";
}

TEST_F(CombineTest, FewerTokensThanTheMicroBatchHas) {
  Worker worker({3, 5, 3, 64}, ACL_BF16, random());
  worker.Set(field::kMicroBatchId, 1);
  Call call(worker, 2, 2);
  const std::vector<float> scales = RandomScales(call);
  worker.Raise(2, 6);  // of the two tokens
  ASSERT_OK(Run(call, 1));
  ExpectSums(call, scales, 2);
  EXPECT_EQ(worker.Get(field::kMicroBatchId), 2u);
}

TEST_F(CombineTest, WaitsForItsRows) {
  Worker worker({2, 3, 3, 64}, ACL_FLOAT16, random());
  worker.Set(field::kMicroBatchId, 1);
  worker.Raise(0, 8);
  worker.Raise(1, 9);
  Call call(worker, 3, 2);
  const std::vector<float> scales = RandomScales(call);
  ASSERT_OK(call.caller.Launch(call.PhaseOne(1), aclnnAttentionWorkerCombine, stream()));
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(worker.Flags(0)[0], 1);
  worker.Raise(0, 9);
  ASSERT_OK(aclrtSynchronizeStream(stream()));
  ExpectSums(call, scales, 0);
  EXPECT_EQ(worker.Get(field::kMicroBatchId), 0u);
  for (size_t i = 0; i < 9; ++i) {
    EXPECT_EQ(worker.Flags(0)[i], 0);
    EXPECT_EQ(worker.Flags(1)[i], 1);
  }
}

TEST_F(CombineTest, AStoppedWaitLeavesEverything) {
  Worker worker({2, 3, 3, 64}, ACL_FLOAT16, random());
  worker.Raise(1, 8);
  Call call(worker, 3, 2);
  RandomScales(call);
  ASSERT_OK(call.caller.Launch(call.PhaseOne(1), aclnnAttentionWorkerCombine, stream()));
  worker.Stop();
  const std::vector<uint8_t> before = worker.Bytes();
  ASSERT_OK(aclrtSynchronizeStream(stream()));
  EXPECT_EQ(worker.Bytes(), before);
  EXPECT_EQ(call.y.Read<uint16_t>()[0], 0xC5C5);
}

TEST_F(CombineTest, AWaitWithoutEndTimesOut) {
  Worker worker({2, 3, 3, 64}, ACL_FLOAT16, random());
  worker.Raise(1, 8);
  ASSERT_OK(aclrtSetOpExecuteTimeOut(1));
  Call call(worker, 3, 2);
  RandomScales(call);
  ExpectFails(worker, call, 1, kTimeoutError, {"token and expert 8", "micro batch 1"});
}

TEST_F(CombineTest, BadContexts) {
  const struct {
    Field field;
    uint64_t value;
    int64_t need_schedule;
    std::initializer_list<std::string_view> words;
  } cases[] = {
      {field::kMicroBatchNum, 0, 0, {"micro_batch_num", "0"}},
      {field::kMicroBatchSize, 2, 0, {"micro_batch_size", "2", "3"}},
      {field::kMicroBatchSize, 4, 0, {"token_data_buf_size", "2304", "3072"}},
      {field::kSelectedExpertNum, 1, 0, {"selected_expert_num", "1", "2"}},
      {field::kSelectedExpertNum, 7, 0, {"selected_expert_num", "7", "4"}},
      {field::kMicroBatchId, 2, 0, {"micro_batch_id", "2"}},
      {field::kAttentionData, 0, 0, {"token_data_buf"}},
      {field::kAttentionData, 4097, 0, {"token_data_buf", "0x1001"}},
      {field::kAttentionDataSize, 2303, 0, {"token_data_buf_size", "2303", "2304"}},
      {field::kAttentionInfo, 0, 1, {"token_info_buf"}},
      {field::kAttentionInfoSize, 71, 1, {"token_info_buf_size", "71", "72"}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(::testing::Message() << c.field.name << " = " << c.value);
    Worker worker({2, 3, 3, 64}, ACL_FLOAT16, random());
    worker.Raise(1, 9);
    worker.Set(c.field, c.value);
    Call call(worker, 3, 2);
    RandomScales(call);
    ExpectFails(worker, call, c.need_schedule, kContextError, c.words);
  }
}

TEST_F(CombineTest, BadArguments) {
  const Worker worker({2, 3, 3, 64}, ACL_FLOAT16, random());
  const Call wide(worker, 3, 65), right(worker, 3, 2);
  ExpectRefused(wide.PhaseOne(0), ACLNN_ERR_PARAM_INVALID, {"expertScales", "64"});
  ExpectRefused(right.PhaseOne(2), ACLNN_ERR_PARAM_INVALID, {"needSchedule", "2"});
  const auto with = [&](int64_t hidden, int64_t type) -> Phase1 {
    return [&, hidden, type](uint64_t* size, aclOpExecutor** executor) {
      return aclnnAttentionWorkerCombineGetWorkspaceSize(
          worker.tensor(), right.scales.handle(), right.layer.handle(), hidden, type, 0,
          right.y.handle(), right.next.handle(), size, executor);
    };
  };
  ExpectRefused(with(63, 0), ACLNN_ERR_PARAM_INVALID, {"hiddenSize", "64"});
  ExpectRefused(with(64, 1), ACLNN_ERR_PARAM_INVALID, {"y.dtype", "tokenDtype"});
  ExpectRefused(with(64, 2), ACLNN_ERR_PARAM_INVALID, {"tokenDtype", "2"});
}

}  // namespace
}  // namespace anyacl::test
