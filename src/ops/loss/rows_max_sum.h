// SPDX-License-Identifier: Apache-2.0
// The declarations of cross entropy in parts, each rank having a part of the classes: the products
// with what is known of a rank's own logits, the loss after ranks have joined that, the gradient. N
// rows of H numbers, V classes of the rank.
#pragma once

#include "nnop/dtype_sets.h"

namespace anyacl::loss::max_sum {

enum : int {
  kGradOutput,
  kSelf,
  kMatrix,
  kTarget,
  kSmoothing,
  kStart,
  kEnd,
  kMax,
  kSum,
  kPredicted,
  kMask,
  kMaskedTarget,
  kLogits,
  kSoftmax,
  kOut,
  kMatrixGrad,
};

Status PrepareOnlineMaxSum(Operands& operands, PreparedCall* call);
Status PrepareLossWithMaxSum(Operands& operands, PreparedCall* call);
Status PrepareLinearGradient(Operands& operands, PreparedCall* call);

inline constexpr DTypeSet kIndices = {ACL_INT64, ACL_INT32};
inline constexpr char kBits[] =
    "N / 8, rounded up; a bit for each row, the first in the lowest one: 1 if its class is another "
    "rank's, and behind the last row";
inline constexpr ParamSpec kOnlineMaxSumParams[] = {
    Noted(In(kSelf, "input", kHalves, "N H"), "H at most 65534"),
    Noted(Like(kSelf, In(kMatrix, "weight", kHalves, "V H")), "V is 1 or more"),
    In(kTarget, "target", kIndices, "N"),
    {.name = "vocabStartIndex",
     .id = kStart,
     .kind = Kind::kInt64,
     .min = 0,
     .note = "the class of the first row of weight"},
    {.name = "vocabEndIndex",
     .id = kEnd,
     .kind = Kind::kInt64,
     .min = 0,
     .note = "the last class of the rank; vocabStartIndex to vocabStartIndex + V - 1"},
    Out(kMax, "logitsMaxLocalOut", {ACL_FLOAT}, "N"),
    Out(kSum, "sumExpLogitsLocalOut", {ACL_FLOAT}, "N"),
    Out(kPredicted, "predictedLogitsLocalOut", {ACL_FLOAT}, "N"),
    Noted(Out(kMask, "targetMaskOut", {ACL_UINT8}, "T"), kBits),
    Like(kTarget, Out(kMaskedTarget, "maskedTargetOut", kIndices, "N")),
    Like(kSelf, Out(kLogits, "vocabParallelLogitsOutOptional", kHalves, "N V", Need::kOptional))};
constexpr ParamSpec Ignored(int id, const char* name) {
  return {.name = name, .id = id, .need = Need::kReserved, .dtypes = kFloats};
}
inline constexpr ParamSpec kLossWithMaxSumParams[] = {
    In(kMax, "logitsMax", {ACL_FLOAT}, "N"),
    In(kSum, "sumExpLogits", {ACL_FLOAT}, "N"),
    In(kPredicted, "predictedLogits", {ACL_FLOAT}, "N"),
    Value(kSmoothing, "labelSmoothing", Kind::kFloat, "0"),
    Ignored(kSelf, "inputOptional"),
    Ignored(kMatrix, "weightOptional"),
    In(kLogits, "vocabParallelLogitsOptional", kFloats, "N V", Need::kOptional),
    Out(kOut, "lossOut", {ACL_FLOAT}, "N"),
    Noted(Out(kSoftmax, "softMaxOutOptional", {ACL_FLOAT}, "N V", Need::kOptional),
          "only beside vocabParallelLogitsOptional")};
inline constexpr ParamSpec kLinearGradientParams[] = {
    In(kGradOutput, "grad", {ACL_FLOAT}, "N"),
    In(kSelf, "input", kHalves, "N H"),
    Noted(Like(kSelf, In(kMatrix, "weight", kHalves, "V H")), "V is 128 or more"),
    Noted(In(kMask, "targetMask", {ACL_UINT8, ACL_BOOL}, "T"),
          "N / 8 or more, as FusedLinearOnlineMaxSum's; or N of BOOL"),
    Noted(In(kTarget, "maskedTarget", kIndices, "N"), "0 to V - 1 where the mask is 0"),
    Value(kSmoothing, "labelSmoothing", Kind::kFloat, "0"),
    Noted(In(kMax, "logitsMaxOptional", {ACL_FLOAT}, "N", Need::kOptional),
          "of all ranks; needed without softmaxOptional, as the next one"),
    In(kSum, "sumExpLogitsOptional", {ACL_FLOAT}, "N", Need::kOptional),
    Noted(In(kSoftmax, "softmaxOptional", {ACL_FLOAT}, "N V", Need::kOptional),
          "null: made from the products, logitsMaxOptional and sumExpLogitsOptional"),
    Like(kSelf, Out(kOut, "inputGradOut", kHalves, "N H")),
    Like(kSelf, Out(kMatrixGrad, "weightGradOut", kHalves, "V H"))};

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"FusedLinearOnlineMaxSum">,
     .params = kOnlineMaxSumParams,
     .prepare = PrepareOnlineMaxSum,
     .header = "aclnn_fused_linear_online_max_sum.h",
     .summary = "z = input @ weight^T; its largest by row, the sum of e^(z - largest), z - largest "
                "at the row's target, or 0 if that is another rank's",
     .document = "ops-nn: matmul/fused_linear_online_max_sum/docs/aclnnFusedLinearOnlineMaxSum.md"},
    {.op = kNames<"FusedCrossEntropyLossWithMaxSum">,
     .params = kLossWithMaxSumParams,
     .prepare = PrepareLossWithMaxSum,
     .header = "aclnn_fused_cross_entropy_loss_with_max_sum.h",
     .summary = "lossOut = log sumExpLogits - predictedLogits, softMaxOutOptional = "
                "e^(vocabParallelLogitsOptional - logitsMax) / sumExpLogits",
     .document = "ops-nn: loss/fused_cross_entropy_loss_with_max_sum/docs/"
                 "aclnnFusedCrossEntropyLossWithMaxSum.md"},
    {.op = kNames<"FusedLinearCrossEntropyLossGrad">,
     .params = kLinearGradientParams,
     .prepare = PrepareLinearGradient,
     .header = "aclnn_fused_linear_cross_entropy_loss_grad.h",
     .summary = "g = grad * (softmax - (1 - targetMask at maskedTarget, else 0)), inputGradOut = g "
                "@ weight, weightGradOut = g^T @ input",
     .document = "ops-nn: matmul/fused_linear_cross_entropy_loss_grad/docs/"
                 "aclnnFusedLinearCrossEntropyLossGrad.md"},
};

}  // namespace anyacl::loss::max_sum
