// SPDX-License-Identifier: Apache-2.0
#include "attention_bench.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "aclnnop/aclnn_fused_infer_attention_score_v2.h"
#include "attention_check.h"
#include "attention_shapes.h"
#include "ceilings.h"
#include "device.h"
#include "machine.h"
#include "measure.h"
#include "operator_call.h"
#include "report.h"
#include "support/fixed.h"

namespace anyacl::bench {
namespace {

using Shape = AttentionShape;

bool IsPaged(const Shape& s) { return s.block > 0; }
bool IsSeparate(const Shape& s) {
  return s.type == AttentionType::kInt8Channel || s.type == AttentionType::kInt8Token ||
         s.type == AttentionType::kInt4Channel || s.type == AttentionType::kInt8ChannelFp16;
}

aclDataType QueryType(const Shape& s) {
  switch (s.type) {
    case AttentionType::kFp16:
    case AttentionType::kInt8ChannelFp16:
      return ACL_FLOAT16;
    case AttentionType::kInt8All:
      return ACL_INT8;
    default:
      return ACL_BF16;
  }
}
aclDataType CacheType(const Shape& s) {
  switch (s.type) {
    case AttentionType::kFp16:
      return ACL_FLOAT16;
    case AttentionType::kBf16:
      return ACL_BF16;
    case AttentionType::kInt4Channel:
      return ACL_INT4;
    default:
      return ACL_INT8;
  }
}

const char* NameOf(AttentionType type) {
  constexpr const char* kNames[] = {"fp16",         "bf16",     "int8_channel",     "int8_token",
                                    "int4_channel", "int8_all", "int8_channel_fp16"};
  return kNames[static_cast<int>(type)];
}

std::vector<int64_t> CacheDims(const Shape& s) {
  const int64_t blocks = IsPaged(s) ? s.batch * (s.keys / s.block) : 0;
  switch (s.cache) {
    case AttentionCache::kBnsd:
      return {s.batch, s.kv_heads, s.keys, s.dim};
    case AttentionCache::kBsnd:
      return {s.batch, s.keys, s.kv_heads, s.dim};
    case AttentionCache::kPagedRows:
      return {blocks, s.block, s.kv_heads * s.dim};
    default:
      return {blocks, s.kv_heads, s.block, s.dim};
  }
}

std::vector<int64_t> QueryDims(const Shape& s) {
  if (s.cache == AttentionCache::kBsnd) return {s.batch, s.query, s.heads, s.dim};
  return {s.batch, s.heads, s.query, s.dim};
}

// Numbers of magnitude 1/8 to 1, those of 16 bits times 2^exponent, as bits of the type.
void Fill(const Tensor& tensor, aclDataType type, int exponent = 0) {
  std::vector<uint8_t> bytes(tensor.bytes());
  test::FixedSequence sequence;
  if (type == ACL_FLOAT) {
    std::fill_n(reinterpret_cast<float*>(bytes.data()), bytes.size() / 4, 0.01f);
  } else if (type == ACL_FLOAT16 || type == ACL_BF16) {
    auto* halves = reinterpret_cast<uint16_t*>(bytes.data());
    const int base = type == ACL_FLOAT16 ? 0x3000 + exponent * 0x400 : 0x3e00 + exponent * 0x80;
    const uint32_t varied = type == ACL_FLOAT16 ? 0x8bff : 0x80ff;
    for (size_t i = 0; i < bytes.size() / 2; ++i) {
      halves[i] = static_cast<uint16_t>(base ^ static_cast<int>(sequence.Bits(16) & varied));
    }
  } else {
    bytes = sequence.Bytes(bytes.size());
  }
  tensor.Upload(bytes.data());
}

// Score columns of all query rows of one head.
double Columns(const Shape& s) {
  double columns = 0;
  for (int64_t i = 0; i < s.query; ++i) {
    const auto [first, last] = ColumnsOf(s, i);
    columns += static_cast<double>(last - first);
  }
  return columns;
}

HostTensor Host(aclDataType type, const std::unique_ptr<Tensor>& tensor) {
  HostTensor host{type, {}};
  if (tensor == nullptr) return host;
  host.bytes.resize(tensor->bytes());
  tensor->Download(host.bytes.data());
  return host;
}

class AttentionRun {
 public:
  AttentionRun(const Shape& s, aclrtStream stream) : s_(s), stream_(stream) {
    query_ = Make(QueryType(s), QueryDims(s));
    out_ = Make(OutType(), QueryDims(s));
    key_ = Make(CacheType(s), CacheDims(s));
    value_ = Make(CacheType(s), CacheDims(s));
    if (s.lse) lse_ = Make(ACL_FLOAT, {s.batch, s.heads, s.query, 1});
    if (s.sparse >= 2) mask_ = Make(ACL_BOOL, {2048, 2048});
    if (IsSeparate(s)) MakeScales();
    if (s.type == AttentionType::kInt8All) {
      deq1_ = MakeScale(kDeqScale1);
      quant1_ = MakeScale(kQuantScale1);
      deq2_ = MakeScale(kDeqScale2);
    }
    if (IsPaged(s)) MakeTable();
    const aclTensor* key = key_->get();
    const aclTensor* value = value_->get();
    key_list_ = aclCreateTensorList(&key, 1);
    value_list_ = aclCreateTensorList(&value, 1);
    const std::vector<int64_t> lengths(static_cast<size_t>(s.batch), s.keys);
    lengths_ = aclCreateIntArray(lengths.data(), lengths.size());
  }
  ~AttentionRun() { aclDestroyIntArray(lengths_); }
  AttentionRun(const AttentionRun&) = delete;
  AttentionRun& operator=(const AttentionRun&) = delete;

  double flops() const {
    return 4.0 * static_cast<double>(s_.batch * s_.heads * s_.dim) * Columns(s_);
  }
  // Of keys and values that count.
  double bytes() const { return static_cast<double>(key_->bytes() + value_->bytes()); }
  bool IsCached() const { return bytes() <= 0.75 * static_cast<double>(LastLevelCacheBytes()); }

  // Seconds.
  double PhaseOne() {
    char layout[] = "BSND";
    if (s_.cache != AttentionCache::kBsnd) std::copy_n("BNSD", 4, layout);
    const auto get = [](const std::unique_ptr<Tensor>& t) { return t ? t->get() : nullptr; };
    const int64_t mode = s_.type == AttentionType::kInt8Token ? 1 : 0;
    const double start = Now();
    Check(aclnnFusedInferAttentionScoreV2GetWorkspaceSize(
              get(query_), key_list_, value_list_, nullptr, get(mask_), nullptr, lengths_,
              get(deq1_), get(quant1_), get(deq2_), nullptr, nullptr, nullptr, nullptr, get(table_),
              nullptr, nullptr, get(key_scale_), nullptr, get(value_scale_), nullptr, nullptr,
              nullptr, nullptr, s_.heads, kScale, s_.pre_tokens, s_.sparse == 4 ? 0 : INT32_MAX,
              layout, s_.kv_heads, s_.sparse, 1, s_.block, 0, s_.lse, mode, mode, get(out_),
              get(lse_), &size_, &executor_),
          "aclnnFusedInferAttentionScoreV2GetWorkspaceSize");
    return Now() - start;
  }
  // Of the second phase.
  double Run() {
    PhaseOne();
    if (workspace_ == nullptr || workspace_->bytes() < size_) {
      workspace_ = std::make_unique<Tensor>(ACL_INT8, std::vector<int64_t>{int64_t(size_) + 1});
    }
    const double start = Now();
    Check(aclnnFusedInferAttentionScoreV2(workspace_->data(), size_, executor_, stream_),
          "aclnnFusedInferAttentionScoreV2");
    Check(aclrtSynchronizeStream(stream_), "aclrtSynchronizeStream");
    return Now() - start;
  }
  // What the last run has got wrong.
  std::string Error() const {
    return Difference(s_, {.query = Host(QueryType(s_), query_),
                           .key = Host(CacheType(s_), key_),
                           .value = Host(CacheType(s_), value_),
                           .out = Host(OutType(), out_),
                           .key_scale = Host(ScaleType(), key_scale_),
                           .value_scale = Host(ScaleType(), value_scale_),
                           .table = Host(ACL_INT32, table_),
                           .scale = kScale,
                           .deq1 = kDeqScale1,
                           .quant1 = kQuantScale1,
                           .deq2 = kDeqScale2});
  }
  void Forget() { Check(aclDestroyAclOpExecutor(executor_), "aclDestroyAclOpExecutor"); }

 private:
  static std::unique_ptr<Tensor> Make(aclDataType type, const std::vector<int64_t>& dims) {
    auto tensor = std::make_unique<Tensor>(type, dims);
    Fill(*tensor, type);
    return tensor;
  }
  static std::unique_ptr<Tensor> MakeScale(float scale) {
    auto tensor = std::make_unique<Tensor>(ACL_FLOAT, std::vector<int64_t>{1});
    tensor->Upload(&scale);
    return tensor;
  }
  aclDataType OutType() const { return QueryType(s_) == ACL_INT8 ? ACL_FLOAT16 : QueryType(s_); }
  bool IsPerToken() const { return s_.type == AttentionType::kInt8Token; }
  aclDataType ScaleType() const { return IsPerToken() ? ACL_FLOAT : QueryType(s_); }
  void MakeScales() {
    const std::vector<int64_t> dims = IsPerToken()
                                          ? std::vector<int64_t>{1, s_.batch, s_.keys}
                                          : std::vector<int64_t>{1, s_.kv_heads, 1, s_.dim};
    for (auto* scale : {&key_scale_, &value_scale_}) {
      *scale = std::make_unique<Tensor>(ScaleType(), dims);
      Fill(**scale, ScaleType(), kScaleExponent);
    }
  }
  // Pages in no order.
  void MakeTable() {
    const int64_t width = s_.keys / s_.block;
    std::vector<int32_t> ids(static_cast<size_t>(s_.batch * width));
    for (size_t i = 0; i < ids.size(); ++i) {
      ids[i] = static_cast<int32_t>(i * 7919 % ids.size());  // 7919 is prime
    }
    table_ = std::make_unique<Tensor>(ACL_INT32, std::vector<int64_t>{s_.batch, width});
    table_->Upload(ids.data());
  }

  static constexpr double kScale = 0.088388;
  static constexpr int kScaleExponent = -5;  // for scores of about 1
  // All INT8: scores of about 1, weights in steps of 1/127.
  static constexpr float kDeqScale1 = 0x1p-13f;
  static constexpr float kQuantScale1 = 127;
  static constexpr float kDeqScale2 = 0x1p-13f;

  const Shape& s_;
  aclrtStream stream_;
  uint64_t size_ = 0;
  aclOpExecutor* executor_ = nullptr;
  std::unique_ptr<Tensor> query_, key_, value_, out_, lse_, mask_, table_, key_scale_, value_scale_,
      deq1_, quant1_, deq2_, workspace_;
  aclTensorList* key_list_ = nullptr;
  aclTensorList* value_list_ = nullptr;
  aclIntArray* lengths_ = nullptr;
};

// Decoding is held against reading, prompts against the peak of their arithmetic.
Ceiling CeilingOf(const AttentionRun& run, const Shape& shape) {
  if (shape.query > 1) {
    if (shape.type == AttentionType::kBf16) {
      return {"bf16 peak", [] { return ComputePeakRate("bf16_dot"); }};
    }
    return {"fp32 peak", [] { return ComputePeakRate("fp32_fma"); }};
  }
  if (run.IsCached()) {
    return {"cache read",
            [bytes = run.bytes()] { return CacheReadRate(static_cast<size_t>(bytes)); }};
  }
  return {"memory read", MemoryReadRate};
}

// The ceiling of memory changes within seconds: each run is compared with its neighbours.
void MeasureRun(benchmark::State& state, AttentionRun& run, const Shape& shape) {
  const Ceiling ceiling = CeilingOf(run, shape);
  for (auto _ : state) {
    run.Run();
    std::vector<double> seconds, ceilings = {ceiling.rate()}, percents;
    const double start = Now();
    while (seconds.size() < 7 && (seconds.empty() || Now() - start < 1.0)) {
      // The ceiling has filled the caches with its own.
      for (int i = 0; run.IsCached() && i < 5; ++i) run.Run();
      seconds.push_back(run.Run());
      ceilings.push_back(ceiling.rate());
      const double rate = (shape.query == 1 ? run.bytes() : run.flops()) / seconds.back();
      const double limit = (ceilings.back() + ceilings[ceilings.size() - 2]) / 2;
      percents.push_back(limit > 0 ? 100 * rate / limit : 0);
    }
    const double median = Median(seconds);
    state.SetIterationTime(median);
    state.counters[kBytesPerSecond] = run.bytes() / median;
    state.counters[kOperationsPerSecond] = run.flops() / median;
    if (ceilings[0] > 0) state.counters[kPercentOfCeiling] = Median(percents);
  }
  state.SetLabel(ceiling.label);
}

void MeasurePhaseOne(benchmark::State& state, AttentionRun& run) {
  for (auto _ : state) {
    std::vector<double> seconds;
    for (int i = 0; i < 2000; ++i) {
      seconds.push_back(run.PhaseOne());
      run.Forget();
    }
    state.SetIterationTime(Median(seconds));
    state.counters[kP99Seconds] = Quantile(seconds, 0.99);
  }
}

std::string NameOf(const Shape& s) {
  return std::string(s.name) + "_B" + std::to_string(s.batch) + "_Sq" + std::to_string(s.query) +
         "_S" + std::to_string(s.keys) + "_N" + std::to_string(s.heads) + "_" +
         std::to_string(s.kv_heads) + "_D" + std::to_string(s.dim) + "_" + NameOf(s.type) +
         (IsPaged(s) ? "_paged" : "");
}

}  // namespace

void RegisterAttention(aclrtStream stream) {
  struct Current {
    const Shape* shape = nullptr;
    std::unique_ptr<AttentionRun> run;
    std::string error;
  };
  // Made when its benchmark first runs, kept for the repetitions.
  const auto current = std::make_shared<Current>();
  const auto run_of = [=](const Shape& shape) -> AttentionRun& {
    if (current->shape != &shape) {
      current->run.reset();
      current->run = std::make_unique<AttentionRun>(shape, stream);
      current->run->Run();
      current->error = current->run->Error();
      current->shape = &shape;
    }
    return *current->run;
  };
  const auto add = [=](const std::string& name, const Shape& shape, const auto& measure) {
    const auto body = [=, &shape](benchmark::State& state) {
      AttentionRun& run = run_of(shape);
      if (!current->error.empty()) {
        state.SkipWithError(current->error.c_str());
        return;
      }
      measure(state, run);
    };
    benchmark::RegisterBenchmark(name.c_str(), body)->Apply(OneSamplePerRepetition);
  };
  for (const Shape& shape : kAttentionShapes) {
    add("Attention/" + NameOf(shape), shape,
        [&shape](benchmark::State& state, AttentionRun& run) { MeasureRun(state, run, shape); });
    add("AttentionPhaseOne/" + NameOf(shape), shape, MeasurePhaseOne);
  }
}

}  // namespace anyacl::bench
