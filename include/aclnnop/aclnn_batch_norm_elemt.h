// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_BATCH_NORM_ELEMT_H_
#define ANYACL_ACLNNOP_ACLNN_BATCH_NORM_ELEMT_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnBatchNormElemt: output = (input - mean) * invstd * weight + bias.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   input   FLOAT, FLOAT16, BF16; [X*]; the second dimension is C; the last of NHWC and NDHWC
//   weight  FLOAT, FLOAT16, BF16; [C]; may be null; null stands for ones
//   bias    FLOAT, FLOAT16, BF16; [C]; may be null; null stands for zeros
//   mean    FLOAT, FLOAT16, BF16; [C]
//   invstd  FLOAT, FLOAT16, BF16; [C]
//   eps     not looked at: invstd has it
//   output  type of input; [X*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/batch_norm_elemt/docs/aclnnBatchNormElemt.md
ACLNN_API aclnnStatus aclnnBatchNormElemtGetWorkspaceSize(
    const aclTensor* input, const aclTensor* weight, const aclTensor* bias, const aclTensor* mean,
    const aclTensor* invstd, double eps, aclTensor* output, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnBatchNormElemt(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_BATCH_NORM_ELEMT_H_
