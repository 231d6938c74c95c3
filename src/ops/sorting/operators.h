// SPDX-License-Identifier: Apache-2.0
// The declarations of the operators that order elements, or find places among ordered ones
// (README.md).
#pragma once

#include "nnop/operator.h"
#include "nnop/single_op.h"

namespace anyacl::sorting {

enum : int {
  kSelf,
  kStable,
  kDim,
  kDescending,
  kK,
  kLargest,
  kSorted,
  kKeepDim,
  kValues,
  kIndices,
  kSequence,
  kOutInt32,
  kRight,
  kSorter,
  kOut,
  kReturnInverse,
  kReturnCounts,
  kInverse,
  kCounts,
  kWeights,
  kMinLength,
  kBins,
  kMin,
  kMax,
  kSamples,
  kReplacement,
  kSeed,
  kOffset,
  kTest,
  kAssumeUnique,
  kInvert,
  kSeedTensor,
  kOffsetTensor
};

Status PrepareSort(Operands& operands, PreparedCall* call);
Status PrepareTopk(Operands& operands, PreparedCall* call);
Status PrepareKthvalue(Operands& operands, PreparedCall* call);
Status PrepareMedian(Operands& operands, PreparedCall* call);
Status PrepareNanMedian(Operands& operands, PreparedCall* call);
Status PrepareSearchSorted(Operands& operands, PreparedCall* call);
Status PrepareSearchOne(Operands& operands, PreparedCall* call);
Status PrepareUnique(Operands& operands, PreparedCall* call);
Status PrepareUniqueConsecutive(Operands& operands, PreparedCall* call);
Status PrepareUniqueDim(Operands& operands, PreparedCall* call);
Status PrepareBincount(Operands& operands, PreparedCall* call);
Status PrepareHistc(Operands& operands, PreparedCall* call);
Status PrepareMultinomial(Operands& operands, PreparedCall* call);
Status PrepareIsIn(Operands& operands, PreparedCall* call);

inline constexpr DTypeSet kReal = {ACL_FLOAT,  ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE, ACL_INT8,
                                   ACL_INT16,  ACL_INT32,   ACL_INT64, ACL_UINT8,  ACL_UINT16,
                                   ACL_UINT32, ACL_UINT64,  ACL_BOOL};
inline constexpr DTypeSet kComplexToo = {ACL_FLOAT, ACL_FLOAT16,   ACL_BF16,      ACL_DOUBLE,
                                         ACL_INT8,  ACL_INT16,     ACL_INT32,     ACL_INT64,
                                         ACL_UINT8, ACL_UINT16,    ACL_UINT32,    ACL_UINT64,
                                         ACL_BOOL,  ACL_COMPLEX64, ACL_COMPLEX128};
inline constexpr DTypeSet kPlaces = {ACL_INT64, ACL_INT32};
inline constexpr DTypeSet kWhole = {ACL_INT8, ACL_INT16, ACL_INT32, ACL_INT64, ACL_UINT8};
inline constexpr DTypeSet kCountTypes = {ACL_INT32, ACL_INT64, ACL_FLOAT, ACL_DOUBLE};
inline constexpr DTypeSet kNumbers = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE, ACL_INT8,
                                      ACL_INT16, ACL_INT32,   ACL_INT64, ACL_UINT8};
inline constexpr DTypeSet kChances = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE};

constexpr ParamSpec Dim() {
  return Value(kDim, "dim", Kind::kInt64, "counts from the end if negative");
}
constexpr ParamSpec AsSelf(ParamSpec row) { return Like(kSelf, row); }
constexpr ParamSpec Found(ParamSpec row, const char* note) { return Noted(Dense(row), note); }

inline constexpr const char* kSetLater =
    "as if all elements differed; its shape is set when the task runs";

inline constexpr ParamSpec kSortParams[] = {
    In(kSelf, "self", kReal, "A*"),
    Value(kStable, "stable", Kind::kBool, "changes nothing: equal elements keep their order"),
    Dim(),
    Value(kDescending, "descending", Kind::kBool),
    Out(kValues, "valuesOut", kReal, "A*"),
    Out(kIndices, "indicesOut", {ACL_INT64}, "A*")};
inline constexpr ParamSpec kArgsortParams[] = {In(kSelf, "self", kReal, "A*"), Dim(),
                                               Value(kDescending, "descending", Kind::kBool),
                                               Out(kIndices, "out", {ACL_INT64}, "A*")};
inline constexpr DTypeSet kTopkTypes = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,   ACL_DOUBLE,
                                        ACL_INT8,  ACL_INT16,   ACL_INT32,  ACL_INT64,
                                        ACL_UINT8, ACL_UINT16,  ACL_UINT32, ACL_UINT64};
inline constexpr ParamSpec kTopkParams[] = {
    In(kSelf, "self", kTopkTypes),
    {.name = "k", .id = kK, .kind = Kind::kInt64, .min = 0},
    Dim(),
    Value(kLargest, "largest", Kind::kBool, "the largest ones, else the smallest"),
    Value(kSorted, "sorted", Kind::kBool, "changes nothing: they always are"),
    AsSelf(Out(kValues, "valuesOut", kTopkTypes, "V*")),
    Out(kIndices, "indicesOut", {ACL_INT64}, "I*")};
inline constexpr ParamSpec kKthvalueParams[] = {
    In(kSelf, "self", kReal),
    {.name = "k", .id = kK, .kind = Kind::kInt64, .min = 1, .note = "1: the smallest"},
    Dim(),
    Value(kKeepDim, "keepdim", Kind::kBool, "keep the dimension, with size 1"),
    AsSelf(Out(kValues, "valuesOut", kReal, "R*")),
    Out(kIndices, "indicesOut", {ACL_INT64}, "R*")};
inline constexpr ParamSpec kMedianParams[] = {In(kSelf, "self", kReal),
                                              AsSelf(Out(kValues, "valuesOut", kReal, "R*"))};
inline constexpr ParamSpec kMedianDimParams[] = {
    In(kSelf, "self", kReal), Dim(),
    Value(kKeepDim, "keepDim", Kind::kBool, "keep the dimension, with size 1"),
    AsSelf(Out(kValues, "valuesOut", kReal, "R*")), Out(kIndices, "indicesOut", {ACL_INT64}, "R*")};
inline constexpr ParamSpec kSearchSortedParams[] = {
    In(kSequence, "sortedSequence", kNumbers),
    In(kSelf, "self", kNumbers, "A*"),
    Value(kOutInt32, "outInt32", Kind::kBool, "out is INT32, else INT64"),
    Value(kRight, "right", Kind::kBool, "behind equal elements, else before them"),
    In(kSorter, "sorter", {ACL_INT64}, "*", Need::kOptional),
    Out(kOut, "out", kPlaces, "A*")};
inline constexpr ParamSpec kSearchOneParams[] = {
    In(kSequence, "sortedSequence", kNumbers, "N"),
    Value(kSelf, "self", Kind::kScalar),
    Value(kOutInt32, "outInt32", Kind::kBool, "out is INT32, else INT64"),
    Value(kRight, "right", Kind::kBool, "behind equal elements, else before them"),
    In(kSorter, "sorter", {ACL_INT64}, "N", Need::kOptional),
    Out(kOut, "out", kPlaces)};
inline constexpr ParamSpec kUniqueParams[] = {
    In(kSelf, "self", kReal, "A*"),
    Value(kSorted, "sorted", Kind::kBool, "changes nothing: they always are"),
    Value(kReturnInverse, "returnInverse", Kind::kBool),
    AsSelf(Found(Out(kValues, "valueOut", kReal, "N"), kSetLater)),
    Out(kInverse, "inverseOut", {ACL_INT64}, "I*")};
inline constexpr ParamSpec kUnique2Params[] = {
    In(kSelf, "self", kReal, "A*"),
    Value(kSorted, "sorted", Kind::kBool, "changes nothing: they always are"),
    Value(kReturnInverse, "returnInverse", Kind::kBool),
    Value(kReturnCounts, "returnCounts", Kind::kBool),
    AsSelf(Found(Out(kValues, "valueOut", kReal, "N"), kSetLater)),
    Out(kInverse, "inverseOut", {ACL_INT64}, "I*"),
    Found(Out(kCounts, "countsOut", {ACL_INT64}, "C*"), kSetLater)};
inline constexpr ParamSpec kUniqueConsecutiveParams[] = {
    In(kSelf, "self", kComplexToo, "A*"),
    Value(kReturnInverse, "returnInverse", Kind::kBool),
    Value(kReturnCounts, "returnCounts", Kind::kBool),
    Value(kDim, "dim", Kind::kInt64, "1000: of all elements"),
    AsSelf(Found(Out(kValues, "valueOut", kComplexToo, "V*"), kSetLater)),
    Out(kInverse, "inverseOut", kPlaces, "I*"),
    Like(kInverse, Found(Out(kCounts, "countsOut", kPlaces, "C*"), kSetLater))};
inline constexpr ParamSpec kUniqueDimParams[] = {
    In(kSelf, "self", kReal, "A*"),
    Value(kSorted, "sorted", Kind::kBool, "changes nothing: they always are"),
    Value(kReturnInverse, "returnInverse", Kind::kBool),
    Dim(),
    AsSelf(Found(Out(kValues, "valueOut", kReal, "A*"), kSetLater)),
    Out(kInverse, "inverseOut", {ACL_INT64}, "I*"),
    Found(Out(kCounts, "countsOut", {ACL_INT64}, "C*"), kSetLater)};
inline constexpr ParamSpec kBincountParams[] = {
    In(kSelf, "self", kWhole, "N"),
    In(kWeights, "weights",
       {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_INT8, ACL_INT16, ACL_INT32, ACL_INT64, ACL_UINT8,
        ACL_BOOL},
       "N", Need::kOptional),
    Value(kMinLength, "minlength", Kind::kInt64, "out's size at least"),
    Out(kOut, "out", kCountTypes, "M")};
inline constexpr DTypeSet kHistcTypes = {ACL_FLOAT, ACL_FLOAT16, ACL_INT8, ACL_INT16,
                                         ACL_INT32, ACL_INT64,   ACL_UINT8};
inline constexpr ParamSpec kHistcParams[] = {
    In(kSelf, "self", kHistcTypes),
    {.name = "bins", .id = kBins, .kind = Kind::kInt64, .min = 1, .names_size = true},
    Value(kMin, "min", Kind::kScalar),
    Value(kMax, "max", Kind::kScalar),
    Out(kOut, "out", kHistcTypes, "bins")};
inline constexpr ParamSpec kMultinomialParams[] = {
    In(kSelf, "self", kChances, "C | N C"),
    {.name = "numsamples", .id = kSamples, .kind = Kind::kInt64, .min = 1},
    Value(kReplacement, "replacement", Kind::kBool),
    Value(kSeed, "seed", Kind::kInt64),
    Value(kOffset, "offset", Kind::kInt64),
    Out(kOut, "out", {ACL_INT64}, "S | N S")};
inline constexpr ParamSpec kMultinomialTensorParams[] = {
    In(kSelf, "self", kChances, "C | N C"),
    {.name = "numsamples", .id = kSamples, .kind = Kind::kInt64, .min = 1},
    Value(kReplacement, "replacement", Kind::kBool),
    In(kSeedTensor, "seedTensor", {ACL_INT64}, "1"),
    In(kOffsetTensor, "offsetTensor", {ACL_INT64}, "1"),
    Value(kOffset, "offset", Kind::kInt64, "is added to offsetTensor's element"),
    Out(kOut, "out", {ACL_INT64}, "S | N S")};
inline constexpr DTypeSet kIsInTypes = {
    ACL_FLOAT, ACL_FLOAT16, ACL_BF16,   ACL_DOUBLE, ACL_INT8,      ACL_INT16,     ACL_INT32,
    ACL_INT64, ACL_UINT8,   ACL_UINT16, ACL_BOOL,   ACL_COMPLEX64, ACL_COMPLEX128};
inline constexpr ParamSpec kIsInParams[] = {
    In(kSelf, "element", kIsInTypes, "A*"), Value(kTest, "testElement", Kind::kScalar),
    Value(kAssumeUnique, "assumeUnique", Kind::kBool, "changes nothing"),
    Value(kInvert, "invert", Kind::kBool, "the opposite"), Out(kOut, "out", {ACL_BOOL}, "A*")};

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"Sort">,
     .params = kSortParams,
     .prepare = PrepareSort,
     .header = "aclnn_sort.h",
     .summary = "valuesOut = self in order along dim, indicesOut = where it was",
     .document = "ops-math: math/sort/docs/aclnnSort.md"},
    {.op = kNames<"Argsort">,
     .params = kArgsortParams,
     .prepare = PrepareSort,
     .header = "aclnn_argsort.h",
     .summary = "out = where the elements of self in order along dim were",
     .document = "ops-math: math/sort/docs/aclnnArgsort.md"},
    {.op = kNames<"Topk">,
     .params = kTopkParams,
     .prepare = PrepareTopk,
     .header = "aclnn_topk.h",
     .summary = "the k largest or smallest of self along dim, in order, and where they were",
     .document = "ops-math: math/topk/docs/aclnnTopk.md"},
    {.op = kNames<"Kthvalue">,
     .params = kKthvalueParams,
     .prepare = PrepareKthvalue,
     .header = "aclnn_kthvalue.h",
     .summary = "the k-th smallest of self along dim, and where it was",
     .document = "ops-nn: index/gather_v2/docs/aclnnKthvalue.md"},
    {.op = kNames<"Median">,
     .params = kMedianParams,
     .prepare = PrepareMedian,
     .header = "aclnn_median.h",
     .summary = "element (n - 1) / 2 of all in order; NaN if one is",
     .document = "ops-nn: index/gather_v2/docs/aclnnMedian.md"},
    {.op = kNames<"MedianDim">,
     .params = kMedianDimParams,
     .prepare = PrepareMedian,
     .header = "aclnn_median.h",
     .summary = "element (n - 1) / 2 of self in order along dim, and where it was; NaN if one is",
     .document = "ops-nn: index/gather_v2/docs/aclnnMedianDim.md"},
    {.op = kNames<"NanMedian">,
     .params = kMedianParams,
     .prepare = PrepareNanMedian,
     .header = "aclnn_median.h",
     .summary = "element (n - 1) / 2 of the n in order that are not NaN",
     .document = "ops-nn: index/gather_v2/docs/aclnnNanMedian.md"},
    {.op = kNames<"NanMedianDim">,
     .params = kMedianDimParams,
     .prepare = PrepareNanMedian,
     .header = "aclnn_median.h",
     .summary = "element (n - 1) / 2 of the n in order along dim that are not NaN, and its place",
     .document = "ops-nn: index/gather_v2/docs/aclnnNanMedianDim.md"},
    {.op = kNames<"SearchSorted">,
     .params = kSearchSortedParams,
     .prepare = PrepareSearchSorted,
     .header = "aclnn_searchsorted.h",
     .summary = "the first place j with sortedSequence[j] >= self[i], or > if right",
     .document = "ops-math: math/search_sorted/docs/aclnnSearchSorted.md"},
    {.op = kNames<"SearchSorteds">,
     .params = kSearchOneParams,
     .prepare = PrepareSearchOne,
     .header = "aclnn_searchsorted.h",
     .summary = "the first place j with sortedSequence[j] >= self, or > if right",
     .document = "ops-math: math/search_sorted/docs/aclnnSearchSorteds.md"},
    {.op = kNames<"Unique">,
     .params = kUniqueParams,
     .prepare = PrepareUnique,
     .header = "aclnn_unique.h",
     .summary = "the distinct elements of self in order, and which of them each element is",
     .document = "ops-nn: index/unique_consecutive/docs/aclnnUnique.md"},
    {.op = kNames<"Unique2">,
     .params = kUnique2Params,
     .prepare = PrepareUnique,
     .header = "aclnn_unique2.h",
     .summary = "the distinct elements of self in order, which each element is, and how many are",
     .document = "ops-nn: index/unique_consecutive/docs/aclnnUnique2.md"},
    {.op = kNames<"UniqueConsecutive">,
     .params = kUniqueConsecutiveParams,
     .prepare = PrepareUniqueConsecutive,
     .header = "aclnn_unique_consecutive.h",
     .summary = "self without what repeats the element, or slice, before it",
     .document = "ops-nn: index/unique_consecutive/docs/aclnnUniqueConsecutive.md"},
    {.op = kNames<"UniqueDim">,
     .params = kUniqueDimParams,
     .prepare = PrepareUniqueDim,
     .header = "aclnn_unique_dim.h",
     .summary = "the distinct slices of self along dim in order",
     .document = "ops-nn: index/unique_with_counts_ext2/docs/aclnnUniqueDim.md"},
    {.op = kNames<"Bincount">,
     .params = kBincountParams,
     .prepare = PrepareBincount,
     .header = "aclnn_bincount.h",
     .summary = "out[v] = how many elements are v, or the sum of their weights",
     .document = "ops-math: math/bincount/docs/aclnnBincount.md"},
    {.op = kNames<"Histc">,
     .params = kHistcParams,
     .prepare = PrepareHistc,
     .header = "aclnn_histc.h",
     .summary = "how many elements lie in each of equal bins from min to max",
     .document = "ops-math: math/histogram_v2/docs/aclnnHistc.md"},
    {.op = kNames<"Multinomial">,
     .params = kMultinomialParams,
     .prepare = PrepareMultinomial,
     .header = "aclnn_multinomial.h",
     .summary = "random indices of a row, as likely as its elements are large",
     .document = "ops-math: random/stateless_sample_multinomial/docs/aclnnMultinomial.md"},
    {.op = kNames<"MultinomialTensor">,
     .params = kMultinomialTensorParams,
     .prepare = PrepareMultinomial,
     .header = "aclnn_multinomial.h",
     .summary = "aclnnMultinomial with a seed and an offset that tensors hold",
     .document = "ops-math: random/stateless_sample_multinomial/docs/aclnnMultinomialTensor.md"},
    {.op = kNames<"IsInTensorScalar">,
     .params = kIsInParams,
     .prepare = PrepareIsIn,
     .header = "aclnn_isin_tensor_scalar.h",
     .summary = "out = whether element equals testElement, or does not if invert",
     .document = "ops-math: math/equal/docs/aclnnIsInTensorScalar.md"},
};

// Called by name: without indices.
inline constexpr ParamSpec kSortNodeParams[] = {In(kSelf, "x", kReal, "A*"), Dim(),
                                                Value(kDescending, "descending", Kind::kBool),
                                                AsSelf(Out(kValues, "y", kReal, "A*"))};
inline constexpr OpSpec kNodes[] = {{.op = {"SortV2", "SortV2"},
                                     .params = kSortNodeParams,
                                     .prepare = PrepareSort,
                                     .codes = kNodeCodes}};
inline constexpr Source kSortNodeSources[] = {Input{0}, IntAttribute{"axis", -1},
                                              IntAttribute{"descending", 0}, Output{0}};
inline constexpr SingleOpSpec kSingleOperators[] = {{"SortV2", &kNodes[0], kSortNodeSources}};

}  // namespace anyacl::sorting
