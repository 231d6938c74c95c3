// SPDX-License-Identifier: Apache-2.0
// Whether what a benchmark of attention has measured is right: single rows against the oracle of
// the tests.
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
  HostTensor table;  // INT32; of paged caches
  double scale = 1;  // scaleValue
  // All INT8: deqScale1, quantScale1 and deqScale2.
  double deq1 = 1, quant1 = 1, deq2 = 1;
};

// Whether the first and the last rows of the first and the last heads and sequences are right: the
// first wrong number in words, or nothing.
std::string Difference(const AttentionShape& shape, const AttentionProblem& problem);

}  // namespace anyacl::bench
