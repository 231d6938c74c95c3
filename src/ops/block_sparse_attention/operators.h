// SPDX-License-Identifier: Apache-2.0
// The declarations of attention over blocks of keys that a mask names for blocks of queries
// (README.md). Which dimensions go together follows from the layouts and is checked by rules.
#pragma once

#include "nnop/dtype_sets.h"
#include "nnop/joined_rows.h"

namespace anyacl::block_sparse_attention {

enum : int {
  kQuery,
  kKey,
  kValue,
  kBlockMask,
  kMask,
  kBlockShape,
  kQueryLengths,
  kKeyLengths,
  kTable,
  kQueryLayout,
  kKeyLayout,
  kKeyHeads,
  kMaskType,
  kScale,
  kPrecision,
  kPageSize,
  kPreTokens,
  kNextTokens,
  kLseFlag,
  kOut,
  kLse,
  kDOut,
  kDQuery,
  kDKey,
  kDValue
};

Status PrepareForward(Operands& operands, PreparedCall* call);
Status PrepareBackward(Operands& operands, PreparedCall* call);

inline constexpr char kQueryDims[] = "B N S D | B S N D | T N D";
inline constexpr char kKeyDims[] = "B N2 S2 D | B S2 N2 D | T2 N2 D";
inline constexpr char kLseDims[] = "B N S 1 | B S N 1 | T N 1";

constexpr ParamSpec Data(int id, const char* name, const char* dims) {
  return Like(kQuery, In(id, name, kHalves, dims));
}
constexpr ParamSpec Result(int id, const char* name, const char* dims) {
  return Like(kQuery, Out(id, name, kHalves, dims));
}
constexpr ParamSpec Lengths(int id, const char* name) {
  return {.name = name,
          .id = id,
          .kind = Kind::kIntArray,
          .need = Need::kOptional,
          .note = "tokens of each sequence; given both or neither, TND: given"};
}
constexpr ParamSpec Layout(int id, const char* name) {
  return {
      .name = name, .id = id, .kind = Kind::kMutableText, .note = "TND, BNSD or BSND, both alike"};
}
constexpr ParamSpec Only(int id, const char* name, int64_t value, const char* note = nullptr) {
  return Ranged(Value(id, name, Kind::kInt64, note), value, value);
}

inline constexpr std::array kInputs = {
    Noted(In(kQuery, "query", kHalves, kQueryDims), "D a multiple of 16 up to 128"),
    Data(kKey, "key", kKeyDims), Data(kValue, "value", kKeyDims)};
inline constexpr char kMaskNote[] =
    "which blocks of keys each block of queries sees: not 0; null: all";
inline constexpr char kMaskDims[] = "B N Q K";
constexpr std::array<ParamSpec, 4> MaskRows(DTypeSet blocks, DTypeSet mask) {
  return {Noted(In(kBlockMask, "blockSparseMaskOptional", blocks, kMaskDims, Need::kOptional),
                kMaskNote),
          Noted(In(kMask, "attenMaskOptional", mask, "*", Need::kOptional), "null, as documented"),
          ParamSpec{.name = "blockShapeOptional",
                    .id = kBlockShape,
                    .kind = Kind::kIntArray,
                    .need = Need::kOptional,
                    .note = "queries and keys of a block; null, or no mask: 128 and 128"},
          Lengths(kQueryLengths, "actualSeqLengthsOptional")};
}
inline constexpr std::array kCommon = {
    Layout(kQueryLayout, "qInputLayout"), Layout(kKeyLayout, "kvInputLayout"),
    Value(kKeyHeads, "numKeyValueHeads", Kind::kInt64, "N2, of which N is a multiple"),
    Only(kMaskType, "maskType", 0, "0: no mask"),
    Value(kScale, "scaleValue", Kind::kDouble, "of the products of queries and keys")};
inline constexpr std::array kWindow = {Only(kPreTokens, "preTokens", INT32_MAX),
                                       Only(kNextTokens, "nextTokens", INT32_MAX)};

constexpr ParamSpec Flag(int id, const char* name, const char* note) {
  return Ranged(Value(id, name, Kind::kInt64, note), 0, 1);
}

inline constexpr auto kForwardParams = JoinRows(
    kInputs, MaskRows({ACL_INT8, ACL_BOOL}, {ACL_INT8}),
    std::array{Lengths(kKeyLengths, "actualSeqLengthsKvOptional"),
               Noted(In(kTable, "blockTableOptional", {ACL_INT32}, "*", Need::kOptional),
                     "null, as documented")},
    kCommon,
    std::array{Value(kPrecision, "innerPrecise", Kind::kInt64,
                     "0, 1 (FLOAT16) or 4: softmax is computed in fp32"),
               Only(kPageSize, "blockSize", 0, "0: no pages")},
    kWindow,
    std::array{Flag(kLseFlag, "softmaxLseFlag", "1: softmaxLseOptional is written"),
               Result(kOut, "attentionOut", kQueryDims),
               Noted(Out(kLse, "softmaxLseOptional", {ACL_FLOAT}, kLseDims, Need::kOptional),
                     "the logarithm of the sum of exp(score); infinite where no key is seen")});

inline constexpr auto kBackwardParams = JoinRows(
    std::array{Noted(Data(kDOut, "dout", kQueryDims), "the gradient of attentionOut")}, kInputs,
    std::array{Data(kOut, "attentionOut", kQueryDims),
               In(kLse, "softmaxLse", {ACL_FLOAT}, kLseDims)},
    MaskRows({ACL_INT8, ACL_BOOL}, {ACL_BOOL, ACL_INT8}),
    std::array{Lengths(kKeyLengths, "actualSeqLengthsKvOptional")}, kCommon, kWindow,
    std::array{Result(kDQuery, "dq", kQueryDims), Result(kDKey, "dk", kKeyDims),
               Result(kDValue, "dv", kKeyDims)});

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"BlockSparseAttention">,
     .params = kForwardParams,
     .prepare = PrepareForward,
     .header = "aclnn_block_sparse_attention.h",
     .summary = "attentionOut = softmax(scaleValue * query . key) . value, over the keys of the "
                "blocks that blockSparseMask names for a query's block",
     .document =
         "ops-transformer: attention/block_sparse_attention/docs/aclnnBlockSparseAttention.md",
     .shapes_by_rules = true},
    {.op = kNames<"BlockSparseAttentionGrad">,
     .params = kBackwardParams,
     .prepare = PrepareBackward,
     .header = "aclnn_block_sparse_attention_grad.h",
     .summary = "the gradients of aclnnBlockSparseAttention: p = exp(score - softmaxLse), ds = p * "
                "(dout . value - dout . attentionOut) * scaleValue; dq = ds . key, dk = ds' . "
                "query, dv = p' . dout",
     .document = "ops-transformer: "
                 "attention/block_sparse_attention_grad/docs/aclnnBlockSparseAttentionGrad.md",
     .shapes_by_rules = true},
};

}  // namespace anyacl::block_sparse_attention
