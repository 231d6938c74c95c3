// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_BATCH_NORM_H_
#define ANYACL_ACLNNOP_ACLNN_BATCH_NORM_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnBatchNorm: output = (input - mean) / sqrt(variance + eps) * weight + bias, with statistics
// of each channel.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   input        FLOAT, FLOAT16, BF16; [X*]; the second dimension is C; the last of NHWC and NDHWC
//   weight       FLOAT, FLOAT16, BF16; [C]; may be null; null stands for ones
//   bias         FLOAT, FLOAT16, BF16; [C]; may be null; null stands for zeros
//   runningMean  FLOAT, FLOAT16, BF16; [C]; changed in place; may be null; null stands for zeros
//   runningVar   FLOAT, FLOAT16, BF16; [C]; changed in place; may be null; null stands for ones
//   training     statistics of the input, not the running ones
//   momentum     how much of the running statistics is replaced
//   eps          added to the variance
//   output       type of input; [X*]; output
//   saveMean     FLOAT, FLOAT16, BF16; [S*]; output; needed if training; [C]; written if training
//                is true
//   saveInvstd   FLOAT, FLOAT16, BF16; [S*]; output; needed if training; [C]: 1 / sqrt(variance +
//                eps); written if training is true
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/batch_norm_v3/docs/aclnnBatchNorm.md
ACLNN_API aclnnStatus aclnnBatchNormGetWorkspaceSize(
    const aclTensor* input, const aclTensor* weight, const aclTensor* bias, aclTensor* runningMean,
    aclTensor* runningVar, bool training, double momentum, double eps, aclTensor* output,
    aclTensor* saveMean, aclTensor* saveInvstd, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnBatchNorm(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_BATCH_NORM_H_
