// SPDX-License-Identifier: Apache-2.0
// What the declarations of operators.h and nodes.h are made of.
#pragma once

#include "nnop/dtype_sets.h"
#include "nnop/operator.h"

namespace anyacl::indexing {

enum : int {
  kSelf,
  kIndex,
  kIndices,
  kSource,
  kValues,
  kMask,
  kValue,
  kDim,
  kReduce,
  kAlpha,
  kAccumulate,
  kUnsafe,
  kOut,
  kClasses,
  kOnValue,
  kOffValue,
  kAxis,
  kGrad,
  kNumWeights,
  kPaddingIdx,
  kScaleByFrequency,
  kOffsets,
  kMode,
  kSparse,
  kSampleWeights,
  kIncludeLast,
  kOffset2bag,
  kBagSize,
  kMaxIndex,
  kMaxNorm,
  kNormType,
  kUniqueLen,
  kNewIndices,
  kNewValues,
  kBatchDims,
  kNegative,
  kOffset,
  kSize
};

inline constexpr DTypeSet kAll = {ACL_FLOAT, ACL_FLOAT16,   ACL_BF16,      ACL_DOUBLE,
                                  ACL_INT8,  ACL_INT16,     ACL_INT32,     ACL_INT64,
                                  ACL_UINT8, ACL_UINT16,    ACL_UINT32,    ACL_UINT64,
                                  ACL_BOOL,  ACL_COMPLEX64, ACL_COMPLEX128};
inline constexpr DTypeSet kReal = {ACL_FLOAT,  ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE, ACL_INT8,
                                   ACL_INT16,  ACL_INT32,   ACL_INT64, ACL_UINT8,  ACL_UINT16,
                                   ACL_UINT32, ACL_UINT64,  ACL_BOOL};
inline constexpr DTypeSet kIndexTypes = {ACL_INT64, ACL_INT32};
inline constexpr DTypeSet kTruth = {ACL_BOOL, ACL_UINT8};
inline constexpr DTypeSet kClassTypes = {ACL_INT64, ACL_INT32, ACL_UINT8};
inline constexpr DTypeSet kNumbersAndBool = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE,
                                             ACL_INT8,  ACL_INT16,   ACL_INT32, ACL_INT64,
                                             ACL_UINT8, ACL_BOOL};
inline constexpr DTypeSet kAnyIndexTypes = {ACL_INT64, ACL_INT32, ACL_INT16,   ACL_INT8,  ACL_UINT8,
                                            ACL_BOOL,  ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE};

constexpr ParamSpec AsSelf(ParamSpec row) { return Like(kSelf, row); }
constexpr ParamSpec Dim() {
  return Value(kDim, "dim", Kind::kInt64, "counts from the end if negative");
}
constexpr ParamSpec ReduceMode() {
  return {.name = "reduce",
          .id = kReduce,
          .kind = Kind::kInt64,
          .min = 0,
          .max = 2,
          .note = "0 replaces, 1 adds, 2 multiplies"};
}
constexpr ParamSpec IndexRow(const char* name = "index") {
  return In(kIndex, name, kIndexTypes, "I*");
}
constexpr ParamSpec ListRow() {
  return {.name = "indices",
          .id = kIndices,
          .kind = Kind::kTensorList,
          .dtypes = kAll,
          .note = "INT64, INT32 or BOOL; one without elements stands for a whole dimension"};
}

}  // namespace anyacl::indexing
