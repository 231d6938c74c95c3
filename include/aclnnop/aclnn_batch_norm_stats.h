// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_BATCH_NORM_STATS_H_
#define ANYACL_ACLNNOP_ACLNN_BATCH_NORM_STATS_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnBatchNormStats: mean and 1 / sqrt(variance + eps) of each channel.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   input   FLOAT, FLOAT16, BF16; any shape; the second dimension is C; the last of NHWC and NDHWC
//   eps     added to the variance
//   mean    FLOAT; [C]; output
//   invstd  FLOAT; [C]; output; 1 / sqrt(variance + eps)
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/reduce_std_with_mean/docs/aclnnBatchNormStats.md
ACLNN_API aclnnStatus aclnnBatchNormStatsGetWorkspaceSize(
    const aclTensor* input, double eps, aclTensor* mean, aclTensor* invstd, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnBatchNormStats(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_BATCH_NORM_STATS_H_
