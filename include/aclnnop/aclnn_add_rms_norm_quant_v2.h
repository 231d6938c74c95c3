// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ADD_RMS_NORM_QUANT_V2_H_
#define ANYACL_ACLNNOP_ACLNN_ADD_RMS_NORM_QUANT_V2_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnAddRmsNormQuantV2: aclnnAddRmsNormQuant of y = (x1 + x2) * rstd * gamma + beta.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x1                   FLOAT, FLOAT16, BF16; [X*]
//   x2                   type of x1; [X*]
//   gamma                type of x1; [G*]; x1's last dimensions: a row
//   scales1              FLOAT, FLOAT16, BF16; [G*]; x1's last dimensions: a row
//   scales2Optional      type of scales1; [G*]; may be null; null: y2Out is not written
//   zeroPoints1Optional  FLOAT, FLOAT16, INT32, BF16; [G*]; may be null; null stands for zeros
//   zeroPoints2Optional  type of zeroPoints1Optional; [G*]; may be null; only beside
//                        scales2Optional; null stands for zeros
//   betaOptional         type of x1; [G*]; may be null; null stands for zeros
//   axis                 without effect
//   epsilon              added to the mean square; 0 or more
//   divMode              divides by scales, else multiplies
//   y1Out                INT8; [X*]; output
//   y2Out                INT8; [X*]; output
//   xOut                 type of x1; [X*]; output
//   rmsNormOut           type of x1; [X*]; output; may be null; y without beta
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/add_rms_norm_quant_v2/docs/aclnnAddRmsNormQuantV2.md
ACLNN_API aclnnStatus aclnnAddRmsNormQuantV2GetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* gamma, const aclTensor* scales1,
    const aclTensor* scales2Optional, const aclTensor* zeroPoints1Optional,
    const aclTensor* zeroPoints2Optional, const aclTensor* betaOptional, int64_t axis,
    double epsilon, bool divMode, aclTensor* y1Out, aclTensor* y2Out, aclTensor* xOut,
    aclTensor* rmsNormOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnAddRmsNormQuantV2(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ADD_RMS_NORM_QUANT_V2_H_
