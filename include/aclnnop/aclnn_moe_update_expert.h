// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MOE_UPDATE_EXPERT_H_
#define ANYACL_ACLNNOP_ACLNN_MOE_UPDATE_EXPERT_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMoeUpdateExpert: the instance of each expert that a token goes to, and which experts it
// leaves out.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   expertIds                 INT32, INT64; [Bs K]
//   eplbTable                 INT32; [E F]; of each expert the number of its instances, 1 to F - 1,
//                             and which they are
//   expertScalesOptional      FLOAT, FLOAT16, BF16; [Bs K]; may be null
//   pruningThresholdOptional  FLOAT; [K] or [1 K]; may be null; beside expertScalesOptional, and
//                             only there
//   activeMaskOptional        BOOL; [Bs]; may be null; only beside expertScalesOptional
//   localRankId               with balanceMode 0
//   worldSize                 with balanceMode 0
//   balanceMode               0 to 1; 0: instances by rank, 1: by token
//   balancedExpertIds         type of expertIds; [Bs K]; output
//   balancedActiveMask        BOOL; [Bs K]; output; with expertScalesOptional: whether
//                             expertScales[t][k] >= pruningThreshold[k] * the sum of
//                             expertScales[t]; else not written
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   561002  any other wrong argument
// CANN's document: ops-transformer: mc2/moe_update_expert/docs/aclnnMoeUpdateExpert.md
ACLNN_API aclnnStatus aclnnMoeUpdateExpertGetWorkspaceSize(
    const aclTensor* expertIds, const aclTensor* eplbTable, const aclTensor* expertScalesOptional,
    const aclTensor* pruningThresholdOptional, const aclTensor* activeMaskOptional,
    int64_t localRankId, int64_t worldSize, int64_t balanceMode, aclTensor* balancedExpertIds,
    aclTensor* balancedActiveMask, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMoeUpdateExpert(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MOE_UPDATE_EXPERT_H_
