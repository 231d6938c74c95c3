// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_CROSS_ENTROPY_LOSS_GRAD_H_
#define ANYACL_ACLNNOP_ACLNN_CROSS_ENTROPY_LOSS_GRAD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnCrossEntropyLossGrad: out = gradLoss * weight[target] * (e^logProb - (1 at the target, else
// 0)), of the mean divided by the sum of weight[target].
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradLoss                FLOAT, FLOAT16, BF16; [O*]; as CrossEntropyLoss's lossOut
//   logProb                 type of gradLoss; [N C]; C is 1 or more
//   target                  INT64; [N]; each 0 to C - 1 or ignoreIndex
//   weightOptional          FLOAT; [C]; may be null; null stands for ones
//   gradZlossOptional       type of gradLoss; [Z*]; may be null; without effect: not read
//   lseForZlossOptional     type of gradLoss; [L*]; may be null; without effect: not read
//   reductionOptional       may be null; mean (or null), sum or none
//   ignoreIndex             rows with this target count for nothing
//   labelSmoothing          0
//   lseSquareScaleForZloss  without effect
//   out                     type of gradLoss; [N C]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-nn: loss/cross_entropy_loss_grad/docs/aclnnCrossEntropyLossGrad.md
ACLNN_API aclnnStatus aclnnCrossEntropyLossGradGetWorkspaceSize(
    const aclTensor* gradLoss, const aclTensor* logProb, const aclTensor* target,
    const aclTensor* weightOptional, const aclTensor* gradZlossOptional,
    const aclTensor* lseForZlossOptional, char* reductionOptional, int64_t ignoreIndex,
    double labelSmoothing, double lseSquareScaleForZloss, const aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnCrossEntropyLossGrad(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_CROSS_ENTROPY_LOSS_GRAD_H_
