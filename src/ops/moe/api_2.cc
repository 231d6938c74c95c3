// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_moe_compute_expert_tokens.h"
#include "aclnnop/aclnn_moe_finalize_routing_v3.h"
#include "aclnnop/aclnn_moe_finalize_routing_v4.h"
#include "aclnnop/aclnn_moe_re_routing.h"
#include "aclnnop/aclnn_moe_token_permute.h"
#include "aclnnop/aclnn_moe_token_permute_grad.h"
#include "aclnnop/aclnn_moe_token_permute_with_routing_map.h"
#include "aclnnop/aclnn_moe_token_permute_with_routing_map_grad.h"
#include "aclnnop/aclnn_moe_token_unpermute.h"
#include "aclnnop/aclnn_moe_token_unpermute_grad.h"
#include "aclnnop/aclnn_moe_token_unpermute_with_routing_map.h"
#include "aclnnop/aclnn_moe_token_unpermute_with_routing_map_grad.h"
#include "aclnnop/aclnn_moe_update_expert.h"
#include "nnop/phases.h"
#include "ops/moe/operators.h"

using namespace anyacl;
using anyacl::moe::kOperators;

extern "C" {

aclnnStatus aclnnMoeFinalizeRoutingV3GetWorkspaceSize(
    const aclTensor* expandedX, const aclTensor* expandedRowIdx, const aclTensor* x1Optional,
    const aclTensor* x2Optional, const aclTensor* biasOptional, const aclTensor* scalesOptional,
    const aclTensor* expertIdxOptional, const aclTensor* xOptional, const aclTensor* alpha1Optional,
    const aclTensor* alpha2Optional, const aclTensor* vOptional, int64_t dropPadMode,
    const aclIntArray* zeroExpertRange, const aclIntArray* copyExpertRange,
    const aclIntArray* constantExpertRange, const aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeFinalizeRoutingV3"),
                  {expandedX, expandedRowIdx, x1Optional, x2Optional, biasOptional, scalesOptional,
                   expertIdxOptional, xOptional, alpha1Optional, alpha2Optional, vOptional,
                   dropPadMode, zeroExpertRange, copyExpertRange, constantExpertRange,
                   out}, workspaceSize, executor);
}

aclnnStatus aclnnMoeFinalizeRoutingV3(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeFinalizeRoutingV3").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeFinalizeRoutingV4GetWorkspaceSize(
    const aclTensor* expandedX, const aclTensor* expandedRowIdx, const aclTensor* x1Optional,
    const aclTensor* x2Optional, const aclTensor* biasOptional, const aclTensor* scalesOptional,
    const aclTensor* expertIdxOptional, const aclTensor* xOptional, const aclTensor* alpha1Optional,
    const aclTensor* alpha2Optional, const aclTensor* vOptional, int64_t dropPadMode,
    const aclIntArray* zeroExpertRange, const aclIntArray* copyExpertRange,
    const aclIntArray* constantExpertRange, int64_t k, const aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeFinalizeRoutingV4"),
                  {expandedX, expandedRowIdx, x1Optional, x2Optional, biasOptional, scalesOptional,
                   expertIdxOptional, xOptional, alpha1Optional, alpha2Optional, vOptional,
                   dropPadMode, zeroExpertRange, copyExpertRange, constantExpertRange, k,
                   out}, workspaceSize, executor);
}

aclnnStatus aclnnMoeFinalizeRoutingV4(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeFinalizeRoutingV4").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeUpdateExpertGetWorkspaceSize(const aclTensor* expertIds,
                                                 const aclTensor* eplbTable,
                                                 const aclTensor* expertScalesOptional,
                                                 const aclTensor* pruningThresholdOptional,
                                                 const aclTensor* activeMaskOptional,
                                                 int64_t localRankId, int64_t worldSize,
                                                 int64_t balanceMode, aclTensor* balancedExpertIds,
                                                 aclTensor* balancedActiveMask,
                                                 uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeUpdateExpert"),
                  {expertIds, eplbTable, expertScalesOptional, pruningThresholdOptional,
                   activeMaskOptional, localRankId, worldSize, balanceMode, balancedExpertIds,
                   balancedActiveMask}, workspaceSize, executor);
}

aclnnStatus aclnnMoeUpdateExpert(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeUpdateExpert").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeReRoutingGetWorkspaceSize(const aclTensor* tokens,
                                              const aclTensor* expertTokenNumPerRank,
                                              const aclTensor* perTokenScalesOptional,
                                              int64_t expertTokenNumTypeOptional,
                                              int64_t idxTypeOptional,
                                              const aclTensor* permuteTokensOut,
                                              const aclTensor* permutePerTokenScalesOut,
                                              const aclTensor* permuteTokenIdxOut,
                                              const aclTensor* expertTokenNumOut,
                                              uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeReRouting"),
                  {tokens, expertTokenNumPerRank, perTokenScalesOptional,
                   expertTokenNumTypeOptional, idxTypeOptional, permuteTokensOut,
                   permutePerTokenScalesOut, permuteTokenIdxOut,
                   expertTokenNumOut}, workspaceSize, executor);
}

aclnnStatus aclnnMoeReRouting(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeReRouting").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeComputeExpertTokensGetWorkspaceSize(
    const aclTensor* sortedExperts, int64_t numExperts, const aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeComputeExpertTokens"),
                  {sortedExperts, numExperts, out}, workspaceSize, executor);
}

aclnnStatus aclnnMoeComputeExpertTokens(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeComputeExpertTokens").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeTokenPermuteGetWorkspaceSize(const aclTensor* tokens, const aclTensor* indices,
                                                 int64_t numOutTokens, bool paddedMode,
                                                 const aclTensor* permuteTokensOut,
                                                 const aclTensor* sortedIndicesOut,
                                                 uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeTokenPermute"),
                  {tokens, indices, numOutTokens, paddedMode, permuteTokensOut,
                   sortedIndicesOut}, workspaceSize, executor);
}

aclnnStatus aclnnMoeTokenPermute(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeTokenPermute").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeTokenPermuteGradGetWorkspaceSize(
    const aclTensor* permutedOutputGrad, const aclTensor* sortedIndices, int64_t numTopk,
    bool paddedMode, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeTokenPermuteGrad"),
                  {permutedOutputGrad, sortedIndices, numTopk, paddedMode,
                   out}, workspaceSize, executor);
}

aclnnStatus aclnnMoeTokenPermuteGrad(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeTokenPermuteGrad").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeTokenUnpermuteGetWorkspaceSize(
    const aclTensor* permutedTokens, const aclTensor* sortedIndices, const aclTensor* probsOptional,
    bool paddedMode, const aclIntArray* restoreShapeOptional, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeTokenUnpermute"),
                  {permutedTokens, sortedIndices, probsOptional, paddedMode, restoreShapeOptional,
                   out}, workspaceSize, executor);
}

aclnnStatus aclnnMoeTokenUnpermute(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeTokenUnpermute").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeTokenUnpermuteGradGetWorkspaceSize(
    const aclTensor* permutedTokensOptional, const aclTensor* unpermutedTokensGrad,
    const aclTensor* sortedIndices, const aclTensor* probsOptional, bool paddedMode,
    const aclIntArray* restoreShapeOptional, aclTensor* permutedTokensGradOut,
    aclTensor* probsGradOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeTokenUnpermuteGrad"),
                  {permutedTokensOptional, unpermutedTokensGrad, sortedIndices, probsOptional,
                   paddedMode, restoreShapeOptional, permutedTokensGradOut,
                   probsGradOut}, workspaceSize, executor);
}

aclnnStatus aclnnMoeTokenUnpermuteGrad(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeTokenUnpermuteGrad").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeTokenPermuteWithRoutingMapGetWorkspaceSize(
    const aclTensor* tokens, const aclTensor* routingMap, const aclTensor* probsOptional,
    int64_t numOutTokens, bool dropAndPad, aclTensor* permuteTokensOut,
    aclTensor* permuteProbsOutOptional, aclTensor* sortedIndicesOut, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeTokenPermuteWithRoutingMap"),
                  {tokens, routingMap, probsOptional, numOutTokens, dropAndPad, permuteTokensOut,
                   permuteProbsOutOptional, sortedIndicesOut}, workspaceSize, executor);
}

aclnnStatus aclnnMoeTokenPermuteWithRoutingMap(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeTokenPermuteWithRoutingMap").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeTokenPermuteWithRoutingMapGradGetWorkspaceSize(
    const aclTensor* permutedTokensOutputGrad, const aclTensor* permutedProbsOutputGradOptional,
    const aclTensor* sortedIndices, const aclTensor* routingMapOptional, int64_t numExperts,
    int64_t tokensNum, bool dropAndPad, aclTensor* tokenGradOut, aclTensor* probsGradOutOptional,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeTokenPermuteWithRoutingMapGrad"),
                  {permutedTokensOutputGrad, permutedProbsOutputGradOptional, sortedIndices,
                   routingMapOptional, numExperts, tokensNum, dropAndPad, tokenGradOut,
                   probsGradOutOptional}, workspaceSize, executor);
}

aclnnStatus aclnnMoeTokenPermuteWithRoutingMapGrad(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeTokenPermuteWithRoutingMapGrad").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeTokenUnpermuteWithRoutingMapGetWorkspaceSize(
    const aclTensor* permutedTokens, const aclTensor* sortedIndices,
    const aclTensor* routingMapOptional, const aclTensor* probsOptional, bool paddedMode,
    const aclIntArray* restoreShapeOptional, aclTensor* unpermutedTokens, aclTensor* outIndex,
    aclTensor* permuteTokenId, aclTensor* permuteProbs, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeTokenUnpermuteWithRoutingMap"),
                  {permutedTokens, sortedIndices, routingMapOptional, probsOptional, paddedMode,
                   restoreShapeOptional, unpermutedTokens, outIndex, permuteTokenId,
                   permuteProbs}, workspaceSize, executor);
}

aclnnStatus aclnnMoeTokenUnpermuteWithRoutingMap(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeTokenUnpermuteWithRoutingMap").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeTokenUnpermuteWithRoutingMapGradGetWorkspaceSize(
    const aclTensor* unpermutedTokensGrad, const aclTensor* outIndex,
    const aclTensor* permuteTokenId, const aclTensor* routingMapOptional,
    const aclTensor* permutedTokensOptional, const aclTensor* probsOptional, bool dropAndPad,
    const aclIntArray* restoreShapeOptional, const aclTensor* permutedTokensGradOut,
    const aclTensor* probsGradOutOptional, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeTokenUnpermuteWithRoutingMapGrad"),
                  {unpermutedTokensGrad, outIndex, permuteTokenId, routingMapOptional,
                   permutedTokensOptional, probsOptional, dropAndPad, restoreShapeOptional,
                   permutedTokensGradOut, probsGradOutOptional}, workspaceSize, executor);
}

aclnnStatus aclnnMoeTokenUnpermuteWithRoutingMapGrad(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeTokenUnpermuteWithRoutingMapGrad").op, workspace,
                           workspaceSize, executor, stream);
}
}
