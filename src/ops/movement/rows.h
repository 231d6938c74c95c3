// SPDX-License-Identifier: Apache-2.0
// Types of elements and rows of arguments of the operators that move elements, and their first
// phases.
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
Status PrepareSliceAssign(Operands& operands, PreparedCall* call);
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
Status PrepareExpand(Operands& operands, PreparedCall* call);
Status PrepareFlatten(Operands& operands, PreparedCall* call);
Status PrepareSliceAlong(Operands& operands, PreparedCall* call);
Status PrepareStridedSlice(Operands& operands, PreparedCall* call);
Status PrepareConfusionTranspose(Operands& operands, PreparedCall* call);
Status PrepareSplitEvenly(Operands& operands, PreparedCall* call);
Status PrepareDiag(Operands& operands, PreparedCall* call);
Status PrepareDiagFlat(Operands& operands, PreparedCall* call);

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
  return Like(kSelf, Out(kOut, "out", dtypes, dims));
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
    {.name = "dim", .id = kDim, .kind = Kind::kInt64, .min = 0, .max = 0},
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
inline constexpr ParamSpec kSliceAlongParams[] = {
    In(kSelf, "self", kSliceTypes, ".."),
    Array(kStart, "starts", "of each axis; counts from the end if negative, and is clamped"),
    Array(kEnd, "ends", "as starts"),
    Array(kDims, "axes", "each of them once; count from the end if negative"),
    Array(kStep, "steps", "1 or more"),
    Result(kSliceTypes)};
inline constexpr DTypeSet kStridedTypes = {
    ACL_FLOAT,     ACL_FLOAT16,   ACL_BF16,     ACL_INT8,        ACL_INT16,        ACL_INT32,
    ACL_INT64,     ACL_UINT8,     ACL_UINT16,   ACL_UINT32,      ACL_UINT64,       ACL_BOOL,
    ACL_COMPLEX32, ACL_COMPLEX64, ACL_HIFLOAT8, ACL_FLOAT8_E5M2, ACL_FLOAT8_E4M3FN};
constexpr ParamSpec Mask(int id, const char* name, const char* note) {
  return Value(id, name, Kind::kInt64, note);
}
inline constexpr ParamSpec kStridedSliceParams[] = {
    In(kSelf, "self", kStridedTypes),
    Array(kStart, "begin", "of each dimension; counts from the end if negative, and is clamped"),
    Array(kEnd, "end", "as begin"),
    Array(kStep, "strides", "not 0"),
    Mask(kBeginMask, "beginMask", "bit i: begin[i] counts as left out"),
    Mask(kEndMask, "endMask", "bit i: end[i] counts as left out"),
    Mask(kEllipsisMask, "ellipsisMask", "bit i, a single one, stands for all dimensions between"),
    Mask(kNewAxisMask, "newAxisMask", "bit i is a new dimension of size 1"),
    Mask(kShrinkAxisMask, "shrinkAxisMask", "bit i takes begin[i] alone"),
    Result(kStridedTypes)};
inline constexpr DTypeSet kAssigned = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE,
                                       ACL_INT8,  ACL_INT32,   ACL_INT64};
constexpr ParamSpec Axes() {
  return Optional(Array(kDims, "axesOptional", "null stands for the first dimensions"));
}
inline constexpr ParamSpec kSliceAssignParams[] = {
    InOut(kSelf, "varRef", kAssigned),
    Noted(Like(kSelf, In(kSource, "inputValue", kAssigned)), "the shape of the slice"),
    Array(kStart, "begin", "of each axis; counts from the end if negative, and is clamped"),
    Array(kEnd, "end", "as begin"),
    Array(kStep, "strides", "1 or more"),
    Axes()};
inline constexpr DTypeSet kConfusedTypes = {ACL_FLOAT,  ACL_FLOAT16, ACL_BF16,  ACL_INT8,
                                            ACL_INT16,  ACL_INT32,   ACL_INT64, ACL_UINT8,
                                            ACL_UINT16, ACL_UINT32,  ACL_UINT64};
inline constexpr ParamSpec kConfusionTransposeParams[] = {
    Dense(In(kSelf, "x", kConfusedTypes)),
    Array(kDims, "perm", "the dimension that each one of the result is"),
    Array(kOutputSize, "shape", "that x gets before, or its transpose after"),
    Value(kTransposeFirst, "transposeFirst", Kind::kBool), Dense(Result(kConfusedTypes))};
inline constexpr DTypeSet kExpandTypes = kSliceTypes;
inline constexpr ParamSpec kExpandParams[] = {
    In(kSelf, "self", kExpandTypes),
    Array(kOutputSize, "size", "sizes that self broadcasts to, which are out's"),
    Result(kExpandTypes)};
inline constexpr DTypeSet kFlattenTypes = {ACL_FLOAT,  ACL_FLOAT16, ACL_BF16,   ACL_INT8,
                                           ACL_INT16,  ACL_INT32,   ACL_INT64,  ACL_UINT8,
                                           ACL_UINT16, ACL_UINT32,  ACL_UINT64, ACL_BOOL};
inline constexpr ParamSpec kFlattenParams[] = {
    In(kSelf, "self", kFlattenTypes),
    Value(kDim, "axis", Kind::kInt64, "counts from the end if negative"),
    Result(kFlattenTypes, "R C")};
inline constexpr DTypeSet kDiagonalTypes = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,     ACL_DOUBLE,
                                            ACL_INT8,  ACL_INT16,   ACL_INT32,    ACL_INT64,
                                            ACL_UINT8, ACL_BOOL,    ACL_COMPLEX64};
inline constexpr ParamSpec kDiagParams[] = {
    In(kSelf, "self", kDiagonalTypes, "N | M N"),
    Value(kDiagonal, "diagonal", Kind::kInt64, "above the main one if positive"),
    Result(kDiagonalTypes)};
inline constexpr ParamSpec kDiagFlatParams[] = {
    In(kSelf, "self", kDiagonalTypes, ".."),
    Value(kDiagonal, "diagonal", Kind::kInt64, "above the main one if positive"),
    Result(kDiagonalTypes)};
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
  return Noted(In(kIndex, "repeats", kCountTypes, dims), note);
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
inline constexpr ParamSpec kParts = {.name = "out",
                                     .id = kOuts,
                                     .kind = Kind::kTensorList,
                                     .direction = Direction::kOutput,
                                     .dtypes = kAll,
                                     .dims = "..",
                                     .same_dtype_as = kSelf};
inline constexpr ParamSpec kSplitParams[] = {
    In(kSelf, "self", kAll, ".."),
    Array(kRepeats, "splitSize", "the sizes of the parts in dim, in order; their sum is self's"),
    Dim(), kParts};
inline constexpr ParamSpec kSplitEvenlyParams[] = {
    In(kSelf, "self", kAll, ".."),
    Value(kRepeats, "splitSections", Kind::kUint64,
          "the size of each part in dim, but for the last one; 0 where self has none"),
    Dim(), kParts};
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
// A vector without elements is as good as a matrix to Triu.
inline constexpr char kTriuDims[] = "A* R C | 0";
inline constexpr ParamSpec kTriuParams[] = {
    In(kSelf, "self", kTriangleTypes, kTriuDims),
    Value(kDiagonal, "diagonal", Kind::kInt64, "above the main one if positive"),
    Result(kTriangleTypes, kTriuDims)};
inline constexpr ParamSpec kInplaceTrilParams[] = {
    ConstHandle(InOut(kSelf, "selfRef", kTriangleTypes, "A* R C")),
    Value(kDiagonal, "diagonal", Kind::kInt64, "above the main one if positive")};
inline constexpr ParamSpec kInplaceTriuParams[] = {
    InOut(kSelf, "selfRef", kTriangleTypes, kTriuDims),
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

}  // namespace anyacl::movement
