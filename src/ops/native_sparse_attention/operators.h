// SPDX-License-Identifier: Apache-2.0
// The declarations of native sparse attention: keys compressed block by block, attention to them
// that chooses blocks, attention to the blocks chosen, and gradients (README.md).
#pragma once

#include "nnop/dtype_sets.h"

namespace anyacl::native_sparse_attention {

enum : int {
  kInput,
  kWeight,
  kEnds,  // of the sequences, where there is one list of them
  kLayout,
  kCompressBlockSize,
  kCompressStride,
  kEndsType,
  kOutput,
  kOutputGradient,
  kInputGradient,
  kWeightGradient,
  kQuery,
  kKey,
  kValue,
  kMask,
  kTopkMask,
  kQueryEnds,
  kKeyEnds,
  kSelectEnds,
  kScale,
  kHeadNum,
  kSparseMode,
  kSelectBlockSize,
  kSelectBlockCount,
  kMax,
  kSum,
  kAttention,
  kIndices,
  kDy,
  kDq,
  kDk,
  kDv,
  kSlots,
  kBlockTable,
  kPageBlockSize,
  kKeyHeadNum,
};

Status PrepareCompress(Operands& operands, PreparedCall* call);
Status PrepareCompressGradient(Operands& operands, PreparedCall* call);
Status PrepareCompressAttention(Operands& operands, PreparedCall* call);
Status PrepareSelectedAttention(Operands& operands, PreparedCall* call);
Status PrepareSelectedGradient(Operands& operands, PreparedCall* call);
Status PrepareCompressWithCache(Operands& operands, PreparedCall* call);
Status PrepareSelectedInfer(Operands& operands, PreparedCall* call);
Status PrepareCompressInfer(Operands& operands, PreparedCall* call);

// An output whose handle is const in CANN's prototype.
constexpr ParamSpec ConstResult(int id, const char* name, DTypeSet dtypes, const char* dims) {
  return ConstHandle(Out(id, name, dtypes, dims));
}
constexpr ParamSpec Ends(int id, const char* name, const char* note) {
  return {.name = name, .id = id, .kind = Kind::kIntArray, .note = note};
}
constexpr ParamSpec Layout(const char* name, const char* note) {
  return {.name = name,
          .id = kLayout,
          .kind = Kind::kMutableText,
          .need = Need::kOptional,
          .note = note};
}
// A size of a block that dimensions name.
inline constexpr int64_t kUnit = 16;
constexpr ParamSpec Size(int id, const char* name, int64_t most, const char* note) {
  ParamSpec row = Value(id, name, Kind::kInt64, note);
  row.min = kUnit;
  row.max = most;
  row.names_size = true;
  return row;
}

inline constexpr int64_t kMostWindow = 128;
inline constexpr ParamSpec kWindowRow =
    Size(kCompressBlockSize, "compressBlockSize", kMostWindow, "a multiple of 16");
inline constexpr ParamSpec kStrideRow =
    Size(kCompressStride, "compressStride", kMostWindow,
         "from block to block: a multiple of 16, at most compressBlockSize");
inline constexpr ParamSpec kEndsTypeRow = {.name = "actSeqLenType",
                                           .id = kEndsType,
                                           .kind = Kind::kInt64,
                                           .min = 0,
                                           .max = 0,
                                           .note = "0: ends"};

inline constexpr ParamSpec kCompressParams[] = {
    Noted(In(kInput, "input", kHalves, "T N D"), "N at most 128, D a multiple of 16 up to 256"),
    Like(kInput, In(kWeight, "weight", kHalves, "compressBlockSize N")),
    Ends(kEnds, "actSeqLenOptional", "where each sequence ends, the last one at T"),
    Layout("layoutOptional", "TND"),
    kWindowRow,
    kStrideRow,
    kEndsTypeRow,
    Noted(Like(kInput, Out(kOutput, "output", kHalves, "blocks N D")),
          "the blocks of all sequences"),
};

inline constexpr ParamSpec kCompressGradientParams[] = {
    Noted(In(kOutputGradient, "outputGrad", kHalves, "blocks N D"), "the blocks of all sequences"),
    Noted(Like(kOutputGradient, In(kInput, "input", kHalves, "T N D")),
          "N at most 128, D a multiple of 16 up to 256"),
    Like(kOutputGradient, In(kWeight, "weight", kHalves, "compressBlockSize N")),
    Ends(kEnds, "actSeqLenOptionalOptional", "where each sequence ends, the last one at T"),
    kWindowRow,
    kStrideRow,
    kEndsTypeRow,
    Layout("layoutOptionalOptional", "TND"),
    Like(kOutputGradient, ConstResult(kInputGradient, "inputGradOut", kHalves, "T N D")),
    Like(kOutputGradient,
         ConstResult(kWeightGradient, "weightGradOut", kHalves, "compressBlockSize N")),
};

inline constexpr DTypeSet kMasks = {ACL_BOOL, ACL_UINT8};
inline constexpr ParamSpec kQueryRow = In(kQuery, "query", kHalves, "T1 headNum D");
inline constexpr ParamSpec kKeyRow = Like(kQuery, In(kKey, "key", kHalves, "T2 N2 D"));
inline constexpr ParamSpec kValueRow =
    Noted(Like(kQuery, In(kValue, "value", kHalves, "T2 N2 Dv")), "Dv at most D");
inline constexpr ParamSpec kScaleRow =
    Value(kScale, "scaleValue", Kind::kDouble, "of the products of queries and keys");
inline constexpr ParamSpec kHeadNumRow = {
    .name = "headNum", .id = kHeadNum, .kind = Kind::kInt64, .min = 1, .names_size = true};
inline constexpr ParamSpec kMaxRow =
    Noted(ConstResult(kMax, "softmaxMaxOut", {ACL_FLOAT}, "T1 headNum 8"),
          "the largest score of a row, eight times");
inline constexpr ParamSpec kSumRow =
    Noted(ConstResult(kSum, "softmaxSumOut", {ACL_FLOAT}, "T1 headNum 8"),
          "the sum of exp(score - largest), eight times");
// As aclnnFlashAttentionUnpaddingScoreGrad reads them.
inline constexpr ParamSpec kMaxByHeadRow =
    Noted(kMaxRow,
          "the largest score of a row, eight times; [headNum, rows, 8] of each sequence "
          "one after the other, whatever the shape says");
inline constexpr ParamSpec kSumByHeadRow =
    Noted(kSumRow, "the sum of exp(score - largest), eight times, in the order of softmaxMaxOut");
inline constexpr ParamSpec kAttentionRow =
    Like(kQuery, ConstResult(kAttention, "attentionOut", kHalves, "T1 headNum Dv"));
constexpr ParamSpec SparseMode(int64_t least, int64_t most, const char* note) {
  return Ranged(Value(kSparseMode, "sparseMode", Kind::kInt64, note), least, most);
}
constexpr ParamSpec Count(const char* name, int64_t most, const char* note) {
  ParamSpec row = Value(kSelectBlockCount, name, Kind::kInt64, note);
  row.min = 1;
  row.max = most;
  row.names_size = true;
  return row;
}

inline constexpr ParamSpec kCompressAttentionParams[] = {
    kQueryRow,
    kKeyRow,
    kValueRow,
    Noted(In(kMask, "attenMaskOptional", kMasks, "S1 S2", Need::kOptional),
          "of the longest sequence; 1 hides"),
    Noted(In(kTopkMask, "topkMaskOptional", kMasks, "S1 selected", Need::kOptional),
          "of the longest sequence; 1: chosen before all others"),
    Ends(kQueryEnds, "actualSeqQLenOptional", "where each sequence's rows end"),
    Ends(kKeyEnds, "actualCmpSeqKvLenOptional", "where each sequence's keys end"),
    Ends(kSelectEnds, "actualSelSeqKvLenOptional",
         "the same in blocks of selectBlockSize / compressStride keys"),
    kScaleRow,
    kHeadNumRow,
    Layout("inputLayout", "TND"),
    SparseMode(0, 1, "0 and 1: the mask as it is"),
    kWindowRow,
    Size(kCompressStride, "compressStride", 64, "a multiple of 16, at most compressBlockSize"),
    Size(kSelectBlockSize, "selectBlockSize", kMostWindow,
         "a multiple of compressStride, at least compressBlockSize"),
    Count("selectBlockCount", 32, "at most the blocks of any sequence"),
    kMaxByHeadRow,
    kSumByHeadRow,
    kAttentionRow,
    Noted(ConstResult(kIndices, "topkIndicesOut", {ACL_INT32}, "T1 N2 selectBlockCount"),
          "the blocks that matter most to all heads of a key's, the first one most"),
};

inline constexpr ParamSpec kBlocksRow =
    In(kIndices, "topkIndices", {ACL_INT32}, "T1 N2 selectedBlockCount");
constexpr ParamSpec CausalMask(const char* note) {
  return Noted(In(kMask, "attenMaskOptional", kMasks, "*", Need::kOptional), note);
}
inline constexpr ParamSpec kQueryEndsRow =
    Ends(kQueryEnds, "actualSeqQLenOptional", "where each sequence's rows end");
inline constexpr ParamSpec kKeyEndsRow =
    Ends(kKeyEnds, "actualSeqKvLenOptional", "where each sequence's keys end");
inline constexpr ParamSpec kSelectedSizeRow =
    Size(kSelectBlockSize, "selectedBlockSize", kMostWindow, "keys of a block, a multiple of 16");
inline constexpr ParamSpec kSelectedCountRow = Count("selectedBlockCount", 128, "blocks of a row");

inline constexpr ParamSpec kSelectedAttentionParams[] = {
    kQueryRow,
    kKeyRow,
    kValueRow,
    kBlocksRow,
    CausalMask("two dimensions; not read: a row sees keys up to its place; null: all keys"),
    kQueryEndsRow,
    kKeyEndsRow,
    kScaleRow,
    kHeadNumRow,
    Layout("inputLayout", "TND"),
    SparseMode(0, 2, "0: all keys, without a mask; 2: causal if there is one; not 1"),
    kSelectedSizeRow,
    kSelectedCountRow,
    kMaxRow,
    kSumRow,
    kAttentionRow,
};

constexpr ParamSpec OfForward(int id, const char* name) {
  return Noted(In(id, name, {ACL_FLOAT}, "T1 headNum 8"), "of the forward call");
}
inline constexpr ParamSpec kSelectedGradientParams[] = {
    kQueryRow,
    kKeyRow,
    kValueRow,
    Noted(Like(kQuery, In(kAttention, "attentionOut", kHalves, "T1 headNum Dv")),
          "of the forward call"),
    Like(kQuery, In(kDy, "attentionOutGrad", kHalves, "T1 headNum Dv")),
    OfForward(kMax, "softmaxMax"),
    OfForward(kSum, "softmaxSum"),
    kBlocksRow,
    kQueryEndsRow,
    kKeyEndsRow,
    CausalMask("two dimensions, not read"),
    kScaleRow,
    kSelectedSizeRow,
    kSelectedCountRow,
    kHeadNumRow,
    Layout("inputLayout", "TND"),
    SparseMode(0, 2, "0: all keys, without a mask; 2: causal, with a mask and without; not 1"),
    Like(kQuery, ConstResult(kDq, "dqOut", kHalves, "T1 headNum D")),
    Like(kQuery, ConstResult(kDk, "dkOut", kHalves, "T2 N2 D")),
    Like(kQuery, ConstResult(kDv, "dvOut", kHalves, "T2 N2 Dv")),
};

// Caches: keys in pages that a table names for each sequence.
constexpr ParamSpec Table(const char* dims, Need need) {
  return Noted(In(kBlockTable, "blockTableOptional", {ACL_INT32}, dims, need),
               "the pages of each sequence");
}
constexpr ParamSpec PageSize(const char* note) {
  ParamSpec row = Value(kPageBlockSize, "pageBlockSize", Kind::kInt64, note);
  row.min = kUnit;
  row.max = kMostWindow;
  row.names_size = true;
  return row;
}

inline constexpr ParamSpec kCompressWithCacheParams[] = {
    Noted(In(kInput, "input", kHalves, "pages pageBlockSize N D | T N D"),
          "with blockTableOptional | without; N at most 64, D a multiple of 16 up to 256"),
    Like(kInput, In(kWeight, "weight", kHalves, "compressBlockSize N")),
    Noted(In(kSlots, "slotMapping", {ACL_INT32}, "B"), "rows of outputCache, read where needed"),
    Ends(kEnds, "actSeqLenOptional", "the length of each sequence"),
    Table("B columns", Need::kOptional),
    Layout("layoutOptional", "TND; not read with blockTableOptional"),
    Size(kCompressBlockSize, "compressBlockSize", 64, "a multiple of 16"),
    Size(kCompressStride, "compressStride", 64, "a multiple of 16, at most compressBlockSize"),
    {.name = "actSeqLenType",
     .id = kEndsType,
     .kind = Kind::kInt64,
     .min = 1,
     .max = 1,
     .note = "1: lengths"},
    PageSize("64 or 128"),
    Noted(Like(kInput, InOut(kOutput, "outputCache", kHalves, "slots N D")),
          "rows of sequences that a token has completed a block of"),
};

// As documented, no tensor of inference may be strided.
constexpr ParamSpec OfCache(int id, const char* name) {
  return Dense(
      Like(kQuery, In(id, name, kHalves, "pages pageBlockSize N2 D | pages pageBlockSize H")));
}
constexpr ParamSpec Heads(int id, const char* name) {
  return Ranged(Value(id, name, Kind::kInt64), 1, INT32_MAX);
}
constexpr ParamSpec Reserved(const char* name) {
  return {.name = name, .id = kMask, .need = Need::kReserved, .note = "not read"};
}
inline constexpr char kInferDims[] = "B S N D | T N D";
inline constexpr ParamSpec kInferQueryRow =
    Noted(Dense(In(kQuery, "query", kHalves, kInferDims)), "S at most 4");
constexpr ParamSpec InferEnds(int id, const char* name, const char* note) {
  return Optional(Ends(id, name, note));
}
inline constexpr ParamSpec kInferRowsRow =
    InferEnds(kQueryEnds, "actualQSeqLenOptional",
              "rows of each sequence, 1 to 4; none: TND: one, otherwise S");

inline constexpr ParamSpec kSelectedInferParams[] = {
    kInferQueryRow,
    OfCache(kKey, "key"),
    OfCache(kValue, "value"),
    Noted(Dense(In(kIndices, "topkIndices", {ACL_INT32}, "B S N2 count | T N2 count")),
          "blocks of selectBlockSize keys; -1 ends a list"),
    Reserved("attenMaskOptional"),
    Table("B columns", Need::kRequired),
    kInferRowsRow,
    Ends(kKeyEnds, "actualKvSeqLenOptional", "keys of each sequence"),
    Layout("layoutOptional", "BSH, BSND or TND; null: BSND"),
    Heads(kHeadNum, "numHeads"),
    Heads(kKeyHeadNum, "numKeyValueHeads"),
    Size(kSelectBlockSize, "selectBlockSize", kMostWindow, "a multiple of 16"),
    Count("selectBlockCount", INT32_MAX, "blocks of a row"),
    PageSize("a multiple of 16"),
    kScaleRow,
    Value(kSparseMode, "sparseMode", Kind::kInt64, "not read"),
    Dense(Like(kQuery, Out(kAttention, "output", kHalves, kInferDims))),
};

inline constexpr ParamSpec kCompressInferParams[] = {
    kInferQueryRow,
    OfCache(kKey, "key"),
    OfCache(kValue, "value"),
    Noted(In(kMask, "attentionMaskOptional", kMasks, "*", Need::kOptional),
          "not read: with it a row sees the compressed keys that end at its own token or before"),
    Table("B columns", Need::kRequired),
    kInferRowsRow,
    Ends(kKeyEnds, "actualCmpKvSeqLenOptional", "compressed keys of each sequence"),
    InferEnds(kSelectEnds, "actualSelKvSeqLenOptional",
              "its keys before that; needed with a mask and several rows"),
    {.name = "topKMaskOptional", .id = kTopkMask, .need = Need::kReserved, .note = "not read"},
    Heads(kHeadNum, "numHeads"),
    Heads(kKeyHeadNum, "numKeyValueHeads"),
    Size(kSelectBlockSize, "selectBlockSize", kMostWindow,
         "a multiple of compressBlockStride, at least compressBlockSize"),
    Count("selectBlockCount", INT32_MAX, "at most the blocks of any sequence"),
    kWindowRow,
    Size(kCompressStride, "compressBlockStride", 64, "a multiple of 16, at most compressBlockSize"),
    kScaleRow,
    Layout("layoutOptional", "BSND or TND; null: BSND"),
    PageSize("a multiple of 16"),
    Value(kSparseMode, "sparseMode", Kind::kInt64, "not read"),
    Dense(Like(kQuery, ConstResult(kAttention, "output", kHalves, kInferDims))),
    Noted(Dense(ConstResult(kIndices, "topKOutput", {ACL_INT32},
                            "B S N2 selectBlockCount | T N2 selectBlockCount")),
          "the first block and the last two, and then those that matter most"),
};

// What the operators within those of attention call a constraint.
inline constexpr int kConstraint = ACLNN_ERR_INNER_TILING_ERROR;

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"NsaCompress">,
     .params = kCompressParams,
     .prepare = PrepareCompress,
     .header = "aclnn_nsa_compress.h",
     .summary = "blocks of compressBlockSize rows become one: output[c][n] = sum over w of "
                "weight[w][n] * input[c * compressStride + w][n], in each sequence",
     .document = "ops-transformer: attention/nsa_compress/docs/aclnnNsaCompress.md"},
    {.op = kNames<"NsaCompressGrad">,
     .params = kCompressGradientParams,
     .prepare = PrepareCompressGradient,
     .header = "aclnn_nsa_compress_grad.h",
     .summary = "the gradients of aclnnNsaCompress",
     .document = "ops-transformer: attention/nsa_compress_grad/docs/aclnnNsaCompressGrad.md"},
    {.op = kNames<"NsaCompressAttention">,
     .params = kCompressAttentionParams,
     .prepare = PrepareCompressAttention,
     .header = "aclnn_nsa_compress_attention.h",
     .summary = "attention to compressed keys, and the blocks of keys that it finds most "
                "important",
     .document =
         "ops-transformer: attention/nsa_compress_attention/docs/aclnnNsaCompressAttention.md",
     .constraint_code = kConstraint},
    {.op = kNames<"NsaSelectedAttention">,
     .params = kSelectedAttentionParams,
     .prepare = PrepareSelectedAttention,
     .header = "aclnn_nsa_selected_attention.h",
     .summary = "attention of each row to the blocks of keys that topkIndices names for it",
     .document =
         "ops-transformer: attention/nsa_selected_attention/docs/aclnnNsaSelectedAttention.md"},
    {.op = kNames<"NsaSelectedAttentionGrad">,
     .params = kSelectedGradientParams,
     .prepare = PrepareSelectedGradient,
     .header = "aclnn_nsa_selected_attention_grad.h",
     .summary = "the gradients of aclnnNsaSelectedAttention",
     .document = "ops-transformer: attention/nsa_selected_attention_grad/docs/"
                 "aclnnNsaSelectedAttentionGrad.md"},
    {.op = kNames<"NsaCompressWithCache">,
     .params = kCompressWithCacheParams,
     .prepare = PrepareCompressWithCache,
     .header = "aclnn_nsa_compress_with_cache.h",
     .summary = "of each sequence that has a new block whole, its last compressBlockSize rows "
                "become a row of the cache: outputCache[slotMapping[b]] = sum over w of "
                "weight[w] * row w",
     .document =
         "ops-transformer: attention/nsa_compress_with_cache/docs/aclnnNsaCompressWithCache.md",
     .codes = {.shape = kConstraint},
     .constraint_code = kConstraint},
    {.op = kNames<"NsaSelectedAttentionInfer">,
     .params = kSelectedInferParams,
     .prepare = PrepareSelectedInfer,
     .header = "aclnn_nsa_selected_attention_infer.h",
     .summary = "attention of each row to the blocks of keys, which lie in pages, that "
                "topkIndices names for it",
     .document = "ops-transformer: attention/nsa_selected_attention_infer/docs/"
                 "aclnnNsaSelectedAttentionInfer.md",
     .shapes_by_rules = true},
    {.op = kNames<"NsaCompressAttentionInfer">,
     .params = kCompressInferParams,
     .prepare = PrepareCompressInfer,
     .header = "aclnn_nsa_compress_attention_infer.h",
     .summary = "attention to compressed keys, which lie in pages, and the blocks of keys that it "
                "finds most important",
     .document = "ops-transformer: attention/nsa_compress_attention_infer/docs/"
                 "aclnnNsaCompressAttentionInfer.md",
     .shapes_by_rules = true},
};

}  // namespace anyacl::native_sparse_attention
