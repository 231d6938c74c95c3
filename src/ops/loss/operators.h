// SPDX-License-Identifier: Apache-2.0
// The declarations of losses and their gradients.
#pragma once

#include "nnop/dtype_sets.h"
#include "nnop/joined_rows.h"
#include "nnop/single_op.h"
#include "ops/loss/rows_max_sum.h"

namespace anyacl::loss {

enum : int {
  kGradOutput,
  kSelf,
  kTarget,
  kWeight,
  kPosWeight,
  kReduction,
  kIgnoreIndex,
  kBeta,
  kLogTarget,
  kTotalWeight,
  kInputLengths,
  kTargetLengths,
  kBlank,
  kZeroInfinity,
  kLikelihood,
  kLogAlpha,
  kIsTarget,
  kOut,
  kReductionText,
  kSmoothing,
  kZlossScale,
  kReturnZloss,
  kLogProb,
  kZloss,
  kLse,
  kGradZloss,
};

enum class Member : uint8_t {
  kMse,
  kL1,
  kSmoothL1,
  kBce,
  kBceLogits,
  kBceLogitsInTarget,
  kKl,
  kKlInTarget,
  kSoftMargin
};

Status PrepareValue(Operands& operands, PreparedCall* call, Member member);
Status PrepareGradient(Operands& operands, PreparedCall* call, Member member);
Status PrepareMseOut(Operands& operands, PreparedCall* call);
// `plane`: of images.
Status PrepareNll(Operands& operands, PreparedCall* call, bool plane);
Status PrepareNllGradient(Operands& operands, PreparedCall* call, bool plane);
Status PrepareMultilabelMargin(Operands& operands, PreparedCall* call);
Status PrepareCtc(Operands& operands, PreparedCall* call);
Status PrepareCtcNode(Operands& operands, PreparedCall* call);
Status PrepareCtcGradient(Operands& operands, PreparedCall* call);
Status PrepareCrossEntropyLoss(Operands& operands, PreparedCall* call);
Status PrepareCrossEntropyLossGradient(Operands& operands, PreparedCall* call);

template <Member kMember>
Status Value(Operands& operands, PreparedCall* call) {
  return PrepareValue(operands, call, kMember);
}
template <Member kMember>
Status Gradient(Operands& operands, PreparedCall* call) {
  return PrepareGradient(operands, call, kMember);
}
template <bool kPlane>
Status Nll(Operands& operands, PreparedCall* call) {
  return PrepareNll(operands, call, kPlane);
}
template <bool kPlane>
Status NllGradient(Operands& operands, PreparedCall* call) {
  return PrepareNllGradient(operands, call, kPlane);
}

inline constexpr DTypeSet kFloatsAndInt64 = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT64};
inline constexpr DTypeSet kClasses = {ACL_INT64, ACL_INT32, ACL_UINT8};

constexpr ParamSpec Optional(int id, const char* name, const char* note) {
  return Noted(In(id, name, kFloats, "*", Need::kOptional), note);
}
constexpr ParamSpec Reduction(int64_t max) {
  return Ranged(Value(kReduction, "reduction", Kind::kInt64,
                      max == 2 ? "0: none, 1: mean, 2: sum"
                               : "0: none, 1: mean, 2: sum, 3: sum / first size"),
                0, max);
}
// As devices, which take a number beyond these for another one of them, `others`.
constexpr ParamSpec AnyReduction(const char* others) {
  return Value(kReduction, "reduction", Kind::kInt64, others);
}
inline constexpr char kSpread[] = "broadcast with the other inputs";
inline constexpr char kWhole[] = "the shape of the elements, or one number where they are reduced";
inline constexpr char kOnes[] = "null stands for ones; broadcast";

template <const DTypeSet& kTypes>
inline constexpr ParamSpec kPairParams[] = {Noted(In(kSelf, "self", kTypes), kSpread),
                                            Noted(In(kTarget, "target", kTypes), kSpread),
                                            Reduction(2), Noted(Out(kOut, "out", kTypes), kWhole)};
template <const DTypeSet& kTypes>
inline constexpr ParamSpec kPairGradientParams[] = {
    Noted(In(kGradOutput, "gradOutput", kTypes), kSpread),
    Noted(In(kSelf, "self", kTypes), kSpread), Noted(In(kTarget, "target", kTypes), kSpread),
    Reduction(2), Out(kOut, "out", kTypes)};
inline constexpr ParamSpec kMseOutParams[] = {
    kPairParams<kFloats>[0], kPairParams<kFloats>[1], kPairParams<kFloats>[2],
    Noted(Out(kOut, "out", kFloats),
          "the shape of the elements, without their first dimension where they are reduced")};
inline constexpr ParamSpec kMultilabelParams[] = {
    Noted(In(kSelf, "self", kFloats), "[N, C] or [C]; [] is a single class"),
    Noted(In(kTarget, "target", {ACL_INT32, ACL_INT64}),
          "self's shape; the classes before the first -1 of a row are its own"),
    Reduction(2),
    Noted(Like(kSelf, Out(kOut, "out", kFloats)), "[N], or one number where rows are reduced"),
    Noted(Like(kSelf, Out(kIsTarget, "isTarget", kFloats)),
          "self's shape: 1 where a class is a row's own, else 0")};
inline constexpr ParamSpec kL1GradientParams[] = {
    Noted(In(kGradOutput, "gradOutput", kFloatsAndInt64), kSpread),
    Noted(In(kSelf, "self", kFloatsAndInt64), kSpread),
    Noted(In(kTarget, "target", kFloatsAndInt64), kSpread), Reduction(2),
    Out(kOut, "gradInput", kFloatsAndInt64)};
inline constexpr ParamSpec kBetaRow =
    Value(kBeta, "beta", Kind::kFloat, "where squares become absolute values; 0 or more");
inline constexpr ParamSpec kSmoothL1Params[] = {
    Noted(In(kSelf, "self", kFloats), kSpread), Noted(In(kTarget, "target", kFloats), kSpread),
    Reduction(2), kBetaRow, Noted(Out(kOut, "result", kFloats), kWhole)};
inline constexpr ParamSpec kSmoothL1GradientParams[] = {
    Noted(In(kGradOutput, "gradOutput", kFloats), kSpread),
    Noted(In(kSelf, "self", kFloats), kSpread),
    Noted(In(kTarget, "target", kFloats), kSpread),
    Reduction(2),
    kBetaRow,
    Out(kOut, "gradInput", kFloats)};
inline constexpr ParamSpec kSoftMarginParams[] = {
    Noted(In(kSelf, "self", kFloats), kSpread), Noted(In(kTarget, "target", kFloats), kSpread),
    AnyReduction("0: none, 1: mean, any other: sum"), Noted(Out(kOut, "out", kFloats), kWhole)};
inline constexpr ParamSpec kBceParams[] = {
    Noted(In(kSelf, "self", kFloats), "0 to 1"),
    Noted(Like(kSelf, In(kTarget, "target", kFloats)), "0 to 1"),
    Like(kSelf, Optional(kWeight, "weight", kOnes)), Reduction(2),
    Noted(Like(kSelf, Out(kOut, "out", kFloats)), kWhole)};
inline constexpr ParamSpec kBceGradientParams[] = {
    Noted(In(kGradOutput, "gradOutput", kFloats), kSpread),
    In(kSelf, "self", kFloats),
    Noted(In(kTarget, "target", kFloats), kSpread),
    Optional(kWeight, "weightOptional", kOnes),
    Reduction(2),
    Out(kOut, "out", kFloats)};
inline constexpr ParamSpec kLogitsParams[] = {
    In(kSelf, "self", kFloats),
    In(kTarget, "target", kFloats),
    Optional(kWeight, "weightOptional", kOnes),
    Optional(kPosWeight, "posWeightOptional", kOnes),
    Reduction(2),
    Noted(Like(kTarget, Out(kOut, "out", kFloats)), kWhole)};
inline constexpr ParamSpec kLogitsGradientParams[] = {
    Noted(In(kGradOutput, "gradOutput", kFloats), kSpread),
    In(kSelf, "self", kFloats),
    In(kTarget, "target", kFloats),
    Optional(kWeight, "weightOptional", kOnes),
    Optional(kPosWeight, "posWeightOptional", kOnes),
    Reduction(2),
    Out(kOut, "out", kFloats)};
inline constexpr ParamSpec kLogitsTargetGradientParams[] = {
    Noted(In(kGradOutput, "gradOutput", kFloats), "broadcasts to self"),
    In(kSelf, "self", kFloats, "S*"),
    In(kTarget, "target", kFloats, "S*"),
    Optional(kWeight, "weightOptional", kOnes),
    Optional(kPosWeight, "posWeightOptional", kOnes),
    Reduction(2),
    Out(kOut, "gradTarget", kFloats, "S*")};
inline constexpr ParamSpec kLogTargetRow =
    Value(kLogTarget, "logTarget", Kind::kBool, "target is given as its logarithm");
inline constexpr ParamSpec kKlParams[] = {
    Noted(In(kSelf, "self", kFloats), kSpread), Noted(In(kTarget, "target", kFloats), kSpread),
    Reduction(3), kLogTargetRow, Noted(Out(kOut, "out", kFloats), kWhole)};
inline constexpr char kSomeReduction[] =
    "0 or any other: none, 1: mean, 2: sum, 3: sum / first size";
inline constexpr ParamSpec kKlGradientParams[] = {
    Noted(In(kGradOutput, "gradOutput", kFloats), "broadcast with self and target"),
    In(kSelf, "self", kFloats, "S*"),
    Noted(In(kTarget, "target", kFloats), kSpread),
    AnyReduction(kSomeReduction),
    kLogTargetRow,
    Out(kOut, "out", kFloats, "S*")};

inline constexpr ParamSpec kKlTargetGradientParams[] = {
    Noted(In(kGradOutput, "gradOutput", kFloats), "broadcast with self and target"),
    Noted(In(kSelf, "self", kFloats), kSpread),
    In(kTarget, "target", kFloats, "T*"),
    AnyReduction(kSomeReduction),
    kLogTargetRow,
    Like(kTarget, Out(kOut, "gradTarget", kFloats, "T*"))};

inline constexpr ParamSpec kIgnoreRow =
    Value(kIgnoreIndex, "ignoreIndex", Kind::kInt64, "rows with this target count for nothing");
inline constexpr char kOne[] = "one number";
constexpr ParamSpec ClassWeight() { return Like(kSelf, In(kWeight, "weight", kFloats, "C")); }
inline constexpr ParamSpec kNllParams[] = {
    In(kSelf, "self", kFloats, "C | N C"),
    Noted(In(kTarget, "target", kClasses, "T*"), "[N] or [], each 0 to C - 1 or ignoreIndex"),
    ClassWeight(),
    Reduction(2),
    kIgnoreRow,
    Noted(Out(kOut, "out", kFloats, "O*"), "[N], or one number where rows are reduced"),
    Noted(Out(kTotalWeight, "totalWeightOut", kFloats, "S*"), kOne)};
inline constexpr ParamSpec kNllGradientParams[] = {
    Noted(In(kGradOutput, "gradOutput", kFloats, "O*"), "as NLLLoss's out"),
    Like(kGradOutput, In(kSelf, "self", kFloats, "C | N C")),
    Noted(In(kTarget, "target", kClasses, "T*"), "[N] or [], each 0 to C - 1 or ignoreIndex"),
    ClassWeight(),
    Reduction(2),
    kIgnoreRow,
    Noted(Like(kSelf, In(kTotalWeight, "totalWeight", kFloats, "S*")), kOne),
    Like(kSelf, Out(kOut, "out", kFloats, "C | N C"))};
inline constexpr ParamSpec kNll2dParams[] = {
    In(kSelf, "self", kFloats, "N C H W"),
    Noted(In(kTarget, "target", kClasses, "N H W"), "each 0 to C - 1 or ignoreIndex"),
    ClassWeight(),
    Reduction(2),
    kIgnoreRow,
    Noted(Out(kOut, "out", kFloats, "O*"), "[N, H, W], or one number where they are reduced"),
    Noted(Out(kTotalWeight, "totalWeightOut", kFloats, "S*"), kOne)};
inline constexpr ParamSpec kNll2dGradientParams[] = {
    Noted(In(kGradOutput, "gradOutput", kFloats, "O*"), "as NLLLoss2d's out"),
    Like(kGradOutput, In(kSelf, "self", kFloats, "N C H W")),
    Noted(In(kTarget, "target", kClasses, "N H W"), "each 0 to C - 1 or ignoreIndex"),
    ClassWeight(),
    Reduction(2),
    kIgnoreRow,
    Noted(Like(kSelf, In(kTotalWeight, "totalWeight", kFloats, "S*")), kOne),
    Like(kSelf, Out(kOut, "out", kFloats, "N C H W"))};

inline constexpr DTypeSet kCtcTypes = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE};
inline constexpr DTypeSet kCtcLabels = {ACL_INT64, ACL_INT32, ACL_BOOL, ACL_FLOAT, ACL_FLOAT16};
inline constexpr ParamSpec kLabels = Noted(
    In(kTarget, "targets", kCtcLabels, "N S | L"),
    "each 0 to C - 1; a row for each sequence, or one after the other, L being the sum of their "
    "lengths");
inline constexpr ParamSpec kInputLengthsRow =
    anyacl::Value(kInputLengths, "inputLengths", Kind::kIntArray, "of each sequence, 0 to T");
inline constexpr ParamSpec kTargetLengthsRow =
    anyacl::Value(kTargetLengths, "targetLengths", Kind::kIntArray, "of each sequence, 0 to S");
inline constexpr ParamSpec kBlankRow =
    anyacl::Value(kBlank, "blank", Kind::kInt64, "the class that stands for none, 0 to C - 1");
inline constexpr ParamSpec kZeroInfinityRow =
    anyacl::Value(kZeroInfinity, "zeroInfinity", Kind::kBool,
                  "infinite losses are 0, and so are their gradients");
inline constexpr ParamSpec kCtcParams[] = {
    In(kSelf, "logProbs", kCtcTypes, "T N C | T C"),
    kLabels,
    kInputLengthsRow,
    kTargetLengthsRow,
    kBlankRow,
    kZeroInfinityRow,
    Noted(Like(kSelf, Out(kLikelihood, "negLogLikelihoodOut", kCtcTypes, "O*")),
          "[N], or [] as logProbs has 2 dimensions"),
    Noted(
        Like(kSelf, Out(kLogAlpha, "logAlphaOut", kCtcTypes, "M T A")),
        "M = N; A = 2 * the largest of targetLengths + 1, or that rounded up to a multiple of 8")};
inline constexpr ParamSpec kCtcGradientParams[] = {
    In(kGradOutput, "gradOut", kCtcTypes, "N"),
    Like(kGradOutput, In(kSelf, "logProbs", kCtcTypes, "T N C")),
    kLabels,
    kInputLengthsRow,
    kTargetLengthsRow,
    Like(kGradOutput, In(kLikelihood, "negLogLikelihood", kCtcTypes, "N")),
    Noted(Like(kGradOutput, In(kLogAlpha, "logAlpha", kCtcTypes, "N T A")),
          "A is at least 2 * the largest of targetLengths + 1"),
    kBlankRow,
    kZeroInfinityRow,
    Like(kGradOutput, Out(kOut, "out", kCtcTypes, "T N C"))};

inline constexpr ParamSpec kReductionTextRow = {.name = "reductionOptional",
                                                .id = kReductionText,
                                                .kind = Kind::kMutableText,
                                                .need = Need::kOptional,
                                                .note = "mean (or null), sum or none"};
inline constexpr ParamSpec kZlossScaleRow =
    anyacl::Value(kZlossScale, "lseSquareScaleForZloss", Kind::kDouble, "without effect");
inline constexpr char kUnwritten[] = "without effect: not written";
inline constexpr char kUnread[] = "without effect: not read";
inline constexpr ParamSpec kCrossEntropyParams[] = {
    Noted(In(kSelf, "input", kFloats, "N C"), "C is 1 or more"),
    Noted(In(kTarget, "target", {ACL_INT64, ACL_INT32}, "N"), "each 0 to C - 1 or ignoreIndex"),
    Noted(In(kWeight, "weightOptional", {ACL_FLOAT}, "C", Need::kOptional), "null stands for ones"),
    kReductionTextRow,
    kIgnoreRow,
    anyacl::Value(kSmoothing, "labelSmoothing", Kind::kDouble, "0 to 1"),
    kZlossScaleRow,
    anyacl::Value(kReturnZloss, "returnZloss", Kind::kBool, "without effect"),
    Noted(Like(kSelf, ConstHandle(Out(kOut, "lossOut", kFloats, "O*"))),
          "[N], or one number where rows are reduced"),
    Like(kSelf, ConstHandle(Out(kLogProb, "logProbOut", kFloats, "N C"))),
    Noted(Like(kSelf, ConstHandle(Out(kZloss, "zlossOut", kFloats, "Z*"))), kUnwritten),
    Noted(Like(kSelf, ConstHandle(Out(kLse, "lseForZlossOut", kFloats, "L*"))), kUnwritten)};
inline constexpr ParamSpec kCrossEntropyGradientParams[] = {
    Noted(In(kGradOutput, "gradLoss", kFloats, "O*"), "as CrossEntropyLoss's lossOut"),
    Noted(Like(kGradOutput, In(kLogProb, "logProb", kFloats, "N C")), "C is 1 or more"),
    Noted(In(kTarget, "target", {ACL_INT64}, "N"), "each 0 to C - 1 or ignoreIndex"),
    Noted(In(kWeight, "weightOptional", {ACL_FLOAT}, "C", Need::kOptional), "null stands for ones"),
    Noted(Like(kGradOutput, In(kGradZloss, "gradZlossOptional", kFloats, "Z*", Need::kOptional)),
          kUnread),
    Noted(Like(kGradOutput, In(kLse, "lseForZlossOptional", kFloats, "L*", Need::kOptional)),
          kUnread),
    kReductionTextRow,
    kIgnoreRow,
    anyacl::Value(kSmoothing, "labelSmoothing", Kind::kDouble, "0"),
    kZlossScaleRow,
    Like(kGradOutput, ConstHandle(Out(kOut, "out", kFloats, "N C")))};

constexpr OpSpec Row(OpInfo op, std::span<const ParamSpec> params, PrepareFunction prepare,
                     const char* header, const char* summary, const char* document) {
  return {.op = op,
          .params = params,
          .prepare = prepare,
          .header = header,
          .summary = summary,
          .document = document};
}

// clang-format off
inline constexpr OpSpec kRowOperators[] = {
    Row(kNames<"NLLLoss">, kNllParams, Nll<false>, "aclnn_nll_loss.h",
        "out = -weight[target] * self[target], added up or divided by the sum of the weights", "ops-nn: experimental/loss/nll_loss/docs/aclnnNLLLoss.md"),
    Row(kNames<"NLLLossBackward">, kNllGradientParams, NllGradient<false>, "aclnn_nll_loss_backward.h",
        "out = -gradOutput * weight[target] at the target, else 0", "ops-nn: experimental/loss/nll_loss_grad/docs/aclnnNLLLossBackward.md"),
    Row(kNames<"NLLLoss2d">, kNll2dParams, Nll<true>, "aclnn_nll_loss2d.h",
        "NLLLoss of each pixel, the classes being the second dimension", "ops-nn: experimental/loss/nll_loss/docs/aclnnNLLLoss2d.md"),
    Row(kNames<"NLLLoss2dBackward">, kNll2dGradientParams, NllGradient<true>, "aclnn_nll_loss2d_backward.h",
        "NLLLossBackward of each pixel, the classes being the second dimension", "ops-nn: experimental/loss/nll_loss_grad/docs/aclnnNLLLoss2dBackward.md"),
    {.op = kNames<"CrossEntropyLoss">,
     .params = kCrossEntropyParams,
     .prepare = PrepareCrossEntropyLoss,
     .header = "aclnn_cross_entropy_loss.h",
     .summary = "logProbOut = input - log of the sum of e^input by row, lossOut = (1 - "
                "labelSmoothing) * -weight[target] * logProbOut[target] - labelSmoothing / C * the "
                "sum of weight * logProbOut, added up or divided by the sum of weight[target]",
     .document = "ops-nn: loss/cross_entropy_loss/docs/aclnnCrossEntropyLoss.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
    {.op = kNames<"CrossEntropyLossGrad">,
     .params = kCrossEntropyGradientParams,
     .prepare = PrepareCrossEntropyLossGradient,
     .header = "aclnn_cross_entropy_loss_grad.h",
     .summary = "out = gradLoss * weight[target] * (e^logProb - (1 at the target, else 0)), of the "
                "mean divided by the sum of weight[target]",
     .document = "ops-nn: loss/cross_entropy_loss_grad/docs/aclnnCrossEntropyLossGrad.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
    Row(kNames<"MultilabelMarginLoss">, kMultilabelParams, PrepareMultilabelMargin, "aclnn_multilabel_margin_loss.h",
        "out = the sum over a row's own classes i and all others k of max(0, 1 - self[i] + self[k]), divided by C", "ops-nn: loss/multilabel_margin_loss/docs/aclnnMultilabelMarginLoss.md"),
    Row(kNames<"CtcLoss">, kCtcParams, PrepareCtc, "aclnn_ctc_loss.h",
        "negLogLikelihoodOut = -log of the sum over all paths that spell targets of the product of their probabilities; logAlphaOut[n, t, s] = log of that sum up to step t and place s of the targets with blanks between", "ops-nn: loss/ctc_loss_v2/docs/aclnnCtcLoss.md"),
    Row(kNames<"CtcLossBackward">, kCtcGradientParams, PrepareCtcGradient, "aclnn_ctc_loss_backward.h",
        "out = gradOut * (e^logProbs - the share of the paths that have the class at the step)", "ops-nn: loss/ctc_loss_v2_grad/docs/aclnnCtcLossBackward.md"),
    Row(kNames<"MseLoss">, kPairParams<kFloats>, Value<Member::kMse>, "aclnn_mse_loss.h",
        "out = (self - target)^2", "ops-nn: loss/mse_loss/docs/aclnnMseLoss.md"),
    Row(kNames<"MseLossOut">, kMseOutParams, PrepareMseOut, "aclnn_mse_loss_out.h",
        "out = (self - target)^2, reduced over the first dimension", "ops-nn: loss/mse_loss/docs/aclnnMseLossOut.md"),
    Row(kNames<"MseLossBackward">, kPairGradientParams<kFloats>, Gradient<Member::kMse>, "aclnn_mse_loss_backward.h",
        "out = 2 * (self - target) * gradOutput", "ops-nn: loss/mse_loss_grad_v2/docs/aclnnMseLossBackward.md"),
    Row(kNames<"L1Loss">, kPairParams<kFloatsAndInt64>, Value<Member::kL1>, "aclnn_l1_loss.h",
        "out = |self - target|", "ops-nn: loss/lp_loss/docs/aclnnL1Loss.md"),
    Row(kNames<"L1LossBackward">, kL1GradientParams, Gradient<Member::kL1>, "aclnn_l1_loss_backward.h",
        "gradInput = sign of (self - target) * gradOutput", "ops-nn: loss/l1_loss_grad/docs/aclnnL1LossBackward.md"),
    Row(kNames<"SmoothL1Loss">, kSmoothL1Params, Value<Member::kSmoothL1>, "aclnn_smooth_l1_loss.h",
        "result = |d| < beta ? d^2 / (2 beta) : |d| - beta / 2, d = self - target", "ops-nn: loss/smooth_l1_loss_v2/docs/aclnnSmoothL1Loss.md"),
    Row(kNames<"SmoothL1LossBackward">, kSmoothL1GradientParams, Gradient<Member::kSmoothL1>, "aclnn_smooth_l1_loss_backward.h",
        "gradInput = (|d| < beta ? d / beta : sign of d) * gradOutput, d = self - target", "ops-nn: experimental/loss/smooth_l1_loss_grad_v2/doc/aclnnSmoothL1LossBackward.md"),
    Row(kNames<"BinaryCrossEntropy">, kBceParams, Value<Member::kBce>, "aclnn_binary_cross_entropy.h",
        "out = -weight * (target * log self + (1 - target) * log(1 - self)), no logarithm below -100", "ops-nn: loss/binary_cross_entropy/docs/aclnnBinaryCrossEntropy.md"),
    Row(kNames<"BinaryCrossEntropyBackward">, kBceGradientParams, Gradient<Member::kBce>, "aclnn_binary_cross_entropy_backward.h",
        "out = weight * (self - target) / (self * (1 - self)) * gradOutput", "ops-nn: loss/binary_cross_entropy_grad/docs/aclnnBinaryCrossEntropyBackward.md"),
    Row(kNames<"BinaryCrossEntropyWithLogits">, kLogitsParams, Value<Member::kBceLogits>, "aclnn_binary_cross_entropy_with_logits.h",
        "out = weight * ((1 - target) * self + ((posWeight - 1) * target + 1) * log(1 + e^-self))", "ops-nn: experimental/loss/sigmoid_cross_entropy_with_logits_v2/docs/aclnnBinaryCrossEntropyWithLogits.md"),
    Row(kNames<"BinaryCrossEntropyWithLogitsBackward">, kLogitsGradientParams, Gradient<Member::kBceLogits>, "aclnn_binary_cross_entropy_with_logits_backward.h",
        "out = weight * ((v + 1 - target) / (1 + e^-self) - v) * gradOutput, v = posWeight * target", "ops-nn: experimental/loss/sigmoid_cross_entropy_with_logits_grad_v2/docs/aclnnBinaryCrossEntropyWithLogitsBackward.md"),
    Row(kNames<"BinaryCrossEntropyWithLogitsTargetBackward">, kLogitsTargetGradientParams, Gradient<Member::kBceLogitsInTarget>, "aclnn_binary_cross_entropy_with_logits_target_backward.h",
        "gradTarget = weight * ((posWeight - 1) * log(1 + e^-self) - self) * gradOutput", "ops-nn: activation/log_sigmoid/docs/aclnnBinaryCrossEntropyWithLogitsTargetBackward.md"),
    Row(kNames<"KlDiv">, kKlParams, Value<Member::kKl>, "aclnn_kl_div.h",
        "out = target * (log target - self), or e^target * (target - self)", "ops-math: math/kl_div_v2/docs/aclnnKlDiv.md"),
    Row(kNames<"KlDivBackward">, kKlGradientParams, Gradient<Member::kKl>, "aclnn_kl_div_backward.h",
        "out = -target * gradOutput, or -e^target * gradOutput", "ops-nn: experimental/loss/kl_div_loss_grad/docs/aclnnKlDivBackward.md"),
    Row(kNames<"KlDivTargetBackward">, kKlTargetGradientParams, Gradient<Member::kKlInTarget>, "aclnn_kl_div_target_backward.h",
        "gradTarget = (log target - self + 1) * gradOutput, or e^target * (target - self + 1) * gradOutput", "ops-nn: loss/kl_div_target_loss_grad/docs/aclnnKlDivTargetBackward.md"),
    Row(kNames<"SoftMarginLoss">, kSoftMarginParams, Value<Member::kSoftMargin>, "aclnn_soft_margin_loss.h",
        "out = log(1 + e^(-target * self))", "ops-nn: experimental/loss/soft_margin_loss/docs/aclnnSoftMarginLoss.md"),
    Row(kNames<"SoftMarginLossBackward">, kPairGradientParams<kFloats>, Gradient<Member::kSoftMargin>, "aclnn_soft_margin_loss_backward.h",
        "out = -target / (1 + e^(target * self)) * gradOutput", "ops-nn: experimental/loss/soft_margin_loss_grad/docs/aclnnSoftMarginLossBackward.md"),
};
// clang-format on
inline constexpr auto kOperators = JoinOperators(kRowOperators, max_sum::kOperators);

// Called by name.
inline constexpr ParamSpec kCtcNodeParams[] = {
    In(kSelf, "log_probs", kCtcTypes, "T N C"),
    kLabels,
    anyacl::Value(kInputLengths, "input_lengths", Kind::kIntArray, "of each sequence, 0 to T"),
    anyacl::Value(kTargetLengths, "target_lengths", Kind::kIntArray, "of each sequence, 0 to S"),
    anyacl::Value(kBlank, "blank", Kind::kInt64,
                  "the class that stands for none; plus any multiple of C"),
    anyacl::Value(kZeroInfinity, "zero_infinity", Kind::kBool,
                  "infinite losses are 0, and so are their gradients"),
    Like(kSelf, Out(kLikelihood, "neg_log_likelihood", kCtcTypes, "N")),
    Noted(Like(kSelf, Out(kLogAlpha, "log_alpha", kCtcTypes, "M T A")),
          "A = 2 * the largest of target_lengths + 1, or that rounded up to a multiple of 8")};
inline constexpr OpSpec kNodes[] = {{.op = {"CTCLossV2", "CTCLossV2"},
                                     .params = kCtcNodeParams,
                                     .prepare = PrepareCtcNode,
                                     .codes = kNodeCodes}};
inline constexpr Source kCtcNodeSources[] = {Input{0},
                                             Input{1},
                                             InputValues{2},
                                             InputValues{3},
                                             IntAttribute{"blank", 0},
                                             IntAttribute{"zero_infinity", 0},
                                             Output{0},
                                             Output{1}};
inline constexpr SingleOpSpec kSingleOperators[] = {{"CTCLossV2", &kNodes[0], kCtcNodeSources}};

}  // namespace anyacl::loss
