// SPDX-License-Identifier: Apache-2.0
// The rows of aclnnFlashAttentionScore, of its gradient and of both for sequences, first versions.
// Dimensions are documentation: which go together follows from inputLayout and is the business of
// checks.cc.
#pragma once

#include <array>

#include "nnop/dtype_sets.h"

namespace anyacl::flash_attention {

enum : int {
  // Both
  kQuery,
  kKey,
  kValue,
  kPse,
  kDropMask,
  kPaddingMask,
  kAttenMask,
  kPrefix,
  kScaleValue,
  kKeepProb,
  kPreTokens,
  kNextTokens,
  kHeadNum,
  kInputLayout,
  kInnerPrecise,
  kSparseMode,
  kSoftmaxMax,
  kSoftmaxSum,
  kSoftmax,
  kAttention,
  // Gradient
  kDy,
  kDq,
  kDk,
  kDv,
  kDpse,
  // Layout TND
  kQueryEnds,
  kKeyEnds,
  // Second versions
  kQueryStart,
  kKeyStart,
  kPseType,
  // Third and later ones
  kQueryRope,
  kKeyRope,
  kDqRope,
  kDkRope,
  kSoftmaxLayout,
  kSink,
  kDsink,
};

inline constexpr char kQueryDims[] = "B Sq H | Sq B H | B Sq N D | B N Sq D";
inline constexpr char kKeyDims[] = "B S2 Hk | S2 B Hk | B S2 Nk D | B Nk S2 D";
inline constexpr char kValueDims[] = "B S2 Hv | S2 B Hv | B S2 Nk Dv | B Nk S2 Dv";
inline constexpr char kOutDims[] = "B Sq Ho | Sq B Ho | B Sq N Dv | B N Sq Dv";
inline constexpr char kPseDims[] = "B? N Sq? S2";
inline constexpr char kMaskDims[] = "Sq S2 | * 2048 2048 | * 3072 2048 | B? 1 Sq S2 | B N Sq S2";

// A tensor of query's type.
constexpr ParamSpec Data(int id, const char* name, const char* dims, Direction direction,
                         Need need = Need::kRequired) {
  return {.name = name,
          .id = id,
          .direction = direction,
          .need = need,
          .dtypes = kFloats,
          .dims = dims,
          .same_dtype_as = kQuery,
          .const_handle = direction == Direction::kOutput};
}
constexpr ParamSpec Optional(int id, const char* name, DTypeSet dtypes, const char* dims,
                             const char* note = nullptr) {
  return {.name = name,
          .id = id,
          .need = Need::kOptional,
          .dtypes = dtypes,
          .dims = dims,
          .note = note};
}
constexpr ParamSpec Statistic(int id, const char* name, const char* dims, const char* note) {
  return {.name = name,
          .id = id,
          .direction = Direction::kOutput,
          .dtypes = {ACL_FLOAT},
          .dims = dims,
          .note = note,
          .const_handle = true};
}
// The same as an input of the gradient.
constexpr ParamSpec KnownStatistic(int id, const char* name, const char* dims) {
  return {
      .name = name, .id = id, .dtypes = {ACL_FLOAT}, .dims = dims, .note = "of the forward call"};
}

inline constexpr ParamSpec kSoftmaxInRow = {.name = "softmaxInOptional",
                                            .id = kSoftmax,
                                            .need = Need::kOptional,
                                            .dtypes = kFloats,
                                            .note = "not read"};
inline constexpr ParamSpec kSoftmaxOutRow = {.name = "softmaxOutOut",
                                             .id = kSoftmax,
                                             .direction = Direction::kOutput,
                                             .need = Need::kOptional,
                                             .dtypes = kFloats,
                                             .note = "not written",
                                             .const_handle = true};
inline constexpr ParamSpec kDropMaskRow =
    Optional(kDropMask, "dropMaskOptional", {ACL_UINT8}, "bytes+",
             "a bit for each of [B, N, Sq, S2], the lowest first; 0 drops");
inline constexpr ParamSpec kPaddingMaskRow = {
    .name = "paddingMaskOptional",
    .id = kPaddingMask,
    .need = Need::kOptional,
    .dtypes = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_BOOL, ACL_UINT8},
    .note = "refused unless it is empty"};
inline constexpr ParamSpec kAttenMaskRow =
    Optional(kAttenMask, "attenMaskOptional", {ACL_BOOL, ACL_UINT8}, kMaskDims, "1 hides");
inline constexpr ParamSpec kPrefixRow = {
    .name = "prefixOptional",
    .id = kPrefix,
    .kind = Kind::kIntArray,
    .need = Need::kOptional,
    .note = "sparseMode 5 and 6: [B] columns that all rows see"};
inline constexpr ParamSpec kScaleRow = Value(kScaleValue, "scaleValue", Kind::kDouble,
                                             "multiplies the sum of query times key and pse");
inline constexpr ParamSpec kKeepProbRow = Value(
    kKeepProb, "keepProb", Kind::kDouble, "above 0, at most 1: the share of ones in dropMask");
inline constexpr ParamSpec kPreTokensRow = Value(kPreTokens, "preTokens", Kind::kInt64);
inline constexpr ParamSpec kNextTokensRow = Value(kNextTokens, "nextTokens", Kind::kInt64);
inline constexpr ParamSpec kHeadNumRow =
    Value(kHeadNum, "headNum", Kind::kInt64, "N, the heads of query");
inline constexpr ParamSpec kLayoutRow = {.name = "inputLayout",
                                         .id = kInputLayout,
                                         .kind = Kind::kMutableText,
                                         .note = "BSH, SBH, BSND or BNSD"};
inline constexpr ParamSpec kInnerPreciseRow =
    Value(kInnerPrecise, "innerPrecise", Kind::kInt64, "changes nothing");
inline constexpr ParamSpec kSparseModeRow =
    Value(kSparseMode, "sparseMode", Kind::kInt64, "0 to 6: which columns of a row count");

inline constexpr auto kForwardParams = std::to_array<ParamSpec>({
    In(kQuery, "query", kFloats, kQueryDims),
    Data(kKey, "key", kKeyDims, Direction::kInput),
    Data(kValue, "value", kValueDims, Direction::kInput),
    Data(kPse, "realShiftOptional", kPseDims, Direction::kInput, Need::kOptional),
    kDropMaskRow,
    kPaddingMaskRow,
    kAttenMaskRow,
    kPrefixRow,
    kScaleRow,
    kKeepProbRow,
    kPreTokensRow,
    kNextTokensRow,
    kHeadNumRow,
    kLayoutRow,
    kInnerPreciseRow,
    kSparseModeRow,
    Statistic(kSoftmaxMax, "softmaxMaxOut", "B N Sq 8", "the largest score of a row, eight times"),
    Statistic(kSoftmaxSum, "softmaxSumOut", "B N Sq 8",
              "the sum of exp(score - largest), eight times"),
    kSoftmaxOutRow,
    Data(kAttention, "attentionOutOut", kOutDims, Direction::kOutput),
});

inline constexpr auto kGradientParams = std::to_array<ParamSpec>({
    In(kQuery, "query", kFloats, kQueryDims),
    Data(kKey, "keyIn", kKeyDims, Direction::kInput),
    Data(kValue, "value", kValueDims, Direction::kInput),
    Data(kDy, "dy", kOutDims, Direction::kInput),
    Data(kPse, "pseShiftOptional", kPseDims, Direction::kInput, Need::kOptional),
    kDropMaskRow,
    kPaddingMaskRow,
    kAttenMaskRow,
    KnownStatistic(kSoftmaxMax, "softmaxMaxOptional", "B N Sq 8"),
    KnownStatistic(kSoftmaxSum, "softmaxSumOptional", "B N Sq 8"),
    kSoftmaxInRow,
    Data(kAttention, "attentionInOptional", kOutDims, Direction::kInput),
    kPrefixRow,
    kScaleRow,
    kKeepProbRow,
    kPreTokensRow,
    kNextTokensRow,
    kHeadNumRow,
    kLayoutRow,
    kInnerPreciseRow,
    kSparseModeRow,
    Data(kDq, "dqOut", kQueryDims, Direction::kOutput),
    Data(kDk, "dkOut", kKeyDims, Direction::kOutput),
    Data(kDv, "dvOut", kValueDims, Direction::kOutput),
    {.name = "dpseOut",
     .id = kDpse,
     .direction = Direction::kOutput,
     .need = Need::kOptional,
     .dtypes = kFloats,
     .dims = kPseDims,
     .same_dtype_as = kQuery,
     .note = "of what is shared not written; empty: not wanted",
     .const_handle = true},
});

// The code of a constraint that is not kept.
inline constexpr int kConstraint = ACLNN_ERR_INNER_TILING_ERROR;
constexpr ParamSpec Ends(int id, const char* name, const char* note) {
  return {.name = name, .id = id, .kind = Kind::kIntArray, .note = note};
}
inline constexpr ParamSpec kQueryEndsRow =
    Ends(kQueryEnds, "actualSeqQLenOptional", "where each sequence's rows end");
inline constexpr ParamSpec kKeyEndsRow =
    Ends(kKeyEnds, "actualSeqKvLenOptional", "where each sequence's keys end");
inline constexpr ParamSpec kTndRow = {
    .name = "inputLayout", .id = kInputLayout, .kind = Kind::kMutableText, .note = "TND"};
inline constexpr char kTndPseDims[] = "scores | 1 N S S | B N S S | B N 1 S";
inline constexpr char kTndStatisticDims[] = "N T 8 | T N 8";
inline constexpr ParamSpec kTndSparseModeRow =
    Value(kSparseMode, "sparseMode", Kind::kInt64, "0 to 8: which columns of a row count");
inline constexpr char kTndMaskDims[] = "S S | 2048 2048 | 3072 2048 | 1 1 S S | B 1 S S | B N S S";
inline constexpr ParamSpec kTndMaskRow =
    Optional(kAttenMask, "attenMaskOptional", {ACL_BOOL, ACL_UINT8}, kTndMaskDims, "1 hides");
inline constexpr ParamSpec kTndDropMaskRow =
    Optional(kDropMask, "dropMaskOptional", {ACL_UINT8}, "bytes+",
             "a bit for each of [N, Sq, S2] of each sequence, the lowest first; 0 drops");

inline constexpr auto kSequencesParams = std::to_array<ParamSpec>({
    In(kQuery, "query", kFloats, "T N D"),
    Data(kKey, "key", "T2 Nk D", Direction::kInput),
    Data(kValue, "value", "T2 Nk Dv", Direction::kInput),
    Data(kPse, "realShiftOptional", kTndPseDims, Direction::kInput, Need::kOptional),
    kTndDropMaskRow,
    kPaddingMaskRow,
    kTndMaskRow,
    kPrefixRow,
    kQueryEndsRow,
    kKeyEndsRow,
    kScaleRow,
    kKeepProbRow,
    kPreTokensRow,
    kNextTokensRow,
    kHeadNumRow,
    kTndRow,
    kInnerPreciseRow,
    kTndSparseModeRow,
    Statistic(kSoftmaxMax, "softmaxMaxOut", kTndStatisticDims,
              "the largest score of a row, eight times"),
    Statistic(kSoftmaxSum, "softmaxSumOut", kTndStatisticDims,
              "the sum of exp(score - largest), eight times"),
    kSoftmaxOutRow,
    Data(kAttention, "attentionOutOut", "T N Dv", Direction::kOutput),
});

inline constexpr auto kSequencesGradientParams = std::to_array<ParamSpec>({
    In(kQuery, "query", kFloats, "T N D"),
    Data(kKey, "keyIn", "T2 Nk D", Direction::kInput),
    Data(kValue, "value", "T2 Nk Dv", Direction::kInput),
    Data(kDy, "dy", "T N Dv", Direction::kInput),
    Data(kPse, "pseShiftOptional", kTndPseDims, Direction::kInput, Need::kOptional),
    kTndDropMaskRow,
    kPaddingMaskRow,
    kTndMaskRow,
    KnownStatistic(kSoftmaxMax, "softmaxMaxOptional", kTndStatisticDims),
    KnownStatistic(kSoftmaxSum, "softmaxSumOptional", kTndStatisticDims),
    kSoftmaxInRow,
    Data(kAttention, "attentionInOptional", "T N Dv", Direction::kInput),
    kPrefixRow,
    kQueryEndsRow,
    kKeyEndsRow,
    kScaleRow,
    kKeepProbRow,
    kPreTokensRow,
    kNextTokensRow,
    kHeadNumRow,
    kTndRow,
    kInnerPreciseRow,
    kTndSparseModeRow,
    Data(kDq, "dqOut", "T N D", Direction::kOutput),
    Data(kDk, "dkOut", "T2 Nk D", Direction::kOutput),
    Data(kDv, "dvOut", "T2 Nk Dv", Direction::kOutput),
    {.name = "dpseOut",
     .id = kDpse,
     .direction = Direction::kOutput,
     .need = Need::kOptional,
     .dtypes = kFloats,
     .dims = kTndPseDims,
     .same_dtype_as = kQuery,
     .note = "not written",
     .const_handle = true},
});

}  // namespace anyacl::flash_attention
