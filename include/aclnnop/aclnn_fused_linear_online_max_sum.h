// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_FUSED_LINEAR_ONLINE_MAX_SUM_H_
#define ANYACL_ACLNNOP_ACLNN_FUSED_LINEAR_ONLINE_MAX_SUM_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnFusedLinearOnlineMaxSum: z = input @ weight^T; its largest by row, the sum of e^(z -
// largest), z - largest at the row's target, or 0 if that is another rank's.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   input                           FLOAT16, BF16; [N H]; H at most 65534
//   weight                          type of input; [V H]; V is 1 or more
//   target                          INT32, INT64; [N]
//   vocabStartIndex                 0 or more; the class of the first row of weight
//   vocabEndIndex                   0 or more; the last class of the rank; vocabStartIndex to
//                                   vocabStartIndex + V - 1
//   logitsMaxLocalOut               FLOAT; [N]; output
//   sumExpLogitsLocalOut            FLOAT; [N]; output
//   predictedLogitsLocalOut         FLOAT; [N]; output
//   targetMaskOut                   UINT8; [T]; output; N / 8, rounded up; a bit for each row, the
//                                   first in the lowest one: 1 if its class is another rank's, and
//                                   behind the last row
//   maskedTargetOut                 type of target; [N]; output
//   vocabParallelLogitsOutOptional  type of input; [N V]; output; may be null
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: matmul/fused_linear_online_max_sum/docs/aclnnFusedLinearOnlineMaxSum.md
ACLNN_API aclnnStatus aclnnFusedLinearOnlineMaxSumGetWorkspaceSize(
    const aclTensor* input, const aclTensor* weight, const aclTensor* target,
    int64_t vocabStartIndex, int64_t vocabEndIndex, aclTensor* logitsMaxLocalOut,
    aclTensor* sumExpLogitsLocalOut, aclTensor* predictedLogitsLocalOut, aclTensor* targetMaskOut,
    aclTensor* maskedTargetOut, aclTensor* vocabParallelLogitsOutOptional, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFusedLinearOnlineMaxSum(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_FUSED_LINEAR_ONLINE_MAX_SUM_H_
