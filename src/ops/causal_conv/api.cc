// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_fused_causal_conv1d.h"
#include "aclnnop/aclnn_inplace_fused_causal_conv1d.h"
#include "aclnnop/aclnn_masked_causal_conv1d.h"
#include "aclnnop/aclnn_masked_causal_conv1d_backward.h"
#include "nnop/phases.h"
#include "ops/causal_conv/operators.h"

using namespace anyacl;
using anyacl::causal_conv::kOperators;

extern "C" {

aclnnStatus aclnnMaskedCausalConv1dGetWorkspaceSize(
    const aclTensor* x, const aclTensor* weight, const aclTensor* maskOptional,
    const aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMaskedCausalConv1d"),
                  {x, weight, maskOptional, out}, workspaceSize, executor);
}

aclnnStatus aclnnMaskedCausalConv1d(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMaskedCausalConv1d").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMaskedCausalConv1dBackwardGetWorkspaceSize(
    const aclTensor* gradY, const aclTensor* x, const aclTensor* weight,
    const aclTensor* maskOptional, const aclTensor* gradXOut, const aclTensor* gradWeightOut,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMaskedCausalConv1dBackward"),
                  {gradY, x, weight, maskOptional, gradXOut,
                   gradWeightOut}, workspaceSize, executor);
}

aclnnStatus aclnnMaskedCausalConv1dBackward(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMaskedCausalConv1dBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFusedCausalConv1dGetWorkspaceSize(
    const aclTensor* x, const aclTensor* weight, aclTensor* convStates,
    const aclTensor* queryStartLoc, const aclTensor* cacheIndices,
    const aclTensor* initialStateMode, const aclTensor* bias, const aclTensor* numAcceptedTokens,
    const aclTensor* numComputedTokens, const aclTensor* blockIdxFirstScheduledToken,
    const aclTensor* blockIdxLastScheduledToken, const aclTensor* initialStateIdx,
    int64_t activationMode, int64_t padSlotId, int64_t runMode, int64_t maxQueryLen,
    int64_t residualConnection, int64_t blockSize, int64_t convMode, aclTensor* y,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFusedCausalConv1d"),
                  {x, weight, convStates, queryStartLoc, cacheIndices, initialStateMode, bias,
                   numAcceptedTokens, numComputedTokens, blockIdxFirstScheduledToken,
                   blockIdxLastScheduledToken, initialStateIdx, activationMode, padSlotId, runMode,
                   maxQueryLen, residualConnection, blockSize, convMode,
                   y}, workspaceSize, executor);
}

aclnnStatus aclnnFusedCausalConv1d(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFusedCausalConv1d").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceFusedCausalConv1dGetWorkspaceSize(
    aclTensor* x, const aclTensor* weight, aclTensor* convStates, const aclTensor* queryStartLoc,
    const aclTensor* cacheIndices, const aclTensor* initialStateMode, const aclTensor* bias,
    const aclTensor* numAcceptedTokens, const aclTensor* numComputedTokens,
    const aclTensor* blockIdxFirstScheduledToken, const aclTensor* blockIdxLastScheduledToken,
    const aclTensor* initialStateIdx, int64_t activationMode, int64_t padSlotId, int64_t runMode,
    int64_t maxQueryLen, int64_t residualConnection, int64_t blockSize, int64_t convMode,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceFusedCausalConv1d"),
                  {x, weight, convStates, queryStartLoc, cacheIndices, initialStateMode, bias,
                   numAcceptedTokens, numComputedTokens, blockIdxFirstScheduledToken,
                   blockIdxLastScheduledToken, initialStateIdx, activationMode, padSlotId, runMode,
                   maxQueryLen, residualConnection, blockSize, convMode}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceFusedCausalConv1d(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceFusedCausalConv1d").op, workspace,
                           workspaceSize, executor, stream);
}
}
