// SPDX-License-Identifier: Apache-2.0
// Tokens in the order of their experts and back, with gradients: the declarations. N tokens of H
// numbers, E experts, R permuted rows, L places of tokens' experts.
#pragma once

#include "ops/moe/rows.h"

namespace anyacl::moe {

enum : int {
  kToken,          // by token: tokens, sums of them or their gradient
  kPermuted,       // by expert: the same
  kIndices,        // tokens' experts
  kSortedIndices,  // sortedIndices
  kMap,            // which experts a token goes to
  kProbs,          // factors of tokens and experts, or their gradient
  kPermutedProbs,  // by row, or by place
  kTokenIds,
  kTokenOut,  // as kToken, of what the operator writes
  kPermutedOut,
  kProbsOut,
  kOutTokens,
  kTopK,
  kExpertCount,
  kTokenCount,
  kPadded,
  kRestored,
  kRange,
  kRowBias,  // what was added to rows, by expert
  kRowsPerExpert,
};

Status PrepareTokenPermute(Operands& operands, PreparedCall* call);
Status PrepareTokenPermuteWithMap(Operands& operands, PreparedCall* call);
Status PrepareTokenPermuteGrad(Operands& operands, PreparedCall* call);
Status PrepareTokenPermuteWithMapGrad(Operands& operands, PreparedCall* call);
Status PrepareTokenUnpermute(Operands& operands, PreparedCall* call);
Status PrepareTokenUnpermuteWithMap(Operands& operands, PreparedCall* call);
Status PrepareTokenUnpermuteGrad(Operands& operands, PreparedCall* call);
Status PrepareTokenUnpermuteWithMapGrad(Operands& operands, PreparedCall* call);
Status PrepareInitRoutingV2Grad(Operands& operands, PreparedCall* call);
Status PrepareFinalizeRoutingV2Grad(Operands& operands, PreparedCall* call);

constexpr ParamSpec MaybeOut(int id, const char* name, DTypeSet dtypes, const char* dims,
                             const char* note) {
  return Noted(Out(id, name, dtypes, dims, Need::kOptional), note);
}

inline constexpr int64_t kMostPerToken = 512;  // experts
inline constexpr DTypeSet kPlaceTypes = {ACL_INT32};
inline constexpr DTypeSet kMapTypes = {ACL_INT8, ACL_BOOL};
inline constexpr char kOnlyUnpadded[] = "false";
inline constexpr char kCutRows[] = "at most L rows: places from R on are of rows that were cut off";
inline constexpr char kProbTypes[] = "of the tokens' type, or FLOAT beside BF16";
inline constexpr ParamSpec kUnpadded =
    Noted(Value(kPadded, "paddedMode", Kind::kBool), kOnlyUnpadded);
inline constexpr ParamSpec kIgnoredShape = {.name = "restoreShapeOptional",
                                            .id = kRestored,
                                            .kind = Kind::kIntArray,
                                            .need = Need::kOptional,
                                            .note = "without effect"};
inline constexpr ParamSpec kPlacesIn = Noted(In(kSortedIndices, "sortedIndices", kPlaceTypes, "L"),
                                             "the row of each token and expert");

inline constexpr ParamSpec kTokenPermuteParams[] = {
    Noted(In(kToken, "tokens", kFloats, "N T.."), "a token has as many elements as a row"),
    Noted(In(kIndices, "indices", {ACL_INT32, ACL_INT64}, "N | N K"), "each token's experts"),
    Value(kOutTokens, "numOutTokens", Kind::kInt64,
          "at most so many rows are written; 0: all, below 0: all but so many"),
    kUnpadded,
    Noted(Like(kToken, ConstResult(Out(kPermutedOut, "permuteTokensOut", kFloats, "R P.."))),
          "R is N*K or as many as numOutTokens leaves"),
    Noted(ConstResult(Out(kSortedIndices, "sortedIndicesOut", kPlaceTypes, "L")),
          "[N*K]: where the row of a token and an expert went, also where it was cut off"),
};
inline constexpr ParamSpec kTokenPermuteGradParams[] = {
    Noted(In(kPermuted, "permutedOutputGrad", kFloats, "R H"), kCutRows),
    kPlacesIn,
    Ranged(kTopK, "numTopk", 1, kMostPerToken, "experts of a token"),
    kUnpadded,
    Noted(Like(kPermuted, Out(kTokenOut, "out", kFloats, "N H")), "N * numTopk is L"),
};
inline constexpr ParamSpec kTokenUnpermuteParams[] = {
    Noted(In(kPermuted, "permutedTokens", kFloats, "R H"), kCutRows),
    kPlacesIn,
    Noted(In(kProbs, "probsOptional", kFloats, "N K", Need::kOptional),
          "null: a token has one expert, with a factor of 1"),
    kUnpadded,
    kIgnoredShape,
    Like(kPermuted, Out(kTokenOut, "out", kFloats, "N H")),
};
inline constexpr ParamSpec kTokenUnpermuteGradParams[] = {
    Noted(In(kPermuted, "permutedTokensOptional", kFloats, "R H", Need::kOptional),
          "needed beside probsOptional"),
    Like(kPermuted, In(kToken, "unpermutedTokensGrad", kFloats, "N H")),
    kPlacesIn,
    Noted(In(kProbs, "probsOptional", kFloats, "N K", Need::kOptional),
          "null: a token has one expert, with a factor of 1"),
    kUnpadded,
    kIgnoredShape,
    Noted(Like(kToken, Out(kPermutedOut, "permutedTokensGradOut", kFloats, "R H")), kCutRows),
    MaybeOut(kProbsOut, "probsGradOut", kFloats, "*",
             "[N, K]; needed beside probsOptional, else any shape and not written"),
};

// Ranks have the rows of some experts, which are numbers from one to another one.
inline constexpr ParamSpec kRangeRow = {
    .name = "rangeOptional",
    .id = kRange,
    .kind = Kind::kIntArray,
    .need = Need::kOptional,
    .note =
        "the number of the first row that is here and of the last one plus 1; null, empty: all "
        "are"};
inline constexpr char kRangeRows[] =
    "as many as rangeOptional has, or more; without it at most L, the others were cut off";
inline constexpr char kRangedFactors[] = "without effect where rangeOptional is null";
inline constexpr ParamSpec kTokenPermuteWithEpParams[] = {
    kTokenPermuteParams[0],
    kTokenPermuteParams[1],
    Noted(Like(kToken, In(kProbs, "probsOptional", kFloats, "N | N K", Need::kOptional)),
          kRangedFactors),
    kRangeRow,
    Value(kOutTokens, "numOutTokens", Kind::kInt64,
          "as of aclnnMoeTokenPermute; without effect beside rangeOptional"),
    kUnpadded,
    Noted(kTokenPermuteParams[4], "R is what rangeOptional or else numOutTokens leaves"),
    kTokenPermuteParams[5],
    Like(kToken, ConstResult(MaybeOut(kPermutedProbs, "permuteProbsOut", kFloats, "R",
                                      "the factor of each row; needed beside probsOptional and "
                                      "rangeOptional, else not written"))),
};
inline constexpr ParamSpec kTokenPermuteWithEpGradParams[] = {
    Noted(In(kPermuted, "permutedTokensOutputGrad", kFloats, "R H"), kRangeRows),
    kPlacesIn,
    Like(kPermuted,
         Noted(In(kPermutedProbs, "permutedProbsOutputGradOptional", kFloats, "S", Need::kOptional),
               "as many as rangeOptional has, or more; without effect where that is "
               "null")),
    {.name = "numTopk",
     .id = kTopK,
     .kind = Kind::kInt64,
     .min = 1,
     .max = kMostPerToken,
     .names_size = true,
     .note = "experts of a token"},
    kRangeRow,
    kUnpadded,
    Noted(Like(kPermuted, ConstResult(Out(kTokenOut, "tokenGradOut", kFloats, "N H"))),
          "N * numTopk is L"),
    Like(kPermuted, ConstResult(MaybeOut(kProbsOut, "probsGradOut", kFloats, "N numTopk",
                                         "needed beside permutedProbsOutputGradOptional and "
                                         "rangeOptional, else not written"))),
};
inline constexpr ParamSpec kTokenUnpermuteWithEpParams[] = {
    Noted(In(kPermuted, "permutedTokens", kFloats, "R H"), kRangeRows),
    kPlacesIn,
    Noted(In(kProbs, "probsOptional", kFloats, "N K", Need::kOptional), "null: factors are 1"),
    Value(kTopK, "numTopk", Kind::kInt64,
          "experts of a token, K; without rangeOptional they are K or 1"),
    kRangeRow,
    kUnpadded,
    kIgnoredShape,
    Like(kPermuted, ConstResult(Out(kTokenOut, "out", kFloats, "N H"))),
};
inline constexpr ParamSpec kTokenUnpermuteWithEpGradParams[] = {
    In(kToken, "unpermutedTokensGrad", kFloats, "N H"),
    kPlacesIn,
    Noted(Like(kToken, In(kPermuted, "permutedTokensOptional", kFloats, "R H", Need::kOptional)),
          "needed beside probsOptional"),
    Noted(In(kProbs, "probsOptional", kFloats, "N K", Need::kOptional), "null: factors are 1"),
    kUnpadded,
    kIgnoredShape,
    kRangeRow,
    Value(kTopK, "topkNum", Kind::kInt64, "experts of a token where probsOptional is null"),
    Noted(Like(kToken, ConstResult(Out(kPermutedOut, "permutedTokensGradOut", kFloats, "R H"))),
          kRangeRows),
    Like(kProbs, ConstResult(MaybeOut(kProbsOut, "probsGradOut", kFloats, "N K",
                                      "needed beside probsOptional, else not written"))),
};
// Gradients of initial and final routing.
inline constexpr char kDropNote[] = "1: experts have rows of their own, -1 stands for none";
inline constexpr ParamSpec kInitRoutingV2GradParams[] = {
    Noted(In(kPermuted, "gradExpandedX", kFloats, "R H | E C H"),
          "rank 3 with dropPadMode 1, else activeNum or L rows"),
    Noted(In(kSortedIndices, "expandedRowIdx", kPlaceTypes, "L"),
          "the row of each token and expert"),
    Ranged(kTopK, "topK", 1, INT64_MAX, "experts of a token"),
    Ranged(kPadded, "dropPadMode", 0, 1, kDropNote),
    Ranged(kOutTokens, "activeNum", 0, INT64_MAX,
           "rows that were not cut off; 0: all; without effect with dropPadMode 1"),
    Noted(Like(kPermuted, ConstResult(Out(kTokenOut, "out", kFloats, "N H"))), "N * topK is L"),
};
inline constexpr ParamSpec kFinalizeRoutingV2GradParams[] = {
    In(kToken, "gradY", kFloats, "N H"),
    Noted(In(kSortedIndices, "expandedRowIdx", kPlaceTypes, "L"),
          "[N*K]: the row of each token and expert, which no other one has"),
    Noted(Like(kToken, In(kPermuted, "expandedXOptional", kFloats, "R H | E C H", Need::kOptional)),
          "needed beside scalesOptional, else without effect"),
    Noted(Like(kToken, In(kProbs, "scalesOptional", kFloats, "N K", Need::kOptional)),
          "null: factors are 1 and K is 1"),
    Noted(In(kIndices, "expertIdxOptional", {ACL_INT32}, "N K", Need::kOptional),
          "needed beside biasOptional, else without effect"),
    Noted(Like(kToken, In(kRowBias, "biasOptional", kFloats, "B H", Need::kOptional)),
          "without effect where scalesOptional is null"),
    Ranged(kPadded, "dropPadMode", 0, 1, kDropNote),
    Value(kOutTokens, "activeNum", Kind::kInt64,
          "R, if above 0 and below L; without effect with dropPadMode 1"),
    Value(kExpertCount, "expertNum", Kind::kInt64, "E, with dropPadMode 1 alone"),
    Value(kRowsPerExpert, "expertCapacity", Kind::kInt64, "C, with dropPadMode 1 alone"),
    Noted(Like(kToken, ConstResult(Out(kPermutedOut, "gradExpandedXOut", kFloats, "R H | E C H"))),
          "[L, H], [activeNum, H] or [expertNum, expertCapacity, H]"),
    Like(kProbs, ConstResult(MaybeOut(kProbsOut, "gradScalesOut", kFloats, "N K",
                                      "needed beside scalesOptional, else not written"))),
};

inline constexpr ParamSpec kTokenPermuteWithMapParams[] = {
    In(kToken, "tokens", kFloats, "N H"),
    Noted(In(kMap, "routingMap", kMapTypes, "N E"),
          "whether a token goes to an expert; fewer than 16777215 of both"),
    Noted(In(kProbs, "probsOptional", kFloats, "N E", Need::kOptional), kProbTypes),
    Ranged(kOutTokens, "numOutTokens", 0, INT64_MAX, "at most N*E"),
    Value(kPadded, "dropAndPad", Kind::kBool, "each expert has numOutTokens / E rows"),
    Noted(
        Like(kToken, Out(kPermutedOut, "permuteTokensOut", kFloats, "R H")),
        "R is numOutTokens / N * N, dropAndPad: numOutTokens / E * E, each quotient rounded down"),
    Like(kProbs, MaybeOut(kPermutedProbs, "permuteProbsOutOptional", kFloats, "R",
                          "needed beside probsOptional, and only there")),
    Noted(Out(kSortedIndices, "sortedIndicesOut", kPlaceTypes, "R"),
          "where a token's rows went, -1 where it has less; dropAndPad: which token a row is"),
};
inline constexpr ParamSpec kTokenPermuteWithMapGradParams[] = {
    In(kPermuted, "permutedTokensOutputGrad", kFloats, "R H"),
    Noted(In(kPermutedProbs, "permutedProbsOutputGradOptional", kFloats, "R", Need::kOptional),
          kProbTypes),
    Noted(In(kSortedIndices, "sortedIndices", kPlaceTypes, "R"),
          "where a token's rows are, -1: none; dropAndPad: which token a row is"),
    Noted(In(kMap, "routingMapOptional", kMapTypes, "tokensNum numExperts", Need::kOptional),
          "needed beside permutedProbsOutputGradOptional"),
    {.name = "numExperts", .id = kExpertCount, .kind = Kind::kInt64, .min = 1, .names_size = true},
    {.name = "tokensNum", .id = kTokenCount, .kind = Kind::kInt64, .min = 1, .names_size = true},
    Value(kPadded, "dropAndPad", Kind::kBool, "as forward"),
    Like(kPermuted, Out(kTokenOut, "tokenGradOut", kFloats, "tokensNum H")),
    Like(kPermutedProbs,
         MaybeOut(kProbsOut, "probsGradOutOptional", kFloats, "tokensNum numExperts",
                  "written beside permutedProbsOutputGradOptional")),
};
inline constexpr ParamSpec kTokenUnpermuteWithMapParams[] = {
    Noted(In(kPermuted, "permutedTokens", kFloats, "R H"),
          "at most L rows: places from R on are of rows that were cut off; paddedMode: L rows"),
    Noted(In(kSortedIndices, "sortedIndices", kPlaceTypes, "L"),
          "the row of each token and expert, -1: none; paddedMode: each row's token"),
    Noted(In(kMap, "routingMapOptional", kMapTypes, "N E", Need::kOptional),
          "needed beside probsOptional, unless paddedMode"),
    Noted(In(kProbs, "probsOptional", kFloats, "N E", Need::kOptional), kProbTypes),
    Value(kPadded, "paddedMode", Kind::kBool, "each expert has L / E rows"),
    {.name = "restoreShapeOptional",
     .id = kRestored,
     .kind = Kind::kIntArray,
     .need = Need::kOptional,
     .note = "[N, H]; needed without probsOptional"},
    Like(kPermuted, Out(kTokenOut, "unpermutedTokens", kFloats, "N H")),
    Noted(Out(kIndices, "outIndex", kPlaceTypes, "L"),
          "sortedIndices, with -1; paddedMode: the rows in the order of their tokens"),
    Noted(Out(kTokenIds, "permuteTokenId", kPlaceTypes, "L"), "whose row outIndex has"),
    Like(kProbs, MaybeOut(kPermutedProbs, "permuteProbs", kFloats, "L",
                          "the factor of each place; needed beside probsOptional")),
};
inline constexpr ParamSpec kTokenUnpermuteWithMapGradParams[] = {
    In(kToken, "unpermutedTokensGrad", kFloats, "N H"),
    Noted(In(kIndices, "outIndex", kPlaceTypes, "L"), "rows, -1: none, but with dropAndPad"),
    Noted(In(kTokenIds, "permuteTokenId", kPlaceTypes, "L"),
          "each row's token; read where dropAndPad is true"),
    Noted(In(kMap, "routingMapOptional", kMapTypes, "N E", Need::kOptional),
          "needed beside probsOptional"),
    Noted(Like(kToken, In(kPermuted, "permutedTokensOptional", kFloats, "L H", Need::kOptional)),
          "needed beside probsOptional"),
    Noted(In(kProbs, "probsOptional", kFloats, "N E", Need::kOptional), kProbTypes),
    Value(kPadded, "dropAndPad", Kind::kBool, "as forward"),
    {.name = "restoreShapeOptional",
     .id = kRestored,
     .kind = Kind::kIntArray,
     .need = Need::kOptional,
     .note = "without effect"},
    Like(kToken, ConstResult(Out(kPermutedOut, "permutedTokensGradOut", kFloats, "L H"))),
    ConstResult(
        MaybeOut(kProbsOut, "probsGradOutOptional", kFloats, "N E", "needed beside probsOptional")),
};

inline constexpr OpSpec kPermuteOperators[] = {
    {.op = kNames<"MoeTokenPermute">,
     .params = kTokenPermuteParams,
     .prepare = PrepareTokenPermute,
     .header = "aclnn_moe_token_permute.h",
     .summary =
         "the rows of tokens, one for each of a token's experts, in the order of the experts",
     .document = "ops-transformer: moe/moe_token_permute/docs/aclnnMoeTokenPermute.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
    {.op = kNames<"MoeTokenPermuteGrad">,
     .params = kTokenPermuteGradParams,
     .prepare = PrepareTokenPermuteGrad,
     .header = "aclnn_moe_token_permute_grad.h",
     .summary = "out = for each token the sum of its rows of permutedOutputGrad",
     .document = "ops-transformer: moe/moe_token_permute_grad/docs/aclnnMoeTokenPermuteGrad.md"},
    {.op = kNames<"MoeTokenUnpermute">,
     .params = kTokenUnpermuteParams,
     .prepare = PrepareTokenUnpermute,
     .header = "aclnn_moe_token_unpermute.h",
     .summary = "out = for each token the sum of probs * its rows of permutedTokens",
     .document = "ops-transformer: moe/moe_token_unpermute/docs/aclnnMoeTokenUnpermute.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
    {.op = kNames<"MoeTokenUnpermuteGrad">,
     .params = kTokenUnpermuteGradParams,
     .prepare = PrepareTokenUnpermuteGrad,
     .header = "aclnn_moe_token_unpermute_grad.h",
     .summary = "permutedTokensGradOut = for each row probs * its token's unpermutedTokensGrad; "
                "probsGradOut = sum of unpermutedTokensGrad * the row of permutedTokens",
     .document =
         "ops-transformer: moe/moe_token_unpermute_grad/docs/aclnnMoeTokenUnpermuteGrad.md"},
    {.op = kNames<"MoeTokenPermuteWithRoutingMap">,
     .params = kTokenPermuteWithMapParams,
     .prepare = PrepareTokenPermuteWithMap,
     .header = "aclnn_moe_token_permute_with_routing_map.h",
     .summary = "the rows of tokens, one for each expert that the map has for a token, in the "
                "order of the experts, or so many for each expert",
     .document = "ops-transformer: moe/moe_token_permute_with_routing_map/docs/"
                 "aclnnMoeTokenPermuteWithRoutingMap.md"},
    {.op = kNames<"MoeTokenPermuteWithRoutingMapGrad">,
     .params = kTokenPermuteWithMapGradParams,
     .prepare = PrepareTokenPermuteWithMapGrad,
     .header = "aclnn_moe_token_permute_with_routing_map_grad.h",
     .summary = "tokenGradOut = for each token the sum of its rows of permutedTokensOutputGrad; "
                "probsGradOut = permutedProbsOutputGrad where the row's token and expert are",
     .document = "ops-transformer: moe/moe_token_permute_with_routing_map_grad/docs/"
                 "aclnnMoeTokenPermuteWithRoutingMapGrad.md"},
    {.op = kNames<"MoeTokenUnpermuteWithRoutingMap">,
     .params = kTokenUnpermuteWithMapParams,
     .prepare = PrepareTokenUnpermuteWithMap,
     .header = "aclnn_moe_token_unpermute_with_routing_map.h",
     .summary = "unpermutedTokens = for each token the sum of probs * its rows of permutedTokens",
     .document = "ops-transformer: moe/moe_token_unpermute_with_routing_map/docs/"
                 "aclnnMoeTokenUnpermuteWithRoutingMap.md",
     .constraint_code = ACLNN_ERR_INNER_NULLPTR},
    {.op = kNames<"MoeTokenUnpermuteWithRoutingMapGrad">,
     .params = kTokenUnpermuteWithMapGradParams,
     .prepare = PrepareTokenUnpermuteWithMapGrad,
     .header = "aclnn_moe_token_unpermute_with_routing_map_grad.h",
     .summary = "permutedTokensGradOut = for each row probs * its token's unpermutedTokensGrad; "
                "probsGradOut = sum of unpermutedTokensGrad * the row of permutedTokens",
     .document = "ops-transformer: moe/moe_token_unpermute_with_routing_map_grad/docs/"
                 "aclnnMoeTokenUnpermuteWithRoutingMapGrad.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
    {.op = kNames<"MoeTokenPermuteWithEp">,
     .params = kTokenPermuteWithEpParams,
     .prepare = PrepareTokenPermute,
     .header = "aclnn_moe_token_permute_with_ep.h",
     .summary = "the rows of tokens, one for each of a token's experts, in the order of the "
                "experts: those within a range, and their factors",
     .document =
         "ops-transformer: moe/moe_token_permute_with_ep/docs/aclnnMoeTokenPermuteWithEp.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
    {.op = kNames<"MoeTokenPermuteWithEpGrad">,
     .params = kTokenPermuteWithEpGradParams,
     .prepare = PrepareTokenPermuteGrad,
     .header = "aclnn_moe_token_permute_with_ep_grad.h",
     .summary = "tokenGradOut = for each token the sum of its rows of permutedTokensOutputGrad, as "
                "far as they are within the range; probsGradOut = permutedProbsOutputGrad of the "
                "place's row, else 0",
     .document = "ops-transformer: moe/moe_token_permute_with_ep_grad/docs/"
                 "aclnnMoeTokenPermuteWithEpGrad.md"},
    {.op = kNames<"MoeTokenUnpermuteWithEp">,
     .params = kTokenUnpermuteWithEpParams,
     .prepare = PrepareTokenUnpermute,
     .header = "aclnn_moe_token_unpermute_with_ep.h",
     .summary = "out = for each token the sum of probs * its rows of permutedTokens, as far as "
                "they are within the range",
     .document =
         "ops-transformer: moe/moe_token_unpermute_with_ep/docs/aclnnMoeTokenUnpermuteWithEp.md"},
    {.op = kNames<"MoeTokenUnpermuteWithEpGrad">,
     .params = kTokenUnpermuteWithEpGradParams,
     .prepare = PrepareTokenUnpermuteGrad,
     .header = "aclnn_moe_token_unpermute_with_ep_grad.h",
     .summary = "permutedTokensGradOut = for each row within the range probs * its token's "
                "unpermutedTokensGrad; probsGradOut = sum of unpermutedTokensGrad * the row of "
                "permutedTokens",
     .document = "ops-transformer: moe/moe_token_unpermute_with_ep_grad/docs/"
                 "aclnnMoeTokenUnpermuteWithEpGrad.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
    {.op = kNames<"MoeInitRoutingV2Grad">,
     .params = kInitRoutingV2GradParams,
     .prepare = PrepareInitRoutingV2Grad,
     .header = "aclnn_moe_init_routing_v2_grad.h",
     .summary = "out = for each token the sum of its rows of gradExpandedX",
     .document = "ops-transformer: moe/moe_init_routing_v2_grad/docs/aclnnMoeInitRoutingV2Grad.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
    {.op = kNames<"MoeFinalizeRoutingV2Grad">,
     .params = kFinalizeRoutingV2GradParams,
     .prepare = PrepareFinalizeRoutingV2Grad,
     .header = "aclnn_moe_finalize_routing_v2_grad.h",
     .summary =
         "gradExpandedXOut = for each row scales * its token's gradY; gradScalesOut = sum of "
         "gradY * (the row of expandedX + its expert's bias)",
     .document = "ops-transformer: moe/moe_finalize_routing_v2_grad/docs/"
                 "aclnnMoeFinalizeRoutingV2Grad.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
};

}  // namespace anyacl::moe
