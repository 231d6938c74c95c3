// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_INPLACE_ADD_RMS_NORM_H_
#define ANYACL_ACLNNOP_ACLNN_INPLACE_ADD_RMS_NORM_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnInplaceAddRmsNorm: x2Ref = x1Ref + x2Ref, x1Ref = x2Ref * rstd * gamma, rstd = 1 / sqrt(mean
// of x2Ref^2 + epsilon).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x1Ref    FLOAT, FLOAT16, BF16; [X*]; changed in place; then the norm
//   x2Ref    type of x1Ref; [X*]; changed in place; then the sum
//   gamma    FLOAT, FLOAT16, BF16; [G*]; x1Ref's last dimensions: a row; or [1, row]
//   epsilon  added to the mean square; 0 or more
//   rstdOut  FLOAT; [R*]; output; one for each row: x's shape with 1 for the dimensions of gamma,
//            or without them
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/inplace_add_rms_norm/docs/aclnnInplaceAddRmsNorm.md
ACLNN_API aclnnStatus aclnnInplaceAddRmsNormGetWorkspaceSize(
    aclTensor* x1Ref, aclTensor* x2Ref, const aclTensor* gamma, double epsilon,
    const aclTensor* rstdOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnInplaceAddRmsNorm(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_INPLACE_ADD_RMS_NORM_H_
