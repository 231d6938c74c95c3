// SPDX-License-Identifier: Apache-2.0
// The declarations of the operators that choose a next token, prepare that, or step on with it
// (README.md): B rows of V logits.
#pragma once

#include "nnop/dtype_sets.h"

namespace anyacl::sampling {

enum : int { kLogits, kP, kK, kOut, kQ, kEps, kNeedLogits, kGuess, kIndex };
// Of the next step.
enum : int {
  kTokens,
  kSampled,
  kPositions,
  kLengths,
  kSlots,
  kBlockTables,
  kSpeculated,
  kAccepted,
  kSequences,
  kQueries,
  kBlockSize,
};

Status PrepareTopKTopP(Operands& operands, PreparedCall* call);
Status PrepareTopKTopPSample(Operands& operands, PreparedCall* call);
Status PrepareAdvance(Operands& operands, PreparedCall* call);
Status PrepareAdvanceSpeculated(Operands& operands, PreparedCall* call);

inline constexpr ParamSpec kTopKTopPParams[] = {
    In(kLogits, "logits", kFloats, "B V"),
    Noted(Like(kLogits, In(kP, "p", kFloats, "B", Need::kOptional)),
          "null: no row is filtered by it; p or k is given"),
    Noted(In(kK, "k", {ACL_INT32}, "B", Need::kOptional),
          "null, 0 or less, V or more: no filter of the row by it"),
    Like(kLogits, Out(kOut, "out", kFloats, "B V")),
};

inline constexpr ParamSpec kSampleParams[] = {
    Noted(In(kLogits, "logits", kHalves, "B V"), "B 1 or more, V 1 to 2^20"),
    Noted(In(kK, "topK", {ACL_INT32}, "B"),
          "1 to the least of 1024 and V; any other number: no filter of the row by it"),
    Noted(Like(kLogits, In(kP, "topP", kHalves, "B")),
          "between 0 and 1; any other number: no filter of the row by it"),
    Noted(In(kQ, "q", {ACL_FLOAT}, "B V", Need::kOptional), "null: the largest is chosen"),
    Value(kEps, "eps", Kind::kDouble, "added to q"),
    Value(kNeedLogits, "isNeedLogits", Kind::kBool, "whether logitsTopKPSelect is written"),
    {.name = "topKGuess",
     .id = kGuess,
     .kind = Kind::kInt64,
     .min = 1,
     .note = "without effect on results"},
    ConstHandle(Out(kIndex, "logitsSelectIdx", {ACL_INT64}, "B")),
    ConstHandle(Out(kOut, "logitsTopKPSelect", {ACL_FLOAT}, "B V")),
};

inline constexpr DTypeSet kInt64 = {ACL_INT64};
// CANN's prototypes write const.
constexpr ParamSpec Advanced(int id, const char* name, const char* dims) {
  return ConstHandle(InOut(id, name, kInt64, dims));
}
constexpr ParamSpec Count(int id, const char* name, int64_t max = INT64_MAX) {
  return {.name = name, .id = id, .kind = Kind::kInt64, .min = 1, .max = max, .names_size = true};
}
inline constexpr ParamSpec kStepSize = {
    .name = "blockSize", .id = kBlockSize, .kind = Kind::kInt64, .min = 1};

inline constexpr ParamSpec kAdvanceParams[] = {
    Advanced(kTokens, "inputTokens", "numSeqs"),
    In(kSampled, "sampledTokenIds", kInt64, "numQueries 1"),
    Advanced(kPositions, "inputPositions", "numSeqs"),
    Advanced(kLengths, "seqLens", "numSeqs"),
    Advanced(kSlots, "slotMapping", "numSeqs"),
    In(kBlockTables, "blockTables", kInt64, "numSeqs M"),
    Noted(Count(kSequences, "numSeqs", 199999999), "more than numQueries"),
    Count(kQueries, "numQueries"),
    kStepSize,
};
// A sequence has P places: for a token and for those that were speculated behind it.
inline constexpr const char* kPlaces = "E | numSeqs P";
inline constexpr ParamSpec kAdvanceSpeculatedParams[] = {
    Noted(Advanced(kTokens, "inputTokens", kPlaces), "E = numSeqs * P"),
    Noted(In(kSampled, "sampledTokenIds", kInt64, "numSeqs P"), "-1 behind the last token"),
    Advanced(kPositions, "inputPositions", kPlaces),
    Advanced(kLengths, "seqLens", kPlaces),
    Advanced(kSlots, "slotMapping", kPlaces),
    In(kBlockTables, "blockTables", kInt64, "numSeqs M"),
    Noted(In(kSpeculated, "specToken", kInt64, "numSeqs K"), "K = P - 1"),
    In(kAccepted, "acceptedNum", kInt64, "numSeqs"),
    Count(kSequences, "numSeqs"),
    Noted(Count(kQueries, "numQueries"), "numSeqs"),
    kStepSize,
};
inline constexpr CheckCodes kTilingCodes = {.shape = ACLNN_ERR_INNER_TILING_ERROR};

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"ApplyTopKTopP">,
     .params = kTopKTopPParams,
     .prepare = PrepareTopKTopP,
     .header = "aclnn_apply_top_k_top_p.h",
     .summary =
         "out = logits, -infinity below the k-th largest of a row, then where the sum of the "
         "softmax up to an element, from the smallest on, is at most 1 - p",
     .document = "ops-nn: index/apply_top_k_top_p_with_sorted/docs/aclnnApplyTopKTopP.md"},
    {.op = kNames<"TopKTopPSample">,
     .params = kSampleParams,
     .prepare = PrepareTopKTopPSample,
     .header = "aclnn_top_k_top_p_sample.h",
     .summary =
         "of the topK largest logits of a row, of those up to a sum of topP of their softmax, the "
         "place of the one with the largest share of the softmax divided by q + eps; q is counted "
         "from the largest logit on where a row is filtered",
     .document = "ops-nn: index/top_k_top_p_sample/docs/aclnnTopKTopPSample.md"},
    {.op = kNames<"AdvanceStep">,
     .params = kAdvanceParams,
     .prepare = PrepareAdvance,
     .header = "aclnn_advance_step.h",
     .summary = "inputTokens = sampledTokenIds, inputPositions = seqLens, seqLens += 1, "
                "slotMapping[i] = (blockTables of inputPositions[i] / blockSize + M * i) * "
                "blockSize + inputPositions[i] % blockSize",
     .document = "ops-nn: optim/advance_step/docs/aclnnAdvanceStep.md",
     .codes = kTilingCodes},
    {.op = kNames<"AdvanceStepV2">,
     .params = kAdvanceSpeculatedParams,
     .prepare = PrepareAdvanceSpeculated,
     .header = "aclnn_advance_step_v2.h",
     .summary = "inputPositions += acceptedNum + 1, seqLens = inputPositions + 1, inputTokens[i] = "
                "the last of sampledTokenIds[i], then specToken[i], slotMapping = blockTables[i, "
                "inputPositions / blockSize] * blockSize + inputPositions % blockSize",
     .document = "ops-nn: optim/advance_step/docs/aclnnAdvanceStepV2.md",
     .codes = kTilingCodes},
};

}  // namespace anyacl::sampling
