// SPDX-License-Identifier: Apache-2.0
// The declarations of all versions of aclnnFusedInferAttentionScore: data types, and dimensions as
// documentation. Each version has the arguments of the one before and some more; which dimensions
// go together is the business of the rules.
#pragma once

#include <array>

#include "nnop/dtype_sets.h"
#include "nnop/joined_rows.h"

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
  // Since V3.
  kQueryRope,
  kKeyRope,
  kKeyRopeScale,
  // Since V4.
  kQueryScale,
  kSink,
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
  kQueryMode,   // V4
  kQueryStart,  // V5
  kKvStart,
  kPseType,
};

Status Prepare(Operands& operands, PreparedCall* call);
// Those before it: several rows of a query, and one.
Status PreparePrompt(Operands& operands, PreparedCall* call);
Status PrepareIncre(Operands& operands, PreparedCall* call);
// The workspace that calls with any other lengths would need.
Status PrepareMost(Operands& operands, PreparedCall* call);

inline constexpr DTypeSet kCache = {ACL_FLOAT16, ACL_BF16, ACL_INT8, ACL_INT4, ACL_INT32};
// Documents of older versions list the others, too, but no argument has the factors of those.
inline constexpr DTypeSet kCacheWithoutInt4 = {ACL_FLOAT16, ACL_BF16, ACL_INT8};
inline constexpr DTypeSet kScales = {ACL_FLOAT16, ACL_BF16, ACL_FLOAT};
inline constexpr DTypeSet kDeqScales = {ACL_UINT64, ACL_FLOAT};
inline constexpr DTypeSet kOutScale = {ACL_FLOAT, ACL_BF16};

inline constexpr char kKvDims[] =
    "B S2 Hk | B S2 Nk D | B Nk S2 D | blocks blockSize Hk | blocks Nk blockSize D";
inline constexpr char kSeparateDims[] =
    "1 | Nk | Hk | Nk D | B S2 | Nk 1 D | 1 Nk D | 1 B S2 | B Nk S2 | 1 Nk 1 D | "
    "blocks blockSize | blocks Nk blockSize";
inline constexpr char kAntiquantDims[] = "2 | 2 Hk | 2 Nk D | 2 Nk 1 D | 2 B S2";
inline constexpr char kPrefixDims[] = "1 Sp Hk | 1 Sp Nk D | 1 Nk Sp D";

constexpr ParamSpec Optional(int id, const char* name, DTypeSet dtypes, const char* dims) {
  return In(id, name, dtypes, dims, Need::kOptional);
}
// Of any shape, as on devices, which count elements.
constexpr ParamSpec OneNumber(int id, const char* name, DTypeSet dtypes) {
  return Noted(Optional(id, name, dtypes, "*"), "1 element");
}
constexpr ParamSpec OutScale(int id, const char* name) {
  return Noted(Optional(id, name, kOutScale, "*"), "1 element or N*D");
}
// One row of query takes any shape.
constexpr ParamSpec KvPadding(const char* name) {
  return Noted(Optional(kKvPadding, name, {ACL_INT64}, "1"),
               "with one row of query any shape, of which the first element counts");
}
constexpr ParamSpec List(int id, const char* name, DTypeSet dtypes = kCache) {
  return {.name = name, .id = id, .kind = Kind::kTensorList, .dtypes = dtypes, .dims = kKvDims};
}
constexpr ParamSpec Array(int id, const char* name) {
  return {.name = name, .id = id, .kind = Kind::kIntArray, .need = Need::kOptional};
}

inline constexpr char kQueryDims[] = "B Sq H | B Sq N D | B N Sq D";
// The masks of several rows, the triangle that sparseMode 2 to 4 take, and the masks of one row.
inline constexpr char kMaskDims[] =
    "Sq+ S2+ | B? Sq+ S2+ | B? 1 Sq+ S2+ | 2048 2048 | 1 2048 2048 | 1 1 2048 2048 | "
    "B? S2+ | B? 1 S2+ | B? 1 1 S2+";
inline constexpr char kPromptMaskDims[] =
    "Sq+ S2+ | B? Sq+ S2+ | B? 1 Sq+ S2+ | 2048 2048 | 1 2048 2048 | 1 1 2048 2048";
inline constexpr char kPseDims[] = "B? N Sq+ S2+";
// With the layouts of V3 and later, and the square masks of sparseMode = 9.
inline constexpr char kWideQueryDims[] = "B Sq H | B Sq N D | B N Sq D | N B Sq D | T N D | N T D";
inline constexpr char kWideMaskDims[] =
    "Sq+ S2+ | B? Sq+ S2+ | B? 1 Sq+ S2+ | 2048 2048 | 1 2048 2048 | 1 1 2048 2048 | "
    "B? S2+ | B? 1 S2+ | B? 1 1 S2+ | B Sq Sq | squares";
inline constexpr char kRopeDims[] = "B Sq N*64 | B Sq N 64 | B N Sq 64 | T N 64 | N T 64";
inline constexpr char kKeyRopeDims[] =
    "B S2 Nk*64 | B S2 Nk 64 | B Nk S2 64 | T Nk 64 | Nk T 64 | blocks blockSize Nk*64 | "
    "blocks Nk blockSize 64 | blocks Nk 4 blockSize 16";
inline constexpr char kWideKvDims[] =
    "B S2 Hk | B S2 Nk D | B Nk S2 D | T Nk D | Nk T D | blocks blockSize Hk | "
    "blocks Nk blockSize D | blocks Nk D/16 blockSize 16 | blocks Nk D/32 blockSize 32";

constexpr ParamSpec Wide(ParamSpec row, const char* dims) {
  row.dims = dims;
  return row;
}
constexpr ParamSpec OfTypes(ParamSpec row, DTypeSet dtypes) {
  row.dtypes = dtypes;
  return row;
}
constexpr ParamSpec LayoutRow(const char* note) {
  return {.name = "inputLayout",
          .id = kInputLayout,
          .kind = Kind::kMutableText,
          .need = Need::kOptional,
          .note = note};
}

inline constexpr std::array<ParamSpec, 3> kSequences = {
    In(kQuery, "query", {ACL_FLOAT16, ACL_BF16, ACL_INT8}, kQueryDims),
    List(kKey, "key"),
    List(kValue, "value"),
};
inline constexpr std::array<ParamSpec, 3> kFirstSequences = {
    kSequences[0],
    OfTypes(kSequences[1], kCacheWithoutInt4),
    OfTypes(kSequences[2], kCacheWithoutInt4),
};
inline constexpr std::array<ParamSpec, 3> kWideSequences = {
    Wide(kSequences[0], kWideQueryDims),
    Wide(kSequences[1], kWideKvDims),
    Wide(kSequences[2], kWideKvDims),
};
constexpr std::array<ParamSpec, 21> OptionalInputs(const char* mask_dims) {
  return {
      Optional(kPseShift, "pseShiftOptional", kHalves, kPseDims),
      Optional(kAttenMask, "attenMaskOptional", {ACL_BOOL, ACL_INT8, ACL_UINT8}, mask_dims),
      Array(kQueryLengths, "actualSeqLengthsOptional"),
      Array(kKvLengths, "actualSeqLengthsKvOptional"),
      OneNumber(kDeqScale1, "deqScale1Optional", kDeqScales),
      OneNumber(kQuantScale1, "quantScale1Optional", {ACL_FLOAT}),
      OneNumber(kDeqScale2, "deqScale2Optional", kDeqScales),
      OutScale(kQuantScale2, "quantScale2Optional"),
      OutScale(kQuantOffset2, "quantOffset2Optional"),
      Optional(kAntiquantScale, "antiquantScaleOptional", kScales, kAntiquantDims),
      Optional(kAntiquantOffset, "antiquantOffsetOptional", kScales, kAntiquantDims),
      Optional(kBlockTable, "blockTableOptional", {ACL_INT32}, "B blocks"),
      Optional(kQueryPadding, "queryPaddingSizeOptional", {ACL_INT64}, "1"),
      KvPadding("kvPaddingSizeOptional"),
      Optional(kKeyScale, "keyAntiquantScaleOptional", kScales, kSeparateDims),
      Optional(kKeyOffset, "keyAntiquantOffsetOptional", kScales, kSeparateDims),
      Optional(kValueScale, "valueAntiquantScaleOptional", kScales, kSeparateDims),
      Optional(kValueOffset, "valueAntiquantOffsetOptional", kScales, kSeparateDims),
      Optional(kKeyPrefix, "keySharedPrefixOptional", kCache, kPrefixDims),
      Optional(kValuePrefix, "valueSharedPrefixOptional", kCache, kPrefixDims),
      Array(kPrefixLength, "actualSharedPrefixLenOptional"),
  };
}
inline constexpr std::array<ParamSpec, 3> kRopes = {
    Optional(kQueryRope, "queryRopeOptional", kHalves, kRopeDims),
    Optional(kKeyRope, "keyRopeOptional", kHalves, kKeyRopeDims),
    In(kKeyRopeScale, "keyRopeAntiquantScaleOptional", kScales, "*", Need::kReserved),
};
inline constexpr std::array<ParamSpec, 2> kOfV4 = {
    Optional(kQueryScale, "dequantScaleQueryOptional", {ACL_FLOAT}, "B Sq N | B N Sq | T N | N T"),
    Optional(kSink, "learnableSinkOptional", kHalves, "N"),
};
inline constexpr std::array<ParamSpec, 2> kOfV5 = {
    Array(kQueryStart, "qStartIdxOptional"),
    Array(kKvStart, "kvStartIdxOptional"),
};
constexpr std::array<ParamSpec, 13> Attributes(const char* layouts, const char* modes) {
  return {
      Value(kNumHeads, "numHeads", Kind::kInt64, "N, the heads of query"),
      Value(kScaleValue, "scaleValue", Kind::kDouble, "multiplies query times key"),
      Value(kPreTokens, "preTokens", Kind::kInt64),
      Value(kNextTokens, "nextTokens", Kind::kInt64),
      LayoutRow(layouts),
      Value(kNumKvHeads, "numKeyValueHeads", Kind::kInt64, "Nk; 0: N"),
      Value(kSparseMode, "sparseMode", Kind::kInt64, modes),
      Value(kInnerPrecise, "innerPrecise", Kind::kInt64, "0 to 3; 2 and 3 correct empty rows"),
      Value(kBlockSize, "blockSize", Kind::kInt64, "tokens in a block of a paged cache"),
      Value(kAntiquantMode, "antiquantMode", Kind::kInt64, "0: per channel, 1: per token"),
      Value(kLseFlag, "softmaxLseFlag", Kind::kBool),
      Value(kKeyMode, "keyAntiquantMode", Kind::kInt64, "as antiquantMode, and 2 to 5"),
      Value(kValueMode, "valueAntiquantMode", Kind::kInt64, "as keyAntiquantMode"),
  };
}
inline constexpr char kFirstLayouts[] = "BSH, BSND, BNSD or BNSD_BSND";
inline constexpr char kLayoutsV3[] =
    "BSH, BSND, BNSD, BNSD_BSND, BSH_NBSD, BSND_NBSD, BNSD_NBSD, TND, TND_NTD or NTD_TND";
inline constexpr char kLayoutsV4[] =
    "BSH, BSND, BNSD, BNSD_BSND, BSH_BNSD, BSND_BNSD, BSH_NBSD, BSND_NBSD, BNSD_NBSD, TND, "
    "TND_NTD, "
    "NTD or NTD_TND";
inline constexpr char kSparseModes[] = "0 to 4: which columns of a row count";
inline constexpr char kWideSparseModes[] =
    "0 to 4: which columns of a row count; 9: the mask covers the last Sq of them";
inline constexpr std::array<ParamSpec, 1> kModeOfV4 = {
    Value(kQueryMode, "queryQuantMode", Kind::kInt64, "of an INT8 query with its scale: 3"),
};
inline constexpr std::array<ParamSpec, 1> kModeOfV5 = {
    Value(kPseType, "pseType", Kind::kInt64, "0"),
};
constexpr std::array<ParamSpec, 2> Outputs(const char* out_dims, const char* lse_dims) {
  return {{{.name = "attentionOut",
            .id = kAttentionOut,
            .direction = Direction::kOutput,
            .dtypes = {ACL_FLOAT16, ACL_BF16, ACL_INT8},
            .dims = out_dims,
            .const_handle = true},
           {.name = "softmaxLse",
            .id = kSoftmaxLse,
            .direction = Direction::kOutput,
            .need = Need::kOptional,
            .dtypes = {ACL_FLOAT},
            .dims = lse_dims,
            .needed_if = "softmaxLseFlag",
            .const_handle = true}}};
}
inline constexpr auto kWideOutputs = Outputs(kWideQueryDims, "B N Sq 1 | T N 1");

inline constexpr auto kParamsV2 =
    JoinRows(kSequences, OptionalInputs(kMaskDims), Attributes(kFirstLayouts, kSparseModes),
             Outputs(kQueryDims, "B N Sq 1"));
inline constexpr auto kParamsV3 = JoinRows(kWideSequences, OptionalInputs(kWideMaskDims), kRopes,
                                           Attributes(kLayoutsV3, kWideSparseModes), kWideOutputs);
inline constexpr auto kParamsV4 =
    JoinRows(kWideSequences, OptionalInputs(kWideMaskDims), kRopes, kOfV4,
             Attributes(kLayoutsV4, kWideSparseModes), kModeOfV4, kWideOutputs);
inline constexpr auto kParamsV5 =
    JoinRows(kWideSequences, OptionalInputs(kWideMaskDims), kRopes, kOfV4, kOfV5,
             Attributes(kLayoutsV4, kWideSparseModes), kModeOfV4, kModeOfV5, kWideOutputs);

// PromptFlashAttention and IncreFlashAttention: the same arguments by other names.
template <size_t... kSizes>
consteval auto Older(const std::array<ParamSpec, kSizes>&... parts) {
  return JoinRows(parts..., SliceOf<0, 1>(Outputs(kQueryDims, "")));
}
template <size_t... kSizes>
consteval auto OlderInHalves(const std::array<ParamSpec, kSizes>&... parts) {
  return JoinRows(parts..., std::array<ParamSpec, 1>{OfTypes(Outputs(kQueryDims, "")[0], kHalves)});
}

inline constexpr std::array<ParamSpec, 6> kPromptSequences = {
    In(kQuery, "query", {ACL_FLOAT16, ACL_BF16, ACL_INT8}, kQueryDims),
    In(kKey, "key", {ACL_FLOAT16, ACL_BF16, ACL_INT8}, "B S2 Hk | B S2 Nk D | B Nk S2 D"),
    In(kValue, "value", {ACL_FLOAT16, ACL_BF16, ACL_INT8}, "B S2 Hk | B S2 Nk D | B Nk S2 D"),
    Optional(kPseShift, "pseShift", kHalves, kPseDims),
    Optional(kAttenMask, "attenMask", {ACL_BOOL, ACL_INT8, ACL_UINT8}, kPromptMaskDims),
    Array(kQueryLengths, "actualSeqLengths"),
};
inline constexpr std::array<ParamSpec, 6> kPromptScales = {
    Array(kKvLengths, "actualSeqLengthsKv"),
    OneNumber(kDeqScale1, "deqScale1", kDeqScales),
    OneNumber(kQuantScale1, "quantScale1", {ACL_FLOAT}),
    OneNumber(kDeqScale2, "deqScale2", kDeqScales),
    OutScale(kQuantScale2, "quantScale2"),
    OutScale(kQuantOffset2, "quantOffset2"),
};
// The first version: the arguments of PromptFlashAttention and of IncreFlashAttention.
inline constexpr std::array<ParamSpec, 3> kFirstInputs = {
    Optional(kPseShift, "pseShift", kHalves, kPseDims),
    Optional(kAttenMask, "attenMask", {ACL_BOOL, ACL_INT8, ACL_UINT8}, kMaskDims),
    Array(kQueryLengths, "actualSeqLengths"),
};
inline constexpr std::array<ParamSpec, 5> kCacheWithoutInt4s = {
    Optional(kAntiquantScale, "antiquantScale", kScales, kAntiquantDims),
    Optional(kAntiquantOffset, "antiquantOffset", kScales, kAntiquantDims),
    Optional(kBlockTable, "blockTable", {ACL_INT32}, "B blocks"),
    Optional(kQueryPadding, "queryPaddingSize", {ACL_INT64}, "1"),
    KvPadding("kvPaddingSize"),
};
inline constexpr auto kParamsV1 = JoinRows(
    kFirstSequences, kFirstInputs, kPromptScales, kCacheWithoutInt4s,
    SliceOf<0, 11>(Attributes(kFirstLayouts, kSparseModes)), Outputs(kQueryDims, "B N Sq 1"));

inline constexpr auto kPromptAttributes = Attributes(kFirstLayouts, kSparseModes);

inline constexpr std::array<ParamSpec, 3> kFirstPromptSequences = {
    OfTypes(kPromptSequences[0], kHalves),
    OfTypes(kPromptSequences[1], kHalves),
    OfTypes(kPromptSequences[2], kHalves),
};
inline constexpr auto kPromptParamsV1 = OlderInHalves(
    kFirstPromptSequences, SliceOf<3, 6>(kPromptSequences), SliceOf<0, 6>(kPromptAttributes));
inline constexpr auto kPromptParamsV2 =
    Older(kPromptSequences, kPromptScales, SliceOf<0, 7>(kPromptAttributes));
inline constexpr auto kPromptParamsV3 =
    Older(kPromptSequences, kPromptScales, SliceOf<0, 8>(kPromptAttributes));

constexpr std::array<ParamSpec, 3> IncreSequences(DTypeSet cache) {
  return {
      In(kQuery, "query", kHalves, "B 1 H | B 1 N D | B N 1 D"),
      List(kKey, "key", cache),
      List(kValue, "value", cache),
  };
}
inline constexpr std::array<ParamSpec, 3> kIncreInputs = {
    Optional(kPseShift, "pseShift", kHalves, "B? N 1 S2+"),
    Optional(kAttenMask, "attenMask", {ACL_BOOL, ACL_INT8, ACL_UINT8},
             "B? S2+ | B? 1 S2+ | B? 1 1 S2+"),
    {.name = "actualSeqLengths",
     .id = kKvLengths,
     .kind = Kind::kIntArray,
     .need = Need::kOptional,
     .note = "of keys and values"},
};
inline constexpr std::array<ParamSpec, 5> kIncreScales = {
    OneNumber(kDeqScale1, "dequantScale1", kDeqScales),
    OneNumber(kQuantScale1, "quantScale1", {ACL_FLOAT}),
    OneNumber(kDeqScale2, "dequantScale2", kDeqScales),
    OutScale(kQuantScale2, "quantScale2"),
    OutScale(kQuantOffset2, "quantOffset2"),
};
inline constexpr std::array<ParamSpec, 3> kIncreCaches = {
    Optional(kAntiquantScale, "antiquantScale", kScales, kAntiquantDims),
    Optional(kAntiquantOffset, "antiquantOffset", kScales, kAntiquantDims),
    Optional(kBlockTable, "blocktable", {ACL_INT32}, "B blocks"),
};
inline constexpr std::array<ParamSpec, 1> kIncrePadding = {
    Noted(Optional(kKvPadding, "kvPaddingSize", {ACL_INT64}, "*"), "its first element")};
inline constexpr std::array<ParamSpec, 4> kIncreAttributes = {
    Value(kNumHeads, "numHeads", Kind::kInt64, "N, the heads of query"),
    Value(kScaleValue, "scaleValue", Kind::kDouble, "multiplies query times key"),
    LayoutRow("BSH, BSND or BNSD"),
    Value(kNumKvHeads, "numKeyValueHeads", Kind::kInt64, "Nk; 0: N"),
};
inline constexpr std::array<ParamSpec, 2> kIncreBlocks = {
    Value(kBlockSize, "blockSize", Kind::kInt64, "tokens in a block of a paged cache"),
    Value(kInnerPrecise, "innerPrecise", Kind::kInt64, "0 or 1: no difference"),
};

inline constexpr auto kIncreParamsV1 =
    OlderInHalves(IncreSequences(kHalves), kIncreInputs, kIncreAttributes);
inline constexpr auto kIncreParamsV2 =
    Older(IncreSequences(kHalves), kIncreInputs, kIncreScales, kIncreAttributes);
inline constexpr auto kIncreParamsV3 =
    Older(IncreSequences(kCacheWithoutInt4), kIncreInputs, kIncreScales, kIncreCaches,
          kIncreAttributes, kIncreBlocks);
inline constexpr auto kIncreParamsV4 =
    Older(IncreSequences(kCacheWithoutInt4), kIncreInputs, kIncreScales, kIncreCaches,
          kIncrePadding, kIncreAttributes, kIncreBlocks);

inline constexpr char kSummary[] = "attention of query rows over cached keys and values";

inline constexpr char kPromptSummary[] =
    "attention of the rows of prompts: FusedInferAttentionScore for more than one row";
inline constexpr char kIncreSummary[] =
    "attention of one row over cached keys and values: FusedInferAttentionScore for one row";

// The code of a constraint that is not kept.
inline constexpr int kConstraint = ACLNN_ERR_INNER_TILING_ERROR;

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"FusedInferAttentionScoreV2">,
     .params = kParamsV2,
     .prepare = Prepare,
     .header = "aclnn_fused_infer_attention_score_v2.h",
     .summary = kSummary,
     .document = "ops-transformer: "
                 "attention/fused_infer_attention_score/docs/aclnnFusedInferAttentionScoreV2.md",
     .shapes_by_rules = true,
     .constraint_code = kConstraint},
    {.op = kNames<"FusedInferAttentionScore">,
     .params = kParamsV1,
     .prepare = Prepare,
     .header = "aclnn_fused_infer_attention_score.h",
     .summary = kSummary,
     .document = "ops-transformer: "
                 "attention/fused_infer_attention_score/docs/aclnnFusedInferAttentionScore.md",
     .shapes_by_rules = true,
     .constraint_code = kConstraint},
    {.op = kNames<"FusedInferAttentionScoreV3">,
     .params = kParamsV3,
     .prepare = Prepare,
     .phase_most = OpNames<"FusedInferAttentionScoreV3">::kPhaseMost.data(),
     .prepare_most = PrepareMost,
     .header = "aclnn_fused_infer_attention_score_v3.h",
     .summary = kSummary,
     .document = "ops-transformer: "
                 "attention/fused_infer_attention_score/docs/aclnnFusedInferAttentionScoreV3.md",
     .shapes_by_rules = true,
     .constraint_code = kConstraint},
    {.op = kNames<"FusedInferAttentionScoreV4">,
     .params = kParamsV4,
     .prepare = Prepare,
     .phase_most = OpNames<"FusedInferAttentionScoreV4">::kPhaseMost.data(),
     .prepare_most = PrepareMost,
     .header = "aclnn_fused_infer_attention_score_v4.h",
     .summary = kSummary,
     .document = "ops-transformer: "
                 "attention/fused_infer_attention_score/docs/aclnnFusedInferAttentionScoreV4.md",
     .shapes_by_rules = true,
     .constraint_code = kConstraint},
    {.op = kNames<"FusedInferAttentionScoreV5">,
     .params = kParamsV5,
     .prepare = Prepare,
     .header = "aclnn_fused_infer_attention_score_v5.h",
     .summary = kSummary,
     .document = "ops-transformer: "
                 "attention/fused_infer_attention_score/docs/aclnnFusedInferAttentionScoreV5.md",
     .shapes_by_rules = true,
     .constraint_code = kConstraint},
    {.op = kNames<"PromptFlashAttention">,
     .params = kPromptParamsV1,
     .prepare = PreparePrompt,
     .header = "aclnn_prompt_flash_attention.h",
     .summary = kPromptSummary,
     .document =
         "ops-transformer: attention/prompt_flash_attention/docs/aclnnPromptFlashAttention.md",
     .shapes_by_rules = true,
     .constraint_code = kConstraint},
    {.op = kNames<"PromptFlashAttentionV2">,
     .params = kPromptParamsV2,
     .prepare = PreparePrompt,
     .header = "aclnn_prompt_flash_attention_v2.h",
     .summary = kPromptSummary,
     .document =
         "ops-transformer: attention/prompt_flash_attention/docs/aclnnPromptFlashAttentionV2.md",
     .shapes_by_rules = true,
     .constraint_code = kConstraint},
    {.op = kNames<"PromptFlashAttentionV3">,
     .params = kPromptParamsV3,
     .prepare = PreparePrompt,
     .header = "aclnn_prompt_flash_attention_v3.h",
     .summary = kPromptSummary,
     .document =
         "ops-transformer: attention/prompt_flash_attention/docs/aclnnPromptFlashAttentionV3.md",
     .shapes_by_rules = true,
     .constraint_code = kConstraint},
    {.op = kNames<"IncreFlashAttention">,
     .params = kIncreParamsV1,
     .prepare = PrepareIncre,
     .header = "aclnn_incre_flash_attention.h",
     .summary = kIncreSummary,
     .document =
         "ops-transformer: attention/incre_flash_attention/docs/aclnnIncreFlashAttention.md",
     .shapes_by_rules = true,
     .constraint_code = kConstraint},
    {.op = kNames<"IncreFlashAttentionV2">,
     .params = kIncreParamsV2,
     .prepare = PrepareIncre,
     .header = "aclnn_incre_flash_attention_v2.h",
     .summary = kIncreSummary,
     .document =
         "ops-transformer: attention/incre_flash_attention/docs/aclnnIncreFlashAttentionV2.md",
     .shapes_by_rules = true,
     .constraint_code = kConstraint},
    {.op = kNames<"IncreFlashAttentionV3">,
     .params = kIncreParamsV3,
     .prepare = PrepareIncre,
     .header = "aclnn_incre_flash_attention_v3.h",
     .summary = kIncreSummary,
     .document =
         "ops-transformer: attention/incre_flash_attention/docs/aclnnIncreFlashAttentionV3.md",
     .shapes_by_rules = true,
     .constraint_code = kConstraint},
    {.op = kNames<"IncreFlashAttentionV4">,
     .params = kIncreParamsV4,
     .prepare = PrepareIncre,
     .header = "aclnn_incre_flash_attention_v4.h",
     .summary = kIncreSummary,
     .document =
         "ops-transformer: attention/incre_flash_attention/docs/aclnnIncreFlashAttentionV4.md",
     .shapes_by_rules = true,
     .constraint_code = kConstraint},
};

}  // namespace anyacl::fused_infer_attention
