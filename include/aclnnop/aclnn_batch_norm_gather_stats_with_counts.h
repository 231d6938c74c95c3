// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_BATCH_NORM_GATHER_STATS_WITH_COUNTS_H_
#define ANYACL_ACLNNOP_ACLNN_BATCH_NORM_GATHER_STATS_WITH_COUNTS_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnBatchNormGatherStatsWithCounts: the statistics of all devices' elements from those of each
// device, and the running ones.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   input        FLOAT, FLOAT16, BF16; any shape; not looked at but for its size
//   mean         FLOAT, FLOAT16, BF16; [K C]; of each device
//   invstd       FLOAT, FLOAT16, BF16; [K C]; 1 / sqrt(variance + eps) of each device
//   runningMean  FLOAT, FLOAT16, BF16; [C]; changed in place; may be null; null: none is kept
//   runningVar   FLOAT, FLOAT16, BF16; [C]; changed in place; may be null; null: none is kept
//   momentum     how much of the running statistics is replaced
//   eps          added to the variance
//   counts       FLOAT, FLOAT16, BF16; [K]; elements of a channel on each device
//   meanAll      FLOAT, FLOAT16, BF16; [C]; output
//   invstdAll    FLOAT, FLOAT16, BF16; [C]; output; 1 / sqrt(variance + eps) of all
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn:
// norm/sync_batch_norm_gather_stats_with_counts/docs/aclnnBatchNormGatherStatsWithCounts.md
ACLNN_API aclnnStatus aclnnBatchNormGatherStatsWithCountsGetWorkspaceSize(
    const aclTensor* input, const aclTensor* mean, const aclTensor* invstd, aclTensor* runningMean,
    aclTensor* runningVar, double momentum, double eps, const aclTensor* counts, aclTensor* meanAll,
    aclTensor* invstdAll, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnBatchNormGatherStatsWithCounts(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_BATCH_NORM_GATHER_STATS_WITH_COUNTS_H_
