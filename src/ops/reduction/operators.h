// SPDX-License-Identifier: Apache-2.0
// The declarations of the reductions: sums, means, extremes and their places, truth, log-sum-exp.
#pragma once

#include "nnop/operator.h"

namespace anyacl::reduction {

enum : int { kSelf, kDims, kKeepDims, kDType, kOut };

enum class Member { kSum, kMean, kMax, kMin, kAll, kAny, kLogSumExp, kArgMax, kArgMin };

Status PrepareMember(Operands& operands, PreparedCall* call, Member member);

template <Member kMember>
Status Prepare(Operands& operands, PreparedCall* call) {
  return PrepareMember(operands, call, kMember);
}

inline constexpr DTypeSet kNumbers = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE, ACL_INT8,
                                      ACL_INT16, ACL_INT32,   ACL_INT64, ACL_UINT8};
inline constexpr DTypeSet kNumbersAndBool = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE,
                                             ACL_INT8,  ACL_INT16,   ACL_INT32, ACL_INT64,
                                             ACL_UINT8, ACL_BOOL};
inline constexpr DTypeSet kLogSumExpInputs = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,
                                              ACL_INT8,  ACL_INT16,   ACL_INT32,
                                              ACL_INT64, ACL_UINT8,   ACL_BOOL};
inline constexpr DTypeSet kFloats = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
inline constexpr DTypeSet kTruth = {ACL_BOOL, ACL_UINT8};
inline constexpr DTypeSet kIndices = {ACL_INT32, ACL_INT64};

constexpr ParamSpec DimsOf(const char* name) {
  return Value(kDims, name, Kind::kIntArray, "empty: all dimensions");
}
constexpr ParamSpec KeepDims(const char* name) {
  return Value(kKeepDims, name, Kind::kBool, "keep the reduced dimensions, with size 1");
}
constexpr ParamSpec Result(DTypeSet dtypes, int same_dtype_as = -1) {
  ParamSpec row = Out(kOut, "out", dtypes, "R*");
  row.same_dtype_as = same_dtype_as;
  row.note = "self's shape without the reduced dimensions; [1] may stand for []";
  return row;
}

inline constexpr ParamSpec kSumParams[] = {
    In(kSelf, "self", kNumbersAndBool), DimsOf("dims"), KeepDims("keepDims"),
    Value(kDType, "dtype", Kind::kDataType, "the type of out: elements become it before the sum"),
    Result(kNumbersAndBool)};
inline constexpr ParamSpec kMeanParams[] = {
    In(kSelf, "self", kNumbers), DimsOf("dim"), KeepDims("keepDim"),
    Value(kDType, "dtype", Kind::kDataType, "the type that elements become before the sum"),
    Result(kNumbers)};
inline constexpr ParamSpec kExtremeParams[] = {In(kSelf, "self", kNumbersAndBool), DimsOf("dim"),
                                               KeepDims("keepDim"), Result(kNumbersAndBool, kSelf)};
inline constexpr ParamSpec kWholeParams[] = {In(kSelf, "self", kNumbersAndBool),
                                             Result(kNumbersAndBool, kSelf)};
inline constexpr ParamSpec kTruthParams[] = {In(kSelf, "self", kNumbersAndBool), DimsOf("dim"),
                                             KeepDims("keepdim"), Result(kTruth)};
inline constexpr ParamSpec kLogSumExpParams[] = {In(kSelf, "self", kLogSumExpInputs), DimsOf("dim"),
                                                 KeepDims("keepDim"), Result(kFloats)};
inline constexpr ParamSpec kArgParams[] = {
    In(kSelf, "self", kNumbers),
    Value(kDims, "dim", Kind::kInt64, "counts from the end if negative"), KeepDims("keepdim"),
    Result(kIndices)};

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"ReduceSum">,
     .params = kSumParams,
     .prepare = Prepare<Member::kSum>,
     .header = "aclnn_reduce_sum.h",
     .summary = "out = sum of self over dims",
     .document = "ops-math: math/reduce_sum/docs/aclnnReduceSum.md"},
    {.op = kNames<"Mean">,
     .params = kMeanParams,
     .prepare = Prepare<Member::kMean>,
     .header = "aclnn_mean.h",
     .summary = "out = sum of self over dim, divided by the number of summands",
     .document = "ops-math: math/reduce_mean/docs/aclnnMean.md"},
    {.op = kNames<"Amax">,
     .params = kExtremeParams,
     .prepare = Prepare<Member::kMax>,
     .header = "aclnn_amax.h",
     .summary = "out = largest of self over dim; NaN if one is",
     .document = "ops-math: math/reduce_max/docs/aclnnAmax.md"},
    {.op = kNames<"Amin">,
     .params = kExtremeParams,
     .prepare = Prepare<Member::kMin>,
     .header = "aclnn_amin.h",
     .summary = "out = smallest of self over dim; NaN if one is",
     .document = "ops-math: math/reduce_min/docs/aclnnAmin.md"},
    {.op = kNames<"Max">,
     .params = kWholeParams,
     .prepare = Prepare<Member::kMax>,
     .header = "aclnn_max.h",
     .summary = "out = largest of self; NaN if one is",
     .document = "ops-math: math/reduce_max/docs/aclnnMax.md"},
    {.op = kNames<"Min">,
     .params = kWholeParams,
     .prepare = Prepare<Member::kMin>,
     .header = "aclnn_min.h",
     .summary = "out = smallest of self; NaN if one is",
     .document = "ops-math: math/reduce_min/docs/aclnnMin.md"},
    {.op = kNames<"All">,
     .params = kTruthParams,
     .prepare = Prepare<Member::kAll>,
     .header = "aclnn_all.h",
     .summary = "out = whether no element of self over dim is 0",
     .document = "ops-math: math/reduce_all/docs/aclnnAll.md"},
    {.op = kNames<"Any">,
     .params = kTruthParams,
     .prepare = Prepare<Member::kAny>,
     .header = "aclnn_any.h",
     .summary = "out = whether an element of self over dim is not 0",
     .document = "ops-math: math/reduce_any/docs/aclnnAny.md"},
    {.op = kNames<"LogSumExp">,
     .params = kLogSumExpParams,
     .prepare = Prepare<Member::kLogSumExp>,
     .header = "aclnn_logsumexp.h",
     .summary = "out = log of the sum of e^self over dim",
     .document = "ops-math: math/reduce_log_sum_exp/docs/aclnnLogSumExp.md"},
    {.op = kNames<"ArgMax">,
     .params = kArgParams,
     .prepare = Prepare<Member::kArgMax>,
     .header = "aclnn_argmax.h",
     .summary = "out = index of the first largest element of self along dim; NaN counts as largest",
     .document = "ops-math: math/arg_max_v2/docs/aclnnArgMax.md"},
    {.op = kNames<"ArgMin">,
     .params = kArgParams,
     .prepare = Prepare<Member::kArgMin>,
     .header = "aclnn_argmin.h",
     .summary =
         "out = index of the first smallest element of self along dim; NaN counts as smallest",
     .document = "ops-math: math/arg_min/docs/aclnnArgMin.md"},
};

}  // namespace anyacl::reduction
