// SPDX-License-Identifier: Apache-2.0
// The rows of the operators that bring tokens to the ranks of their experts and back.
#pragma once

#include <array>

#include "nnop/dtype_sets.h"
#include "nnop/joined_rows.h"

namespace anyacl::moe_distribute {

enum : int {
  kX,
  kExpertIds,
  kScales,
  kActiveMask,
  kExpertScales,
  kGroupEp,
  kEpWorldSize,
  kEpRankId,
  kMoeExpertNum,
  kGroupTp,
  kTpWorldSize,
  kTpRankId,
  kExpertShardType,
  kSharedExpertNum,
  kSharedExpertRankNum,
  kQuantMode,
  kGlobalBs,
  kExpertTokenNumsType,
  kCommAlg,
  kExpandX,
  kDynamicScales,
  kAssistInfo,
  kExpandIdx,
  kExpertTokenNums,
  kEpCounts,
  kTpCounts,
  kExpandScales,
  kActivationScale,
  kWeightScale,
  kGroupList,
  kSharedExpertX,
  kOutDtype,
  kCommQuantMode,
  kGroupListType,
  kResidual,
  kGamma,
  kNormEps,
  kNormOut,
  kRstd,
  kElasticInfo,
  kOriginalX,
  kAlpha1,
  kAlpha2,
  kConstant,
  kPerformance,
  kZeroExpertNum,
  kCopyExpertNum,
  kConstExpertNum,
};

// Pairs of one version fit together.
enum class Operator : int32_t {
  kDispatch = 1,
  kCombine,
  kDispatchV2,
  kCombineV2,
  kCombineNorm,
  kDispatchV3,
  kCombineV3,
  kCombineNormV2,
  kDispatchV4,
  kCombineV4,
};

// Of a rank.
inline constexpr int64_t kMaxTokens = 512;
// Of experts that no rank has, of each kind and with the others.
inline constexpr int64_t kMaxSpecial = INT32_MAX - 1;

inline constexpr DTypeSet kBf16 = {ACL_BF16};
inline constexpr DTypeSet kInts = {ACL_INT32};
inline constexpr DTypeSet kFloats = {ACL_FLOAT};

constexpr ParamSpec Number(int id, const char* name, int64_t min, int64_t max,
                           const char* note = nullptr) {
  return {.name = name, .id = id, .kind = Kind::kInt64, .min = min, .max = max, .note = note};
}
constexpr ParamSpec Text(int id, const char* name, Need need, const char* note) {
  return {.name = name, .id = id, .kind = Kind::kText, .need = need, .note = note};
}

inline constexpr ParamSpec kMaskParam =
    Noted(In(kActiveMask, "xActiveMaskOptional", {ACL_BOOL}, "Bs | Bs K", Need::kOptional),
          "which tokens, all true ones first, or which of their experts take part");
inline constexpr ParamSpec kGroupEpParam =
    Text(kGroupEp, "groupEp", Need::kRequired, "the communicator's name, 1 to 127 bytes");
inline constexpr ParamSpec kEpWorldSizeParam =
    Number(kEpWorldSize, "epWorldSize", 2, 768, "ranks of the communicator");
inline constexpr ParamSpec kEpRankIdParam =
    Number(kEpRankId, "epRankId", 0, 767, "this rank in the communicator");
inline constexpr ParamSpec kMoeExpertNumParam = Number(
    kMoeExpertNum, "moeExpertNum", 1, 1024, "as many on each rank that has no shared expert");
inline constexpr ParamSpec kGroupTpParam =
    Text(kGroupTp, "groupTp", Need::kOptional,
         "not used: there is no communication of tensor parallelism");
inline constexpr ParamSpec kTpWorldSizeParam = Number(kTpWorldSize, "tpWorldSize", 0, 1);
inline constexpr ParamSpec kTpRankIdParam = Number(kTpRankId, "tpRankId", 0, 0);
inline constexpr ParamSpec kExpertShardTypeParam =
    Number(kExpertShardType, "expertShardType", 0, 0, "0: ranks with shared experts come first");
inline constexpr ParamSpec kSharedExpertNumParam =
    Number(kSharedExpertNum, "sharedExpertNum", 0, 4, "at most 1 without ranks that have them");
inline constexpr ParamSpec kSharedExpertRankNumParam =
    Number(kSharedExpertRankNum, "sharedExpertRankNum", 0, 767,
           "how many ranks have a shared expert, a multiple of sharedExpertNum, below epWorldSize");
inline constexpr ParamSpec kGlobalBsParam =
    Number(kGlobalBs, "globalBs", 0, kMaxTokens * 768,
           "epWorldSize times the most tokens that a rank has; 0: all have as many as this one");
inline constexpr ParamSpec kCommAlgParam =
    Text(kCommAlg, "commAlg", Need::kOptional,
         "null, \"\", \"fullmesh\" or \"hierarchy\"; has no effect");
inline constexpr ParamSpec kAlgorithmParam = Noted(
    kCommAlgParam,
    "null, \"\", \"fullmesh\", \"fullmesh_v1\", \"fullmesh_v2\" or \"hierarchy\"; has no effect");

inline constexpr ParamSpec kCommQuantModeParam =
    Number(kCommQuantMode, "commQuantMode", 0, 2,
           "0: rows travel as they are, 2: as INT8 with a scale for 8 elements each");
inline constexpr ParamSpec kGroupListTypeParam =
    Number(kGroupListType, "groupListType", 0, 1, "reserved, no effect; public examples pass both");

// Of the first version.
inline constexpr ParamSpec kNoMaskParam =
    Noted(In(kActiveMask, "xActiveMask", {ACL_BOOL}, "*", Need::kOptional), "null");
inline constexpr ParamSpec kExpertNumV1Param =
    Number(kMoeExpertNum, "moeExpertNum", 1, 512, kMoeExpertNumParam.note);
inline constexpr ParamSpec kSharedExpertNumV1Param =
    Number(kSharedExpertNum, "sharedExpertNum", 0, 1);
inline constexpr ParamSpec kSharedRankNumV1Param =
    Number(kSharedExpertRankNum, "sharedExpertRankNum", 0, 767,
           "how many ranks have the shared expert, a divisor of epWorldSize, below it");

inline constexpr ParamSpec kDispatchV1Params[] = {
    In(kX, "x", kHalves, "Bs H"),
    In(kExpertIds, "expertIds", kInts, "Bs K"),
    Noted(
        In(kScales, "scales", kFloats, "E H", Need::kOptional),
        "with quantMode 2 only: factors of the rows of each expert, the shared one first if ranks "
        "have it"),
    kNoMaskParam,
    Noted(In(kExpertScales, "expertScales", kFloats, "Bs K", Need::kOptional),
          "become expandScales, row by row"),
    kGroupEpParam,
    kEpWorldSizeParam,
    kEpRankIdParam,
    kExpertNumV1Param,
    kGroupTpParam,
    kTpWorldSizeParam,
    kTpRankIdParam,
    kExpertShardTypeParam,
    kSharedExpertNumV1Param,
    kSharedRankNumV1Param,
    Number(kQuantMode, "quantMode", 0, 2, "0: rows as they are, 2: INT8 with a scale each"),
    Named(kGlobalBsParam, "globalBS"),
    Number(kExpertTokenNumsType, "expertTokenNumsType", 0, 1, "0: prefix sums, 1: counts"),
    Noted(Out(kExpandX, "expandX", {ACL_FLOAT16, ACL_BF16, ACL_INT8}, "A H"),
          "rows by expert, by rank, by token; those that nobody sends are left as they are"),
    Noted(Out(kDynamicScales, "dynamicScales", kFloats, "*", Need::kOptional),
          "with quantMode 2: [A], what takes a row back; else not written"),
    Noted(Out(kExpandIdx, "expandIdx", kInts, "I"),
          "how many rows of this rank the expert of a token gets before; Bs * K elements or more"),
    Out(kExpertTokenNums, "expertTokenNums", {ACL_INT64}, "L"),
    Noted(Out(kEpCounts, "epRecvCounts", kInts, "C"),
          "how many rows come up to each expert and rank; epWorldSize for each expert, or more"),
    Noted(Out(kTpCounts, "tpRecvCounts", kInts, "*", Need::kOptional), "not written"),
    Noted(Out(kExpandScales, "expandScales", kFloats, "*", Need::kOptional),
          "[A] with expertScales; else not written"),
};

inline constexpr ParamSpec kCombineV1Params[] = {
    In(kExpandX, "expandX", kHalves, "A H"),
    In(kExpertIds, "expertIds", kInts, "Bs K"),
    Noted(In(kExpandIdx, "expandIdx", kInts, "I"), "of dispatch; Bs * K elements or more"),
    In(kEpCounts, "epSendCounts", kInts, "C"),
    In(kExpertScales, "expertScales", kFloats, "Bs K"),
    Noted(In(kTpCounts, "tpSendCounts", kInts, "*", Need::kOptional), "not used"),
    kNoMaskParam,
    Noted(In(kActivationScale, "activationScale", {}, "*", Need::kReserved), "not used"),
    Noted(In(kWeightScale, "weightScale", {}, "*", Need::kReserved), "not used"),
    Noted(In(kGroupList, "groupList", {}, "*", Need::kReserved), "not used"),
    Noted(In(kExpandScales, "expandScales", kFloats, "*", Need::kOptional),
          "not used: expertScales has them"),
    kGroupEpParam,
    kEpWorldSizeParam,
    kEpRankIdParam,
    kExpertNumV1Param,
    kGroupTpParam,
    kTpWorldSizeParam,
    kTpRankIdParam,
    kExpertShardTypeParam,
    kSharedExpertNumV1Param,
    kSharedRankNumV1Param,
    Named(kGlobalBsParam, "globalBS"),
    Number(kOutDtype, "outDtype", 0, 0),
    kCommQuantModeParam,
    kGroupListTypeParam,
    Like(kExpandX, Out(kX, "x", kHalves, "Bs H")),
};

// Who takes part, as all versions but the first have it.
inline constexpr std::array kRankRows = {
    kGroupEpParam,         kEpWorldSizeParam,        kEpRankIdParam, kMoeExpertNumParam,
    kGroupTpParam,         kTpWorldSizeParam,        kTpRankIdParam, kExpertShardTypeParam,
    kSharedExpertNumParam, kSharedExpertRankNumParam};

// Experts that no rank has: the token's own rank computes what they return, of the token as it was.
inline constexpr std::array kSpecialNumberRows = {
    Number(kZeroExpertNum, "zeroExpertNum", 0, kMaxSpecial,
           "experts that return zeros; their ids follow those of moeExpertNum"),
    Number(kCopyExpertNum, "copyExpertNum", 0, kMaxSpecial,
           "experts that return the token; their ids follow"),
    Number(kConstExpertNum, "constExpertNum", 0, kMaxSpecial,
           "experts that mix the token with a constant; their ids follow"),
};
inline constexpr std::array kElasticRows = {
    Noted(In(kElasticInfo, "elasticInfoOptional", kInts, "*", Need::kOptional), "null"),
};
constexpr auto SpecialTensorRows(DTypeSet dtypes) {
  const auto row = [dtypes](int id, const char* name, const char* dims, const char* note) {
    return Noted(Like(kExpandX, In(id, name, dtypes, dims, Need::kOptional)), note);
  };
  return std::array{
      row(kOriginalX, "oriXOptional", "Bs H",
          "the tokens before the experts; needed with copyExpertNum or constExpertNum"),
      row(kAlpha1, "constExpertAlpha1Optional", "Ec H", "needed with constExpertNum"),
      row(kAlpha2, "constExpertAlpha2Optional", "Ec H", "needed with constExpertNum"),
      row(kConstant, "constExpertVOptional", "Ec H", "needed with constExpertNum"),
  };
}
inline constexpr std::array kPerformanceRows = {
    ConstHandle({.name = "performanceInfoOptional",
                 .id = kPerformance,
                 .direction = Direction::kInOut,
                 .need = Need::kOptional,
                 .dtypes = {ACL_INT64},
                 .dims = "W",
                 .note = "of epWorldSize: how many us this rank waited for each is added"}),
};

inline constexpr std::array kDispatchInputRows = {
    In(kX, "x", kHalves, "Bs H"),
    In(kExpertIds, "expertIds", kInts, "Bs K"),
    Noted(In(kScales, "scalesOptional", kFloats, "E H", Need::kOptional),
          "with quantMode 2 only: factors of the rows of each expert, shared ones first if ranks "
          "have them"),
    kMaskParam,
    Noted(In(kExpertScales, "expertScalesOptional", kFloats, "Bs K", Need::kOptional),
          "become expandScalesOut, row by row"),
};
inline constexpr std::array kDispatchModeRows = {
    Number(kQuantMode, "quantMode", 0, 2, "0: rows as they are, 2: INT8 with a scale each"),
    kGlobalBsParam,
    Number(kExpertTokenNumsType, "expertTokenNumsType", 0, 1, "0: prefix sums, 1: counts"),
};
inline constexpr std::array kDispatchOutputRows = {
    Noted(Out(kExpandX, "expandXOut", {ACL_FLOAT16, ACL_BF16, ACL_INT8}, "A H"),
          "rows by expert, by rank, by token; those that nobody sends are left as they are"),
    Noted(Out(kDynamicScales, "dynamicScalesOut", kFloats, "*", Need::kOptional),
          "with quantMode 2: [A], what takes a row back; else not written"),
    Noted(Out(kAssistInfo, "assistInfoForCombineOut", kInts, "I"),
          "rank, token and place of each row; A * 128 elements or more"),
    Out(kExpertTokenNums, "expertTokenNumsOut", {ACL_INT64}, "L"),
    Noted(Out(kEpCounts, "epRecvCountsOut", kInts, "C"),
          "how many rows come up to each expert and rank; epWorldSize for each expert, or more"),
    Noted(Out(kTpCounts, "tpRecvCountsOut", kInts, "*", Need::kOptional), "not written"),
    Noted(Out(kExpandScales, "expandScalesOut", kFloats, "*", Need::kOptional),
          "[A] with expertScalesOptional; else not written"),
};
inline constexpr std::array kCommAlgRows = {kCommAlgParam};
inline constexpr std::array kAlgorithmRows = {kAlgorithmParam};
inline constexpr auto kDispatchV2Params =
    JoinRows(kDispatchInputRows, kRankRows, kDispatchModeRows, kCommAlgRows, kDispatchOutputRows);
inline constexpr auto kDispatchV3Params =
    JoinRows(kDispatchInputRows, kElasticRows, kRankRows, kDispatchModeRows, kAlgorithmRows,
             kSpecialNumberRows, kDispatchOutputRows);
inline constexpr auto kDispatchV4Params =
    JoinRows(kDispatchInputRows, kElasticRows, kPerformanceRows, kRankRows, kDispatchModeRows,
             kAlgorithmRows, kSpecialNumberRows, kDispatchOutputRows);

// Of tokens and their experts, after the rows.
inline constexpr std::array kSentRows = {
    In(kExpertIds, "expertIds", kInts, "Bs K"),
    In(kAssistInfo, "assistInfoForCombine", kInts, "I"),
    In(kEpCounts, "epSendCounts", kInts, "C"),
};
inline constexpr std::array kWeightRows = {In(kExpertScales, "expertScales", kFloats, "Bs K")};
inline constexpr std::array kMaybeWeightRows = {
    Noted(In(kExpertScales, "expertScales", kFloats, "*"),
          "[Bs, K], or no elements: all weights are 1"),
};
inline constexpr std::array kMaskAndUnusedRows = {
    Noted(In(kTpCounts, "tpSendCountsOptional", kInts, "*", Need::kOptional), "not used"),
    kMaskParam,
    Noted(In(kActivationScale, "activationScaleOptional", {}, "*", Need::kReserved), "not used"),
    Noted(In(kWeightScale, "weightScaleOptional", {}, "*", Need::kReserved), "not used"),
    Noted(In(kGroupList, "groupListOptional", {}, "*", Need::kReserved), "not used"),
    Noted(In(kExpandScales, "expandScalesOptional", kFloats, "*", Need::kOptional),
          "not used: expertScales has them"),
};
inline constexpr std::array kCombineRowsOfExperts = {In(kExpandX, "expandX", kHalves, "A H")};
inline constexpr std::array kCombineSharedRows = {
    Noted(Like(kExpandX, In(kSharedExpertX, "sharedExpertXOptional", kHalves, "Bs H | P Q H",
                            Need::kOptional)),
          "added to the sums, where no rank has shared experts"),
};
inline constexpr auto kCombineInputRows = JoinRows(
    kCombineRowsOfExperts, kSentRows, kMaybeWeightRows, kMaskAndUnusedRows, kCombineSharedRows);
inline constexpr std::array kCombineModeRows = {
    kGlobalBsParam,
    Number(kOutDtype, "outDtype", 0, 0),
    kCommQuantModeParam,
    kGroupListTypeParam,
};
inline constexpr std::array kCombineOutputRows = {
    Noted(Like(kExpandX, Out(kX, "xOut", kHalves, "Bs H")),
          "rows of tokens that take no part are left as they are"),
};
inline constexpr auto kCombineV2Params =
    JoinRows(kCombineInputRows, kRankRows, kCombineModeRows, kCommAlgRows, kCombineOutputRows);
inline constexpr auto kCombineV3Params =
    JoinRows(kCombineInputRows, kElasticRows, SpecialTensorRows(kHalves), kRankRows,
             kCombineModeRows, kAlgorithmRows, kSpecialNumberRows, kCombineOutputRows);
inline constexpr auto kCombineV4Params =
    JoinRows(kCombineInputRows, kElasticRows, SpecialTensorRows(kHalves), kPerformanceRows,
             kRankRows, kCombineModeRows, kAlgorithmRows, kSpecialNumberRows, kCombineOutputRows);

inline constexpr std::array kNormRowsOfExperts = {In(kExpandX, "expandX", kBf16, "A H")};
inline constexpr std::array kNormOwnRows = {
    Noted(In(kResidual, "residualX", kBf16, "Bs 1 H"), "added to the sums"),
    Noted(In(kGamma, "gamma", kBf16, "H"), "the norm's weights"),
};
inline constexpr std::array kNormSharedRows = {
    Noted(In(kSharedExpertX, "sharedExpertXOptional", kBf16, "Bs H | P Q H", Need::kOptional),
          "added to the sums"),
};
inline constexpr auto kNormInputRows = JoinRows(kNormRowsOfExperts, kSentRows, kWeightRows,
                                                kNormOwnRows, kMaskAndUnusedRows, kNormSharedRows);
inline constexpr std::array kNormRankRows = {
    kGroupEpParam,
    kEpWorldSizeParam,
    kEpRankIdParam,
    kMoeExpertNumParam,
    kGroupTpParam,
    kTpWorldSizeParam,
    kTpRankIdParam,
    kExpertShardTypeParam,
    Number(kSharedExpertNum, "sharedExpertNum", 0, 1, "no effect"),
    Number(kSharedExpertRankNum, "sharedExpertRankNum", 0, 0),
    Named(kGlobalBsParam, "globalBS"),
    Number(kOutDtype, "outDtype", 0, 0),
    Number(kCommQuantMode, "commQuantMode", 0, 0),
    kGroupListTypeParam,
};
inline constexpr std::array kNormEpsRows = {
    Value(kNormEps, "normEps", Kind::kFloat, "added to the mean square; finite"),
};
inline constexpr std::array kNormOutputRows = {
    Noted(Out(kNormOut, "yOut", kBf16, "Bs 1 H"),
          "rows of tokens that take no part are left as they are, in all outputs"),
    Noted(Out(kRstd, "rstdOut", kFloats, "Bs 1 1"), "1 / RMS(x)"),
    Noted(Out(kX, "xOut", kBf16, "Bs 1 H"), "the sums"),
};
inline constexpr auto kCombineNormParams =
    JoinRows(kNormInputRows, kNormRankRows, kCommAlgRows, kNormEpsRows, kNormOutputRows);
inline constexpr auto kCombineNormV2Params =
    JoinRows(kNormInputRows, kElasticRows, SpecialTensorRows(kBf16), kNormRankRows, kAlgorithmRows,
             kNormEpsRows, kSpecialNumberRows, kNormOutputRows);

}  // namespace anyacl::moe_distribute
