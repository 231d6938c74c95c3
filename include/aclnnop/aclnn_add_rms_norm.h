// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ADD_RMS_NORM_H_
#define ANYACL_ACLNNOP_ACLNN_ADD_RMS_NORM_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnAddRmsNorm: xOut = x1 + x2, yOut = xOut * rstd * gamma, rstd = 1 / sqrt(mean of xOut^2 +
// epsilon).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x1       FLOAT, FLOAT16, BF16; [X*]
//   x2       type of x1; [X*]
//   gamma    FLOAT, FLOAT16, BF16; [G*]; x1's last dimensions: a row; or [1, row]
//   epsilon  added to the mean square; 0 or more
//   yOut     type of x1; [X*]; output
//   rstdOut  FLOAT; [R*]; output; may be null; one for each row: x's shape with 1 for the
//            dimensions of gamma, or without them
//   xOut     type of x1; [X*]; output; may be null
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/add_rms_norm/docs/aclnnAddRmsNorm.md
ACLNN_API aclnnStatus aclnnAddRmsNormGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* gamma, double epsilon,
    aclTensor* yOut, aclTensor* rstdOut, aclTensor* xOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnAddRmsNorm(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ADD_RMS_NORM_H_
