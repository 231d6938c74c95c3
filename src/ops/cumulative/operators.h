// SPDX-License-Identifier: Apache-2.0
// The declarations of the cumulative operators: sums, products and extremes of all elements up to
// each one along a dimension.
#pragma once

#include "nnop/operator.h"

namespace anyacl::cumulative {

enum : int { kSelf, kDim, kDType, kExclusive, kReverse, kOut, kValues, kIndices };

Status PrepareSum(Operands& operands, PreparedCall* call);
Status PrepareSumV2(Operands& operands, PreparedCall* call);
Status PrepareProduct(Operands& operands, PreparedCall* call);
Status PrepareLargest(Operands& operands, PreparedCall* call);
Status PrepareSmallest(Operands& operands, PreparedCall* call);
Status PrepareExpSegsum(Operands& operands, PreparedCall* call);
Status PrepareExpSegsumBackward(Operands& operands, PreparedCall* call);

inline constexpr DTypeSet kSums = {ACL_FLOAT, ACL_FLOAT16,   ACL_BF16,      ACL_DOUBLE,
                                   ACL_INT8,  ACL_INT16,     ACL_INT32,     ACL_INT64,
                                   ACL_UINT8, ACL_COMPLEX64, ACL_COMPLEX128};
inline constexpr DTypeSet kSummed = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,      ACL_DOUBLE,
                                     ACL_INT8,  ACL_INT16,   ACL_INT32,     ACL_INT64,
                                     ACL_UINT8, ACL_BOOL,    ACL_COMPLEX64, ACL_COMPLEX128};
inline constexpr DTypeSet kMultiplied = {ACL_FLOAT,  ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE, ACL_INT8,
                                         ACL_INT16,  ACL_INT32,   ACL_INT64, ACL_UINT8,  ACL_UINT16,
                                         ACL_UINT32, ACL_UINT64,  ACL_BOOL};
inline constexpr DTypeSet kOrdered = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE, ACL_INT8,
                                      ACL_INT16, ACL_INT32,   ACL_INT64, ACL_UINT8,  ACL_BOOL};
inline constexpr DTypeSet kPlaces = {ACL_INT64, ACL_INT32};

constexpr ParamSpec Dim() {
  return Value(kDim, "dim", Kind::kInt64, "counts from the end if negative");
}
constexpr ParamSpec Values() { return Like(kSelf, Out(kValues, "valuesOut", kOrdered, "A*")); }

inline constexpr ParamSpec kSumParams[] = {
    In(kSelf, "self", kSummed, "A*"), Dim(),
    Value(kDType, "dtype", Kind::kDataType, "the type of out: elements become it before the sum"),
    Out(kOut, "out", kSums, "A*")};
inline constexpr ParamSpec kSumV2Params[] = {
    In(kSelf, "self", kSums, "A*"), Dim(),
    Value(kExclusive, "exclusive", Kind::kBool, "without the element itself"),
    Value(kReverse, "reverse", Kind::kBool, "from the last element on"),
    Like(kSelf, Out(kOut, "out", kSums, "A*"))};
inline constexpr ParamSpec kProductParams[] = {
    In(kSelf, "input", kMultiplied, "A*"),
    Value(kDim, "dim", Kind::kScalar, "counts from the end if negative"),
    Value(kDType, "dtype", Kind::kDataType,
          "the type of out, or ACL_DT_UNDEFINED; elements become it before the product"),
    Out(kOut, "out", kMultiplied, "A*")};
inline constexpr ParamSpec kInplaceProductParams[] = {
    InOut(kSelf, "input", kMultiplied, "A*"),
    Value(kDim, "dim", Kind::kScalar, "counts from the end if negative")};
inline constexpr ParamSpec kExtremeParams[] = {In(kSelf, "self", kOrdered, "A*"), Dim(), Values(),
                                               Out(kIndices, "indicesOut", kPlaces, "A*")};
inline constexpr DTypeSet kSingles = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
inline constexpr ParamSpec kSegsumParams[] = {In(kSelf, "self", kSingles, "B.. N"),
                                              Like(kSelf, Out(kOut, "out", kSingles, "B.. N N"))};
inline constexpr ParamSpec kSegsumBackwardParams[] = {
    In(kSelf, "gradOutput", kSingles, "B.. N N"),
    Like(kSelf, In(kValues, "gradSelf", kSingles, "B.. N N")),
    Like(kSelf, Out(kOut, "gradInput", kSingles, "B.. N"))};

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"Cumsum">,
     .params = kSumParams,
     .prepare = PrepareSum,
     .header = "aclnn_cumsum.h",
     .summary = "out[i] = self[0] + ... + self[i] along dim",
     .document = "ops-math: math/cumsum/docs/aclnnCumsum.md"},
    {.op = kNames<"CumsumV2">,
     .params = kSumV2Params,
     .prepare = PrepareSumV2,
     .header = "aclnn_cumsum.h",
     .summary = "out[i] = self[0] + ... + self[i] along dim, or up to self[i - 1]",
     .document = "ops-math: math/cumsum/docs/aclnnCumsumV2.md"},
    {.op = kNames<"Cumprod">,
     .params = kProductParams,
     .prepare = PrepareProduct,
     .header = "aclnn_cumprod.h",
     .summary = "out[i] = input[0] * ... * input[i] along dim",
     .document = "ops-math: math/cumprod/docs/aclnnCumprod&aclnnInplaceCumprod.md"},
    {.op = kNames<"InplaceCumprod">,
     .params = kInplaceProductParams,
     .prepare = PrepareProduct,
     .header = "aclnn_cumprod.h",
     .summary = "input[i] = input[0] * ... * input[i] along dim",
     .document = "ops-math: math/cumprod/docs/aclnnCumprod&aclnnInplaceCumprod.md"},
    {.op = kNames<"Cummax">,
     .params = kExtremeParams,
     .prepare = PrepareLargest,
     .header = "aclnn_cummax.h",
     .summary = "the largest of self[0] to self[i] along dim, and where the last such one is",
     .document = "ops-math: math/cummax/docs/aclnnCummax.md"},
    {.op = kNames<"Cummin">,
     .params = kExtremeParams,
     .prepare = PrepareSmallest,
     .header = "aclnn_cummin.h",
     .summary = "the smallest of self[0] to self[i] along dim, and where the last such one is",
     .document = "ops-math: math/cummin/docs/aclnnCummin.md"},
    {.op = kNames<"ExpSegsum">,
     .params = kSegsumParams,
     .prepare = PrepareExpSegsum,
     .header = "aclnn_segsum.h",
     .summary = "out[i, j] = e^(self[j + 1] + ... + self[i]), 0 if i < j",
     .document = "ops-math: math/segsum/docs/aclnnExpSegsum.md"},
    {.op = kNames<"ExpSegsumBackward">,
     .params = kSegsumBackwardParams,
     .prepare = PrepareExpSegsumBackward,
     .header = "aclnn_exp_segsum_backward.h",
     .summary = "gradInput[k] = sum of gradOutput[i, j] gradSelf[i, j] for j < k <= i",
     .document = "ops-math: math/exp_segsum_grad/docs/aclnnExpSegsumBackward.md"},
};

}  // namespace anyacl::cumulative
