// SPDX-License-Identifier: Apache-2.0
#include "sparse_attention_bench.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "aclnnop/aclnn_lightning_indexer.h"
#include "aclnnop/aclnn_sparse_flash_attention.h"
#include "ceilings.h"
#include "measure.h"
#include "operator_call.h"
#include "report.h"
#include "typed_values.h"

namespace anyacl::bench {
namespace {

// Tokens of one sequence, which see all of its keys, as DeepSeek-V3.2 has them.
struct Case {
  const char* name;
  int64_t tokens, keys;
};
constexpr Case kCases[] = {{"decode", 4, 8192}, {"prompt", 128, 8192}, {"long", 32, 65536}};
constexpr int64_t kChosen = 2048;

// Multiples of 1/32 between -1 and 1 in an order without a pattern.
float ValueAt(int64_t i) { return static_cast<float>(i * 7919 % 10007 % 65 - 32) / 32.0f; }

class SparseCall : public OperatorCall {
 public:
  using OperatorCall::OperatorCall;
  virtual double operations() const = 0;
  virtual const char* peak() const = 0;
};

class IndexerCall final : public SparseCall {
 public:
  IndexerCall(const Case& c, aclrtStream stream)
      : SparseCall(stream, c.tokens * c.keys),
        c_(c),
        query_(ACL_BF16, {1, c.tokens, kHeads, kDim}),
        key_(ACL_BF16, {1, c.keys, 1, kDim}),
        weights_(ACL_BF16, {1, c.tokens, kHeads}),
        indices_(ACL_INT32, {1, c.tokens, 1, kChosen}),
        values_(ACL_BF16, {1}) {
    for (const Tensor* tensor : {&query_, &key_, &weights_}) Fill(*tensor, ACL_BF16, ValueAt);
    Run();
    set_error(FirstDifference());
  }

  size_t bytes() const override {
    return query_.bytes() + key_.bytes() + weights_.bytes() + indices_.bytes();
  }
  double operations() const override {
    return 2.0 * kHeads * kDim * static_cast<double>(c_.tokens * c_.keys);
  }
  // Its products are those of fp32 on every machine.
  const char* peak() const override { return "fp32_fma"; }

  void Enqueue() override {
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    char layout[] = "BSND";
    Check(aclnnLightningIndexerGetWorkspaceSize(query_.get(), key_.get(), weights_.get(), nullptr,
                                                nullptr, nullptr, layout, layout, kChosen, 0,
                                                INT64_MAX, INT64_MAX, false, indices_.get(),
                                                values_.get(), &size, &executor),
          "aclnnLightningIndexer");
    Check(aclnnLightningIndexer(Workspace(size), size, executor, stream()),
          "aclnnLightningIndexer");
  }

 private:
  static constexpr int64_t kHeads = 64, kDim = 128;

  // Of the first token and the last: as good as the best, though perhaps not the same.
  std::string FirstDifference() const {
    const std::vector<double> indices = ReadAll(indices_, ACL_INT32);
    for (int64_t token : {int64_t{0}, c_.tokens - 1}) {
      std::vector<double> scores;
      for (int64_t j = 0; j < c_.keys; ++j) scores.push_back(Score(token, j));
      std::vector<double> best = scores;
      std::partial_sort(best.begin(), best.begin() + kChosen, best.end(), std::greater<>());
      for (int64_t k = 0; k < kChosen; ++k) {
        const auto at = static_cast<size_t>(token * kChosen + k);
        const auto index = static_cast<size_t>(indices[at]);
        if (indices[at] < 0 || index >= scores.size()) return "an index is none";
        const std::string difference =
            Difference("score", at, scores[index], best[static_cast<size_t>(k)], 1e-4);
        if (!difference.empty()) return difference;
      }
    }
    return "";
  }
  static double Score(int64_t token, int64_t key) {
    double score = 0;
    for (int64_t n = 0; n < kHeads; ++n) {
      const int64_t row = token * kHeads + n;
      double product = 0;
      for (int64_t d = 0; d < kDim; ++d) {
        product += double{ValueAt(row * kDim + d)} * ValueAt(key * kDim + d);
      }
      score += ValueAt(row) * std::max(0.0, product);
    }
    return score;
  }

  const Case c_;
  Tensor query_, key_, weights_, indices_, values_;
};

class AttentionCall final : public SparseCall {
 public:
  AttentionCall(const Case& c, aclrtStream stream)
      : SparseCall(stream, c.tokens * kChosen),
        c_(c),
        query_(ACL_BF16, {1, c.tokens, kHeads, kDim}),
        query_rope_(ACL_BF16, {1, c.tokens, kHeads, kRope}),
        key_(ACL_BF16, {1, c.keys, 1, kDim}),
        key_rope_(ACL_BF16, {1, c.keys, 1, kRope}),
        indices_(ACL_INT32, {1, c.tokens, 1, kChosen}),
        out_(ACL_BF16, {1, c.tokens, kHeads, kDim}),
        statistic_(ACL_FLOAT, {1}) {
    for (const Tensor* tensor : {&query_, &query_rope_, &key_, &key_rope_}) {
      Fill(*tensor, ACL_BF16, ValueAt);
    }
    std::vector<int32_t> indices;
    for (int64_t i = 0; i < c.tokens * kChosen; ++i) {
      indices.push_back(static_cast<int32_t>(IndexAt(i / kChosen, i % kChosen)));
    }
    indices_.Upload(indices.data());
    Run();
    set_error(FirstDifference());
  }

  // Keys that several tokens choose are read once.
  size_t bytes() const override {
    const int64_t chosen = std::min(c_.keys, c_.tokens * kChosen);
    return query_.bytes() + query_rope_.bytes() + indices_.bytes() + out_.bytes() +
           static_cast<size_t>(chosen * (kDim + kRope) * 2);
  }
  double operations() const override {
    return 2.0 * kHeads * (2 * kDim + kRope) * static_cast<double>(c_.tokens * kChosen);
  }
  const char* peak() const override {
    return ComputePeakRate("bf16_dot") > 0 ? "bf16_dot" : "fp32_fma";
  }

  void Enqueue() override {
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    char layout[] = "BSND";
    Check(
        aclnnSparseFlashAttentionGetWorkspaceSize(
            query_.get(), key_.get(), key_.get(), indices_.get(), nullptr, nullptr, nullptr,
            query_rope_.get(), key_rope_.get(), kScale, 1, layout, layout, 0, INT64_MAX, INT64_MAX,
            2, false, out_.get(), statistic_.get(), statistic_.get(), &size, &executor),
        "aclnnSparseFlashAttention");
    Check(aclnnSparseFlashAttention(Workspace(size), size, executor, stream()),
          "aclnnSparseFlashAttention");
  }

 private:
  static constexpr int64_t kHeads = 128, kDim = 512, kRope = 64;
  static constexpr double kScale = 0.04;

  int64_t IndexAt(int64_t token, int64_t k) const { return (k * 7919 + token) % c_.keys; }

  // Of the first token's first head and the last one's last.
  std::string FirstDifference() const {
    const std::vector<double> out = ReadAll(out_, ACL_BF16);
    for (int64_t row : {int64_t{0}, c_.tokens * kHeads - 1}) {
      std::vector<double> weights;
      double most = -INFINITY, total = 0;
      for (int64_t k = 0; k < kChosen; ++k) {
        weights.push_back(Score(row, IndexAt(row / kHeads, k)));
        most = std::max(most, weights.back());
      }
      for (double& weight : weights) total += weight = std::exp(weight - most);
      for (int64_t d = 0; d < kDim; ++d) {
        double expected = 0;
        for (int64_t k = 0; k < kChosen; ++k) {
          const int64_t key = IndexAt(row / kHeads, k);
          expected += weights[static_cast<size_t>(k)] / total * ValueAt(key * kDim + d);
        }
        const auto at = static_cast<size_t>(row * kDim + d);
        const std::string difference = Difference("out", at, out[at], expected, UnitOf(ACL_BF16));
        if (!difference.empty()) return difference;
      }
    }
    return "";
  }
  static double Score(int64_t row, int64_t key) {
    double score = 0;
    for (int64_t d = 0; d < kDim; ++d) {
      score += double{ValueAt(row * kDim + d)} * ValueAt(key * kDim + d);
    }
    for (int64_t d = 0; d < kRope; ++d) {
      score += double{ValueAt(row * kRope + d)} * ValueAt(key * kRope + d);
    }
    return score * kScale;
  }

  const Case c_;
  Tensor query_, query_rope_, key_, key_rope_, indices_, out_, statistic_;
};

// Operations against the peak of their arithmetic, measured before and after each call.
void MeasureOperations(benchmark::State& state, OperatorCall& any) {
  auto& call = static_cast<SparseCall&>(any);
  const char* const peak = call.peak();
  for (auto _ : state) {
    std::vector<double> seconds, percents, peaks = {ComputePeakRate(peak)};
    const double begin = Now();
    while (seconds.size() < 7 && (seconds.empty() || Now() - begin < 1.0)) {
      const double start = Now();
      call.Run();
      seconds.push_back(Now() - start);
      peaks.push_back(ComputePeakRate(peak));
      const double limit = (peaks.back() + peaks[peaks.size() - 2]) / 2;
      percents.push_back(limit > 0 ? 100 * call.operations() / seconds.back() / limit : 0);
    }
    const double median = Median(seconds);
    state.SetIterationTime(median);
    state.counters[kBytesPerSecond] = static_cast<double>(call.bytes()) / median;
    state.counters[kOperationsPerSecond] = call.operations() / median;
    state.counters[kCeilingOperationsPerSecond] = Median(peaks);
    state.counters[kPercentOfCeiling] = Median(percents);
  }
  state.SetLabel(std::string(peak) + " peak");
}

template <class Call>
void Register(const char* name, const std::shared_ptr<CurrentCall>& current) {
  for (const Case& c : kCases) {
    RegisterCall(
        std::string("SparseAttention/") + name + "/" + c.name + "_T" + std::to_string(c.tokens) +
            "_S" + std::to_string(c.keys),
        current, [&c, current] { return std::make_unique<Call>(c, current->stream()); },
        MeasureOperations);
  }
}

}  // namespace

void RegisterSparseAttention(aclrtStream stream) {
  const auto current = std::make_shared<CurrentCall>(stream);
  Register<IndexerCall>("LightningIndexer", current);
  Register<AttentionCall>("SparseFlashAttention", current);
}

}  // namespace anyacl::bench
