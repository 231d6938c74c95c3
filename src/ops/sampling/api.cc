// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_advance_step.h"
#include "aclnnop/aclnn_advance_step_v2.h"
#include "aclnnop/aclnn_apply_top_k_top_p.h"
#include "aclnnop/aclnn_top_k_top_p_sample.h"
#include "nnop/phases.h"
#include "ops/sampling/operators.h"

using namespace anyacl;
using anyacl::sampling::kOperators;

extern "C" {

aclnnStatus aclnnApplyTopKTopPGetWorkspaceSize(const aclTensor* logits, const aclTensor* p,
                                               const aclTensor* k, aclTensor* out,
                                               uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnApplyTopKTopP"),
                  {logits, p, k, out}, workspaceSize, executor);
}

aclnnStatus aclnnApplyTopKTopP(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnApplyTopKTopP").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnTopKTopPSampleGetWorkspaceSize(const aclTensor* logits, const aclTensor* topK,
                                                const aclTensor* topP, const aclTensor* q,
                                                double eps, bool isNeedLogits, int64_t topKGuess,
                                                const aclTensor* logitsSelectIdx,
                                                const aclTensor* logitsTopKPSelect,
                                                uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnTopKTopPSample"),
                  {logits, topK, topP, q, eps, isNeedLogits, topKGuess, logitsSelectIdx,
                   logitsTopKPSelect}, workspaceSize, executor);
}

aclnnStatus aclnnTopKTopPSample(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnTopKTopPSample").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAdvanceStepGetWorkspaceSize(const aclTensor* inputTokens,
                                             const aclTensor* sampledTokenIds,
                                             const aclTensor* inputPositions,
                                             const aclTensor* seqLens, const aclTensor* slotMapping,
                                             const aclTensor* blockTables, int64_t numSeqs,
                                             int64_t numQueries, int64_t blockSize,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAdvanceStep"),
                  {inputTokens, sampledTokenIds, inputPositions, seqLens, slotMapping, blockTables,
                   numSeqs, numQueries, blockSize}, workspaceSize, executor);
}

aclnnStatus aclnnAdvanceStep(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAdvanceStep").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAdvanceStepV2GetWorkspaceSize(const aclTensor* inputTokens,
                                               const aclTensor* sampledTokenIds,
                                               const aclTensor* inputPositions,
                                               const aclTensor* seqLens,
                                               const aclTensor* slotMapping,
                                               const aclTensor* blockTables,
                                               const aclTensor* specToken,
                                               const aclTensor* acceptedNum, int64_t numSeqs,
                                               int64_t numQueries, int64_t blockSize,
                                               uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAdvanceStepV2"),
                  {inputTokens, sampledTokenIds, inputPositions, seqLens, slotMapping, blockTables,
                   specToken, acceptedNum, numSeqs, numQueries,
                   blockSize}, workspaceSize, executor);
}

aclnnStatus aclnnAdvanceStepV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAdvanceStepV2").op, workspace,
                           workspaceSize, executor, stream);
}
}
