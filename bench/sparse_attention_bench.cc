// SPDX-License-Identifier: Apache-2.0
#include "sparse_attention_bench.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "aclnnop/aclnn_block_sparse_attention.h"
#include "aclnnop/aclnn_block_sparse_attention_grad.h"
#include "aclnnop/aclnn_lightning_indexer.h"
#include "aclnnop/aclnn_sparse_flash_attention.h"
#include "ceilings.h"
#include "measure.h"
#include "operator_call.h"
#include "reference/sparse_attention.h"
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
std::vector<double> Numbers(int64_t first, int64_t count) {
  std::vector<double> numbers;
  for (int64_t i = first; i < first + count; ++i) numbers.push_back(double{ValueAt(i)});
  return numbers;
}

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
    const std::vector<double> keys = Numbers(0, c_.keys * kDim);
    for (int64_t token : {int64_t{0}, c_.tokens - 1}) {
      const std::vector<double> query = Numbers(token * kHeads * kDim, kHeads * kDim);
      const std::vector<double> weights = Numbers(token * kHeads, kHeads);
      std::vector<double> scores;
      for (int64_t j = 0; j < c_.keys; ++j) {
        scores.push_back(
            test::IndexerScore(query.data(), weights.data(), keys.data() + j * kDim, kHeads, kDim));
      }
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
      std::vector<double> scores;
      for (int64_t k = 0; k < kChosen; ++k) {
        scores.push_back(Score(row, IndexAt(row / kHeads, k)));
      }
      const test::Attention attention = test::AttentionOf(scores);
      for (int64_t d = 0; d < kDim; ++d) {
        double expected = 0;
        for (int64_t k = 0; k < kChosen; ++k) {
          const int64_t key = IndexAt(row / kHeads, k);
          expected += attention.probabilities[static_cast<size_t>(k)] * ValueAt(key * kDim + d);
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

// Sequences whose blocks of 128 queries see all blocks of 128 keys, every fourth one, or a quarter
// of them; each head of its own.
struct BlockCase {
  const char* name;
  struct Lengths {
    int64_t rows, keys;
  };
  std::vector<Lengths> sequences;
};
const BlockCase kBlockCases[] = {
    {"prompt_S2048", {{2048, 2048}}},
    // Single tokens beside prompts, of which none is a whole number of tiles.
    {"mixed_S1to1100",
     {{1, 4096}, {1100, 1100}, {1, 2000}, {300, 300}, {64, 1024}, {1, 4096}, {777, 777}, {1, 600}}},
};

// The forward call, or with it once the gradients.
class BlockSparseCall final : public SparseCall {
 public:
  BlockSparseCall(const BlockCase& c, bool gradients, aclrtStream stream)
      : SparseCall(stream, TokensOf(c, &BlockCase::Lengths::rows)),
        c_(c),
        gradients_(gradients),
        rows_(elements()),
        keys_(TokensOf(c, &BlockCase::Lengths::keys)),
        query_(ACL_FLOAT16, {rows_, kHeads, kDim}),
        key_(ACL_FLOAT16, {keys_, kHeads, kDim}),
        mask_(ACL_INT8, MaskShape()),
        out_(ACL_FLOAT16, {rows_, kHeads, kDim}),
        lse_(ACL_FLOAT, {rows_, kHeads, 1}),
        dq_(ACL_FLOAT16, {rows_, kHeads, kDim}),
        dk_(ACL_FLOAT16, {keys_, kHeads, kDim}),
        dv_(ACL_FLOAT16, {keys_, kHeads, kDim}) {
    for (const Tensor* tensor : {&query_, &key_}) Fill(*tensor, ACL_FLOAT16, ValueAt);
    const std::vector<int64_t> shape = MaskShape();
    Fill(mask_, ACL_INT8, [&](int64_t i) {
      return Sees(i / shape[3] / shape[2] % kHeads, i / shape[3] % shape[2], i % shape[3]) ? 1.0f
                                                                                           : 0.0f;
    });
    EnqueueForward();
    Run();
    set_error(FirstDifference());
  }

  size_t bytes() const override {
    return gradients_ ? 4 * query_.bytes() + lse_.bytes() + 4 * key_.bytes()
                      : 2 * query_.bytes() + lse_.bytes() + 2 * key_.bytes();
  }
  double operations() const override {
    double pairs = 0;
    for (const auto& [rows, keys] : c_.sequences) {
      for (int64_t head = 0; head < kHeads; ++head) {
        for (int64_t i = 0; i < rows; ++i) {
          for (int64_t j = 0; j < keys; j += kBlock) {
            if (Sees(head, i / kBlock, j / kBlock)) {
              pairs += static_cast<double>(std::min(kBlock, keys - j));
            }
          }
        }
      }
    }
    return (gradients_ ? 10.0 : 4.0) * kDim * pairs;
  }
  const char* peak() const override { return "fp32_fma"; }
  void Enqueue() override { gradients_ ? EnqueueGradients() : EnqueueForward(); }

 private:
  static constexpr int64_t kHeads = 8, kDim = 128, kBlock = 128;
  static constexpr double kScale = 0.02;

  static int64_t TokensOf(const BlockCase& c, int64_t BlockCase::Lengths::*of) {
    int64_t tokens = 0;
    for (const auto& lengths : c.sequences) tokens += lengths.*of;
    return tokens;
  }
  std::vector<int64_t> MaskShape() const {
    std::vector<int64_t> shape = {static_cast<int64_t>(c_.sequences.size()), kHeads, 0, 0};
    for (const auto& [rows, keys] : c_.sequences) {
      shape[2] = std::max(shape[2], (rows + kBlock - 1) / kBlock);
      shape[3] = std::max(shape[3], (keys + kBlock - 1) / kBlock);
    }
    return shape;
  }
  static bool Sees(int64_t head, int64_t i, int64_t j) {
    return i % 4 == 1 || (3 * i + 7 * j + head) % 4 == 0;
  }

  static aclTensor* Result(const Tensor& tensor) { return const_cast<aclTensor*>(tensor.get()); }

  // A call of an operator whose lengths and blocks are these arrays.
  template <class Call>
  void WithArrays(const Call& call) {
    std::vector<int64_t> rows, keys;
    for (const auto& lengths : c_.sequences) {
      rows.push_back(lengths.rows);
      keys.push_back(lengths.keys);
    }
    const int64_t blocks[] = {kBlock, kBlock};
    aclIntArray* arrays[] = {aclCreateIntArray(blocks, 2),
                             aclCreateIntArray(rows.data(), rows.size()),
                             aclCreateIntArray(keys.data(), keys.size())};
    call(arrays[0], arrays[1], arrays[2]);
    for (const aclIntArray* array : arrays) aclDestroyIntArray(array);
  }
  void EnqueueForward() {
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    char layout[] = "TND";
    WithArrays([&](const aclIntArray* blocks, const aclIntArray* rows, const aclIntArray* keys) {
      Check(aclnnBlockSparseAttentionGetWorkspaceSize(
                query_.get(), key_.get(), key_.get(), mask_.get(), nullptr, blocks, rows, keys,
                nullptr, layout, layout, kHeads, 0, kScale, 0, 0, INT32_MAX, INT32_MAX, 1,
                Result(out_), Result(lse_), &size, &executor),
            "aclnnBlockSparseAttention");
    });
    Check(aclnnBlockSparseAttention(Workspace(size), size, executor, stream()),
          "aclnnBlockSparseAttention");
  }
  // Of a gradient that is the query.
  void EnqueueGradients() {
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    char layout[] = "TND";
    WithArrays([&](const aclIntArray* blocks, const aclIntArray* rows, const aclIntArray* keys) {
      Check(aclnnBlockSparseAttentionGradGetWorkspaceSize(
                query_.get(), query_.get(), key_.get(), key_.get(), out_.get(), lse_.get(),
                mask_.get(), nullptr, blocks, rows, keys, layout, layout, kHeads, 0, kScale,
                INT32_MAX, INT32_MAX, Result(dq_), Result(dk_), Result(dv_), &size, &executor),
            "aclnnBlockSparseAttentionGrad");
    });
    Check(aclnnBlockSparseAttentionGrad(Workspace(size), size, executor, stream()),
          "aclnnBlockSparseAttentionGrad");
  }

  // Of the first token's last head, and the last token's: keys are values, and queries gradients.
  std::string FirstDifference() const {
    const std::vector<double> results = ReadAll(gradients_ ? dq_ : out_, ACL_FLOAT16);
    for (bool last : {false, true}) {
      const auto& [rows, keys] = last ? c_.sequences.back() : c_.sequences.front();
      const int64_t row = (last ? rows_ : 1) * kHeads - 1;
      const int64_t block = last ? (rows - 1) / kBlock : 0, first = last ? keys_ - keys : 0;
      std::vector<double> scores, products, expected(kDim);
      double delta = 0;
      for (int64_t j = 0; j < keys; ++j) {
        double product = 0;
        for (int64_t d = 0; d < kDim; ++d) product += KeyAt(first + j, d) * ValueAt(row * kDim + d);
        products.push_back(product);
        const bool sees = Sees(kHeads - 1, block, j / kBlock);
        scores.push_back(sees ? product * kScale : -INFINITY);
      }
      const std::vector<double> weights = test::AttentionOf(scores).probabilities;
      for (size_t j = 0; j < weights.size(); ++j) delta += weights[j] * products[j];
      for (size_t j = 0; j < weights.size(); ++j) {
        const double factor = gradients_ ? (products[j] - delta) * kScale : 1;
        for (int64_t d = 0; d < kDim; ++d) {
          expected[static_cast<size_t>(d)] +=
              weights[j] * factor * KeyAt(first + static_cast<int64_t>(j), d);
        }
      }
      for (size_t d = 0; d < expected.size(); ++d) {
        const size_t at = static_cast<size_t>(row * kDim) + d;
        const std::string difference =
            Difference("result", at, results[at], expected[d], 4 * UnitOf(ACL_FLOAT16));
        if (!difference.empty()) return difference;
      }
    }
    return "";
  }
  static double KeyAt(int64_t token, int64_t d) {
    return ValueAt((token * kHeads + kHeads - 1) * kDim + d);
  }

  const BlockCase& c_;
  const bool gradients_;
  const int64_t rows_, keys_;
  Tensor query_, key_, mask_, out_, lse_, dq_, dk_, dv_;
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
  for (bool gradients : {false, true}) {
    for (const BlockCase& c : kBlockCases) {
      RegisterCall(
          std::string("SparseAttention/BlockSparseAttention") + (gradients ? "Grad/" : "/") +
              c.name,
          current,
          [&c, gradients, current] {
            return std::make_unique<BlockSparseCall>(c, gradients, current->stream());
          },
          MeasureOperations);
    }
  }
}

}  // namespace anyacl::bench
