// SPDX-License-Identifier: Apache-2.0
// The declarations of products that are fused with collectives between ranks.
#pragma once

#include "nnop/operator.h"

namespace anyacl::matmul_collective {

enum : int {
  kX1,
  kX2,
  kBias,
  kX3,
  kX1Scale,
  kX2Scale,
  kOffset,
  kCommScale1,
  kCommScale2,
  kQuantScale,
  kBlockSize,
  kGroup,
  kReduceOp,
  kGatherIndex,
  kCpuMode,
  kVectorMode,
  kCommTurn,
  kStreamMode,
  kGroupSize,
  kCommQuantMode,
  kOutput,
  kGatherOut,
  kAmaxOut,
};

Status PrepareAllReduce(Operands& operands, PreparedCall* call);
Status PrepareAllGather(Operands& operands, PreparedCall* call);
Status PrepareReduceScatter(Operands& operands, PreparedCall* call);

inline constexpr DTypeSet kHalves = {ACL_FLOAT16, ACL_BF16};

constexpr ParamSpec Like(ParamSpec row, int other = kX1) {
  row.same_dtype_as = other;
  return row;
}
constexpr ParamSpec Noted(ParamSpec row, const char* note) {
  row.note = note;
  return row;
}
constexpr ParamSpec Named(ParamSpec row, const char* name) {
  row.name = name;
  return row;
}
constexpr ParamSpec Optional(ParamSpec row) {
  row.need = Need::kOptional;
  return row;
}
constexpr ParamSpec ConstHandle(ParamSpec row) {
  row.const_handle = true;
  return row;
}
constexpr ParamSpec Panels(ParamSpec row) {
  row.formats = Formats::kPlainOrFractalNz;
  return row;
}
constexpr ParamSpec Only(int id, const char* name, int64_t value) {
  return {.name = name, .id = id, .kind = Kind::kInt64, .min = value, .max = value};
}
constexpr ParamSpec Text(int id, const char* name, const char* note) {
  return {.name = name, .id = id, .kind = Kind::kText, .note = note};
}
// Null, or without elements as PyTorch makes it.
constexpr ParamSpec Unused(int id, const char* name, DTypeSet dtypes,
                           Direction direction = Direction::kInput) {
  return {.name = name,
          .id = id,
          .direction = direction,
          .need = Need::kOptional,
          .dtypes = dtypes,
          .note = "null or without elements"};
}

inline constexpr ParamSpec kGroupParam =
    Text(kGroup, "group", "the communicator's name, 1 to 127 bytes");
inline constexpr ParamSpec kReduceOpParam = Text(kReduceOp, "reduceOp", "\"sum\"");
inline constexpr ParamSpec kCommTurnParam = Only(kCommTurn, "commTurn", 0);
inline constexpr ParamSpec kStreamModeParam = Only(kStreamMode, "streamMode", 1);
inline constexpr ParamSpec kAicpuParam = Text(kCpuMode, "commMode", "\"ai_cpu\"; has no effect");
inline constexpr ParamSpec kAivParam = Text(kVectorMode, "commMode", "\"aiv\"; has no effect");

// Rows of any number of leading dimensions, where all ranks have the output whole.
inline constexpr ParamSpec kAllX1 = In(kX1, "x1", kHalves, "M K | B S K");
inline constexpr ParamSpec kHalfX2 = Panels(Like(In(kX2, "x2", kHalves, "K N")));
inline constexpr ParamSpec kHalfBias =
    Optional(Noted(Like(In(kBias, "bias", kHalves, "N")), "of this rank: added on each"));
inline constexpr ParamSpec kHalfX3 =
    Optional(Noted(Like(In(kX3, "x3", kHalves, "M N | B S N")), "of this rank: added on each"));
inline constexpr ParamSpec kAllOutput =
    ConstHandle(Like(Out(kOutput, "output", kHalves, "M N | B S N")));

inline constexpr ParamSpec kAllReduceParams[] = {kAllX1,           kHalfX2,        kHalfBias,
                                                 kGroupParam,      kReduceOpParam, kCommTurnParam,
                                                 kStreamModeParam, kAllOutput};
inline constexpr ParamSpec kAllReduceV2Params[] = {kAllX1,         kHalfX2,          kHalfBias,
                                                   kHalfX3,        kGroupParam,      kReduceOpParam,
                                                   kCommTurnParam, kStreamModeParam, kAllOutput};
inline constexpr ParamSpec kAllReduceV3Params[] = {
    kAllX1,         kHalfX2,     kHalfBias,      kHalfX3,          kGroupParam,
    kReduceOpParam, kAicpuParam, kCommTurnParam, kStreamModeParam, kAllOutput};

inline constexpr ParamSpec kQuantX1 = In(kX1, "x1", {ACL_INT8}, "M K | B S K");
inline constexpr ParamSpec kQuantX2 = Panels(In(kX2, "x2", {ACL_INT8}, "K N"));
inline constexpr ParamSpec kQuantBias = Optional(In(kBias, "bias", {ACL_INT32}, "N"));
inline constexpr ParamSpec kQuantX3 = Optional(
    Noted(Like(In(kX3, "x3", kHalves, "M N | B S N"), kOutput), "of this rank: added on each"));
inline constexpr ParamSpec kDequantScale = Noted(
    In(kX2Scale, "dequantScale", {ACL_INT64, ACL_UINT64, ACL_FLOAT, ACL_BF16}, "C | 1 C"),
    "[1], [N] or [1, N]; of 64 bits with FLOAT16 results, BF16 with BF16, FLOAT with FLOAT16 and "
    "factors of rows");
inline constexpr ParamSpec kFirstDequantScale =
    Noted(In(kX2Scale, "dequantScale", {ACL_INT64, ACL_UINT64, ACL_BF16}, "C | 1 C"),
          "[1], [N] or [1, N]; of 64 bits with FLOAT16 results, BF16 with BF16");
inline constexpr ParamSpec kRowScale =
    Optional(Noted(In(kX1Scale, "pertokenScaleOptional", {ACL_FLOAT}, "R"), "one for each row"));
inline constexpr ParamSpec kCommScale =
    Noted(Unused(kCommScale1, "commQuantScale1Optional", kHalves),
          "null: communication in 8 bits is not offered");
constexpr ParamSpec SecondCommScale() {
  ParamSpec row = kCommScale;
  row.id = kCommScale2;
  row.name = "commQuantScale2Optional";
  return row;
}
inline constexpr ParamSpec kQuantOutput =
    ConstHandle(Out(kOutput, "output", kHalves, "M N | B S N"));

inline constexpr ParamSpec kQuantAllReduceParams[] = {
    kQuantX1,    kQuantX2,       kQuantBias,     kQuantX3,         kFirstDequantScale,
    kGroupParam, kReduceOpParam, kCommTurnParam, kStreamModeParam, kQuantOutput};
inline constexpr ParamSpec kQuantAllReduceV2Params[] = {kQuantX1,
                                                        kQuantX2,
                                                        Named(kQuantBias, "biasOptional"),
                                                        Named(kQuantX3, "x3Optional"),
                                                        kDequantScale,
                                                        kRowScale,
                                                        kGroupParam,
                                                        kReduceOpParam,
                                                        kCommTurnParam,
                                                        kStreamModeParam,
                                                        kQuantOutput};
inline constexpr ParamSpec kQuantAllReduceV3Params[] = {kQuantX1,
                                                        kQuantX2,
                                                        Named(kQuantBias, "biasOptional"),
                                                        Named(kQuantX3, "x3Optional"),
                                                        kDequantScale,
                                                        kRowScale,
                                                        kCommScale,
                                                        SecondCommScale(),
                                                        kGroupParam,
                                                        kReduceOpParam,
                                                        kCommTurnParam,
                                                        kStreamModeParam,
                                                        kQuantOutput};
inline constexpr ParamSpec kQuantAllReduceV4Params[] = {kQuantX1,
                                                        kQuantX2,
                                                        Named(kQuantBias, "biasOptional"),
                                                        Named(kQuantX3, "x3Optional"),
                                                        Named(kRowScale, "x1ScaleOptional"),
                                                        Named(kDequantScale, "x2ScaleOptional"),
                                                        kCommScale,
                                                        SecondCommScale(),
                                                        kGroupParam,
                                                        kReduceOpParam,
                                                        kCommTurnParam,
                                                        kStreamModeParam,
                                                        Only(kGroupSize, "groupSize", 0),
                                                        Only(kCommQuantMode, "commQuantMode", 0),
                                                        kQuantOutput};
inline constexpr ParamSpec kQuantAllReduceV5Params[] = {kQuantX1,
                                                        kQuantX2,
                                                        Named(kQuantBias, "biasOptional"),
                                                        Named(kQuantX3, "x3Optional"),
                                                        Named(kRowScale, "x1ScaleOptional"),
                                                        Named(kDequantScale, "x2ScaleOptional"),
                                                        kCommScale,
                                                        SecondCommScale(),
                                                        kGroupParam,
                                                        kReduceOpParam,
                                                        kAicpuParam,
                                                        kCommTurnParam,
                                                        kStreamModeParam,
                                                        Only(kGroupSize, "groupSize", 0),
                                                        Only(kCommQuantMode, "commQuantMode", 0),
                                                        kQuantOutput};

inline constexpr ParamSpec kWeightX2 = Panels(In(kX2, "x2", {ACL_INT8, ACL_INT4}, "K N"));
inline constexpr ParamSpec kAntiquantScale = Noted(
    Like(In(kX2Scale, "antiquantScale", kHalves, "F*")), "[1], [N], [1, N], or [groups of k, N]");
inline constexpr ParamSpec kAntiquantOffset = Optional(
    Noted(Like(In(kOffset, "antiquantOffset", kHalves, "F*")), "shaped as antiquantScale"));
inline constexpr ParamSpec kAntiquantGroupSize = {.name = "antiquantGroupSize",
                                                  .id = kGroupSize,
                                                  .kind = Kind::kInt64,
                                                  .min = 0,
                                                  .max = INT32_MAX,
                                                  .note = "0, or a multiple of 32 below K"};
inline constexpr ParamSpec kWeightQuantAllReduceParams[] = {
    kAllX1,      kWeightX2,      kHalfBias,      kAntiquantScale,  kAntiquantOffset,    kHalfX3,
    kGroupParam, kReduceOpParam, kCommTurnParam, kStreamModeParam, kAntiquantGroupSize, kAllOutput};
inline constexpr ParamSpec kWeightQuantAllReduceV2Params[] = {
    kAllX1,           kWeightX2,           kHalfBias,      kAntiquantScale, kAntiquantOffset,
    kHalfX3,          kGroupParam,         kReduceOpParam, kAicpuParam,     kCommTurnParam,
    kStreamModeParam, kAntiquantGroupSize, kAllOutput};

inline constexpr ParamSpec kRowsX1 = In(kX1, "x1", kHalves, "M K");
inline constexpr ParamSpec kGatherIndexParam = Only(kGatherIndex, "gatherIndex", 0);
inline constexpr ParamSpec kAllGatherParams[] = {
    kRowsX1,
    kHalfX2,
    Noted(kHalfBias, nullptr),
    kGroupParam,
    kGatherIndexParam,
    kCommTurnParam,
    kStreamModeParam,
    ConstHandle(Noted(Like(Out(kOutput, "output", kHalves, "G N")), "G: M times the ranks")),
    ConstHandle(Noted(Like(Out(kGatherOut, "gatherOut", kHalves, "G K", Need::kOptional)),
                      "null or without elements: not written"))};
inline constexpr ParamSpec kReduceScatterParams[] = {
    kRowsX1,
    kHalfX2,
    kHalfBias,
    kGroupParam,
    kReduceOpParam,
    kCommTurnParam,
    kStreamModeParam,
    ConstHandle(Noted(Like(Out(kOutput, "output", kHalves, "P N")), "P: M divided by the ranks"))};

inline constexpr DTypeSet kHalvesAndInts = {ACL_FLOAT16, ACL_BF16, ACL_INT8, ACL_INT4};
inline constexpr ParamSpec kV2RowScale = Noted(
    Optional(In(kX1Scale, "x1Scale", {ACL_FLOAT}, "R | R 1")), "of integers, one for each row");
inline constexpr ParamSpec kV2ColumnScale =
    Noted(Optional(In(kX2Scale, "x2Scale", {ACL_FLOAT, ACL_INT64}, "C | 1 C")),
          "of integers, one for each column; INT64 with FLOAT16 results");
inline constexpr ParamSpec kAllGatherV2Params[] = {
    In(kX1, "x1", kHalvesAndInts, "M K"),
    Like(In(kX2, "x2", kHalvesAndInts, "K N")),
    Noted(Unused(kBias, "bias", {ACL_FLOAT16, ACL_BF16, ACL_FLOAT}), "null or without elements"),
    Noted(kV2RowScale, "of integers, one for each of this rank's rows"),
    kV2ColumnScale,
    Unused(kQuantScale, "quantScale", {ACL_FLOAT}),
    Only(kBlockSize, "blockSize", 0),
    kGroupParam,
    kGatherIndexParam,
    kCommTurnParam,
    kStreamModeParam,
    Only(kGroupSize, "groupSize", 0),
    kAivParam,
    Noted(Out(kOutput, "output", kHalves, "G N"), "G: M times the ranks"),
    Noted(Like(Out(kGatherOut, "gatherOut", kHalvesAndInts, "G K", Need::kOptional)),
          "null or without elements: not written"),
    Unused(kAmaxOut, "amaxOut", {ACL_FLOAT}, Direction::kOutput)};
inline constexpr DTypeSet kHalvesAndInt8 = {ACL_FLOAT16, ACL_BF16, ACL_INT8};
inline constexpr ParamSpec kReduceScatterV2Params[] = {
    In(kX1, "x1", kHalvesAndInt8, "M K"),
    Panels(Like(In(kX2, "x2", kHalvesAndInt8, "K N"))),
    Noted(Optional(In(kBias, "bias", {ACL_FLOAT16, ACL_BF16, ACL_FLOAT}, "N")),
          "of this rank: added on each"),
    kV2RowScale,
    kV2ColumnScale,
    Unused(kQuantScale, "quantScale", {ACL_FLOAT}),
    Only(kBlockSize, "blockSize", 0),
    kGroupParam,
    kReduceOpParam,
    kCommTurnParam,
    kStreamModeParam,
    Only(kGroupSize, "groupSize", 0),
    kAivParam,
    Noted(Out(kOutput, "output", kHalves, "P N"), "P: M divided by the ranks"),
    Unused(kAmaxOut, "amaxOutOptional", {ACL_FLOAT}, Direction::kOutput)};

#define ANYACL_MC2(folder, name) "ops-transformer: mc2/" folder "/docs/aclnn" name ".md"
inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"MatmulAllReduce">,
     .params = kAllReduceParams,
     .prepare = PrepareAllReduce,
     .header = "aclnn_matmul_all_reduce.h",
     .summary = "output = sum over the ranks of (x1 @ x2 + bias)",
     .document = ANYACL_MC2("matmul_all_reduce", "MatmulAllReduce")},
    {.op = kNames<"MatmulAllReduceV2">,
     .params = kAllReduceV2Params,
     .prepare = PrepareAllReduce,
     .header = "aclnn_matmul_all_reduce_v2.h",
     .summary = "output = sum over the ranks of (x1 @ x2 + bias + x3)",
     .document = ANYACL_MC2("matmul_all_reduce", "MatmulAllReduceV2")},
    {.op = kNames<"MatmulAllReduceV3">,
     .params = kAllReduceV3Params,
     .prepare = PrepareAllReduce,
     .header = "aclnn_matmul_all_reduce_v3.h",
     .summary = "output = sum over the ranks of (x1 @ x2 + bias + x3)",
     .document = ANYACL_MC2("matmul_all_reduce", "MatmulAllReduceV3")},
    {.op = kNames<"QuantMatmulAllReduce">,
     .params = kQuantAllReduceParams,
     .prepare = PrepareAllReduce,
     .header = "aclnn_quant_matmul_all_reduce.h",
     .summary = "output = sum over the ranks of (dequantScale * (x1 @ x2 + bias) + x3)",
     .document = ANYACL_MC2("matmul_all_reduce", "QuantMatmulAllReduce")},
    {.op = kNames<"QuantMatmulAllReduceV2">,
     .params = kQuantAllReduceV2Params,
     .prepare = PrepareAllReduce,
     .header = "aclnn_quant_matmul_all_reduce_v2.h",
     .summary = "output = sum over the ranks of (dequantScale * pertokenScale * (x1 @ x2 + bias) + "
                "x3)",
     .document = ANYACL_MC2("matmul_all_reduce", "QuantMatmulAllReduceV2")},
    {.op = kNames<"QuantMatmulAllReduceV3">,
     .params = kQuantAllReduceV3Params,
     .prepare = PrepareAllReduce,
     .header = "aclnn_quant_matmul_all_reduce_v3.h",
     .summary = "output = sum over the ranks of (dequantScale * pertokenScale * (x1 @ x2 + bias) + "
                "x3)",
     .document = ANYACL_MC2("matmul_all_reduce", "QuantMatmulAllReduceV3")},
    {.op = kNames<"QuantMatmulAllReduceV4">,
     .params = kQuantAllReduceV4Params,
     .prepare = PrepareAllReduce,
     .header = "aclnn_quant_matmul_all_reduce_v4.h",
     .summary = "output = sum over the ranks of (x2Scale * x1Scale * (x1 @ x2 + bias) + x3)",
     .document = ANYACL_MC2("matmul_all_reduce", "QuantMatmulAllReduceV4")},
    {.op = kNames<"QuantMatmulAllReduceV5">,
     .params = kQuantAllReduceV5Params,
     .prepare = PrepareAllReduce,
     .header = "aclnn_quant_matmul_all_reduce_v5.h",
     .summary = "output = sum over the ranks of (x2Scale * x1Scale * (x1 @ x2 + bias) + x3)",
     .document = ANYACL_MC2("matmul_all_reduce", "QuantMatmulAllReduceV5")},
    {.op = kNames<"WeightQuantMatmulAllReduce">,
     .params = kWeightQuantAllReduceParams,
     .prepare = PrepareAllReduce,
     .header = "aclnn_weight_quant_matmul_all_reduce.h",
     .summary = "output = sum over the ranks of (x1 @ ((x2 + antiquantOffset) * antiquantScale) + "
                "bias + x3)",
     .document = ANYACL_MC2("matmul_all_reduce", "WeightQuantMatmulAllReduce")},
    {.op = kNames<"WeightQuantMatmulAllReduceV2">,
     .params = kWeightQuantAllReduceV2Params,
     .prepare = PrepareAllReduce,
     .header = "aclnn_weight_quant_matmul_all_reduce_v2.h",
     .summary = "output = sum over the ranks of (x1 @ ((x2 + antiquantOffset) * antiquantScale) + "
                "bias + x3)",
     .document = ANYACL_MC2("matmul_all_reduce", "WeightQuantMatmulAllReduceV2")},
    {.op = kNames<"AllGatherMatmul">,
     .params = kAllGatherParams,
     .prepare = PrepareAllGather,
     .header = "aclnn_all_gather_matmul.h",
     .summary = "gatherOut = x1 of all ranks, one behind the other; output = gatherOut @ x2 + bias",
     .document = ANYACL_MC2("all_gather_matmul", "AllGatherMatmul")},
    {.op = kNames<"AllGatherMatmulV2">,
     .params = kAllGatherV2Params,
     .prepare = PrepareAllGather,
     .header = "aclnn_all_gather_matmul_v2.h",
     .summary = "gatherOut = x1 of all ranks, one behind the other; output = gatherOut @ x2, of "
                "integers times x1Scale of all ranks and x2Scale",
     .document = ANYACL_MC2("all_gather_matmul_v2", "AllGatherMatmulV2")},
    {.op = kNames<"MatmulReduceScatter">,
     .params = kReduceScatterParams,
     .prepare = PrepareReduceScatter,
     .header = "aclnn_matmul_reduce_scatter.h",
     .summary = "output = this rank's rows of the sum over the ranks of (x1 @ x2 + bias)",
     .document = ANYACL_MC2("matmul_reduce_scatter", "MatmulReduceScatter")},
    {.op = kNames<"MatmulReduceScatterV2">,
     .params = kReduceScatterV2Params,
     .prepare = PrepareReduceScatter,
     .header = "aclnn_matmul_reduce_scatter_v2.h",
     .summary = "output = this rank's rows of the sum over the ranks of (x1 @ x2 + bias), of "
                "integers (x1Scale * x2Scale * (x1 @ x2) + bias)",
     .document = ANYACL_MC2("matmul_reduce_scatter_v2", "MatmulReduceScatterV2")},
};
#undef ANYACL_MC2

}  // namespace anyacl::matmul_collective
