// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ADD_RMS_NORM_CAST_H_
#define ANYACL_ACLNNOP_ACLNN_ADD_RMS_NORM_CAST_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnAddRmsNormCast: xOut = x1 + x2, y1Out = (x1 + x2) * rstd * gamma, rstd = 1 / sqrt(mean of
// (x1 + x2)^2 + epsilon), y2Out = y1Out as x1's type.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x1       FLOAT16, BF16; [X*]
//   x2       type of x1; [X*]
//   gamma    type of x1; [G*]; x1's last dimensions: a row
//   epsilon  added to the mean square; 0 or more
//   y1Out    FLOAT; [X*]; output
//   y2Out    type of x1; [X*]; output
//   rstdOut  FLOAT; [R*]; output; x1's shape with 1 for the dimensions of gamma
//   xOut     type of x1; [X*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-nn: norm/add_rms_norm_cast/docs/aclnnAddRmsNormCast.md
ACLNN_API aclnnStatus aclnnAddRmsNormCastGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* gamma, double epsilon,
    const aclTensor* y1Out, const aclTensor* y2Out, const aclTensor* rstdOut, const aclTensor* xOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnAddRmsNormCast(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ADD_RMS_NORM_CAST_H_
