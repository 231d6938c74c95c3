// SPDX-License-Identifier: Apache-2.0
// The declarations of the operators that work on rows: softmax and its gradients, norms, SwiGlu.
#pragma once

#include "nnop/dtype_sets.h"

namespace anyacl::rowwise {

enum : int {
  kX,   // self, gradOutput, input, x1
  kX2,  // output, x2
  kDim,
  kOut,
  kGamma,
  kBeta,
  kEps,
  kMean,
  kRstd,
  kSumOut,
  kNormalizedShape,
  kOutputMask,
  kGradGamma,
  kGradBeta,
  kAddend,  // x2, gx: of the sum whose norm is meant
  kDsum,
  kAlpha,
  kScaledOut,
  kMask,
  kBias,
  kScale,
  kPrecision,
  kTriangle,
  kImplMode,
};

Status PrepareSoftmax(Operands& operands, PreparedCall* call);
Status PrepareLogSoftmax(Operands& operands, PreparedCall* call);
Status PrepareMaskedSoftmaxWithBias(Operands& operands, PreparedCall* call);
Status PrepareScaledMaskedSoftmax(Operands& operands, PreparedCall* call);
Status PrepareScaledMaskedSoftmaxBackward(Operands& operands, PreparedCall* call);
Status PrepareSoftmaxBackward(Operands& operands, PreparedCall* call);
Status PrepareLogSoftmaxBackward(Operands& operands, PreparedCall* call);
template <int kGammaAdded>
Status PrepareRmsNorm(Operands& operands, PreparedCall* call);
Status PrepareAddRmsNorm(Operands& operands, PreparedCall* call);
Status PrepareInplaceAddRmsNorm(Operands& operands, PreparedCall* call);
Status PrepareLayerNorm(Operands& operands, PreparedCall* call);
Status PrepareLayerNormBackward(Operands& operands, PreparedCall* call);
Status PrepareRmsNormGrad(Operands& operands, PreparedCall* call);
Status PrepareAddLayerNormGrad(Operands& operands, PreparedCall* call);
Status PrepareDeepNormGrad(Operands& operands, PreparedCall* call);
Status PrepareSwiGlu(Operands& operands, PreparedCall* call);
Status PrepareCrossEntropy(Operands& operands, PreparedCall* call);

inline constexpr DTypeSet kFloatsAndDouble = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE};

inline constexpr ParamSpec kDimParam =
    Value(kDim, "dim", Kind::kInt64, "counts from the end if negative");
inline constexpr ParamSpec kEpsilonParam =
    Value(kEps, "epsilon", Kind::kDouble, "added to the mean square; 0 or more");
inline constexpr ParamSpec kRstdParam =
    Noted(Out(kRstd, "rstdOut", {ACL_FLOAT}, "R*"),
          "one for each row: x's shape with 1 for the dimensions of gamma, or without them");

inline constexpr ParamSpec kSoftmaxParams[] = {In(kX, "self", kFloatsAndDouble, "X*"), kDimParam,
                                               Out(kOut, "out", kFloatsAndDouble, "X*")};
inline constexpr ParamSpec kBackwardParams[] = {
    In(kX, "gradOutput", kFloats, "X*"), Like(kX, In(kX2, "output", kFloats, "X*")), kDimParam,
    Out(kOut, "out", kFloatsAndDouble, "X*")};
inline constexpr ParamSpec kRmsNormParams[] = {
    In(kX, "x", kFloats, "X*"),
    Noted(In(kGamma, "gamma", kFloats, "G*"), "x's last dimensions: a row"), kEpsilonParam,
    ConstHandle(Like(kX, Out(kOut, "yOut", kFloats, "X*"))), ConstHandle(kRstdParam)};
inline constexpr ParamSpec kGemmaRmsNormParams[] = {
    In(kX, "x", kFloats, "X*"),
    Noted(Like(kX, In(kGamma, "gamma", kFloats, "G*")), "x's last dimensions: a row"),
    kEpsilonParam, ConstHandle(Like(kX, Out(kOut, "yOut", kFloats, "X*"))),
    ConstHandle(kRstdParam)};
inline constexpr ParamSpec kAddRmsNormParams[] = {
    In(kX, "x1", kFloats, "X*"),
    Like(kX, In(kX2, "x2", kFloats, "X*")),
    Noted(In(kGamma, "gamma", kFloats, "G*"), "x1's last dimensions: a row; or [1, row]"),
    kEpsilonParam,
    Like(kX, Out(kOut, "yOut", kFloats, "X*")),
    Noted(Out(kRstd, "rstdOut", {ACL_FLOAT}, "R*", Need::kOptional), kRstdParam.note),
    Like(kX, Out(kSumOut, "xOut", kFloats, "X*", Need::kOptional))};
inline constexpr ParamSpec kInplaceAddRmsNormParams[] = {
    Noted(InOut(kX, "x1Ref", kFloats, "X*"), "then the norm"),
    Noted(Like(kX, InOut(kX2, "x2Ref", kFloats, "X*")), "then the sum"),
    Noted(In(kGamma, "gamma", kFloats, "G*"), "x1Ref's last dimensions: a row; or [1, row]"),
    kEpsilonParam, ConstHandle(kRstdParam)};
inline constexpr ParamSpec kLayerNormParams[] = {
    In(kX, "input", kFloats, "X*"),
    Value(kNormalizedShape, "normalizedShape", Kind::kIntArray, "input's last dimensions: a row"),
    Noted(In(kGamma, "weightOptional", kFloats, "W*", Need::kOptional), "null stands for ones"),
    Noted(Like(kGamma, In(kBeta, "biasOptional", kFloats, "W*", Need::kOptional)),
          "null stands for zeros"),
    Value(kEps, "eps", Kind::kDouble, "added to the variance"),
    Like(kX, Out(kOut, "out", kFloats, "X*")),
    Noted(Out(kMean, "meanOutOptional", kFloats, "R*", Need::kOptional), "as rstdOutOptional"),
    Noted(Out(kRstd, "rstdOutOptional", kFloats, "R*", Need::kOptional),
          "one for each row: input's shape with 1 for normalizedShape, or without it")};
inline constexpr ParamSpec kLayerNormModeParams[] = {
    kLayerNormParams[0],
    kLayerNormParams[1],
    kLayerNormParams[2],
    kLayerNormParams[3],
    kLayerNormParams[4],
    kLayerNormParams[5],
    kLayerNormParams[6],
    kLayerNormParams[7],
    {.name = "implMode",
     .id = kImplMode,
     .kind = Kind::kInt32,
     .min = 0,
     .max = 2,
     .note = "0, 1 (faster) or 2 (in FLOAT16: of FLOAT16 alone); the result is that of 0"}};
inline constexpr char kOnePerRow[] =
    "one for each row: input's shape with 1 for normalizedShape, or without it";
inline constexpr ParamSpec kMaskParam =
    Value(kOutputMask, "outputMask", Kind::kBoolArray,
          "3 values: which of the gradients are wanted; the others are not looked at");
inline constexpr ParamSpec kLayerNormBackwardParams[] = {
    In(kX2, "gradOut", kFloats, "X*"),
    Like(kX2, In(kX, "input", kFloats, "X*")),
    Value(kNormalizedShape, "normalizedShape", Kind::kIntArray, "input's last dimensions: a row"),
    Noted(In(kMean, "mean", kFloats, "R*"), kOnePerRow),
    Noted(In(kRstd, "rstd", kFloats, "R*"), kOnePerRow),
    Noted(In(kGamma, "weightOptional", kFloats, "W*", Need::kOptional), "null stands for ones"),
    Noted(Like(kGamma, In(kBeta, "biasOptional", kFloats, "W*", Need::kOptional)),
          "has no influence"),
    kMaskParam,
    NeededIf(Like(kX2, Out(kOut, "gradInputOut", kFloats, "X*")), "outputMask[0]"),
    NeededIf(Out(kGradGamma, "gradWeightOut", kFloats, "W*"), "outputMask[1]"),
    NeededIf(Out(kGradBeta, "gradBiasOut", kFloats, "W*"), "outputMask[2]")};
inline constexpr ParamSpec kRmsNormGradParams[] = {
    In(kX2, "dy", kFloats, "X*"),
    Like(kX2, In(kX, "x", kFloats, "X*")),
    Noted(In(kRstd, "rstd", {ACL_FLOAT}, "R*"), kRstdParam.note),
    Noted(In(kGamma, "gamma", kFloats, "G*"), "x's last dimensions: a row"),
    ConstHandle(Like(kX2, Out(kOut, "dxOut", kFloats, "X*"))),
    ConstHandle(Out(kGradGamma, "dgammaOut", {ACL_FLOAT}, "G*"))};
inline constexpr ParamSpec kAddLayerNormGradParams[] = {
    In(kX2, "dy", kFloats, "X*"),
    Noted(Like(kX2, In(kX, "x1", kFloats, "X*")), "without elements refused"),
    Like(kX2, In(kAddend, "x2", kFloats, "X*")),
    Noted(In(kRstd, "rstd", {ACL_FLOAT}, "R*"), kRstdParam.note),
    Noted(In(kMean, "mean", {ACL_FLOAT}, "M*"), "as rstd"),
    Noted(Like(kX2, In(kGamma, "gamma", kFloats, "G*")), "x1's last dimensions: a row"),
    Noted(Like(kX2, In(kDsum, "dsumOptional", kFloats, "X*", Need::kOptional)), "added to dxOut"),
    ConstHandle(Like(kX2, Out(kOut, "dxOut", kFloats, "X*"))),
    ConstHandle(Out(kGradGamma, "dgammaOut", {ACL_FLOAT}, "G*")),
    ConstHandle(Out(kGradBeta, "dbetaOut", {ACL_FLOAT}, "G*"))};
inline constexpr ParamSpec kDeepNormGradParams[] = {
    In(kX2, "dy", kFloats, "X*"),
    Noted(Like(kX2, In(kX, "x", kFloats, "X*")), "of two dimensions or more"),
    Like(kX2, In(kAddend, "gx", kFloats, "X*")),
    Noted(Like(kX2, In(kGamma, "gamma", kFloats, "G*")), "x's last dimensions: a row"),
    Noted(In(kMean, "mean", {ACL_FLOAT}, "M*"), kRstdParam.note),
    Noted(In(kRstd, "rstd", {ACL_FLOAT}, "R*"), "as mean"),
    Value(kAlpha, "alpha", Kind::kDouble, "of x in the sum alpha * x + gx"),
    ConstHandle(Dense(Like(kX2, Out(kScaledOut, "dxOut", kFloats, "X*")))),
    ConstHandle(Dense(Like(kX2, Out(kOut, "dgxOut", kFloats, "X*")))),
    ConstHandle(Dense(Out(kGradBeta, "dbetaOut", {ACL_FLOAT}, "G*"))),
    ConstHandle(Dense(Out(kGradGamma, "dgammaOut", {ACL_FLOAT}, "G*")))};
inline constexpr ParamSpec kMaskedWithBiasParams[] = {
    Noted(In(kX, "x", kFloats, "X*"), "[B*W, N, S1, S2] or [B, W, N, S1, S2]"),
    Noted(Like(kX, In(kMask, "attenMaskOptional", kFloats, "M*", Need::kOptional)),
          "[W, S1, S2], [W, 1, S1, S2] or [1, W, 1, S1, S2]; null stands for zeros"),
    Noted(Like(kX, In(kBias, "relativePosBias", kFloats, "P*")),
          "[N, S1, S2], [1, N, S1, S2] or [1, 1, N, S1, S2]"),
    Value(kScale, "scaleValue", Kind::kDouble),
    Value(kPrecision, "innerPrecisionMode", Kind::kInt64, "without effect: in FLOAT"),
    ConstHandle(Like(kX, Out(kOut, "out", kFloats, "X*")))};
inline constexpr char kMaskNote[] = "x's shape, or with 1 for any of the first two sizes";
inline constexpr ParamSpec kScaledMaskedParams[] = {
    Noted(In(kX, "x", kFloats, "B N S T"), "T up to 4096"),
    Noted(In(kMask, "mask", {ACL_BOOL}), kMaskNote), Value(kScale, "scale", Kind::kDouble),
    Value(kTriangle, "fixTriuMask", Kind::kBool, "false"),
    Dense(Like(kX, Out(kOut, "y", kFloats, "B N S T")))};
inline constexpr ParamSpec kScaledMaskedBackwardParams[] = {
    Noted(In(kX, "gradOutput", kFloats, "B N S T"), "T up to 4096"),
    Like(kX, In(kX2, "y", kFloats, "B N S T")),
    Noted(In(kMask, "mask", {ACL_BOOL}), kMaskNote),
    Value(kScale, "scale", Kind::kDouble),
    Value(kTriangle, "fixTriuMask", Kind::kBool, "false"),
    Dense(Like(kX, Out(kOut, "out", kFloats, "B N S T")))};
inline constexpr ParamSpec kSwiGluParams[] = {
    Noted(In(kX, "x", kFloats), "of even size in dim"), kDimParam,
    Noted(ConstHandle(Like(kX, Out(kOut, "out", kFloats, "Y*"))),
          "x's shape with half the size in dim")};
inline constexpr ParamSpec kCrossEntropyParams[] = {
    In(kX, "features", kFloats, "N C"), Like(kX, In(kX2, "labels", kFloats, "N C")),
    Like(kX, Out(kRstd, "loss", kFloats, "N")), Like(kX, Out(kOut, "backprop", kFloats, "N C"))};

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"Softmax">,
     .params = kSoftmaxParams,
     .prepare = PrepareSoftmax,
     .header = "aclnn_softmax.h",
     .summary = "out = e^self / sum of e^self along dim",
     .document = "ops-nn: activation/softmax_v2/docs/aclnnSoftmax.md"},
    {.op = kNames<"LogSoftmax">,
     .params = kSoftmaxParams,
     .prepare = PrepareLogSoftmax,
     .header = "aclnn_logsoftmax.h",
     .summary = "out = self - log of the sum of e^self along dim",
     .document = "ops-nn: activation/log_softmax_v2/docs/aclnnLogSoftmax.md"},
    {.op = kNames<"SoftmaxBackward">,
     .params = kBackwardParams,
     .prepare = PrepareSoftmaxBackward,
     .header = "aclnn_softmax_backward.h",
     .summary = "out = (gradOutput - sum of gradOutput * output along dim) * output",
     .document = "ops-nn: activation/softmax_grad/docs/aclnnSoftmaxBackward.md"},
    {.op = kNames<"LogSoftmaxBackward">,
     .params = kBackwardParams,
     .prepare = PrepareLogSoftmaxBackward,
     .header = "aclnn_logsoftmax_backward.h",
     .summary = "out = gradOutput - sum of gradOutput along dim * e^output",
     .document = "ops-nn: activation/log_softmax_grad/docs/aclnnLogSoftmaxBackward.md"},
    {.op = kNames<"MaskedSoftmaxWithRelPosBias">,
     .params = kMaskedWithBiasParams,
     .prepare = PrepareMaskedSoftmaxWithBias,
     .header = "aclnn_masked_softmax_with_rel_pos_bias.h",
     .summary = "out = softmax of scaleValue * x + attenMaskOptional + relativePosBias along the "
                "last dimension",
     .document =
         "ops-nn: norm/masked_softmax_with_rel_pos_bias/docs/aclnnMaskedSoftmaxWithRelPosBias.md",
     .codes = {.dtype = ACLNN_ERR_INNER_TILING_ERROR,
               .format = ACLNN_ERR_INNER_TILING_ERROR,
               .shape = ACLNN_ERR_INNER_TILING_ERROR}},
    {.op = kNames<"ScaledMaskedSoftmax">,
     .params = kScaledMaskedParams,
     .prepare = PrepareScaledMaskedSoftmax,
     .header = "aclnn_scaled_masked_softmax.h",
     .summary = "y = softmax along the last dimension of scale * x, -10000 where mask is true",
     .document = "ops-nn: vfusion/scaled_masked_softmax_v2/docs/aclnnScaledMaskedSoftmax.md"},
    {.op = kNames<"ScaledMaskedSoftmaxBackward">,
     .params = kScaledMaskedBackwardParams,
     .prepare = PrepareScaledMaskedSoftmaxBackward,
     .header = "aclnn_scaled_masked_softmax_backward.h",
     .summary = "out = scale * (gradOutput - sum of gradOutput * y) * y, 0 where mask is true",
     .document = "ops-nn: vfusion/scaled_masked_softmax_grad_v2/docs/"
                 "aclnnScaledMaskedSoftmaxBackward.md"},
    {.op = kNames<"RmsNorm">,
     .params = kRmsNormParams,
     .prepare = PrepareRmsNorm<0>,
     .header = "aclnn_rms_norm.h",
     .summary = "yOut = x * rstd * gamma, rstd = 1 / sqrt(mean of x^2 + epsilon)",
     .document = "ops-nn: norm/rms_norm/docs/aclnnRmsNorm.md"},
    {.op = kNames<"GemmaRmsNorm">,
     .params = kGemmaRmsNormParams,
     .prepare = PrepareRmsNorm<1>,
     .header = "aclnn_gemma_rms_norm.h",
     .summary = "yOut = x * rstd * (1 + gamma), rstd = 1 / sqrt(mean of x^2 + epsilon)",
     .document = "ops-nn: norm/gemma_rms_norm/docs/aclnnGemmaRmsNorm.md"},
    {.op = kNames<"AddRmsNorm">,
     .params = kAddRmsNormParams,
     .prepare = PrepareAddRmsNorm,
     .header = "aclnn_add_rms_norm.h",
     .summary = "xOut = x1 + x2, yOut = xOut * rstd * gamma, rstd = 1 / sqrt(mean of xOut^2 + "
                "epsilon)",
     .document = "ops-nn: norm/add_rms_norm/docs/aclnnAddRmsNorm.md"},
    {.op = kNames<"InplaceAddRmsNorm">,
     .params = kInplaceAddRmsNormParams,
     .prepare = PrepareInplaceAddRmsNorm,
     .header = "aclnn_inplace_add_rms_norm.h",
     .summary = "x2Ref = x1Ref + x2Ref, x1Ref = x2Ref * rstd * gamma, rstd = 1 / sqrt(mean of "
                "x2Ref^2 + epsilon)",
     .document = "ops-nn: norm/inplace_add_rms_norm/docs/aclnnInplaceAddRmsNorm.md"},
    {.op = kNames<"LayerNorm">,
     .params = kLayerNormParams,
     .prepare = PrepareLayerNorm,
     .header = "aclnn_layer_norm.h",
     .summary = "out = (input - mean) * rstd * weight + bias, rstd = 1 / sqrt(variance + eps)",
     .document = "ops-nn: norm/layer_norm_v4/docs/aclnnLayerNorm&aclnnLayerNormWithImplMode.md"},
    {.op = kNames<"LayerNormWithImplMode">,
     .params = kLayerNormModeParams,
     .prepare = PrepareLayerNorm,
     .header = "aclnn_layer_norm.h",
     .summary = "out = (input - mean) * rstd * weight + bias, rstd = 1 / sqrt(variance + eps)",
     .document = "ops-nn: norm/layer_norm_v4/docs/aclnnLayerNorm&aclnnLayerNormWithImplMode.md"},
    {.op = kNames<"FastLayerNorm">,
     .params = kLayerNormParams,
     .prepare = PrepareLayerNorm,
     .header = "aclnn_layer_norm.h",
     .summary = "out = (input - mean) * rstd * weight + bias, rstd = 1 / sqrt(variance + eps)",
     .document = "ops-nn: norm/layer_norm_v4/docs/aclnnFastLayerNorm.md"},
    {.op = kNames<"LayerNormBackward">,
     .params = kLayerNormBackwardParams,
     .prepare = PrepareLayerNormBackward,
     .header = "aclnn_layer_norm_backward.h",
     .summary = "gradInputOut = rstd * (dy - mean of dy - xh * mean of dy * xh), dy = gradOut * "
                "weight, xh = (input - mean) * rstd; gradWeightOut = sum of gradOut * xh, "
                "gradBiasOut = sum of gradOut over the rows",
     .document = "ops-nn: norm/layer_norm_grad_v3/docs/aclnnLayerNormBackward.md"},
    {.op = kNames<"RmsNormGrad">,
     .params = kRmsNormGradParams,
     .prepare = PrepareRmsNormGrad,
     .header = "aclnn_rms_norm_grad.h",
     .summary = "dxOut = rstd * (dy * gamma - xh * mean of dy * gamma * xh), xh = x * rstd; "
                "dgammaOut = sum of dy * xh over the rows",
     .document = "ops-nn: norm/rms_norm_grad/docs/aclnnRmsNormGrad.md"},
    {.op = kNames<"AddLayerNormGrad">,
     .params = kAddLayerNormGradParams,
     .prepare = PrepareAddLayerNormGrad,
     .header = "aclnn_add_layer_norm_grad.h",
     .summary = "dxOut = rstd * (g - mean of g - xh * mean of g * xh) + dsumOptional, g = dy * "
                "gamma, xh = (x1 + x2 - mean) * rstd; dgammaOut = sum of dy * xh, dbetaOut = sum "
                "of dy over the rows",
     .document = "ops-nn: norm/add_layer_norm_grad/docs/aclnnAddLayerNormGrad.md"},
    {.op = kNames<"DeepNormGrad">,
     .params = kDeepNormGradParams,
     .prepare = PrepareDeepNormGrad,
     .header = "aclnn_deep_norm_grad.h",
     .summary =
         "dgxOut = rstd * (g - mean of g - xh * mean of g * xh), g = dy * gamma, xh = (alpha "
         "* x + gx - mean) * rstd, dxOut = alpha * dgxOut; dgammaOut = sum of dy * xh, "
         "dbetaOut = sum of dy over the rows",
     .document = "ops-nn: norm/deep_norm_grad/docs/aclnnDeepNormGrad.md"},
    {.op = kNames<"SwiGlu">,
     .params = kSwiGluParams,
     .prepare = PrepareSwiGlu,
     .header = "aclnn_swi_glu.h",
     .summary = "out = a / (1 + e^-a) * b, a and b being the halves of x along dim",
     .document = "ops-nn: activation/swi_glu/docs/aclnnSwiGlu.md"},
    {.op = kNames<"SoftmaxCrossEntropyWithLogits">,
     .params = kCrossEntropyParams,
     .prepare = PrepareCrossEntropy,
     .header = "aclnn_softmax_cross_entropy_with_logits.h",
     .summary = "loss = -sum of labels * log softmax of features along the row, backprop = softmax "
                "- labels",
     .document = "ops-nn: activation/softmax_cross_entropy_with_logits/docs/"
                 "aclnnSoftmaxCrossEntropyWithLogits.md"},
};

}  // namespace anyacl::rowwise
