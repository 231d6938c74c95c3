// SPDX-License-Identifier: Apache-2.0
// The declarations of ATB's operations (README.md), which libatb.so calls by their names: they have
// no functions of their own in libopapi.so. Codes are those of include/atb/types.h.
#pragma once

#include "nnop/operator.h"

namespace anyacl::atb_operations {

// Of caches.
enum : int {
  kNewKey,
  kNewValue,
  kKeyCache,
  kValueCache,
  kSlots,
  kInPieces,
  kBlocks,
  kLengths,
  kStarts,
  kCumulative,
};
enum : int { kTurnedQuery, kTurnedKey, kCos, kSin, kRopeQ, kRopeK, kRotaryCoeff };  // Rope
// Of those of one input and one output.
enum : int {
  kX,
  kOut,
  kWeight,
  kBias,
  kTransposeA,
  kTransposeB,
  kAccumulates,
  kGroups,
  kGroupsChosen,
  kExpertsSummed,
  kGamma,
  kBeta,
  kSteps,
  kOffset,
  kEpsilon,
  // Of experts that are chosen.
  kCopies,
  kCopyTable,
  kChosen,
  kNormalises,
  kFactor,
  kExpertsOut,
  kGroupEnds,
};

// Of attention.
enum : int {
  kQuery,
  kKey,
  kValue,
  kBlockTable,
  kMask,
  kQueryLens,
  kKeyLens,
  kAttention,
  kHeads,
  kKeyHeads,
  kScale,
  kValueSize,
  kCausal,
  kMaskByHead,
  // Of rings.
  kQueryRope,
  kKeyRope,
  kPrevOut,
  kPrevLse,
  kLse,
};

Status PrepareReshapeAndCache(Operands& operands, PreparedCall* call);
Status PreparePagedCacheLoad(Operands& operands, PreparedCall* call);
Status PrepareAttention(Operands& operands, PreparedCall* call);
Status PrepareRing(Operands& operands, PreparedCall* call);
Status PrepareLatent(Operands& operands, PreparedCall* call);
Status PrepareRope(Operands& operands, PreparedCall* call);
Status PrepareLinear(Operands& operands, PreparedCall* call);
Status PrepareGroupedAdd(Operands& operands, PreparedCall* call);
Status PrepareGroupTopk(Operands& operands, PreparedCall* call);
Status PrepareAddTopk(Operands& operands, PreparedCall* call);
Status PrepareQuantPerChannel(Operands& operands, PreparedCall* call);
Status PrepareRmsNorm(Operands& operands, PreparedCall* call);

// ERROR_INVALID_TENSOR_ADDR, _DTYPE, _FORMAT and _DIM.
inline constexpr CheckCodes kCodes = {14, 6, 7, 8};

inline constexpr DTypeSet kFloats = {ACL_FLOAT16, ACL_BF16, ACL_FLOAT};
inline constexpr DTypeSet kHalves = {ACL_FLOAT16, ACL_BF16};
inline constexpr DTypeSet kCached = {ACL_FLOAT16, ACL_BF16, ACL_INT8};
inline constexpr DTypeSet kInt32 = {ACL_INT32};
inline constexpr DTypeSet kInt8 = {ACL_INT8};

// Caches lie in blocks of rows, [blocks, blockSize, Nk, D], or in pieces (README.md).
inline constexpr ParamSpec kReshapeAndCacheParams[] = {
    In(kNewKey, "key", kCached, "T Nk D"),
    Optional(In(kNewValue, "value", kCached, "T Nk Dv")),
    Like(kNewKey, InOut(kKeyCache, "keyCache", kCached, "b r h c")),
    Optional(Like(kNewValue, InOut(kValueCache, "valueCache", kCached, "bv rv hv cv"))),
    In(kSlots, "slots", kInt32, "T"),
    Value(kInPieces, "inPieces", Kind::kBool),
};
inline constexpr ParamSpec kPagedCacheLoadParams[] = {
    PlainOrFractalNz(In(kKeyCache, "keyCache", kCached, "b r h c")),
    PlainOrFractalNz(In(kValueCache, "valueCache", kCached, "bv rv hv cv")),
    In(kBlocks, "blockTables", kInt32, "B M"),
    In(kLengths, "contextLens", kInt32, "L"),
    Dense(Like(kKeyCache, Out(kNewKey, "key", kCached, "T Nk D | T H"))),
    Dense(Like(kValueCache, Out(kNewValue, "value", kCached, "T Nk Dv | T Hv"))),
    Optional(In(kStarts, "seqStarts", kInt32, "B")),
    Value(kInPieces, "inPieces", Kind::kBool),
    Value(kCumulative, "isSeqLensCumsumType", Kind::kBool),
};
inline constexpr ParamSpec kAttentionParams[] = {
    In(kQuery, "query", kHalves, "T headNum D"),
    Like(kQuery, In(kKey, "key", kHalves, "S Nk D | blocks blockSize Nk D")),
    Optional(Like(kQuery, In(kValue, "value", kHalves, "S Nk Dv | blocks blockSize Nk Dv"))),
    Optional(In(kBlockTable, "blockTable", kInt32, "B M")),
    Optional(Like(kQuery, In(kMask, "mask", kHalves))),
    Optional(Value(kQueryLens, "queryLens", Kind::kIntArray)),
    Value(kKeyLens, "contextLens", Kind::kIntArray),
    Like(kQuery, Out(kAttention, "out", kHalves, "T headNum V")),
    {.name = "headNum", .id = kHeads, .kind = Kind::kInt64, .min = 1, .names_size = true},
    {.name = "kvHeadNum", .id = kKeyHeads, .kind = Kind::kInt64, .min = 0},
    Value(kScale, "qkScale", Kind::kDouble),
    {.name = "mlaVHeadSize", .id = kValueSize, .kind = Kind::kInt64, .min = 0},
    Value(kCausal, "causal", Kind::kBool),
    Value(kMaskByHead, "maskByHead", Kind::kBool),
};
inline constexpr DTypeSet kFloat = {ACL_FLOAT};
inline constexpr ParamSpec kRingParams[] = {
    In(kQuery, "querySplit1", kHalves, "T headNum D"),
    Like(kQuery, In(kQueryRope, "querySplit2", kHalves, "T headNum R")),
    Like(kQuery, In(kKey, "keySplit1", kHalves, "S Nk D")),
    Like(kQuery, In(kKeyRope, "keySplit2", kHalves, "S Nk R")),
    Like(kQuery, In(kValue, "value", kHalves, "S Nk Dv")),
    Optional(Dense(Like(kQuery, In(kPrevOut, "prevOut", kHalves, "T headNum Dv")))),
    Optional(Dense(In(kPrevLse, "prevLse", kFloat, "headNum T"))),
    Value(kQueryLens, "seqLen of queries", Kind::kIntArray),
    Value(kKeyLens, "seqLen of keys", Kind::kIntArray),
    Dense(Like(kQuery, Out(kAttention, "output", kHalves, "T headNum Dv"))),
    Dense(Out(kLse, "softmaxLse", kFloat, "headNum T")),
    {.name = "headNum", .id = kHeads, .kind = Kind::kInt64, .min = 1, .names_size = true},
    {.name = "kvHeadNum", .id = kKeyHeads, .kind = Kind::kInt64, .min = 0},
    Value(kScale, "qkScale", Kind::kDouble),
    Value(kCausal, "causal", Kind::kBool),
};
inline constexpr ParamSpec kLatentParams[] = {
    In(kQuery, "qNope", kHalves, "T headNum D"),
    Like(kQuery, In(kQueryRope, "qRope", kHalves, "T headNum R")),
    Like(kQuery, In(kKey, "ctKV", kHalves, "blocks blockSize Nk D")),
    Like(kQuery, In(kKeyRope, "kRope", kHalves, "blocks blockSize Nk R")),
    Like(kQuery, In(kValue, "ctKV", kHalves, "blocks blockSize Nk D")),
    In(kBlockTable, "blockTables", kInt32, "B M"),
    Optional(Like(kQuery, In(kMask, "mask", kHalves, "T S"))),
    Optional(Value(kQueryLens, "qSeqLen", Kind::kIntArray)),
    Value(kKeyLens, "contextLens", Kind::kIntArray),
    Like(kQuery, Out(kAttention, "attenOut", kHalves, "T headNum D")),
    Optional(Dense(Like(kQuery, Out(kLse, "lse", kHalves, "T headNum 1")))),
    {.name = "headNum", .id = kHeads, .kind = Kind::kInt64, .min = 1, .names_size = true},
    {.name = "kvHeadNum", .id = kKeyHeads, .kind = Kind::kInt64, .min = 1, .max = 1},
    Value(kScale, "qkScale", Kind::kDouble),
    Value(kCausal, "causal", Kind::kBool),
};
inline constexpr ParamSpec kRopeParams[] = {
    In(kTurnedQuery, "query", kFloats, "T Hq"),
    Like(kTurnedQuery, In(kTurnedKey, "key", kFloats, "T Hk")),
    In(kCos, "cos", kFloats, "T D"),
    Like(kCos, In(kSin, "sin", kFloats, "T D")),
    Like(kTurnedQuery, Out(kRopeQ, "ropeQ", kFloats, "T Hq")),
    Like(kTurnedKey, Out(kRopeK, "ropeK", kFloats, "T Hk")),
    Value(kRotaryCoeff, "rotaryCoeff", Kind::kInt64),
};
inline constexpr ParamSpec kLinearParams[] = {
    In(kX, "x", kFloats, "X0 X1"),
    Like(kX, In(kWeight, "weight", kFloats, "W0 W1")),
    Optional(In(kBias, "bias", kFloats)),
    Out(kOut, "out", kFloats, "M N"),
    Value(kTransposeA, "transposeA", Kind::kBool),
    Value(kTransposeB, "transposeB", Kind::kBool),
    Value(kAccumulates, "enAccum", Kind::kBool),
};
inline constexpr ParamSpec kGroupedAddParams[] = {
    In(kX, "x", kHalves, "X0 X1"),
    Like(kX, In(kWeight, "weight", kHalves, "K N")),
    Noted(In(kGroupEnds, "groupList", {ACL_INT64}, "G"), "where each group of K ends"),
    In(kBias, "c", {ACL_FLOAT}, "R C"),
    Out(kOut, "out", {ACL_FLOAT}, "R C"),
    Value(kTransposeA, "transposeA", Kind::kBool),
};
inline constexpr ParamSpec kGroupTopkParams[] = {
    In(kX, "x", kHalves, "T E"),
    Like(kX, Out(kOut, "out", kHalves, "T E")),
    Value(kGroups, "groupNum", Kind::kInt64),
    Value(kGroupsChosen, "k", Kind::kInt64),
    Value(kExpertsSummed, "n", Kind::kInt64),
};
inline constexpr ParamSpec kAddTopkParams[] = {
    In(kX, "x", kFloats, "T E"),
    Like(kX, In(kBias, "addNum", kFloats, "E")),
    Optional(In(kCopies, "mappingNum", kInt32, "E")),
    Optional(In(kCopyTable, "mappingTable", kInt32, "E C")),
    Value(kGroups, "groupNum", Kind::kInt64),
    Value(kGroupsChosen, "groupTopk", Kind::kInt64),
    Value(kExpertsSummed, "n", Kind::kInt64),
    {.name = "k", .id = kChosen, .kind = Kind::kInt64, .min = 1, .names_size = true},
    Value(kNormalises, "isNorm", Kind::kBool),
    Value(kFactor, "scale", Kind::kDouble),
    Out(kOut, "y", kFloat, "T k"),
    Out(kExpertsOut, "indices", kInt32, "T k"),
};
inline constexpr ParamSpec kQuantPerChannelParams[] = {
    In(kX, "x", kHalves, "X*"),
    Like(kX, In(kSteps, "scale", kHalves)),
    Optional(In(kOffset, "offset", kInt8)),
    Out(kOut, "y", kInt8, "X*"),
};
inline constexpr ParamSpec kRmsNormParams[] = {
    In(kX, "x", kFloats, "X.. D"),
    Like(kX, In(kGamma, "gamma", kFloats, "D | 1 D")),
    Optional(Like(kX, In(kBeta, "beta", kFloats, "D | 1 D"))),
    Optional(Like(kX, In(kSteps, "scale", kFloats, "1"))),
    Optional(In(kOffset, "offset", kInt8, "1")),
    Out(kOut, "y", {ACL_FLOAT16, ACL_BF16, ACL_FLOAT, ACL_INT8}, "X.. D"),
    Value(kEpsilon, "epsilon", Kind::kDouble),
};

constexpr OpSpec Operation(const char* name, std::span<const ParamSpec> params,
                           PrepareFunction prepare) {
  return {.op = {name, name}, .params = params, .prepare = prepare, .codes = kCodes};
}

inline constexpr OpSpec kOperations[] = {
    Operation("ReshapeAndCacheOperation", kReshapeAndCacheParams, PrepareReshapeAndCache),
    Operation("PagedCacheLoadOperation", kPagedCacheLoadParams, PreparePagedCacheLoad),
    Operation("PagedAttentionOperation", kAttentionParams, PrepareAttention),
    Operation("SelfAttentionOperation", kAttentionParams, PrepareAttention),
    Operation("RingMLAOperation", kRingParams, PrepareRing),
    Operation("MultiLatentAttentionOperation", kLatentParams, PrepareLatent),
    Operation("RopeOperation", kRopeParams, PrepareRope),
    Operation("LinearOperation", kLinearParams, PrepareLinear),
    Operation("GroupedMatmulInplaceAddOperation", kGroupedAddParams, PrepareGroupedAdd),
    Operation("GroupTopkOperation", kGroupTopkParams, PrepareGroupTopk),
    Operation("FusedAddTopkDivOperation", kAddTopkParams, PrepareAddTopk),
    Operation("ElewiseOperation", kQuantPerChannelParams, PrepareQuantPerChannel),
    Operation("RmsNormOperation", kRmsNormParams, PrepareRmsNorm),
};

}  // namespace anyacl::atb_operations
