// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_RMS_NORM_QUANT_H_
#define ANYACL_ACLNNOP_ACLNN_RMS_NORM_QUANT_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnRmsNormQuant: y = rint((x * rstd * gamma + beta) / scale + offset), held within y's type,
// rstd = 1 / sqrt(mean of x^2 + epsilon).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x        FLOAT16, BF16; [B* D]; of INT4 results D is even; without elements refused
//   gamma    type of x; [D] or [1 D]
//   beta     type of x; [D] or [1 D]
//   scale    type of x; [1]; not 0
//   offset   INT8; [1]
//   epsilon  added to the mean square; 0 or more
//   y        INT8, INT4; [B* D]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/rms_norm_quant/docs/aclnnRmsNormQuant.md
ACLNN_API aclnnStatus aclnnRmsNormQuantGetWorkspaceSize(
    const aclTensor* x, const aclTensor* gamma, const aclTensor* beta, const aclTensor* scale,
    const aclTensor* offset, double epsilon, aclTensor* y, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnRmsNormQuant(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_RMS_NORM_QUANT_H_
