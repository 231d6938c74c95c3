// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_RMS_NORM_DYNAMIC_QUANT_H_
#define ANYACL_ACLNNOP_ACLNN_RMS_NORM_DYNAMIC_QUANT_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnRmsNormDynamicQuant: y = (x * rstd * gamma + betaOptional) * smoothScalesOptional, rstd = 1
// / sqrt(mean of x^2 + epsilon); scaleOut = max|y| / 127 of a row, yOut = rint(y / scaleOut).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                     FLOAT16, BF16; [B.. H]; without elements refused
//   gamma                 type of x; [H]
//   smoothScalesOptional  type of x; [H]; may be null; multiplies the columns; null stands for ones
//   betaOptional          type of x; [H]; may be null; null stands for zeros
//   epsilon               added to the mean square; 0 or more
//   dstType               2; ACL_INT8: yOut's type
//   yOut                  INT8; [B.. H]; output
//   scaleOut              FLOAT; [B..]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-nn: norm/rms_norm_dynamic_quant/docs/aclnnRmsNormDynamicQuant.md
ACLNN_API aclnnStatus aclnnRmsNormDynamicQuantGetWorkspaceSize(
    const aclTensor* x, const aclTensor* gamma, const aclTensor* smoothScalesOptional,
    const aclTensor* betaOptional, double epsilon, int64_t dstType, const aclTensor* yOut,
    const aclTensor* scaleOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnRmsNormDynamicQuant(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_RMS_NORM_DYNAMIC_QUANT_H_
