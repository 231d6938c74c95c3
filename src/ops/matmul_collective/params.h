// SPDX-License-Identifier: Apache-2.0
// Rows of products that are fused with collectives: the names of arguments, all-reduce, all-gather
// and reduce-scatter.
#pragma once

#include "nnop/dtype_sets.h"

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
  kGroupTp,
  kWorldSizeTp,
  kShardType,
  kActivation,
  kBeforeActivation,
  // Of groups, whose table has no activation: ids end at kMaxParams.
  kGroupList = kActivation,
  kSplitItem = kBeforeActivation,
};

constexpr ParamSpec AsX1(ParamSpec row) { return Like(kX1, row); }
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
inline constexpr ParamSpec kHalfX2 = PlainOrFractalNz(AsX1(In(kX2, "x2", kHalves, "K N")));
inline constexpr ParamSpec kHalfBias =
    Optional(Noted(AsX1(In(kBias, "bias", kHalves, "N")), "of this rank: added on each"));
inline constexpr ParamSpec kHalfX3 =
    Optional(Noted(AsX1(In(kX3, "x3", kHalves, "M N | B S N")), "of this rank: added on each"));
inline constexpr ParamSpec kAllOutput =
    ConstHandle(AsX1(Out(kOutput, "output", kHalves, "M N | B S N")));

inline constexpr ParamSpec kAllReduceParams[] = {kAllX1,           kHalfX2,        kHalfBias,
                                                 kGroupParam,      kReduceOpParam, kCommTurnParam,
                                                 kStreamModeParam, kAllOutput};
inline constexpr ParamSpec kAllReduceV2Params[] = {kAllX1,         kHalfX2,          kHalfBias,
                                                   kHalfX3,        kGroupParam,      kReduceOpParam,
                                                   kCommTurnParam, kStreamModeParam, kAllOutput};
inline constexpr ParamSpec kAllReduceV3Params[] = {
    kAllX1,         kHalfX2,     kHalfBias,      kHalfX3,          kGroupParam,
    kReduceOpParam, kAicpuParam, kCommTurnParam, kStreamModeParam, kAllOutput};

constexpr ParamSpec ListOf(ParamSpec row) {
  row.kind = Kind::kTensorList;
  return row;
}
inline constexpr ParamSpec kGroupedAllReduceParams[] = {
    Noted(Dense(ListOf(In(kX1, "x", kHalves))),
          "[M, K], with splitItem 0 [.., M, K] of up to 6 dimensions; up to 64 tensors"),
    Noted(ListOf(In(kX2, "weight", kHalves)), "[K, N] of each group"),
    Noted(Optional(Dense(ListOf(In(kBias, "bias", {ACL_FLOAT16, ACL_FLOAT})))),
          "[N] of each group, FLOAT beside BF16; of this rank: added on each"),
    {.name = "groupListOptional",
     .id = kGroupList,
     .kind = Kind::kIntArray,
     .need = Need::kOptional,
     .note = "the row of x where each group ends, with splitItem 1 and 3, and only then"},
    {.name = "splitItem",
     .id = kSplitItem,
     .kind = Kind::kInt64,
     .min = 0,
     .max = 3,
     .note = "1 and 3: x is one tensor, 2 and 3: y is; else there is one of each group"},
    kGroupParam,
    kReduceOpParam,
    kCommTurnParam,
    kStreamModeParam,
    ConstHandle(Noted(Dense(ListOf(Out(kOutput, "y", kHalves))), "[M, N], or as x")),
};

inline constexpr ParamSpec kQuantX1 = In(kX1, "x1", {ACL_INT8}, "M K | B S K");
inline constexpr ParamSpec kQuantX2 = PlainOrFractalNz(In(kX2, "x2", {ACL_INT8}, "K N"));
inline constexpr ParamSpec kQuantBias = Optional(In(kBias, "bias", {ACL_INT32}, "N"));
inline constexpr ParamSpec kQuantX3 = Optional(
    Noted(Like(kOutput, In(kX3, "x3", kHalves, "M N | B S N")), "of this rank: added on each"));
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

inline constexpr ParamSpec kWeightX2 = PlainOrFractalNz(In(kX2, "x2", {ACL_INT8, ACL_INT4}, "K N"));
inline constexpr ParamSpec kAntiquantScale = Noted(
    AsX1(In(kX2Scale, "antiquantScale", kHalves, "F*")), "[1], [N], [1, N], or [groups of k, N]");
inline constexpr ParamSpec kAntiquantOffset = Optional(
    Noted(AsX1(In(kOffset, "antiquantOffset", kHalves, "F*")), "shaped as antiquantScale"));
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
    ConstHandle(Noted(AsX1(Out(kOutput, "output", kHalves, "G N")), "G: M times the ranks")),
    ConstHandle(Noted(AsX1(Out(kGatherOut, "gatherOut", kHalves, "G K", Need::kOptional)),
                      "null or without elements: not written"))};
inline constexpr ParamSpec kReduceScatterParams[] = {
    kRowsX1,
    kHalfX2,
    kHalfBias,
    kGroupParam,
    kReduceOpParam,
    kCommTurnParam,
    kStreamModeParam,
    ConstHandle(Noted(AsX1(Out(kOutput, "output", kHalves, "P N")), "P: M divided by the ranks"))};

inline constexpr DTypeSet kHalvesAndInts = {ACL_FLOAT16, ACL_BF16, ACL_INT8, ACL_INT4};
inline constexpr ParamSpec kV2RowScale = Noted(
    Optional(In(kX1Scale, "x1Scale", {ACL_FLOAT}, "R | R 1")), "of integers, one for each row");
inline constexpr ParamSpec kV2ColumnScale =
    Noted(Optional(In(kX2Scale, "x2Scale", {ACL_FLOAT, ACL_INT64}, "C | 1 C")),
          "of integers, one for each column; INT64 with FLOAT16 results");
inline constexpr ParamSpec kAllGatherV2Params[] = {
    In(kX1, "x1", kHalvesAndInts, "M K"),
    AsX1(In(kX2, "x2", kHalvesAndInts, "K N")),
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
    Noted(AsX1(Out(kGatherOut, "gatherOut", kHalvesAndInts, "G K", Need::kOptional)),
          "null or without elements: not written"),
    Unused(kAmaxOut, "amaxOut", {ACL_FLOAT}, Direction::kOutput)};
inline constexpr DTypeSet kHalvesAndInt8 = {ACL_FLOAT16, ACL_BF16, ACL_INT8};
inline constexpr ParamSpec kReduceScatterV2Params[] = {
    In(kX1, "x1", kHalvesAndInt8, "M K"),
    PlainOrFractalNz(AsX1(In(kX2, "x2", kHalvesAndInt8, "K N"))),
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
inline constexpr ParamSpec kHalfResidual = AsX1(In(kResidual, "residual", kHalves, "B S N"));
inline constexpr ParamSpec kQuantResidual = In(kResidual, "residual", kHalves, "B S N");
inline constexpr ParamSpec kGammaParam = Like(kResidual, In(kGamma, "gamma", kHalves, "N"));
inline constexpr ParamSpec kEpsilonParam = {.name = "epsilon",
                                            .id = kEpsilon,
                                            .kind = Kind::kDouble,
                                            .note = "between 0 and 1, added to the mean square"};
inline constexpr ParamSpec kY = ConstHandle(Like(kResidual, Out(kOutput, "y", kHalves, "B S N")));
inline constexpr ParamSpec kNormOutParam =
    ConstHandle(Like(kResidual, Out(kNormOut, "normOut", kHalves, "B S N")));
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

}  // namespace anyacl::matmul_collective
