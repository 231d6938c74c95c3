// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_SMOOTH_L1_LOSS_BACKWARD_H_
#define ANYACL_ACLNNOP_ACLNN_SMOOTH_L1_LOSS_BACKWARD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnSmoothL1LossBackward: gradInput = (|d| < beta ? d / beta : sign of d) * gradOutput, d = self
// - target.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradOutput  FLOAT, FLOAT16, BF16; any shape; broadcast with the other inputs
//   self        FLOAT, FLOAT16, BF16; any shape; broadcast with the other inputs
//   target      FLOAT, FLOAT16, BF16; any shape; broadcast with the other inputs
//   reduction   0 to 2; 0: none, 1: mean, 2: sum
//   beta        where squares become absolute values; 0 or more
//   gradInput   FLOAT, FLOAT16, BF16; any shape; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn:
// experimental/loss/smooth_l1_loss_grad_v2/doc/aclnnSmoothL1LossBackward.md
ACLNN_API aclnnStatus aclnnSmoothL1LossBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* target, int64_t reduction,
    float beta, aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnSmoothL1LossBackward(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_SMOOTH_L1_LOSS_BACKWARD_H_
