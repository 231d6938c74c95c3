// SPDX-License-Identifier: Apache-2.0
// The declarations of attention over some of the keys, and of what chooses them (README.md). Which
// dimensions go together follows from the layouts and is checked by rules.
#pragma once

#include "nnop/joined_rows.h"
#include "ops/sparse_attention/gradient_operators.h"

namespace anyacl::sparse_attention {

Status PrepareIndexer(Operands& operands, PreparedCall* call);
Status PrepareAttention(Operands& operands, PreparedCall* call);

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

inline constexpr DTypeSet kScaleTypes = {ACL_FLOAT16, ACL_FLOAT};
inline constexpr ParamSpec kQuantIndexerParams[] = {
    Noted(In(kQuery, "query", {ACL_INT8}, kQueryDims), "N1 up to 64, D = 128"),
    In(kKey, "key", {ACL_INT8}, kKeyDims),
    In(kWeights, "weights", kHalves, "B S1 N1 | T1 N1"),
    In(kQueryScale, "queryDequantScale", kScaleTypes, "B S1 N1 | T1 N1"),
    In(kKeyScale, "keyDequantScale", kScaleTypes, "blocks blockSize 1 | B S2 1 | T2 1"),
    Lengths(kQueryLengths, "actualSeqLengthsQueryOptional"),
    Lengths(kKeyLengths, "actualSeqLengthsKeyOptional"),
    Table("blockTableOptional"),
    Value(kQueryQuantMode, "queryQuantMode", Kind::kInt64, "0: a factor for each token and head"),
    Value(kKeyQuantMode, "keyQuantMode", Kind::kInt64, "0"),
    MutableText(kQueryLayout, "layoutQueryOptional", kQueryLayouts),
    MutableText(kKeyLayout, "layoutKeyOptional", kKeyLayouts),
    Value(kCount, "sparseCount", Kind::kInt64, "K: 1 to 2048"),
    kModeRow,
    kPreRow,
    kNextRow,
    Noted(ConstResult(In(kIndices, "out", {ACL_INT32}, kIndexDims)),
          "the largest score first; -1 where there are no more keys"),
};

// Rows of both versions, whose names differ.
constexpr std::array<ParamSpec, 4> AttendedRows(const char* heads) {
  return {Noted(In(kQuery, "query", kHalves, kQueryDims), heads), Data(kKey, "key", kKeyDims),
          Data(kValue, "value", kKeyDims),
          Noted(In(kIndices, "sparseIndices", {ACL_INT32}, kIndexDims),
                "blocks of sparseBlockSize keys; -1 ends a list")};
}
inline constexpr char kPagedRopeDims[] = "blocks blockSize 1 64 | B S2 1 64 | T2 1 64";
inline constexpr char kBlockSizes[] = "a power of two up to 128";
inline constexpr ParamSpec kScaleRow =
    Value(kScale, "scaleValue", Kind::kDouble, "of the products of queries and keys");
constexpr ParamSpec Lse(int id, const char* name, const char* note) {
  ParamSpec row = Out(id, name, {ACL_FLOAT}, "B 1 S1 N1 | 1 T1 N1 | *", Need::kOptional);
  return ConstHandle(Noted(row, note));
}
inline constexpr std::array kAttendedResults = {
    kModeRow,
    kPreRow,
    kNextRow,
    Value(kAttentionMode, "attentionMode", Kind::kInt64, "2: latent attention"),
    Value(kReturnLse, "returnSoftmaxLse", Kind::kBool, "not with PA_BSND"),
    ConstHandle(Like(kQuery, Out(kOut, "attentionOutOut", kHalves, kQueryDims))),
    Lse(kMax, "softmaxMaxOut", "the largest score; written if returnSoftmaxLse is true"),
    Lse(kSum, "softmaxSumOut",
        "the sum of exp(score - largest); written if returnSoftmaxLse is true")};

inline constexpr auto kAttentionParams = JoinRows(
    AttendedRows("N1 a power of two up to 128, D = 512"),
    std::array{Table("blockTable"), Lengths(kQueryLengths, "actualSeqLengthsQuery"),
               Lengths(kKeyLengths, "actualSeqLengthsKv"), Data(kQueryRope, "queryRope", kRopeDims),
               Data(kKeyRope, "keyRope", kPagedRopeDims), kScaleRow,
               Value(kBlockSize, "sparseBlockSize", Kind::kInt64, kBlockSizes),
               Text(kQueryLayout, "layoutQuery", kQueryLayouts),
               Text(kKeyLayout, "layoutKv", kKeyLayouts)},
    kAttendedResults);

inline constexpr auto kAttentionV2Params = JoinRows(
    AttendedRows("N1 up to 128, D = 512"),
    std::array{Table("blockTableOptional"), Lengths(kQueryLengths, "actualSeqLengthsQueryOptional"),
               Lengths(kKeyLengths, "actualSeqLengthsKvOptional"),
               Data(kQueryRope, "queryRopeOptional", kRopeDims),
               Data(kKeyRope, "keyRopeOptional", kPagedRopeDims),
               Noted(In(kSink, "sinksOptional", {ACL_FLOAT}, "N1", Need::kOptional),
                     "of each head the score of a key that has no value"),
               kScaleRow, Value(kBlockSize, "sparseBlockSizeOptional", Kind::kInt64, kBlockSizes),
               MutableText(kQueryLayout, "layoutQueryOptional", kQueryLayouts),
               MutableText(kKeyLayout, "layoutKvOptional", kKeyLayouts)},
    kAttendedResults);

constexpr ParamSpec Reserved(int id, const char* name) {
  return {.name = name, .id = id, .need = Need::kReserved};
}
inline constexpr ParamSpec kPackedAttentionParams[] = {
    Noted(In(kQuery, "query", kHalves, kQueryDims),
          "N1 a power of two up to 128, D = 576: 512, and the rope"),
    Noted(In(kKey, "key", {ACL_INT8}, kKeyDims),
          "D = 656 bytes: 512 numbers, 64 of query's type, 4 FLOAT factors of 128 numbers each"),
    Noted(In(kValue, "value", {ACL_INT8}, kKeyDims), "not read: values are the numbers of key"),
    Noted(In(kIndices, "sparseIndices", {ACL_INT32}, kIndexDims),
          "blocks of sparseBlockSize keys; -1 ends a list"),
    Reserved(kKeyScale, "keyDequantScaleOptional"),
    Reserved(kValueScale, "valueDequantScaleOptional"),
    Table("blockTableOptional"),
    Lengths(kQueryLengths, "actualSeqLengthsQueryOptional"),
    Lengths(kKeyLengths, "actualSeqLengthsKvOptional"),
    Value(kScale, "scaleValue", Kind::kDouble, "of the products of queries and keys"),
    Value(kKeyQuantMode, "keyQuantMode", Kind::kInt64, "2: factors of tiles"),
    Value(kValueQuantMode, "valueQuantMode", Kind::kInt64, "2"),
    Value(kBlockSize, "sparseBlockSize", Kind::kInt64, "a power of two up to 128"),
    MutableText(kQueryLayout, "layoutQueryOptional", kQueryLayouts),
    MutableText(kKeyLayout, "layoutKvOptional", kKeyLayouts),
    kModeRow,
    kPreRow,
    kNextRow,
    Value(kAttentionMode, "attentionMode", Kind::kInt64, "2: latent attention"),
    Value(kScaleRepository, "quantScaleRepoMode", Kind::kInt64, "1: factors are part of key"),
    Value(kTileSize, "tileSize", Kind::kInt64, "128"),
    Value(kRopeSize, "ropeHeadDim", Kind::kInt64, "64"),
    ConstResult(Data(kOut, "out", "B S1 N1 512 | T1 N1 512")),
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
    {.op = kNames<"QuantLightningIndexer">,
     .params = kQuantIndexerParams,
     .prepare = PrepareIndexer,
     .header = "aclnn_quant_lightning_indexer.h",
     .summary = "as aclnnLightningIndexer with INT8 queries and keys: score[j] = sum over heads n "
                "of weights[n] * max(0, queryDequantScale[n] * keyDequantScale[j] * query[n] . "
                "key[j])",
     .document =
         "ops-transformer: attention/quant_lightning_indexer/docs/aclnnQuantLightningIndexer.md",
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
    {.op = kNames<"SparseFlashAttentionV2">,
     .params = kAttentionV2Params,
     .prepare = PrepareAttention,
     .header = "aclnn_sparse_flash_attention_v2.h",
     .summary = "aclnnSparseFlashAttention with sinks",
     .document =
         "ops-transformer: attention/sparse_flash_attention/docs/aclnnSparseFlashAttentionV2.md",
     .shapes_by_rules = true},
    {.op = kNames<"KvQuantSparseFlashAttention">,
     .params = kPackedAttentionParams,
     .prepare = PrepareAttention,
     .header = "aclnn_kv_quant_sparse_flash_attention.h",
     .summary = "as aclnnSparseFlashAttention, with keys whose first 512 numbers are INT8 times a "
                "factor for each 128, and are the values, too",
     .document = "ops-transformer: attention/kv_quant_sparse_flash_attention/README.md",
     .shapes_by_rules = true},
    {.op = kNames<"SparseFlashAttentionGrad">,
     .params = kAttentionGradientParams,
     .prepare = PrepareAttentionGradient,
     .header = "aclnn_sparse_flash_attention_grad.h",
     .summary = "the gradients of aclnnSparseFlashAttention, from its results: p = exp(score - "
                "softmaxMax) / softmaxSum, ds = p * (dOut . value - dOut . out) * scaleValue; "
                "dQuery = ds . key, dKey = ds' . query, dValue = p' . dOut, added up for each key",
     .document = "ops-transformer: "
                 "attention/sparse_flash_attention_grad/docs/aclnnSparseFlashAttentionGrad.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR},
     .shapes_by_rules = true},
    {.op = kNames<"LightningIndexerGrad">,
     .params = kIndexerGradientParams,
     .prepare = PrepareIndexerGradient,
     .header = "aclnn_lightning_indexer_grad.h",
     .summary = "the gradients of aclnnLightningIndexer's scores of the keys l that sparseIndices "
                "names: dWeights[n] = sum over l of max(0, query[n] . key[l]) * dy[l]; ds[n][l] = "
                "weights[n] * dy[l] where query[n] . key[l] > 0; dQuery = ds . key, dKey = ds' . "
                "query, added up for each key",
     .document =
         "ops-transformer: attention/lightning_indexer_grad/docs/aclnnLightningIndexerGrad.md",
     .shapes_by_rules = true},
    {.op = kNames<"SparseLightningIndexerGradKLLoss">,
     .params = kIndexerLossParams,
     .prepare = PrepareIndexerLoss,
     .header = "aclnn_sparse_lightning_indexer_grad_kl_loss.h",
     .summary = "loss = sum over tokens of sum over keys of p * log(p / softmax(I)), and its "
                "gradients: I are the indexer's scores of the keys that sparseIndices names, p the "
                "attention that all heads of query pay to them, its sum 1",
     .document = "ops-transformer: attention/sparse_lightning_indexer_grad_kl_loss/docs/"
                 "aclnnSparseLightningIndexerGradKLLoss.md",
     .shapes_by_rules = true},
    {.op = kNames<"DenseLightningIndexerSoftmaxLse">,
     .params = kIndexerStatisticsParams,
     .prepare = PrepareIndexerStatistics,
     .header = "aclnn_dense_lightning_indexer_softmax_lse.h",
     .summary = "of the indexer's scores of the keys that a token sees, sum over n of weight[n] * "
                "max(0, queryIndex[n] . keyIndex[j]): the largest, and the sum of exp(score - "
                "largest)",
     .document = "ops-transformer: attention/dense_lightning_indexer_softmax_lse/docs/"
                 "aclnnDenseLightningIndexerSoftmaxLse.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR},
     .shapes_by_rules = true},
    {.op = kNames<"DenseLightningIndexerGradKLLoss">,
     .params = kDenseLossParams,
     .prepare = PrepareDenseLoss,
     .header = "aclnn_dense_lightning_indexer_grad_kl_loss.h",
     .summary = "loss = sum over tokens of sum over keys of p * log(p / softmax(I)), and its "
                "gradients: I are the indexer's scores of all keys that a token sees, p the mean "
                "of the attention that the heads of query pay to them",
     .document = "ops-transformer: attention/dense_lightning_indexer_grad_kl_loss/docs/"
                 "aclnnDenseLightningIndexerGradKLLoss.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR},
     .shapes_by_rules = true},
};

}  // namespace anyacl::sparse_attention
