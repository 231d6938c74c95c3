// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_DEEP_NORM_H_
#define ANYACL_ACLNNOP_ACLNN_DEEP_NORM_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnDeepNorm: yOut = (s - meanOut) * rstdOut * gamma + beta of s = alpha * x + gx, rstdOut = 1 /
// sqrt(variance of s + epsilon).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x        FLOAT, FLOAT16, BF16; [X*]; of two dimensions or more
//   gx       type of x; [X*]
//   beta     type of x; [G*]
//   gamma    type of x; [G*]; x's last dimensions: a row
//   alpha    multiplies x
//   epsilon  added to the variance; 0 or more
//   meanOut  FLOAT; [M*]; contiguous; output; x's shape with 1 for the dimensions of gamma
//   rstdOut  FLOAT; [R*]; contiguous; output; as meanOut
//   yOut     type of x; [X*]; contiguous; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/deep_norm/docs/aclnnDeepNorm.md
ACLNN_API aclnnStatus aclnnDeepNormGetWorkspaceSize(
    const aclTensor* x, const aclTensor* gx, const aclTensor* beta, const aclTensor* gamma,
    double alpha, double epsilon, const aclTensor* meanOut, const aclTensor* rstdOut,
    const aclTensor* yOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnDeepNorm(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_DEEP_NORM_H_
