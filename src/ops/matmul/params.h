// SPDX-License-Identifier: Apache-2.0
// What the tables of products share: the names of arguments, and rows that several have.
#pragma once

#include "nnop/dtype_sets.h"

namespace anyacl::matmul {

enum : int {
  kSummand,  // or a bias
  kLeft,
  kRight,
  kBeta,
  kAlpha,
  kOut,
  kCubeMathType,
  kScale,
  kOffset,
  kQuantScale,
  kQuantOffset,
  kGroupSize,
  kGroupList,
  kSplitItem,
  kGroupType,
  kRowScale,
  kLeftOffset,
  kTransposeLeft,
  kTransposeRight,
  kGroupListType,
  kActType,
  kTuning,
  kActivationInput,
  kActivationScale,
  kActivationOffset,
  kFeatures,
  kDynamicScale,
  kPermLeft,
  kPermRight,
  kPermOut,
  kBatchSplit,
  kRoundMode,
  kShared,
  kSharedWeight,
  kSharedOffset,
  kLogit,
  kRowIndex,
  kResultType,
  kDims,
  kKeepDims,
  kIndices,
  kFirstWeight,
  kLayer,
  kFactor,
  kFirstColumn,
  kColumns,
};

// A right operand that aclnnTransMatmulWeight may have prepared.
constexpr ParamSpec Weight(const char* name, DTypeSet dtypes, const char* dims) {
  return PlainOrFractalNz(In(kRight, name, dtypes, dims));
}

}  // namespace anyacl::matmul
