// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_attention_to_ffn.h"
#include "aclnnop/aclnn_attention_worker_combine.h"
#include "aclnnop/aclnn_attention_worker_scheduler.h"
#include "aclnnop/aclnn_ffn_to_attention.h"
#include "aclnnop/aclnn_ffn_worker_batching.h"
#include "aclnnop/aclnn_ffn_worker_scheduler.h"
#include "nnop/phases.h"
#include "ops/afd/operators.h"

using namespace anyacl;
using anyacl::afd::kOperators;

extern "C" {

aclnnStatus aclnnInplaceFfnWorkerSchedulerGetWorkspaceSize(
    aclTensor* scheduleContextRef, int32_t syncGroupSize, int32_t executeMode,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceFfnWorkerScheduler"),
                  {scheduleContextRef, syncGroupSize, executeMode}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceFfnWorkerScheduler(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceFfnWorkerScheduler").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceAttentionWorkerSchedulerGetWorkspaceSize(
    aclTensor* scheduleContextRef, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceAttentionWorkerScheduler"),
                  {scheduleContextRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceAttentionWorkerScheduler(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceAttentionWorkerScheduler").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFfnWorkerBatchingGetWorkspaceSize(
    const aclTensor* scheduleContext, int64_t expertNum, const aclIntArray* maxOutShape,
    int64_t tokenDtype, int64_t needSchedule, int64_t layerNum, const aclTensor* y,
    const aclTensor* groupList, const aclTensor* sessionIds, const aclTensor* microBatchIds,
    const aclTensor* tokenIds, const aclTensor* expertOffsets, const aclTensor* dynamicScale,
    const aclTensor* actualTokenNum, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFfnWorkerBatching"),
                  {scheduleContext, expertNum, maxOutShape, tokenDtype, needSchedule, layerNum, y,
                   groupList, sessionIds, microBatchIds, tokenIds, expertOffsets, dynamicScale,
                   actualTokenNum}, workspaceSize, executor);
}

aclnnStatus aclnnFfnWorkerBatching(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFfnWorkerBatching").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAttentionWorkerCombineGetWorkspaceSize(
    const aclTensor* scheduleContext, const aclTensor* expertScales, const aclTensor* layerId,
    int64_t hiddenSize, int64_t tokenDtype, int64_t needSchedule, const aclTensor* y,
    const aclTensor* nextLayerId, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAttentionWorkerCombine"),
                  {scheduleContext, expertScales, layerId, hiddenSize, tokenDtype, needSchedule, y,
                   nextLayerId}, workspaceSize, executor);
}

aclnnStatus aclnnAttentionWorkerCombine(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAttentionWorkerCombine").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAttentionToFFNGetWorkspaceSize(const aclTensor* x, const aclTensor* sessionId,
                                                const aclTensor* microBatchId,
                                                const aclTensor* layerId,
                                                const aclTensor* expertIds,
                                                const aclTensor* expertRankTable,
                                                const aclTensor* scalesOptional,
                                                const aclTensor* activeMaskOptional,
                                                const char* group, int64_t worldSize,
                                                const aclIntArray* ffnTokenInfoTableShape,
                                                const aclIntArray* ffnTokenDataShape,
                                                const aclIntArray* attnTokenInfoTableShape,
                                                int64_t moeExpertNum, int64_t quantMode,
                                                int64_t syncFlag, int64_t ffnStartRankId,
                                                uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAttentionToFFN"),
                  {x, sessionId, microBatchId, layerId, expertIds, expertRankTable, scalesOptional,
                   activeMaskOptional, group, worldSize, ffnTokenInfoTableShape, ffnTokenDataShape,
                   attnTokenInfoTableShape, moeExpertNum, quantMode, syncFlag,
                   ffnStartRankId}, workspaceSize, executor);
}

aclnnStatus aclnnAttentionToFFN(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAttentionToFFN").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFFNToAttentionGetWorkspaceSize(const aclTensor* x, const aclTensor* sessionIds,
                                                const aclTensor* microBatchIds,
                                                const aclTensor* tokenIds,
                                                const aclTensor* expertOffsets,
                                                const aclTensor* actualTokenNum,
                                                const aclTensor* attnRankTableOptional,
                                                const char* group, int64_t worldSize,
                                                const aclIntArray* tokenInfoTableShape,
                                                const aclIntArray* tokenDataShape,
                                                uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFFNToAttention"),
                  {x, sessionIds, microBatchIds, tokenIds, expertOffsets, actualTokenNum,
                   attnRankTableOptional, group, worldSize, tokenInfoTableShape,
                   tokenDataShape}, workspaceSize, executor);
}

aclnnStatus aclnnFFNToAttention(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFFNToAttention").op, workspace,
                           workspaceSize, executor, stream);
}
}
