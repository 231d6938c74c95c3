// SPDX-License-Identifier: Apache-2.0
// Attention of single rows in plain loops and double precision, to check what a benchmark has
// measured.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "aclnn/acl_meta.h"
#include "attention_shapes.h"

namespace anyacl::bench {

// Elements in host memory. INT4: two in a byte, the first in its low half.
struct HostTensor {
  aclDataType type = ACL_FLOAT;
  std::vector<uint8_t> bytes;

  double At(int64_t i) const;
};

struct AttentionProblem {
  HostTensor query, key, value, out;
  // Empty; or for each channel [kv_heads, dim], or token [batch, keys].
  HostTensor key_scale, value_scale;
  HostTensor table;         // INT32; of paged caches
  double score_scale = 1;   // of q . k; scaleValue and, all INT8, deqScale1
  double weight_steps = 0;  // all INT8: quantScale1; 0: weights are not rounded
  double out_scale = 1;     // all INT8: deqScale2
};

// Whether the first and the last rows of the first and the last heads and sequences are right: the
// first wrong number in words, or nothing.
std::string Difference(const AttentionShape& shape, const AttentionProblem& problem);

}  // namespace anyacl::bench
