// SPDX-License-Identifier: Apache-2.0
// The declarations of attention over some of the keys, and of what chooses them (README.md). Which
// dimensions go together follows from the layouts and is checked by rules.
#pragma once

#include "nnop/dtype_sets.h"

namespace anyacl::sparse_attention {

enum : int {
  // Both
  kQuery,
  kKey,
  kIndices,
  kQueryLengths,
  kKeyLengths,
  kBlockTable,
  kQueryLayout,
  kKeyLayout,
  kSparseMode,
  kPreTokens,
  kNextTokens,
  // LightningIndexer
  kWeights,
  kCount,
  kReturnValues,
  kValues,
  // SparseFlashAttention
  kValue,
  kQueryRope,
  kKeyRope,
  kScale,
  kBlockSize,
  kAttentionMode,
  kReturnLse,
  kOut,
  kMax,
  kSum,
};

Status PrepareIndexer(Operands& operands, PreparedCall* call);
Status PrepareAttention(Operands& operands, PreparedCall* call);

inline constexpr char kQueryDims[] = "B S1 N1 D | T1 N1 D";
inline constexpr char kKeyDims[] = "blocks blockSize 1 D | B S2 1 D | T2 1 D";
inline constexpr char kIndexDims[] = "B S1 1 K | T1 1 K";
inline constexpr char kStatisticDims[] = "B 1 S1 N1 | 1 T1 N1";

constexpr ParamSpec Lengths(int id, const char* name) {
  return Noted(In(id, name, {ACL_INT32}, "B", Need::kOptional),
               "tokens of each sequence; TND: where it ends, and required");
}
constexpr ParamSpec Table(const char* name) {
  return Noted(In(kBlockTable, name, {ACL_INT32}, "B columns", Need::kOptional),
               "PA_BSND: the blocks of each sequence; null otherwise");
}
constexpr ParamSpec Text(int id, const char* name, const char* note) {
  return {.name = name, .id = id, .kind = Kind::kText, .need = Need::kOptional, .note = note};
}
inline constexpr char kQueryLayouts[] = "BSND or TND; null: BSND";
inline constexpr char kKeyLayouts[] = "PA_BSND, or as the query's; null: BSND";
inline constexpr ParamSpec kModeRow =
    Value(kSparseMode, "sparseMode", Kind::kInt64, "0: all keys, 3: causal, the last rows aligned");
inline constexpr ParamSpec kPreRow = Value(kPreTokens, "preTokens", Kind::kInt64, "2^63 - 1"),
                           kNextRow = Value(kNextTokens, "nextTokens", Kind::kInt64, "2^63 - 1");

// A tensor of query's type.
constexpr ParamSpec Data(int id, const char* name, const char* dims) {
  return Like(kQuery, In(id, name, kHalves, dims));
}

inline constexpr ParamSpec kIndexerParams[] = {
    Noted(In(kQuery, "query", kHalves, kQueryDims), "N1 up to 64, D = 128"),
    Data(kKey, "key", kKeyDims),
    Noted(In(kWeights, "weights", {ACL_FLOAT16, ACL_BF16, ACL_FLOAT}, "B S1 N1 | T1 N1"),
          "of query's type, or FLOAT"),
    Lengths(kQueryLengths, "actualSeqLengthsQueryOptional"),
    Lengths(kKeyLengths, "actualSeqLengthsKeyOptional"),
    Table("blockTableOptional"),
    Text(kQueryLayout, "layoutQueryOptional", kQueryLayouts),
    Text(kKeyLayout, "layoutKeyOptional", kKeyLayouts),
    Value(kCount, "sparseCount", Kind::kInt64, "K: 1 to 2048, and multiples of 1024 up to 8192"),
    kModeRow,
    kPreRow,
    kNextRow,
    Value(kReturnValues, "returnValues", Kind::kBool, "not with PA_BSND"),
    {.name = "sparseIndicesOut",
     .id = kIndices,
     .direction = Direction::kOutput,
     .dtypes = {ACL_INT32},
     .dims = kIndexDims,
     .note = "the largest score first; -1 where there are no more keys",
     .const_handle = true},
    {.name = "sparseValuesOut",
     .id = kValues,
     .direction = Direction::kOutput,
     .need = Need::kOptional,
     .dtypes = kHalves,
     .dims = "B S1 1 K | T1 1 K | *",
     .same_dtype_as = kQuery,
     .note = "their scores, and -inf; written if returnValues is true",
     .const_handle = true},
};

inline constexpr ParamSpec kAttentionParams[] = {
    Noted(In(kQuery, "query", kHalves, kQueryDims), "N1 a power of two up to 128, D = 512"),
    Data(kKey, "key", kKeyDims),
    Data(kValue, "value", kKeyDims),
    Noted(In(kIndices, "sparseIndices", {ACL_INT32}, kIndexDims),
          "blocks of sparseBlockSize keys; -1 ends a list"),
    Table("blockTable"),
    Lengths(kQueryLengths, "actualSeqLengthsQuery"),
    Lengths(kKeyLengths, "actualSeqLengthsKv"),
    Data(kQueryRope, "queryRope", "B S1 N1 64 | T1 N1 64"),
    Data(kKeyRope, "keyRope", "blocks blockSize 1 64 | B S2 1 64 | T2 1 64"),
    Value(kScale, "scaleValue", Kind::kDouble, "of the products of queries and keys"),
    Value(kBlockSize, "sparseBlockSize", Kind::kInt64, "a power of two up to 128"),
    Text(kQueryLayout, "layoutQuery", kQueryLayouts),
    Text(kKeyLayout, "layoutKv", kKeyLayouts),
    kModeRow,
    kPreRow,
    kNextRow,
    Value(kAttentionMode, "attentionMode", Kind::kInt64, "2: latent attention"),
    Value(kReturnLse, "returnSoftmaxLse", Kind::kBool, "not with PA_BSND"),
    {.name = "attentionOutOut",
     .id = kOut,
     .direction = Direction::kOutput,
     .dtypes = kHalves,
     .dims = kQueryDims,
     .same_dtype_as = kQuery,
     .const_handle = true},
    {.name = "softmaxMaxOut",
     .id = kMax,
     .direction = Direction::kOutput,
     .need = Need::kOptional,
     .dtypes = {ACL_FLOAT},
     .dims = "B 1 S1 N1 | 1 T1 N1 | *",
     .note = "the largest score; written if returnSoftmaxLse is true",
     .const_handle = true},
    {.name = "softmaxSumOut",
     .id = kSum,
     .direction = Direction::kOutput,
     .need = Need::kOptional,
     .dtypes = {ACL_FLOAT},
     .dims = "B 1 S1 N1 | 1 T1 N1 | *",
     .note = "the sum of exp(score - largest); written if returnSoftmaxLse is true",
     .const_handle = true},
};

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"LightningIndexer">,
     .params = kIndexerParams,
     .prepare = PrepareIndexer,
     .header = "aclnn_lightning_indexer.h",
     .summary = "for each token the keys with the largest scores: score[j] = sum over heads n of "
                "weights[n] * max(0, query[n] . key[j])",
     .document = "ops-transformer: attention/lightning_indexer/docs/aclnnLightningIndexer.md",
     .shapes_by_rules = true},
    {.op = kNames<"SparseFlashAttention">,
     .params = kAttentionParams,
     .prepare = PrepareAttention,
     .header = "aclnn_sparse_flash_attention.h",
     .summary = "attentionOut = softmax(scaleValue * [query, queryRope] . [key, keyRope]) . value, "
                "over the keys that sparseIndices names for each token",
     .document =
         "ops-transformer: attention/sparse_flash_attention/docs/aclnnSparseFlashAttention.md",
     .shapes_by_rules = true},
};

}  // namespace anyacl::sparse_attention
