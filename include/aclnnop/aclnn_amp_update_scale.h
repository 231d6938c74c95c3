// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_AMP_UPDATE_SCALE_H_
#define ANYACL_ACLNNOP_ACLNN_AMP_UPDATE_SCALE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnAmpUpdateScale: updatedScale = currentScale * backoffFactor where foundInf is not 0,
// currentScale * growthFactor after growthInterval steps without.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   currentScale          FLOAT, FLOAT16, BF16; [S*]; one number
//   growthTracker         INT32; [T*]; one number, how many steps without infinite gradients there
//                         were
//   foundInf              type of currentScale; [F*]; one number, not 0 if there were any
//   growthInterval        1 to 2^31 - 1
//   updatedScale          type of currentScale; [U*]; output; one number; may be currentScale
//   updatedGrowthTracker  INT32; [V*]; output; one number; may be growthTracker
//   161001  a required argument, workspaceSize or executor is null
//   561002  what breaks a rule about values or what goes together
//   161002  any other wrong argument
// CANN's document: ops-math: math/amp_update_scale/docs/aclnnAmpUpdateScale.md
ACLNN_API aclnnStatus aclnnAmpUpdateScaleGetWorkspaceSize(
    const aclTensor* currentScale, const aclTensor* growthTracker, const aclTensor* foundInf,
    double growthFactor, double backoffFactor, int64_t growthInterval,
    const aclTensor* updatedScale, const aclTensor* updatedGrowthTracker, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnAmpUpdateScale(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_AMP_UPDATE_SCALE_H_
