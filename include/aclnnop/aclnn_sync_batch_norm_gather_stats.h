// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_SYNC_BATCH_NORM_GATHER_STATS_H_
#define ANYACL_ACLNNOP_ACLNN_SYNC_BATCH_NORM_GATHER_STATS_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnSyncBatchNormGatherStats: the statistics of all devices' elements from the sums of each
// device, and the running ones.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   totalSum        FLOAT, FLOAT16; [K C]; of x on each device
//   totalSquareSum  type of totalSum; [K C]; of x^2 on each device
//   sampleCount     FLOAT, FLOAT16, INT32, BF16; [K]; elements of a channel on each device
//   mean            type of totalSum; [C]; changed in place
//   variance        type of totalSum; [C]; changed in place
//   momentum        how much of mean and variance is replaced
//   eps             added to the variance
//   batchMean       FLOAT, FLOAT16; [C]; output
//   batchInvstd     type of batchMean; [C]; output; 1 / sqrt(variance + eps) of all
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/sync_batch_norm_gather_stats/docs/aclnnSyncBatchNormGatherStats.md
ACLNN_API aclnnStatus aclnnSyncBatchNormGatherStatsGetWorkspaceSize(
    const aclTensor* totalSum, const aclTensor* totalSquareSum, const aclTensor* sampleCount,
    aclTensor* mean, aclTensor* variance, float momentum, float eps, aclTensor* batchMean,
    aclTensor* batchInvstd, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnSyncBatchNormGatherStats(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_SYNC_BATCH_NORM_GATHER_STATS_H_
