// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ADD_RMS_NORM_DYNAMIC_QUANT_H_
#define ANYACL_ACLNNOP_ACLNN_ADD_RMS_NORM_DYNAMIC_QUANT_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnAddRmsNormDynamicQuant: xOut = x1 + x2, y = (x1 + x2) * rstd * gamma * smoothScale1Optional,
// rstd = 1 / sqrt(mean of (x1 + x2)^2 + epsilon); scale1Out = max|y| / 127 of a row, y1Out = rint(y
// / scale1Out); y2Out and scale2Out the same of smoothScale2Optional.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x1                    FLOAT16, BF16; [B.. H]
//   x2                    type of x1; [B.. H]
//   gamma                 type of x1; [H]
//   smoothScale1Optional  type of x1; [H]; may be null; multiplies the columns; null stands for
//                         ones
//   smoothScale2Optional  type of x1; [H]; may be null; only beside smoothScale1Optional
//   epsilon               added to the mean square; 0 or more
//   y1Out                 INT8; any shape; output; x1's shape, or [rows, H]
//   y2Out                 INT8; any shape; output; as the first one; not written, and of any shape,
//                         without smoothScale2Optional
//   xOut                  type of x1; [B.. H]; output
//   scale1Out             FLOAT; any shape; contiguous; output; x1's shape without the last
//                         dimension, or [rows]
//   scale2Out             FLOAT; any shape; contiguous; output; as the first one; not written, and
//                         of any shape, without smoothScale2Optional
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/add_rms_norm_dynamic_quant/docs/aclnnAddRmsNormDynamicQuant.md
ACLNN_API aclnnStatus aclnnAddRmsNormDynamicQuantGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* gamma,
    const aclTensor* smoothScale1Optional, const aclTensor* smoothScale2Optional, double epsilon,
    aclTensor* y1Out, aclTensor* y2Out, aclTensor* xOut, aclTensor* scale1Out, aclTensor* scale2Out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnAddRmsNormDynamicQuant(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ADD_RMS_NORM_DYNAMIC_QUANT_H_
