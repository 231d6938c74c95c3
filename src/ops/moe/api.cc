// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_moe_finalize_routing.h"
#include "aclnnop/aclnn_moe_finalize_routing_v2.h"
#include "aclnnop/aclnn_moe_finalize_routing_v3.h"
#include "aclnnop/aclnn_moe_finalize_routing_v4.h"
#include "aclnnop/aclnn_moe_gating_top_k.h"
#include "aclnnop/aclnn_moe_gating_top_k_backward.h"
#include "aclnnop/aclnn_moe_gating_top_k_softmax.h"
#include "aclnnop/aclnn_moe_gating_top_k_softmax_v2.h"
#include "aclnnop/aclnn_moe_gating_top_k_v2.h"
#include "aclnnop/aclnn_moe_init_routing.h"
#include "aclnnop/aclnn_moe_init_routing_quant.h"
#include "aclnnop/aclnn_moe_init_routing_quant_v2.h"
#include "aclnnop/aclnn_moe_init_routing_v2.h"
#include "aclnnop/aclnn_moe_init_routing_v3.h"
#include "aclnnop/aclnn_moe_update_expert.h"
#include "nnop/phases.h"
#include "ops/moe/operators.h"

using namespace anyacl;
using anyacl::moe::kOperators;

extern "C" {

aclnnStatus aclnnMoeGatingTopKSoftmaxGetWorkspaceSize(
    const aclTensor* x, const aclTensor* finishedOptional, int64_t k, const aclTensor* yOut,
    const aclTensor* expertIdxOut, const aclTensor* rowIdxOut, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeGatingTopKSoftmax"),
                  {x, finishedOptional, k, yOut, expertIdxOut, rowIdxOut}, workspaceSize, executor);
}

aclnnStatus aclnnMoeGatingTopKSoftmax(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeGatingTopKSoftmax").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeGatingTopKSoftmaxV2GetWorkspaceSize(
    const aclTensor* x, const aclTensor* finishedOptional, int64_t k, int64_t renorm,
    bool outputSoftmaxResultFlag, const aclTensor* yOut, const aclTensor* expertIdxOut,
    const aclTensor* softmaxResultOutOptional, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeGatingTopKSoftmaxV2"),
                  {x, finishedOptional, k, renorm, outputSoftmaxResultFlag, yOut, expertIdxOut,
                   softmaxResultOutOptional}, workspaceSize, executor);
}

aclnnStatus aclnnMoeGatingTopKSoftmaxV2(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeGatingTopKSoftmaxV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeGatingTopKGetWorkspaceSize(const aclTensor* x, const aclTensor* biasOptional,
                                               int64_t k, int64_t kGroup, int64_t groupCount,
                                               int64_t groupSelectMode, int64_t renorm,
                                               int64_t normType, bool outFlag,
                                               double routedScalingFactor, double eps,
                                               const aclTensor* yOut, const aclTensor* expertIdxOut,
                                               const aclTensor* outOut, uint64_t* workspaceSize,
                                               aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeGatingTopK"),
                  {x, biasOptional, k, kGroup, groupCount, groupSelectMode, renorm, normType,
                   outFlag, routedScalingFactor, eps, yOut, expertIdxOut,
                   outOut}, workspaceSize, executor);
}

aclnnStatus aclnnMoeGatingTopK(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeGatingTopK").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeGatingTopKV2GetWorkspaceSize(const aclTensor* x, const aclTensor* biasOptional,
                                                 const aclTensor* inputIdsOptional,
                                                 const aclTensor* tid2eidOptional, int64_t k,
                                                 int64_t kGroup, int64_t groupCount,
                                                 int64_t groupSelectMode, int64_t renorm,
                                                 int64_t normType, bool outFlag,
                                                 double routedScalingFactor, double eps,
                                                 const aclTensor* yOut,
                                                 const aclTensor* expertIdxOut,
                                                 const aclTensor* outOut, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeGatingTopKV2"),
                  {x, biasOptional, inputIdsOptional, tid2eidOptional, k, kGroup, groupCount,
                   groupSelectMode, renorm, normType, outFlag, routedScalingFactor, eps, yOut,
                   expertIdxOut, outOut}, workspaceSize, executor);
}

aclnnStatus aclnnMoeGatingTopKV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeGatingTopKV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeGatingTopKBackwardGetWorkspaceSize(
    const aclTensor* xNorm, const aclTensor* gradY, const aclTensor* expertIdx, int64_t renorm,
    int64_t normType, double routedScalingFactor, double eps, const aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeGatingTopKBackward"),
                  {xNorm, gradY, expertIdx, renorm, normType, routedScalingFactor, eps,
                   out}, workspaceSize, executor);
}

aclnnStatus aclnnMoeGatingTopKBackward(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeGatingTopKBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeInitRoutingGetWorkspaceSize(const aclTensor* x, const aclTensor* rowIdx,
                                                const aclTensor* expertIdx, int64_t activeNum,
                                                const aclTensor* expandedXOut,
                                                const aclTensor* expandedRowIdxOut,
                                                const aclTensor* expandedExpertIdxOut,
                                                uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeInitRouting"),
                  {x, rowIdx, expertIdx, activeNum, expandedXOut, expandedRowIdxOut,
                   expandedExpertIdxOut}, workspaceSize, executor);
}

aclnnStatus aclnnMoeInitRouting(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeInitRouting").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeInitRoutingV2GetWorkspaceSize(const aclTensor* x, const aclTensor* expertIdx,
                                                  int64_t activeNumOptional,
                                                  int64_t expertCapacityOptional,
                                                  int64_t expertNumOptional,
                                                  int64_t dropPadModeOptional,
                                                  int64_t expertTokensCountOrCumsumFlagOptional,
                                                  bool expertTokensBeforeCapacityFlagOptional,
                                                  const aclTensor* expandedXOut,
                                                  const aclTensor* expandedRowIdxOut,
                                                  const aclTensor* expertTokensCountOrCumsumOutOptional,
                                                  const aclTensor* expertTokensBeforeCapacityOutOptional,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeInitRoutingV2"),
                  {x, expertIdx, activeNumOptional, expertCapacityOptional, expertNumOptional,
                   dropPadModeOptional, expertTokensCountOrCumsumFlagOptional,
                   expertTokensBeforeCapacityFlagOptional, expandedXOut, expandedRowIdxOut,
                   expertTokensCountOrCumsumOutOptional,
                   expertTokensBeforeCapacityOutOptional}, workspaceSize, executor);
}

aclnnStatus aclnnMoeInitRoutingV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeInitRoutingV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeInitRoutingV3GetWorkspaceSize(const aclTensor* x, const aclTensor* expertIdx,
                                                  const aclTensor* scaleOptional,
                                                  const aclTensor* offsetOptional,
                                                  int64_t activeNum, int64_t expertCapacity,
                                                  int64_t expertNum, int64_t dropPadMode,
                                                  int64_t expertTokensNumType,
                                                  bool expertTokensNumFlag, int64_t quantMode,
                                                  const aclIntArray* activeExpertRangeOptional,
                                                  int64_t rowIdxType, const aclTensor* expandedXOut,
                                                  const aclTensor* expandedRowIdxOut,
                                                  const aclTensor* expertTokensCountOrCumsumOut,
                                                  const aclTensor* expandedScaleOut,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeInitRoutingV3"),
                  {x, expertIdx, scaleOptional, offsetOptional, activeNum, expertCapacity,
                   expertNum, dropPadMode, expertTokensNumType, expertTokensNumFlag, quantMode,
                   activeExpertRangeOptional, rowIdxType, expandedXOut, expandedRowIdxOut,
                   expertTokensCountOrCumsumOut, expandedScaleOut}, workspaceSize, executor);
}

aclnnStatus aclnnMoeInitRoutingV3(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeInitRoutingV3").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeInitRoutingQuantGetWorkspaceSize(
    const aclTensor* x, const aclTensor* rowIdx, const aclTensor* expertIdx, int64_t activeNum,
    double scale, double offset, const aclTensor* expandedXOut, const aclTensor* expandedRowIdxOut,
    const aclTensor* expandedExpertIdxOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeInitRoutingQuant"),
                  {x, rowIdx, expertIdx, activeNum, scale, offset, expandedXOut, expandedRowIdxOut,
                   expandedExpertIdxOut}, workspaceSize, executor);
}

aclnnStatus aclnnMoeInitRoutingQuant(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeInitRoutingQuant").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeInitRoutingQuantV2GetWorkspaceSize(
    const aclTensor* x, const aclTensor* expertIdx, const aclTensor* scaleOptional,
    const aclTensor* offsetOptional, int64_t activeNum, int64_t expertCapacity, int64_t expertNum,
    int64_t dropPadMode, int64_t expertTokensCountOrCumsumFlag, bool expertTokensBeforeCapacityFlag,
    int64_t quantMode, const aclTensor* expandedXOut, const aclTensor* expandedRowIdxOut,
    const aclTensor* expertTokensCountOrCumsumOutOptional,
    const aclTensor* expertTokensBeforeCapacityOutOptional,
    const aclTensor* dynamicQuantScaleOutOptional, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeInitRoutingQuantV2"),
                  {x, expertIdx, scaleOptional, offsetOptional, activeNum, expertCapacity,
                   expertNum, dropPadMode, expertTokensCountOrCumsumFlag,
                   expertTokensBeforeCapacityFlag, quantMode, expandedXOut, expandedRowIdxOut,
                   expertTokensCountOrCumsumOutOptional, expertTokensBeforeCapacityOutOptional,
                   dynamicQuantScaleOutOptional}, workspaceSize, executor);
}

aclnnStatus aclnnMoeInitRoutingQuantV2(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeInitRoutingQuantV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeFinalizeRoutingGetWorkspaceSize(
    const aclTensor* expandedX, const aclTensor* x1, const aclTensor* x2Optional,
    const aclTensor* bias, const aclTensor* scales, const aclTensor* expandedRowIdx,
    const aclTensor* expandedExpertIdx, const aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeFinalizeRouting"),
                  {expandedX, x1, x2Optional, bias, scales, expandedRowIdx, expandedExpertIdx,
                   out}, workspaceSize, executor);
}

aclnnStatus aclnnMoeFinalizeRouting(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeFinalizeRouting").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeFinalizeRoutingV2GetWorkspaceSize(
    const aclTensor* expandedX, const aclTensor* expandedRowIdx, const aclTensor* x1Optional,
    const aclTensor* x2Optional, const aclTensor* biasOptional, const aclTensor* scalesOptional,
    const aclTensor* expertIdxOptional, int64_t dropPadMode, const aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeFinalizeRoutingV2"),
                  {expandedX, expandedRowIdx, x1Optional, x2Optional, biasOptional, scalesOptional,
                   expertIdxOptional, dropPadMode, out}, workspaceSize, executor);
}

aclnnStatus aclnnMoeFinalizeRoutingV2(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeFinalizeRoutingV2").op, workspace,
                           workspaceSize, executor, stream);
}

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
}
