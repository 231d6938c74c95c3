// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_GEMMA_RMS_NORM_H_
#define ANYACL_ACLNNOP_ACLNN_GEMMA_RMS_NORM_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnGemmaRmsNorm: yOut = x * rstd * (1 + gamma), rstd = 1 / sqrt(mean of x^2 + epsilon).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x        FLOAT, FLOAT16, BF16; [X*]
//   gamma    type of x; [G*]; x's last dimensions: a row
//   epsilon  added to the mean square; 0 or more
//   yOut     type of x; [X*]; output
//   rstdOut  FLOAT; [R*]; output; one for each row: x's shape with 1 for the dimensions of gamma,
//            or without them
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/gemma_rms_norm/docs/aclnnGemmaRmsNorm.md
ACLNN_API aclnnStatus aclnnGemmaRmsNormGetWorkspaceSize(
    const aclTensor* x, const aclTensor* gamma, double epsilon, const aclTensor* yOut,
    const aclTensor* rstdOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnGemmaRmsNorm(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_GEMMA_RMS_NORM_H_
