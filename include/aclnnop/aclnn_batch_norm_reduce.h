// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_BATCH_NORM_REDUCE_H_
#define ANYACL_ACLNNOP_ACLNN_BATCH_NORM_REDUCE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnBatchNormReduce: sum and squareSum of each channel.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x          FLOAT, FLOAT16, BF16; [X0 X1 X2 X3]; the second dimension is C; the last of NHWC
//   sum        FLOAT; [C]; output; of x
//   squareSum  FLOAT; [C]; output; of x^2
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/bn_training_reduce/docs/aclnnBatchNormReduce.md
ACLNN_API aclnnStatus aclnnBatchNormReduceGetWorkspaceSize(
    const aclTensor* x, aclTensor* sum, aclTensor* squareSum, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnBatchNormReduce(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_BATCH_NORM_REDUCE_H_
