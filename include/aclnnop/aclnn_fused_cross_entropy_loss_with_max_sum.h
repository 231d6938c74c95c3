// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_FUSED_CROSS_ENTROPY_LOSS_WITH_MAX_SUM_H_
#define ANYACL_ACLNNOP_ACLNN_FUSED_CROSS_ENTROPY_LOSS_WITH_MAX_SUM_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnFusedCrossEntropyLossWithMaxSum: lossOut = log sumExpLogits - predictedLogits,
// softMaxOutOptional = e^(vocabParallelLogitsOptional - logitsMax) / sumExpLogits.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   logitsMax                    FLOAT; [N]
//   sumExpLogits                 FLOAT; [N]
//   predictedLogits              FLOAT; [N]
//   labelSmoothing               0
//   inputOptional                reserved: ignored
//   weightOptional               reserved: ignored
//   vocabParallelLogitsOptional  FLOAT, FLOAT16, BF16; [N V]; may be null
//   lossOut                      FLOAT; [N]; output
//   softMaxOutOptional           FLOAT; [N V]; output; may be null; only beside
//                                vocabParallelLogitsOptional
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn:
// loss/fused_cross_entropy_loss_with_max_sum/docs/aclnnFusedCrossEntropyLossWithMaxSum.md
ACLNN_API aclnnStatus aclnnFusedCrossEntropyLossWithMaxSumGetWorkspaceSize(
    const aclTensor* logitsMax, const aclTensor* sumExpLogits, const aclTensor* predictedLogits,
    float labelSmoothing, const aclTensor* inputOptional, const aclTensor* weightOptional,
    const aclTensor* vocabParallelLogitsOptional, aclTensor* lossOut, aclTensor* softMaxOutOptional,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFusedCrossEntropyLossWithMaxSum(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_FUSED_CROSS_ENTROPY_LOSS_WITH_MAX_SUM_H_
