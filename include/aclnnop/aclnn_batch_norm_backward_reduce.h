// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_BATCH_NORM_BACKWARD_REDUCE_H_
#define ANYACL_ACLNNOP_ACLNN_BATCH_NORM_BACKWARD_REDUCE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnBatchNormReduceBackward: sumDy = sum of gradOut, sumDyXmu = sum of gradOut * (input - mean),
// gradWeight = sumDyXmu * invstd, gradBias = sumDy.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradOut     FLOAT, FLOAT16, BF16; [X*]; the second dimension is C; the last of NHWC and NDHWC
//   input       type of gradOut; [X*]
//   mean        FLOAT, FLOAT16, BF16; [C]
//   invstd      FLOAT, FLOAT16, BF16; [C]
//   weight      FLOAT, FLOAT16, BF16; [C]; may be null; not looked at but for its size
//   inputG      sumDy and sumDyXmu are wanted
//   weightG     gradWeight is wanted
//   biasG       gradBias is wanted
//   sumDy       FLOAT, FLOAT16, BF16; [C]; output; needed if inputG
//   sumDyXmu    FLOAT, FLOAT16, BF16; [C]; output; needed if inputG
//   gradWeight  FLOAT, FLOAT16, BF16; [C]; output; needed if weightG
//   gradBias    FLOAT, FLOAT16, BF16; [C]; output; needed if biasG
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn:
// norm/sync_batch_norm_backward_reduce/docs/aclnnBatchNormReduceBackward.md
ACLNN_API aclnnStatus aclnnBatchNormReduceBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclTensor* input, const aclTensor* mean,
    const aclTensor* invstd, const aclTensor* weight, bool inputG, bool weightG, bool biasG,
    aclTensor* sumDy, aclTensor* sumDyXmu, aclTensor* gradWeight, aclTensor* gradBias,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnBatchNormReduceBackward(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_BATCH_NORM_BACKWARD_REDUCE_H_
