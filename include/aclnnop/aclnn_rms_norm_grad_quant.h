// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_RMS_NORM_GRAD_QUANT_H_
#define ANYACL_ACLNNOP_ACLNN_RMS_NORM_GRAD_QUANT_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnRmsNormGradQuant: dx = (dy * gamma - x * rstd * mean of (dy * gamma * x * rstd)) * rstd,
// dxOut = rint(dx / scalesX + offsetXOptional), or times scalesX, held within INT8; dgammaOut = sum
// over the rows of dy * x * rstd.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   dy               FLOAT, FLOAT16, BF16; [X*]; rank 2 to 8
//   x                type of dy; [X*]
//   rstd             FLOAT; [R*]; a number for each row: x's first dimensions
//   gamma            FLOAT, FLOAT16, BF16; [G*]; x's last dimensions: a row; of dy's type or FLOAT
//   scalesX          FLOAT, FLOAT16, BF16; [1]; of dy's type or FLOAT
//   offsetXOptional  INT32; [1]; may be null; null stands for 0
//   quantMode        static
//   divMode          true divides by scalesX, false multiplies
//   dxOut            INT8; [X*]; output
//   dgammaOut        FLOAT; [G*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/rms_norm_grad_quant/docs/aclnnRmsNormGradQuant.md
ACLNN_API aclnnStatus aclnnRmsNormGradQuantGetWorkspaceSize(
    const aclTensor* dy, const aclTensor* x, const aclTensor* rstd, const aclTensor* gamma,
    const aclTensor* scalesX, const aclTensor* offsetXOptional, const char* quantMode, bool divMode,
    aclTensor* dxOut, aclTensor* dgammaOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnRmsNormGradQuant(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_RMS_NORM_GRAD_QUANT_H_
