// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ADD_LAYER_NORM_GRAD_H_
#define ANYACL_ACLNNOP_ACLNN_ADD_LAYER_NORM_GRAD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnAddLayerNormGrad: dxOut = rstd * (g - mean of g - xh * mean of g * xh) + dsumOptional, g =
// dy * gamma, xh = (x1 + x2 - mean) * rstd; dgammaOut = sum of dy * xh, dbetaOut = sum of dy over
// the rows.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   dy            FLOAT, FLOAT16, BF16; [X*]
//   x1            type of dy; [X*]; without elements refused
//   x2            type of dy; [X*]
//   rstd          FLOAT; [R*]; one for each row: x's shape with 1 for the dimensions of gamma, or
//                 without them
//   mean          FLOAT; [M*]; as rstd
//   gamma         type of dy; [G*]; x1's last dimensions: a row
//   dsumOptional  type of dy; [X*]; may be null; added to dxOut
//   dxOut         type of dy; [X*]; output
//   dgammaOut     FLOAT; [G*]; output
//   dbetaOut      FLOAT; [G*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/add_layer_norm_grad/docs/aclnnAddLayerNormGrad.md
ACLNN_API aclnnStatus aclnnAddLayerNormGradGetWorkspaceSize(
    const aclTensor* dy, const aclTensor* x1, const aclTensor* x2, const aclTensor* rstd,
    const aclTensor* mean, const aclTensor* gamma, const aclTensor* dsumOptional,
    const aclTensor* dxOut, const aclTensor* dgammaOut, const aclTensor* dbetaOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnAddLayerNormGrad(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ADD_LAYER_NORM_GRAD_H_
