// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_batch_norm.h"
#include "aclnnop/aclnn_batch_norm_backward.h"
#include "aclnnop/aclnn_batch_norm_backward_reduce.h"
#include "aclnnop/aclnn_batch_norm_elemt.h"
#include "aclnnop/aclnn_batch_norm_elemt_backward.h"
#include "aclnnop/aclnn_batch_norm_gather_stats_with_counts.h"
#include "aclnnop/aclnn_batch_norm_reduce.h"
#include "aclnnop/aclnn_batch_norm_stats.h"
#include "aclnnop/aclnn_fast_batch_norm_backward.h"
#include "aclnnop/aclnn_sync_batch_norm_gather_stats.h"
#include "nnop/phases.h"
#include "ops/batch_norm/operators.h"

using namespace anyacl;
using anyacl::batch_norm::kOperators;

extern "C" {

aclnnStatus aclnnBatchNormGetWorkspaceSize(const aclTensor* input, const aclTensor* weight,
                                           const aclTensor* bias, aclTensor* runningMean,
                                           aclTensor* runningVar, bool training, double momentum,
                                           double eps, aclTensor* output, aclTensor* saveMean,
                                           aclTensor* saveInvstd, uint64_t* workspaceSize,
                                           aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnBatchNorm"),
                  {input, weight, bias, runningMean, runningVar, training, momentum, eps, output,
                   saveMean, saveInvstd}, workspaceSize, executor);
}

aclnnStatus aclnnBatchNorm(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                           aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnBatchNorm").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnBatchNormBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclTensor* input, const aclTensor* weight,
    const aclTensor* runningMean, const aclTensor* runningVar, const aclTensor* saveMean,
    const aclTensor* saveInvstd, bool training, double eps, const aclBoolArray* outputMask,
    aclTensor* gradInput, aclTensor* gradWeight, aclTensor* gradBias, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnBatchNormBackward"),
                  {gradOut, input, weight, runningMean, runningVar, saveMean, saveInvstd, training,
                   eps, outputMask, gradInput, gradWeight, gradBias}, workspaceSize, executor);
}

aclnnStatus aclnnBatchNormBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnBatchNormBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFastBatchNormBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclTensor* input, const aclTensor* weight,
    const aclTensor* runningMean, const aclTensor* runningVar, const aclTensor* saveMean,
    const aclTensor* saveInvstd, bool training, double eps, const aclBoolArray* outputMask,
    int32_t version, aclTensor* gradInput, aclTensor* gradWeight, aclTensor* gradBias,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFastBatchNormBackward"),
                  {gradOut, input, weight, runningMean, runningVar, saveMean, saveInvstd, training,
                   eps, outputMask, version, gradInput, gradWeight,
                   gradBias}, workspaceSize, executor);
}

aclnnStatus aclnnFastBatchNormBackward(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFastBatchNormBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnBatchNormReduceGetWorkspaceSize(const aclTensor* x, aclTensor* sum,
                                                 aclTensor* squareSum, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnBatchNormReduce"),
                  {x, sum, squareSum}, workspaceSize, executor);
}

aclnnStatus aclnnBatchNormReduce(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnBatchNormReduce").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSyncBatchNormGatherStatsGetWorkspaceSize(
    const aclTensor* totalSum, const aclTensor* totalSquareSum, const aclTensor* sampleCount,
    aclTensor* mean, aclTensor* variance, float momentum, float eps, aclTensor* batchMean,
    aclTensor* batchInvstd, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSyncBatchNormGatherStats"),
                  {totalSum, totalSquareSum, sampleCount, mean, variance, momentum, eps, batchMean,
                   batchInvstd}, workspaceSize, executor);
}

aclnnStatus aclnnSyncBatchNormGatherStats(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSyncBatchNormGatherStats").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnBatchNormStatsGetWorkspaceSize(const aclTensor* input, double eps, aclTensor* mean,
                                                aclTensor* invstd, uint64_t* workspaceSize,
                                                aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnBatchNormStats"),
                  {input, eps, mean, invstd}, workspaceSize, executor);
}

aclnnStatus aclnnBatchNormStats(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnBatchNormStats").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnBatchNormGatherStatsWithCountsGetWorkspaceSize(
    const aclTensor* input, const aclTensor* mean, const aclTensor* invstd, aclTensor* runningMean,
    aclTensor* runningVar, double momentum, double eps, const aclTensor* counts, aclTensor* meanAll,
    aclTensor* invstdAll, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnBatchNormGatherStatsWithCounts"),
                  {input, mean, invstd, runningMean, runningVar, momentum, eps, counts, meanAll,
                   invstdAll}, workspaceSize, executor);
}

aclnnStatus aclnnBatchNormGatherStatsWithCounts(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnBatchNormGatherStatsWithCounts").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnBatchNormElemtGetWorkspaceSize(const aclTensor* input, const aclTensor* weight,
                                                const aclTensor* bias, const aclTensor* mean,
                                                const aclTensor* invstd, double eps,
                                                aclTensor* output, uint64_t* workspaceSize,
                                                aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnBatchNormElemt"),
                  {input, weight, bias, mean, invstd, eps, output}, workspaceSize, executor);
}

aclnnStatus aclnnBatchNormElemt(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnBatchNormElemt").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnBatchNormReduceBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclTensor* input, const aclTensor* mean,
    const aclTensor* invstd, const aclTensor* weight, bool inputG, bool weightG, bool biasG,
    aclTensor* sumDy, aclTensor* sumDyXmu, aclTensor* gradWeight, aclTensor* gradBias,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnBatchNormReduceBackward"),
                  {gradOut, input, mean, invstd, weight, inputG, weightG, biasG, sumDy, sumDyXmu,
                   gradWeight, gradBias}, workspaceSize, executor);
}

aclnnStatus aclnnBatchNormReduceBackward(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnBatchNormReduceBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnBatchNormElemtBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclTensor* input, const aclTensor* mean,
    const aclTensor* invstd, const aclTensor* weight, const aclTensor* sumDy,
    const aclTensor* sumDyXmu, const aclTensor* counter, aclTensor* gradInput,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnBatchNormElemtBackward"),
                  {gradOut, input, mean, invstd, weight, sumDy, sumDyXmu, counter,
                   gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnBatchNormElemtBackward(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnBatchNormElemtBackward").op, workspace,
                           workspaceSize, executor, stream);
}
}
