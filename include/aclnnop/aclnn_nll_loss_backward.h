// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_NLL_LOSS_BACKWARD_H_
#define ANYACL_ACLNNOP_ACLNN_NLL_LOSS_BACKWARD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnNLLLossBackward: out = -gradOutput * weight[target] at the target, else 0.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradOutput   FLOAT, FLOAT16, BF16; [O*]; as NLLLoss's out
//   self         type of gradOutput; [C] or [N C]
//   target       INT32, UINT8, INT64; [T*]; [N] or [], each 0 to C - 1 or ignoreIndex
//   weight       type of self; [C]
//   reduction    0 to 2; 0: none, 1: mean, 2: sum
//   ignoreIndex  rows with this target count for nothing
//   totalWeight  type of self; [S*]; one number
//   out          type of self; [C] or [N C]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: experimental/loss/nll_loss_grad/docs/aclnnNLLLossBackward.md
ACLNN_API aclnnStatus aclnnNLLLossBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* target,
    const aclTensor* weight, int64_t reduction, int64_t ignoreIndex, const aclTensor* totalWeight,
    aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnNLLLossBackward(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_NLL_LOSS_BACKWARD_H_
