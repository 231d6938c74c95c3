// SPDX-License-Identifier: Apache-2.0
// The declarations of the operators that put slices where indices say (README.md).
#pragma once

#include "nnop/joined_rows.h"

namespace anyacl::slice_update {

enum : int {
  kTarget,
  kIndices,
  kUpdates,
  kAxis,
  kMask,
  kReduce,
  kScales,
  kZeroPoints,
  kQuantAxis,
  kRoundMode,
};
// Of caches.
enum : int {
  kKey,
  kKeyCache,
  kSlots,
  kValue,
  kValueCache,
  kCompressLens,
  kCompressOffsets,
  kSeqLens,
  kCacheMode,
  kScatterMode,
  kTokenSteps,
  kTokenOffsets,
  kBlockTables,
  kSeqOffset,
  kCumulative,
};

Status PrepareNdUpdate(Operands& operands, PreparedCall* call);
Status PrepareScatterUpdate(Operands& operands, PreparedCall* call);
Status PrepareScatterList(Operands& operands, PreparedCall* call);
Status PrepareQuantScatter(Operands& operands, PreparedCall* call);
Status PrepareKvCache(Operands& operands, PreparedCall* call);
Status PrepareGatherKvCache(Operands& operands, PreparedCall* call);

constexpr ParamSpec Text(int id, const char* name, const char* note) {
  return {
      .name = name, .id = id, .kind = Kind::kMutableText, .need = Need::kOptional, .note = note};
}

inline constexpr DTypeSet kIndexTypes = {ACL_INT32, ACL_INT64};
inline constexpr DTypeSet kNdTypes = {ACL_FLOAT16, ACL_BF16, ACL_FLOAT,
                                      ACL_INT64,   ACL_BOOL, ACL_INT8};
inline constexpr DTypeSet kScatterTypes = {ACL_INT8,  ACL_UINT8, ACL_FLOAT16,
                                           ACL_FLOAT, ACL_INT32, ACL_BF16};

inline constexpr ParamSpec kNdUpdateParams[] = {
    InOut(kTarget, "varRef", kNdTypes, "V.."),
    Noted(In(kIndices, "indices", kIndexTypes, "I.. A"),
          "A indices, at most 7, of varRef's first dimensions for each slice"),
    Noted(Like(kTarget, In(kUpdates, "updates", kNdTypes)),
          "slices: indices' shape without A, then varRef's without its first A dimensions"),
};
inline constexpr ParamSpec kScatterUpdateParams[] = {
    Noted(InOut(kTarget, "data", kScatterTypes, "D.."), "rank 2 to 8"),
    Noted(In(kIndices, "indices", kIndexTypes, "| N | N 2"),
          "where each slice begins along axis; rank 2: its place in dimension 0, and that"),
    Noted(Like(kTarget, In(kUpdates, "updates", kScatterTypes, "U..")),
          "N slices: data's shape but for dimension 0 and axis, where it is at most as long"),
    Value(kAxis, "axis", Kind::kInt64, "not 0; counts from the end if negative"),
};

inline constexpr DTypeSet kListTypes = {ACL_INT8,   ACL_INT16,   ACL_INT32, ACL_UINT8, ACL_UINT16,
                                        ACL_UINT32, ACL_FLOAT16, ACL_BF16,  ACL_FLOAT};
inline constexpr ParamSpec kScatterListParams[] = {
    {.name = "varRef",
     .id = kTarget,
     .kind = Kind::kTensorList,
     .direction = Direction::kInOut,
     .dtypes = kListTypes,
     .dims = "V..",
     .note = "B tensors of one shape and of updates' type"},
    Noted(In(kIndices, "indice", kIndexTypes, "B | B 2"),
          "where each slice begins along axis; rank 2: that, and how much of it is taken"),
    Noted(In(kUpdates, "updates", kListTypes, "B U.."),
          "a slice for each tensor: its shape but for axis, where it is at most as long"),
    Noted(In(kMask, "maskOptional", {ACL_UINT8}, "B", Need::kOptional),
          "1: the tensor is updated; without it all are"),
    Text(kReduce, "reduceOptional", "null or update"),
    Value(kAxis, "axis", Kind::kInt64, "of updates, not 0; counts from the end if negative"),
};
constexpr std::array<ParamSpec, 2> QuantScales() {
  return {ParamSpec{.name = "quantScales",
                    .id = kScales,
                    .dtypes = {ACL_BF16, ACL_FLOAT},
                    .elements = "D",
                    .note = "BF16 with BF16 updates, FLOAT with FLOAT16"},
          ParamSpec{.name = "quantZeroPoints",
                    .id = kZeroPoints,
                    .need = Need::kOptional,
                    .dtypes = {ACL_BF16, ACL_INT32},
                    .elements = "D",
                    .note = "BF16 with BF16 updates, INT32 with FLOAT16"}};
}
inline constexpr ParamSpec kUpdateOnly = {
    .name = "reduction", .id = kReduce, .kind = Kind::kInt64, .min = 1, .max = 1, .note = "update"};
inline constexpr auto kQuantScatterParams = JoinRows(
    std::array{
        InOut(kTarget, "selfRef", {ACL_INT8}, "B S D"),
        Noted(In(kIndices, "indices", kIndexTypes, "N"), "where each slice begins along axis"),
        Noted(In(kUpdates, "updates", {ACL_BF16, ACL_FLOAT16}, "N L D"),
              "N slices, at most B; L at most S")},
    QuantScales(),
    std::array{Value(kAxis, "axis", Kind::kInt64, "-2"),
               Value(kQuantAxis, "quantAxis", Kind::kInt64, "-1 or 2"), kUpdateOnly});
inline constexpr auto kQuantScatterV2Params = JoinRows(
    std::array{
        Noted(InOut(kTarget, "selfRef", {ACL_INT8}, "S.. D"), "rank 3 to 8"),
        Noted(In(kIndices, "indices", kIndexTypes, "N | N 2"),
              "where each slice begins along axis; rank 2: its place in dimension 0, and that"),
        Noted(In(kUpdates, "updates", {ACL_BF16, ACL_FLOAT16}, "U.. D"),
              "N slices: selfRef's shape but for dimension 0 and axis, where it is at most as "
              "long")},
    QuantScales(),
    std::array{Value(kAxis, "axis", Kind::kInt64, "neither the first nor the last"),
               Value(kQuantAxis, "quantAxis", Kind::kInt64, "the last"), kUpdateOnly,
               Value(kRoundMode, "roundMode", Kind::kText, "rint")});
inline constexpr char kQuantScatterSummary[] =
    "selfRef[i] from indices[i] along axis on = rint(updates[i] / quantScales + "
    "quantZeroPoints), held within INT8";

inline constexpr DTypeSet kCached = {ACL_FLOAT16, ACL_BF16, ACL_INT8};
constexpr ParamSpec KvCache(int id, const char* name, const char* dims, const char* note) {
  return PlainOrFractalNz(Noted(Like(kKey, InOut(id, name, kCached, dims)), note));
}
constexpr ParamSpec OfCompressed(int id, const char* name) {
  return Noted(In(id, name, kIndexTypes, "*", Need::kOptional),
               "of compressed caches: refused if it is given");
}
inline constexpr ParamSpec kKvCacheParams[] = {
    Noted(In(kKey, "key", kCached, "T N Dk"), "rank 4, of compressed caches, is refused"),
    KvCache(kKeyCache, "keyCacheRef", "b r h c | b g p r c",
            "blocks of slots, [b, slots, N, Dk]; PA_NZ: [b, N*Dk/c, slots, c] or [b, N, Dk/c, "
            "slots, c]"),
    Noted(In(kSlots, "slotMapping", kIndexTypes, "T"), "the slot of each token; negative: none"),
    Noted(Like(kKey, In(kValue, "value", kCached, "| 0 | T N Dv")),
          "a single number or none: keys alone"),
    KvCache(kValueCache, "valueCacheRef", "| 0 | b vr vh vc | b vg vp vr vc",
            "as keyCacheRef; a single number or none if value is"),
    OfCompressed(kCompressLens, "compressLensOptional"),
    OfCompressed(kCompressOffsets, "compressSeqOffsetOptional"),
    OfCompressed(kSeqLens, "seqLensOptional"),
    Text(kCacheMode, "cacheModeOptional", "null, Norm or PA_NZ"),
    Text(kScatterMode, "scatterModeOptional",
         "null, None or Nct; Alibi, Rope and Omni, of compressed caches, are refused"),
    {.name = "stridesOptional",
     .id = kTokenSteps,
     .kind = Kind::kIntArray,
     .need = Need::kOptional,
     .note = "Nct: how many elements lie from a token's first one to the next token's, of key and "
             "of value"},
    {.name = "offsetsOptional",
     .id = kTokenOffsets,
     .kind = Kind::kIntArray,
     .need = Need::kOptional,
     .note = "Nct: how many elements lie before the first token, of key and of value"},
};

constexpr ParamSpec GatheredFrom(int id, const char* name, const char* dims, const char* note) {
  return PlainOrFractalNz(Noted(In(id, name, kCached, dims), note));
}
inline constexpr ParamSpec kGatherKvCacheParams[] = {
    GatheredFrom(kKeyCache, "keyCache", "b r h c",
                 "Norm: blocks of slots, [b, slots, N, Dk]; PA_NZ: [b, N*Dk/c, slots, c]"),
    GatheredFrom(kValueCache, "valueCache", "b vr vh vc", "as keyCache"),
    Noted(In(kBlockTables, "blockTables", kIndexTypes, "B columns"),
          "the blocks of each sequence; where there is none are zeros"),
    Noted(Like(kBlockTables, In(kSeqLens, "seqLens", kIndexTypes, "L")),
          "[B], or [B + 1] where it is cumulative"),
    Noted(Like(kKeyCache, InOut(kKey, "keyRef", kCached, "T N Dk | T NDk")),
          "tokens behind the last one stay"),
    Like(kValueCache, InOut(kValue, "valueRef", kCached, "T N Dv | T NDv")),
    Noted(
        Like(kBlockTables, In(kSeqOffset, "seqOffsetOptional", kIndexTypes, "B", Need::kOptional)),
        "how many slots of a sequence's table are left out, in whole blocks"),
    {.name = "cacheMode", .id = kCacheMode, .kind = Kind::kMutableText, .note = "Norm or PA_NZ"},
    Value(kCumulative, "isSeqLensCumsum", Kind::kBool, "whether seqLens are sums, from 0 on"),
};

inline constexpr CheckCodes kTilingCodes = {.shape = ACLNN_ERR_INNER_TILING_ERROR};

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"ScatterNdUpdate">,
     .params = kNdUpdateParams,
     .prepare = PrepareNdUpdate,
     .header = "aclnn_scatter_nd_update.h",
     .summary = "varRef[indices[i..]] = updates[i..]",
     .document = "ops-nn: index/scatter_nd_update/docs/aclnnScatterNdUpdate.md"},
    {.op = kNames<"InplaceScatterUpdate">,
     .params = kScatterUpdateParams,
     .prepare = PrepareScatterUpdate,
     .header = "aclnn_scatter_update.h",
     .summary = "data[i] from indices[i] along axis on = updates[i]",
     .document = "ops-nn: index/scatter/docs/aclnnInplaceScatterUpdate.md"},
    {.op = kNames<"ScatterList">,
     .params = kScatterListParams,
     .prepare = PrepareScatterList,
     .header = "aclnn_scatter_list.h",
     .summary = "varRef[b] from indice[b] along axis on = updates[b]",
     .document = "ops-nn: index/scatter_list/docs/aclnnScatterList.md",
     .codes = kTilingCodes,
     .constraint_code = ACLNN_ERR_PARAM_INVALID},
    {.op = kNames<"InplaceQuantScatter">,
     .params = kQuantScatterParams,
     .prepare = PrepareQuantScatter,
     .header = "aclnn_quant_scatter.h",
     .summary = kQuantScatterSummary,
     .document = "ops-nn: index/quant_update_scatter/docs/aclnnInplaceQuantScatter.md"},
    {.op = kNames<"InplaceQuantScatterV2">,
     .params = kQuantScatterV2Params,
     .prepare = PrepareQuantScatter,
     .header = "aclnn_quant_scatter_v2.h",
     .summary = kQuantScatterSummary,
     .document = "ops-nn: index/quant_update_scatter/docs/aclnnInplaceQuantScatterV2.md"},
    {.op = kNames<"ScatterPaKvCache">,
     .params = kKvCacheParams,
     .prepare = PrepareKvCache,
     .header = "aclnn_scatter_pa_kv_cache.h",
     .summary = "slot slotMapping[t] of keyCacheRef = key[t], and of valueCacheRef = value[t]",
     .document = "ops-transformer: attention/scatter_pa_kv_cache/docs/aclnnScatterPaKvCache.md",
     .codes = kTilingCodes,
     .constraint_code = ACLNN_ERR_PARAM_INVALID},
    {.op = kNames<"GatherPaKvCache">,
     .params = kGatherKvCacheParams,
     .prepare = PrepareGatherKvCache,
     .header = "aclnn_gather_pa_kv_cache.h",
     .summary = "keyRef = the tokens of all sequences in keyCache, whose blocks blockTables lists, "
                "one behind the other, and valueRef those of valueCache",
     .document = "ops-transformer: attention/gather_pa_kv_cache/docs/aclnnGatherPaKvCache.md"},
};

}  // namespace anyacl::slice_update
