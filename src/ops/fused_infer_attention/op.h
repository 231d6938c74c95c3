// SPDX-License-Identifier: Apache-2.0
// FusedInferAttentionScore: attention of query rows over cached keys and values. From the C
// arguments to something that runs.
#pragma once

#include <memory>
#include <vector>

#include "ops/fused_infer_attention/args.h"
#include "ops/fused_infer_attention/params.h"
#include "ops/fused_infer_attention/problem.h"

namespace anyacl::fused_infer_attention {

extern const OpSpec kSpecV1;
extern const OpSpec kSpecV2;

struct Rule;

// Fills the problem in and tests all rules.
Status Check(Problem& problem);
// All rules, in the order of testing.
std::vector<const Rule*> AllRules();

// The call's tensors in the order of the signature, the members of the lists included.
std::vector<Slot> SlotsOf(const Problem& problem);

// A problem that has passed, with layouts, caches, masks and scales turned into strides.
Params Normalize(const Problem& problem);

// Whether there is anything to compute or to write.
inline bool HasWork(const Problem& problem) {
  return !problem.at(kQuery).IsEmpty() && !problem.at(kAttentionOut).IsEmpty();
}

// The plan of a problem with work, and the workspace it needs.
std::shared_ptr<const Plan> MakePlan(Params params, uint64_t* workspace_size);

}  // namespace anyacl::fused_infer_attention
