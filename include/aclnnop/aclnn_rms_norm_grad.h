// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_RMS_NORM_GRAD_H_
#define ANYACL_ACLNNOP_ACLNN_RMS_NORM_GRAD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnRmsNormGrad: dxOut = rstd * (dy * gamma - xh * mean of dy * gamma * xh), xh = x * rstd;
// dgammaOut = sum of dy * xh over the rows.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   dy         FLOAT, FLOAT16, BF16; [X*]
//   x          type of dy; [X*]
//   rstd       FLOAT; [R*]; one for each row: x's shape with 1 for the dimensions of gamma, or
//              without them
//   gamma      FLOAT, FLOAT16, BF16; [G*]; x's last dimensions: a row
//   dxOut      type of dy; [X*]; output
//   dgammaOut  FLOAT; [G*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/rms_norm_grad/docs/aclnnRmsNormGrad.md
ACLNN_API aclnnStatus aclnnRmsNormGradGetWorkspaceSize(
    const aclTensor* dy, const aclTensor* x, const aclTensor* rstd, const aclTensor* gamma,
    const aclTensor* dxOut, const aclTensor* dgammaOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnRmsNormGrad(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_RMS_NORM_GRAD_H_
