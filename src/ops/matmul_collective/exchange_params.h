// SPDX-License-Identifier: Apache-2.0
// Rows of products with an all-to-all, and of the barrier.
#pragma once

#include "ops/matmul_collective/params.h"

namespace anyacl::matmul_collective {

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
    Noted(AsX1(In(kX2, "x2", kHalves, "X Y")), "[K, N], or [N, K] with transposeX2");
inline constexpr ParamSpec kGatheredOutput =
    ConstHandle(Noted(AsX1(Out(kOutput, "output", kHalves, "P N")), "P: M divided by the ranks"));
inline constexpr ParamSpec kScatteredOutput = ConstHandle(
    Noted(AsX1(Out(kOutput, "output", kHalves, "G C")), "[M times the ranks, N divided by them]"));
inline constexpr ParamSpec kAllToAllOutParam = ConstHandle(
    Noted(AsX1(Out(kAllToAllOut, "alltoAllOutOptional", kHalves, "P K", Need::kOptional)),
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
    Noted(AsX1(In(kX2, "gmmWeight", kHalves, "E X Y")), "[E, H, N], or [E, N, H] if transposed");
inline constexpr ParamSpec kSharedXParam =
    Optional(AsX1(In(kSharedX, "mmXOptional", kHalves, "M K")));
inline constexpr ParamSpec kSharedWeightParam =
    Noted(Optional(AsX1(In(kSharedWeight, "mmWeightOptional", kHalves, "U V"))),
          "with mmXOptional: [K, W], or [W, K] if transposed");
inline constexpr ParamSpec kSharedOutParam =
    Noted(AsX1(Out(kSharedOut, "mmYOptional", kHalves, "M W", Need::kOptional)),
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
inline constexpr ParamSpec kExpertOut = AsX1(Out(kOutput, "gmmY", kHalves, "A N"));
inline constexpr ParamSpec kPermuteOut =
    Noted(AsX1(Out(kAllToAllOut, "permuteOutOptional", kHalves, "A H", Need::kOptional)),
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
inline constexpr ParamSpec kExpertsBackOut = AsX1(Out(kOutput, "y", kHalves, "A N"));
inline constexpr ParamSpec kExpertsBackParams[] = {
    kExpertX,           kExpertWeight,     kSendTensor,     kReceiveTensor,   kSharedXParam,
    kSharedWeightParam, kGroupParam,       kWorldSizeParam, kSendCountsParam, kReceiveCountsParam,
    kTurnWeight,        kTurnSharedWeight, kExpertsBackOut, kSharedOutParam};
inline constexpr ParamSpec kExpertsBackV2Params[] = {
    kExpertX,          kExpertWeight,      kSendTensor,         kReceiveTensor,
    kSharedXParam,     kSharedWeightParam, kGroupParam,         kAicpuParam,
    kWorldSizeParam,   kSendCountsParam,   kReceiveCountsParam, kTurnWeight,
    kTurnSharedWeight, kExpertsBackOut,    kSharedOutParam};

// Experts by one group, columns of their weights by another: a grid of ranks.
inline constexpr ParamSpec kGridX = In(kX1, "x", kHalves, "X Y Z");
inline constexpr ParamSpec kGridWeight = AsX1(In(kX2, "weight", kHalves, "E K N"));
constexpr ParamSpec GridBias(const char* dims) {
  return Optional(
      Noted(In(kBias, "biasOptional", {ACL_FLOAT16, ACL_FLOAT}, dims), "FLOAT16, with BF16 FLOAT"));
}
inline constexpr ParamSpec kGroupEpParam = Named(kGroupParam, "groupEp");
inline constexpr ParamSpec kGroupTpParam =
    Text(kGroupTp, "groupTp", "another communicator's name, 1 to 127 bytes");
inline constexpr ParamSpec kWorldSizeTpParam = {.name = "tpWorldSize",
                                                .id = kWorldSizeTp,
                                                .kind = Kind::kInt64,
                                                .min = 1,
                                                .max = 4096,
                                                .note = "ranks of groupTp"};
constexpr ParamSpec ShardType(const char* name) {
  return {.name = name,
          .id = kShardType,
          .kind = Kind::kInt64,
          .min = 0,
          .max = 1,
          .note = "what the ranks of groupTp share: 0: H, 1: C"};
}
inline constexpr ParamSpec kGridGatherParams[] = {
    Noted(kGridX, "[E, C, H / tp], or [E, C / tp, H] with xShardType 1"),
    Noted(kGridWeight, "[E / ep, H, M / tp]"),
    GridBias("E N | E 1 N"),
    kGroupEpParam,
    kGroupTpParam,
    kWorldSizeParam,
    kWorldSizeTpParam,
    ShardType("xShardType"),
    {.name = "actType",
     .id = kActivation,
     .kind = Kind::kInt64,
     .min = 0,
     .max = 4,
     .note = "0: none, 1: GELU by tanh, 2: SiLU, 3: ReLU, 4: FastGELU"},
    Noted(AsX1(Out(kOutput, "y1Out", kHalves, "E R N")), "R: ep times C"),
    Noted(AsX1(Out(kGatherOut, "y2OutOptional", kHalves, "E R K", Need::kOptional)),
          "the left of the product"),
    Noted(AsX1(Out(kBeforeActivation, "y3OutOptional", kHalves, "E R N", Need::kOptional)),
          "y1Out without the activation, if there is one")};
inline constexpr ParamSpec kGridScatterParams[] = {
    Noted(In(kX1, "x", kHalves, "E R K"), "R: ep times C"),
    Noted(kGridWeight, "N: H"),
    GridBias("E B | E 1 B"),
    kGroupEpParam,
    kGroupTpParam,
    kWorldSizeParam,
    kWorldSizeTpParam,
    ShardType("yShardType"),
    Noted(AsX1(Out(kOutput, "out", kHalves, "X Y Z")),
          "[E, C, H / tp], or [E, C / tp, H] with yShardType 1")};

inline constexpr ParamSpec kBarrierParams[] = {
    Noted(InOut(kX1, "xRef",
                {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_BOOL, ACL_INT8, ACL_INT16, ACL_INT32,
                 ACL_INT64, ACL_UINT8, ACL_UINT16, ACL_UINT32, ACL_UINT64}),
          "left as it is"),
    kGroupParam, Named(kWorldSizeParam, "worldSize")};

}  // namespace anyacl::matmul_collective
