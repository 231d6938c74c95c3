// SPDX-License-Identifier: Apache-2.0
// The tables of products of groups whose rows are added up by token.
#pragma once

#include <array>

#include "nnop/joined_rows.h"
#include "ops/matmul/grouped_params.h"

namespace anyacl::matmul {

// Versions differ in names, and in whether weights may be INT4, INT8 or both.
inline constexpr DTypeSet kRoutedInt4 = {ACL_INT4, ACL_INT32};
inline constexpr DTypeSet kRoutedBoth = {ACL_INT8, ACL_INT4, ACL_INT32};
consteval std::array<ParamSpec, 2> RoutedFactors(const char* x, const char* weight,
                                                 DTypeSet weights) {
  ParamSpec row = Weight(weight, weights, "E K N");
  if (weights.Contains(ACL_INT4)) {
    row = Noted(Packed(row, "E K N/8"), "INT32 packs eight INT4");
  }
  return {In(kLeft, x, {ACL_INT8}, "M K"), row};
}
inline constexpr std::array<ParamSpec, 2> kRoutedInt4Scales = {
    Noted(In(kQuantScale, "scaleOptional", {ACL_INT64}, "E 1 N"), "the lower half is fp32"),
    Noted(In(kSummand, "biasOptional", {ACL_FLOAT}, "E N"),
          "8 times the sums of weight * scale over K")};
inline constexpr std::array<ParamSpec, 2> kRoutedInt8Scales = {
    In(kQuantScale, "scale", {ACL_FLOAT}, "E N"),
    {.name = "bias", .id = kSummand, .need = Need::kReserved, .dtypes = {ACL_FLOAT}}};
inline constexpr std::array<ParamSpec, 2> kRoutedScales = {
    Noted(In(kQuantScale, "scale", {ACL_FLOAT, ACL_INT64, ACL_BF16}, "E 1 N | E N"),
          "beside INT4 INT64, [E, 1, N], the lower half of which is fp32; beside INT8 FLOAT or "
          "BF16"),
    Noted(Optional(In(kSummand, "bias", {ACL_FLOAT}, "E N")),
          "beside INT4 8 times the sums of x2 * scale over K; beside INT8 null")};
inline constexpr std::array<ParamSpec, 3> kRoutedOffsets = {
    Noted(Optional(In(kQuantOffset, "offsetOptional", {ACL_FLOAT}, "E 1 N")),
          "beside INT4 the weight's offset times scale; beside INT8 null"),
    Noted(Optional(In(kScale, "antiquantScaleOptional", {ACL_FLOAT}, "*")), "null"),
    Noted(Optional(In(kOffset, "antiquantOffsetOptional", {ACL_FLOAT}, "*")), "null")};
consteval std::array<ParamSpec, 5> RoutedRows(const char* list, const char* shared,
                                              const char* logit, const char* row_index,
                                              DTypeSet indices) {
  return {Noted(Optional(In(kRowScale, "pertokenScaleOptional", {ACL_FLOAT}, "M")),
                "null, which stands for ones, beside INT8 alone"),
          Noted(In(kGroupList, list, {ACL_INT64}, "E"), "as groupListType says"),
          Noted(Optional(In(kShared, shared, {ACL_BF16}, "S N")),
                "what the shared expert made of S tokens; with a logit only"),
          Noted(Optional(In(kLogit, logit, {ACL_FLOAT}, "M")),
                "factors of rows; null stands for ones, and there is no shared expert"),
          Noted(In(kRowIndex, row_index, indices, "M"), "the row of the result, 0 to B - 1")};
}
consteval std::array<ParamSpec, 6> RoutedNumbers(const char* turn_left, const char* turn_right) {
  return {Choice(kResultType, "dtype", 0, 0, "0: FLOAT"),
          Value(kSharedWeight, "sharedInputWeight", Kind::kFloat, "the shared expert's factor"),
          Choice(kSharedOffset, "sharedInputOffset", 0, INT64_MAX, "its first row of the result"),
          Value(kTransposeLeft, turn_left, Kind::kBool, "false"),
          Value(kTransposeRight, turn_right, Kind::kBool, "false"),
          Choice(kGroupListType, "groupListType", 0, 1,
                 "groups are told by 0: where they end, 1: their sizes")};
}
inline constexpr std::array<ParamSpec, 1> kRoutedTuning = {
    Noted(Optional(Value(kTuning, "tuningConfigOptional", Kind::kIntArray)),
          "{rows that are expected of a group}: a hint without effect")};
consteval std::array<ParamSpec, 1> RoutedResult(const char* name) {
  return {Out(kOut, name, {ACL_FLOAT}, "B N")};
}

inline constexpr auto kRoutedOptionalRows = RoutedRows(
    "groupListOptional", "sharedInputOptional", "logitOptional", "rowIndexOptional", {ACL_INT64});
inline constexpr auto kRoutedNzRows =
    RoutedRows("groupList", "sharedInput", "logit", "rowIndex", {ACL_INT64, ACL_INT32});

inline constexpr auto kRoutedParams =
    JoinRows(RoutedFactors("x", "w", kRoutedInt4), kRoutedInt4Scales, kRoutedOptionalRows,
             RoutedNumbers("transposeX", "transposeW"), RoutedResult("y"));
inline constexpr auto kRoutedV2Params =
    JoinRows(RoutedFactors("x1", "x2", kRoutedInt4), kRoutedInt4Scales, kRoutedOffsets,
             kRoutedOptionalRows, RoutedNumbers("transposeX1", "transposeX2"), RoutedResult("out"));
inline constexpr auto kRoutedV3Params = JoinRows(
    RoutedFactors("x1", "x2", kRoutedInt4), kRoutedInt4Scales, kRoutedOffsets, kRoutedOptionalRows,
    RoutedNumbers("transposeX1", "transposeX2"), kRoutedTuning, RoutedResult("out"));
inline constexpr auto kRoutedNzParams =
    JoinRows(RoutedFactors("x1", "x2", {ACL_INT8}), kRoutedInt8Scales, kRoutedNzRows,
             RoutedNumbers("transposeX1", "transposeX2"), RoutedResult("out"));
inline constexpr auto kRoutedNzV2Params =
    JoinRows(RoutedFactors("x1", "x2", kRoutedBoth), kRoutedScales, kRoutedOffsets, kRoutedNzRows,
             RoutedNumbers("transposeX1", "transposeX2"), kRoutedTuning, RoutedResult("out"));

}  // namespace anyacl::matmul
