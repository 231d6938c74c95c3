// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_CROSS_ENTROPY_LOSS_H_
#define ANYACL_ACLNNOP_ACLNN_CROSS_ENTROPY_LOSS_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnCrossEntropyLoss: logProbOut = input - log of the sum of e^input by row, lossOut = (1 -
// labelSmoothing) * -weight[target] * logProbOut[target] - labelSmoothing / C * the sum of weight *
// logProbOut, added up or divided by the sum of weight[target].
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   input                   FLOAT, FLOAT16, BF16; [N C]; C is 1 or more
//   target                  INT32, INT64; [N]; each 0 to C - 1 or ignoreIndex
//   weightOptional          FLOAT; [C]; may be null; null stands for ones
//   reductionOptional       may be null; mean (or null), sum or none
//   ignoreIndex             rows with this target count for nothing
//   labelSmoothing          0 to 1
//   lseSquareScaleForZloss  without effect
//   returnZloss             without effect
//   lossOut                 type of input; [O*]; output; [N], or one number where rows are reduced
//   logProbOut              type of input; [N C]; output
//   zlossOut                type of input; [Z*]; output; without effect: not written
//   lseForZlossOut          type of input; [L*]; output; without effect: not written
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-nn: loss/cross_entropy_loss/docs/aclnnCrossEntropyLoss.md
ACLNN_API aclnnStatus aclnnCrossEntropyLossGetWorkspaceSize(
    const aclTensor* input, const aclTensor* target, const aclTensor* weightOptional,
    char* reductionOptional, int64_t ignoreIndex, double labelSmoothing,
    double lseSquareScaleForZloss, bool returnZloss, const aclTensor* lossOut,
    const aclTensor* logProbOut, const aclTensor* zlossOut, const aclTensor* lseForZlossOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnCrossEntropyLoss(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_CROSS_ENTROPY_LOSS_H_
