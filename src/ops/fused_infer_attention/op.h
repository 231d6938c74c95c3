// SPDX-License-Identifier: Apache-2.0
// FusedInferAttentionScore: attention of query rows over cached keys and values. From the C
// arguments to something that runs.
#pragma once

#include <memory>
#include <vector>

#include "attention/params.h"
#include "ops/fused_infer_attention/args.h"
#include "ops/fused_infer_attention/problem.h"

namespace anyacl::fused_infer_attention {

struct Rule;

// Fills the problem in and tests all rules.
Status Check(Problem& problem);
// All rules, in the order of testing.
std::vector<const Rule*> AllRules();

// A problem that has passed, with layouts, caches, masks and scales turned into strides.
attention::Params Normalize(const Problem& problem);

// Whether there is anything to compute or to write.
inline bool HasWork(const Problem& problem) {
  return !problem.at(kQuery).IsEmpty() && !problem.at(kAttentionOut).IsEmpty();
}

}  // namespace anyacl::fused_infer_attention
