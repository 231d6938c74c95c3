// SPDX-License-Identifier: Apache-2.0
// What a call of aclnnMlaProlog is, when it was checked.
#pragma once

#include "nnop/operands.h"
#include "ops/rotary/kv_cache.h"

namespace anyacl::rotary {

// Which of a call's numbers are integers.
struct Quantised {
  bool tokens = false, queries = false;  // tokenX, weightUqQr
  bool keys = false, ropes = false;      // the caches
  bool results() const { return tokens && keys; }
};

struct Sizes {
  int64_t tokens = 0, width = 0, query_rank = 0, heads = 0, plain = 0, key_rank = 0, turned = 0;
  int64_t head() const { return plain + turned; }
};

struct PrologCall {
  Sizes sizes;
  Quantised quantised;
  CacheMode mode{};
};
Status CheckProlog(Operands& operands, PrologCall* checked);

}  // namespace anyacl::rotary
