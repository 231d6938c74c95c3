// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_moe_compute_expert_tokens.h"
#include "aclnnop/aclnn_moe_finalize_routing_v2_grad.h"
#include "aclnnop/aclnn_moe_init_routing_v2_grad.h"
#include "aclnnop/aclnn_moe_re_routing.h"
#include "aclnnop/aclnn_moe_token_permute.h"
#include "aclnnop/aclnn_moe_token_permute_grad.h"
#include "aclnnop/aclnn_moe_token_permute_with_ep.h"
#include "aclnnop/aclnn_moe_token_permute_with_ep_grad.h"
#include "aclnnop/aclnn_moe_token_permute_with_routing_map.h"
#include "aclnnop/aclnn_moe_token_permute_with_routing_map_grad.h"
#include "aclnnop/aclnn_moe_token_unpermute.h"
#include "aclnnop/aclnn_moe_token_unpermute_grad.h"
#include "aclnnop/aclnn_moe_token_unpermute_with_ep.h"
#include "aclnnop/aclnn_moe_token_unpermute_with_ep_grad.h"
#include "aclnnop/aclnn_moe_token_unpermute_with_routing_map.h"
#include "aclnnop/aclnn_moe_token_unpermute_with_routing_map_grad.h"
#include "nnop/phases.h"
#include "ops/moe/operators.h"

using namespace anyacl;
using anyacl::moe::kOperators;

extern "C" {

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

aclnnStatus aclnnMoeTokenPermuteWithEpGetWorkspaceSize(
    const aclTensor* tokens, const aclTensor* indices, const aclTensor* probsOptional,
    const aclIntArray* rangeOptional, int64_t numOutTokens, bool paddedMode,
    const aclTensor* permuteTokensOut, const aclTensor* sortedIndicesOut,
    const aclTensor* permuteProbsOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeTokenPermuteWithEp"),
                  {tokens, indices, probsOptional, rangeOptional, numOutTokens, paddedMode,
                   permuteTokensOut, sortedIndicesOut, permuteProbsOut}, workspaceSize, executor);
}

aclnnStatus aclnnMoeTokenPermuteWithEp(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeTokenPermuteWithEp").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeTokenPermuteWithEpGradGetWorkspaceSize(
    const aclTensor* permutedTokensOutputGrad, const aclTensor* sortedIndices,
    const aclTensor* permutedProbsOutputGradOptional, int64_t numTopk,
    const aclIntArray* rangeOptional, bool paddedMode, const aclTensor* tokenGradOut,
    const aclTensor* probsGradOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeTokenPermuteWithEpGrad"),
                  {permutedTokensOutputGrad, sortedIndices, permutedProbsOutputGradOptional,
                   numTopk, rangeOptional, paddedMode, tokenGradOut,
                   probsGradOut}, workspaceSize, executor);
}

aclnnStatus aclnnMoeTokenPermuteWithEpGrad(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeTokenPermuteWithEpGrad").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeTokenUnpermuteWithEpGetWorkspaceSize(
    const aclTensor* permutedTokens, const aclTensor* sortedIndices, const aclTensor* probsOptional,
    int64_t numTopk, const aclIntArray* rangeOptional, bool paddedMode,
    const aclIntArray* restoreShapeOptional, const aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeTokenUnpermuteWithEp"),
                  {permutedTokens, sortedIndices, probsOptional, numTopk, rangeOptional, paddedMode,
                   restoreShapeOptional, out}, workspaceSize, executor);
}

aclnnStatus aclnnMoeTokenUnpermuteWithEp(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeTokenUnpermuteWithEp").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeTokenUnpermuteWithEpGradGetWorkspaceSize(
    const aclTensor* unpermutedTokensGrad, const aclTensor* sortedIndices,
    const aclTensor* permutedTokensOptional, const aclTensor* probsOptional, bool paddedMode,
    const aclIntArray* restoreShapeOptional, const aclIntArray* rangeOptional, int64_t topkNum,
    const aclTensor* permutedTokensGradOut, const aclTensor* probsGradOut, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeTokenUnpermuteWithEpGrad"),
                  {unpermutedTokensGrad, sortedIndices, permutedTokensOptional, probsOptional,
                   paddedMode, restoreShapeOptional, rangeOptional, topkNum, permutedTokensGradOut,
                   probsGradOut}, workspaceSize, executor);
}

aclnnStatus aclnnMoeTokenUnpermuteWithEpGrad(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeTokenUnpermuteWithEpGrad").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeInitRoutingV2GradGetWorkspaceSize(
    const aclTensor* gradExpandedX, const aclTensor* expandedRowIdx, int64_t topK,
    int64_t dropPadMode, int64_t activeNum, const aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeInitRoutingV2Grad"),
                  {gradExpandedX, expandedRowIdx, topK, dropPadMode, activeNum,
                   out}, workspaceSize, executor);
}

aclnnStatus aclnnMoeInitRoutingV2Grad(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeInitRoutingV2Grad").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeFinalizeRoutingV2GradGetWorkspaceSize(
    const aclTensor* gradY, const aclTensor* expandedRowIdx, const aclTensor* expandedXOptional,
    const aclTensor* scalesOptional, const aclTensor* expertIdxOptional,
    const aclTensor* biasOptional, int64_t dropPadMode, int64_t activeNum, int64_t expertNum,
    int64_t expertCapacity, const aclTensor* gradExpandedXOut, const aclTensor* gradScalesOut,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeFinalizeRoutingV2Grad"),
                  {gradY, expandedRowIdx, expandedXOptional, scalesOptional, expertIdxOptional,
                   biasOptional, dropPadMode, activeNum, expertNum, expertCapacity,
                   gradExpandedXOut, gradScalesOut}, workspaceSize, executor);
}

aclnnStatus aclnnMoeFinalizeRoutingV2Grad(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeFinalizeRoutingV2Grad").op, workspace,
                           workspaceSize, executor, stream);
}
}
