// SPDX-License-Identifier: Apache-2.0
// The declarations of the operators that move elements and change none (README.md).
#pragma once

#include "nnop/dtype_sets.h"
#include "nnop/operator.h"

namespace anyacl::movement {

enum : int {
  kSelf,
  kTensors,
  kIndex,
  kSource,
  kOut,
  kDim,
  kDims,
  kStart,
  kEnd,
  kStep,
  kRepeats,
  kOutputSize,
  kPad,
  kValue,
  kShifts,
  kGroups,
  kDiagonal,
  kBeginMask,
  kEndMask,
  kEllipsisMask,
  kNewAxisMask,
  kShrinkAxisMask,
  kTransposeFirst,
  kOuts,
  kMode,
  kChunks
};

Status PrepareCat(Operands& operands, PreparedCall* call);
Status PrepareChunkCat(Operands& operands, PreparedCall* call);
Status PrepareStack(Operands& operands, PreparedCall* call);
Status PrepareChannelShuffle(Operands& operands, PreparedCall* call);
Status PreparePermute(Operands& operands, PreparedCall* call);
Status PrepareSlice(Operands& operands, PreparedCall* call);
Status PrepareRepeat(Operands& operands, PreparedCall* call);
Status PrepareRepeatInterleave(Operands& operands, PreparedCall* call);
Status PrepareRepeatInterleaveFlat(Operands& operands, PreparedCall* call);
Status PrepareRepeatByCounts(Operands& operands, PreparedCall* call);
Status PrepareRepeatByCountsGradient(Operands& operands, PreparedCall* call);
Status PrepareRepeatedPlaces(Operands& operands, PreparedCall* call);
Status PrepareSplit(Operands& operands, PreparedCall* call);
Status PrepareFlip(Operands& operands, PreparedCall* call);
Status PrepareRoll(Operands& operands, PreparedCall* call);
Status PreparePad(Operands& operands, PreparedCall* call);
Status PrepareGather(Operands& operands, PreparedCall* call);
Status PrepareIndexSelect(Operands& operands, PreparedCall* call);
Status PrepareEmbedding(Operands& operands, PreparedCall* call);
Status PrepareIndexCopy(Operands& operands, PreparedCall* call);
Status PrepareTril(Operands& operands, PreparedCall* call);
Status PrepareTriu(Operands& operands, PreparedCall* call);
Status PrepareFormatCast(Operands& operands, PreparedCall* call);

inline constexpr DTypeSet kWithComplex = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,      ACL_DOUBLE,
                                          ACL_INT8,  ACL_INT16,   ACL_INT32,     ACL_INT64,
                                          ACL_UINT8, ACL_BOOL,    ACL_COMPLEX64, ACL_COMPLEX128};
inline constexpr DTypeSet kAll = {ACL_FLOAT, ACL_FLOAT16,   ACL_BF16,      ACL_DOUBLE,
                                  ACL_INT8,  ACL_INT16,     ACL_INT32,     ACL_INT64,
                                  ACL_UINT8, ACL_UINT16,    ACL_UINT32,    ACL_UINT64,
                                  ACL_BOOL,  ACL_COMPLEX64, ACL_COMPLEX128};
inline constexpr DTypeSet kAllAndFloat8 = {
    ACL_FLOAT, ACL_FLOAT16,   ACL_BF16,       ACL_DOUBLE,   ACL_INT8,        ACL_INT16,
    ACL_INT32, ACL_INT64,     ACL_UINT8,      ACL_UINT16,   ACL_UINT32,      ACL_UINT64,
    ACL_BOOL,  ACL_COMPLEX64, ACL_COMPLEX128, ACL_HIFLOAT8, ACL_FLOAT8_E5M2, ACL_FLOAT8_E4M3FN};
inline constexpr DTypeSet kCatTypes = {
    ACL_FLOAT, ACL_FLOAT16,   ACL_BF16,     ACL_DOUBLE,      ACL_INT8,          ACL_INT16,
    ACL_INT32, ACL_INT64,     ACL_UINT8,    ACL_UINT16,      ACL_UINT32,        ACL_UINT64,
    ACL_BOOL,  ACL_COMPLEX64, ACL_HIFLOAT8, ACL_FLOAT8_E5M2, ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E8M0};
inline constexpr DTypeSet kSliceTypes = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_INT32,
                                         ACL_INT64, ACL_INT8,    ACL_UINT8, ACL_BOOL};
inline constexpr DTypeSet kInterleaveTypes = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,
                                              ACL_INT8,  ACL_INT16,   ACL_INT32,
                                              ACL_INT64, ACL_UINT8,   ACL_BOOL};
inline constexpr DTypeSet kRollTypes = {ACL_FLOAT,  ACL_FLOAT16, ACL_BF16,     ACL_INT8,
                                        ACL_INT16,  ACL_INT32,   ACL_INT64,    ACL_UINT8,
                                        ACL_UINT32, ACL_BOOL,    ACL_COMPLEX64};
inline constexpr DTypeSet kTriangleTypes = {ACL_FLOAT, ACL_FLOAT16,   ACL_BF16,     ACL_DOUBLE,
                                            ACL_INT8,  ACL_INT16,     ACL_INT32,    ACL_INT64,
                                            ACL_UINT8, ACL_UINT16,    ACL_UINT32,   ACL_UINT64,
                                            ACL_BOOL,  ACL_COMPLEX32, ACL_COMPLEX64};
inline constexpr DTypeSet kShuffleTypes = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,      ACL_DOUBLE,
                                           ACL_INT8,  ACL_INT16,   ACL_INT32,     ACL_INT64,
                                           ACL_UINT8, ACL_BOOL,    ACL_COMPLEX64, ACL_COMPLEX128};
inline constexpr DTypeSet kFormatCastTypes = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_INT8,
                                              ACL_UINT8, ACL_INT32,   ACL_UINT32};
inline constexpr DTypeSet kIndexTypes = {ACL_INT64, ACL_INT32};

// The result, of the input's type.
constexpr ParamSpec Result(DTypeSet dtypes, const char* dims = "*") {
  ParamSpec row = Out(kOut, "out", dtypes, dims);
  row.same_dtype_as = kSelf;
  return row;
}
constexpr ParamSpec Array(int id, const char* name, const char* note) {
  return Value(id, name, Kind::kIntArray, note);
}
constexpr ParamSpec Dim(const char* note = "counts from the end if negative") {
  return Value(kDim, "dim", Kind::kInt64, note);
}

inline constexpr ParamSpec kCatParams[] = {{.name = "tensors",
                                            .id = kTensors,
                                            .kind = Kind::kTensorList,
                                            .dtypes = kCatTypes,
                                            .dims = ".."},
                                           Dim(),
                                           Out(kOut, "out", kCatTypes, "..")};
inline constexpr ParamSpec kChunkCatParams[] = {
    {.name = "tensors",
     .id = kTensors,
     .kind = Kind::kTensorList,
     .dtypes = kFloats,
     .dims = "..",
     .note = "of one type"},
    {.name = "dim", .id = kDim, .kind = Kind::kInt64, .min = 0, .max = 0, .note = "0"},
    {.name = "numChunks", .id = kChunks, .kind = Kind::kInt64, .min = 1, .note = "rows of out"},
    Noted(Out(kOut, "out", kFloats, "n C"),
          "[numChunks, the sizes of the tensors' chunks added up]; FLOAT for FLOAT")};
inline constexpr ParamSpec kStackParams[] = {
    {.name = "tensors", .id = kTensors, .kind = Kind::kTensorList, .dtypes = kAll, .dims = "A*"},
    Dim("where the new dimension stands; counts from the end if negative"),
    Out(kOut, "out", kAll, "B..")};
inline constexpr ParamSpec kPermuteParams[] = {
    In(kSelf, "self", kAllAndFloat8),
    Array(kDims, "dims", "the dimension of self that each dimension of out is"),
    Result(kAllAndFloat8)};
inline constexpr ParamSpec kShuffleParams[] = {
    In(kSelf, "self", kShuffleTypes, "N C X.."),
    {.name = "groups", .id = kGroups, .kind = Kind::kInt64, .min = 1, .note = "divides C"},
    Result(kShuffleTypes, "N C X..")};
inline constexpr ParamSpec kSliceParams[] = {
    In(kSelf, "self", kSliceTypes, ".."),
    Dim(),
    Value(kStart, "start", Kind::kInt64, "counts from the end if negative; clamped"),
    Value(kEnd, "end", Kind::kInt64, "counts from the end if negative; clamped"),
    {.name = "step", .id = kStep, .kind = Kind::kInt64, .min = 1},
    Result(kSliceTypes, "..")};
inline constexpr ParamSpec kRepeatParams[] = {
    In(kSelf, "self", kAllAndFloat8),
    Array(kRepeats, "repeats", "of each dimension of out; no fewer than self has"),
    Result(kAllAndFloat8)};
inline constexpr ParamSpec kInterleaveParams[] = {
    In(kSelf, "self", kInterleaveTypes, ".."),
    {.name = "repeats", .id = kRepeats, .kind = Kind::kInt64, .min = 0},
    Dim(),
    Value(kOutputSize, "outputSize", Kind::kInt64, "repeats times the size of the dimension"),
    Result(kInterleaveTypes, "..")};
inline constexpr ParamSpec kInterleaveFlatParams[] = {
    In(kSelf, "self", kInterleaveTypes),
    {.name = "repeats", .id = kRepeats, .kind = Kind::kInt64, .min = 0},
    Value(kOutputSize, "outputSize", Kind::kInt64, "repeats times the number of self's elements"),
    Result(kInterleaveTypes, "L")};
inline constexpr DTypeSet kCountTypes = {ACL_INT32, ACL_INT64};
constexpr ParamSpec Counts(const char* dims, const char* note) {
  ParamSpec row = In(kIndex, "repeats", kCountTypes, dims);
  row.note = note;
  return row;
}
inline constexpr ParamSpec kInterleaveByCountsParams[] = {
    In(kSelf, "self", kInterleaveTypes),
    Counts("| R", "one number, or one for each element of self"),
    {.name = "outputSize",
     .id = kOutputSize,
     .kind = Kind::kInt64,
     .min = 0,
     .note = "the sum of all repeats"},
    Result(kInterleaveTypes, "L")};
inline constexpr ParamSpec kInterleaveByCountsDimParams[] = {
    In(kSelf, "self", kInterleaveTypes, ".."),
    Counts("| R", "one number, or one for each slice of dim"),
    Dim(),
    {.name = "outputSize",
     .id = kOutputSize,
     .kind = Kind::kInt64,
     .min = 0,
     .note = "the sum of all repeats: the size of dim in out"},
    Result(kInterleaveTypes, "..")};
inline constexpr ParamSpec kRepeatedPlacesParams[] = {In(kSelf, "repeats", kCountTypes, "R"),
                                                      {.name = "outputSize",
                                                       .id = kOutputSize,
                                                       .kind = Kind::kInt64,
                                                       .min = 0,
                                                       .note = "the sum of all repeats"},
                                                      Result(kCountTypes, "L")};
inline constexpr ParamSpec kInterleaveGradientParams[] = {
    In(kSelf, "yGrad", kFloats, ".."),
    Counts("| R", "one number, or one for each slice of axis in out"),
    Value(kDim, "axis", Kind::kInt64, "counts from the end if negative"),
    ConstHandle(Result(kFloats, ".."))};
inline constexpr ParamSpec kSplitParams[] = {
    In(kSelf, "self", kAll, ".."),
    Array(kRepeats, "splitSize", "the sizes of the parts in dim, in order; their sum is self's"),
    Dim(),
    {.name = "out",
     .id = kOuts,
     .kind = Kind::kTensorList,
     .direction = Direction::kOutput,
     .dtypes = kAll,
     .dims = "..",
     .same_dtype_as = kSelf}};
inline constexpr ParamSpec kFlipParams[] = {In(kSelf, "self", kWithComplex, "A*"),
                                            Array(kDims, "dims", "each of them once"),
                                            Result(kWithComplex, "A*")};
inline constexpr ParamSpec kRollParams[] = {
    In(kSelf, "x", kRollTypes, "A*"),
    Array(kShifts, "shifts", "one for each of dims; a single one without dims, of the flat tensor"),
    Array(kDims, "dims", "may be empty"), Result(kRollTypes, "A*")};
inline constexpr ParamSpec kPadParams[] = {
    In(kSelf, "self", kAll),
    Array(kPad, "pad", "before and after each dimension, from the last one; negative: cuts off"),
    Value(kValue, "value", Kind::kScalar), Result(kAll)};
inline constexpr ParamSpec kGatherParams[] = {In(kSelf, "self", kWithComplex), Dim(),
                                              In(kIndex, "index", kIndexTypes, "I*"),
                                              Result(kWithComplex)};
inline constexpr ParamSpec kIndexSelectParams[] = {
    In(kSelf, "self", kAll), Dim(), In(kIndex, "index", kIndexTypes, "I*"), Result(kAll)};
inline constexpr ParamSpec kEmbeddingParams[] = {In(kSelf, "weight", kWithComplex, "N H"),
                                                 In(kIndex, "indices", kIndexTypes, "I*"),
                                                 ConstHandle(Result(kWithComplex, "I* H"))};
inline constexpr ParamSpec kIndexCopyParams[] = {
    InOut(kSelf, "selfRef", kAll),
    Dim(),
    In(kIndex, "index", kIndexTypes, "I*"),
    {.name = "source", .id = kSource, .dtypes = kAll, .same_dtype_as = kSelf}};
inline constexpr ParamSpec kTriangleParams[] = {
    In(kSelf, "self", kTriangleTypes, "A* R C"),
    Value(kDiagonal, "diagonal", Kind::kInt64, "above the main one if positive"),
    Result(kTriangleTypes, "A* R C")};
inline constexpr ParamSpec kInplaceTrilParams[] = {
    ConstHandle(InOut(kSelf, "selfRef", kTriangleTypes, "A* R C")),
    Value(kDiagonal, "diagonal", Kind::kInt64, "above the main one if positive")};
inline constexpr ParamSpec kInplaceTriuParams[] = {
    InOut(kSelf, "selfRef", kTriangleTypes, "A* R C"),
    Value(kDiagonal, "diagonal", Kind::kInt64, "above the main one if positive")};

inline constexpr ParamSpec kFormatCastParams[] = {
    {.name = "srcTensor",
     .id = kSelf,
     .dtypes = kFormatCastTypes,
     .dims = "A..",
     .strides = Strides::kContiguous,
     .formats = Formats::kPlainOrFractalNz},
    {.name = "dstTensor",
     .id = kOut,
     .direction = Direction::kOutput,
     .dtypes = kFormatCastTypes,
     .dims = "B..",
     .same_dtype_as = kSelf,
     .strides = Strides::kContiguous,
     .formats = Formats::kPlainOrFractalNz,
     .note = "of the shape and format that CalculateSizeAndFormat tells"}};

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"Cat">,
     .params = kCatParams,
     .prepare = PrepareCat,
     .header = "aclnn_cat.h",
     .summary =
         "the tensors one after the other along a dimension, in the type that they promote to",
     .document = "ops-math: conversion/concat_d/docs/aclnnCat.md"},
    {.op = kNames<"ChunkCat">,
     .params = kChunkCatParams,
     .prepare = PrepareChunkCat,
     .header = "aclnn_chunk_cat.h",
     .summary = "row c of out: chunk c of each tensor along dimension 0, flat, one behind the "
                "other, in out's type; what the last chunks lack is 0",
     .document = "ops-math: conversion/chunk_cat/docs/aclnnChunkCat.md"},
    {.op = kNames<"Stack">,
     .params = kStackParams,
     .prepare = PrepareStack,
     .header = "aclnn_stack.h",
     .summary = "the tensors one after the other along a new dimension",
     .document = "ops-math: conversion/pack/docs/aclnnStack.md",
     .codes = {.null = ACLNN_ERR_INNER_NULLPTR}},
    {.op = kNames<"ChannelShuffle">,
     .params = kShuffleParams,
     .prepare = PrepareChannelShuffle,
     .header = "aclnn_channel_shuffle.h",
     .summary = "out[n, i * groups + g, ..] = self[n, g * C / groups + i, ..]",
     .document = "ops-math: conversion/transpose/docs/aclnnChannelShuffle.md",
     .max_rank = 7},
    {.op = kNames<"Permute">,
     .params = kPermuteParams,
     .prepare = PreparePermute,
     .header = "aclnn_permute.h",
     .summary = "self with its dimensions in another order",
     .document = "ops-math: conversion/transpose/docs/aclnnPermute.md"},
    {.op = kNames<"Slice">,
     .params = kSliceParams,
     .prepare = PrepareSlice,
     .header = "aclnn_slice.h",
     .summary = "self[start:end:step] of one dimension",
     .document = "ops-math: conversion/slice/docs/aclnnSlice.md"},
    {.op = kNames<"Repeat">,
     .params = kRepeatParams,
     .prepare = PrepareRepeat,
     .header = "aclnn_repeat.h",
     .summary = "self beside itself, as often in each dimension as repeats says",
     .document = "ops-math: math/tile/docs/aclnnRepeat.md"},
    {.op = kNames<"RepeatInterleaveIntWithDim">,
     .params = kInterleaveParams,
     .prepare = PrepareRepeatInterleave,
     .header = "aclnn_repeat_interleave.h",
     .summary = "each slice of one dimension, several times",
     .document = "ops-nn: index/repeat_interleave/docs/aclnnRepeatInterleaveIntWithDim.md"},
    {.op = kNames<"RepeatInterleaveInt">,
     .params = kInterleaveFlatParams,
     .prepare = PrepareRepeatInterleaveFlat,
     .header = "aclnn_repeat_interleave.h",
     .summary = "each element, in row-major order, several times",
     .document = "ops-nn: index/repeat_interleave/docs/aclnnRepeatInterleaveInt.md"},
    {.op = kNames<"RepeatInterleave">,
     .params = kInterleaveByCountsParams,
     .prepare = PrepareRepeatByCounts,
     .header = "aclnn_repeat_interleave.h",
     .summary = "each element, in row-major order, as often as repeats says",
     .document = "ops-nn: index/repeat_interleave/docs/aclnnRepeatInterleave.md"},
    {.op = kNames<"RepeatInterleaveWithDim">,
     .params = kInterleaveByCountsDimParams,
     .prepare = PrepareRepeatByCounts,
     .header = "aclnn_repeat_interleave.h",
     .summary = "each slice of one dimension, as often as repeats says",
     .document = "ops-nn: index/repeat_interleave/docs/aclnnRepeatInterleaveWithDim.md"},
    {.op = kNames<"RepeatInterleaveTensor">,
     .params = kRepeatedPlacesParams,
     .prepare = PrepareRepeatedPlaces,
     .header = "aclnn_repeat_interleave.h",
     .summary = "each place of repeats, as often as the number there says",
     .document = "ops-nn: index/repeat_interleave/docs/aclnnRepeatInterleaveTensor.md"},
    {.op = kNames<"RepeatInterleaveGrad">,
     .params = kInterleaveGradientParams,
     .prepare = PrepareRepeatByCountsGradient,
     .header = "aclnn_repeat_interleave_grad.h",
     .summary = "the sums of the slices of yGrad that stand for one of out",
     .document = "ops-nn: index/repeat_interleave_grad/docs/aclnnRepeatInterleaveGrad.md"},
    {.op = kNames<"SplitWithSize">,
     .params = kSplitParams,
     .prepare = PrepareSplit,
     .header = "aclnn_split_with_size.h",
     .summary = "self cut along a dimension into parts of given sizes",
     .document = "ops-math: conversion/split_v/docs/aclnnSplitWithSize.md"},
    {.op = kNames<"Flip">,
     .params = kFlipParams,
     .prepare = PrepareFlip,
     .header = "aclnn_flip.h",
     .summary = "self with the order in some dimensions reversed",
     .document = "ops-nn: index/reverse_v2/docs/aclnnFlip.md"},
    {.op = kNames<"Roll">,
     .params = kRollParams,
     .prepare = PrepareRoll,
     .header = "aclnn_roll.h",
     .summary = "x moved along dimensions, what leaves at the end coming back at the begin",
     .document = "ops-math: conversion/roll/docs/aclnnRoll.md"},
    {.op = kNames<"ConstantPadNd">,
     .params = kPadParams,
     .prepare = PreparePad,
     .header = "aclnn_constant_pad_nd.h",
     .summary = "self surrounded by a value",
     .document = "ops-math: conversion/pad_v3/docs/aclnnConstantPadNd.md"},
    {.op = kNames<"GatherV2">,
     .params = kGatherParams,
     .prepare = PrepareGather,
     .header = "aclnn_gather_v2.h",
     .summary = "out[a, i, b] = self[a, index[i], b], i of any rank",
     .document = "ops-nn: index/gather_v2/docs/aclnnGatherV2.md"},
    {.op = kNames<"IndexSelect">,
     .params = kIndexSelectParams,
     .prepare = PrepareIndexSelect,
     .header = "aclnn_index_select.h",
     .summary = "out[a, i, b] = self[a, index[i], b]",
     .document = "ops-nn: index/gather_v2/docs/aclnnIndexSelect.md"},
    {.op = kNames<"Embedding">,
     .params = kEmbeddingParams,
     .prepare = PrepareEmbedding,
     .header = "aclnn_embedding.h",
     .summary = "out[i] = weight[indices[i]]",
     .document = "ops-nn: index/embedding/docs/aclnnEmbedding.md"},
    {.op = kNames<"InplaceIndexCopy">,
     .params = kIndexCopyParams,
     .prepare = PrepareIndexCopy,
     .header = "aclnn_index_copy.h",
     .summary = "selfRef[a, index[i], b] = source[a, i, b], the last i where an index repeats",
     .document = "ops-nn: index/scatter_update/docs/aclnnIndexCopy&aclnnInplaceIndexCopy.md"},
    {.op = kNames<"Tril">,
     .params = kTriangleParams,
     .prepare = PrepareTril,
     .header = "aclnn_tril.h",
     .summary = "self where column <= row + diagonal, else 0",
     .document = "ops-math: conversion/tril/docs/aclnnTril&aclnnInplaceTril.md"},
    {.op = kNames<"InplaceTril">,
     .params = kInplaceTrilParams,
     .prepare = PrepareTril,
     .header = "aclnn_tril.h",
     .summary = "selfRef where column <= row + diagonal, else 0",
     .document = "ops-math: conversion/tril/docs/aclnnTril&aclnnInplaceTril.md"},
    {.op = kNames<"Triu">,
     .params = kTriangleParams,
     .prepare = PrepareTriu,
     .header = "aclnn_triu.h",
     .summary = "self where column >= row + diagonal, else 0",
     .document = "ops-math: conversion/triu/docs/aclnnTriu&aclnnInplaceTriu.md"},
    {.op = kNames<"InplaceTriu">,
     .params = kInplaceTriuParams,
     .prepare = PrepareTriu,
     .header = "aclnn_triu.h",
     .summary = "selfRef where column >= row + diagonal, else 0",
     .document = "ops-math: conversion/triu/docs/aclnnTriu&aclnnInplaceTriu.md"},
    {.op = kNames<"NpuFormatCast">,
     .params = kFormatCastParams,
     .prepare = PrepareFormatCast,
     .header = "aclnn_npu_format_cast.h",
     .summary = "matrices [.., K, N] into panels [.., N/C0, K/16, 16, C0] (FRACTAL_NZ), or back",
     .document = "ops-math: conversion/npu_format_cast/docs/aclnnNpuFormatCast.md"},
};

}  // namespace anyacl::movement
