// SPDX-License-Identifier: Apache-2.0
// The declarations of operators that quantise rows, or blocks of them, or make numbers of integers
// again (README.md).
#pragma once

#include <array>

#include "nnop/dtype_sets.h"
#include "nnop/joined_rows.h"

namespace anyacl::row_quant {

enum : int {
  kX,
  kLeft,
  kRight,
  kClipRatio,
  kScale,
  kRowScale,
  kGroups,
  kOffset,
  kBias,
  kSqrtMode,
  kMinScale,
  kRoundMode,
  kDstType,
  kRowBlock,
  kColBlock,
  kDstTypeMax,
  kApproximate,
  kQuantMode,
  kY,
  kScaleOut,
  kAlpha,
  kAxis,
  kScaleAlg,
  kTrans,
  kMean,
  kVariance,
  kInScale,
  kInOffset,
  kOutScale,
  kOutOffset,
  kEps,
};

Status PrepareFlatQuant(Operands& operands, PreparedCall* call);
Status PrepareRotateQuant(Operands& operands, PreparedCall* call);
Status PrepareQuantizedBatchNorm(Operands& operands, PreparedCall* call);
Status PrepareGroupQuant(Operands& operands, PreparedCall* call);
Status PrepareDequantBias(Operands& operands, PreparedCall* call);
Status PrepareAntiQuant(Operands& operands, PreparedCall* call);
Status PrepareBlockQuant(Operands& operands, PreparedCall* call);
Status PrepareGeluQuant(Operands& operands, PreparedCall* call);

constexpr ParamSpec PackedInt4(ParamSpec row, const char* packed_dims) {
  return Noted(Packed(row, packed_dims), "INT32 packs eight INT4");
}

inline constexpr ParamSpec kFlatQuantParams[] = {
    Noted(In(kX, "x", kHalves, "M N1 N2"), "M 1 to 262144, N1 and N2 1 to 256"),
    Like(kX, In(kLeft, "kroneckerP1", kHalves, "N1 N1")),
    Like(kX, In(kRight, "kroneckerP2", kHalves, "N2 N2")),
    Value(kClipRatio, "clipRatio", Kind::kDouble, "above 0, at most 1"),
    PackedInt4(Out(kY, "out", {ACL_INT4, ACL_INT32}, "M N1 N2"), "M N1 N2/8"),
    Out(kScaleOut, "quantScale", {ACL_FLOAT}, "M"),
};

inline constexpr ParamSpec kRotateQuantParams[] = {
    Noted(In(kX, "x", kHalves, "M N"), "N is a multiple of 8 and of K"),
    Noted(Like(kX, In(kRight, "rotation", kHalves, "K K")), "K 16 to 1024"),
    Noted(In(kAlpha, "alpha", {ACL_BF16}, "1", Need::kOptional), "null"),
    {.name = "axis", .id = kAxis, .kind = Kind::kInt64, .min = -1, .max = 1, .note = "-1 or 1"},
    {.name = "roundMode",
     .id = kRoundMode,
     .kind = Kind::kMutableText,
     .need = Need::kOptional,
     .note = "rint, round, floor or null: without effect, as on Atlas A2"},
    {.name = "scaleAlg", .id = kScaleAlg, .kind = Kind::kInt64, .min = 0, .max = 0},
    Value(kDstTypeMax, "dstTypeMax", Kind::kDouble, "0"),
    Value(kTrans, "trans", Kind::kBool, "false"),
    PackedInt4(Out(kY, "yOut", {ACL_INT8, ACL_INT32}, "M N"), "M N/8"),
    Out(kScaleOut, "scaleOut", {ACL_FLOAT}, "M"),
};

inline constexpr DTypeSet kQuantizedPixels = {ACL_INT8, ACL_UINT8, ACL_INT32};
inline constexpr ParamSpec kQuantizedBatchNormParams[] = {
    Noted(In(kX, "input", kQuantizedPixels, "N C H W"), "without elements refused"),
    In(kMean, "mean", {ACL_FLOAT}, "C"),
    In(kVariance, "var", {ACL_FLOAT}, "C"),
    Value(kInScale, "inputScale", Kind::kScalar),
    Value(kInOffset, "inputZeroPoint", Kind::kScalar, "within input's type"),
    Value(kOutScale, "outputScale", Kind::kScalar, "not 0"),
    Value(kOutOffset, "outputZeroPoint", Kind::kScalar, "within input's type"),
    Noted(In(kScale, "weight", {ACL_FLOAT}, "C", Need::kOptional), "null stands for ones"),
    Noted(In(kBias, "bias", {ACL_FLOAT}, "C", Need::kOptional), "null stands for zeros"),
    Value(kEps, "epsilon", Kind::kFloat, "added to the variance"),
    Like(kX, Out(kY, "output", kQuantizedPixels, "N C H W")),
};

inline constexpr ParamSpec kGroupQuantParams[] = {
    In(kX, "x", kFloats, "S H"),
    Noted(In(kScale, "scale", kFloats, "E H"), "a row for each group; E is 1 or more"),
    Noted(In(kGroups, "groupIndex", {ACL_INT32, ACL_INT64}, "E"),
          "the row after the last one of each group"),
    Noted(Like(kScale, In(kOffset, "offsetOptional", kFloats, "*", Need::kOptional)),
          "one number, of shape [1] or []; null stands for 0"),
    {.name = "dstType", .id = kDstType, .kind = Kind::kInt32, .note = "number of the type of y"},
    PackedInt4(Out(kY, "y", {ACL_INT8, ACL_INT32, ACL_INT4}, "S H"), "S H/8"),
};

inline constexpr ParamSpec kDequantBiasParams[] = {
    Noted(In(kX, "x", {ACL_INT32}, "M N"), "M at most 25000"),
    In(kScale, "weightScale", {ACL_FLOAT, ACL_BF16}, "N"),
    In(kRowScale, "activateScaleOptional", {ACL_FLOAT}, "M", Need::kOptional),
    Noted(In(kBias, "biasOptional", {ACL_FLOAT, ACL_BF16, ACL_FLOAT16, ACL_INT32}, "N",
             Need::kOptional),
          "INT32 is added before the scales, others after them"),
    {.name = "outputDtype",
     .id = kDstType,
     .kind = Kind::kInt64,
     .note = "number of the type of out: FLOAT16 for a weightScale of FLOAT, BF16 for one of BF16"},
    ConstHandle(Out(kY, "out", kHalves, "M N")),
};

inline constexpr ParamSpec kAntiQuantParams[] = {
    Noted(In(kX, "x", {ACL_INT8, ACL_INT4, ACL_INT32}, "*"), "INT32 packs eight INT4"),
    Noted(In(kScale, "scale", {ACL_FLOAT, ACL_BF16}, "C"), "[1], or a number for each column"),
    Like(kScale, In(kOffset, "offset", {ACL_FLOAT, ACL_BF16}, "C", Need::kOptional)),
    Value(kDstType, "dstType", Kind::kInt64, "number of the type of y"),
    Value(kSqrtMode, "sqrtMode", Kind::kBool, "multiplies by scale twice"),
    Noted(ConstHandle(Out(kY, "y", kHalves, "*")),
          "x's shape, of INT32 with eight times the columns"),
};

inline constexpr ParamSpec kGeluQuantParams[] = {
    Noted(In(kX, "self", kFloats), "not empty; dynamic of rank 2 or more"),
    Noted(In(kScale, "inputScaleOptional", kFloats, "S", Need::kOptional),
          "[1], or a number for each column; static needs it"),
    Noted(In(kOffset, "inputOffsetOptional", kFloats, "S", Need::kOptional),
          "of the scale's type; without effect on dynamic"),
    Value(kApproximate, "approximate", Kind::kText, "none or tanh"),
    Value(kQuantMode, "quantMode", Kind::kText, "static or dynamic"),
    Value(kRoundMode, "roundMode", Kind::kText, "rint"),
    Value(kDstType, "dstType", Kind::kInt64, "number of the type of y: 2"),
    ConstHandle(Out(kY, "y", {ACL_INT8})),
    Noted(ConstHandle(Out(kScaleOut, "outScaleOptional", {ACL_FLOAT}, "*", Need::kOptional)),
          "dynamic: self's shape without the last dimension; static: null"),
};

constexpr std::array<ParamSpec, 5> BlockQuantInputs() {
  return {Noted(In(kX, "x", kFloats, "M N | B M N"), "not empty"),
          Value(kMinScale, "minScale", Kind::kDouble, "0 or more"),
          ParamSpec{.name = "roundModeOptional",
                    .id = kRoundMode,
                    .kind = Kind::kMutableText,
                    .need = Need::kOptional,
                    .note = "rint, or null"},
          ParamSpec{.name = "dstType",
                    .id = kDstType,
                    .kind = Kind::kInt64,
                    .min = 2,
                    .max = 2,
                    .note = "INT8"},
          ParamSpec{.name = "rowBlockSize",
                    .id = kRowBlock,
                    .kind = Kind::kInt64,
                    .min = 1,
                    .max = 1,
                    .note = "rows of a block"}};
}
inline constexpr ParamSpec kBlockQuantY = ConstHandle(Out(kY, "yOut", {ACL_INT8}, "M N | B M N"));
inline constexpr ParamSpec kBlockQuantScale =
    Noted(ConstHandle(Out(kScaleOut, "scaleOut", {ACL_FLOAT}, "M Q | B M Q")),
          "Q is N / colBlockSize, rounded up");
inline constexpr auto kBlockQuantParams =
    JoinRows(BlockQuantInputs(), std::array{ParamSpec{.name = "colBlockSize",
                                                      .id = kColBlock,
                                                      .kind = Kind::kInt64,
                                                      .min = 128,
                                                      .max = 128,
                                                      .note = "columns of a block"},
                                            kBlockQuantY, kBlockQuantScale});
inline constexpr auto kBlockQuantParamsV2 =
    JoinRows(BlockQuantInputs(), std::array{ParamSpec{.name = "colBlockSize",
                                                      .id = kColBlock,
                                                      .kind = Kind::kInt64,
                                                      .note = "columns of a block: 1 or 128"},
                                            Value(kDstTypeMax, "dstTypeMax", Kind::kDouble, "0"),
                                            kBlockQuantY, kBlockQuantScale});

inline constexpr char kBlockSummary[] =
    "scaleOut = min(max |x| / 127, 1 / minScale) of each block of a row, yOut = rint(x / "
    "scaleOut), "
    "held within INT8";

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"FlatQuant">,
     .params = kFlatQuantParams,
     .prepare = PrepareFlatQuant,
     .header = "aclnn_flat_quant.h",
     .summary = "z = kroneckerP1 @ (x @ kroneckerP2) of each of M matrices, quantScale = max |z| / "
                "(7 / clipRatio), out = rint(z / quantScale), held within INT4",
     .document = "ops-nn: quant/flat_quant/docs/aclnnFlatQuant.md"},
    {.op = kNames<"RotateQuant">,
     .params = kRotateQuantParams,
     .prepare = PrepareRotateQuant,
     .header = "aclnn_rotate_quant.h",
     .summary = "z = each K columns of x @ rotation, scaleOut = max |z| / 127 of a row, of INT32 "
                "max |z| / 7, yOut = rint(z / scaleOut)",
     .document = "ops-nn: matmul/rotate_quant/docs/aclnnRotateQuant.md"},
    {.op = kNames<"QuantizedBatchNorm">,
     .params = kQuantizedBatchNormParams,
     .prepare = PrepareQuantizedBatchNorm,
     .header = "aclnn_quantized_batch_norm.h",
     .summary =
         "y = ((input - inputZeroPoint) * inputScale - mean) / sqrt(var + epsilon) * weight + "
         "bias of each channel, output = rint(y / outputScale + outputZeroPoint), held within "
         "its type",
     .document = "ops-nn: norm/quantized_batch_norm/docs/aclnnQuantizedBatchNorm.md"},
    {.op = kNames<"GroupQuant">,
     .params = kGroupQuantParams,
     .prepare = PrepareGroupQuant,
     .header = "aclnn_group_quant.h",
     .summary = "y = rint(x * scale + offsetOptional) with the scales of each row's group, held "
                "within y's type",
     .document = "ops-nn: quant/group_quant/docs/aclnnGroupQuant.md"},
    {.op = kNames<"DequantBias">,
     .params = kDequantBiasParams,
     .prepare = PrepareDequantBias,
     .header = "aclnn_dequant_bias.h",
     .summary = "out = x * weightScale * activateScaleOptional + biasOptional; an INT32 bias is "
                "added to x first",
     .document = "ops-nn: quant/dequant_bias/docs/aclnnDequantBias.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
    {.op = kNames<"AscendAntiQuant">,
     .params = kAntiQuantParams,
     .prepare = PrepareAntiQuant,
     .header = "aclnn_ascend_anti_quant.h",
     .summary = "y = (x + offset) * scale, or times scale twice",
     .document = "ops-nn: quant/ascend_anti_quant_v2/docs/aclnnAscendAntiQuant.md"},
    {.op = kNames<"GeluQuant">,
     .params = kGeluQuantParams,
     .prepare = PrepareGeluQuant,
     .header = "aclnn_gelu_quant.h",
     .summary = "g = gelu(self); static: y = rint(g * inputScale + inputOffset); dynamic: g times "
                "inputScale, outScale = max |g| / 127 of each row, y = rint(g / outScale)",
     .document = "ops-nn: activation/gelu_quant/docs/aclnnGeluQuant.md"},
    {.op = kNames<"DynamicBlockQuant">,
     .params = kBlockQuantParams,
     .prepare = PrepareBlockQuant,
     .header = "aclnn_dynamic_block_quant.h",
     .summary = kBlockSummary,
     .document = "ops-nn: quant/dynamic_block_quant/docs/aclnnDynamicBlockQuant.md"},
    {.op = kNames<"DynamicBlockQuantV2">,
     .params = kBlockQuantParamsV2,
     .prepare = PrepareBlockQuant,
     .header = "aclnn_dynamic_block_quant_v2.h",
     .summary = kBlockSummary,
     .document = "ops-nn: quant/dynamic_block_quant/docs/aclnnDynamicBlockQuantV2.md"},
};

}  // namespace anyacl::row_quant
