// SPDX-License-Identifier: Apache-2.0
// The declaration of the operators that join attention over parts of the keys (README.md).
#pragma once

#include "nnop/operator.h"

namespace anyacl::attention_update {

enum : int {
  kLse,
  kLocalOut,
  kUpdateType,
  kOut,
  kLseOut,
  kBeforeOut,
  kBeforeMax,
  kBeforeSum,
  kNextOut,
  kNextMax,
  kNextSum,
  kEnds,
  kLayout,
  kSumLayout,
  kMaxOut,
  kSumOut,
};

Status Prepare(Operands& operands, PreparedCall* call);
Status PrepareRing(Operands& operands, PreparedCall* call);

inline constexpr DTypeSet kResults = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

inline constexpr ParamSpec kParams[] = {
    {.name = "lse",
     .id = kLse,
     .kind = Kind::kTensorList,
     .dtypes = {ACL_FLOAT},
     .dims = "R",
     .note = "1 to 128 parts: the logarithm of a row's sum of exponentials; infinite: no keys"},
    {.name = "localOut",
     .id = kLocalOut,
     .kind = Kind::kTensorList,
     .dtypes = kResults,
     .dims = "R D",
     .note = "as many parts, all of one type; D a multiple of 8, at most 512"},
    {.name = "updateType",
     .id = kUpdateType,
     .kind = Kind::kInt64,
     .min = 0,
     .max = 1,
     .note = "1: lseOut is written, too"},
    Like(kLocalOut, Out(kOut, "out", kResults, "R D")),
    Noted(Out(kLseOut, "lseOut", {ACL_FLOAT}, "R", Need::kOptional),
          "given if updateType is 1, and only then"),
};

constexpr ParamSpec Sums(int id, const char* name) {
  return In(id, name, {ACL_FLOAT}, "B N S 8 | T N 8");
}
constexpr ParamSpec SumsOut(int id, const char* name) {
  return ConstHandle(Out(id, name, {ACL_FLOAT}, "B N S 8 | T N 8"));
}
constexpr ParamSpec Layout(int id, const char* name, const char* note) {
  return {
      .name = name, .id = id, .kind = Kind::kMutableText, .need = Need::kOptional, .note = note};
}
inline constexpr ParamSpec kPrevAttnOut =
    Noted(In(kBeforeOut, "prevAttnOut", kResults, "X Y Z"), "[S, B, N D] or [T, N, D]");
inline constexpr ParamSpec kPrevSoftmaxMax = Noted(
    Sums(kBeforeMax, "prevSoftmaxMax"), "each number eight times, of which the first one is read");
inline constexpr ParamSpec kPrevSoftmaxSum = Sums(kBeforeSum, "prevSoftmaxSum");
inline constexpr ParamSpec kCurAttnOut =
    Like(kBeforeOut, In(kNextOut, "curAttnOut", kResults, "X Y Z"));
inline constexpr ParamSpec kCurSoftmaxMax = Sums(kNextMax, "curSoftmaxMax");
inline constexpr ParamSpec kCurSoftmaxSum = Sums(kNextSum, "curSoftmaxSum");
inline constexpr ParamSpec kInputLayout =
    Layout(kLayout, "inputLayoutOptional", "SBH (or null) or TND");
inline constexpr ParamSpec kAttnOutOut =
    ConstHandle(Like(kBeforeOut, Out(kOut, "attnOutOut", kResults, "X Y Z")));
inline constexpr ParamSpec kSoftmaxMaxOut = SumsOut(kMaxOut, "softmaxMaxOut");
inline constexpr ParamSpec kSoftmaxSumOut = SumsOut(kSumOut, "softmaxSumOut");

inline constexpr ParamSpec kRingParams[] = {
    kPrevAttnOut,
    kPrevSoftmaxMax,
    kPrevSoftmaxSum,
    kCurAttnOut,
    kCurSoftmaxMax,
    kCurSoftmaxSum,
    Noted(In(kEnds, "actualSeqQlenOptional", {ACL_INT64}, "*", Need::kOptional),
          "[L]: where sequences begin, from 0, and T: needed for TND, whose sums are [N, length, "
          "8] of "
          "each sequence, one behind the other"),
    kInputLayout,
    kAttnOutOut,
    kSoftmaxMaxOut,
    kSoftmaxSumOut,
};
inline constexpr ParamSpec kRingV2Params[] = {
    kPrevAttnOut,
    kPrevSoftmaxMax,
    kPrevSoftmaxSum,
    kCurAttnOut,
    kCurSoftmaxMax,
    kCurSoftmaxSum,
    Noted(In(kEnds, "actualSeqQlenOptional", {ACL_INT64}, "*", Need::kOptional),
          "[L]: where sequences begin, from 0, and T: needed for TND whose sums are not TND"),
    kInputLayout,
    Layout(kSumLayout, "inputSoftmaxLayoutOptional",
           "of TND's sums: TND, or SBH (or null, or empty): [N, length, 8] of each sequence, one "
           "behind the other"),
    kAttnOutOut,
    kSoftmaxMaxOut,
    kSoftmaxSumOut,
};

inline constexpr const char* kRingSummary =
    "max = max(prevMax, curMax), a = prevSum * exp(prevMax - max), b = curSum * exp(curMax - max), "
    "sum = a + b, attnOutOut = prevAttnOut * a / sum + curAttnOut * b / sum";

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"AttentionUpdate">,
     .params = kParams,
     .prepare = Prepare,
     .header = "aclnn_attention_update.h",
     .summary = "lseOut = ln(sum over i of exp(lse[i])), out = sum over i of localOut[i] * "
                "exp(lse[i] - lseOut)",
     .document = "ops-transformer: attention/attention_update/docs/aclnnAttentionUpdate.md"},
    {.op = kNames<"RingAttentionUpdate">,
     .params = kRingParams,
     .prepare = PrepareRing,
     .header = "aclnn_ring_attention_update.h",
     .summary = kRingSummary,
     .document =
         "ops-transformer: attention/ring_attention_update/docs/aclnnRingAttentionUpdate.md",
     .constraint_code = ACLNN_ERR_INNER_TILING_ERROR},
    {.op = kNames<"RingAttentionUpdateV2">,
     .params = kRingV2Params,
     .prepare = PrepareRing,
     .header = "aclnn_ring_attention_update_v2.h",
     .summary = kRingSummary,
     .document =
         "ops-transformer: attention/ring_attention_update/docs/aclnnRingAttentionUpdateV2.md",
     .constraint_code = ACLNN_ERR_INNER_TILING_ERROR},
};

}  // namespace anyacl::attention_update
