// SPDX-License-Identifier: Apache-2.0
// The declarations of the operators that give queries and keys their positions (README.md): D is
// the length of a head, R of its rotated part.
#pragma once

#include "nnop/dtype_sets.h"
#include "ops/rotary/prolog_operators.h"

namespace anyacl::rotary {

enum : int {
  kQuery,
  kKey,
  kCos,
  kSin,
  kOut,
  kPositions,
  kCache,
  kSection,
  kHeadSize,
  kNeox,
  kKeyOut,
  kKv,
  kGamma,
  kIndex,
  kKeyCache,
  kValueCache,
  kKeyScale,
  kValueScale,
  kKeyOffset,
  kValueOffset,
  kEpsilon,
  kCacheMode,
  kOutputKv,
  kRopeOut,
  kNormOut,
  kX,
  kWeightScale,
  kActivationScale,
  kBias,
  kSizeSplits,
  kQuantMode,
  kLayout,
  kValueOut,
  kInterleaved,
  kValue,
  kKeyGamma,
  kQkvSize,
  kHeadNums,
  kPlainQuery,
  kPlainKey,
  kPlainValue,
};

Status PrepareWithCache(Operands& operands, PreparedCall* call);
Status PrepareKvCache(Operands& operands, PreparedCall* call);
Status PrepareQuantKvCache(Operands& operands, PreparedCall* call);
Status PrepareQkvCache(Operands& operands, PreparedCall* call);

inline constexpr std::array kWithCacheInputs = {
    Noted(In(kPositions, "positions", {ACL_INT64}, "T | M T"), "of tokens, 0 to L - 1"),
    Noted(In(kQuery, "queryIn", kFloats, "T Q"), "Q is a multiple of headSize"),
    Noted(Like(kQuery, In(kKey, "keyIn", kFloats, "T K")), "K is a multiple of headSize"),
    Noted(Like(kQuery, In(kCache, "cosSinCache", kFloats, "L R")),
          "R/2 cosines, then R/2 sines of each position; R is at most headSize"),
    ParamSpec{
        .name = "mropeSection",
        .id = kSection,
        .kind = Kind::kIntArray,
        .need = Need::kOptional,
        .note =
            "how many of the R/2 angles follow each of the M rows of positions, 3 or 4; without "
            "effect where positions has rank 1"},
    ParamSpec{.name = "headSize", .id = kHeadSize, .kind = Kind::kInt64, .min = 1},
    Value(kNeox, "isNeoxStyle", Kind::kBool, "pairs are R/2 apart, else neighbours"),
};
inline constexpr std::array kCacheModeRows = {
    ParamSpec{.name = "cacheMode",
              .id = kInterleaved,
              .kind = Kind::kInt64,
              .min = 0,
              .max = 1,
              .note = "0: as sections follow each other, 1: angles i of positions[i % 3], 3 "
                      "sections; without effect where positions has rank 1"},
};
inline constexpr std::array kWithCacheOutputs = {
    Like(kQuery, Out(kOut, "queryOut", kFloats, "T Q")),
    Like(kQuery, Out(kKeyOut, "keyOut", kFloats, "T K")),
};
inline constexpr auto kWithCacheParams = JoinRows(kWithCacheInputs, kWithCacheOutputs);
inline constexpr auto kWithCacheV2Params =
    JoinRows(kWithCacheInputs, kCacheModeRows, kWithCacheOutputs);
inline constexpr DTypeSet kCached = {ACL_FLOAT16, ACL_BF16, ACL_INT8};
constexpr ParamSpec Factors(int id, const char* name, const char* note) {
  return Noted(In(id, name, {ACL_FLOAT}, "*", Need::kOptional), note);
}
constexpr ParamSpec WantedOut(int id, const char* name, const char* dims) {
  return ConstHandle(NeededIf(Like(kKv, Out(id, name, kHalves, dims)), "isOutputKv"));
}
inline constexpr ParamSpec kKvCacheParams[] = {
    Noted(In(kKv, "kv", kHalves, "B 1 S D"), "D is Dv + R"),
    Like(kKv, In(kGamma, "gamma", kHalves, "Dv")),
    Noted(Like(kKv, In(kCos, "cos", kHalves, "B 1 C R")), "C is S or 1; R is even"),
    Like(kKv, In(kSin, "sin", kHalves, "B 1 C R")),
    Noted(In(kIndex, "index", {ACL_INT64}, "I | I J"),
          "where tokens go, -1: nowhere; Norm: [B, S], PA: [B * S], PA_BLK: [B * blocks of S]"),
    Noted(InOut(kKeyCache, "kCacheRef", kCached, "E F G R"),
          "Norm: [batches, 1, places, R], PA: [blocks, places, 1, R]"),
    Noted(InOut(kValueCache, "ckvCacheRef", kCached, "E F G Dv"), "as kCacheRef"),
    Factors(kKeyScale, "kRopeScaleOptional", "[1, R], [R] or [1]; needed for an INT8 kCacheRef"),
    Factors(kValueScale, "cKvScaleOptional",
            "[1, Dv], [Dv] or [1]; needed for an INT8 ckvCacheRef"),
    Factors(kKeyOffset, "kRopeOffsetOptional", "as kRopeScaleOptional, and only beside it"),
    Factors(kValueOffset, "cKvOffsetOptional", "as cKvScaleOptional, and only beside it"),
    Value(kEpsilon, "epsilon", Kind::kDouble, "added to the mean square; 0 or more"),
    {.name = "cacheModeOptional",
     .id = kCacheMode,
     .kind = Kind::kMutableText,
     .need = Need::kOptional,
     .note = "Norm (or null), PA, PA_BNSD, PA_NZ, PA_BLK_BNSD, PA_BLK_NZ"},
    Value(kOutputKv, "isOutputKv", Kind::kBool, "whether kRopeOut and cKvOut are written"),
    WantedOut(kRopeOut, "kRopeOut", "B 1 S R"),
    WantedOut(kNormOut, "cKvOut", "B 1 S Dv"),
};

// With heads, and values of their own.
inline constexpr ParamSpec kKvCacheV2Params[] = {
    Noted(In(kKv, "kv", kHalves, "B N S D"), "D is Dv + R, N 1; with vOptional: D is Dk"),
    Noted(Like(kKv, In(kGamma, "gamma", kHalves, "W")), "Dv; with vOptional: D"),
    Noted(Like(kKv, In(kCos, "cos", kHalves, "B H C R")), "H is N or 1, C is S or 1; R is even"),
    Like(kKv, In(kSin, "sin", kHalves, "B H C R")),
    kKvCacheParams[4],
    Noted(InOut(kKeyCache, "kCacheRef", kCached, "E F G X"),
          "Norm: [batches, N, places, X], PA: [blocks, places, N, X]; X is R; with vOptional: D"),
    Noted(InOut(kValueCache, "ckvCacheRef", kCached, "E F G Y"), "as kCacheRef; Y is Dv"),
    Factors(kKeyScale, "kRopeScaleOptional",
            "[N, X], [1, X], [X] or [1]; needed for an INT8 kCacheRef"),
    Factors(kValueScale, "cKvScaleOptional",
            "[N, Y], [1, Y], [Y] or [1]; needed for an INT8 ckvCacheRef"),
    Factors(kKeyOffset, "kRopeOffsetOptional", "as kRopeScaleOptional, and only beside it"),
    Factors(kValueOffset, "cKvOffsetOptional", "as cKvScaleOptional, and only beside it"),
    Noted(Like(kKv, In(kValue, "vOptional", kHalves, "B N S Dv", Need::kOptional)),
          "values; then kv is keys alone: all of them normalised, the first R of each turned"),
    kKvCacheParams[11],
    kKvCacheParams[12],
    kKvCacheParams[13],
    WantedOut(kRopeOut, "kRopeOut", "B N S Ko"),
    WantedOut(kNormOut, "cKvOut", "B N S Vo"),
};

constexpr ParamSpec HeadFactors(int id, const char* name, Need need, const char* note) {
  ParamSpec row = Noted(In(id, name, {ACL_FLOAT}, "*", need), note);
  row.elements = "N*D";
  return row;
}
constexpr ParamSpec TextOption(int id, const char* name, const char* note) {
  return {
      .name = name, .id = id, .kind = Kind::kMutableText, .need = Need::kOptional, .note = note};
}
constexpr ParamSpec TurnedOut(int id, const char* name, Need need) {
  return ConstHandle(Like(kCos, Out(id, name, kHalves, "B S Nq D | T Nq D", need)));
}
constexpr ParamSpec HeadsOut(int id, const char* name) {
  ParamSpec row = TurnedOut(id, name, Need::kOptional);
  row.dims = "B S N D | T N D";
  row.needed_if = "kvOutput";
  return row;
}
inline constexpr ParamSpec kQuantKvCacheParams[] = {
    Noted(In(kX, "x", {ACL_FLOAT16, ACL_BF16, ACL_INT32}, "B S H | T H"),
          "INT32, or of the type of cos; H = (Nq + N + N) * D"),
    Noted(In(kCos, "cos", kHalves, "B S 1 D | T D"), "D is even"),
    Like(kCos, In(kSin, "sin", kHalves, "B S 1 D | T D")),
    Noted(InOut(kKeyCache, "kCacheRef", {ACL_INT8}, "E F N D"),
          "contiguous: [batches, places], page: [blocks, places]"),
    InOut(kValueCache, "vCacheRef", {ACL_INT8}, "E F N D"),
    Noted(
        In(kIndex, "indices", {ACL_INT32}, "I"),
        "contiguous: the first place of each batch, page: the place of each token, or -1: nowhere"),
    HeadFactors(kKeyScale, "scaleK", Need::kRequired, "divides keys"),
    HeadFactors(kValueScale, "scaleV", Need::kRequired, "divides values"),
    HeadFactors(kKeyOffset, "offsetKOptional", Need::kOptional, "only with offsetVOptional"),
    HeadFactors(kValueOffset, "offsetVOptional", Need::kOptional, "only with offsetKOptional"),
    Noted(In(kWeightScale, "weightScaleOptional", {ACL_FLOAT}, "H", Need::kOptional),
          "needed for an INT32 x, as the next two without effect on others"),
    Noted(In(kActivationScale, "activationScaleOptional", {ACL_FLOAT}, "*", Need::kOptional),
          "a number for each token"),
    Noted(In(kBias, "biasOptional", {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32}, "H",
             Need::kOptional),
          "INT32: added before x is scaled, else after it"),
    {.name = "sizeSplits",
     .id = kSizeSplits,
     .kind = Kind::kIntArray,
     .note = "Nq * D, N * D, N * D"},
    TextOption(kQuantMode, "quantModeOptional", "static (or null)"),
    TextOption(kLayout, "layoutOptional", "BSND (or null)"),
    Value(kOutputKv, "kvOutput", Kind::kBool, "whether kOut and vOut are written"),
    TextOption(kCacheMode, "cacheModeOptional", "contiguous (or null), page"),
    TurnedOut(kOut, "qOut", Need::kRequired),
    HeadsOut(kKeyOut, "kOut"),
    HeadsOut(kValueOut, "vOut"),
};

constexpr ParamSpec OfHeads(int id, const char* name, const char* note) {
  return Noted(In(id, name, {ACL_FLOAT}, "N D", Need::kOptional), note);
}
constexpr ParamSpec PlainOut(int id, const char* name, const char* dims, const char* note) {
  return ConstHandle(Noted(Like(kX, Out(id, name, kHalves, dims, Need::kOptional)), note));
}
inline constexpr ParamSpec kQkvCacheParams[] = {
    Noted(In(kX, "qkv", kHalves, "T C"), "of each token Nq queries, N keys, N values of D"),
    Like(kX, In(kGamma, "qGamma", kHalves, "D")),
    Like(kX, In(kKeyGamma, "kGamma", kHalves, "D")),
    Noted(Like(kX, In(kCos, "cos", kHalves, "T D")), "D is even"),
    Like(kX, In(kSin, "sin", kHalves, "T D")),
    Noted(In(kIndex, "index", {ACL_INT64}, "T"), "where tokens go, -1: nowhere"),
    Noted(Like(kX, InOut(kOut, "qOut", kHalves, "T Q")), "queries normalised and turned"),
    Noted(InOut(kKeyCache, "kCache", kCached, "E Fk G Uk"),
          "[blocks, N * D / Uk, places, Uk], Uk being 16, or 32 of INT8"),
    Noted(InOut(kValueCache, "vCache", kCached, "E Fv G Uv"), "as kCache"),
    OfHeads(kKeyScale, "kScaleOptional", "divides keys; needed for an INT8 kCache"),
    OfHeads(kValueScale, "vScaleOptional", "divides values; needed for an INT8 vCache"),
    OfHeads(kKeyOffset, "kOffsetOptional", "only beside kScaleOptional"),
    OfHeads(kValueOffset, "vOffsetOptional", "only beside vScaleOptional"),
    {.name = "qkvSize", .id = kQkvSize, .kind = Kind::kIntArray, .note = "B, S, Nq + 2 N, D"},
    {.name = "headNums", .id = kHeadNums, .kind = Kind::kIntArray, .note = "Nq, N, N"},
    Value(kEpsilon, "epsilon", Kind::kDouble, "added to the mean square; 0 or more"),
    TextOption(kCacheMode, "cacheModeOptional", "PA_NZ (or null)"),
    PlainOut(kPlainQuery, "qOutBeforeQuant", "T Q", "as qOut"),
    PlainOut(kPlainKey, "kOutBeforeQuant", "T K", "keys normalised and turned"),
    PlainOut(kPlainValue, "vOutBeforeQuant", "T K", "values as they are"),
};

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"RopeWithSinCosCache">,
     .params = kWithCacheParams,
     .prepare = PrepareWithCache,
     .header = "aclnn_rope_with_sin_cos_cache.h",
     .summary = "(a, b) -> (a cos - b sin, b cos + a sin) for the pairs (a, b) of the first R "
                "elements of each head, by the angles of the token's position",
     .document =
         "ops-transformer: posembedding/rope_with_sin_cos_cache/docs/aclnnRopeWithSinCosCache.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
    {.op = kNames<"RopeWithSinCosCacheV2">,
     .params = kWithCacheV2Params,
     .prepare = PrepareWithCache,
     .header = "aclnn_rope_with_sin_cos_cache_v2.h",
     .summary =
         "aclnnRopeWithSinCosCache, where angles may come from the rows of positions in turn",
     .document =
         "ops-transformer: posembedding/rope_with_sin_cos_cache/docs/aclnnRopeWithSinCosCacheV2.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
    {.op = kNames<"KvRmsNormRopeCache">,
     .params = kKvCacheParams,
     .prepare = PrepareKvCache,
     .header = "aclnn_kv_rms_norm_rope_cache.h",
     .summary = "ckvCacheRef[index] = x / rms(x) * gamma of x = kv[..., :Dv]; kCacheRef[index] = "
                "the neighbours of kv[..., Dv:] turned, as InterleaveRope",
     .document =
         "ops-transformer: posembedding/kv_rms_norm_rope_cache/docs/aclnnKvRmsNormRopeCache.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
    {.op = kNames<"KvRmsNormRopeCacheV2">,
     .params = kKvCacheV2Params,
     .prepare = PrepareKvCache,
     .header = "aclnn_kv_rms_norm_rope_cache_v2.h",
     .summary = "aclnnKvRmsNormRopeCache, or with vOptional and any number of heads: x = kv / "
                "rms(kv) * gamma, of which the neighbours of x[..., :R] are turned as there, goes "
                "to kCacheRef[index], vOptional to ckvCacheRef[index]",
     .document =
         "ops-transformer: posembedding/kv_rms_norm_rope_cache/docs/aclnnKvRmsNormRopeCacheV2.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
    {.op = kNames<"DequantRopeQuantKvcache">,
     .params = kQuantKvCacheParams,
     .prepare = PrepareQuantKvCache,
     .header = "aclnn_dequant_rope_quant_kvcache.h",
     .summary = "q, k, v = x, or (x * weightScale * activationScale + bias) of INT32, cut by "
                "sizeSplits; qOut, kOut = q, k turned; kCacheRef[indices] = round(kOut / scaleK + "
                "offsetK), vCacheRef[indices] = round(v / scaleV + offsetV)",
     .document = "ops-transformer: "
                 "posembedding/dequant_rope_quant_kvcache/docs/aclnnDequantRopeQuantKvcache.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
    {.op = kNames<"QkvRmsNormRopeCache">,
     .params = kQkvCacheParams,
     .prepare = PrepareQkvCache,
     .header = "aclnn_qkv_rms_norm_rope_cache.h",
     .summary =
         "q, k, v = qkv; qOut = q / rms(q) * qGamma turned, kCache[index] = round(k / rms(k) "
         "* kGamma turned / kScale + kOffset), vCache[index] = round(v / vScale + vOffset)",
     .document =
         "ops-transformer: posembedding/qkv_rms_norm_rope_cache/docs/aclnnQkvRmsNormRopeCache.md"},
    {.op = kNames<"MlaProlog">,
     .params = kPrologParams,
     .prepare = PrepareProlog,
     .header = "aclnn_mla_prolog.h",
     .summary = "c = RmsNorm(tokenX @ weightDq) @ weightUqQr: queryOut = c[.., :D] @ weightUk of "
                "each head, queryRopeOut = c[.., D:] turned; of tokenX @ weightDkvKr the norm goes "
                "to kvCacheRef[cacheIndex], the rest turned to krCacheRef[cacheIndex]",
     .document = "ops-transformer: attention/mla_prolog/docs/aclnnMlaProlog.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
    {.op = kNames<"MlaPrologV2WeightNz">,
     .params = kPrologV2Params,
     .prepare = PrepareProlog,
     .header = "aclnn_mla_prolog_v2_weight_nz.h",
     .summary = "as aclnnMlaProlog, and INT8 queries with dequantScaleQNopeOutOptional",
     .document = "ops-transformer: attention/mla_prolog_v2/docs/aclnnMlaPrologV2WeightNz.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
    {.op = kNames<"MlaPrologV3WeightNz">,
     .params = kPrologV3Params,
     .prepare = PrepareProlog,
     .header = "aclnn_mla_prolog_v3_weight_nz.h",
     .summary =
         "as aclnnMlaPrologV2WeightNz, with factors of both norms, caches of more orders and "
         "the queries' norm as a result",
     .document = "ops-transformer: attention/mla_prolog_v3/docs/aclnnMlaPrologV3WeightNz.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
};

}  // namespace anyacl::rotary
