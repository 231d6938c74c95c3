// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ADD_RMS_NORM_DYNAMIC_QUANT_V2_H_
#define ANYACL_ACLNNOP_ACLNN_ADD_RMS_NORM_DYNAMIC_QUANT_V2_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnAddRmsNormDynamicQuantV2: aclnnAddRmsNormDynamicQuant of y = ((x1 + x2) * rstd * gamma +
// beta) * smooth scales; of INT4 the scales are max|y| / 7.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x1                    FLOAT16, BF16; [B.. H]
//   x2                    type of x1; [B.. H]
//   gamma                 type of x1; [H]
//   smoothScale1Optional  type of x1; [H]; may be null; multiplies the columns; null stands for
//                         ones
//   smoothScale2Optional  type of x1; [H]; may be null; multiplies the columns; only beside
//                         smoothScale1Optional or a mask
//   betaOptional          type of x1; [H]; may be null; null stands for zeros
//   epsilon               added to the mean square; 0 or more
//   outputMaskOptional    may be null; 2 values: which results to write; null: the first, and the
//                         second if both smooth scales are given
//   y1Out                 INT8, INT4; any shape; output; x1's shape, or any where it is not written
//   y2Out                 INT8, INT4; any shape; output; as y1Out; of its type
//   xOut                  type of x1; [B.. H]; output
//   scale1Out             FLOAT; any shape; contiguous; output; x1's shape without the last
//                         dimension, or [rows]; any where it is not written
//   scale2Out             FLOAT; any shape; contiguous; output; as scale1Out
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   161002  what breaks a rule about values or what goes together
//   561002  any other wrong argument
// CANN's document: ops-nn: norm/add_rms_norm_dynamic_quant/docs/aclnnAddRmsNormDynamicQuantV2.md
ACLNN_API aclnnStatus aclnnAddRmsNormDynamicQuantV2GetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* gamma,
    const aclTensor* smoothScale1Optional, const aclTensor* smoothScale2Optional,
    const aclTensor* betaOptional, double epsilon, const aclBoolArray* outputMaskOptional,
    aclTensor* y1Out, aclTensor* y2Out, aclTensor* xOut, aclTensor* scale1Out, aclTensor* scale2Out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnAddRmsNormDynamicQuantV2(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ADD_RMS_NORM_DYNAMIC_QUANT_V2_H_
