// SPDX-License-Identifier: Apache-2.0
// What declarations of attention over some of the keys share: ids, and rows that several have.
#pragma once

#include "nnop/dtype_sets.h"

namespace anyacl::sparse_attention {

// What several operators have, or code asks for that they share.
enum : int {
  kQuery,
  kKey,
  kIndices,
  kQueryLengths,
  kKeyLengths,
  kQueryEnds,  // lengths as arrays of the host
  kKeyEnds,
  kBlockTable,
  kQueryLayout,
  kKeyLayout,
  kSparseMode,
  kPreTokens,
  kNextTokens,
  kWeights,
  kValue,
  kQueryRope,
  kKeyRope,
  kScale,
  kBlockSize,
  kOut,
  kMax,
  kSum,
  kOwn,
  // From here on two groups of operators have the same numbers, because all ids would be more than
  // kMaxParams; no code asks for those of both. Of indexers and attention:
  kCount = kOwn,
  kReturnValues,
  kValues,
  kQueryScale,
  kKeyScale,
  kQueryQuantMode,
  kKeyQuantMode,
  kAttentionMode,
  kReturnLse,
  kValueScale,
  kValueQuantMode,
  kScaleRepository,
  kTileSize,
  kRopeSize,
  kSink,
  // Of gradients and losses:
  kDOut = kOwn,
  kHeadNum,
  kDeterministic,
  kDQuery,
  kDKey,
  kDValue,
  kDQueryRope,
  kDKeyRope,
  kDWeights,
  kQueryIndex,
  kKeyIndex,
  kMaxIndex,
  kSumIndex,
  kLoss,
};

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
constexpr ParamSpec MutableText(int id, const char* name, const char* note) {
  return {
      .name = name, .id = id, .kind = Kind::kMutableText, .need = Need::kOptional, .note = note};
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

}  // namespace anyacl::sparse_attention
