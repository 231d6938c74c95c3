// SPDX-License-Identifier: Apache-2.0
// The declarations of norms of sums whose results are quantised or cast (README.md).
#pragma once

#include <array>

#include "nnop/dtype_sets.h"
#include "nnop/joined_rows.h"
#include "ops/norm_quant/rows_ada.h"

namespace anyacl::norm_quant {

enum : int {
  kX1,
  kX2,
  kGamma,
  kScales1,
  kScales2,
  kOffsets1,
  kOffsets2,
  kAxis,
  kEps,
  kDivMode,
  kY1,
  kY2,
  kRstd,
  kSum,
  kBeta,
  kBias,
  kAdditional,
  kMean,
  kNormOut,
  kSteps1,
  kSteps2,
  kMask,
  kAlpha,
  kOutputRstd,
  kDy,
  kDgamma,
  kQuantMode,
  kDstType,
};

Status PrepareAddRmsNormQuant(Operands& operands, PreparedCall* call);
Status PrepareAddRmsNormCast(Operands& operands, PreparedCall* call);
Status PrepareAddLayerNorm(Operands& operands, PreparedCall* call);
Status PrepareAddLayerNormQuant(Operands& operands, PreparedCall* call);
Status PrepareLayerNormQuant(Operands& operands, PreparedCall* call);
Status PrepareRmsNormQuant(Operands& operands, PreparedCall* call);
Status PrepareRmsNormQuantV3(Operands& operands, PreparedCall* call);
Status PrepareAddRmsNormDynamicQuant(Operands& operands, PreparedCall* call);
Status PrepareAddRmsNormDynamicQuantV2(Operands& operands, PreparedCall* call);
Status PrepareRmsNormDynamicQuant(Operands& operands, PreparedCall* call);
Status PrepareDeepNorm(Operands& operands, PreparedCall* call);
Status PrepareRmsNormGradQuant(Operands& operands, PreparedCall* call);

inline constexpr DTypeSet kOffsetTypes = {ACL_INT32, ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
inline constexpr char kRow[] = "x1's last dimensions: a row";

inline constexpr auto kAddRmsNormQuantParams = std::to_array<ParamSpec>({
    In(kX1, "x1", kFloats, "X*"),
    Like(kX1, In(kX2, "x2", kFloats, "X*")),
    Noted(Like(kX1, In(kGamma, "gamma", kFloats, "G*")), kRow),
    Noted(In(kScales1, "scales1", kFloats, "G*"), kRow),
    Noted(Like(kScales1, In(kScales2, "scales2Optional", kFloats, "G*", Need::kOptional)),
          "null: y2Out is not written"),
    Noted(In(kOffsets1, "zeroPoints1Optional", kOffsetTypes, "G*", Need::kOptional),
          "null stands for zeros"),
    Noted(
        Like(kOffsets1, In(kOffsets2, "zeroPoints2Optional", kOffsetTypes, "G*", Need::kOptional)),
        "only beside scales2Optional; null stands for zeros"),
    Value(kAxis, "axis", Kind::kInt64, "without effect"),
    Value(kEps, "epsilon", Kind::kDouble, "added to the mean square; 0 or more"),
    Value(kDivMode, "divMode", Kind::kBool, "divides by scales, else multiplies"),
    Out(kY1, "y1Out", {ACL_INT8}, "X*"),
    Out(kY2, "y2Out", {ACL_INT8}, "X*"),
    Like(kX1, Out(kSum, "xOut", kFloats, "X*")),
});
inline constexpr auto kAddRmsNormQuantParamsV2 = JoinRows(
    SliceOf<0, 7>(kAddRmsNormQuantParams),
    std::array{Noted(Like(kX1, In(kBeta, "betaOptional", kFloats, "G*", Need::kOptional)),
                     "null stands for zeros")},
    SliceOf<7, 13>(kAddRmsNormQuantParams),
    std::array{Noted(Like(kX1, Out(kNormOut, "rmsNormOut", kFloats, "X*", Need::kOptional)),
                     "y without beta")});
inline constexpr ParamSpec kAddRmsNormCastParams[] = {
    In(kX1, "x1", kHalves, "X*"),
    Like(kX1, In(kX2, "x2", kHalves, "X*")),
    Noted(Like(kX1, In(kGamma, "gamma", kHalves, "G*")), kRow),
    Value(kEps, "epsilon", Kind::kDouble, "added to the mean square; 0 or more"),
    ConstHandle(Out(kY1, "y1Out", {ACL_FLOAT}, "X*")),
    Like(kX1, ConstHandle(Out(kY2, "y2Out", kHalves, "X*"))),
    Noted(ConstHandle(Out(kRstd, "rstdOut", {ACL_FLOAT}, "R*")),
          "x1's shape with 1 for the dimensions of gamma"),
    Like(kX1, ConstHandle(Out(kSum, "xOut", kHalves, "X*"))),
};

inline constexpr char kOnePerRow[] = "x1's first dimensions, with 1 for those of gamma";
inline constexpr ParamSpec kAddLayerNormParams[] = {
    In(kX1, "x1", kFloats, "X*"),
    Noted(In(kX2, "x2", kFloats, "X*"), "of x1's type, or one of them is FLOAT"),
    Noted(In(kGamma, "gamma", kFloats, "G*"),
          "x1's last dimensions: a row; of yOut's type or FLOAT"),
    Like(kGamma, In(kBeta, "beta", kFloats, "G*")),
    Noted(In(kBias, "biasOptional", kFloats, "*", Need::kOptional),
          "gamma's shape or x1's; of yOut's type"),
    Value(kEps, "epsilon", Kind::kDouble, "added to the variance; 0 or more"),
    Value(kAdditional, "additionalOutput", Kind::kBool, "whether xOut is written"),
    Noted(ConstHandle(Out(kY1, "yOut", kFloats, "X*")),
          "of x1's and x2's type, FLOAT if they differ"),
    Noted(ConstHandle(Out(kMean, "meanOut", {ACL_FLOAT}, "M*")), kOnePerRow),
    Noted(ConstHandle(Out(kRstd, "rstdOut", {ACL_FLOAT}, "R*")), kOnePerRow),
    Like(kY1, ConstHandle(Out(kSum, "xOut", kFloats, "X*"))),
};

inline constexpr ParamSpec kEpsParam =
    Value(kEps, "epsilon", Kind::kDouble, "added to the mean square; 0 or more");
inline constexpr ParamSpec kRmsNormQuantParams[] = {
    Noted(In(kX1, "x", kHalves, "B* D"), "of INT4 results D is even; without elements refused"),
    Like(kX1, In(kGamma, "gamma", kHalves, "D | 1 D")),
    Like(kX1, In(kBeta, "beta", kHalves, "D | 1 D")),
    Noted(Like(kX1, In(kScales1, "scale", kHalves, "1")), "not 0"),
    In(kOffsets1, "offset", {ACL_INT8}, "1"),
    kEpsParam,
    Out(kY1, "y", {ACL_INT8, ACL_INT4}, "B* D"),
};
inline constexpr ParamSpec kRmsNormQuantV3Params[] = {
    Noted(In(kX1, "x", kFloats, "B* D"), "of INT4 results D is even; without elements refused"),
    Like(kX1, In(kGamma, "gamma", kFloats, "D | 1 D")),
    Noted(In(kScales1, "scale", kFloats, "S"), "[1] or [D]; not 0"),
    Noted(In(kOffsets1, "offsetOptional", {ACL_INT8, ACL_INT32, ACL_FLOAT, ACL_FLOAT16, ACL_BF16},
             "S", Need::kOptional),
          "null stands for zeros"),
    Noted(Like(kX1, In(kBeta, "betaOptional", kFloats, "D | 1 D", Need::kOptional)),
          "null stands for zeros"),
    kEpsParam,
    Value(kDivMode, "divMode", Kind::kBool, "divides by scale, else multiplies"),
    Value(kOutputRstd, "outputRstd", Kind::kBool, "whether rstd is written"),
    Packed(Noted(Out(kY1, "y", {ACL_INT8, ACL_INT4, ACL_INT32}, "B* D"), "INT32 packs eight INT4"),
           "B* D/8"),
    NeededIf(Noted(Out(kRstd, "rstd", {ACL_FLOAT}), "x's shape with 1 for D"), "outputRstd"),
};

inline constexpr ParamSpec kLayerEpsParam =
    Value(kEps, "epsilon", Kind::kDouble, "added to the variance; 0 or more");
inline constexpr ParamSpec kLayerNormQuantParams[] = {
    In(kX1, "x", kHalves, "B* D"),
    Like(kX1, In(kGamma, "gamma", kHalves, "D | 1 D")),
    Like(kX1, In(kBeta, "beta", kHalves, "D | 1 D")),
    Noted(Like(kX1, In(kScales1, "scale", kHalves, "1")), "not 0"),
    In(kOffsets1, "zeroPointsOptional", {ACL_INT8}, "1"),
    {.name = "quantMode", .id = kQuantMode, .kind = Kind::kInt32, .min = 0, .max = 0},
    kLayerEpsParam,
    Out(kY1, "res", {ACL_INT8}, "B* D"),
    Noted(Out(kSteps1, "scaleOut", {ACL_FLOAT}, "*", Need::kOptional),
          "of quantMode 1: of any shape, and not written"),
};

inline constexpr char kFactors[] = "gamma's shape or [1]";
inline constexpr char kIfDynamic[] =
    "of quantMode dynamic x1's shape without the last dimension; else of any, and not written";
constexpr ParamSpec Factors(int id, const char* name, const char* note) {
  return Noted(In(id, name, kFloats, "S*", Need::kOptional), note);
}
inline constexpr auto kAddLayerNormQuantParamsV2 = std::to_array<ParamSpec>({
    In(kX1, "x1", kFloats, "X*"),
    Like(kX1, In(kX2, "x2", kFloats, "X*")),
    Noted(Like(kX1, In(kGamma, "gamma", kFloats, "G*")),
          "x1's last dimensions, or [1, the last one]: a row"),
    Like(kX1, In(kBeta, "beta", kFloats, "G*")),
    Noted(Like(kX1, In(kBias, "biasOptional", kFloats, "*", Need::kOptional)),
          "gamma's shape or x1's"),
    Factors(kScales1, "scales1Optional", kFactors),
    Factors(kScales2, "scales2Optional", "as scales1Optional; null: y2Out is not written"),
    Factors(kOffsets1, "zeroPoints1Optional", "of quantMode static; as scales1Optional"),
    Factors(kOffsets2, "zeroPoints2Optional", "given where both scales and the first ones are"),
    Value(kQuantMode, "quantMode", Kind::kText, "static or dynamic"),
    kLayerEpsParam,
    Value(kAdditional, "additionalOutput", Kind::kBool, "whether xOut is written"),
    Value(kDivMode, "divMode", Kind::kBool,
          "static: divides by scales, else multiplies; dynamic: without effect"),
    Out(kY1, "y1Out", {ACL_INT8}, "X*"),
    Noted(Out(kY2, "y2Out", {ACL_INT8}, "*"), "x1's shape where it is written"),
    Like(kX1, Out(kSum, "xOut", kFloats, "X*")),
    Noted(Like(kX1, Out(kNormOut, "layernormRes", kFloats, "X*")), "y"),
    Noted(Out(kSteps1, "outScales1Out", {ACL_FLOAT}, "*"), kIfDynamic),
    Noted(Out(kSteps2, "outScales2Out", {ACL_FLOAT}, "*"),
          "as outScales1Out, with scales2Optional"),
});
inline constexpr auto kAddLayerNormQuantParams = JoinRows(
    SliceOf<0, 16>(kAddLayerNormQuantParamsV2), SliceOf<17, 19>(kAddLayerNormQuantParamsV2));

inline constexpr char kOneNumber[] = "x1's shape without the last dimension, or [rows]";
inline constexpr char kIfSecond[] =
    "as the first one; not written, and of any shape, without smoothScale2Optional";
inline constexpr char kIfMasked[] = "of any shape where it is not written";
inline constexpr auto kDynamicQuantInputs = std::to_array<ParamSpec>({
    In(kX1, "x1", kHalves, "B.. H"),
    Like(kX1, In(kX2, "x2", kHalves, "B.. H")),
    Like(kX1, In(kGamma, "gamma", kHalves, "H")),
    Noted(Like(kX1, In(kScales1, "smoothScale1Optional", kHalves, "H", Need::kOptional)),
          "multiplies the columns; null stands for ones"),
    Noted(Like(kX1, In(kScales2, "smoothScale2Optional", kHalves, "H", Need::kOptional)),
          "only beside smoothScale1Optional"),
});
inline constexpr auto kDynamicQuantSum = std::array{Like(kX1, Out(kSum, "xOut", kHalves, "B.. H"))};
inline constexpr auto kAddRmsNormDynamicQuantParams = JoinRows(
    kDynamicQuantInputs,
    std::array{kEpsParam, Noted(Out(kY1, "y1Out", {ACL_INT8}, "*"), "x1's shape, or [rows, H]"),
               Noted(Out(kY2, "y2Out", {ACL_INT8}, "*"), kIfSecond)},
    kDynamicQuantSum,
    std::array{Noted(Dense(Out(kSteps1, "scale1Out", {ACL_FLOAT}, "*")), kOneNumber),
               Noted(Dense(Out(kSteps2, "scale2Out", {ACL_FLOAT}, "*")), kIfSecond)});
inline constexpr auto kAddRmsNormDynamicQuantParamsV2 = JoinRows(
    SliceOf<0, 4>(kDynamicQuantInputs),
    std::array{Noted(Like(kX1, In(kScales2, "smoothScale2Optional", kHalves, "H", Need::kOptional)),
                     "multiplies the columns; only beside smoothScale1Optional or a mask"),
               Noted(Like(kX1, In(kBeta, "betaOptional", kHalves, "H", Need::kOptional)),
                     "null stands for zeros"),
               kEpsParam,
               ParamSpec{.name = "outputMaskOptional",
                         .id = kMask,
                         .kind = Kind::kBoolArray,
                         .need = Need::kOptional,
                         .note = "2 values: which results to write; null: the first, and the "
                                 "second if both smooth scales are given"},
               Noted(Out(kY1, "y1Out", {ACL_INT8, ACL_INT4}, "*"),
                     "x1's shape, or any where it is not written"),
               Noted(Out(kY2, "y2Out", {ACL_INT8, ACL_INT4}, "*"), "as y1Out; of its type")},
    kDynamicQuantSum,
    std::array{
        Noted(Dense(Out(kSteps1, "scale1Out", {ACL_FLOAT}, "*")),
              "x1's shape without the last dimension, or [rows]; any where it is not written"),
        Noted(Dense(Out(kSteps2, "scale2Out", {ACL_FLOAT}, "*")), "as scale1Out")});

inline constexpr ParamSpec kRmsNormDynamicQuantParams[] = {
    Noted(In(kX1, "x", kHalves, "B.. H"), "without elements refused"),
    Like(kX1, In(kGamma, "gamma", kHalves, "H")),
    Noted(Like(kX1, In(kScales1, "smoothScalesOptional", kHalves, "H", Need::kOptional)),
          "multiplies the columns; null stands for ones"),
    Noted(Like(kX1, In(kBeta, "betaOptional", kHalves, "H", Need::kOptional)),
          "null stands for zeros"),
    kEpsParam,
    {.name = "dstType",
     .id = kDstType,
     .kind = Kind::kInt64,
     .min = ACL_INT8,
     .max = ACL_INT8,
     .note = "ACL_INT8: yOut's type"},
    ConstHandle(Out(kY1, "yOut", {ACL_INT8}, "B.. H")),
    ConstHandle(Out(kSteps1, "scaleOut", {ACL_FLOAT}, "B..")),
};

inline constexpr ParamSpec kDeepNormParams[] = {
    Noted(In(kX1, "x", kFloats, "X*"), "of two dimensions or more"),
    Like(kX1, In(kX2, "gx", kFloats, "X*")),
    Like(kX1, In(kBeta, "beta", kFloats, "G*")),
    Noted(Like(kX1, In(kGamma, "gamma", kFloats, "G*")), "x's last dimensions: a row"),
    Value(kAlpha, "alpha", Kind::kDouble, "multiplies x"),
    Value(kEps, "epsilon", Kind::kDouble, "added to the variance; 0 or more"),
    Noted(Dense(ConstHandle(Out(kMean, "meanOut", {ACL_FLOAT}, "M*"))),
          "x's shape with 1 for the dimensions of gamma"),
    Noted(Dense(ConstHandle(Out(kRstd, "rstdOut", {ACL_FLOAT}, "R*"))), "as meanOut"),
    Like(kX1, Dense(ConstHandle(Out(kY1, "yOut", kFloats, "X*")))),
};

inline constexpr ParamSpec kRmsNormGradQuantParams[] = {
    Noted(In(kDy, "dy", kFloats, "X*"), "rank 2 to 8"),
    Like(kDy, In(kX1, "x", kFloats, "X*")),
    Noted(In(kRstd, "rstd", {ACL_FLOAT}, "R*"), "a number for each row: x's first dimensions"),
    Noted(In(kGamma, "gamma", kFloats, "G*"), "x's last dimensions: a row; of dy's type or FLOAT"),
    Noted(In(kScales1, "scalesX", kFloats, "1"), "of dy's type or FLOAT"),
    Noted(In(kOffsets1, "offsetXOptional", {ACL_INT32}, "1", Need::kOptional), "null stands for 0"),
    Value(kQuantMode, "quantMode", Kind::kText, "static"),
    Value(kDivMode, "divMode", Kind::kBool, "true divides by scalesX, false multiplies"),
    Out(kY1, "dxOut", {ACL_INT8}, "X*"),
    Out(kDgamma, "dgammaOut", {ACL_FLOAT}, "G*")};

inline constexpr OpSpec kRowOperators[] = {
    {.op = kNames<"AddRmsNormQuant">,
     .params = kAddRmsNormQuantParams,
     .prepare = PrepareAddRmsNormQuant,
     .header = "aclnn_add_rms_norm_quant.h",
     .summary = "xOut = x1 + x2, y = (x1 + x2) * rstd * gamma, rstd = 1 / sqrt(mean of (x1 + x2)^2 "
                "+ epsilon); y1Out = rint(y / scales1 + zeroPoints1), y2Out the same of the second "
                "ones, held within INT8",
     .document = "ops-nn: norm/add_rms_norm_quant/docs/aclnnAddRmsNormQuant.md"},
    {.op = kNames<"AddRmsNormQuantV2">,
     .params = kAddRmsNormQuantParamsV2,
     .prepare = PrepareAddRmsNormQuant,
     .header = "aclnn_add_rms_norm_quant_v2.h",
     .summary = "aclnnAddRmsNormQuant of y = (x1 + x2) * rstd * gamma + beta",
     .document = "ops-nn: norm/add_rms_norm_quant_v2/docs/aclnnAddRmsNormQuantV2.md"},
    {.op = kNames<"AddLayerNormQuant">,
     .params = kAddLayerNormQuantParams,
     .prepare = PrepareAddLayerNormQuant,
     .header = "aclnn_add_layer_norm_quant.h",
     .summary =
         "xOut = x1 + x2 + biasOptional, y = (xOut - mean) * rstd * gamma + beta; static: y1Out = "
         "rint(y / scales1 + zeroPoints1), or times scales1; dynamic: outScales1Out = max|y * "
         "scales1| / 127, y1Out = rint(y * scales1 / outScales1Out); y2Out the same of the second "
         "ones",
     .document = "ops-nn: norm/add_layer_norm_quant/docs/aclnnAddLayerNormQuant.md"},
    {.op = kNames<"AddLayerNormQuantV2">,
     .params = kAddLayerNormQuantParamsV2,
     .prepare = PrepareAddLayerNormQuant,
     .header = "aclnn_add_layer_norm_quant_v2.h",
     .summary =
         "xOut = x1 + x2 + biasOptional, layernormRes = y = (xOut - mean) * rstd * gamma + beta; "
         "static: y1Out = rint(y / scales1 + zeroPoints1), or times scales1; dynamic: "
         "outScales1Out "
         "= max|y * scales1| / 127, y1Out = rint(y * scales1 / outScales1Out); y2Out the same of "
         "the second ones",
     .document = "ops-nn: norm/add_layer_norm_quant_v2/docs/aclnnAddLayerNormQuantV2.md"},
    {.op = kNames<"LayerNormQuant">,
     .params = kLayerNormQuantParams,
     .prepare = PrepareLayerNormQuant,
     .header = "aclnn_layer_norm_quant.h",
     .summary = "res = rint(((x - mean) * rstd * gamma + beta) / scale + zeroPointsOptional), held "
                "within INT8",
     .document = "ops-nn: norm/layer_norm_quant/docs/aclnnLayerNormQuant.md"},
    {.op = kNames<"AddRmsNormCast">,
     .params = kAddRmsNormCastParams,
     .prepare = PrepareAddRmsNormCast,
     .header = "aclnn_add_rms_norm_cast.h",
     .summary = "xOut = x1 + x2, y1Out = (x1 + x2) * rstd * gamma, rstd = 1 / sqrt(mean of (x1 + "
                "x2)^2 + epsilon), y2Out = y1Out as x1's type",
     .document = "ops-nn: norm/add_rms_norm_cast/docs/aclnnAddRmsNormCast.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
    {.op = kNames<"AddLayerNorm">,
     .params = kAddLayerNormParams,
     .prepare = PrepareAddLayerNorm,
     .header = "aclnn_add_layer_norm.h",
     .summary = "xOut = x1 + x2 + bias, yOut = (xOut - mean) * rstd * gamma + beta, rstd = 1 / "
                "sqrt(variance + epsilon)",
     .document = "ops-nn: norm/add_layer_norm/docs/aclnnAddLayerNorm.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
    {.op = kNames<"RmsNormQuant">,
     .params = kRmsNormQuantParams,
     .prepare = PrepareRmsNormQuant,
     .header = "aclnn_rms_norm_quant.h",
     .summary = "y = rint((x * rstd * gamma + beta) / scale + offset), held within y's type, rstd "
                "= 1 / sqrt(mean of x^2 + epsilon)",
     .document = "ops-nn: norm/rms_norm_quant/docs/aclnnRmsNormQuant.md"},
    {.op = kNames<"RmsNormQuantV3">,
     .params = kRmsNormQuantV3Params,
     .prepare = PrepareRmsNormQuantV3,
     .header = "aclnn_rms_norm_quant_v3.h",
     .summary = "y = rint((x * rstd * gamma + beta) / scale + offset), or times scale, held within "
                "y's type, rstd = 1 / sqrt(mean of x^2 + epsilon)",
     .document = "ops-nn: norm/rms_norm_quant_v3/docs/aclnnRmsNormQuantV3.md",
     .codes = {.dtype = ACLNN_ERR_INNER_NULLPTR, .shape = ACLNN_ERR_INNER_NULLPTR}},
    {.op = kNames<"AddRmsNormDynamicQuant">,
     .params = kAddRmsNormDynamicQuantParams,
     .prepare = PrepareAddRmsNormDynamicQuant,
     .header = "aclnn_add_rms_norm_dynamic_quant.h",
     .summary = "xOut = x1 + x2, y = (x1 + x2) * rstd * gamma * smoothScale1Optional, rstd = 1 / "
                "sqrt(mean of (x1 + x2)^2 + epsilon); scale1Out = max|y| / 127 of a row, y1Out = "
                "rint(y / scale1Out); y2Out and scale2Out the same of smoothScale2Optional",
     .document = "ops-nn: norm/add_rms_norm_dynamic_quant/docs/aclnnAddRmsNormDynamicQuant.md"},
    {.op = kNames<"AddRmsNormDynamicQuantV2">,
     .params = kAddRmsNormDynamicQuantParamsV2,
     .prepare = PrepareAddRmsNormDynamicQuantV2,
     .header = "aclnn_add_rms_norm_dynamic_quant_v2.h",
     .summary = "aclnnAddRmsNormDynamicQuant of y = ((x1 + x2) * rstd * gamma + beta) * smooth "
                "scales; of INT4 the scales are max|y| / 7",
     .document = "ops-nn: norm/add_rms_norm_dynamic_quant/docs/aclnnAddRmsNormDynamicQuantV2.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR},
     .constraint_code = ACLNN_ERR_PARAM_INVALID},
    {.op = kNames<"RmsNormDynamicQuant">,
     .params = kRmsNormDynamicQuantParams,
     .prepare = PrepareRmsNormDynamicQuant,
     .header = "aclnn_rms_norm_dynamic_quant.h",
     .summary =
         "y = (x * rstd * gamma + betaOptional) * smoothScalesOptional, rstd = 1 / sqrt(mean "
         "of x^2 + epsilon); scaleOut = max|y| / 127 of a row, yOut = rint(y / scaleOut)",
     .document = "ops-nn: norm/rms_norm_dynamic_quant/docs/aclnnRmsNormDynamicQuant.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
    {.op = kNames<"DeepNorm">,
     .params = kDeepNormParams,
     .prepare = PrepareDeepNorm,
     .header = "aclnn_deep_norm.h",
     .summary =
         "yOut = (s - meanOut) * rstdOut * gamma + beta of s = alpha * x + gx, rstdOut = 1 / "
         "sqrt(variance of s + epsilon)",
     .document = "ops-nn: norm/deep_norm/docs/aclnnDeepNorm.md"},
    {.op = kNames<"RmsNormGradQuant">,
     .params = kRmsNormGradQuantParams,
     .prepare = PrepareRmsNormGradQuant,
     .header = "aclnn_rms_norm_grad_quant.h",
     .summary = "dx = (dy * gamma - x * rstd * mean of (dy * gamma * x * rstd)) * rstd, dxOut = "
                "rint(dx / scalesX + offsetXOptional), or times scalesX, held within INT8; "
                "dgammaOut = sum over the rows of dy * x * rstd",
     .document = "ops-nn: norm/rms_norm_grad_quant/docs/aclnnRmsNormGradQuant.md"},
};
inline constexpr auto kOperators = JoinOperators(kRowOperators, ada::kOperators);

}  // namespace anyacl::norm_quant
