// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_NLL_LOSS2D_H_
#define ANYACL_ACLNNOP_ACLNN_NLL_LOSS2D_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnNLLLoss2d: NLLLoss of each pixel, the classes being the second dimension.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self            FLOAT, FLOAT16, BF16; [N C H W]
//   target          INT32, UINT8, INT64; [N H W]; each 0 to C - 1 or ignoreIndex
//   weight          type of self; [C]
//   reduction       0 to 2; 0: none, 1: mean, 2: sum
//   ignoreIndex     rows with this target count for nothing
//   out             FLOAT, FLOAT16, BF16; [O*]; output; [N, H, W], or one number where they are
//                   reduced
//   totalWeightOut  FLOAT, FLOAT16, BF16; [S*]; output; one number
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: experimental/loss/nll_loss/docs/aclnnNLLLoss2d.md
ACLNN_API aclnnStatus aclnnNLLLoss2dGetWorkspaceSize(
    const aclTensor* self, const aclTensor* target, const aclTensor* weight, int64_t reduction,
    int64_t ignoreIndex, aclTensor* out, aclTensor* totalWeightOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnNLLLoss2d(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_NLL_LOSS2D_H_
