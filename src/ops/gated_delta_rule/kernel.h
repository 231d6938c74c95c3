// SPDX-License-Identifier: Apache-2.0
// The kernel's contract. A token's step of some rows of a state, in fp32; key, query and decay are
// of `depth` numbers, as is a row, made up with zeros to whole vectors:
//   row  = row * alpha [* decay]
//   row += ((value - sum of row * key) * beta) * key, fused
//   out  = sum of row * query
// Sums are fused, one for each lane, which are added up at the end.
#pragma once

#include <stdint.h>

namespace anyacl::gated_delta_rule {

inline constexpr int64_t kVector = 16;

struct StepArgs {
  float* state;
  int64_t rows;
  int64_t depth;  // whole vectors
  float alpha;
  float beta;
  const float* decay;  // null: 1
  const float* key;
  const float* query;
  const float* value;  // of each row
  float* out;
};

struct KernelSet {
  void (*step)(const StepArgs& args);
};

}  // namespace anyacl::gated_delta_rule

#ifdef ANYACL_ISA
namespace anyacl::ANYACL_ISA {

extern const gated_delta_rule::KernelSet kGatedDeltaRuleKernels;

}  // namespace anyacl::ANYACL_ISA
#endif
