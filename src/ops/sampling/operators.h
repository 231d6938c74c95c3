// SPDX-License-Identifier: Apache-2.0
// The declarations of the operators that choose a next token, or prepare that (README.md): B rows
// of V logits.
#pragma once

#include "nnop/dtype_sets.h"

namespace anyacl::sampling {

enum : int { kLogits, kP, kK, kOut, kQ, kEps, kNeedLogits, kGuess, kIndex };

Status PrepareTopKTopP(Operands& operands, PreparedCall* call);
Status PrepareTopKTopPSample(Operands& operands, PreparedCall* call);

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

constexpr ParamSpec Constant(ParamSpec row) {
  row.const_handle = true;
  return row;
}
inline constexpr ParamSpec kSampleParams[] = {
    Noted(In(kLogits, "logits", kHalves, "B V"), "B 1 or more, V 1 to 2^20"),
    Noted(In(kK, "topK", {ACL_INT32}, "B"),
          "1 to the least of 1024 and V; any other number: no filter of the row by it"),
    Noted(LikeLogits(In(kP, "topP", kHalves, "B")),
          "between 0 and 1; any other number: no filter of the row by it"),
    Noted(In(kQ, "q", {ACL_FLOAT}, "B V", Need::kOptional), "null: the largest is chosen"),
    Value(kEps, "eps", Kind::kDouble, "added to q"),
    Value(kNeedLogits, "isNeedLogits", Kind::kBool, "whether logitsTopKPSelect is written"),
    {.name = "topKGuess",
     .id = kGuess,
     .kind = Kind::kInt64,
     .min = 1,
     .note = "without effect on results"},
    Constant(Out(kIndex, "logitsSelectIdx", {ACL_INT64}, "B")),
    Constant(Out(kOut, "logitsTopKPSelect", {ACL_FLOAT}, "B V")),
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
    {.op = kNames<"TopKTopPSample">,
     .params = kSampleParams,
     .prepare = PrepareTopKTopPSample,
     .header = "aclnn_top_k_top_p_sample.h",
     .summary =
         "of the topK largest logits of a row, of those up to a sum of topP of their softmax, the "
         "place of the one with the largest share of the softmax divided by q + eps; q is counted "
         "from the largest logit on where a row is filtered",
     .document = "ops-nn: index/top_k_top_p_sample/docs/aclnnTopKTopPSample.md"},
};

}  // namespace anyacl::sampling
