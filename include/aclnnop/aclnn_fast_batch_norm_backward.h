// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_FAST_BATCH_NORM_BACKWARD_H_
#define ANYACL_ACLNNOP_ACLNN_FAST_BATCH_NORM_BACKWARD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnFastBatchNormBackward: the gradients of batch normalisation.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradOut      FLOAT, FLOAT16, BF16; [X*]; the second dimension is C; the last of NHWC and NDHWC
//   input        type of gradOut; [X*]
//   weight       FLOAT, FLOAT16, BF16; [C]; may be null; null stands for ones
//   runningMean  FLOAT, FLOAT16, BF16; [C]; may be null; null stands for zeros
//   runningVar   FLOAT, FLOAT16, BF16; [C]; may be null; null stands for ones
//   saveMean     FLOAT, FLOAT16, BF16; [S*]; needed if training; [C]; read if training is true
//   saveInvstd   FLOAT, FLOAT16, BF16; [S*]; needed if training; [C]: 1 / sqrt(variance + eps);
//                read if training is true
//   training     statistics of the input, not the running ones
//   eps          added to the variance
//   outputMask   3 values: which of the gradients are wanted; the others are not looked at
//   version      0 to 1; of a device's algorithm: changes nothing
//   gradInput    type of gradOut; [X*]; output; needed if outputMask[0]
//   gradWeight   FLOAT, FLOAT16, BF16; [C]; output; needed if outputMask[1]
//   gradBias     FLOAT, FLOAT16, BF16; [C]; output; needed if outputMask[2]
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/batch_norm_grad_v3/docs/aclnnFastBatchNormBackward.md
ACLNN_API aclnnStatus aclnnFastBatchNormBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclTensor* input, const aclTensor* weight,
    const aclTensor* runningMean, const aclTensor* runningVar, const aclTensor* saveMean,
    const aclTensor* saveInvstd, bool training, double eps, const aclBoolArray* outputMask,
    int32_t version, aclTensor* gradInput, aclTensor* gradWeight, aclTensor* gradBias,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFastBatchNormBackward(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_FAST_BATCH_NORM_BACKWARD_H_
