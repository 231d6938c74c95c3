// SPDX-License-Identifier: Apache-2.0
// The declarations of the operators that prepare the choice of a next token (README.md): B rows of
// V logits.
#pragma once

#include "nnop/dtype_sets.h"

namespace anyacl::sampling {

enum : int { kLogits, kP, kK, kOut };

Status PrepareTopKTopP(Operands& operands, PreparedCall* call);

constexpr ParamSpec LikeLogits(ParamSpec row) {
  row.same_dtype_as = kLogits;
  return row;
}

inline constexpr ParamSpec kTopKTopPParams[] = {
    In(kLogits, "logits", kFloats, "B V"),
    Noted(LikeLogits(In(kP, "p", kFloats, "B", Need::kOptional)),
          "null: no row is filtered by it; p or k is given"),
    Noted(In(kK, "k", {ACL_INT32}, "B", Need::kOptional),
          "null, 0 or less, V or more: no filter of the row by it"),
    LikeLogits(Out(kOut, "out", kFloats, "B V")),
};

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"ApplyTopKTopP">,
     .params = kTopKTopPParams,
     .prepare = PrepareTopKTopP,
     .header = "aclnn_apply_top_k_top_p.h",
     .summary =
         "out = logits, -infinity below the k-th largest of a row, then where the sum of the "
         "softmax up to an element, from the smallest on, is at most 1 - p",
     .document = "ops-nn: index/apply_top_k_top_p_with_sorted/docs/aclnnApplyTopKTopP.md"},
};

}  // namespace anyacl::sampling
