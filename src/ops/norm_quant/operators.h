// SPDX-License-Identifier: Apache-2.0
// The declarations of norms of sums whose results are quantised or cast (README.md).
#pragma once

#include <array>

#include "nnop/dtype_sets.h"
#include "nnop/joined_rows.h"

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
};

Status PrepareAddRmsNormQuant(Operands& operands, PreparedCall* call);
Status PrepareAddRmsNormCast(Operands& operands, PreparedCall* call);
Status PrepareAddLayerNorm(Operands& operands, PreparedCall* call);

constexpr ParamSpec Constant(ParamSpec row) {
  row.const_handle = true;
  return row;
}
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
    Constant(Out(kY1, "y1Out", {ACL_FLOAT}, "X*")),
    Like(kX1, Constant(Out(kY2, "y2Out", kHalves, "X*"))),
    Noted(Constant(Out(kRstd, "rstdOut", {ACL_FLOAT}, "R*")),
          "x1's shape with 1 for the dimensions of gamma"),
    Like(kX1, Constant(Out(kSum, "xOut", kHalves, "X*"))),
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
    Noted(Constant(Out(kY1, "yOut", kFloats, "X*")), "of x1's and x2's type, FLOAT if they differ"),
    Noted(Constant(Out(kMean, "meanOut", {ACL_FLOAT}, "M*")), kOnePerRow),
    Noted(Constant(Out(kRstd, "rstdOut", {ACL_FLOAT}, "R*")), kOnePerRow),
    Like(kY1, Constant(Out(kSum, "xOut", kFloats, "X*"))),
};

inline constexpr OpSpec kOperators[] = {
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
};

}  // namespace anyacl::norm_quant
