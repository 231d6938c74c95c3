// SPDX-License-Identifier: Apache-2.0
// The rows of aclnnMlaProlog and its later version (README.md), and of the node of this name.
#pragma once

#include <array>

#include "nnop/dtype_sets.h"
#include "nnop/joined_rows.h"
#include "nnop/single_op.h"

namespace anyacl::rotary {

enum : int {
  kTokenX,
  kWeightDq,
  kWeightUqQr,
  kWeightUk,
  kWeightDkvKr,
  kGammaCq,
  kGammaCkv,
  kRopeSin,
  kRopeCos,
  kCacheIndex,
  kKvCache,
  kKrCache,
  kFactorsX,
  kFactorsDq,
  kFactorsUqQr,
  kFactorsDkvKr,
  kScaleCkv,
  kScaleCkr,
  kSmooth,
  kEpsilonCq,
  kEpsilonCkv,
  kPrologMode,
  kQueryOut,
  kQueryRopeOut,
  kQueryFactorsOut,
  // Of the third version.
  kEnds,
  kClipAlpha,
  kWeightMode,
  kCacheQuantMode,
  kQueryMode,
  kCacheRepoMode,
  kScaleRepoMode,
  kTileSize,
  kQueryFactor,
  kKeyFactor,
  kQueryNormOut,
  kQueryStepsOut,
  // Of the node, whose caches are inputs and outputs.
  kKvCacheOut,
  kKrCacheOut,
};

Status PrepareProlog(Operands& operands, PreparedCall* call);
Status PreparePrologNode(Operands& operands, PreparedCall* call);

inline constexpr DTypeSet kBf16 = {ACL_BF16};
inline constexpr DTypeSet kBf16OrInt8 = {ACL_BF16, ACL_INT8};
constexpr ParamSpec PrologWeight(int id, const char* name, const char* dims, const char* note) {
  return PlainOrFractalNz(Noted(In(id, name, kBf16OrInt8, dims), note));
}
constexpr ParamSpec PrologFactors(int id, const char* name, const char* dims, const char* note) {
  return Noted(In(id, name, {ACL_FLOAT}, dims, Need::kOptional), note);
}

inline constexpr ParamSpec kRowTokenX = In(kTokenX, "tokenX", kBf16OrInt8, "T He | B S He");
inline constexpr ParamSpec kRowWeightDq =
    PrologWeight(kWeightDq, "weightDq", "He Hcq | p q 16 C0", "of tokenX's type");
inline constexpr ParamSpec kRowWeightUqQr = PrologWeight(
    kWeightUqQr, "weightUqQr", "Hcq Q | r s 16 C1", "Q is N * (D + Dr); INT8 beside INT8 tokenX");
inline constexpr ParamSpec kRowWeightUk = In(kWeightUk, "weightUk", kBf16, "N D Hckv");
inline constexpr ParamSpec kRowWeightDkvKr = PrologWeight(
    kWeightDkvKr, "weightDkvKr", "He K | t u 16 C2", "K is Hckv + Dr; of tokenX's type");
inline constexpr ParamSpec kRowGammaCq = In(kGammaCq, "rmsnormGammaCq", kBf16, "Hcq");
inline constexpr ParamSpec kRowGammaCkv = In(kGammaCkv, "rmsnormGammaCkv", kBf16, "Hckv");
inline constexpr ParamSpec kRowRopeSin =
    Noted(In(kRopeSin, "ropeSin", kBf16, "T Dr | B S Dr"), "Dr is even");
inline constexpr ParamSpec kRowRopeCos = In(kRopeCos, "ropeCos", kBf16, "T Dr | B S Dr");
inline constexpr ParamSpec kRowCacheIndex =
    Noted(In(kCacheIndex, "cacheIndex", {ACL_INT64}, "T | B S"),
          "places of tokens, 0 to blocks * places - 1; -1: nowhere");
inline constexpr ParamSpec kRowKvCache =
    Noted(InOut(kKvCache, "kvCacheRef", kBf16OrInt8, "blocks places 1 Hckv"),
          "INT8 only beside INT8 weightUqQr");
inline constexpr ParamSpec kRowKrCache =
    Noted(InOut(kKrCache, "krCacheRef", kBf16OrInt8, "blocks places 1 Dr"),
          "INT8 where kvCacheRef is and tokenX is not");
inline constexpr ParamSpec kRowFactorsX = PrologFactors(
    kFactorsX, "dequantScaleXOptional", "*", "[tokens, 1]; of INT8 tokenX, and only of that");
inline constexpr ParamSpec kRowFactorsDq =
    PrologFactors(kFactorsDq, "dequantScaleWDqOptional", "1 Hcq", "as dequantScaleXOptional");
inline constexpr ParamSpec kRowFactorsUqQr = PrologFactors(
    kFactorsUqQr, "dequantScaleWUqQrOptional", "1 Q", "of INT8 weightUqQr, and only of that");
inline constexpr ParamSpec kRowFactorsDkvKr =
    PrologFactors(kFactorsDkvKr, "dequantScaleWDkvKrOptional", "1 K", "as dequantScaleXOptional");
inline constexpr ParamSpec kRowScaleCkv =
    PrologFactors(kScaleCkv, "quantScaleCkvOptional", "1 Hckv",
                  "of INT8 kvCacheRef; of INT8 tokenX the first one is for all columns");
inline constexpr ParamSpec kRowScaleCkr =
    PrologFactors(kScaleCkr, "quantScaleCkrOptional", "1 Dr", "of INT8 krCacheRef");
inline constexpr ParamSpec kRowSmooth =
    PrologFactors(kSmooth, "smoothScalesCqOptional", "1 Hcq", "null beside BF16 weightUqQr");
inline constexpr ParamSpec kRowEpsilonCq =
    Value(kEpsilonCq, "rmsnormEpsilonCq", Kind::kDouble, "0 or more");
inline constexpr ParamSpec kRowEpsilonCkv =
    Value(kEpsilonCkv, "rmsnormEpsilonCkv", Kind::kDouble, "0 or more");
inline constexpr ParamSpec kRowPrologMode = {.name = "cacheModeOptional",
                                             .id = kPrologMode,
                                             .kind = Kind::kMutableText,
                                             .need = Need::kOptional,
                                             .note = "PA_BSND (or null), PA_NZ"};
inline constexpr ParamSpec kRowQueryRopeOut =
    ConstHandle(Out(kQueryRopeOut, "queryRopeOut", kBf16, "T N Dr | B S N Dr"));

inline constexpr std::array kPrologInputs = {
    kRowTokenX,   kRowWeightDq,  kRowWeightUqQr,  kRowWeightUk,     kRowWeightDkvKr, kRowGammaCq,
    kRowGammaCkv, kRowRopeSin,   kRowRopeCos,     kRowCacheIndex,   kRowKvCache,     kRowKrCache,
    kRowFactorsX, kRowFactorsDq, kRowFactorsUqQr, kRowFactorsDkvKr, kRowScaleCkv,    kRowScaleCkr,
    kRowSmooth,   kRowEpsilonCq, kRowEpsilonCkv,  kRowPrologMode};
inline constexpr std::array kPrologOutputs = {
    ConstHandle(Out(kQueryOut, "queryOut", kBf16, "T N Hckv | B S N Hckv")), kRowQueryRopeOut};
inline constexpr std::array kPrologV2Outputs = {
    ConstHandle(Noted(Out(kQueryOut, "queryOut", kBf16OrInt8, "T N Hckv | B S N Hckv"),
                      "INT8 where tokenX and kvCacheRef are")),
    kRowQueryRopeOut,
    ConstHandle(Noted(
        Out(kQueryFactorsOut, "dequantScaleQNopeOutOptional", {ACL_FLOAT}, "*", Need::kOptional),
        "[tokens, N, 1], needed for INT8 queryOut; otherwise without effect"))};
inline constexpr auto kPrologParams = JoinRows(kPrologInputs, kPrologOutputs);
inline constexpr auto kPrologV2Params = JoinRows(kPrologInputs, kPrologV2Outputs);

constexpr ParamSpec Mode(int id, const char* name, int64_t max, const char* note = nullptr) {
  return {.name = name, .id = id, .kind = Kind::kInt64, .min = 0, .max = max, .note = note};
}
constexpr ParamSpec Of(ParamSpec row, const char* dims, const char* note) {
  row.dims = dims;
  row.note = note;
  return row;
}
inline constexpr std::array kPrologV3Params = {
    kRowTokenX,
    kRowWeightDq,
    kRowWeightUqQr,
    kRowWeightUk,
    kRowWeightDkvKr,
    kRowGammaCq,
    kRowGammaCkv,
    kRowRopeSin,
    kRowRopeCos,
    Of(kRowKvCache, "blocks places 1 Hckv | tokens 1 Hckv",
       "BSND: [B, S, 1, Hckv], TND: [T, 1, Hckv]; INT8 only beside INT8 weightUqQr"),
    Of(kRowKrCache, "blocks places 1 Dr | tokens 1 Dr",
       "as kvCacheRef; INT8 where that is and tokenX is not"),
    Noted(In(kCacheIndex, "cacheIndexOptional", {ACL_INT64}, "I | J L", Need::kOptional),
          "[T] or [B, S]: places of tokens; PA_BLK: [blocks] or [B, blocks of S]: blocks; -1: "
          "nowhere; null with BSND and TND"),
    kRowFactorsX,
    kRowFactorsDq,
    kRowFactorsUqQr,
    kRowFactorsDkvKr,
    Of(kRowScaleCkv, "1 | 1 Hckv",
       "of INT8 kvCacheRef; of INT8 tokenX the first one is for all columns"),
    kRowScaleCkr,
    kRowSmooth,
    Noted(In(kEnds, "actualSeqLenOptional", {ACL_INT32}, "M", Need::kOptional),
          "where sequences end; needed for PA_BLK and [T, He] tokenX, otherwise without effect"),
    Noted(In(kClipAlpha, "kNopeClipAlphaOptional", {ACL_FLOAT}, "1", Need::kOptional),
          "without effect: kvCacheQuantMode 3 is refused"),
    kRowEpsilonCq,
    kRowEpsilonCkv,
    Noted(kRowPrologMode, "PA_BSND (or null), PA_NZ, PA_BLK_BSND, PA_BLK_NZ, BSND, TND"),
    Mode(kWeightMode, "weightQuantMode", 2, "0: no INT8, 1: weightUqQr, 2: tokenX and weights"),
    Mode(kCacheQuantMode, "kvCacheQuantMode", 2, "0: BF16, 1: one factor, 2: those of columns"),
    Mode(kQueryMode, "queryQuantMode", 1, "1: INT8 queryOut"),
    Mode(kCacheRepoMode, "ckvkrRepoMode", 0),
    Mode(kScaleRepoMode, "quantScaleRepoMode", 0),
    Value(kTileSize, "tileSize", Kind::kInt64, "without effect"),
    Value(kQueryFactor, "qcQrScale", Kind::kDouble, "times the queries' norm"),
    Value(kKeyFactor, "kcScale", Kind::kDouble, "times the keys' norm"),
    ConstHandle(Noted(Out(kQueryOut, "queryOut", kBf16OrInt8, "T N Hckv | B S N Hckv"),
                      "INT8 where tokenX and kvCacheRef are")),
    kRowQueryRopeOut,
    ConstHandle(Noted(
        Out(kQueryFactorsOut, "dequantScaleQNopeOutOptional", {ACL_FLOAT}, "*", Need::kOptional),
        "[tokens, N, 1], needed for INT8 queryOut; otherwise without effect")),
    ConstHandle(Noted(
        Out(kQueryNormOut, "queryNormOutOptional", kBf16OrInt8, "T Hcq | B S Hcq", Need::kOptional),
        "what weightUqQr is multiplied by, of its type")),
    ConstHandle(Noted(
        Out(kQueryStepsOut, "dequantScaleQNormOutOptional", {ACL_FLOAT}, "*", Need::kOptional),
        "[tokens, 1], factors of INT8 queryNormOutOptional, needed beside it")),
};

// The caches that come out are others than those that go in.
constexpr ParamSpec NodeIn(ParamSpec row, const char* name) {
  row.direction = Direction::kInput;
  return Named(row, name);
}
inline constexpr ParamSpec kPrologNodeParams[] = {
    NodeIn(kRowTokenX, "token_x"),
    NodeIn(kRowWeightDq, "weight_dq"),
    NodeIn(kRowWeightUqQr, "weight_uq_qr"),
    NodeIn(kRowWeightUk, "weight_uk"),
    NodeIn(kRowWeightDkvKr, "weight_dkv_kr"),
    NodeIn(kRowGammaCq, "rmsnorm_gamma_cq"),
    NodeIn(kRowGammaCkv, "rmsnorm_gamma_ckv"),
    NodeIn(kRowRopeSin, "rope_sin"),
    NodeIn(kRowRopeCos, "rope_cos"),
    NodeIn(kRowCacheIndex, "cache_index"),
    NodeIn(kRowKvCache, "kv_cache"),
    NodeIn(kRowKrCache, "kr_cache"),
    NodeIn(kRowFactorsX, "dequant_scale_x"),
    NodeIn(kRowFactorsDq, "dequant_scale_w_dq"),
    NodeIn(kRowFactorsUqQr, "dequant_scale_w_uq_qr"),
    NodeIn(kRowFactorsDkvKr, "dequant_scale_w_dkv_kr"),
    NodeIn(kRowScaleCkv, "quant_scale_ckv"),
    NodeIn(kRowScaleCkr, "quant_scale_ckr"),
    NodeIn(kRowSmooth, "smooth_scales_cq"),
    Out(kQueryOut, "query", kBf16, "T N Hckv | B S N Hckv"),
    Out(kQueryRopeOut, "query_rope", kBf16, "T N Dr | B S N Dr"),
    Like(kKvCache, Out(kKvCacheOut, "kv_cache_out", kBf16OrInt8, "blocks places 1 Hckv")),
    Like(kKrCache, Out(kKrCacheOut, "kr_cache_out", kBf16OrInt8, "blocks places 1 Dr")),
    Value(kEpsilonCq, "rmsnorm_epsilon_cq", Kind::kDouble),
    Value(kEpsilonCkv, "rmsnorm_epsilon_ckv", Kind::kDouble),
    Value(kPrologMode, "cache_mode", Kind::kText),
};
inline constexpr OpSpec kPrologNode = {.op = {"MlaProlog", "MlaProlog"},
                                       .params = kPrologNodeParams,
                                       .prepare = PreparePrologNode,
                                       .summary = "as aclnnMlaProlog, the caches copied before",
                                       .codes = kNodeCodes};
inline constexpr Source kPrologAttributes[] = {RealAttribute{"rmsnorm_epsilon_cq", 1e-5},
                                               RealAttribute{"rmsnorm_epsilon_ckv", 1e-5},
                                               TextAttribute{"cache_mode", "PA_BSND"}};
inline constexpr auto kPrologSources = InOrderOf<19, 4>(kPrologAttributes);
inline constexpr SingleOpSpec kSingleOperators[] = {{"MlaProlog", &kPrologNode, kPrologSources}};

}  // namespace anyacl::rotary
