// SPDX-License-Identifier: Apache-2.0
#include "ops/afd_rank.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "aclnnop/aclnn_attention_worker_combine.h"
#include "aclnnop/aclnn_attention_worker_scheduler.h"
#include "aclnnop/aclnn_ffn_worker_scheduler.h"
#include "support/expect.h"
#include "support/half.h"
#include "support/random.h"

namespace anyacl::test {
namespace {

// What stands for the expert's network: a factor for each expert of the model.
float FactorOf(int64_t expert) { return 1.0f + static_cast<float>(expert) / 8; }

}  // namespace

PipelineShape ShapeOf(const PipelineMode& mode) {
  PipelineShape shape = {.attention = 3, .tokens = 5, .quant = mode.quant};
  shape.row = shape.quant == 2 ? 1536 : 1024;
  return shape;
}

AfdRank::AfdRank(const PipelineMode& mode, uint64_t seed, int64_t rank, std::string group,
                 char* window)
    : mode_(mode),
      shape_(ShapeOf(mode)),
      rank_(rank),
      group_(std::move(group)),
      window_(window),
      context_(128, 0) {
  Random random(seed);
  table_ = RandomTable(shape_, random);
  const int64_t size = 1024;
  tensor_ =
      aclCreateTensor(&size, 1, ACL_INT8, nullptr, 0, ACL_FORMAT_ND, &size, 1, context_.data());
  Set(field::kSessionNum, shape_.attention);
  Set(field::kMicroBatchNum, shape_.micro_batches);
  Set(field::kMicroBatchSize, shape_.tokens);
  Set(field::kSelectedExpertNum, shape_.experts());
  Set(field::kRunFlag, 1);
  if (rank < shape_.attention) {
    MakeAttention(seed);
  } else {
    MakeFfn();
  }
}

AfdRank::~AfdRank() { aclDestroyTensor(tensor_); }

void AfdRank::Set(const Field& field, int64_t value) {
  std::memcpy(reinterpret_cast<char*>(context_.data()) + field.offset, &value, field.bytes);
}

void AfdRank::SetBuffer(const Field& field, const void* address, int64_t size) {
  Set(field, static_cast<int64_t>(reinterpret_cast<uintptr_t>(address)));
  Set({"", field.offset + 8, 8}, size);
}

void AfdRank::MakeAttention(uint64_t seed) {
  const int64_t rows = shape_.attention_rows();
  std::memset(window_, 0, static_cast<size_t>(rows));
  Set(field::kScheduleMode, 1);
  Set(field::kMicroBatchId, shape_.micro_batches - 1);
  SetBuffer(field::kAttentionInfo, window_, rows);
  SetBuffer(field::kAttentionData, window_ + rows, shape_.attention_window() - rows);
  Random random(seed + 1 + static_cast<uint64_t>(rank_));
  for (int64_t i = 0; i < shape_.tokens * shape_.chosen; ++i) {
    expert_ids_.push_back(static_cast<int32_t>(random.Int(0, shape_.routed - 1)));
    scales_.push_back(static_cast<float>(random.Uniform(-0.4, 0.4)));
  }
  for (int64_t m = 0; m < shape_.micro_batches; ++m) {
    x_.emplace_back();
    for (int64_t i = 0; i < shape_.tokens * shape_.hidden; ++i) {
      x_.back().push_back(EncodeFp16(static_cast<float>(random.Normal(0, 1))));
    }
  }
  tokens_ = mode_.masked ? shape_.tokens - 1 - rank_ : shape_.tokens;
}

void AfdRank::MakeFfn() {
  const int64_t rows = shape_.ffn_rows();
  auto* ints = reinterpret_cast<int32_t*>(window_);
  for (int64_t slot = 0; slot < shape_.attention * shape_.micro_batches; ++slot) {
    *ints++ = 0;
    *ints++ = 0;
    for (int64_t i = 0; i < shape_.ids(); ++i) *ints++ = INT32_MAX;
  }
  Set(field::kTokenSize, shape_.row_bytes());
  SetBuffer(field::kTokenInfo, window_, rows);
  SetBuffer(field::kTokenData, window_ + rows, shape_.ffn_window() - rows);
  const auto list = [&](const Field& field, std::vector<int32_t>& values, int64_t count) {
    values.resize(static_cast<size_t>(count));
    SetBuffer(field, values.data(), 4 * count);
  };
  list(field::kLayerIds, layers_, shape_.attention);
  list(field::kSessionIds, sessions_, shape_.attention);
  list(field::kMicroBatchIds, micro_batches_, shape_.attention);
  list(field::kExpertIds, ids_, shape_.attention * shape_.ids());
}

void AfdRank::Run(aclrtStream stream) {
  if (rank_ < shape_.attention) {
    RunAttention(stream);
  } else {
    RunFfn(stream);
  }
}

void AfdRank::SendAll(aclrtStream stream) {
  for (int64_t m = 0; m < shape_.micro_batches; ++m) {
    SendCall call(shape_, group_);
    Send(call, m, 0);
    ASSERT_OK(call.Run(stream));
  }
}

int AfdRank::Schedule(aclrtStream stream) {
  Caller caller;
  if (rank_ < shape_.attention) {
    return caller.Launch(
        [&](uint64_t* bytes, aclOpExecutor** executor) {
          return aclnnInplaceAttentionWorkerSchedulerGetWorkspaceSize(tensor_, bytes, executor);
        },
        aclnnInplaceAttentionWorkerScheduler, stream);
  }
  return caller.Launch(
      [&](uint64_t* bytes, aclOpExecutor** executor) {
        return aclnnInplaceFfnWorkerSchedulerGetWorkspaceSize(
            tensor_, static_cast<int32_t>(shape_.attention), 0, bytes, executor);
      },
      aclnnInplaceFfnWorkerScheduler, stream);
}

void AfdRank::RunAttention(aclrtStream stream) {
  for (int64_t layer = 0; layer < kLayers; ++layer) {
    std::vector<std::unique_ptr<SendCall>> sends;
    for (int64_t m = 0; m < shape_.micro_batches; ++m) {
      sends.push_back(std::make_unique<SendCall>(shape_, group_));
      Send(*sends.back(), m, layer);
      ASSERT_OK(sends.back()->Launch(stream));
    }
    for (int64_t m = 0; m < shape_.micro_batches; ++m) {
      Receive(stream, m, layer);
      if (::testing::Test::HasFailure()) return;
    }
  }
}

void AfdRank::Send(SendCall& call, int64_t m, int64_t layer) const {
  const auto one = [](int64_t value) { return std::vector<int32_t>{static_cast<int32_t>(value)}; };
  call.x.Write(x_[static_cast<size_t>(m)]);
  call.session.Write(one(rank_));
  call.micro_batch.Write(one(m));
  call.layer.Write(one(layer));
  call.expert_ids.Write(expert_ids_);
  call.rank_table.Write(table_);
  std::vector<uint8_t> mask(static_cast<size_t>(shape_.tokens), 0);
  std::fill_n(mask.begin(), tokens_, uint8_t{1});
  call.mask.Write(mask);
  call.has_mask = mode_.masked;
}

void AfdRank::Receive(aclrtStream stream, int64_t m, int64_t layer) {
  Tensor scales({.dims = {shape_.tokens, shape_.chosen}});
  Tensor layer_id({.dims = {1}, .dtype = ACL_INT32}), next({.dims = {1}, .dtype = ACL_INT32});
  Tensor y({.dims = {shape_.tokens, shape_.hidden}, .dtype = ACL_FLOAT16});
  scales.Write(scales_);
  layer_id.Write(std::vector<int32_t>{static_cast<int32_t>(layer)});
  Caller caller;
  if (mode_.need_schedule == 0) {
    ASSERT_OK(caller.Launch(
        [&](uint64_t* bytes, aclOpExecutor** executor) {
          return aclnnInplaceAttentionWorkerSchedulerGetWorkspaceSize(tensor_, bytes, executor);
        },
        aclnnInplaceAttentionWorkerScheduler, stream));
  }
  ASSERT_OK(caller.Run(
      [&](uint64_t* bytes, aclOpExecutor** executor) {
        return aclnnAttentionWorkerCombineGetWorkspaceSize(
            tensor_, scales.handle(), layer_id.handle(), shape_.hidden, 0, mode_.need_schedule,
            y.handle(), next.handle(), bytes, executor);
      },
      aclnnAttentionWorkerCombine, stream));
  ASSERT_EQ(next.Read<int32_t>()[0], layer + 1);
  Compare(static_cast<size_t>(m), y.Read<uint16_t>());
}

// y, made smaller, is what the next layer gets.
void AfdRank::Compare(size_t m, const std::vector<uint16_t>& y) {
  for (int64_t t = 0; t < tokens_; ++t) {
    double most = 0;
    for (int64_t h = 0; h < shape_.hidden; ++h) most = std::max(most, std::fabs(X(m, t, h)));
    for (int64_t h = 0; h < shape_.hidden; ++h) {
      double sum = 0, error = 0;
      for (int64_t j = 0; j < shape_.experts(); ++j) {
        const bool chosen = j < shape_.chosen;
        const auto at = static_cast<size_t>(t * shape_.chosen + j);
        const int64_t expert = chosen ? expert_ids_[at] : shape_.routed + j - shape_.chosen;
        const double scale = chosen ? static_cast<double>(scales_[at]) : 1.0;
        const double factor = FactorOf(expert);
        const double term = scale * factor * X(m, t, h);
        // Each row is rounded to fp16, and to a 127th of the largest before.
        const double step = shape_.quant == 2 ? 0.51 * most / 127 : 0;
        sum += term;
        error += std::fabs(term) * 0x1p-10 + std::fabs(scale) * factor * step;
      }
      const double got = DecodeFp16(y[static_cast<size_t>(t * shape_.hidden + h)]);
      ASSERT_NEAR(got, sum, error + std::fabs(sum) * 0x1p-10 + 0x1p-20)
          << "micro batch " << m << ", token " << t << ", column " << h;
    }
  }
  // Kept from growing: sums have up to four times the magnitude.
  for (size_t i = 0; i < static_cast<size_t>(tokens_ * shape_.hidden); ++i) {
    x_[m][i] = EncodeFp16(DecodeFp16(y[i]) / 4);
  }
}

double AfdRank::X(size_t m, int64_t token, int64_t column) const {
  return DecodeFp16(x_[m][static_cast<size_t>(token * shape_.hidden + column)]);
}

void AfdRank::RunFfn(aclrtStream stream) {
  const int64_t experts = shape_.routed + shape_.shared;
  for (int64_t i = 0; i < kLayers * shape_.micro_batches; ++i) {
    Batching batching({shape_.attention, shape_.tokens, shape_.experts(), shape_.hidden},
                      shape_.quant, experts);
    Caller caller;
    if (mode_.need_schedule == 0) {
      ASSERT_OK(caller.Launch(
          [&](uint64_t* bytes, aclOpExecutor** executor) {
            return aclnnInplaceFfnWorkerSchedulerGetWorkspaceSize(
                tensor_, static_cast<int32_t>(shape_.attention), 0, bytes, executor);
          },
          aclnnInplaceFfnWorkerScheduler, stream));
    }
    ASSERT_OK(batching.Run(tensor_, mode_.need_schedule, stream));
    ReturnCall back(shape_, batching.rows(), group_);
    back.x.Write(Compute(batching));
    back.sessions.Write(batching.sessions.Read<int32_t>());
    back.micro_batches.Write(batching.micro_batches.Read<int32_t>());
    back.tokens.Write(batching.tokens.Read<int32_t>());
    back.offsets.Write(batching.offsets.Read<int32_t>());
    back.actual.Write(batching.actual.Read<int64_t>());
    ASSERT_OK(back.Run(stream));
  }
}

// The rows of each local expert times its factor.
std::vector<uint16_t> AfdRank::Compute(const Batching& batching) const {
  const std::vector<int64_t> groups = batching.group_list.Read<int64_t>();
  std::vector<uint16_t> y(static_cast<size_t>(batching.rows() * shape_.hidden), 0);
  const bool quantised = shape_.quant == 2;
  const auto halves = quantised ? std::vector<uint16_t>() : batching.y.Read<uint16_t>();
  const auto bytes = quantised ? batching.y.Read<int8_t>() : std::vector<int8_t>();
  const std::vector<float> scales = batching.scales.Read<float>();
  size_t row = 0;
  for (size_t g = 0; g < groups.size(); g += 2) {
    const float factor = groups[g + 1] == 0 ? 0 : FactorOf(ExpertOf(groups[g]));
    for (int64_t i = 0; i < groups[g + 1]; ++i, ++row) {
      for (size_t h = 0; h < static_cast<size_t>(shape_.hidden); ++h) {
        const size_t at = row * static_cast<size_t>(shape_.hidden) + h;
        const float x =
            quantised ? scales[row] * static_cast<float>(bytes[at]) : DecodeFp16(halves[at]);
        y[at] = EncodeFp16(factor * x);
      }
    }
  }
  EXPECT_EQ(static_cast<int64_t>(row), batching.count());
  return y;
}

// The expert of the model that has this local id here.
int64_t AfdRank::ExpertOf(int64_t local_id) const {
  for (int64_t e = 0; e < shape_.routed + shape_.shared; ++e) {
    const int32_t* row = table_.data() + e * shape_.width();
    for (int32_t r = 0; r < row[0]; ++r) {
      if (row[1 + 2 * r] == rank_ && row[2 + 2 * r] == local_id) return e;
    }
  }
  ADD_FAILURE() << "no expert " << local_id << " on rank " << rank_;
  return 0;
}

}  // namespace anyacl::test
