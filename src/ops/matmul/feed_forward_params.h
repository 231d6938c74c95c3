// SPDX-License-Identifier: Apache-2.0
// The tables of two products with an activation between them, of experts or of none.
#pragma once

#include <array>

#include "nnop/dtype_sets.h"
#include "nnop/joined_rows.h"

namespace anyacl::matmul::feed_forward {

Status Prepare(Operands& operands, PreparedCall* call);

enum : int {
  kX,
  kFirst,
  kSecond,
  kTokens,
  kFirstBias,
  kSecondBias,
  kScale,
  kOffset,
  kFirstDequant,
  kSecondDequant,
  kFirstFactor,
  kSecondFactor,
  kFirstSummand,
  kSecondSummand,
  kActivation,
  kPrecision,
  kEnds,
  kY
};

constexpr ParamSpec Given(int id, const char* name, DTypeSet dtypes, const char* dims,
                          const char* note = nullptr) {
  return Noted(In(id, name, dtypes, dims, Need::kOptional), note);
}

inline constexpr DTypeSet kBiases = {ACL_FLOAT16, ACL_FLOAT, ACL_INT32};
inline constexpr DTypeSet kDequants = {ACL_UINT64, ACL_INT64, ACL_FLOAT, ACL_BF16};
inline constexpr const char* kFactorNote = "of weights of INT8 or INT4, of x's type";
inline constexpr const char* kDequantNote = "of INT8; of 64 bits the lower half is fp32";

inline constexpr std::array<ParamSpec, 3> kOperands = {
    In(kX, "x", {ACL_FLOAT16, ACL_BF16, ACL_INT8}, "M.. K1"),
    In(kFirst, "weight1", {ACL_FLOAT16, ACL_BF16, ACL_INT8, ACL_INT4}, "K1 N1 | E K1 N1"),
    Noted(In(kSecond, "weight2", {ACL_FLOAT16, ACL_BF16, ACL_INT8, ACL_INT4}, "K2 K1 | E K2 K1"),
          "of weight1's type; K2 is N1, of activations with a gate N1 / 2")};
inline constexpr std::array<ParamSpec, 1> kHostTokens = {
    {{.name = "expertTokens",
      .id = kTokens,
      .kind = Kind::kIntArray,
      .need = Need::kOptional,
      .note = "rows of x of each expert, up to 256; null or empty: no experts"}}};
inline constexpr std::array<ParamSpec, 1> kDeviceTokens = {
    Given(kTokens, "expertTokensOptional", {ACL_INT64}, "E",
          "rows of x of each expert, up to 256; null or empty: no experts")};
inline constexpr std::array<ParamSpec, 10> kFactors = {
    Given(kFirstBias, "bias1", kBiases, "N1 | E N1"),
    Given(kSecondBias, "bias2", kBiases, "K1 | E K1"),
    Given(kScale, "scale", {ACL_FLOAT}, "S | E N1",
          "of INT8: [1] or [N1], of experts [E] or [E, N1]"),
    Given(kOffset, "offset", {ACL_FLOAT}, "O", "of INT8: [1], of experts [E]"),
    Given(kFirstDequant, "deqScale1", kDequants, "N1 | E N1", kDequantNote),
    Given(kSecondDequant, "deqScale2", kDequants, "K1 | E K1", kDequantNote),
    Given(kFirstFactor, "antiquantScale1", kHalves, "N1 | A1 N1 | E G1 N1", kFactorNote),
    Given(kSecondFactor, "antiquantScale2", kHalves, "K1 | A2 K1 | E G2 K1", kFactorNote),
    Given(kFirstSummand, "antiquantOffset1", kHalves, "N1 | A1 N1 | E G1 N1", kFactorNote),
    Given(kSecondSummand, "antiquantOffset2", kHalves, "K1 | A2 K1 | E G2 K1", kFactorNote)};
consteval std::array<ParamSpec, 10> AsOptional(std::array<ParamSpec, 10> rows) {
  constexpr const char* kNames[] = {
      "bias1Optional",           "bias2Optional",           "scaleOptional",
      "offsetOptional",          "deqScale1Optional",       "deqScale2Optional",
      "antiquantScale1Optional", "antiquantScale2Optional", "antiquantOffset1Optional",
      "antiquantOffset2Optional"};
  for (size_t i = 0; i < rows.size(); ++i) rows[i].name = kNames[i];
  return rows;
}
inline constexpr std::array<ParamSpec, 2> kModes = {
    Value(kActivation, "activation", Kind::kText,
          "fastgelu, gelu, relu or silu; geglu, swiglu or reglu, with a gate, of FLOAT16 without "
          "experts"),
    ParamSpec{.name = "innerPrecise",
              .id = kPrecision,
              .kind = Kind::kInt64,
              .min = 0,
              .max = 1,
              .note = "without effect; 0 with BF16 weights, 1 with a gate"}};
inline constexpr std::array<ParamSpec, 1> kListing = {
    Value(kEnds, "tokensIndexFlag", Kind::kBool, "experts' tokens are told by where they end")};
inline constexpr std::array<ParamSpec, 1> kResult = {[] {
  ParamSpec row = Out(kY, "y", kHalves, "M.. K1");
  row.const_handle = true;
  return row;
}()};

inline constexpr auto kParams = JoinRows(kOperands, kHostTokens, kFactors, kModes, kResult);
inline constexpr auto kV2Params =
    JoinRows(kOperands, kHostTokens, kFactors, kModes, kListing, kResult);
inline constexpr auto kV3Params =
    JoinRows(kOperands, kDeviceTokens, AsOptional(kFactors), kModes, kListing, kResult);

inline constexpr const char* kSummary =
    "y = activation(x @ weight1 + bias1) @ weight2 + bias2, of experts or of none, in integers or "
    "with quantised weights";
inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"FFN">,
     .params = kParams,
     .prepare = Prepare,
     .header = "aclnn_ffn.h",
     .summary = kSummary,
     .document = "ops-transformer: ffn/ffn/docs/aclnnFFN.md"},
    {.op = kNames<"FFNV2">,
     .params = kV2Params,
     .prepare = Prepare,
     .header = "aclnn_ffn_v2.h",
     .summary = kSummary,
     .document = "ops-transformer: ffn/ffn/docs/aclnnFFNV2.md"},
    {.op = kNames<"FFNV3">,
     .params = kV3Params,
     .prepare = Prepare,
     .header = "aclnn_ffn_v3.h",
     .summary = kSummary,
     .document = "ops-transformer: ffn/ffn/docs/aclnnFFNV3.md"},
};

}  // namespace anyacl::matmul::feed_forward
