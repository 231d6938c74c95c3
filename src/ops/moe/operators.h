// SPDX-License-Identifier: Apache-2.0
// The declarations of the operators that route tokens to experts (README.md). Documents print a
// code of their own for shapes and values.
#pragma once

#include "nnop/joined_rows.h"
#include "ops/moe/rows.h"
#include "ops/moe/rows_finalize.h"
#include "ops/moe/rows_permute.h"

namespace anyacl::moe {

// Tokens of N, or M times N, rows; E experts.
inline constexpr int64_t kMostChosen = 1024;
inline constexpr ParamSpec kGatingX = In(kX, "x", kFloats, "N E | M N E");
inline constexpr ParamSpec kGatingFinished =
    Noted(In(kFinished, "finishedOptional", {ACL_BOOL}, "N | M N", Need::kOptional),
          "the row's experts are E, which is none");
inline constexpr ParamSpec kGatingK = {.name = "k",
                                       .id = kK,
                                       .kind = Kind::kInt64,
                                       .min = 0,
                                       .max = kMostChosen,
                                       .names_size = true,
                                       .note = "at most E"};
inline constexpr ParamSpec kGatingY = Like(kX, ConstResult(In(kY, "yOut", kFloats, "N k | M N k")));
inline constexpr ParamSpec kGatingExpert =
    ConstResult(In(kExpert, "expertIdxOut", {ACL_INT32}, "N k | M N k"));

inline constexpr ParamSpec kGatingTopKSoftmaxParams[] = {
    kGatingX,
    kGatingFinished,
    kGatingK,
    kGatingY,
    kGatingExpert,
    Noted(ConstResult(In(kRow, "rowIdxOut", {ACL_INT32}, "N k | M N k")),
          "column times rows plus row, as InitRouting wants it"),
};
inline constexpr ParamSpec kGatingTopKSoftmaxV2Params[] = {
    kGatingX,
    kGatingFinished,
    kGatingK,
    Ranged(kRenorm, "renorm", 0, 1, "0: the softmax of all experts, 1: of those chosen"),
    Value(kOutputSoftmax, "outputSoftmaxResultFlag", Kind::kBool, "counts where renorm is 0"),
    kGatingY,
    kGatingExpert,
    {.name = "softmaxResultOutOptional",
     .id = kSoftmax,
     .direction = Direction::kOutput,
     .need = Need::kOptional,
     .dtypes = {ACL_FLOAT},
     .note = "of x's shape; needed if the flag asks for it",
     .const_handle = true},
};

// The same by groups of experts, with a bias that counts in the choice alone.
inline constexpr int64_t kMostGated = 2048;
inline constexpr ParamSpec kTopKX = In(kX, "x", kFloats, "N E");
inline constexpr ParamSpec kTopKBias =
    Like(kX, Noted(In(kBias, "biasOptional", kFloats, "E", Need::kOptional),
                   "added for the choice, not to the results"));
inline constexpr ParamSpec kTopKK = {.name = "k",
                                     .id = kK,
                                     .kind = Kind::kInt64,
                                     .min = 1,
                                     .max = kMostGated,
                                     .names_size = true,
                                     .note = "at most the experts of kGroup groups"};
inline constexpr ParamSpec kTopKGroups =
    Ranged(kGroups, "kGroup", 1, kMostGated, "groups whose experts are chosen from");
inline constexpr ParamSpec kTopKGroupCount =
    Ranged(kGroupCount, "groupCount", 1, kMostGated, "a divisor of E");
inline constexpr ParamSpec kTopKGroupMode =
    Ranged(kGroupMode, "groupSelectMode", 0, 1,
           "groups by 0: their largest number, 1: the sum of their two largest");
inline constexpr ParamSpec kTopKRenorm =
    Ranged(kRenorm, "renorm", 0, 1, "1: results are divided by their sum; normType 1 always does");
inline constexpr ParamSpec kTopKNormType =
    Ranged(kNormType, "normType", 0, 1, "0: softmax, 1: sigmoid");
inline constexpr ParamSpec kTopKFlag =
    Value(kOutputSoftmax, "outFlag", Kind::kBool, "whether outOut is written");
inline constexpr ParamSpec kTopKFactor =
    Value(kFactor, "routedScalingFactor", Kind::kDouble, "the results are multiplied by it");
inline constexpr ParamSpec kTopKEps =
    Value(kEps, "eps", Kind::kDouble, "added to the sum that results are divided by");
inline constexpr ParamSpec kTopKY = Like(kX, ConstResult(In(kY, "yOut", kFloats, "N k")));
inline constexpr ParamSpec kTopKExpert =
    ConstResult(In(kExpert, "expertIdxOut", {ACL_INT32}, "N k"));
inline constexpr ParamSpec kTopKOut =
    Noted(ConstResult(In(kSoftmax, "outOut", {ACL_FLOAT}, "N E")), "softmax or sigmoid of x");

inline constexpr ParamSpec kGatingTopKParams[] = {
    kTopKX,         kTopKBias,   kTopKK,        kTopKGroups, kTopKGroupCount,
    kTopKGroupMode, kTopKRenorm, kTopKNormType, kTopKFlag,   kTopKFactor,
    kTopKEps,       kTopKY,      kTopKExpert,   kTopKOut,
};
inline constexpr ParamSpec kGatingTopKV2Params[] = {
    kTopKX,
    kTopKBias,
    Noted(In(kIds, "inputIdsOptional", {ACL_INT32, ACL_INT64}, "N", Need::kOptional),
          "rows of tid2eidOptional; without effect where that is null"),
    Noted(In(kTable, "tid2eidOptional", {ACL_INT32, ACL_INT64}, "T k", Need::kOptional),
          "experts instead of a choice; without effect where inputIdsOptional is null"),
    kTopKK,
    kTopKGroups,
    kTopKGroupCount,
    kTopKGroupMode,
    kTopKRenorm,
    kTopKNormType,
    kTopKFlag,
    kTopKFactor,
    kTopKEps,
    kTopKY,
    kTopKExpert,
    kTopKOut,
};

// N tokens of H numbers, each for K experts.
inline constexpr ParamSpec kTokens = In(kX, "x", kFloats, "N H");
inline constexpr ParamSpec kChosenExperts = In(kExpert, "expertIdx", {ACL_INT32}, "N K");
inline constexpr ParamSpec kExpandedRowOut =
    Noted(ConstResult(In(kExpandedRow, "expandedRowIdxOut", {ACL_INT32}, "P")),
          "[N*K]: where the row of a token and an expert went");

inline constexpr ParamSpec kInitRoutingParams[] = {
    kTokens,
    Noted(In(kRow, "rowIdx", {ACL_INT32}, "N K"), "the number of each token and expert"),
    kChosenExperts,
    Ranged(kActiveNum, "activeNum", 0, INT64_MAX, "so many tokens' worth of rows is written"),
    Like(kX, Noted(ConstResult(In(kExpandedX, "expandedXOut", kFloats, "A H")),
                   "[min(N, activeNum)*K H]")),
    kExpandedRowOut,
    Noted(ConstResult(In(kExpandedExpert, "expandedExpertIdxOut", {ACL_INT32}, "P")),
          "[N*K]: expertIdx in order"),
};

constexpr ParamSpec CountsOut(int id, const char* name) {
  return {.name = name,
          .id = id,
          .direction = Direction::kOutput,
          .need = Need::kOptional,
          .dtypes = {ACL_INT32},
          .note = "[expertNum]; needed if the flag asks for it",
          .const_handle = true};
}

inline constexpr ParamSpec kInitRoutingV2Params[] = {
    kTokens,
    kChosenExperts,
    Ranged(kActiveNum, "activeNumOptional", 0, INT64_MAX,
           "at most so many rows are written; 0: all"),
    Ranged(kCapacity, "expertCapacityOptional", 0, INT64_MAX, "rows of each expert if padded"),
    Ranged(kExpertNum, "expertNumOptional", 0, INT64_MAX,
           "experts; needed if they are counted or padded"),
    Ranged(kDropPadMode, "dropPadModeOptional", 0, 1,
           "1: experts have expertCapacity rows each, cut or filled with zeros"),
    Ranged(kCountFlag, "expertTokensCountOrCumsumFlagOptional", 0, 2,
           "1: where each expert's rows end, 2: how many they are; counts if not padded"),
    Value(kBeforeFlag, "expertTokensBeforeCapacityFlagOptional", Kind::kBool, "counts if padded"),
    Like(kX, Noted(ConstResult(In(kExpandedX, "expandedXOut", kFloats, "A H | E C H")),
                   "[N*K H], [min(N*K, activeNum) H] or [expertNum expertCapacity H]")),
    kExpandedRowOut,
    CountsOut(kCounts, "expertTokensCountOrCumsumOutOptional"),
    CountsOut(kBefore, "expertTokensBeforeCapacityOutOptional"),
};

inline constexpr ParamSpec kQuantisedRows = Noted(
    ConstResult(In(kExpandedX, "expandedXOut", {ACL_INT8}, "A H")), "[min(N, activeNum)*K H]");
inline constexpr ParamSpec kInitRoutingQuantParams[] = {
    kTokens,
    kInitRoutingParams[1],
    kChosenExperts,
    kInitRoutingParams[3],
    Value(kScales, "scale", Kind::kDouble, "numbers are multiplied by it"),
    Value(kOffset, "offset", Kind::kDouble, "added to them"),
    kQuantisedRows,
    kExpandedRowOut,
    kInitRoutingParams[6],
};
inline constexpr ParamSpec kInitRoutingQuantV2Params[] = {
    kTokens,
    kChosenExperts,
    Noted(In(kScales, "scaleOptional", {ACL_FLOAT}, "*", Need::kOptional),
          "quantMode 0: [1]; 1: [expertNum, H], [1, H] or null"),
    Noted(In(kOffset, "offsetOptional", {ACL_FLOAT}, "*", Need::kOptional), "quantMode 0: [1]"),
    Ranged(kActiveNum, "activeNum", 0, INT64_MAX, "at most so many rows are written; 0: all"),
    Ranged(kCapacity, "expertCapacity", 0, INT64_MAX, "rows of each expert if padded"),
    Ranged(kExpertNum, "expertNum", 0, INT64_MAX, "experts; needed if they are counted or padded"),
    Ranged(kDropPadMode, "dropPadMode", 0, 1,
           "1: experts have expertCapacity rows each, cut or filled with zeros"),
    Ranged(kCountFlag, "expertTokensCountOrCumsumFlag", 0, 2,
           "1: where each expert's rows end, 2: how many they are; counts if not padded"),
    Value(kBeforeFlag, "expertTokensBeforeCapacityFlag", Kind::kBool, "counts if padded"),
    Ranged(kQuantMode, "quantMode", 0, 1, "0: static, 1: dynamic"),
    Noted(ConstResult(In(kExpandedX, "expandedXOut", {ACL_INT8, ACL_INT4}, "A H | E C H")),
          "[N*K H], [min(N*K, activeNum) H] or [expertNum expertCapacity H]; INT4 where quantMode "
          "is 1 and nothing is padded"),
    kExpandedRowOut,
    CountsOut(kCounts, "expertTokensCountOrCumsumOutOptional"),
    CountsOut(kBefore, "expertTokensBeforeCapacityOutOptional"),
    {.name = "dynamicQuantScaleOutOptional",
     .id = kExpandedScale,
     .direction = Direction::kOutput,
     .need = Need::kOptional,
     .dtypes = {ACL_FLOAT},
     .note = "a number for each row; needed where quantMode is 1",
     .const_handle = true},
};

inline constexpr int64_t kMostExperts = 10240;
inline constexpr DTypeSet kQuantizable = {ACL_FLOAT16, ACL_BF16, ACL_FLOAT, ACL_INT8};
inline constexpr ParamSpec kInitRoutingV3Params[] = {
    Noted(In(kX, "x", kQuantizable, "N H"), "INT8 only where quantMode is -1"),
    kChosenExperts,
    Noted(In(kScales, "scaleOptional", {ACL_FLOAT}, "*", Need::kOptional),
          "quantMode -1: [N], sorted as x; 0: [1]; 1: [expertEnd - expertStart, H] or [1, H]"),
    Noted(In(kOffset, "offsetOptional", {ACL_FLOAT}, "1", Need::kOptional),
          "needed where quantMode is 0"),
    Ranged(kActiveNum, "activeNum", -1, INT64_MAX, "at most so many rows are written; 0, -1: all"),
    Value(kCapacity, "expertCapacity", Kind::kInt64, "rows of each expert if padded: 1 to N"),
    Ranged(kExpertNum, "expertNum", 1, kMostExperts),
    Ranged(kDropPadMode, "dropPadMode", 0, 1,
           "1: experts have expertCapacity rows each, cut or filled with zeros"),
    Ranged(kCountFlag, "expertTokensNumType", 0, 2,
           "0: where each expert's rows end, 1: how many they are, 2: pairs of an expert that has "
           "rows and their number"),
    Value(kBeforeFlag, "expertTokensNumFlag", Kind::kBool, "whether experts' rows are counted"),
    Ranged(kQuantMode, "quantMode", -1, 1, "-1: none, 0: static, 1: dynamic"),
    {.name = "activeExpertRangeOptional",
     .id = kActiveRange,
     .kind = Kind::kIntArray,
     .need = Need::kOptional,
     .note = "[expertStart, expertEnd): those whose rows are wanted; null or empty: all"},
    Ranged(kRowIndexType, "rowIdxType", 0, 1,
           "0: where the row of a token and an expert went, 1: which it was"),
    Noted(ConstResult(In(kExpandedX, "expandedXOut", kQuantizable, "A H | E C H")),
          "of x's type, INT8 where it is quantised; [N*K H], [min(N*K, activeNum) H] or "
          "[expertNum expertCapacity H]"),
    Noted(ConstResult(In(kExpandedRow, "expandedRowIdxOut", {ACL_INT32}, "P")), "[N*K]"),
    Noted(ConstResult(In(kCounts, "expertTokensCountOrCumsumOut", {ACL_INT64})),
          "[expertEnd - expertStart], or [expertNum, 2] of pairs; any shape if not written"),
    Noted(ConstResult(In(kExpandedScale, "expandedScaleOut", {ACL_FLOAT})),
          "a number for each row, of any rank; any shape if not written"),
};

// Tokens of Bs, E experts of up to F - 1 instances.
inline constexpr ParamSpec kUpdateExpertParams[] = {
    In(kExpert, "expertIds", {ACL_INT32, ACL_INT64}, "Bs K"),
    Noted(In(kTable, "eplbTable", {ACL_INT32}, "E F"),
          "of each expert the number of its instances, 1 to F - 1, and which they are"),
    In(kScales, "expertScalesOptional", kFloats, "Bs K", Need::kOptional),
    Noted(In(kThreshold, "pruningThresholdOptional", {ACL_FLOAT}, "K | 1 K", Need::kOptional),
          "beside expertScalesOptional, and only there"),
    Noted(In(kActiveMask, "activeMaskOptional", {ACL_BOOL}, "Bs", Need::kOptional),
          "only beside expertScalesOptional"),
    {.name = "localRankId", .id = kLocalRank, .kind = Kind::kInt64, .note = "with balanceMode 0"},
    {.name = "worldSize", .id = kWorldSize, .kind = Kind::kInt64, .note = "with balanceMode 0"},
    Ranged(kBalanceMode, "balanceMode", 0, 1, "0: instances by rank, 1: by token"),
    Like(kExpert, Out(kOut, "balancedExpertIds", {ACL_INT32, ACL_INT64}, "Bs K")),
    Noted(Out(kOutMask, "balancedActiveMask", {ACL_BOOL}, "Bs K"),
          "with expertScalesOptional: whether expertScales[t][k] >= pruningThreshold[k] * the sum "
          "of expertScales[t]; else not written"),
};

Status PrepareComputeExpertTokens(Operands& operands, PreparedCall* call);

inline constexpr ParamSpec kComputeExpertTokensParams[] = {
    Noted(In(kExpert, "sortedExperts", {ACL_INT32}, "S"), "in order"),
    {.name = "numExperts",
     .id = kExpertNum,
     .kind = Kind::kInt64,
     .min = 1,
     .max = 2048,
     .names_size = true},
    ConstResult(In(kOut, "out", {ACL_INT32}, "numExperts")),
};

Status PrepareReRouting(Operands& operands, PreparedCall* call);

// A tokens of H numbers, from N ranks for E experts.
inline constexpr DTypeSet kRerouted = {ACL_FLOAT16, ACL_BF16, ACL_INT8};
inline constexpr ParamSpec kReRoutingParams[] = {
    Noted(In(kX, "tokens", kRerouted, "A H"), "by rank, a rank's by expert; H is at most 16384"),
    Noted(In(kCounts, "expertTokenNumPerRank", {ACL_INT32, ACL_INT64}, "N E"),
          "how many tokens a rank sent to an expert, A in all"),
    In(kScales, "perTokenScalesOptional", {ACL_FLOAT}, "A", Need::kOptional),
    Ranged(kCountFlag, "expertTokenNumTypeOptional", 1, 1, "1: experts' tokens are counted"),
    Ranged(kRowIndexType, "idxTypeOptional", 0, 0, "0: where each row comes from"),
    Like(kX, Noted(ConstResult(In(kExpandedX, "permuteTokensOut", kRerouted, "A H")),
                   "by expert, an expert's by rank")),
    Noted(ConstResult(In(kExpandedScale, "permutePerTokenScalesOut", {ACL_FLOAT}, "A")),
          "written beside perTokenScalesOptional alone"),
    Noted(ConstResult(In(kExpandedRow, "permuteTokenIdxOut", {ACL_INT32}, "A")),
          "the token that is in each row"),
    Like(kCounts, Noted(ConstResult(In(kBefore, "expertTokenNumOut", {ACL_INT32, ACL_INT64}, "E")),
                        "tokens of each expert")),
};

inline constexpr ParamSpec kGatingGradientParams[] = {
    Noted(In(kX, "xNorm", {ACL_FLOAT}, "N E"), "the sigmoids, outOut of aclnnMoeGatingTopK"),
    In(kY, "gradY", kFloats, "N K"),
    In(kExpert, "expertIdx", {ACL_INT32}, "N K"),
    Ranged(kRenorm, "renorm", 0, 1, "of softmax alone: without effect"),
    Ranged(kNormType, "normType", 1, 1, "1: sigmoid"),
    Value(kFactor, "routedScalingFactor", Kind::kDouble, "what the results were multiplied by"),
    Value(kEps, "eps", Kind::kDouble, "added to the sum that results were divided by"),
    ConstResult(Like(kY, In(kOut, "out", kFloats, "N E"))),
};

inline constexpr OpSpec kRoutingOperators[] = {
    {.op = kNames<"MoeGatingTopKSoftmax">,
     .params = kGatingTopKSoftmaxParams,
     .prepare = PrepareGatingTopKSoftmax,
     .header = "aclnn_moe_gating_top_k_softmax.h",
     .summary = "the k largest of each row of softmax(x), in order, and which they are",
     .document = "ops-transformer: moe/moe_gating_top_k_softmax/docs/aclnnMoeGatingTopKSoftmax.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
    {.op = kNames<"MoeGatingTopKSoftmaxV2">,
     .params = kGatingTopKSoftmaxV2Params,
     .prepare = PrepareGatingTopKSoftmax,
     .header = "aclnn_moe_gating_top_k_softmax_v2.h",
     .summary = "the k largest of each row of softmax(x), or the softmax of the k largest of x",
     .document =
         "ops-transformer: moe/moe_gating_top_k_softmax_v2/docs/aclnnMoeGatingTopKSoftmaxV2.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
    {.op = kNames<"MoeGatingTopK">,
     .params = kGatingTopKParams,
     .prepare = PrepareGatingTopK,
     .header = "aclnn_moe_gating_top_k.h",
     .summary =
         "of softmax(x) or sigmoid(x) the numbers of the k experts that are the largest with "
         "their bias within the best kGroup groups, and which they are",
     .document = "ops-transformer: moe/moe_gating_top_k/docs/aclnnMoeGatingTopK.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
    {.op = kNames<"MoeGatingTopKV2">,
     .params = kGatingTopKV2Params,
     .prepare = PrepareGatingTopK,
     .header = "aclnn_moe_gating_top_k_v2.h",
     .summary = "aclnnMoeGatingTopK, or the numbers of the experts that a table has for a token",
     .document = "ops-transformer: moe/moe_gating_top_k/docs/aclnnMoeGatingTopKV2.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
    {.op = kNames<"MoeGatingTopKBackward">,
     .params = kGatingGradientParams,
     .prepare = PrepareGatingGradient,
     .header = "aclnn_moe_gating_top_k_backward.h",
     .summary = "the gradient of aclnnMoeGatingTopK's x: of w = n / d, d = sum of n + eps, where n "
                "are the sigmoids of the experts that expertIdx names, times routedScalingFactor",
     .document =
         "ops-transformer: moe/moe_gating_top_k_backward/docs/aclnnMoeGatingTopKBackward.md"},
    {.op = kNames<"MoeInitRouting">,
     .params = kInitRoutingParams,
     .prepare = PrepareInitRouting,
     .header = "aclnn_moe_init_routing.h",
     .summary = "the rows of x, one for each of a token's experts, in the order of the experts",
     .document = "ops-transformer: moe/moe_init_routing/docs/aclnnMoeInitRouting.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
    {.op = kNames<"MoeInitRoutingV2">,
     .params = kInitRoutingV2Params,
     .prepare = PrepareInitRoutingV2,
     .header = "aclnn_moe_init_routing_v2.h",
     .summary = "the rows of x, one for each of a token's experts, in the order of the experts, "
                "or so many for each expert",
     .document = "ops-transformer: moe/moe_init_routing_v2/docs/aclnnMoeInitRoutingV2.md",
     .codes = {.shape = ACLNN_ERR_INNER_NULLPTR}},
    {.op = kNames<"MoeInitRoutingV3">,
     .params = kInitRoutingV3Params,
     .prepare = PrepareInitRoutingV3,
     .header = "aclnn_moe_init_routing_v3.h",
     .summary = "the rows of x, one for each of a token's experts within a range, in the order of "
                "the experts, as they are or quantised to INT8",
     .document = "ops-transformer: moe/moe_init_routing_v3/docs/aclnnMoeInitRoutingV3.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
    {.op = kNames<"MoeInitRoutingQuant">,
     .params = kInitRoutingQuantParams,
     .prepare = PrepareInitRoutingQuant,
     .header = "aclnn_moe_init_routing_quant.h",
     .summary = "the rows of rint(x * scale + offset), one for each of a token's experts, in the "
                "order of the experts",
     .document = "ops-transformer: moe/moe_init_routing_quant/docs/aclnnMoeInitRoutingQuant.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
    {.op = kNames<"MoeInitRoutingQuantV2">,
     .params = kInitRoutingQuantV2Params,
     .prepare = PrepareInitRoutingQuantV2,
     .header = "aclnn_moe_init_routing_quant_v2.h",
     .summary = "the rows of x, one for each of a token's experts, in the order of the experts, "
                "or so many for each expert, quantised to INT8 or INT4",
     .document =
         "ops-transformer: moe/moe_init_routing_quant_v2/docs/aclnnMoeInitRoutingQuantV2.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
    {.op = kNames<"MoeFinalizeRouting">,
     .params = kFinalizeRoutingParams,
     .prepare = PrepareFinalizeRouting,
     .header = "aclnn_moe_finalize_routing.h",
     .summary = "out = x1 + x2 + for each token the sum of scales * (its expert's row + bias)",
     .document = "ops-transformer: moe/moe_finalize_routing/docs/aclnnMoeFinalizeRouting.md"},
    {.op = kNames<"MoeFinalizeRoutingV2">,
     .params = kFinalizeRoutingV2Params,
     .prepare = PrepareFinalizeRoutingV2,
     .header = "aclnn_moe_finalize_routing_v2.h",
     .summary = "out = x1 + x2 + for each token the sum of scales * (its expert's row + bias)",
     .document = "ops-transformer: moe/moe_finalize_routing_v2/docs/aclnnMoeFinalizeRoutingV2.md",
     .codes = {.shape = ACLNN_ERR_INNER_NULLPTR}},
    {.op = kNames<"MoeFinalizeRoutingV3">,
     .params = kFinalizeRoutingV3Params,
     .prepare = PrepareFinalizeRoutingV2,
     .header = "aclnn_moe_finalize_routing_v3.h",
     .summary = kFinalizeSpecialSummary,
     .document = "ops-transformer: moe/moe_finalize_routing_v2/docs/aclnnMoeFinalizeRoutingV3.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
    {.op = kNames<"MoeFinalizeRoutingV4">,
     .params = kFinalizeRoutingV4Params,
     .prepare = PrepareFinalizeRoutingV2,
     .header = "aclnn_moe_finalize_routing_v4.h",
     .summary = kFinalizeSpecialSummary,
     .document = "ops-transformer: moe/moe_finalize_routing_v2/docs/aclnnMoeFinalizeRoutingV4.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
    {.op = kNames<"MoeUpdateExpert">,
     .params = kUpdateExpertParams,
     .prepare = PrepareUpdateExpert,
     .header = "aclnn_moe_update_expert.h",
     .summary = "the instance of each expert that a token goes to, and which experts it leaves out",
     .document = "ops-transformer: mc2/moe_update_expert/docs/aclnnMoeUpdateExpert.md",
     .codes = {.format = ACLNN_ERR_INNER_TILING_ERROR, .shape = ACLNN_ERR_INNER_TILING_ERROR}},
    {.op = kNames<"MoeReRouting">,
     .params = kReRoutingParams,
     .prepare = PrepareReRouting,
     .header = "aclnn_moe_re_routing.h",
     .summary = "tokens that ranks sent, in the order of the experts, and which token each row is",
     .document = "ops-transformer: moe/moe_re_routing/README.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
    {.op = kNames<"MoeComputeExpertTokens">,
     .params = kComputeExpertTokensParams,
     .prepare = PrepareComputeExpertTokens,
     .header = "aclnn_moe_compute_expert_tokens.h",
     .summary = "out[i] = how many of sortedExperts are i at most: where expert i's rows end",
     .document =
         "ops-transformer: moe/moe_compute_expert_tokens/docs/aclnnMoeComputeExpertTokens.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
};

inline constexpr auto kOperators = JoinOperators(kRoutingOperators, kPermuteOperators);

}  // namespace anyacl::moe
