// SPDX-License-Identifier: Apache-2.0
// The rows of the operators that add up what experts made of tokens.
#pragma once

#include "nnop/joined_rows.h"
#include "ops/moe/rows.h"

namespace anyacl::moe {

// Experts' rows back to N tokens.
inline constexpr ParamSpec kPlaces =
    Noted(In(kExpandedRow, "expandedRowIdx", {ACL_INT32}, "P"), "[N*K]: rows of expandedX");
inline constexpr ParamSpec kSums = Like(kExpandedX, ConstResult(In(kOut, "out", kFloats, "N H")));
constexpr ParamSpec Added(int id, const char* name, const char* dims, Need need = Need::kOptional) {
  return Like(kExpandedX, In(id, name, kFloats, dims, need));
}

inline constexpr ParamSpec kFinalizeRoutingParams[] = {
    In(kExpandedX, "expandedX", kFloats, "R H"),
    Added(kX1, "x1", "N H", Need::kRequired),
    Added(kX2, "x2Optional", "N H"),
    Added(kBias, "bias", "E H", Need::kRequired),
    Added(kScales, "scales", "N K", Need::kRequired),
    kPlaces,
    In(kExpert, "expandedExpertIdx", {ACL_INT32}, "N K"),
    kSums,
};
inline constexpr std::array kFinalizeRoutingV2Inputs = {
    Noted(In(kExpandedX, "expandedX", kFloats, "R H | E C H"), "rank 3 in modes 1 and 3"),
    kPlaces,
    Added(kX1, "x1Optional", "N H"),
    Noted(Added(kX2, "x2Optional", "N H"), "only beside x1Optional"),
    Noted(Added(kBias, "biasOptional", "E H"), "only beside expertIdxOptional"),
    Noted(In(kScales, "scalesOptional", kFloats, "N K", Need::kOptional),
          "of expandedX's type, or FLOAT beside BF16; null: factors are 1, and K is 1 or k"),
    In(kExpert, "expertIdxOptional", {ACL_INT32}, "N K", Need::kOptional),
};
inline constexpr ParamSpec kFinalizeMode =
    Ranged(kDropPadMode, "dropPadMode", 0, 3,
           "1, 3: -1 stands for a dropped row; 0, 1: expandedRowIdx is [K N], else [N K]");
inline constexpr auto kFinalizeRoutingV2Params =
    JoinRows(kFinalizeRoutingV2Inputs, std::array{kFinalizeMode, kSums});
// Experts of three kinds, which no row of expandedX belongs to.
constexpr ParamSpec SpecialRange(int id, const char* name, const char* note) {
  return {.name = name, .id = id, .kind = Kind::kIntArray, .need = Need::kOptional, .note = note};
}
inline constexpr std::array kSpecialInputs = {
    Noted(Added(kX, "xOptional", "N H"), "the tokens; copyExpertRange and the next need it"),
    Noted(Added(kAlpha1, "alpha1Optional", "S H"), "a row for each expert of constantExpertRange"),
    Added(kAlpha2, "alpha2Optional", "S H"),
    Added(kConstants, "vOptional", "S H"),
    kFinalizeMode,
    SpecialRange(kZeroRange, "zeroExpertRange",
                 "the first and the last but one expert that adds nothing; null, empty and {-1, "
                 "-1}: there is none"),
    SpecialRange(kCopyRange, "copyExpertRange", "of experts that return the token itself"),
    SpecialRange(kConstantRange, "constantExpertRange",
                 "of experts that return alpha1 * x + alpha2 * v"),
};
inline constexpr auto kFinalizeRoutingV3Params =
    JoinRows(kFinalizeRoutingV2Inputs, kSpecialInputs, std::array{kSums});
inline constexpr auto kFinalizeRoutingV4Params =
    JoinRows(kFinalizeRoutingV2Inputs, kSpecialInputs,
             std::array{Ranged(kK, "k", INT64_MIN, INT64_MAX,
                               "K without scalesOptional; beside it K, or at most 1"),
                        kSums});
inline constexpr char kFinalizeSpecialSummary[] =
    "out = x1 + x2 + for each token the sum of scales * (its expert's row + bias); experts in "
    "ranges have no row: they add nothing, the token, or alpha1 * x + alpha2 * v";

}  // namespace anyacl::moe
