// SPDX-License-Identifier: Apache-2.0
// The declarations of layer norms whose rows are scaled and shifted, those of a batch alike, and of
// their gradient.
#pragma once

#include <array>

#include "nnop/dtype_sets.h"
#include "nnop/joined_rows.h"

namespace anyacl::norm_quant::ada {

enum : int {
  kX,
  kScale,
  kShift,
  kWeight,
  kBias,
  kSmooth,
  kEps,
  kMode,
  kOut,
  kMean,
  kRstd,
  kSteps,
  kOffsets,
  kDy,
  kNormalizedShape,
  kDx,
  kDscale,
  kDshift,
  kDweight,
  kDbias,
};

Status PrepareNorm(Operands& operands, PreparedCall* call);
Status PrepareGradient(Operands& operands, PreparedCall* call);

inline constexpr char kOfBatch[] = "[B.., H] or [B.., 1, H]";
inline constexpr char kOnes[] = "null stands for ones";
inline constexpr char kZeros[] = "null stands for zeros";

constexpr ParamSpec OfH(int id, const char* name, DTypeSet types, const char* note) {
  return Noted(In(id, name, types, "H", Need::kOptional), note);
}
template <const DTypeSet& kTypes>
inline constexpr auto kInputs = std::to_array<ParamSpec>({
    Noted(In(kX, "x", kTypes, "B* S H"), "without elements refused, as all tensors"),
    Noted(Like(kX, In(kScale, "scale", kTypes, "C*")), kOfBatch),
    Noted(Like(kX, In(kShift, "shift", kTypes, "D*")), kOfBatch),
});
template <const DTypeSet& kTypes>
inline constexpr auto kWeights = std::array{Like(kX, OfH(kWeight, "weightOptional", kTypes, kOnes)),
                                            Like(kX, OfH(kBias, "biasOptional", kTypes, kZeros))};
inline constexpr ParamSpec kEpsParam =
    Value(kEps, "epsilon", Kind::kDouble, "added to the variance; 0 or more");
inline constexpr ParamSpec kOutParam = Like(kX, Out(kOut, "out", kFloats, "B* S H"));
inline constexpr auto kParams =
    JoinRows(kInputs<kFloats>, kWeights<kFloats>, std::array{kEpsParam, kOutParam});
inline constexpr auto kParamsV2 = JoinRows(
    kInputs<kFloats>,
    std::array{OfH(kWeight, "weightOptional", kFloats, "x's type or FLOAT; null stands for ones"),
               Like(kWeight, OfH(kBias, "biasOptional", kFloats,
                                 "x's type or FLOAT; null stands for zeros"))},
    std::array{kEpsParam, kOutParam,
               Like(kX, Out(kMean, "meanOutOptional", kFloats, "B* S 1", Need::kOptional)),
               Like(kX, Out(kRstd, "rstdOutOptional", kFloats, "B* S 1", Need::kOptional))});
inline constexpr auto kQuantParams = JoinRows(
    kInputs<kHalves>, kWeights<kHalves>,
    std::array{
        Like(kX, OfH(kSmooth, "smoothScalesOptional", kHalves, kOnes)), kEpsParam,
        Value(kMode, "quantMode", Kind::kText, "dynamic"), Out(kOut, "out", {ACL_INT8}, "B* S H"),
        Out(kSteps, "quantScale", {ACL_FLOAT}, "B* S"),
        Noted(Out(kOffsets, "quantOffsetOptional", kHalves, "B* S", Need::kOptional), "null")});

constexpr ParamSpec Gradient(int id, const char* name, const char* dims) {
  return Out(id, name, kFloats, dims, Need::kOptional);
}
inline constexpr char kOfWeights[] =
    "the type of weightOptional, else of biasOptional, else input's or FLOAT";
inline constexpr ParamSpec kGradientParams[] = {
    In(kDy, "gradOut", kFloats, "B* S H"),
    Noted(Like(kDy, In(kX, "input", kFloats, "B* S H")),
          "without elements refused, as all tensors"),
    Value(kNormalizedShape, "normalizedShape", Kind::kIntArray, "[H]"),
    Noted(In(kRstd, "rstd", kFloats, "B* S 1"), "input's type or FLOAT"),
    Noted(In(kMean, "mean", kFloats, "B* S 1"), "input's type or FLOAT"),
    Noted(Like(kDy, In(kScale, "scale", kFloats, "C*")), kOfBatch),
    Noted(Like(kDy, In(kShift, "shift", kFloats, "D*")),
          "[B.., H] or [B.., 1, H]; has no influence"),
    OfH(kWeight, "weightOptional", kFloats, "input's type or FLOAT; null stands for ones"),
    Like(kWeight,
         OfH(kBias, "biasOptional", kFloats, "input's type or FLOAT; null stands for zeros")),
    Like(kDy, Gradient(kDx, "gradInputOut", "B* S H")),
    Noted(Like(kDy, Gradient(kDscale, "gradScaleOut", "C*")), "scale's shape"),
    Noted(Like(kDy, Gradient(kDshift, "gradShiftOut", "D*")), "shift's shape"),
    Noted(Gradient(kDweight, "gradWeightOut", "H"), kOfWeights),
    Noted(Gradient(kDbias, "gradBiasOut", "H"), kOfWeights),
};

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"AdaLayerNorm">,
     .params = kParams,
     .prepare = PrepareNorm,
     .header = "aclnn_ada_layer_norm.h",
     .summary = "out = ((x - mean) * rstd * weight + bias) * (1 + scale) + shift, rstd = 1 / "
                "sqrt(variance + epsilon)",
     .document = "ops-nn: norm/ada_layer_norm/docs/aclnnAdaLayerNorm.md"},
    {.op = kNames<"AdaLayerNormV2">,
     .params = kParamsV2,
     .prepare = PrepareNorm,
     .header = "aclnn_ada_layer_norm_v2.h",
     .summary = "aclnnAdaLayerNorm, and the mean and the rstd of each row",
     .document = "ops-nn: norm/ada_layer_norm_v2/docs/aclnnAdaLayerNormV2.md"},
    {.op = kNames<"AdaLayerNormQuant">,
     .params = kQuantParams,
     .prepare = PrepareNorm,
     .header = "aclnn_ada_layer_norm_quant.h",
     .summary = "y = (((x - mean) * rstd * weight + bias) * (1 + scale) + shift) * "
                "smoothScalesOptional, quantScale = max|y| / 127 of a row, out = rint(y / "
                "quantScale)",
     .document = "ops-nn: norm/ada_layer_norm_quant/docs/aclnnAdaLayerNormQuant.md"},
    {.op = kNames<"AdaLayerNormBackward">,
     .params = kGradientParams,
     .prepare = PrepareGradient,
     .header = "aclnn_ada_layer_norm_backward.h",
     .summary =
         "with xh = (input - mean) * rstd and dy = gradOut * (1 + scale): gradInputOut = rstd "
         "* (dy * weight - mean of dy * weight - xh * mean of dy * weight * xh), "
         "gradScaleOut = sum over S of gradOut * (xh * weight + bias), gradShiftOut = sum "
         "over S of gradOut, gradWeightOut = sum of dy * xh, gradBiasOut = sum of dy over "
         "the rows",
     .document = "ops-nn: norm/ada_layer_norm_grad/docs/aclnnAdaLayerNormBackward.md"},
};

}  // namespace anyacl::norm_quant::ada
