// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_CTC_LOSS_H_
#define ANYACL_ACLNNOP_ACLNN_CTC_LOSS_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnCtcLoss: negLogLikelihoodOut = -log of the sum over all paths that spell targets of the
// product of their probabilities; logAlphaOut[n, t, s] = log of that sum up to step t and place s
// of the targets with blanks between.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   logProbs             FLOAT, FLOAT16, DOUBLE, BF16; [T N C] or [T C]
//   targets              FLOAT, FLOAT16, INT32, INT64, BOOL; [N S] or [L]; each 0 to C - 1; a row
//                        for each sequence, or one after the other, L being the sum of their
//                        lengths
//   inputLengths         of each sequence, 0 to T
//   targetLengths        of each sequence, 0 to S
//   blank                the class that stands for none, 0 to C - 1
//   zeroInfinity         infinite losses are 0, and so are their gradients
//   negLogLikelihoodOut  type of logProbs; [O*]; output; [N], or [] as logProbs has 2 dimensions
//   logAlphaOut          type of logProbs; [M T A]; output; M = N; A = 2 * the largest of
//                        targetLengths + 1, or that rounded up to a multiple of 8
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: loss/ctc_loss_v2/docs/aclnnCtcLoss.md
ACLNN_API aclnnStatus aclnnCtcLossGetWorkspaceSize(
    const aclTensor* logProbs, const aclTensor* targets, const aclIntArray* inputLengths,
    const aclIntArray* targetLengths, int64_t blank, bool zeroInfinity,
    aclTensor* negLogLikelihoodOut, aclTensor* logAlphaOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnCtcLoss(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_CTC_LOSS_H_
