// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_NLL_LOSS_H_
#define ANYACL_ACLNNOP_ACLNN_NLL_LOSS_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnNLLLoss: out = -weight[target] * self[target], added up or divided by the sum of the
// weights.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self            FLOAT, FLOAT16, BF16; [C] or [N C]
//   target          INT32, UINT8, INT64; [T*]; [N] or [], each 0 to C - 1 or ignoreIndex
//   weight          type of self; [C]
//   reduction       0 to 2; 0: none, 1: mean, 2: sum
//   ignoreIndex     rows with this target count for nothing
//   out             FLOAT, FLOAT16, BF16; [O*]; output; [N], or one number where rows are reduced
//   totalWeightOut  FLOAT, FLOAT16, BF16; [S*]; output; one number
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: experimental/loss/nll_loss/docs/aclnnNLLLoss.md
ACLNN_API aclnnStatus aclnnNLLLossGetWorkspaceSize(
    const aclTensor* self, const aclTensor* target, const aclTensor* weight, int64_t reduction,
    int64_t ignoreIndex, aclTensor* out, aclTensor* totalWeightOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnNLLLoss(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_NLL_LOSS_H_
