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
  kResidual,
  kGamma,
  kEpsilon,
  kNormOut,
  kAnyMode,
  kAxes,
  kTurnX1,
  kTurnX2,
  kAllToAllOut,
  kX1QuantMode,
  kX2QuantMode,
  kCommType,
  kSharedX,
  kSharedWeight,
  kSharedOut,
  kTurnShared,
  kWorldSize,
  kSendCounts,
  kReceiveCounts,
  kWantsRows,
};

Status PrepareAllReduce(Operands& operands, PreparedCall* call);
Status PrepareAllGather(Operands& operands, PreparedCall* call);
Status PrepareReduceScatter(Operands& operands, PreparedCall* call);
Status PrepareAddRmsNorm(Operands& operands, PreparedCall* call);
Status PrepareAllToAll(Operands& operands, PreparedCall* call);
Status PrepareToAllToAll(Operands& operands, PreparedCall* call);
Status PrepareExperts(Operands& operands, PreparedCall* call);
Status PrepareExpertsBack(Operands& operands, PreparedCall* call);
Status PrepareBarrier(Operands& operands, PreparedCall* call);

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

// Behind the all-reduce: y = residual + sum, and its norm.
inline constexpr ParamSpec kHalfResidual = Like(In(kResidual, "residual", kHalves, "B S N"));
inline constexpr ParamSpec kQuantResidual = In(kResidual, "residual", kHalves, "B S N");
inline constexpr ParamSpec kGammaParam = Like(In(kGamma, "gamma", kHalves, "N"), kResidual);
inline constexpr ParamSpec kEpsilonParam = {.name = "epsilon",
                                            .id = kEpsilon,
                                            .kind = Kind::kDouble,
                                            .note = "between 0 and 1, added to the mean square"};
inline constexpr ParamSpec kY = ConstHandle(Like(Out(kOutput, "y", kHalves, "B S N"), kResidual));
inline constexpr ParamSpec kNormOutParam =
    ConstHandle(Like(Out(kNormOut, "normOut", kHalves, "B S N"), kResidual));
constexpr ParamSpec InPlace(ParamSpec residual) {
  residual.direction = Direction::kInOut;
  residual.const_handle = true;
  residual.note = "becomes y";
  return residual;
}
inline constexpr ParamSpec kNormParams[] = {
    kAllX1,      kHalfX2,        kHalfBias,      kHalfResidual,    kGammaParam, kEpsilonParam,
    kGroupParam, kReduceOpParam, kCommTurnParam, kStreamModeParam, kY,          kNormOutParam};
inline constexpr ParamSpec kInplaceNormParams[] = {
    kAllX1,         kHalfX2,          kHalfBias,    InPlace(kHalfResidual),
    kGammaParam,    kEpsilonParam,    kGroupParam,  kReduceOpParam,
    kCommTurnParam, kStreamModeParam, kNormOutParam};
inline constexpr ParamSpec kQuantNormParams[] = {
    kQuantX1,      kQuantX2,    kQuantBias,     kFirstDequantScale, kQuantResidual,   kGammaParam,
    kEpsilonParam, kGroupParam, kReduceOpParam, kCommTurnParam,     kStreamModeParam, kY,
    kNormOutParam};
inline constexpr ParamSpec kInplaceQuantNormParams[] = {
    kQuantX1,         kQuantX2,      kQuantBias,  kFirstDequantScale, InPlace(kQuantResidual),
    kGammaParam,      kEpsilonParam, kGroupParam, kReduceOpParam,     kCommTurnParam,
    kStreamModeParam, kNormOutParam};
inline constexpr ParamSpec kWeightQuantNormParams[] = {kAllX1,
                                                       kWeightX2,
                                                       kHalfBias,
                                                       kAntiquantScale,
                                                       kAntiquantOffset,
                                                       kHalfResidual,
                                                       kGammaParam,
                                                       kEpsilonParam,
                                                       kGroupParam,
                                                       kReduceOpParam,
                                                       kCommTurnParam,
                                                       kStreamModeParam,
                                                       kAntiquantGroupSize,
                                                       kY,
                                                       kNormOutParam};
inline constexpr ParamSpec kInplaceWeightQuantNormParams[] = {kAllX1,
                                                              kWeightX2,
                                                              kHalfBias,
                                                              kAntiquantScale,
                                                              kAntiquantOffset,
                                                              InPlace(kHalfResidual),
                                                              kGammaParam,
                                                              kEpsilonParam,
                                                              kGroupParam,
                                                              kReduceOpParam,
                                                              kCommTurnParam,
                                                              kStreamModeParam,
                                                              kAntiquantGroupSize,
                                                              kNormOutParam};

// With all-to-all, by R ranks.
inline constexpr ParamSpec kAnyBias = Optional(Noted(
    In(kBias, "biasOptional", {ACL_FLOAT16, ACL_BF16, ACL_FLOAT}, "N"), "x1's type or FLOAT"));
inline constexpr ParamSpec kTurnX1Param = {
    .name = "transposeX1", .id = kTurnX1, .kind = Kind::kBool, .note = "false"};
inline constexpr ParamSpec kTurnX2Param =
    Value(kTurnX2, "transposeX2", Kind::kBool, "x2 is [N, K]");
inline constexpr ParamSpec kAnyModeParam =
    Text(kAnyMode, "commMode", "\"aiv\" or \"ai_cpu\"; has no effect");
constexpr ParamSpec Axes(const char* note) {
  return {.name = "alltoAllAxesOptional",
          .id = kAxes,
          .kind = Kind::kIntArray,
          .need = Need::kOptional,
          .note = note};
}
inline constexpr ParamSpec kGatherAxes = Axes("null, empty or [-2, -1]");
inline constexpr ParamSpec kScatterAxes = Axes("null, empty or [-1, -2]");
inline constexpr ParamSpec kTurnedX2 =
    Noted(Like(In(kX2, "x2", kHalves, "X Y")), "[K, N], or [N, K] with transposeX2");
inline constexpr ParamSpec kGatheredOutput =
    ConstHandle(Noted(Like(Out(kOutput, "output", kHalves, "P N")), "P: M divided by the ranks"));
inline constexpr ParamSpec kScatteredOutput = ConstHandle(
    Noted(Like(Out(kOutput, "output", kHalves, "G C")), "[M times the ranks, N divided by them]"));
inline constexpr ParamSpec kAllToAllOutParam = ConstHandle(
    Noted(Like(Out(kAllToAllOut, "alltoAllOutOptional", kHalves, "P K", Need::kOptional)),
          "the left of the product, K: H times the ranks; null: not written"));
inline constexpr ParamSpec kLeftX1 = In(kX1, "x1", kHalves, "M H");
inline constexpr ParamSpec kAllToAllParams[] = {kLeftX1,      kTurnedX2,       kAnyBias,
                                                kGatherAxes,  kGroupParam,     kTurnX1Param,
                                                kTurnX2Param, kGatheredOutput, kAllToAllOutParam};
inline constexpr ParamSpec kAllToAllV2Params[] = {
    kLeftX1,       kTurnedX2,    kAnyBias,     kGatherAxes,     kGroupParam,
    kAnyModeParam, kTurnX1Param, kTurnX2Param, kGatheredOutput, kAllToAllOutParam};
inline constexpr ParamSpec kToAllToAllParams[] = {kRowsX1,      kTurnedX2,       kAnyBias,
                                                  kScatterAxes, kGroupParam,     kTurnX1Param,
                                                  kTurnX2Param, kScatteredOutput};
inline constexpr ParamSpec kToAllToAllV2Params[] = {kRowsX1,      kTurnedX2,    kAnyBias,
                                                    kScatterAxes, kGroupParam,  kAnyModeParam,
                                                    kTurnX1Param, kTurnX2Param, kScatteredOutput};
constexpr ParamSpec Reserved(int id, const char* name) {
  return {.name = name, .id = id, .need = Need::kReserved, .note = "not used"};
}
inline constexpr ParamSpec kInt8Right =
    Noted(In(kX2, "x2", {ACL_INT8}, "X Y"), "[K, N], or [N, K] with transposeX2");
inline constexpr ParamSpec kRowFactors = In(kX1Scale, "x1Scale", {ACL_FLOAT}, "M");
inline constexpr ParamSpec kColumnFactors = In(kX2Scale, "x2Scale", {ACL_FLOAT}, "N");
inline constexpr ParamSpec kQuantScattered = ConstHandle(
    Noted(Out(kOutput, "output", kHalves, "G C"), "[M times the ranks, N divided by them]"));
inline constexpr ParamSpec kQuantToAllToAllParams[] = {In(kX1, "x1", {ACL_INT8}, "M K"),
                                                       kInt8Right,
                                                       kAnyBias,
                                                       kRowFactors,
                                                       kColumnFactors,
                                                       Reserved(kCommScale1, "commScaleOptional"),
                                                       Reserved(kOffset, "x1OffsetOptional"),
                                                       Reserved(kCommScale2, "x2OffsetOptional"),
                                                       kScatterAxes,
                                                       kGroupParam,
                                                       Only(kX1QuantMode, "x1QuantMode", 3),
                                                       Only(kX2QuantMode, "x2QuantMode", 2),
                                                       Only(kCommQuantMode, "commQuantMode", 0),
                                                       Only(kCommType, "commQuantDtype", -1),
                                                       Only(kGroupSize, "groupSize", 0),
                                                       kTurnX1Param,
                                                       kTurnX2Param,
                                                       kQuantScattered};
inline constexpr ParamSpec kQuantToAllToAllV2Params[] = {In(kX1, "x1", {ACL_INT8}, "M K"),
                                                         kInt8Right,
                                                         kAnyBias,
                                                         kRowFactors,
                                                         kColumnFactors,
                                                         Reserved(kCommScale1, "commScaleOptional"),
                                                         Reserved(kOffset, "x1OffsetOptional"),
                                                         Reserved(kCommScale2, "x2OffsetOptional"),
                                                         kScatterAxes,
                                                         kGroupParam,
                                                         kAnyModeParam,
                                                         Only(kX1QuantMode, "x1QuantMode", 3),
                                                         Only(kX2QuantMode, "x2QuantMode", 2),
                                                         Only(kCommQuantMode, "commQuantMode", 0),
                                                         Only(kCommType, "commQuantDtype", -1),
                                                         Only(kGroupSize, "groupSize", 0),
                                                         kTurnX1Param,
                                                         kTurnX2Param,
                                                         kQuantScattered};

// Experts: rows by rank and expert before or behind the all-to-all, by expert and rank in the
// product.
inline constexpr ParamSpec kExpertX = In(kX1, "gmmX", kHalves, "T H");
inline constexpr ParamSpec kExpertWeight =
    Noted(Like(In(kX2, "gmmWeight", kHalves, "E X Y")), "[E, H, N], or [E, N, H] if transposed");
inline constexpr ParamSpec kSharedXParam =
    Optional(Like(In(kSharedX, "mmXOptional", kHalves, "M K")));
inline constexpr ParamSpec kSharedWeightParam =
    Noted(Optional(Like(In(kSharedWeight, "mmWeightOptional", kHalves, "U V"))),
          "with mmXOptional: [K, W], or [W, K] if transposed");
inline constexpr ParamSpec kSharedOutParam =
    Noted(Like(Out(kSharedOut, "mmYOptional", kHalves, "M W", Need::kOptional)),
          "mmX @ mmWeight, where they are given");
inline constexpr ParamSpec kWorldSizeParam = {.name = "epWorldSize",
                                              .id = kWorldSize,
                                              .kind = Kind::kInt64,
                                              .min = 1,
                                              .max = 4096,
                                              .note = "ranks of the communicator"};
inline constexpr ParamSpec kSendCountsParam =
    Value(kSendCounts, "sendCounts", Kind::kIntArray, "rows to each rank and expert, by rank");
inline constexpr ParamSpec kReceiveCountsParam =
    Value(kReceiveCounts, "recvCounts", Kind::kIntArray, "rows from each rank and expert, by rank");
inline constexpr ParamSpec kTurnWeight = Value(kTurnX2, "transGmmWeight", Kind::kBool);
inline constexpr ParamSpec kTurnSharedWeight = Value(kTurnShared, "transMmWeight", Kind::kBool);
inline constexpr ParamSpec kSendTensor = Reserved(kX3, "sendCountsTensorOptional");
inline constexpr ParamSpec kReceiveTensor = Reserved(kOffset, "recvCountsTensorOptional");
inline constexpr ParamSpec kWantsRowsParam =
    Value(kWantsRows, "permuteOutFlag", Kind::kBool, "whether permuteOutOptional is written");
inline constexpr ParamSpec kExpertOut = Like(Out(kOutput, "gmmY", kHalves, "A N"));
inline constexpr ParamSpec kPermuteOut =
    Noted(Like(Out(kAllToAllOut, "permuteOutOptional", kHalves, "A H", Need::kOptional)),
          "what gmmY is the product of, by expert and rank");
inline constexpr ParamSpec kExpertsParams[] = {
    kExpertX,         kExpertWeight,       kSendTensor,     kReceiveTensor,
    kSharedXParam,    kSharedWeightParam,  kGroupParam,     kWorldSizeParam,
    kSendCountsParam, kReceiveCountsParam, kTurnWeight,     kTurnSharedWeight,
    kWantsRowsParam,  kExpertOut,          kSharedOutParam, kPermuteOut};
inline constexpr ParamSpec kExpertsV2Params[] = {
    kExpertX,          kExpertWeight,      kSendTensor,         kReceiveTensor,
    kSharedXParam,     kSharedWeightParam, kGroupParam,         kAicpuParam,
    kWorldSizeParam,   kSendCountsParam,   kReceiveCountsParam, kTurnWeight,
    kTurnSharedWeight, kWantsRowsParam,    kExpertOut,          kSharedOutParam,
    kPermuteOut};
inline constexpr ParamSpec kExpertsBackOut = Like(Out(kOutput, "y", kHalves, "A N"));
inline constexpr ParamSpec kExpertsBackParams[] = {
    kExpertX,           kExpertWeight,     kSendTensor,     kReceiveTensor,   kSharedXParam,
    kSharedWeightParam, kGroupParam,       kWorldSizeParam, kSendCountsParam, kReceiveCountsParam,
    kTurnWeight,        kTurnSharedWeight, kExpertsBackOut, kSharedOutParam};
inline constexpr ParamSpec kExpertsBackV2Params[] = {
    kExpertX,          kExpertWeight,      kSendTensor,         kReceiveTensor,
    kSharedXParam,     kSharedWeightParam, kGroupParam,         kAicpuParam,
    kWorldSizeParam,   kSendCountsParam,   kReceiveCountsParam, kTurnWeight,
    kTurnSharedWeight, kExpertsBackOut,    kSharedOutParam};

inline constexpr ParamSpec kBarrierParams[] = {
    Noted(InOut(kX1, "xRef",
                {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_BOOL, ACL_INT8, ACL_INT16, ACL_INT32,
                 ACL_INT64, ACL_UINT8, ACL_UINT16, ACL_UINT32, ACL_UINT64}),
          "left as it is"),
    kGroupParam, Named(kWorldSizeParam, "worldSize")};

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
    {.op = kNames<"MatmulAllReduceAddRmsNorm">,
     .params = kNormParams,
     .prepare = PrepareAddRmsNorm,
     .header = "aclnn_matmul_all_reduce_add_rms_norm.h",
     .summary = "y = residual + sum over the ranks of (x1 @ x2 + bias); normOut = y * gamma / "
                "sqrt(mean of y^2 + epsilon)",
     .document = ANYACL_MC2("matmul_all_reduce_add_rms_norm", "MatmulAllReduceAddRmsNorm")},
    {.op = kNames<"InplaceMatmulAllReduceAddRmsNorm">,
     .params = kInplaceNormParams,
     .prepare = PrepareAddRmsNorm,
     .header = "aclnn_inplace_matmul_all_reduce_add_rms_norm.h",
     .summary = "aclnnMatmulAllReduceAddRmsNorm with y in residual",
     .document =
         ANYACL_MC2("inplace_matmul_all_reduce_add_rms_norm", "InplaceMatmulAllReduceAddRmsNorm")},
    {.op = kNames<"QuantMatmulAllReduceAddRmsNorm">,
     .params = kQuantNormParams,
     .prepare = PrepareAddRmsNorm,
     .header = "aclnn_quant_matmul_all_reduce_add_rms_norm.h",
     .summary = "y = residual + sum over the ranks of dequantScale * (x1 @ x2 + bias); normOut = y "
                "* gamma / sqrt(mean of y^2 + epsilon)",
     .document = ANYACL_MC2("matmul_all_reduce_add_rms_norm", "QuantMatmulAllReduceAddRmsNorm")},
    {.op = kNames<"InplaceQuantMatmulAllReduceAddRmsNorm">,
     .params = kInplaceQuantNormParams,
     .prepare = PrepareAddRmsNorm,
     .header = "aclnn_inplace_quant_matmul_all_reduce_add_rms_norm.h",
     .summary = "aclnnQuantMatmulAllReduceAddRmsNorm with y in residual",
     .document = ANYACL_MC2("inplace_matmul_all_reduce_add_rms_norm",
                            "InplaceQuantMatmulAllReduceAddRmsNorm")},
    {.op = kNames<"WeightQuantMatmulAllReduceAddRmsNorm">,
     .params = kWeightQuantNormParams,
     .prepare = PrepareAddRmsNorm,
     .header = "aclnn_weight_quant_matmul_all_reduce_add_rms_norm.h",
     .summary = "y = residual + sum over the ranks of (x1 @ ((x2 + antiquantOffset) * "
                "antiquantScale) + bias); normOut = y * gamma / sqrt(mean of y^2 + epsilon)",
     .document =
         ANYACL_MC2("matmul_all_reduce_add_rms_norm", "WeightQuantMatmulAllReduceAddRmsNorm")},
    {.op = kNames<"InplaceWeightQuantMatmulAllReduceAddRmsNorm">,
     .params = kInplaceWeightQuantNormParams,
     .prepare = PrepareAddRmsNorm,
     .header = "aclnn_inplace_weight_quant_matmul_all_reduce_add_rms_norm.h",
     .summary = "aclnnWeightQuantMatmulAllReduceAddRmsNorm with y in residual",
     .document = ANYACL_MC2("inplace_matmul_all_reduce_add_rms_norm",
                            "InplaceWeightQuantMatmulAllReduceAddRmsNorm")},
    {.op = kNames<"AlltoAllMatmul">,
     .params = kAllToAllParams,
     .prepare = PrepareAllToAll,
     .header = "aclnn_allto_all_matmul.h",
     .summary = "output = left @ x2 + bias, left: this rank's rows of x1 of all ranks, "
                "side by side",
     .document = ANYACL_MC2("allto_all_matmul", "AlltoAllMatmul")},
    {.op = kNames<"AlltoAllMatmulV2">,
     .params = kAllToAllV2Params,
     .prepare = PrepareAllToAll,
     .header = "aclnn_allto_all_matmul_v2.h",
     .summary = "output = left @ x2 + bias, left: this rank's rows of x1 of all ranks, "
                "side by side",
     .document = ANYACL_MC2("allto_all_matmul", "AlltoAllMatmulV2")},
    {.op = kNames<"MatmulAlltoAll">,
     .params = kToAllToAllParams,
     .prepare = PrepareToAllToAll,
     .header = "aclnn_matmul_allto_all.h",
     .summary = "output = this rank's columns of x1 @ x2 + bias of all ranks, one "
                "behind the other",
     .document = ANYACL_MC2("matmul_allto_all", "MatmulAlltoAll")},
    {.op = kNames<"MatmulAlltoAllV2">,
     .params = kToAllToAllV2Params,
     .prepare = PrepareToAllToAll,
     .header = "aclnn_matmul_allto_all_v2.h",
     .summary = "output = this rank's columns of x1 @ x2 + bias of all ranks, one "
                "behind the other",
     .document = ANYACL_MC2("matmul_allto_all", "MatmulAlltoAllV2")},
    {.op = kNames<"QuantMatmulAlltoAll">,
     .params = kQuantToAllToAllParams,
     .prepare = PrepareToAllToAll,
     .header = "aclnn_quant_matmul_allto_all.h",
     .summary = "output = this rank's columns of (x1 @ x2) * x1Scale * x2Scale + bias "
                "of all ranks, one behind the other",
     .document = ANYACL_MC2("matmul_allto_all", "QuantMatmulAlltoAll")},
    {.op = kNames<"QuantMatmulAlltoAllV2">,
     .params = kQuantToAllToAllV2Params,
     .prepare = PrepareToAllToAll,
     .header = "aclnn_quant_matmul_allto_all_v2.h",
     .summary = "output = this rank's columns of (x1 @ x2) * x1Scale * x2Scale + bias "
                "of all ranks, one behind the other",
     .document = ANYACL_MC2("matmul_allto_all", "QuantMatmulAlltoAllV2")},
    {.op = kNames<"AlltoAllvGroupedMatMul">,
     .params = kExpertsParams,
     .prepare = PrepareExperts,
     .header = "aclnn_allto_allv_grouped_mat_mul.h",
     .summary = "gmmY = permuteOut @ gmmWeight by expert, permuteOut: rows of gmmX of "
                "all ranks for this rank's experts; mmY = mmX @ mmWeight",
     .document = ANYACL_MC2("allto_allv_grouped_mat_mul", "AlltoAllvGroupedMatMul")},
    {.op = kNames<"AlltoAllvGroupedMatMulV2">,
     .params = kExpertsV2Params,
     .prepare = PrepareExperts,
     .header = "aclnn_allto_allv_grouped_mat_mul_v2.h",
     .summary = "gmmY = permuteOut @ gmmWeight by expert, permuteOut: rows of gmmX of "
                "all ranks for this rank's experts; mmY = mmX @ mmWeight",
     .document = ANYACL_MC2("allto_allv_grouped_mat_mul", "AlltoAllvGroupedMatMulV2")},
    {.op = kNames<"GroupedMatMulAlltoAllv">,
     .params = kExpertsBackParams,
     .prepare = PrepareExpertsBack,
     .header = "aclnn_grouped_mat_mul_allto_allv.h",
     .summary = "y = rows of gmmX @ gmmWeight by expert, sent to the ranks they belong "
                "to; mmY = mmX @ mmWeight",
     .document = ANYACL_MC2("grouped_mat_mul_allto_allv", "GroupedMatMulAlltoAllv")},
    {.op = kNames<"GroupedMatMulAlltoAllvV2">,
     .params = kExpertsBackV2Params,
     .prepare = PrepareExpertsBack,
     .header = "aclnn_grouped_mat_mul_allto_allv_v2.h",
     .summary = "y = rows of gmmX @ gmmWeight by expert, sent to the ranks they belong "
                "to; mmY = mmX @ mmWeight",
     .document = ANYACL_MC2("grouped_mat_mul_allto_allv", "GroupedMatMulAlltoAllvV2")},
    {.op = kNames<"DistributeBarrier">,
     .params = kBarrierParams,
     .prepare = PrepareBarrier,
     .header = "aclnn_distribute_barrier.h",
     .summary = "nobody is through before all ranks are there; xRef is left as it is",
     .document = ANYACL_MC2("distribute_barrier", "DistributeBarrier"),
     .codes = {.format = ACLNN_ERR_INNER_TILING_ERROR, .shape = ACLNN_ERR_INNER_TILING_ERROR}},
};
#undef ANYACL_MC2

}  // namespace anyacl::matmul_collective
