// SPDX-License-Identifier: Apache-2.0
// The arguments of one call as the newest version of the operator has them; older versions leave
// the defaults.
#pragma once

#include <array>
#include <cstdint>

#include "aclnn/acl_meta.h"

namespace anyacl::fused_infer_attention {

// The tensor parameters in the order of the signature; also the rows of the check table.
enum TensorRow : size_t {
  kQuery,
  kKey,
  kValue,
  kPseShift,
  kAttenMask,
  kDeqScale1,
  kQuantScale1,
  kDeqScale2,
  kQuantScale2,
  kQuantOffset2,
  kAntiquantScale,
  kAntiquantOffset,
  kBlockTable,
  kQueryPadding,
  kKvPadding,
  kKeyScale,
  kKeyOffset,
  kValueScale,
  kValueOffset,
  kKeyPrefix,
  kValuePrefix,
  kAttentionOut,
  kSoftmaxLse,
  kTensorRows
};

struct Args {
  std::array<const aclTensor*, kTensorRows> tensors{};  // [kKey] and [kValue] stay null
  const aclTensorList* key = nullptr;
  const aclTensorList* value = nullptr;
  const aclIntArray* query_lengths = nullptr;
  const aclIntArray* kv_lengths = nullptr;
  const aclIntArray* prefix_length = nullptr;
  int64_t num_heads = 0;
  double scale = 1.0;
  int64_t pre_tokens = INT32_MAX;
  int64_t next_tokens = INT32_MAX;
  const char* layout = nullptr;
  int64_t num_kv_heads = 0;
  int64_t sparse_mode = 0;
  int64_t inner_precise = 0;
  int64_t block_size = 0;
  int64_t antiquant_mode = 0;
  bool lse_flag = false;
  int64_t key_mode = 0;
  int64_t value_mode = 0;
};

}  // namespace anyacl::fused_infer_attention
