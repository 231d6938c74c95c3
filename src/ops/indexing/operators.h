// SPDX-License-Identifier: Apache-2.0
// The declarations of the operators that read or write elements at indices or where a mask is true
// (README.md).
#pragma once

#include "ops/indexing/rows_parts.h"

namespace anyacl::indexing {

Status PrepareIndex(Operands& operands, PreparedCall* call);
Status PrepareIndexPut(Operands& operands, PreparedCall* call);
Status PrepareGather(Operands& operands, PreparedCall* call);
Status PrepareGatherV3(Operands& operands, PreparedCall* call);
Status PrepareGatherNd(Operands& operands, PreparedCall* call);
Status PrepareScatterNd(Operands& operands, PreparedCall* call);
Status PrepareScatterBoxes(Operands& operands, PreparedCall* call);
Status PrepareTake(Operands& operands, PreparedCall* call);
Status PreparePut(Operands& operands, PreparedCall* call);
Status PrepareScatter(Operands& operands, PreparedCall* call);
Status PrepareIndexAdd(Operands& operands, PreparedCall* call);
Status PrepareIndexAddV2(Operands& operands, PreparedCall* call);
Status PrepareIndexFill(Operands& operands, PreparedCall* call);
Status PrepareIndexFillList(Operands& operands, PreparedCall* call);
Status PrepareIndexCopy(Operands& operands, PreparedCall* call);
Status PrepareJaggedPermute(Operands& operands, PreparedCall* call);
Status PrepareNonzero(Operands& operands, PreparedCall* call);
Status PrepareNonzeroV2(Operands& operands, PreparedCall* call);
Status PrepareMaskedSelect(Operands& operands, PreparedCall* call);
Status PrepareMaskedFill(Operands& operands, PreparedCall* call);
Status PrepareMaskedScatter(Operands& operands, PreparedCall* call);
Status PrepareOneHot(Operands& operands, PreparedCall* call);
Status PrepareEmbeddingBackward(Operands& operands, PreparedCall* call);
Status PrepareCoalesceSparse(Operands& operands, PreparedCall* call);
Status PrepareEmbeddingBag(Operands& operands, PreparedCall* call);
Status PrepareEmbeddingRenorm(Operands& operands, PreparedCall* call);

inline constexpr ParamSpec kIndexParams[] = {In(kSelf, "self", kAll), ListRow(),
                                             AsSelf(Out(kOut, "out", kAll))};
inline constexpr ParamSpec kIndexPutParams[] = {
    InOut(kSelf, "selfRef", kNumbersAndBool), ListRow(),
    AsSelf(In(kValues, "values", kNumbersAndBool)),
    Value(kAccumulate, "accumulate", Kind::kBool, "add instead of replacing"),
    Value(kUnsafe, "unsafe", Kind::kBool, "changes nothing: indices are always checked")};
inline constexpr ParamSpec kGatherParams[] = {In(kSelf, "self", kReal), Dim(), IndexRow(),
                                              AsSelf(Out(kOut, "out", kReal, "I*"))};
// Those of aclnnGatherV2, too.
inline constexpr DTypeSet kGathered = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,      ACL_DOUBLE,
                                       ACL_INT8,  ACL_INT16,   ACL_INT32,     ACL_INT64,
                                       ACL_UINT8, ACL_BOOL,    ACL_COMPLEX64, ACL_COMPLEX128};
inline constexpr ParamSpec kGatherV3Params[] = {
    In(kSelf, "self", kGathered),
    Value(kDim, "dim", Kind::kInt64, "the first"),
    IndexRow(),
    {.name = "batchDims", .id = kBatchDims, .kind = Kind::kInt64, .min = 0, .max = 0},
    {.name = "mode",
     .id = kMode,
     .kind = Kind::kInt64,
     .min = 0,
     .max = 1,
     .note = "which indices a device would be fast for: changes nothing"},
    AsSelf(Out(kOut, "out", kGathered))};
inline constexpr DTypeSet kGatheredBoxes = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_INT8,
                                            ACL_INT32, ACL_INT64,   ACL_UINT8, ACL_BOOL};
inline constexpr ParamSpec kGatherNdParams[] = {
    In(kSelf, "self", kGatheredBoxes, "S A*"), In(kIndices, "indices", kIndexTypes, "I* C"),
    Value(kNegative, "negativeIndexSupport", Kind::kBool,
          "negative indices count from the end, else they are out of range"),
    AsSelf(Out(kOut, "out", kGatheredBoxes))};
inline constexpr DTypeSet kScatteredBoxes = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_BOOL};
inline constexpr ParamSpec kScatterNdParams[] = {In(kSelf, "data", kScatteredBoxes, "S A*"),
                                                 In(kIndices, "indices", kIndexTypes, "I* C"),
                                                 AsSelf(In(kSource, "updates", kScatteredBoxes)),
                                                 AsSelf(Out(kOut, "out", kScatteredBoxes, "S A*"))};
inline constexpr DTypeSet kAddedBoxes = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,
                                         ACL_INT32, ACL_INT8,    ACL_UINT8};
inline constexpr ParamSpec kTfScatterAddParams[] = {
    InOut(kSelf, "varRef", kAddedBoxes, "S A*"), In(kIndices, "indices", kIndexTypes, "C I*"),
    Noted(AsSelf(In(kSource, "updates", kAddedBoxes, "D U*")),
          "the shape of indices, then that of varRef without the first dimension; or of indices "
          "without the last one, then of varRef without as many as that has")};
inline constexpr ParamSpec kTakeParams[] = {In(kSelf, "self", kAll), IndexRow(),
                                            AsSelf(Out(kOut, "out", kAll, "I*"))};
inline constexpr ParamSpec kPutParams[] = {
    InOut(kSelf, "selfRef", kGathered), IndexRow(), AsSelf(In(kSource, "source", kGathered)),
    Value(kAccumulate, "accumulate", Kind::kBool, "add instead of replacing")};
inline constexpr ParamSpec kScatterParams[] = {
    In(kSelf, "self", kAll, "A*"),    Dim(),        IndexRow(),
    AsSelf(In(kSource, "src", kAll)), ReduceMode(), AsSelf(Out(kOut, "out", kAll, "A*"))};
inline constexpr ParamSpec kInplaceScatterParams[] = {InOut(kSelf, "selfRef", kAll), Dim(),
                                                      IndexRow(), AsSelf(In(kSource, "src", kAll)),
                                                      ReduceMode()};
inline constexpr ParamSpec kScatterValueParams[] = {
    In(kSelf, "self", kAll, "A*"),         Dim(),        IndexRow(),
    Value(kValue, "value", Kind::kScalar), ReduceMode(), AsSelf(Out(kOut, "out", kAll, "A*"))};
inline constexpr ParamSpec kInplaceScatterValueParams[] = {
    InOut(kSelf, "selfRef", kAll), Dim(), IndexRow(), Value(kValue, "value", Kind::kScalar),
    ReduceMode()};
inline constexpr ParamSpec kScatterAddParams[] = {In(kSelf, "self", kAll, "A*"), Dim(), IndexRow(),
                                                  AsSelf(In(kSource, "src", kAll)),
                                                  AsSelf(Out(kOut, "out", kAll, "A*"))};
inline constexpr ParamSpec kIndexAddParams[] = {In(kSelf, "self", kAll, "A*"),
                                                Dim(),
                                                IndexRow(),
                                                AsSelf(In(kSource, "source", kAll)),
                                                Value(kAlpha, "alpha", Kind::kScalar),
                                                AsSelf(Out(kOut, "out", kAll, "A*"))};
inline constexpr ParamSpec kIndexAddV2Params[] = {
    In(kSelf, "self", kAll, "A*"),
    Dim(),
    IndexRow(),
    AsSelf(In(kSource, "source", kAll)),
    Value(kAlpha, "alpha", Kind::kScalar, "counts unless mode is 0"),
    Value(kMode, "mode", Kind::kInt64,
          "0: self is a matrix of FLOAT, FLOAT16, BF16, INT32 or INT16, dim its first"),
    AsSelf(Out(kOut, "out", kAll, "A*"))};
inline constexpr ParamSpec kIndexFillParams[] = {In(kSelf, "self", kAll, "A*"), Dim(), IndexRow(),
                                                 Value(kValue, "value", Kind::kScalar),
                                                 AsSelf(Out(kOut, "out", kAll, "A*"))};
inline constexpr ParamSpec kInplaceIndexFillParams[] = {
    InOut(kSelf, "selfRef", kAll), Dim(), IndexRow(), Value(kValue, "value", Kind::kScalar)};
inline constexpr DTypeSet kListFilled = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,
                                         ACL_INT32, ACL_INT64,   ACL_BOOL};
inline constexpr ParamSpec kListRow =
    Value(kIndex, "index", Kind::kIntArray, "counts from the end if negative");
inline constexpr ParamSpec kIndexFillListParams[] = {
    In(kSelf, "self", kListFilled, "A*"), Dim(), kListRow, Value(kValue, "value", Kind::kScalar),
    AsSelf(Out(kOut, "out", kListFilled, "A*"))};
inline constexpr ParamSpec kInplaceIndexFillListParams[] = {
    InOut(kSelf, "selfRef", kListFilled), Dim(), kListRow, Value(kValue, "value", Kind::kScalar)};
inline constexpr ParamSpec kIndexCopyParams[] = {In(kSelf, "selfRef", kAll, "A*"), Dim(),
                                                 IndexRow(), AsSelf(In(kSource, "source", kAll)),
                                                 AsSelf(Out(kOut, "outRef", kAll, "A*"))};
inline constexpr ParamSpec kNonzeroParams[] = {
    In(kSelf, "self", kReal, "A*"),
    Noted(Dense(Out(kOut, "out", {ACL_INT64}, "N D")),
          "as if every element were counted; its shape is set when the task runs")};
inline constexpr ParamSpec kNonzeroV2Params[] = {
    In(kSelf, "self", kReal, "A*"),
    Noted(Dense(Out(kOut, "out", {ACL_INT64}, "D N")),
          "as if every element were counted; its shape is set when the task runs")};
inline constexpr ParamSpec kMaskedSelectParams[] = {
    In(kSelf, "self", kNumbersAndBool), In(kMask, "mask", kTruth),
    Noted(Dense(Out(kOut, "out", kNumbersAndBool, "N")),
          "as if the mask were true everywhere; its shape is set when the task runs")};
inline constexpr DTypeSet kMaskFilled = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT8,
                                         ACL_INT32, ACL_INT64,   ACL_BOOL};
inline constexpr ParamSpec kMaskedFillParams[] = {InOut(kSelf, "selfRef", kMaskFilled),
                                                  In(kMask, "mask", {ACL_BOOL}),
                                                  In(kValue, "value", kMaskFilled, "V*")};
inline constexpr ParamSpec kMaskedScatterParams[] = {
    InOut(kSelf, "selfRef", kNumbersAndBool), In(kMask, "mask", kTruth),
    AsSelf(In(kSource, "source", kNumbersAndBool))};
inline constexpr ParamSpec kJaggedPermuteParams[] = {
    Noted(In(kIndex, "permute", {ACL_INT32}, "T"), "which table each one comes from"),
    Noted(In(kOffset, "inputOffset", {ACL_INT32}, "U"), "[T + 1], where each table begins"),
    Noted(In(kOffsets, "outputOffset", {ACL_INT32}, "U"),
          "where each permuted one begins, ascending from 0 on; outputSize the last"),
    {.name = "outputSize", .id = kSize, .kind = Kind::kInt64, .names_size = true},
    ConstHandle(Out(kOut, "outputPermuteOut", {ACL_INT32}, "outputSize"))};
inline constexpr ParamSpec kOneHotParams[] = {
    In(kSelf, "self", kClassTypes, "A*"),
    {.name = "numClasses", .id = kClasses, .kind = Kind::kInt32, .min = 0},
    Like(kOut, In(kOnValue, "onValue", kNumbersAndBool)),
    Like(kOut, In(kOffValue, "offValue", kNumbersAndBool)),
    Value(kAxis, "axis", Kind::kInt64, "where the classes stand in out; -1: last"),
    Out(kOut, "out", kNumbersAndBool, "B*")};
inline constexpr DTypeSet kSparseTypes = {ACL_FLOAT, ACL_FLOAT16, ACL_INT32};
inline constexpr ParamSpec kCoalesceParams[] = {
    {.name = "uniqueLen",
     .id = kUniqueLen,
     .dtypes = kIndexTypes,
     .dims = "U",
     .note = "as long as there are different coordinates; not looked at otherwise"},
    {.name = "uniqueIndices",
     .id = kIndex,
     .dtypes = kIndexTypes,
     .dims = "N",
     .note = "which of the U each of the N becomes"},
    {.name = "indices",
     .id = kIndices,
     .dtypes = kIndexTypes,
     .dims = "N M",
     .note = "coordinates of fewer than 64 dimensions"},
    In(kValues, "values", kSparseTypes, "N A*"),
    ConstHandle(Like(kIndices, Out(kNewIndices, "newIndicesOut", kIndexTypes, "U M"))),
    ConstHandle(Like(kValues, Out(kNewValues, "newValuesOut", kSparseTypes, "U A*")))};
inline constexpr ParamSpec kEmbeddingBackwardParams[] = {
    In(kGrad, "grad", kFloats),
    In(kIndices, "indices", kAnyIndexTypes, "I*"),
    {.name = "numWeights", .id = kNumWeights, .kind = Kind::kUint64, .min = 0, .names_size = true},
    Value(kPaddingIdx, "paddingIdx", Kind::kUint64, "this index adds nothing; -1: none"),
    Value(kScaleByFrequency, "scaleGradByFreq", Kind::kBool, "means instead of sums"),
    ConstHandle(Like(kGrad, Out(kOut, "out", kFloats, "numWeights H")))};
inline constexpr ParamSpec kEmbeddingBagParams[] = {
    In(kSelf, "weight", kFloats, "V H"),
    In(kIndices, "indices", kIndexTypes, "I*"),
    In(kOffsets, "offsets", kIndexTypes, "O*"),
    Value(kScaleByFrequency, "scaleGradByFreq", Kind::kBool, "false"),
    Value(kMode, "mode", Kind::kInt64, "0: sum, 1: mean, others: largest"),
    Value(kSparse, "sparse", Kind::kBool, "false"),
    AsSelf(In(kSampleWeights, "perSampleWeights", kFloats, "*", Need::kOptional)),
    Value(kIncludeLast, "includeLastOffset", Kind::kBool, "the last offset is the end"),
    Value(kPaddingIdx, "paddingIdx", Kind::kInt64, "this index is left out; negative: none"),
    AsSelf(Out(kOut, "output", kFloats, "B H")),
    Out(kOffset2bag, "offset2bag", kIndexTypes, "P*"),
    Out(kBagSize, "bagSize", kIndexTypes, "Q*"),
    Out(kMaxIndex, "maxIndices", kIndexTypes, "R*")};
inline constexpr ParamSpec kEmbeddingRenormParams[] = {
    InOut(kSelf, "selfRef", kFloats, "V H"), In(kIndices, "indices", kIndexTypes, "I*"),
    Value(kMaxNorm, "maxNorm", Kind::kDouble), Value(kNormType, "normType", Kind::kDouble)};

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"Index">,
     .params = kIndexParams,
     .prepare = PrepareIndex,
     .header = "aclnn_index.h",
     .summary = "out = self[indices]",
     .document = "ops-nn: index/index/docs/aclnnIndex.md"},
    {.op = kNames<"IndexPutImpl">,
     .params = kIndexPutParams,
     .prepare = PrepareIndexPut,
     .header = "aclnn_index_put_impl.h",
     .summary = "selfRef[indices] = values, or += values",
     .document = "ops-nn: index/index_put_v2/docs/aclnnIndexPutImpl.md"},
    {.op = kNames<"Gather">,
     .params = kGatherParams,
     .prepare = PrepareGather,
     .header = "aclnn_gather.h",
     .summary = "out[i, j, k] = self[i, index[i, j, k], k], where dim is the second one",
     .document = "ops-nn: index/gather_elements_v2/docs/aclnnGather.md"},
    {.op = kNames<"GatherV3">,
     .params = kGatherV3Params,
     .prepare = PrepareGatherV3,
     .header = "aclnn_gather_v3.h",
     .summary = "out[i, b] = self[index[i], b]",
     .document = "ops-nn: index/gather_v2/docs/aclnnGatherV3.md"},
    {.op = kNames<"GatherNd">,
     .params = kGatherNdParams,
     .prepare = PrepareGatherNd,
     .header = "aclnn_gather_nd.h",
     .summary = "out[i] = self[indices[i, 0], indices[i, 1], ..]",
     .document = "ops-nn: index/gather_nd/docs/aclnnGatherNd.md"},
    {.op = kNames<"ScatterNd">,
     .params = kScatterNdParams,
     .prepare = PrepareScatterNd,
     .header = "aclnn_scatter_nd.h",
     .summary = "out = data, and then out[indices[i, 0], indices[i, 1], ..] = updates[i]",
     .document = "ops-nn: index/scatter_nd/docs/aclnnScatterNd.md"},
    {.op = kNames<"TfScatterAdd">,
     .params = kTfScatterAddParams,
     .prepare = PrepareScatterBoxes,
     .header = "aclnn_tf_scatter_add.h",
     .summary = "varRef[indices[i]] += updates[i], or varRef[indices[i, 0], indices[i, 1], ..] += "
                "updates[i]",
     .document = "ops-nn: index/tf_scatter_add/docs/aclnnTfScatterAdd.md"},
    {.op = kNames<"Take">,
     .params = kTakeParams,
     .prepare = PrepareTake,
     .header = "aclnn_take.h",
     .summary = "out[i] = self[index[i]], self being taken as a vector",
     .document = "ops-nn: index/gather_v2/docs/aclnnTake.md"},
    {.op = kNames<"InplacePut">,
     .params = kPutParams,
     .prepare = PreparePut,
     .header = "aclnn_put.h",
     .summary = "selfRef[index[i]] = source[i], or += source[i], selfRef being taken as a vector",
     .document = "ops-nn: index/scatter_nd_update/docs/aclnnInplacePut.md"},
    {.op = kNames<"Scatter">,
     .params = kScatterParams,
     .prepare = PrepareScatter,
     .header = "aclnn_scatter.h",
     .summary = "out = self, and then out[i, index[i, j, k], k] = src[i, j, k], or += or *=",
     .document = "ops-nn: index/scatter_elements_v2/docs/aclnnScatter&aclnnInplaceScatter.md"},
    {.op = kNames<"InplaceScatter">,
     .params = kInplaceScatterParams,
     .prepare = PrepareScatter,
     .header = "aclnn_scatter.h",
     .summary = "selfRef[i, index[i, j, k], k] = src[i, j, k], or += or *=",
     .document = "ops-nn: index/scatter_elements_v2/docs/aclnnScatter&aclnnInplaceScatter.md"},
    {.op = kNames<"ScatterValue">,
     .params = kScatterValueParams,
     .prepare = PrepareScatter,
     .header = "aclnn_scatter.h",
     .summary = "out = self, and then out[i, index[i, j, k], k] = value, or += or *=",
     .document =
         "ops-nn: index/scatter_elements_v2/docs/aclnnScatterValue&aclnnInplaceScatterValue.md"},
    {.op = kNames<"InplaceScatterValue">,
     .params = kInplaceScatterValueParams,
     .prepare = PrepareScatter,
     .header = "aclnn_scatter.h",
     .summary = "selfRef[i, index[i, j, k], k] = value, or += or *=",
     .document =
         "ops-nn: index/scatter_elements_v2/docs/aclnnScatterValue&aclnnInplaceScatterValue.md"},
    {.op = kNames<"ScatterAdd">,
     .params = kScatterAddParams,
     .prepare = PrepareScatter,
     .header = "aclnn_scatter_add.h",
     .summary = "out = self, and then out[i, index[i, j, k], k] += src[i, j, k]",
     .document = "ops-nn: index/scatter_add/docs/aclnnScatterAdd.md"},
    {.op = kNames<"IndexAdd">,
     .params = kIndexAddParams,
     .prepare = PrepareIndexAdd,
     .header = "aclnn_index_add.h",
     .summary = "out = self, and then out[a, index[i], b] += alpha * source[a, i, b]",
     .document = "ops-nn: index/inplace_scatter_add/docs/aclnnIndexAdd.md"},
    {.op = kNames<"IndexAddV2">,
     .params = kIndexAddV2Params,
     .prepare = PrepareIndexAddV2,
     .header = "aclnn_index_add_v2.h",
     .summary = "out = self, and then out[a, index[i], b] += alpha * source[a, i, b], alpha 1 if "
                "mode is 0",
     .document = "ops-nn: index/inplace_scatter_add/docs/aclnnIndexAddV2.md"},
    {.op = kNames<"IndexFill">,
     .params = kIndexFillParams,
     .prepare = PrepareIndexFill,
     .header = "aclnn_index_fill.h",
     .summary = "out = self, and then out[a, index[i], b] = value",
     .document =
         "ops-nn: experimental/index/index_fill/docs/aclnnIndexFill&aclnnInplaceIndexFill.md"},
    {.op = kNames<"InplaceIndexFill">,
     .params = kInplaceIndexFillParams,
     .prepare = PrepareIndexFill,
     .header = "aclnn_index_fill.h",
     .summary = "selfRef[a, index[i], b] = value",
     .document =
         "ops-nn: experimental/index/index_fill/docs/aclnnIndexFill&aclnnInplaceIndexFill.md"},
    {.op = kNames<"IndexFillTensor">,
     .params = kIndexFillListParams,
     .prepare = PrepareIndexFillList,
     .header = "aclnn_index_fill_tensor.h",
     .summary = "out = self, but value at the indices along dim",
     .document = "ops-nn: index/index_fill_d/docs/"
                 "aclnnIndexFillTensor&aclnnInplaceIndexFillTensor.md"},
    {.op = kNames<"InplaceIndexFillTensor">,
     .params = kInplaceIndexFillListParams,
     .prepare = PrepareIndexFillList,
     .header = "aclnn_index_fill_tensor.h",
     .summary = "selfRef = value at the indices along dim",
     .document = "ops-nn: index/index_fill_d/docs/"
                 "aclnnIndexFillTensor&aclnnInplaceIndexFillTensor.md"},
    {.op = kNames<"IndexCopy">,
     .params = kIndexCopyParams,
     .prepare = PrepareIndexCopy,
     .header = "aclnn_index_copy.h",
     .summary = "outRef = selfRef, and then outRef[a, index[i], b] = source[a, i, b]",
     .document = "ops-nn: index/scatter_update/docs/aclnnIndexCopy&aclnnInplaceIndexCopy.md"},
    {.op = kNames<"Nonzero">,
     .params = kNonzeroParams,
     .prepare = PrepareNonzero,
     .header = "aclnn_nonzero.h",
     .summary = "the indices of elements that are not 0, one in each row",
     .document = "ops-nn: index/non_zero/docs/aclnnNonzero.md"},
    {.op = kNames<"NonzeroV2">,
     .params = kNonzeroV2Params,
     .prepare = PrepareNonzeroV2,
     .header = "aclnn_nonzero_v2.h",
     .summary = "the indices of elements that are not 0, one in each column",
     .document = "ops-nn: index/non_zero/docs/aclnnNonzeroV2.md"},
    {.op = kNames<"MaskedSelect">,
     .params = kMaskedSelectParams,
     .prepare = PrepareMaskedSelect,
     .header = "aclnn_masked_select.h",
     .summary = "the elements of self where mask is true, in row-major order",
     .document = "ops-math: conversion/masked_select_v3/docs/aclnnMaskedSelect.md"},
    {.op = kNames<"InplaceMaskedFillTensor">,
     .params = kMaskedFillParams,
     .prepare = PrepareMaskedFill,
     .header = "aclnn_masked_fill_tensor.h",
     .summary = "selfRef = value where mask is true",
     .document = "ops-math: conversion/masked_fill/docs/aclnnInplaceMaskedFillTensor.md"},
    {.op = kNames<"InplaceMaskedScatter">,
     .params = kMaskedScatterParams,
     .prepare = PrepareMaskedScatter,
     .header = "aclnn_masked_scatter.h",
     .summary = "the elements of selfRef where mask is true are those of source, in their order",
     .document = "ops-nn: index/masked_scatter/docs/aclnnInplaceMaskedScatter.md"},
    {.op = kNames<"ExpandIntoJaggedPermute">,
     .params = kJaggedPermuteParams,
     .prepare = PrepareJaggedPermute,
     .header = "aclnn_expand_into_jagged_permute.h",
     .summary = "outputPermuteOut[outputOffset[t] + i] = inputOffset[permute[t]] + i, up to "
                "outputOffset[t + 1]",
     .document = "ops-nn: index/expand_into_jagged_permute/docs/aclnnExpandIntoJaggedPermute.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
    {.op = kNames<"OneHot">,
     .params = kOneHotParams,
     .prepare = PrepareOneHot,
     .header = "aclnn_one_hot.h",
     .summary = "out[i, j] = onValue where self[i] = j, else offValue",
     .document = "ops-math: math/one_hot/docs/aclnnOneHot.md"},
    {.op = kNames<"EmbeddingDenseBackward">,
     .params = kEmbeddingBackwardParams,
     .prepare = PrepareEmbeddingBackward,
     .header = "aclnn_embedding_dense_backward.h",
     .summary = "out[v] = sum, or mean, of grad[i] with indices[i] = v",
     .document = "ops-nn: index/embedding_dense_grad_v2/docs/aclnnEmbeddingDenseBackward.md"},
    {.op = kNames<"CoalesceSparse">,
     .params = kCoalesceParams,
     .prepare = PrepareCoalesceSparse,
     .header = "aclnn_coalesce_sparse.h",
     .summary = "newIndicesOut[uniqueIndices[n]] = indices[n], newValuesOut[u] = sum of the "
                "values[n] with uniqueIndices[n] = u",
     .document = "ops-math: conversion/coalesce_sparse/docs/aclnnCoalesceSparse.md"},
    {.op = kNames<"EmbeddingBag">,
     .params = kEmbeddingBagParams,
     .prepare = PrepareEmbeddingBag,
     .header = "aclnn_embedding_bag.h",
     .summary = "output[b] = sum, mean or largest of weight[indices[i]], i from offsets[b] on",
     .document = "ops-nn: index/embedding_bag/docs/aclnnEmbeddingBag.md"},
    {.op = kNames<"EmbeddingRenorm">,
     .params = kEmbeddingRenormParams,
     .prepare = PrepareEmbeddingRenorm,
     .header = "aclnn_embedding_renorm.h",
     .summary = "selfRef[indices[i]] *= maxNorm / norm where the norm of the row is larger",
     .document = "ops-nn: norm/renorm/docs/aclnnEmbeddingRenorm.md"},
};

}  // namespace anyacl::indexing
