// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_CTC_LOSS_BACKWARD_H_
#define ANYACL_ACLNNOP_ACLNN_CTC_LOSS_BACKWARD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnCtcLossBackward: out = gradOut * (e^logProbs - the share of the paths that have the class at
// the step).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradOut           FLOAT, FLOAT16, DOUBLE, BF16; [N]
//   logProbs          type of gradOut; [T N C]
//   targets           FLOAT, FLOAT16, INT32, INT64, BOOL; [N S] or [L]; each 0 to C - 1; a row for
//                     each sequence, or one after the other, L being the sum of their lengths
//   inputLengths      of each sequence, 0 to T
//   targetLengths     of each sequence, 0 to S
//   negLogLikelihood  type of gradOut; [N]
//   logAlpha          type of gradOut; [N T A]; A is at least 2 * the largest of targetLengths + 1
//   blank             the class that stands for none, 0 to C - 1
//   zeroInfinity      infinite losses are 0, and so are their gradients
//   out               type of gradOut; [T N C]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: loss/ctc_loss_v2_grad/docs/aclnnCtcLossBackward.md
ACLNN_API aclnnStatus aclnnCtcLossBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclTensor* logProbs, const aclTensor* targets,
    const aclIntArray* inputLengths, const aclIntArray* targetLengths,
    const aclTensor* negLogLikelihood, const aclTensor* logAlpha, int64_t blank, bool zeroInfinity,
    aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnCtcLossBackward(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_CTC_LOSS_BACKWARD_H_
