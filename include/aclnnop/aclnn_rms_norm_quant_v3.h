// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_RMS_NORM_QUANT_V3_H_
#define ANYACL_ACLNNOP_ACLNN_RMS_NORM_QUANT_V3_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnRmsNormQuantV3: y = rint((x * rstd * gamma + beta) / scale + offset), or times scale, held
// within y's type, rstd = 1 / sqrt(mean of x^2 + epsilon).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x               FLOAT, FLOAT16, BF16; [B* D]; of INT4 results D is even; without elements
//                   refused
//   gamma           type of x; [D] or [1 D]
//   scale           FLOAT, FLOAT16, BF16; [S]; [1] or [D]; not 0
//   offsetOptional  FLOAT, FLOAT16, INT8, INT32, BF16; [S]; may be null; null stands for zeros
//   betaOptional    type of x; [D] or [1 D]; may be null; null stands for zeros
//   epsilon         added to the mean square; 0 or more
//   divMode         divides by scale, else multiplies
//   outputRstd      whether rstd is written
//   y               INT8, INT32, INT4; [B* D]; INT32: [B* D/8]; output; INT32 packs eight INT4
//   rstd            FLOAT; any shape; output; needed if outputRstd; x's shape with 1 for D
//   161001  a required argument, workspaceSize or executor is null
//   161002  a format
//   561103  any other wrong argument
// CANN's document: ops-nn: norm/rms_norm_quant_v3/docs/aclnnRmsNormQuantV3.md
ACLNN_API aclnnStatus aclnnRmsNormQuantV3GetWorkspaceSize(
    const aclTensor* x, const aclTensor* gamma, const aclTensor* scale,
    const aclTensor* offsetOptional, const aclTensor* betaOptional, double epsilon, bool divMode,
    bool outputRstd, aclTensor* y, aclTensor* rstd, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnRmsNormQuantV3(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_RMS_NORM_QUANT_V3_H_
