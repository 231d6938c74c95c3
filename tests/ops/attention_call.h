// SPDX-License-Identifier: Apache-2.0
// One call of FusedInferAttentionScore as a test sees it: the shape of every argument, to be
// changed at will, and the objects made of them.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "aclnnop/aclnn_fused_infer_attention_score.h"
#include "aclnnop/aclnn_fused_infer_attention_score_v2.h"
#include "aclnnop/aclnn_fused_infer_attention_score_v3.h"
#include "aclnnop/aclnn_fused_infer_attention_score_v4.h"
#include "aclnnop/aclnn_fused_infer_attention_score_v5.h"
#include "support/device_test.h"

namespace anyacl::test {

// The tensor parameters in the order of V2's signature, then those of later versions.
enum AttentionTensor : size_t {
  kQuery,
  kKey,  // members of lists of their own
  kValue,
  kPse,
  kMask,
  kDeq1,
  kQuant1,
  kDeq2,
  kQuant2,
  kOffset2,
  kScales,
  kOffsets,
  kTable,
  kQueryPad,
  kKvPad,
  kKeyScale,
  kKeyOffset,
  kValueScale,
  kValueOffset,
  kKeyPrefix,
  kValuePrefix,
  kOut,
  kLse,
  kQueryRope,
  kKeyRope,
  kKeyRopeScale,
  kQueryScale,
  kSink,
  kAttentionTensors
};

using OptionalLayout = std::optional<Layout>;
using Lengths = std::optional<std::vector<int64_t>>;

struct AttentionCall {
  int version = 2;
  std::array<OptionalLayout, kAttentionTensors> tensors;
  std::optional<std::vector<OptionalLayout>> key, value;  // absent: null list
  Lengths query_lengths, kv_lengths, prefix_length;
  int64_t num_heads = 1;
  double scale = 1;
  int64_t pre_tokens = INT32_MAX;
  int64_t next_tokens = INT32_MAX;
  std::optional<std::string> layout = "BNSD";
  int64_t num_kv_heads = 0;
  int64_t sparse_mode = 0;
  int64_t inner_precise = 0;
  int64_t block_size = 0;
  int64_t antiquant_mode = 0;
  bool lse_flag = false;
  int64_t key_mode = 0;
  int64_t value_mode = 0;
  int64_t query_mode = 0;
  int64_t pse_type = 0;
  Lengths query_start, kv_start;
};

class AttentionObjects {
 public:
  // Layouts of more than max_bytes get no memory: enough for the first phase.
  explicit AttentionObjects(const AttentionCall& call, int64_t max_bytes = Tensor::kMaxBytes);
  ~AttentionObjects();
  AttentionObjects(const AttentionObjects&) = delete;
  AttentionObjects& operator=(const AttentionObjects&) = delete;

  Phase1 PhaseOne() const;
  // aclnnXGetMaxWorkspaceSize, of V3 and V4.
  Phase1 PhaseMost() const;
  Phase2 PhaseTwo() const;
  const AttentionCall& call() const { return call_; }

  std::array<std::optional<Tensor>, kAttentionTensors> tensors;
  std::vector<std::optional<Tensor>> key, value;
  const aclTensor* Handle(size_t which) const;
  aclTensorList* key_list = nullptr;
  aclTensorList* value_list = nullptr;
  aclIntArray* query_lengths = nullptr;
  aclIntArray* kv_lengths = nullptr;
  aclIntArray* prefix_length = nullptr;
  aclIntArray* query_start = nullptr;
  aclIntArray* kv_start = nullptr;
  bool GuardsIntact() const;

 private:
  // A first phase of V3 or later.
  aclnnStatus Later(bool most, uint64_t* workspace_size, aclOpExecutor** executor) const;

  AttentionCall call_;
};

}  // namespace anyacl::test
