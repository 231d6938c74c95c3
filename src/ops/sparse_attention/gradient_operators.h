// SPDX-License-Identifier: Apache-2.0
// The declarations of gradients over chosen keys.
#pragma once

#include "ops/sparse_attention/rows.h"

namespace anyacl::sparse_attention {

Status PrepareAttentionGradient(Operands& operands, PreparedCall* call);
Status PrepareIndexerGradient(Operands& operands, PreparedCall* call);
Status PrepareIndexerLoss(Operands& operands, PreparedCall* call);
Status PrepareIndexerStatistics(Operands& operands, PreparedCall* call);
Status PrepareDenseLoss(Operands& operands, PreparedCall* call);

inline constexpr char kRopeDims[] = "B S1 N1 64 | T1 N1 64";
inline constexpr char kRaggedKeyDims[] = "B S2 1 D | T2 1 D";
inline constexpr char kKeyRopeDims[] = "B S2 1 64 | T2 1 64";

constexpr ParamSpec Layout(const char* name) {
  return {.name = name,
          .id = kQueryLayout,
          .kind = Kind::kMutableText,
          .need = Need::kOptional,
          .note = "BSND or TND; null: BSND"};
}
inline constexpr ParamSpec kDeterministicRow =
    Value(kDeterministic, "deterministic", Kind::kBool, "results have the same bits either way");
constexpr ParamSpec AllTokens(int id, const char* name) {
  return Value(id, name, Kind::kInt64, "2^63 - 1, or as many as there are");
}

inline constexpr ParamSpec kAttentionGradientParams[] = {
    Noted(In(kQuery, "query", kHalves, kQueryDims), "N1 up to 128, D = 512"),
    Data(kKey, "key", kRaggedKeyDims),
    Noted(Optional(Data(kValue, "value", kRaggedKeyDims)), "null: key, and dValueOut is null, too"),
    Noted(In(kIndices, "sparseIndices", {ACL_INT32}, kIndexDims),
          "blocks of sparseBlockSize keys; -1 ends a list"),
    Data(kDOut, "dOut", kQueryDims),
    Data(kOut, "out", kQueryDims),
    In(kMax, "softmaxMax", {ACL_FLOAT}, kStatisticDims),
    In(kSum, "softmaxSum", {ACL_FLOAT}, kStatisticDims),
    Lengths(kQueryLengths, "actualSeqLengthsQueryOptional"),
    Lengths(kKeyLengths, "actualSeqLengthskvOptional"),
    Optional(Data(kQueryRope, "queryRopeOptional", kRopeDims)),
    Optional(Data(kKeyRope, "keyRopeOptional", kKeyRopeDims)),
    Value(kScale, "scaleValue", Kind::kDouble, "of the products of queries and keys"),
    Value(kBlockSize, "sparseBlockSize", Kind::kInt64, "a power of two up to 128"),
    Layout("layoutOptional"),
    kModeRow,
    AllTokens(kPreTokens, "preTokens"),
    AllTokens(kNextTokens, "nextTokens"),
    kDeterministicRow,
    ConstResult(Data(kDQuery, "dQueryOut", kQueryDims)),
    Noted(ConstResult(Data(kDKey, "dKeyOut", kRaggedKeyDims)), "without value that of value, too"),
    Optional(ConstResult(Data(kDValue, "dValueOut", kRaggedKeyDims))),
    Noted(Optional(
              ConstResult(Data(kDQueryRope, "dQueryRopeOutOptional", "B S1 N1 64 | T1 N1 64 | *"))),
          "needed, as the next, where ropes are given"),
    Optional(ConstResult(Data(kDKeyRope, "dKeyRopeOutOptional", "B S2 1 64 | T2 1 64 | *"))),
};

inline constexpr char kWeightDims[] = "B S1 N1 | T1 N1";
inline constexpr char kFlatIndexDims[] = "B S1 K | T1 K | B S1 1 K | T1 1 K";

inline constexpr ParamSpec kIndexerGradientParams[] = {
    Noted(In(kQuery, "query", kHalves, kQueryDims), "N1 up to 64, D = 128"),
    Data(kKey, "key", kRaggedKeyDims),
    Noted(Data(kDOut, "dy", kFlatIndexDims), "the gradient of sparseValuesOut"),
    Noted(In(kIndices, "sparseIndices", {ACL_INT32}, kFlatIndexDims), "-1 ends a list"),
    Data(kWeights, "weights", kWeightDims),
    Lengths(kQueryLengths, "actualSeqLengthsQuery"),
    Lengths(kKeyLengths, "actualSeqLengthsKey"),
    Value(kHeadNum, "headNum", Kind::kInt64, "N1, or 0"),
    Layout("layout"),
    kModeRow,
    AllTokens(kPreTokens, "preTokens"),
    AllTokens(kNextTokens, "nextTokens"),
    kDeterministicRow,
    ConstResult(Data(kDQuery, "dQuery", kQueryDims)),
    ConstResult(Data(kDKey, "dKey", kRaggedKeyDims)),
    ConstResult(Data(kDWeights, "dWeights", kWeightDims)),
};

constexpr ParamSpec Ends(int id, const char* name) {
  return {.name = name,
          .id = id,
          .kind = Kind::kIntArray,
          .need = Need::kOptional,
          .note = "tokens of each sequence; TND: where it ends, and required"};
}
inline constexpr char kIndexerQueryDims[] = "B S1 M 128 | T1 M 128";
inline constexpr char kIndexerWeightDims[] = "B S1 M | T1 M";
inline constexpr char kIndexerKeyDims[] = "B S2 1 128 | T2 1 128";

inline constexpr ParamSpec kCausalRow =
    Value(kSparseMode, "sparseMode", Kind::kInt64, "3: causal, the last rows aligned");
inline constexpr ParamSpec kIndexerLossParams[] = {
    Noted(In(kQuery, "query", kHalves, kQueryDims), "N1 up to 128, D = 512"),
    Data(kKey, "key", kRaggedKeyDims),
    Noted(Data(kQueryIndex, "queryIndex", kIndexerQueryDims), "M up to 64"),
    Data(kKeyIndex, "keyIndex", kIndexerKeyDims),
    Noted(In(kWeights, "weights", {ACL_FLOAT16, ACL_BF16, ACL_FLOAT}, kIndexerWeightDims),
          "of query's type, or FLOAT"),
    Noted(In(kIndices, "sparseIndices", {ACL_INT32}, kIndexDims), "-1 ends a list"),
    In(kMax, "softmaxMax", {ACL_FLOAT}, kStatisticDims),
    In(kSum, "softmaxSum", {ACL_FLOAT}, kStatisticDims),
    Optional(Data(kQueryRope, "queryRope", kRopeDims)),
    Optional(Data(kKeyRope, "keyRope", kKeyRopeDims)),
    Ends(kQueryEnds, "actualSeqLengthsQuery"),
    Ends(kKeyEnds, "actualSeqLengthsKey"),
    Value(kScale, "scaleValue", Kind::kDouble, "of the products of queries and keys"),
    Layout("layout"),
    kCausalRow,
    AllTokens(kPreTokens, "pre_tokens"),
    AllTokens(kNextTokens, "next_tokens"),
    kDeterministicRow,
    ConstResult(Data(kDQuery, "dQueryIndex", kIndexerQueryDims)),
    ConstResult(Data(kDKey, "dKeyIndex", kIndexerKeyDims)),
    ConstResult(Like(kWeights, In(kDWeights, "dWeights", {ACL_FLOAT16, ACL_BF16, ACL_FLOAT},
                                  kIndexerWeightDims))),
    ConstResult(In(kLoss, "loss", {ACL_FLOAT}, "1")),
};

inline constexpr char kRowDims[] = "B 1 S1 | 1 T1";

inline constexpr ParamSpec kIndexerStatisticsParams[] = {
    Noted(In(kQuery, "queryIndex", kHalves, "B S1 M 128 | T1 M 128"), "M up to 64"),
    Data(kKey, "keyIndex", kIndexerKeyDims),
    Noted(In(kWeights, "weight", {ACL_FLOAT16, ACL_BF16, ACL_FLOAT}, kIndexerWeightDims),
          "of queryIndex's type, or FLOAT"),
    Ends(kQueryEnds, "actualSeqLengthsQueryOptional"),
    Ends(kKeyEnds, "actualSeqLengthsKeyOptional"),
    Layout("layoutOptional"),
    kCausalRow,
    AllTokens(kPreTokens, "preTokens"),
    AllTokens(kNextTokens, "nextTokens"),
    Noted(ConstResult(In(kMax, "softmaxMaxOut", {ACL_FLOAT}, kRowDims)), "0 where no key is seen"),
    ConstResult(In(kSum, "softmaxSumOut", {ACL_FLOAT}, kRowDims)),
};

inline constexpr char kHeadKeyDims[] = "B S2 N1 D | T2 N1 D";
inline constexpr char kHeadStatisticDims[] = "B N1 S1 1 | N1 T1 1";

inline constexpr ParamSpec kDenseLossParams[] = {
    Noted(In(kQuery, "query", kHalves, kQueryDims), "N1 up to 128, D = 128"),
    Data(kKey, "key", kHeadKeyDims),
    Noted(Data(kQueryIndex, "queryIndex", kIndexerQueryDims), "M up to 64"),
    Data(kKeyIndex, "keyIndex", kIndexerKeyDims),
    Noted(In(kWeights, "weights", {ACL_FLOAT16, ACL_BF16, ACL_FLOAT}, kIndexerWeightDims),
          "of query's type, or FLOAT"),
    Noted(In(kMax, "softmaxMax", {ACL_FLOAT}, kHeadStatisticDims), "of the attention of query"),
    In(kSum, "softmaxSum", {ACL_FLOAT}, kHeadStatisticDims),
    Noted(In(kMaxIndex, "softmaxMaxIndex", {ACL_FLOAT}, kRowDims),
          "of the indexer's scores: aclnnDenseLightningIndexerSoftmaxLse"),
    In(kSumIndex, "softmaxSumIndex", {ACL_FLOAT}, kRowDims),
    Optional(Data(kQueryRope, "queryRope", kRopeDims)),
    Optional(Data(kKeyRope, "keyRope", "B S2 N1 64 | T2 N1 64")),
    Ends(kQueryEnds, "actualSeqLengthsQuery"),
    Ends(kKeyEnds, "actualSeqLengthsKey"),
    Value(kScale, "scaleValue", Kind::kDouble, "of the products of queries and keys"),
    Layout("layout"),
    kCausalRow,
    AllTokens(kPreTokens, "preTokens"),
    AllTokens(kNextTokens, "nextTokens"),
    ConstResult(Data(kDQuery, "dQueryIndex", kIndexerQueryDims)),
    ConstResult(Data(kDKey, "dKeyIndex", kIndexerKeyDims)),
    ConstResult(Like(kWeights, In(kDWeights, "dWeights", {ACL_FLOAT16, ACL_BF16, ACL_FLOAT},
                                  kIndexerWeightDims))),
    ConstResult(In(kLoss, "loss", {ACL_FLOAT}, "1")),
};

}  // namespace anyacl::sparse_attention
