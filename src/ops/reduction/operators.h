// SPDX-License-Identifier: Apache-2.0
// The declarations of the reductions: sums, products, means, variances, norms, extremes and their
// places, truth, log-sum-exp.
#pragma once

#include "nnop/dtype_sets.h"
#include "nnop/operator.h"

namespace anyacl::reduction {

// kSecond: what an operator writes beside out, of out's shape.
enum : int {
  kSelf,
  kDims,
  kKeepDims,
  kDType,
  kOut,
  kSecond,
  kPower,
  kCorrection,
  kMost,
  kEpsilon,
  kElement,
  kUnique,
  kInvert,
  kNoop,
  kGroups,
  kGroupType
};

enum class Member {
  kSum,
  kMean,
  kMax,
  kMin,
  kAll,
  kAny,
  kLogSumExp,
  kLogSum,
  kArgMax,
  kArgMin,
  kMaxDim,
  kMinDim,
  kAminmax,
  kProd,
  kNanSum,
  kTrace,
  kNorm,
  kPowers,  // a norm before its root
  kVar,
  kStd,
};

Status PrepareMember(Operands& operands, PreparedCall* call, Member member);

Status PrepareRenorm(Operands& operands, PreparedCall* call);
Status PrepareForeachNorm(Operands& operands, PreparedCall* call);
// A mean, or the largest.
template <bool kLargest>
Status PrepareGlobalPool(Operands& operands, PreparedCall* call);
Status PrepareGroupedBias(Operands& operands, PreparedCall* call);
Status PrepareIsIn(Operands& operands, PreparedCall* call);

template <Member kMember>
Status Prepare(Operands& operands, PreparedCall* call) {
  return PrepareMember(operands, call, kMember);
}

inline constexpr DTypeSet kNumbers = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE, ACL_INT8,
                                      ACL_INT16, ACL_INT32,   ACL_INT64, ACL_UINT8};
inline constexpr DTypeSet kNumbersAndBool = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE,
                                             ACL_INT8,  ACL_INT16,   ACL_INT32, ACL_INT64,
                                             ACL_UINT8, ACL_BOOL};
inline constexpr DTypeSet kMeanTypes = {ACL_FLOAT, ACL_FLOAT16,   ACL_BF16,      ACL_DOUBLE,
                                        ACL_INT8,  ACL_INT16,     ACL_INT32,     ACL_INT64,
                                        ACL_UINT8, ACL_COMPLEX64, ACL_COMPLEX128};
inline constexpr DTypeSet kSumTypes = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,      ACL_DOUBLE,
                                       ACL_INT8,  ACL_INT16,   ACL_INT32,     ACL_INT64,
                                       ACL_UINT8, ACL_BOOL,    ACL_COMPLEX64, ACL_COMPLEX128};
inline constexpr DTypeSet kLogSumExpInputs = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,
                                              ACL_INT8,  ACL_INT16,   ACL_INT32,
                                              ACL_INT64, ACL_UINT8,   ACL_BOOL};
inline constexpr DTypeSet kButDouble = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_INT8, ACL_INT16,
                                        ACL_INT32, ACL_INT64,   ACL_UINT8, ACL_BOOL};
inline constexpr DTypeSet kTruth = {ACL_BOOL, ACL_UINT8};
inline constexpr DTypeSet kIndices = {ACL_INT32, ACL_INT64};

constexpr ParamSpec DimsOf(const char* name) {
  return Value(kDims, name, Kind::kIntArray, "empty: all dimensions");
}
constexpr ParamSpec KeepDims(const char* name) {
  return Value(kKeepDims, name, Kind::kBool, "keep the reduced dimensions, with size 1");
}
constexpr ParamSpec Result(DTypeSet dtypes, int same_dtype_as = -1) {
  return Noted(Like(same_dtype_as, Out(kOut, "out", dtypes, "R*")),
               "self's shape without the reduced dimensions");
}

inline constexpr ParamSpec kSumParams[] = {
    In(kSelf, "self", kSumTypes), DimsOf("dims"), KeepDims("keepDims"),
    Value(kDType, "dtype", Kind::kDataType, "the type of out: elements become it before the sum"),
    Result(kSumTypes)};
inline constexpr ParamSpec kMeanParams[] = {
    In(kSelf, "self", kMeanTypes), DimsOf("dim"), KeepDims("keepDim"),
    Value(kDType, "dtype", Kind::kDataType, "the type that elements become before the sum"),
    Result(kMeanTypes)};
inline constexpr ParamSpec kExtremeParams[] = {In(kSelf, "self", kNumbersAndBool), DimsOf("dim"),
                                               KeepDims("keepDim"), Result(kNumbersAndBool, kSelf)};
constexpr ParamSpec NoopRow(const char* name) {
  return Value(kNoop, name, Kind::kBool, "without dimensions: out is self, and nothing is reduced");
}
inline constexpr ParamSpec kExtremeOrCopyParams[] = {
    In(kSelf, "self", kNumbersAndBool), DimsOf("dims"), KeepDims("keepDims"),
    NoopRow("noopWithEmptyDims"), Result(kNumbersAndBool, kSelf)};
inline constexpr ParamSpec kMeanOrCopyParams[] = {In(kSelf, "self", kMeanTypes), DimsOf("dim"),
                                                  KeepDims("keepDim"), NoopRow("noopWithEmptyAxes"),
                                                  Result(kMeanTypes, kSelf)};
inline constexpr ParamSpec kWholeParams[] = {In(kSelf, "self", kNumbersAndBool),
                                             Result(kNumbersAndBool, kSelf)};
inline constexpr ParamSpec kTruthParams[] = {In(kSelf, "self", kNumbersAndBool), DimsOf("dim"),
                                             KeepDims("keepdim"), Result(kTruth)};
inline constexpr ParamSpec kLogSumExpParams[] = {In(kSelf, "self", kLogSumExpInputs), DimsOf("dim"),
                                                 KeepDims("keepDim"), Result(kFloats)};
inline constexpr DTypeSet kLogged = {ACL_FLOAT, ACL_FLOAT16};
inline constexpr ParamSpec kArgParams[] = {
    In(kSelf, "self", kNumbers),
    Value(kDims, "dim", Kind::kInt64, "counts from the end if negative"), KeepDims("keepdim"),
    Result(kIndices)};

constexpr ParamSpec Second(const char* name, DTypeSet dtypes, int same_dtype_as, const char* note) {
  return Noted(Like(same_dtype_as, Out(kSecond, name, dtypes, "R*")), note);
}
inline constexpr ParamSpec kLogSumParams[] = {
    In(kSelf, "data", kLogged), DimsOf("axes"), KeepDims("keepDims"), NoopRow("noopWithEmptyAxes"),
    Noted(Named(Result(kLogged, kSelf), "reduce"), "data's shape without the reduced dimensions")};
constexpr ParamSpec OptionalDims(const char* name) {
  return Noted(Optional(DimsOf(name)), "null or empty: all dimensions");
}
inline constexpr ParamSpec kOneDim =
    Value(kDims, "dim", Kind::kInt64, "counts from the end if negative");
inline constexpr ParamSpec kCorrectionRow =
    Value(kCorrection, "correction", Kind::kInt64, "taken from the number of elements");
inline constexpr char kSumDType[] = "the type of out: elements become it before the sum";
inline constexpr char kProductDType[] = "the type of out: elements become it before the product";

inline constexpr DTypeSet kExtremeDimTypes = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT64,
                                              ACL_BOOL};
inline constexpr ParamSpec kExtremeDimParams[] = {
    In(kSelf, "self", kExtremeDimTypes), kOneDim, KeepDims("keepdim"),
    Second("out", kExtremeDimTypes, kSelf, "the extreme"), Named(Result(kIndices), "indices")};
inline constexpr ParamSpec kAminmaxParams[] = {
    In(kSelf, "self", kNumbersAndBool), DimsOf("dim"), KeepDims("keepDim"),
    Named(Result(kNumbersAndBool, kSelf), "minOut"),
    Second("maxOut", kNumbersAndBool, kSelf, "as minOut")};
inline constexpr ParamSpec kAminmaxAllParams[] = {
    In(kSelf, "self", kNumbersAndBool), Named(Result(kNumbersAndBool, kSelf), "minOut"),
    Second("maxOut", kNumbersAndBool, kSelf, "as minOut")};
inline constexpr ParamSpec kAminmaxDimParams[] = {
    In(kSelf, "self", kNumbersAndBool), kOneDim, KeepDims("keepDim"),
    Named(Result(kNumbersAndBool, kSelf), "minOut"),
    Second("maxOut", kNumbersAndBool, kSelf, "as minOut")};
inline constexpr DTypeSet kCompared = {
    ACL_FLOAT, ACL_FLOAT16, ACL_BF16,   ACL_DOUBLE, ACL_INT8,      ACL_INT16,     ACL_INT32,
    ACL_INT64, ACL_UINT8,   ACL_UINT16, ACL_BOOL,   ACL_COMPLEX64, ACL_COMPLEX128};
inline constexpr ParamSpec kIsInParams[] = {
    Value(kElement, "element", Kind::kScalar), In(kSelf, "testElements", kCompared),
    Value(kUnique, "assumeUnique", Kind::kBool, "a hint"), Value(kInvert, "invert", Kind::kBool),
    Out(kOut, "out", {ACL_BOOL}, "")};
inline constexpr ParamSpec kProdParams[] = {In(kSelf, "self", kSumTypes),
                                            Value(kDType, "dtype", Kind::kDataType, kProductDType),
                                            Result(kSumTypes)};
inline constexpr ParamSpec kProdDimParams[] = {
    In(kSelf, "self", kSumTypes), kOneDim, KeepDims("keepDim"),
    Value(kDType, "dtype", Kind::kDataType, kProductDType), Result(kSumTypes)};
inline constexpr ParamSpec kNanSumParams[] = {
    In(kSelf, "self", kButDouble), DimsOf("dim"), KeepDims("keepDim"),
    Value(kDType, "dtype", Kind::kDataType, kSumDType), Result(kButDouble)};
// Self's type; INT64 of integers and BOOL.
inline constexpr DTypeSet kTraces = {ACL_FLOAT, ACL_FLOAT16,   ACL_BF16,      ACL_DOUBLE,
                                     ACL_INT64, ACL_COMPLEX64, ACL_COMPLEX128};
inline constexpr ParamSpec kTraceParams[] = {In(kSelf, "self", kSumTypes, "M N"),
                                             Out(kOut, "out", kTraces, "")};
inline constexpr ParamSpec kVectorNormParams[] = {
    In(kSelf, "self", kFloats),
    Value(kPower, "ord", Kind::kScalar, "any number, infinite too"),
    OptionalDims("dims"),
    KeepDims("keepDims"),
    Value(kDType, "dtype", Kind::kDataType, "the type of out: self becomes it before the sum"),
    Result(kFloats)};
inline constexpr ParamSpec kNormParams[] = {
    In(kSelf, "self", kFloats), Value(kPower, "pScalar", Kind::kScalar, "any number, infinite too"),
    DimsOf("dim"), KeepDims("keepdim"), Result(kFloats)};
constexpr ParamSpec ListOf(ParamSpec row, const char* note) {
  row.kind = Kind::kTensorList;
  row.note = note;
  return row;
}
inline constexpr ParamSpec kForeachNormParams[] = {
    ListOf(In(kSelf, "x", kFloats), "tensors of one type"),
    Value(kPower, "scalar", Kind::kScalar, "any number, infinite too"),
    ConstHandle(ListOf(Out(kOut, "out", kFloats), "one number for each tensor, of its type"))};
inline constexpr DTypeSet kBiasTypes = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
inline constexpr ParamSpec kGroupedBiasV2Params[] = {
    Noted(In(kSelf, "gradY", kBiasTypes, "G C H | N H"), "N rows if there are groups"),
    Noted(In(kGroups, "groupIdxOptional", kIndices, "G", Need::kOptional),
          "where the groups' rows end, or how many they are; at most 2048"),
    ParamSpec{.name = "groupIdxType",
              .id = kGroupType,
              .kind = Kind::kInt64,
              .min = 0,
              .max = 1,
              .note = "0: where groups end, 1: how many rows they have"},
    Like(kSelf, Out(kOut, "out", kBiasTypes, "G H"))};
inline constexpr ParamSpec kGroupedBiasParams[] = {
    kGroupedBiasV2Params[0],
    Noted(kGroupedBiasV2Params[1], "where the groups' rows end; at most 2048"),
    kGroupedBiasV2Params[3]};
inline constexpr ParamSpec kRenormPower = Value(kPower, "p", Kind::kScalar, "0 or more"),
                           kRenormMost = Value(kMost, "maxNorm", Kind::kScalar, "0 or more");
inline constexpr ParamSpec kRenormParams[] = {In(kSelf, "self", kFloats, "S.."), kRenormPower,
                                              kOneDim, kRenormMost,
                                              Like(kSelf, Out(kOut, "out", kFloats, "S.."))};
inline constexpr ParamSpec kInplaceRenormParams[] = {InOut(kSelf, "selfRef", kFloats, "S.."),
                                                     kRenormPower, kOneDim, kRenormMost};
inline constexpr ParamSpec kVarParams[] = {
    In(kSelf, "self", kFloats), OptionalDims("dim"),
    Value(kCorrection, "unbiased", Kind::kBool, "divide by the number of elements less 1"),
    KeepDims("keepdim"), Result(kFloats)};
inline constexpr ParamSpec kCorrectedParams[] = {In(kSelf, "self", kFloats), OptionalDims("dim"),
                                                 kCorrectionRow, KeepDims("keepdim"),
                                                 Result(kFloats)};
template <FixedString kName>
inline constexpr ParamSpec kWithMeanParams[] = {In(kSelf, "self", kFloats),
                                                OptionalDims("dim"),
                                                kCorrectionRow,
                                                KeepDims("keepdim"),
                                                Named(Result(kFloats), kName.chars),
                                                Second("meanOut", kFloats, -1, "the mean")};

template <const DTypeSet& kTypes>
inline constexpr ParamSpec kPoolParams[] = {
    In(kSelf, "self", kTypes, "N C H W.."),
    Noted(Like(kSelf, Out(kOut, "out", kTypes, "R*")), "[N, C, 1, 1, ..], of self's format")};
inline constexpr DTypeSet kPooledMeans = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE};
inline constexpr DTypeSet kPooledExtremes = {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE};

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
    {.op = kNames<"MeanV2">,
     .params = kMeanOrCopyParams,
     .prepare = Prepare<Member::kMean>,
     .header = "aclnn_mean.h",
     .summary = "out = sum of self over dim, divided by the number of summands",
     .document = "ops-math: math/reduce_mean/docs/aclnnMeanV2.md"},
    {.op = kNames<"Amax">,
     .params = kExtremeParams,
     .prepare = Prepare<Member::kMax>,
     .header = "aclnn_amax.h",
     .summary = "out = largest of self over dim; NaN if one is",
     .document = "ops-math: math/reduce_max/docs/aclnnAmax.md"},
    {.op = kNames<"MaxV2">,
     .params = kExtremeOrCopyParams,
     .prepare = Prepare<Member::kMax>,
     .header = "aclnn_max_v2.h",
     .summary = "out = largest of self over dims; NaN if one is",
     .document = "ops-math: math/reduce_max/docs/aclnnMaxV2.md"},
    {.op = kNames<"GlobalAveragePool">,
     .params = kPoolParams<kPooledMeans>,
     .prepare = PrepareGlobalPool<false>,
     .header = "aclnn_global_average_pool.h",
     .summary = "out = mean of each channel of each image",
     .document = "ops-math: math/reduce_mean/docs/aclnnGlobalAveragePool.md"},
    {.op = kNames<"GlobalMaxPool">,
     .params = kPoolParams<kPooledExtremes>,
     .prepare = PrepareGlobalPool<true>,
     .header = "aclnn_global_max_pool.h",
     .summary = "out = largest of each channel of each image; NaN if one is",
     .document = "ops-math: math/reduce_max/docs/aclnnGlobalMaxPool.md"},
    {.op = kNames<"GroupedBiasAddGrad">,
     .params = kGroupedBiasParams,
     .prepare = PrepareGroupedBias,
     .header = "aclnn_grouped_bias_add_grad.h",
     .summary = "out = sum of each group's rows of gradY",
     .document = "ops-math: math/grouped_bias_add_grad/docs/aclnnGroupedBiasAddGrad.md"},
    {.op = kNames<"GroupedBiasAddGradV2">,
     .params = kGroupedBiasV2Params,
     .prepare = PrepareGroupedBias,
     .header = "aclnn_grouped_bias_add_grad.h",
     .summary = "out = sum of each group's rows of gradY",
     .document = "ops-math: math/grouped_bias_add_grad/docs/aclnnGroupedBiasAddGradV2.md"},
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
    {.op = kNames<"ReduceLogSum">,
     .params = kLogSumParams,
     .prepare = Prepare<Member::kLogSum>,
     .header = "aclnn_reduce_log_sum.h",
     .summary = "reduce = log of the sum of data over axes",
     .document = "ops-math: math/reduce_log_sum/docs/aclnnReduceLogSum.md"},
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
    {.op = kNames<"MaxDim">,
     .params = kExtremeDimParams,
     .prepare = Prepare<Member::kMaxDim>,
     .header = "aclnn_max_dim.h",
     .summary = "out = largest of self along dim, indices = its first place; NaN counts as largest",
     .document = "ops-math: math/arg_max_with_value/docs/aclnnMaxDim.md"},
    {.op = kNames<"MinDim">,
     .params = kExtremeDimParams,
     .prepare = Prepare<Member::kMinDim>,
     .header = "aclnn_min_dim.h",
     .summary =
         "out = smallest of self along dim, indices = its first place; NaN counts as smallest",
     .document = "ops-math: math/arg_min_with_value/docs/aclnnMinDim.md"},
    {.op = kNames<"Aminmax">,
     .params = kAminmaxParams,
     .prepare = Prepare<Member::kAminmax>,
     .header = "aclnn_aminmax.h",
     .summary = "minOut, maxOut = smallest and largest of self over dim; NaN if one is",
     .document = "ops-math: math/reduce_min/docs/aclnnAminmax.md"},
    {.op = kNames<"AminmaxAll">,
     .params = kAminmaxAllParams,
     .prepare = Prepare<Member::kAminmax>,
     .header = "aclnn_aminmax_all.h",
     .summary = "minOut, maxOut = smallest and largest of self; NaN if one is",
     .document = "ops-math: math/reduce_min/docs/aclnnAminmaxAll.md"},
    {.op = kNames<"AminmaxDim">,
     .params = kAminmaxDimParams,
     .prepare = Prepare<Member::kAminmax>,
     .header = "aclnn_aminmax_dim.h",
     .summary = "minOut, maxOut = smallest and largest of self along dim; NaN if one is",
     .document = "ops-math: math/reduce_min/docs/aclnnAminmaxDim.md"},
    {.op = kNames<"IsInScalarTensor">,
     .params = kIsInParams,
     .prepare = PrepareIsIn,
     .header = "aclnn_isin.h",
     .summary = "out = whether an element of testElements is element, or none if invert",
     .document = "ops-math: math/equal/docs/aclnnIsInScalarTensor.md"},
    {.op = kNames<"Prod">,
     .params = kProdParams,
     .prepare = Prepare<Member::kProd>,
     .header = "aclnn_prod.h",
     .summary = "out = product of self",
     .document = "ops-math: math/reduce_prod/docs/aclnnProd.md"},
    {.op = kNames<"ProdDim">,
     .params = kProdDimParams,
     .prepare = Prepare<Member::kProd>,
     .header = "aclnn_prod.h",
     .summary = "out = product of self along dim",
     .document = "ops-math: math/reduce_prod/docs/aclnnProdDim.md"},
    {.op = kNames<"ReduceNansum">,
     .params = kNanSumParams,
     .prepare = Prepare<Member::kNanSum>,
     .header = "aclnn_reduce_nansum.h",
     .summary = "out = sum over dim of what is not NaN",
     .document = "ops-math: math/reduce_nansum/docs/aclnnReduceNansum.md"},
    {.op = kNames<"Trace">,
     .params = kTraceParams,
     .prepare = Prepare<Member::kTrace>,
     .header = "aclnn_trace.h",
     .summary = "out = sum of self[i, i]",
     .document = "ops-math: math/trace/docs/aclnnTrace.md"},
    {.op = kNames<"LinalgVectorNorm">,
     .params = kVectorNormParams,
     .prepare = Prepare<Member::kNorm>,
     .header = "aclnn_linalg_vector_norm.h",
     .summary = "out = (sum over dims of |self|^ord)^(1 / ord)",
     .document = "ops-nn: norm/lp_norm_v2/docs/aclnnLinalgVectorNorm.md"},
    {.op = kNames<"Norm">,
     .params = kNormParams,
     .prepare = Prepare<Member::kNorm>,
     .header = "aclnn_norm.h",
     .summary = "out = (sum over dim of |self|^p)^(1 / p)",
     .document = "ops-nn: norm/lp_norm_v2/docs/aclnnNorm.md"},
    {.op = kNames<"ForeachNorm">,
     .params = kForeachNormParams,
     .prepare = PrepareForeachNorm,
     .header = "aclnn_foreach_norm.h",
     .summary = "out = (sum of |x|^scalar)^(1 / scalar), of each tensor",
     .document = "ops-nn: foreach/foreach_norm/docs/aclnnForeachNorm.md"},
    {.op = kNames<"Renorm">,
     .params = kRenormParams,
     .prepare = PrepareRenorm,
     .header = "aclnn_renorm.h",
     .summary = "out = self * min(1, maxNorm / norm), norm that of each slice along dim",
     .document = "ops-nn: norm/renorm/docs/aclnnRenorm&aclnnInplaceRenorm.md"},
    {.op = kNames<"InplaceRenorm">,
     .params = kInplaceRenormParams,
     .prepare = PrepareRenorm,
     .header = "aclnn_renorm.h",
     .summary = "selfRef = selfRef * min(1, maxNorm / norm), norm that of each slice along dim",
     .document = "ops-nn: norm/renorm/docs/aclnnRenorm&aclnnInplaceRenorm.md"},
    {.op = kNames<"Var">,
     .params = kVarParams,
     .prepare = Prepare<Member::kVar>,
     .header = "aclnn_var.h",
     .summary = "out = variance of self over dim",
     .document = "ops-math: math/reduce_var/docs/aclnnVar.md"},
    {.op = kNames<"VarCorrection">,
     .params = kCorrectedParams,
     .prepare = Prepare<Member::kVar>,
     .header = "aclnn_var.h",
     .summary = "out = sum over dim of (self - mean)^2 / max(0, n - correction)",
     .document = "ops-math: math/reduce_var/docs/aclnnVarCorrection.md"},
    {.op = kNames<"VarMean">,
     .params = kWithMeanParams<"varOut">,
     .prepare = Prepare<Member::kVar>,
     .header = "aclnn_var_mean.h",
     .summary = "varOut = sum over dim of (self - mean)^2 / max(0, n - correction), meanOut = mean",
     .document = "ops-math: math/reduce_var/docs/aclnnVarMean.md"},
    {.op = kNames<"Std">,
     .params = kCorrectedParams,
     .prepare = Prepare<Member::kStd>,
     .header = "aclnn_std.h",
     .summary = "out = the square root of VarCorrection's",
     .document = "ops-math: math/reduce_std_v2/docs/aclnnStd.md"},
    {.op = kNames<"StdMeanCorrection">,
     .params = kWithMeanParams<"stdOut">,
     .prepare = Prepare<Member::kStd>,
     .header = "aclnn_std_mean_correction.h",
     .summary = "stdOut = the square root of VarCorrection's, meanOut = mean",
     .document = "ops-math: math/reduce_std_with_mean/docs/aclnnStdMeanCorrection.md"},
};

}  // namespace anyacl::reduction
