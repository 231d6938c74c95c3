// SPDX-License-Identifier: Apache-2.0
// The arguments of operators that prepare what products take: scales in 64 bits, packed INT4.
#pragma once

#include "nnop/operator.h"
#include "ops/matmul/params.h"

namespace anyacl::matmul {

inline constexpr ParamSpec kQuantParameterParams[] = {
    In(kScale, "scale", {ACL_FLOAT}, "S.."),
    Noted(Optional(In(kOffset, "offset", {ACL_FLOAT}, "F..")), "of a row, as scale, or of one"),
    ConstHandle(Noted(Out(kOut, "out", {ACL_UINT64, ACL_INT64}, "O.."), "shaped as scale"))};

inline constexpr ParamSpec kQuantParameterV3Params[] = {
    kQuantParameterParams[0], kQuantParameterParams[1],
    Choice(kRoundMode, "roundMode", 0, 1,
           "of scale to 19 bits: 0 cut off, 1 to the nearest, ties to even"),
    kQuantParameterParams[2]};

constexpr ParamSpec Int4Pack() {
  return Noted(
      PlainOrFractalNz(Dense(Packed(
          Out(kOut, "weightInt4Pack", {ACL_INT4, ACL_INT32}, "K N | B K N"), "K N/8 | B K N/8"))),
      "INT32 holds eight; FRACTAL_NZ has a storage [.., N/64, K/16, 16, 64], 8 of INT32");
}
constexpr ParamSpec Int4Numbers() {
  return Noted(Dense(In(kRight, "weight", {ACL_INT32}, "K N | B K N")),
               "a number from -8 to 7 each, of others the lowest four bits; N is even");
}
inline constexpr ParamSpec kInt4PackParams[] = {Int4Numbers(), Int4Pack()};

}  // namespace anyacl::matmul
