// SPDX-License-Identifier: Apache-2.0
// What phase 1 leaves of the operators' arguments, and the plans made of it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

#include "acl/acl_base.h"
#include "nnop/executor.h"
#include "nnop/view.h"
#include "ops/moe_distribute/operators.h"
#include "runtime/rank_group.h"

namespace anyacl::moe_distribute {

inline constexpr int64_t kMaxHidden = 10240;
inline constexpr int64_t kMaxChosen = 16;  // experts of a token
// What was wrong in device memory, or with another rank.
inline constexpr int kBad = ACL_ERROR_RT_AICPU_EXCEPTION;

// Rows that a thread takes at a time: 64 KiB of them.
constexpr int64_t GrainOf(int64_t hidden) { return std::max<int64_t>(1, 65536 / (2 * hidden)); }

// Which rank has which expert. Ranks with shared experts come first, one copy each; all others have
// as many of the routed experts, in order.
struct Placement {
  int64_t ranks = 0;
  int64_t routed = 0;
  int64_t shared = 0;  // experts; 0 if no rank has one
  int64_t shared_ranks = 0;

  int64_t local() const { return routed / (ranks - shared_ranks); }
  int64_t copies() const { return shared_ranks / shared; }
  int64_t ExpertsOf(int64_t rank) const { return rank < shared_ranks ? 1 : local(); }
  int64_t RankOf(int64_t expert) const { return shared_ranks + expert / local(); }
  int64_t PlaceOf(int64_t expert) const { return expert % local(); }
  // The copy of shared expert `j` that serves the tokens of `source`.
  int64_t SharedRank(int64_t j, int64_t source) const { return j * copies() + source % copies(); }
};

// Experts that no rank has: their ids follow those of routed experts.
struct SpecialExperts {
  int64_t zero = 0;
  int64_t copy = 0;
  int64_t constant = 0;

  int64_t count() const { return zero + copy + constant; }
};

// What both operators have.
struct Common {
  Operator op = Operator::kDispatch;
  std::shared_ptr<RankGroup> group;
  Placement placement;
  int64_t tokens = 0;      // of this rank, Bs
  int64_t max_tokens = 0;  // of any rank
  int64_t chosen = 0;      // routed experts of a token, K
  int64_t hidden = 0;
  SpecialExperts special;
  TensorView expert_ids, mask;
  TensorView performance;  // how long ranks were waited for

  // Rows between two ranks at most: a token goes to an expert once.
  int64_t capacity() const { return max_tokens * std::min(placement.local(), chosen); }
  // Rows are known by expert and number among their rank's, not by rank, token and place.
  bool by_copy() const { return op == Operator::kDispatch || op == Operator::kCombine; }
  // Rows of a token.
  int64_t places() const { return chosen + placement.shared; }
};

struct DispatchParams : Common {
  bool quantises = false;
  bool prefix_sums = false;
  TensorView x, scales, weights;
  TensorView out, out_scales, expert_counts, counts, out_weights;
  TensorView assist;  // or, by copy, expandIdx
};
std::shared_ptr<const Plan> MakeDispatchPlan(const DispatchParams& params);

struct CombineParams : Common {
  bool quantises = false;
  TensorView rows, counts, weights, shared_x, out;
  TensorView assist;  // or, by copy, expandIdx
  // Of special experts: the tokens before the experts, and what constant experts mix them with.
  TensorView original, alphas[2], constants;
  // With a norm.
  TensorView residual, gamma, norm, rstd;
  float epsilon = 0;

  bool normalises() const { return gamma.given(); }
};
std::shared_ptr<const Plan> MakeCombinePlan(const CombineParams& params);

}  // namespace anyacl::moe_distribute
