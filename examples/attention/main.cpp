// SPDX-License-Identifier: Apache-2.0
// The attention of a small decoder layer: two prompts are prefilled under a causal mask, their keys
// and values move to a paged INT8 cache, and 64 tokens are generated from there. Every call is
// compared with attention in double over the same keys and values.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "../device.h"
#include "aclnnop/aclnn_fused_infer_attention_score_v2.h"

namespace {

constexpr int kBatch = 2;
constexpr int kHeads = 8;
constexpr int kKvHeads = 2;  // four query heads share one head of keys and values
constexpr int kDim = 64;
constexpr int kPrompt = 48;  // rows of the prompts' tensors
constexpr int kSteps = 64;
constexpr int kBlock = 32;  // tokens of a page
constexpr int kBlocksPerSequence = (kPrompt + kSteps + kBlock - 1) / kBlock;
const double kScale = 1.0 / std::sqrt(static_cast<double>(kDim));
const std::vector<int64_t> kPromptLengths = {48, 19};

using Floats = std::vector<float>;

// What the projections of a layer would give: here, random numbers as fp16 holds them.
Floats RandomHalves(size_t count) {
  static std::mt19937 engine(7);
  std::uniform_real_distribution<float> number(-1, 1);
  Floats values(count);
  for (float& value : values) value = aclFloat16ToFloat(aclFloatToFloat16(number(engine)));
  return values;
}

std::vector<aclFloat16> ToFloat16(const Floats& values) {
  std::vector<aclFloat16> halves(values.size());
  std::transform(values.begin(), values.end(), halves.begin(), aclFloatToFloat16);
  return halves;
}

// The keys or the values of one sequence: [token][head][d].
struct Sequence {
  Floats rows;
  int tokens() const { return static_cast<int>(rows.size()) / (kKvHeads * kDim); }
  const float* Row(int token, int head) const {
    return rows.data() + (token * kKvHeads + head) * kDim;
  }
};

// One query row over the first `tokens` keys.
std::vector<double> Reference(const float* query, const Sequence& keys, const Sequence& values,
                              int head, int tokens) {
  std::vector<double> scores(tokens), out(kDim, 0.0);
  for (int j = 0; j < tokens; ++j) {
    double sum = 0;
    for (int d = 0; d < kDim; ++d) sum += static_cast<double>(query[d]) * keys.Row(j, head)[d];
    scores[j] = sum * kScale;
  }
  const double max = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (int j = 0; j < tokens; ++j) {
    const double p = std::exp(scores[j] - max);
    sum += p;
    for (int d = 0; d < kDim; ++d) out[d] += p * values.Row(j, head)[d];
  }
  for (double& x : out) x /= sum;
  return out;
}

double LargestError(const aclFloat16* actual, const std::vector<double>& expected) {
  double error = 0;
  for (int d = 0; d < kDim; ++d) {
    error = std::max(error, std::abs(aclFloat16ToFloat(actual[d]) - expected[d]));
  }
  return error;
}

// A list of one tensor. Destroying the list would destroy the tensor with it, which has an owner.
struct TensorList {
  explicit TensorList(const aclTensor* tensor) : list(aclCreateTensorList(&tensor, 1)) {}
  aclTensorList* list;
};

struct IntArray {
  explicit IntArray(const std::vector<int64_t>& values)
      : array(aclCreateIntArray(values.data(), values.size())) {}
  ~IntArray() { aclDestroyIntArray(array); }
  IntArray(const IntArray&) = delete;
  IntArray& operator=(const IntArray&) = delete;
  aclIntArray* array;
};

// The prompts: [B, N, S, D], rows behind a prompt's length are ignored.
double Prefill(std::vector<Sequence>* keys, std::vector<Sequence>* values, aclrtStream stream) {
  const Floats q = RandomHalves(kBatch * kHeads * kPrompt * kDim);
  const Floats k = RandomHalves(kBatch * kKvHeads * kPrompt * kDim);
  const Floats v = RandomHalves(kBatch * kKvHeads * kPrompt * kDim);
  const DeviceTensor query(ACL_FLOAT16, {kBatch, kHeads, kPrompt, kDim}, ToFloat16(q));
  const DeviceTensor key(ACL_FLOAT16, {kBatch, kKvHeads, kPrompt, kDim}, ToFloat16(k));
  const DeviceTensor value(ACL_FLOAT16, {kBatch, kKvHeads, kPrompt, kDim}, ToFloat16(v));
  const DeviceTensor out(ACL_FLOAT16, {kBatch, kHeads, kPrompt, kDim});
  // Mode 3 wants the compressed mask, whatever the lengths: 1 above the diagonal.
  std::vector<uint8_t> triangle(2048 * 2048, 0);
  for (int i = 0; i < 2048; ++i) {
    std::fill(triangle.begin() + i * 2048 + i + 1, triangle.begin() + (i + 1) * 2048, 1);
  }
  const DeviceTensor mask(ACL_BOOL, {2048, 2048}, triangle);
  const TensorList key_list(key.get()), value_list(value.get());
  const IntArray lengths(kPromptLengths);
  char layout[] = "BNSD";
  uint64_t workspace_size = 0;
  aclOpExecutor* executor = nullptr;
  Check(aclnnFusedInferAttentionScoreV2GetWorkspaceSize(
            query.get(), key_list.list, value_list.list, nullptr, mask.get(), lengths.array,
            lengths.array, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
            nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, kHeads,
            kScale, INT32_MAX, INT32_MAX, layout, kKvHeads, 3, 1, 0, 0, false, 0, 0, out.get(),
            nullptr, &workspace_size, &executor),
        "aclnnFusedInferAttentionScoreV2GetWorkspaceSize");
  RunAndWait("aclnnFusedInferAttentionScoreV2", aclnnFusedInferAttentionScoreV2, workspace_size,
             executor, stream);

  const std::vector<aclFloat16> result = out.Download<aclFloat16>();
  double error = 0;
  for (int b = 0; b < kBatch; ++b) {
    for (int token = 0; token < kPromptLengths[b]; ++token) {
      for (int g = 0; g < kKvHeads; ++g) {
        const size_t row = ((b * kKvHeads + g) * kPrompt + token) * kDim;
        (*keys)[b].rows.insert((*keys)[b].rows.end(), k.begin() + row, k.begin() + row + kDim);
        (*values)[b].rows.insert((*values)[b].rows.end(), v.begin() + row, v.begin() + row + kDim);
      }
    }
    for (int n = 0; n < kHeads; ++n) {
      for (int i = 0; i < kPromptLengths[b]; ++i) {
        const size_t row = ((b * kHeads + n) * kPrompt + i) * kDim;
        const std::vector<double> expected =
            Reference(q.data() + row, (*keys)[b], (*values)[b], n / (kHeads / kKvHeads), i + 1);
        error = std::max(error, LargestError(result.data() + row, expected));
      }
    }
  }
  return error;
}

// Keys or values in pages, a scale per channel. The host's copy holds what the numbers stand for.
class PagedCache {
 public:
  PagedCache()
      : scales_(kKvHeads * kDim, aclFloat16ToFloat(aclFloatToFloat16(1.0f / 127))),
        bytes_(kBatch * kBlocksPerSequence * kBlock * kKvHeads * kDim, 0) {}

  // `row`: [head][d]. Returns what the cache holds of it.
  Floats Append(int block, int offset, const float* row) {
    Floats kept;
    for (int c = 0; c < kKvHeads * kDim; ++c) {
      const float number = std::max(-128.0f, std::min(127.0f, std::nearbyint(row[c] / scales_[c])));
      bytes_[(block * kBlock + offset) * kKvHeads * kDim + c] = static_cast<int8_t>(number);
      kept.push_back(number * scales_[c]);
    }
    return kept;
  }

  const std::vector<int8_t>& bytes() const { return bytes_; }
  const Floats& scales() const { return scales_; }

 private:
  Floats scales_;
  std::vector<int8_t> bytes_;
};

// The sequences as the cache holds them, and where: pages are handed out as they are needed.
struct Generation {
  std::vector<Sequence> keys = std::vector<Sequence>(kBatch);
  std::vector<Sequence> values = std::vector<Sequence>(kBatch);
  PagedCache key_cache;
  PagedCache value_cache;
  std::vector<int32_t> table = std::vector<int32_t>(kBatch * kBlocksPerSequence, -1);
  int next_block = kBatch * kBlocksPerSequence;

  void Append(int b, const float* key, const float* value) {
    const int token = keys[b].tokens();
    int32_t& block = table[b * kBlocksPerSequence + token / kBlock];
    if (token % kBlock == 0) block = --next_block;
    const Floats kept_key = key_cache.Append(block, token % kBlock, key);
    const Floats kept_value = value_cache.Append(block, token % kBlock, value);
    keys[b].rows.insert(keys[b].rows.end(), kept_key.begin(), kept_key.end());
    values[b].rows.insert(values[b].rows.end(), kept_value.begin(), kept_value.end());
  }
};

// One new token per sequence.
double Decode(Generation* generation, aclrtStream stream) {
  const Floats q = RandomHalves(kBatch * kHeads * kDim);
  std::vector<int64_t> lengths;
  for (int b = 0; b < kBatch; ++b) {
    const Floats key = RandomHalves(kKvHeads * kDim), value = RandomHalves(kKvHeads * kDim);
    generation->Append(b, key.data(), value.data());
    lengths.push_back(generation->keys[b].tokens());
  }
  const std::vector<int64_t> pool = {kBatch * kBlocksPerSequence, kBlock, kKvHeads * kDim};
  const DeviceTensor query(ACL_FLOAT16, {kBatch, kHeads, 1, kDim}, ToFloat16(q));
  const DeviceTensor key(ACL_INT8, pool, generation->key_cache.bytes());
  const DeviceTensor value(ACL_INT8, pool, generation->value_cache.bytes());
  const DeviceTensor key_scale(ACL_FLOAT16, {1, kKvHeads, 1, kDim},
                               ToFloat16(generation->key_cache.scales()));
  const DeviceTensor value_scale(ACL_FLOAT16, {1, kKvHeads, 1, kDim},
                                 ToFloat16(generation->value_cache.scales()));
  const DeviceTensor table(ACL_INT32, {kBatch, kBlocksPerSequence}, generation->table);
  const DeviceTensor out(ACL_FLOAT16, {kBatch, kHeads, 1, kDim});
  const TensorList key_list(key.get()), value_list(value.get());
  const IntArray kv_lengths(lengths);
  char layout[] = "BNSD";
  uint64_t workspace_size = 0;
  aclOpExecutor* executor = nullptr;
  Check(aclnnFusedInferAttentionScoreV2GetWorkspaceSize(
            query.get(), key_list.list, value_list.list, nullptr, nullptr, nullptr,
            kv_lengths.array, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
            table.get(), nullptr, nullptr, key_scale.get(), nullptr, value_scale.get(), nullptr,
            nullptr, nullptr, nullptr, kHeads, kScale, INT32_MAX, INT32_MAX, layout, kKvHeads, 0, 1,
            kBlock, 0, false, 0, 0, out.get(), nullptr, &workspace_size, &executor),
        "aclnnFusedInferAttentionScoreV2GetWorkspaceSize");
  RunAndWait("aclnnFusedInferAttentionScoreV2", aclnnFusedInferAttentionScoreV2, workspace_size,
             executor, stream);

  const std::vector<aclFloat16> result = out.Download<aclFloat16>();
  double error = 0;
  for (int b = 0; b < kBatch; ++b) {
    for (int n = 0; n < kHeads; ++n) {
      const size_t row = (b * kHeads + n) * kDim;
      const std::vector<double> expected =
          Reference(q.data() + row, generation->keys[b], generation->values[b],
                    n / (kHeads / kKvHeads), generation->keys[b].tokens());
      error = std::max(error, LargestError(result.data() + row, expected));
    }
  }
  return error;
}

bool Report(const std::string& what, double error) {
  // fp16 results below 1 are rounded by 2^-12 at most.
  constexpr double kTolerance = 4e-4;
  const bool right = error <= kTolerance;
  std::printf("%-46s largest error %.2e%s\n", what.c_str(), error, right ? "" : "  FAILED");
  return right;
}

}  // namespace

int main() {
  const Device device;
  std::vector<Sequence> keys(kBatch), values(kBatch);
  bool right =
      Report("prefill of 48 and 19 tokens, causal, fp16", Prefill(&keys, &values, device.stream()));
  Generation generation;
  for (int b = 0; b < kBatch; ++b) {
    for (int token = 0; token < keys[b].tokens(); ++token) {
      generation.Append(b, keys[b].Row(token, 0), values[b].Row(token, 0));
    }
  }
  double largest = 0;
  for (int step = 1; step <= kSteps; ++step) {
    largest = std::max(largest, Decode(&generation, device.stream()));
    if (step % 16 != 0) continue;
    const std::string tokens = std::to_string(generation.keys[0].tokens()) + " and " +
                               std::to_string(generation.keys[1].tokens());
    right &=
        Report("step " + std::to_string(step) + ", " + tokens + " tokens, paged INT8", largest);
  }
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
