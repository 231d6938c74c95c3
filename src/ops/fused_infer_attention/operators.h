// SPDX-License-Identifier: Apache-2.0
// The declarations of aclnnFusedInferAttentionScoreV2 and of its sub-case V1: data types, and
// dimensions as documentation. Which dimensions go together is the business of the rules.
#pragma once

#include "nnop/operator.h"

namespace anyacl::fused_infer_attention {

enum : int {
  kQuery,
  kKey,
  kValue,
  kPseShift,
  kAttenMask,
  kDeqScale1,
  kQuantScale1,
  kDeqScale2,
  kQuantScale2,
  kQuantOffset2,
  kAntiquantScale,
  kAntiquantOffset,
  kBlockTable,
  kQueryPadding,
  kKvPadding,
  kKeyScale,
  kKeyOffset,
  kValueScale,
  kValueOffset,
  kKeyPrefix,
  kValuePrefix,
  kAttentionOut,
  kSoftmaxLse,
  kTensors,
  kQueryLengths = kTensors,
  kKvLengths,
  kPrefixLength,
  kNumHeads,
  kScaleValue,
  kPreTokens,
  kNextTokens,
  kInputLayout,
  kNumKvHeads,
  kSparseMode,
  kInnerPrecise,
  kBlockSize,
  kAntiquantMode,
  kLseFlag,
  kKeyMode,
  kValueMode,
};

Status Prepare(Operands& operands, PreparedCall* call);

inline constexpr DTypeSet kHalf = {ACL_FLOAT16, ACL_BF16};
inline constexpr DTypeSet kCache = {ACL_FLOAT16, ACL_BF16, ACL_INT8, ACL_INT4, ACL_INT32};
inline constexpr DTypeSet kScales = {ACL_FLOAT16, ACL_BF16, ACL_FLOAT};
inline constexpr DTypeSet kDeqScales = {ACL_UINT64, ACL_FLOAT};
inline constexpr DTypeSet kOutScale = {ACL_FLOAT, ACL_BF16};

inline constexpr char kKvDims[] =
    "B S2 Hk | B S2 Nk D | B Nk S2 D | blocks blockSize Hk | blocks Nk blockSize D";
inline constexpr char kSeparateDims[] =
    "1 | Nk | Hk | Nk D | B S2 | Nk 1 D | 1 Nk D | 1 B S2 | B Nk S2 | 1 Nk 1 D | "
    "blocks blockSize | blocks Nk blockSize";
inline constexpr char kOutScaleDims[] = "1 | H | N D | 1 1 H | 1 N 1 D | 1 1 N D";
inline constexpr char kAntiquantDims[] = "2 | 2 Hk | 2 Nk D | 2 Nk 1 D | 2 B S2";
inline constexpr char kPrefixDims[] = "1 Sp Hk | 1 Sp Nk D | 1 Nk Sp D";

constexpr ParamSpec Optional(int id, const char* name, DTypeSet dtypes, const char* dims) {
  return In(id, name, dtypes, dims, Need::kOptional);
}
constexpr ParamSpec List(int id, const char* name) {
  return {.name = name, .id = id, .kind = Kind::kTensorList, .dtypes = kCache, .dims = kKvDims};
}
constexpr ParamSpec Array(int id, const char* name) {
  return {.name = name, .id = id, .kind = Kind::kIntArray, .need = Need::kOptional};
}

inline constexpr ParamSpec kParamsV1[] = {
    In(kQuery, "query", {ACL_FLOAT16, ACL_BF16, ACL_INT8}, "B Sq H | B Sq N D | B N Sq D"),
    List(kKey, "key"),
    List(kValue, "value"),
    Optional(kPseShift, "pseShift", kHalf, "B N Sq S2 | 1 N Sq S2"),
    Optional(kAttenMask, "attenMask", {ACL_BOOL, ACL_INT8, ACL_UINT8},
             "Sq S2 | B Sq S2 | B 1 Sq S2 | 2048 2048 | B S2 | B 1 S2 | B 1 1 S2"),
    Array(kQueryLengths, "actualSeqLengths"),
    Array(kKvLengths, "actualSeqLengthsKv"),
    Optional(kDeqScale1, "deqScale1", kDeqScales, "1"),
    Optional(kQuantScale1, "quantScale1", {ACL_FLOAT}, "1"),
    Optional(kDeqScale2, "deqScale2", kDeqScales, "1"),
    Optional(kQuantScale2, "quantScale2", kOutScale, kOutScaleDims),
    Optional(kQuantOffset2, "quantOffset2", kOutScale, kOutScaleDims),
    Optional(kAntiquantScale, "antiquantScale", kScales, kAntiquantDims),
    Optional(kAntiquantOffset, "antiquantOffset", kScales, kAntiquantDims),
    Optional(kBlockTable, "blockTable", {ACL_INT32}, "B blocks"),
    Optional(kQueryPadding, "queryPaddingSize", {ACL_INT64}, "1"),
    Optional(kKvPadding, "kvPaddingSize", {ACL_INT64}, "1"),
    Value(kNumHeads, "numHeads", Kind::kInt64, "N, the heads of query"),
    Value(kScaleValue, "scaleValue", Kind::kDouble, "multiplies query times key"),
    Value(kPreTokens, "preTokens", Kind::kInt64),
    Value(kNextTokens, "nextTokens", Kind::kInt64),
    {.name = "inputLayout",
     .id = kInputLayout,
     .kind = Kind::kMutableText,
     // Null is 161002 here, which a rule checks.
     .need = Need::kOptional,
     .note = "BSH, BSND, BNSD or BNSD_BSND"},
    Value(kNumKvHeads, "numKeyValueHeads", Kind::kInt64, "Nk; 0: N"),
    Value(kSparseMode, "sparseMode", Kind::kInt64, "0 to 4: which columns of a row count"),
    Value(kInnerPrecise, "innerPrecise", Kind::kInt64, "0 to 3; 2 and 3 correct empty rows"),
    Value(kBlockSize, "blockSize", Kind::kInt64, "tokens in a block of a paged cache"),
    Value(kAntiquantMode, "antiquantMode", Kind::kInt64, "0: per channel, 1: per token"),
    Value(kLseFlag, "softmaxLseFlag", Kind::kBool),
    {.name = "attentionOut",
     .id = kAttentionOut,
     .direction = Direction::kOutput,
     .dtypes = {ACL_FLOAT16, ACL_BF16, ACL_INT8},
     .dims = "B Sq H | B Sq N D | B N Sq D",
     .const_handle = true},
    {.name = "softmaxLse",
     .id = kSoftmaxLse,
     .direction = Direction::kOutput,
     .need = Need::kOptional,
     .dtypes = {ACL_FLOAT},
     .dims = "B N Sq 1",
     .needed_if = "softmaxLseFlag",
     .const_handle = true},
};

inline constexpr ParamSpec kParamsV2[] = {
    In(kQuery, "query", {ACL_FLOAT16, ACL_BF16, ACL_INT8}, "B Sq H | B Sq N D | B N Sq D"),
    List(kKey, "key"),
    List(kValue, "value"),
    Optional(kPseShift, "pseShiftOptional", kHalf, "B N Sq S2 | 1 N Sq S2"),
    Optional(kAttenMask, "attenMaskOptional", {ACL_BOOL, ACL_INT8, ACL_UINT8},
             "Sq S2 | B Sq S2 | B 1 Sq S2 | 2048 2048 | B S2 | B 1 S2 | B 1 1 S2"),
    Array(kQueryLengths, "actualSeqLengthsOptional"),
    Array(kKvLengths, "actualSeqLengthsKvOptional"),
    Optional(kDeqScale1, "deqScale1Optional", kDeqScales, "1"),
    Optional(kQuantScale1, "quantScale1Optional", {ACL_FLOAT}, "1"),
    Optional(kDeqScale2, "deqScale2Optional", kDeqScales, "1"),
    Optional(kQuantScale2, "quantScale2Optional", kOutScale, kOutScaleDims),
    Optional(kQuantOffset2, "quantOffset2Optional", kOutScale, kOutScaleDims),
    Optional(kAntiquantScale, "antiquantScaleOptional", kScales, kAntiquantDims),
    Optional(kAntiquantOffset, "antiquantOffsetOptional", kScales, kAntiquantDims),
    Optional(kBlockTable, "blockTableOptional", {ACL_INT32}, "B blocks"),
    Optional(kQueryPadding, "queryPaddingSizeOptional", {ACL_INT64}, "1"),
    Optional(kKvPadding, "kvPaddingSizeOptional", {ACL_INT64}, "1"),
    Optional(kKeyScale, "keyAntiquantScaleOptional", kScales, kSeparateDims),
    Optional(kKeyOffset, "keyAntiquantOffsetOptional", kScales, kSeparateDims),
    Optional(kValueScale, "valueAntiquantScaleOptional", kScales, kSeparateDims),
    Optional(kValueOffset, "valueAntiquantOffsetOptional", kScales, kSeparateDims),
    Optional(kKeyPrefix, "keySharedPrefixOptional", kCache, kPrefixDims),
    Optional(kValuePrefix, "valueSharedPrefixOptional", kCache, kPrefixDims),
    Array(kPrefixLength, "actualSharedPrefixLenOptional"),
    Value(kNumHeads, "numHeads", Kind::kInt64, "N, the heads of query"),
    Value(kScaleValue, "scaleValue", Kind::kDouble, "multiplies query times key"),
    Value(kPreTokens, "preTokens", Kind::kInt64),
    Value(kNextTokens, "nextTokens", Kind::kInt64),
    {.name = "inputLayout",
     .id = kInputLayout,
     .kind = Kind::kMutableText,
     // Null is 161002 here, which a rule checks.
     .need = Need::kOptional,
     .note = "BSH, BSND, BNSD or BNSD_BSND"},
    Value(kNumKvHeads, "numKeyValueHeads", Kind::kInt64, "Nk; 0: N"),
    Value(kSparseMode, "sparseMode", Kind::kInt64, "0 to 4: which columns of a row count"),
    Value(kInnerPrecise, "innerPrecise", Kind::kInt64, "0 to 3; 2 and 3 correct empty rows"),
    Value(kBlockSize, "blockSize", Kind::kInt64, "tokens in a block of a paged cache"),
    Value(kAntiquantMode, "antiquantMode", Kind::kInt64, "0: per channel, 1: per token"),
    Value(kLseFlag, "softmaxLseFlag", Kind::kBool),
    Value(kKeyMode, "keyAntiquantMode", Kind::kInt64, "as antiquantMode, and 2 to 5"),
    Value(kValueMode, "valueAntiquantMode", Kind::kInt64, "as keyAntiquantMode"),
    {.name = "attentionOut",
     .id = kAttentionOut,
     .direction = Direction::kOutput,
     .dtypes = {ACL_FLOAT16, ACL_BF16, ACL_INT8},
     .dims = "B Sq H | B Sq N D | B N Sq D",
     .const_handle = true},
    {.name = "softmaxLse",
     .id = kSoftmaxLse,
     .direction = Direction::kOutput,
     .need = Need::kOptional,
     .dtypes = {ACL_FLOAT},
     .dims = "B N Sq 1",
     .needed_if = "softmaxLseFlag",
     .const_handle = true},
};

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"FusedInferAttentionScoreV2">,
     .params = kParamsV2,
     .prepare = Prepare,
     .header = "aclnn_fused_infer_attention_score_v2.h",
     .summary = "attention of query rows over cached keys and values",
     .document = "ops-transformer: "
                 "attention/fused_infer_attention_score/docs/aclnnFusedInferAttentionScoreV2.md"},
    {.op = kNames<"FusedInferAttentionScore">,
     .params = kParamsV1,
     .prepare = Prepare,
     .header = "aclnn_fused_infer_attention_score.h",
     .summary = "attention of query rows over cached keys and values",
     .document = "ops-transformer: "
                 "attention/fused_infer_attention_score/docs/aclnnFusedInferAttentionScore.md"},
};

}  // namespace anyacl::fused_infer_attention
