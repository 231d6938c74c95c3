// SPDX-License-Identifier: Apache-2.0
// Whole decode steps with threads as ranks: attention workers send, FFN workers take, sort, compute
// and return, attention workers wait and add up; layer after layer, two micro batches under way.
#include <cmath>
#include <thread>

#include "aclnnop/aclnn_attention_worker_combine.h"
#include "aclnnop/aclnn_attention_worker_scheduler.h"
#include "ops/afd_window_case.h"
#include "ops/afd_world.h"
#include "support/half.h"

namespace anyacl::test {
namespace {

struct Mode {
  bool by_message = false;
  int64_t quant = 0;
  int64_t need_schedule = 0;  // of batching and combine
  bool masked = false;
};

constexpr int64_t kLayers = 3;

// What stands for the expert's network: a factor for each expert of the model.
float FactorOf(int64_t expert) { return 1.0f + static_cast<float>(expert) / 8; }

class Pipeline {
 public:
  Pipeline(const PipelineShape& shape, const Mode& mode, Random& random)
      : shape_(shape),
        mode_(mode),
        world_("afd", shape.windows(), mode.by_message),
        table_(RandomTable(shape, random)) {
    for (int64_t a = 0; a < shape.attention; ++a) attention_.push_back(MakeAttention(a, random));
    const FfnShape slots = {
        static_cast<uint32_t>(shape.attention), static_cast<uint32_t>(shape.micro_batches),
        static_cast<uint32_t>(shape.tokens), static_cast<uint32_t>(shape.experts())};
    for (int64_t f = 0; f < shape.ffn; ++f) {
      char* window = world_.window(static_cast<uint32_t>(shape.attention + f));
      auto worker = std::make_unique<FfnWorker>(slots, reinterpret_cast<int32_t*>(window));
      worker->Set(field::kTokenSize, static_cast<uint64_t>(shape.row_bytes()));
      worker->Set(field::kTokenData, reinterpret_cast<uintptr_t>(window + shape.ffn_rows()));
      worker->Set(field::kTokenDataSize,
                  static_cast<uint64_t>(shape.ffn_window() - shape.ffn_rows()));
      ffn_.push_back(std::move(worker));
    }
  }

  void Run() {
    std::vector<std::thread> threads;
    for (int64_t a = 0; a < shape_.attention; ++a) {
      threads.emplace_back([this, a] { RunAttention(a); });
    }
    for (int64_t f = 0; f < shape_.ffn; ++f) threads.emplace_back([this, f] { RunFfn(f); });
    for (std::thread& thread : threads) thread.join();
  }

 private:
  struct Attention {
    std::unique_ptr<GuardedBuffer> context;
    std::vector<int32_t> expert_ids;
    std::vector<float> scales;
    std::vector<std::vector<uint16_t>> x;  // of each micro batch
    int64_t tokens = 0;                    // that are sent
  };

  Attention MakeAttention(int64_t a, Random& random) {
    Attention made;
    made.context = std::make_unique<GuardedBuffer>(1024);
    std::memset(made.context->data(), 0, 1024);
    char* window = world_.window(static_cast<uint32_t>(a));
    std::memset(window, 0, static_cast<size_t>(shape_.attention_rows()));
    const auto set = [&](const Field& field, int64_t value) {
      std::memcpy(made.context->data() + field.offset, &value, field.bytes);
    };
    set(field::kMicroBatchNum, shape_.micro_batches);
    set(field::kMicroBatchSize, shape_.tokens);
    set(field::kSelectedExpertNum, shape_.experts());
    set(field::kScheduleMode, 1);
    set(field::kRunFlag, 1);
    set(field::kMicroBatchId, shape_.micro_batches - 1);
    set(field::kAttentionInfo, static_cast<int64_t>(reinterpret_cast<uintptr_t>(window)));
    set(field::kAttentionInfoSize, shape_.attention_rows());
    set(field::kAttentionData,
        static_cast<int64_t>(reinterpret_cast<uintptr_t>(window + shape_.attention_rows())));
    set(field::kAttentionDataSize, shape_.attention_window() - shape_.attention_rows());
    for (int64_t i = 0; i < shape_.tokens * shape_.chosen; ++i) {
      made.expert_ids.push_back(static_cast<int32_t>(random.Int(0, shape_.routed - 1)));
      made.scales.push_back(static_cast<float>(random.Uniform(-0.4, 0.4)));
    }
    for (int64_t m = 0; m < shape_.micro_batches; ++m) {
      made.x.emplace_back();
      for (int64_t i = 0; i < shape_.tokens * shape_.hidden; ++i) {
        made.x.back().push_back(EncodeFp16(static_cast<float>(random.Normal(0, 1))));
      }
    }
    made.tokens = mode_.masked ? shape_.tokens - 1 - a : shape_.tokens;
    return made;
  }

  void RunAttention(int64_t a) {
    ASSERT_OK(aclrtSetDevice(static_cast<int32_t>(a)));
    aclrtStream stream = nullptr;
    ASSERT_OK(aclrtCreateStream(&stream));
    Attention& self = attention_[static_cast<size_t>(a)];
    const int64_t size = 1024;
    aclTensor* context = aclCreateTensor(&size, 1, ACL_INT8, nullptr, 0, ACL_FORMAT_ND, &size, 1,
                                         self.context->data());
    for (int64_t layer = 0; layer < kLayers; ++layer) {
      std::vector<std::unique_ptr<SendCall>> sends;
      for (int64_t m = 0; m < shape_.micro_batches; ++m) {
        sends.push_back(std::make_unique<SendCall>(shape_));
        Write(*sends.back(), a, m, layer);
        ASSERT_OK(sends.back()->Launch(stream));
      }
      for (int64_t m = 0; m < shape_.micro_batches; ++m) {
        Tensor scales({.dims = {shape_.tokens, shape_.chosen}});
        Tensor layer_id({.dims = {1}, .dtype = ACL_INT32}), next({.dims = {1}, .dtype = ACL_INT32});
        Tensor y({.dims = {shape_.tokens, shape_.hidden}, .dtype = ACL_FLOAT16});
        scales.Write(self.scales);
        layer_id.Write(std::vector<int32_t>{static_cast<int32_t>(layer)});
        Caller caller;
        if (mode_.need_schedule == 0) {
          ASSERT_OK(caller.Launch(
              [&](uint64_t* bytes, aclOpExecutor** executor) {
                return aclnnInplaceAttentionWorkerSchedulerGetWorkspaceSize(context, bytes,
                                                                            executor);
              },
              aclnnInplaceAttentionWorkerScheduler, stream));
        }
        ASSERT_OK(caller.Run(
            [&](uint64_t* bytes, aclOpExecutor** executor) {
              return aclnnAttentionWorkerCombineGetWorkspaceSize(
                  context, scales.handle(), layer_id.handle(), shape_.hidden, 0,
                  mode_.need_schedule, y.handle(), next.handle(), bytes, executor);
            },
            aclnnAttentionWorkerCombine, stream));
        ASSERT_EQ(next.Read<int32_t>()[0], layer + 1);
        Compare(self, static_cast<size_t>(m), y.Read<uint16_t>());
      }
    }
    aclDestroyTensor(context);
    EXPECT_OK(aclrtDestroyStream(stream));
  }

  void Write(SendCall& call, int64_t a, int64_t m, int64_t layer) const {
    const Attention& self = attention_[static_cast<size_t>(a)];
    const auto one = [](int64_t value) {
      return std::vector<int32_t>{static_cast<int32_t>(value)};
    };
    call.x.Write(self.x[static_cast<size_t>(m)]);
    call.session.Write(one(a));
    call.micro_batch.Write(one(m));
    call.layer.Write(one(layer));
    call.expert_ids.Write(self.expert_ids);
    call.rank_table.Write(table_);
    std::vector<uint8_t> mask(static_cast<size_t>(shape_.tokens), 0);
    std::fill_n(mask.begin(), self.tokens, uint8_t{1});
    call.mask.Write(mask);
    call.has_mask = mode_.masked;
  }

  // y is what the next layer gets.
  void Compare(Attention& self, size_t m, const std::vector<uint16_t>& y) const {
    for (int64_t t = 0; t < self.tokens; ++t) {
      double most = 0;
      for (int64_t h = 0; h < shape_.hidden; ++h) {
        most = std::max(most, std::fabs(X(self, m, t, h)));
      }
      for (int64_t h = 0; h < shape_.hidden; ++h) {
        double sum = 0, error = 0;
        for (int64_t j = 0; j < shape_.experts(); ++j) {
          const bool chosen = j < shape_.chosen;
          const size_t at = static_cast<size_t>(t * shape_.chosen + j);
          const int64_t expert = chosen ? self.expert_ids[at] : shape_.routed + j - shape_.chosen;
          const double scale = chosen ? static_cast<double>(self.scales[at]) : 1.0;
          const double term = scale * static_cast<double>(FactorOf(expert)) * X(self, m, t, h);
          // Each row is rounded to fp16, and to a 127th of the largest before.
          const double step = shape_.quant == 2 ? 0.51 * most / 127 : 0;
          sum += term;
          error += std::fabs(term) * 0x1p-10 +
                   std::fabs(scale) * static_cast<double>(FactorOf(expert)) * step;
        }
        const double got = DecodeFp16(y[static_cast<size_t>(t * shape_.hidden + h)]);
        ASSERT_NEAR(got, sum, error + std::fabs(sum) * 0x1p-10 + 0x1p-20)
            << "micro batch " << m << ", token " << t << ", column " << h;
      }
    }
    // Kept from growing: sums have up to four times the magnitude.
    for (int64_t i = 0; i < self.tokens * shape_.hidden; ++i) {
      self.x[m][static_cast<size_t>(i)] = EncodeFp16(DecodeFp16(y[static_cast<size_t>(i)]) / 4);
    }
  }
  double X(const Attention& self, size_t m, int64_t token, int64_t column) const {
    return DecodeFp16(self.x[m][static_cast<size_t>(token * shape_.hidden + column)]);
  }

  void RunFfn(int64_t f) {
    ASSERT_OK(aclrtSetDevice(static_cast<int32_t>(shape_.attention + f)));
    aclrtStream stream = nullptr;
    ASSERT_OK(aclrtCreateStream(&stream));
    const FfnWorker& worker = *ffn_[static_cast<size_t>(f)];
    const int64_t experts = shape_.routed + shape_.shared;
    for (int64_t i = 0; i < kLayers * shape_.micro_batches; ++i) {
      Batching batching({shape_.attention, shape_.tokens, shape_.experts(), shape_.hidden},
                        shape_.quant, experts);
      if (mode_.need_schedule == 0) {
        ASSERT_OK(worker.Launch(static_cast<int32_t>(shape_.attention), stream));
      }
      ASSERT_OK(batching.Run(worker.tensor(), mode_.need_schedule, stream));
      ReturnCall back(shape_, batching.rows());
      back.x.Write(Compute(batching, f));
      back.sessions.Write(batching.sessions.Read<int32_t>());
      back.micro_batches.Write(batching.micro_batches.Read<int32_t>());
      back.tokens.Write(batching.tokens.Read<int32_t>());
      back.offsets.Write(batching.offsets.Read<int32_t>());
      back.actual.Write(batching.actual.Read<int64_t>());
      ASSERT_OK(back.Run(stream));
    }
    EXPECT_OK(aclrtDestroyStream(stream));
  }

  // The rows of each local expert times its factor.
  std::vector<uint16_t> Compute(const Batching& batching, int64_t f) const {
    const std::vector<int64_t> groups = batching.group_list.Read<int64_t>();
    std::vector<uint16_t> y(static_cast<size_t>(batching.rows() * shape_.hidden), 0);
    const bool quantised = shape_.quant == 2;
    const auto halves = quantised ? std::vector<uint16_t>() : batching.y.Read<uint16_t>();
    const auto bytes = quantised ? batching.y.Read<int8_t>() : std::vector<int8_t>();
    const std::vector<float> scales = batching.scales.Read<float>();
    size_t row = 0;
    for (size_t g = 0; g < groups.size(); g += 2) {
      const float factor = groups[g + 1] == 0 ? 0 : FactorOf(ExpertOf(f, groups[g]));
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

  // The expert of the model that has this local id on FFN rank f.
  int64_t ExpertOf(int64_t f, int64_t local_id) const {
    for (int64_t e = 0; e < shape_.routed + shape_.shared; ++e) {
      const int32_t* row = table_.data() + e * shape_.width();
      for (int32_t r = 0; r < row[0]; ++r) {
        if (row[1 + 2 * r] == shape_.attention + f && row[2 + 2 * r] == local_id) return e;
      }
    }
    ADD_FAILURE() << "no expert " << local_id << " on FFN rank " << f;
    return 0;
  }

  const PipelineShape shape_;
  const Mode mode_;
  World world_;
  const std::vector<int32_t> table_;
  std::vector<Attention> attention_;
  std::vector<std::unique_ptr<FfnWorker>> ffn_;
};

class PipelineTest : public FfnTest, public ::testing::WithParamInterface<Mode> {};

TEST_P(PipelineTest, IsThePlainComputation) {
  // A lost flag would have all wait.
  ASSERT_OK(aclrtSetOpExecuteTimeOut(20));
  PipelineShape shape = {.attention = 3, .tokens = 5, .quant = GetParam().quant};
  shape.row = shape.quant == 2 ? 1536 : 1024;
  Pipeline pipeline(shape, GetParam(), random());
  pipeline.Run();
}

INSTANTIATE_TEST_SUITE_P(Modes, PipelineTest,
                         ::testing::Values(Mode{}, Mode{.by_message = true}, Mode{.quant = 2},
                                           Mode{.need_schedule = 1}, Mode{.masked = true},
                                           Mode{true, 2, 1, true}));

}  // namespace
}  // namespace anyacl::test
