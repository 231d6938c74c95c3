// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ADD_LAYER_NORM_H_
#define ANYACL_ACLNNOP_ACLNN_ADD_LAYER_NORM_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnAddLayerNorm: xOut = x1 + x2 + bias, yOut = (xOut - mean) * rstd * gamma + beta, rstd = 1 /
// sqrt(variance + epsilon).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x1                FLOAT, FLOAT16, BF16; [X*]
//   x2                FLOAT, FLOAT16, BF16; [X*]; of x1's type, or one of them is FLOAT
//   gamma             FLOAT, FLOAT16, BF16; [G*]; x1's last dimensions: a row; of yOut's type or
//                     FLOAT
//   beta              type of gamma; [G*]
//   biasOptional      FLOAT, FLOAT16, BF16; any shape; may be null; gamma's shape or x1's; of
//                     yOut's type
//   epsilon           added to the variance; 0 or more
//   additionalOutput  whether xOut is written
//   yOut              FLOAT, FLOAT16, BF16; [X*]; output; of x1's and x2's type, FLOAT if they
//                     differ
//   meanOut           FLOAT; [M*]; output; x1's first dimensions, with 1 for those of gamma
//   rstdOut           FLOAT; [R*]; output; x1's first dimensions, with 1 for those of gamma
//   xOut              type of yOut; [X*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-nn: norm/add_layer_norm/docs/aclnnAddLayerNorm.md
ACLNN_API aclnnStatus aclnnAddLayerNormGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* gamma, const aclTensor* beta,
    const aclTensor* biasOptional, double epsilon, bool additionalOutput, const aclTensor* yOut,
    const aclTensor* meanOut, const aclTensor* rstdOut, const aclTensor* xOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnAddLayerNorm(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ADD_LAYER_NORM_H_
