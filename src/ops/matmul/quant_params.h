// SPDX-License-Identifier: Apache-2.0
// Rows of products by quantised weights (aclnnWeightQuantBatchMatmulV2 and V3) and of quantised
// matrices (aclnnQuantMatmulV3 to V5).
#pragma once

#include <algorithm>
#include <array>

#include "nnop/operator.h"
#include "ops/matmul/params.h"

namespace anyacl::matmul {

inline constexpr ParamSpec kWeightQuantParams[] = {
    In(kLeft, "x", kHalves, "M K"),
    Noted(Packed(Weight("weight", {ACL_INT8, ACL_INT4, ACL_INT32}, "K N"), "K N/8"),
          "INT32 packs eight INT4; INT4 may be transposed as a whole"),
    Noted(Like(kLeft, In(kScale, "antiquantScale", kHalves, "S*")),
          "[1], [1, 1], [N] or [1, N]; [groups of K, N] with an antiquantGroupSize"),
    Noted(Optional(Like(kLeft, In(kOffset, "antiquantOffsetOptional", kHalves, "S*"))),
          "null stands for zeros"),
    Noted(
        Optional(In(kQuantScale, "quantScaleOptional", {ACL_UINT64, ACL_INT64}, "Q*")),
        "of INT8 results: [1], [1, 1], [N] or [1, N]; fp32 in the lower half, an offset in bits 37 "
        "to 45"),
    Noted(Optional(In(kQuantOffset, "quantOffsetOptional", {ACL_FLOAT}, "Q*")),
          "replaces the offset in quantScaleOptional"),
    Noted(Optional(In(kSummand, "biasOptional", kFloats, "B*")), "[N] or [1, N]"),
    Noted(Value(kGroupSize, "antiquantGroupSize", Kind::kInt32), "0, or a multiple of 32 below K"),
    ConstHandle(Noted(Out(kOut, "y", {ACL_FLOAT16, ACL_BF16, ACL_INT8}, "M N"),
                      "of x's type; INT8 with quantScaleOptional"))};
inline constexpr auto kWeightQuantV3Params = [] {
  std::array<ParamSpec, 10> rows{};
  std::copy_n(kWeightQuantParams, 8, rows.begin());
  rows[8] = Choice(kCubeMathType, "innerPrecise", 0, 1, "without effect");
  rows[8].kind = Kind::kInt32;
  rows[9] = kWeightQuantParams[8];
  return rows;
}();
inline constexpr const char* kWeightQuantSummary =
    "y = x @ ((weight + antiquantOffset) * antiquantScale) + bias, and of INT8 this times "
    "quantScale + quantOffset";

inline constexpr DTypeSet kIntegers = {ACL_INT8, ACL_INT4, ACL_INT32};
inline constexpr ParamSpec kQuantLeft =
    Noted(In(kLeft, "x1", kIntegers, "L*"), "[.., M, K]; INT32 packs eight INT4");
inline constexpr ParamSpec kQuantRight =
    Noted(Weight("x2", kIntegers, "R*"),
          "[.., K, N]; INT4 of two dimensions, contiguous, maybe transposed as a whole");
inline constexpr ParamSpec kQuantBias =
    Noted(Optional(In(kSummand, "bias", {ACL_INT32, ACL_FLOAT, ACL_FLOAT16, ACL_BF16}, "B*")),
          "[N], or [batch, 1, N] beside three dimensions of out; INT32 is added before factors");
inline constexpr ParamSpec kTurnLeft =
    Value(kTransposeLeft, "transposeX1", Kind::kBool, "x1 is [.., K, M]");
inline constexpr ParamSpec kTurnRight =
    Value(kTransposeRight, "transposeX2", Kind::kBool, "x2 is [.., N, K]");
inline constexpr ParamSpec kQuantOut =
    Noted(Out(kOut, "out", {ACL_FLOAT16, ACL_BF16, ACL_INT8, ACL_INT32}, "O*"),
          "[.., M, N]; FLOAT16 and INT8 with 64-bit scales, FLOAT16 also with factors of rows");
constexpr ParamSpec QuantScale(const char* name) {
  return Noted(In(kScale, name, {ACL_UINT64, ACL_INT64, ACL_FLOAT, ACL_BF16}, "S*"),
               "[1] or [N]; of 64 bits the lower half is fp32");
}
constexpr ParamSpec QuantOffset(const char* name) {
  return Noted(Optional(In(kOffset, name, {ACL_FLOAT}, "F*")),
               "[1] or [N], of INT8 results; replaces the offset in the scale");
}
constexpr ParamSpec QuantRowScale(const char* name) {
  return Noted(Optional(In(kRowScale, name, {ACL_FLOAT}, "T*")), "[M]");
}
// What documents have no use for on Atlas A2 and A3: null, or without elements.
constexpr ParamSpec Unused(int id, const char* name) {
  return Noted(
      Optional(In(id, name,
                  {ACL_FLOAT16, ACL_BF16, ACL_FLOAT, ACL_INT8, ACL_INT32, ACL_INT64, ACL_UINT64},
                  "*")),
      "null, or without elements");
}
inline constexpr ParamSpec kQuantV3Params[] = {
    kQuantLeft, kQuantRight, QuantScale("scale"), QuantOffset("offset"),
    kQuantBias, kTurnLeft,   kTurnRight,          ConstHandle(kQuantOut)};
inline constexpr ParamSpec kQuantV4Params[] = {kQuantLeft,
                                               kQuantRight,
                                               QuantScale("scale"),
                                               QuantOffset("offset"),
                                               QuantRowScale("pertokenScaleOptional"),
                                               kQuantBias,
                                               kTurnLeft,
                                               kTurnRight,
                                               ConstHandle(kQuantOut)};
inline constexpr ParamSpec kQuantV5Params[] = {
    kQuantLeft,
    kQuantRight,
    Noted(QuantRowScale("x1Scale"), "[M]; with groups [M], [M, 1] or [M, groups of K]"),
    Noted(QuantScale("x2Scale"),
          "[1] or [N], with groups [groups of K, N] or [groups of N, groups of K]; of 64 bits the "
          "lower half is fp32"),
    Unused(kQuantScale, "yScale"),
    Unused(kLeftOffset, "x1Offset"),
    Noted(Optional(In(kOffset, "x2Offset", {ACL_FLOAT, ACL_FLOAT16}, "F*")),
          "FLOAT as offset of aclnnQuantMatmulV4; FLOAT16 of INT4 and groups, [groups of K, N]"),
    Noted(Unused(kQuantOffset, "yOffset"), "of INT8 by INT4, FLOAT, [N]; else null or empty"),
    kQuantBias,
    kTurnLeft,
    kTurnRight,
    Noted(Value(kGroupSize, "groupSize", Kind::kInt64),
          "0, or of groups of k, columns (times 2^16) and rows (times 2^32)"),
    kQuantOut};

}  // namespace anyacl::matmul
