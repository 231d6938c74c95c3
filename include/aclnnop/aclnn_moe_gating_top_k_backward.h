// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MOE_GATING_TOP_K_BACKWARD_H_
#define ANYACL_ACLNNOP_ACLNN_MOE_GATING_TOP_K_BACKWARD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMoeGatingTopKBackward: the gradient of aclnnMoeGatingTopK's x: of w = n / d, d = sum of n +
// eps, where n are the sigmoids of the experts that expertIdx names, times routedScalingFactor.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   xNorm                FLOAT; [N E]; the sigmoids, outOut of aclnnMoeGatingTopK
//   gradY                FLOAT, FLOAT16, BF16; [N K]
//   expertIdx            INT32; [N K]
//   renorm               0 to 1; of softmax alone: without effect
//   normType             1; 1: sigmoid
//   routedScalingFactor  what the results were multiplied by
//   eps                  added to the sum that results were divided by
//   out                  type of gradY; [N E]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// moe/moe_gating_top_k_backward/docs/aclnnMoeGatingTopKBackward.md
ACLNN_API aclnnStatus aclnnMoeGatingTopKBackwardGetWorkspaceSize(
    const aclTensor* xNorm, const aclTensor* gradY, const aclTensor* expertIdx, int64_t renorm,
    int64_t normType, double routedScalingFactor, double eps, const aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMoeGatingTopKBackward(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MOE_GATING_TOP_K_BACKWARD_H_
