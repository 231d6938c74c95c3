// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_DEEP_NORM_GRAD_H_
#define ANYACL_ACLNNOP_ACLNN_DEEP_NORM_GRAD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnDeepNormGrad: dgxOut = rstd * (g - mean of g - xh * mean of g * xh), g = dy * gamma, xh =
// (alpha * x + gx - mean) * rstd, dxOut = alpha * dgxOut; dgammaOut = sum of dy * xh, dbetaOut =
// sum of dy over the rows.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   dy         FLOAT, FLOAT16, BF16; [X*]
//   x          type of dy; [X*]; of two dimensions or more
//   gx         type of dy; [X*]
//   gamma      type of dy; [G*]; x's last dimensions: a row
//   mean       FLOAT; [M*]; one for each row: x's shape with 1 for the dimensions of gamma, or
//              without them
//   rstd       FLOAT; [R*]; as mean
//   alpha      of x in the sum alpha * x + gx
//   dxOut      type of dy; [X*]; contiguous; output
//   dgxOut     type of dy; [X*]; contiguous; output
//   dbetaOut   FLOAT; [G*]; contiguous; output
//   dgammaOut  FLOAT; [G*]; contiguous; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/deep_norm_grad/docs/aclnnDeepNormGrad.md
ACLNN_API aclnnStatus aclnnDeepNormGradGetWorkspaceSize(
    const aclTensor* dy, const aclTensor* x, const aclTensor* gx, const aclTensor* gamma,
    const aclTensor* mean, const aclTensor* rstd, double alpha, const aclTensor* dxOut,
    const aclTensor* dgxOut, const aclTensor* dbetaOut, const aclTensor* dgammaOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnDeepNormGrad(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_DEEP_NORM_GRAD_H_
