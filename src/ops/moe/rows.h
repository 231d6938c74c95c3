// SPDX-License-Identifier: Apache-2.0
// What the declarations of the operators that route tokens to experts share.
#pragma once

#include "nnop/dtype_sets.h"

namespace anyacl::moe {

enum : int {
  kX,
  kFinished,
  kK,
  kRenorm,
  kOutputSoftmax,
  kY,
  kExpert,
  kRow,
  kSoftmax,
  kActiveNum,
  kCapacity,
  kExpertNum,
  kDropPadMode,
  kCountFlag,
  kBeforeFlag,
  kExpandedX,
  kExpandedRow,
  kExpandedExpert,
  kCounts,
  kBefore,
  kX1,
  kX2,
  kBias,
  kScales,
  kOut,
  kOffset,
  kQuantMode,
  kActiveRange,
  kRowIndexType,
  kExpandedScale,
  kTable,
  kThreshold,
  kActiveMask,
  kLocalRank,
  kWorldSize,
  kBalanceMode,
  kOutMask,
  kIds,
  kGroups,
  kGroupCount,
  kGroupMode,
  kNormType,
  kFactor,
  kEps,
};
// Of experts without rows, instead of what gating alone has.
enum : int {
  kAlpha1 = kIds,
  kAlpha2,
  kConstants,
  kZeroRange,
  kCopyRange,
  kConstantRange,
};

Status PrepareGatingTopKSoftmax(Operands& operands, PreparedCall* call);
Status PrepareGatingTopK(Operands& operands, PreparedCall* call);
Status PrepareGatingGradient(Operands& operands, PreparedCall* call);
Status PrepareInitRouting(Operands& operands, PreparedCall* call);
Status PrepareInitRoutingQuant(Operands& operands, PreparedCall* call);
Status PrepareInitRoutingV2(Operands& operands, PreparedCall* call);
Status PrepareInitRoutingQuantV2(Operands& operands, PreparedCall* call);
Status PrepareInitRoutingV3(Operands& operands, PreparedCall* call);
Status PrepareFinalizeRouting(Operands& operands, PreparedCall* call);
Status PrepareFinalizeRoutingV2(Operands& operands, PreparedCall* call);
Status PrepareUpdateExpert(Operands& operands, PreparedCall* call);

constexpr ParamSpec Ranged(int id, const char* name, int64_t min, int64_t max = INT64_MAX,
                           const char* note = nullptr) {
  return {.name = name, .id = id, .kind = Kind::kInt64, .min = min, .max = max, .note = note};
}

}  // namespace anyacl::moe
