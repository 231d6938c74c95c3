// SPDX-License-Identifier: Apache-2.0
// Rules: what a check table cannot say, in the order in which they are tested. Each belongs to a
// row of the specification, whose number tests use to find a rule for every row.
#pragma once

#include <initializer_list>
#include <span>

#include "aclnn/opdev/op_errno.h"
#include "ops/fused_infer_attention/problem.h"

namespace anyacl::fused_infer_attention {

enum class Branch { kBoth, kPrompt, kOneToken };

struct Rule {
  const char* row;
  Branch branch;
  Status (*check)(const Problem&);
};

// The code of a constraint that is not kept.
inline constexpr int kConstraint = ACLNN_ERR_INNER_TILING_ERROR;

// In the order of testing; check.cc fills sizes in between them.
extern const std::span<const Rule> kTypeRules;
extern const std::span<const Rule> kLayoutRules;
extern const std::span<const Rule> kRankRules;
extern const std::span<const Rule> kQueryRules;
extern const std::span<const Rule> kHeadRules;
extern const std::span<const Rule> kGroupRules;
extern const std::span<const Rule> kListRules;
extern const std::span<const Rule> kKvSizeRules;
extern const std::span<const Rule> kPagedRules;
extern const std::span<const Rule> kLengthRules;
extern const std::span<const Rule> kPrefixRules;
extern const std::span<const Rule> kPaddingRules;
extern const std::span<const Rule> kQuantRules;
extern const std::span<const Rule> kAntiquantRules;
extern const std::span<const Rule> kMaskRules;
extern const std::span<const Rule> kWindowRules;
extern const std::span<const Rule> kOutputRules;

// False if the text names no layout; null is BSH.
bool ParseLayout(const char* text, Layout* layout);

// Shape is one of several, each written as its sizes.
bool IsOneOf(const Dims& shape, std::initializer_list<Dims> shapes);

inline const char* ParameterOf(const Problem& problem, size_t row) {
  return problem.at(row).spec->name;
}

}  // namespace anyacl::fused_infer_attention
