// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_moe_distribute_combine.h"
#include "aclnnop/aclnn_moe_distribute_combine_add_rms_norm.h"
#include "aclnnop/aclnn_moe_distribute_combine_add_rms_norm_v2.h"
#include "aclnnop/aclnn_moe_distribute_combine_v2.h"
#include "aclnnop/aclnn_moe_distribute_combine_v3.h"
#include "aclnnop/aclnn_moe_distribute_combine_v4.h"
#include "aclnnop/aclnn_moe_distribute_dispatch.h"
#include "aclnnop/aclnn_moe_distribute_dispatch_v2.h"
#include "aclnnop/aclnn_moe_distribute_dispatch_v3.h"
#include "aclnnop/aclnn_moe_distribute_dispatch_v4.h"
#include "nnop/phases.h"
#include "ops/moe_distribute/operators.h"

using namespace anyacl;
using anyacl::moe_distribute::kOperators;

extern "C" {

aclnnStatus aclnnMoeDistributeDispatchGetWorkspaceSize(
    const aclTensor* x, const aclTensor* expertIds, const aclTensor* scales,
    const aclTensor* xActiveMask, const aclTensor* expertScales, const char* groupEp,
    int64_t epWorldSize, int64_t epRankId, int64_t moeExpertNum, const char* groupTp,
    int64_t tpWorldSize, int64_t tpRankId, int64_t expertShardType, int64_t sharedExpertNum,
    int64_t sharedExpertRankNum, int64_t quantMode, int64_t globalBS, int64_t expertTokenNumsType,
    aclTensor* expandX, aclTensor* dynamicScales, aclTensor* expandIdx, aclTensor* expertTokenNums,
    aclTensor* epRecvCounts, aclTensor* tpRecvCounts, aclTensor* expandScales,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeDistributeDispatch"),
                  {x, expertIds, scales, xActiveMask, expertScales, groupEp, epWorldSize, epRankId,
                   moeExpertNum, groupTp, tpWorldSize, tpRankId, expertShardType, sharedExpertNum,
                   sharedExpertRankNum, quantMode, globalBS, expertTokenNumsType, expandX,
                   dynamicScales, expandIdx, expertTokenNums, epRecvCounts, tpRecvCounts,
                   expandScales}, workspaceSize, executor);
}

aclnnStatus aclnnMoeDistributeDispatch(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeDistributeDispatch").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeDistributeCombineGetWorkspaceSize(
    const aclTensor* expandX, const aclTensor* expertIds, const aclTensor* expandIdx,
    const aclTensor* epSendCounts, const aclTensor* expertScales, const aclTensor* tpSendCounts,
    const aclTensor* xActiveMask, const aclTensor* activationScale, const aclTensor* weightScale,
    const aclTensor* groupList, const aclTensor* expandScales, const char* groupEp,
    int64_t epWorldSize, int64_t epRankId, int64_t moeExpertNum, const char* groupTp,
    int64_t tpWorldSize, int64_t tpRankId, int64_t expertShardType, int64_t sharedExpertNum,
    int64_t sharedExpertRankNum, int64_t globalBS, int64_t outDtype, int64_t commQuantMode,
    int64_t groupListType, aclTensor* x, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeDistributeCombine"),
                  {expandX, expertIds, expandIdx, epSendCounts, expertScales, tpSendCounts,
                   xActiveMask, activationScale, weightScale, groupList, expandScales, groupEp,
                   epWorldSize, epRankId, moeExpertNum, groupTp, tpWorldSize, tpRankId,
                   expertShardType, sharedExpertNum, sharedExpertRankNum, globalBS, outDtype,
                   commQuantMode, groupListType, x}, workspaceSize, executor);
}

aclnnStatus aclnnMoeDistributeCombine(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeDistributeCombine").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeDistributeDispatchV2GetWorkspaceSize(
    const aclTensor* x, const aclTensor* expertIds, const aclTensor* scalesOptional,
    const aclTensor* xActiveMaskOptional, const aclTensor* expertScalesOptional,
    const char* groupEp, int64_t epWorldSize, int64_t epRankId, int64_t moeExpertNum,
    const char* groupTp, int64_t tpWorldSize, int64_t tpRankId, int64_t expertShardType,
    int64_t sharedExpertNum, int64_t sharedExpertRankNum, int64_t quantMode, int64_t globalBs,
    int64_t expertTokenNumsType, const char* commAlg, aclTensor* expandXOut,
    aclTensor* dynamicScalesOut, aclTensor* assistInfoForCombineOut, aclTensor* expertTokenNumsOut,
    aclTensor* epRecvCountsOut, aclTensor* tpRecvCountsOut, aclTensor* expandScalesOut,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeDistributeDispatchV2"),
                  {x, expertIds, scalesOptional, xActiveMaskOptional, expertScalesOptional, groupEp,
                   epWorldSize, epRankId, moeExpertNum, groupTp, tpWorldSize, tpRankId,
                   expertShardType, sharedExpertNum, sharedExpertRankNum, quantMode, globalBs,
                   expertTokenNumsType, commAlg, expandXOut, dynamicScalesOut,
                   assistInfoForCombineOut, expertTokenNumsOut, epRecvCountsOut, tpRecvCountsOut,
                   expandScalesOut}, workspaceSize, executor);
}

aclnnStatus aclnnMoeDistributeDispatchV2(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeDistributeDispatchV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeDistributeCombineV2GetWorkspaceSize(
    const aclTensor* expandX, const aclTensor* expertIds, const aclTensor* assistInfoForCombine,
    const aclTensor* epSendCounts, const aclTensor* expertScales,
    const aclTensor* tpSendCountsOptional, const aclTensor* xActiveMaskOptional,
    const aclTensor* activationScaleOptional, const aclTensor* weightScaleOptional,
    const aclTensor* groupListOptional, const aclTensor* expandScalesOptional,
    const aclTensor* sharedExpertXOptional, const char* groupEp, int64_t epWorldSize,
    int64_t epRankId, int64_t moeExpertNum, const char* groupTp, int64_t tpWorldSize,
    int64_t tpRankId, int64_t expertShardType, int64_t sharedExpertNum, int64_t sharedExpertRankNum,
    int64_t globalBs, int64_t outDtype, int64_t commQuantMode, int64_t groupListType,
    const char* commAlg, aclTensor* xOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeDistributeCombineV2"),
                  {expandX, expertIds, assistInfoForCombine, epSendCounts, expertScales,
                   tpSendCountsOptional, xActiveMaskOptional, activationScaleOptional,
                   weightScaleOptional, groupListOptional, expandScalesOptional,
                   sharedExpertXOptional, groupEp, epWorldSize, epRankId, moeExpertNum, groupTp,
                   tpWorldSize, tpRankId, expertShardType, sharedExpertNum, sharedExpertRankNum,
                   globalBs, outDtype, commQuantMode, groupListType, commAlg,
                   xOut}, workspaceSize, executor);
}

aclnnStatus aclnnMoeDistributeCombineV2(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeDistributeCombineV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeDistributeCombineAddRmsNormGetWorkspaceSize(
    const aclTensor* expandX, const aclTensor* expertIds, const aclTensor* assistInfoForCombine,
    const aclTensor* epSendCounts, const aclTensor* expertScales, const aclTensor* residualX,
    const aclTensor* gamma, const aclTensor* tpSendCountsOptional,
    const aclTensor* xActiveMaskOptional, const aclTensor* activationScaleOptional,
    const aclTensor* weightScaleOptional, const aclTensor* groupListOptional,
    const aclTensor* expandScalesOptional, const aclTensor* sharedExpertXOptional,
    const char* groupEp, int64_t epWorldSize, int64_t epRankId, int64_t moeExpertNum,
    const char* groupTp, int64_t tpWorldSize, int64_t tpRankId, int64_t expertShardType,
    int64_t sharedExpertNum, int64_t sharedExpertRankNum, int64_t globalBS, int64_t outDtype,
    int64_t commQuantMode, int64_t groupListType, const char* commAlg, float normEps,
    aclTensor* yOut, aclTensor* rstdOut, aclTensor* xOut, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeDistributeCombineAddRmsNorm"),
                  {expandX, expertIds, assistInfoForCombine, epSendCounts, expertScales, residualX,
                   gamma, tpSendCountsOptional, xActiveMaskOptional, activationScaleOptional,
                   weightScaleOptional, groupListOptional, expandScalesOptional,
                   sharedExpertXOptional, groupEp, epWorldSize, epRankId, moeExpertNum, groupTp,
                   tpWorldSize, tpRankId, expertShardType, sharedExpertNum, sharedExpertRankNum,
                   globalBS, outDtype, commQuantMode, groupListType, commAlg, normEps, yOut,
                   rstdOut, xOut}, workspaceSize, executor);
}

aclnnStatus aclnnMoeDistributeCombineAddRmsNorm(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeDistributeCombineAddRmsNorm").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeDistributeDispatchV3GetWorkspaceSize(
    const aclTensor* x, const aclTensor* expertIds, const aclTensor* scalesOptional,
    const aclTensor* xActiveMaskOptional, const aclTensor* expertScalesOptional,
    const aclTensor* elasticInfoOptional, const char* groupEp, int64_t epWorldSize,
    int64_t epRankId, int64_t moeExpertNum, const char* groupTp, int64_t tpWorldSize,
    int64_t tpRankId, int64_t expertShardType, int64_t sharedExpertNum, int64_t sharedExpertRankNum,
    int64_t quantMode, int64_t globalBs, int64_t expertTokenNumsType, const char* commAlg,
    int64_t zeroExpertNum, int64_t copyExpertNum, int64_t constExpertNum, aclTensor* expandXOut,
    aclTensor* dynamicScalesOut, aclTensor* assistInfoForCombineOut, aclTensor* expertTokenNumsOut,
    aclTensor* epRecvCountsOut, aclTensor* tpRecvCountsOut, aclTensor* expandScalesOut,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeDistributeDispatchV3"),
                  {x, expertIds, scalesOptional, xActiveMaskOptional, expertScalesOptional,
                   elasticInfoOptional, groupEp, epWorldSize, epRankId, moeExpertNum, groupTp,
                   tpWorldSize, tpRankId, expertShardType, sharedExpertNum, sharedExpertRankNum,
                   quantMode, globalBs, expertTokenNumsType, commAlg, zeroExpertNum, copyExpertNum,
                   constExpertNum, expandXOut, dynamicScalesOut, assistInfoForCombineOut,
                   expertTokenNumsOut, epRecvCountsOut, tpRecvCountsOut,
                   expandScalesOut}, workspaceSize, executor);
}

aclnnStatus aclnnMoeDistributeDispatchV3(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeDistributeDispatchV3").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeDistributeCombineV3GetWorkspaceSize(
    const aclTensor* expandX, const aclTensor* expertIds, const aclTensor* assistInfoForCombine,
    const aclTensor* epSendCounts, const aclTensor* expertScales,
    const aclTensor* tpSendCountsOptional, const aclTensor* xActiveMaskOptional,
    const aclTensor* activationScaleOptional, const aclTensor* weightScaleOptional,
    const aclTensor* groupListOptional, const aclTensor* expandScalesOptional,
    const aclTensor* sharedExpertXOptional, const aclTensor* elasticInfoOptional,
    const aclTensor* oriXOptional, const aclTensor* constExpertAlpha1Optional,
    const aclTensor* constExpertAlpha2Optional, const aclTensor* constExpertVOptional,
    const char* groupEp, int64_t epWorldSize, int64_t epRankId, int64_t moeExpertNum,
    const char* groupTp, int64_t tpWorldSize, int64_t tpRankId, int64_t expertShardType,
    int64_t sharedExpertNum, int64_t sharedExpertRankNum, int64_t globalBs, int64_t outDtype,
    int64_t commQuantMode, int64_t groupListType, const char* commAlg, int64_t zeroExpertNum,
    int64_t copyExpertNum, int64_t constExpertNum, aclTensor* xOut, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeDistributeCombineV3"),
                  {expandX, expertIds, assistInfoForCombine, epSendCounts, expertScales,
                   tpSendCountsOptional, xActiveMaskOptional, activationScaleOptional,
                   weightScaleOptional, groupListOptional, expandScalesOptional,
                   sharedExpertXOptional, elasticInfoOptional, oriXOptional,
                   constExpertAlpha1Optional, constExpertAlpha2Optional, constExpertVOptional,
                   groupEp, epWorldSize, epRankId, moeExpertNum, groupTp, tpWorldSize, tpRankId,
                   expertShardType, sharedExpertNum, sharedExpertRankNum, globalBs, outDtype,
                   commQuantMode, groupListType, commAlg, zeroExpertNum, copyExpertNum,
                   constExpertNum, xOut}, workspaceSize, executor);
}

aclnnStatus aclnnMoeDistributeCombineV3(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeDistributeCombineV3").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeDistributeCombineAddRmsNormV2GetWorkspaceSize(
    const aclTensor* expandX, const aclTensor* expertIds, const aclTensor* assistInfoForCombine,
    const aclTensor* epSendCounts, const aclTensor* expertScales, const aclTensor* residualX,
    const aclTensor* gamma, const aclTensor* tpSendCountsOptional,
    const aclTensor* xActiveMaskOptional, const aclTensor* activationScaleOptional,
    const aclTensor* weightScaleOptional, const aclTensor* groupListOptional,
    const aclTensor* expandScalesOptional, const aclTensor* sharedExpertXOptional,
    const aclTensor* elasticInfoOptional, const aclTensor* oriXOptional,
    const aclTensor* constExpertAlpha1Optional, const aclTensor* constExpertAlpha2Optional,
    const aclTensor* constExpertVOptional, const char* groupEp, int64_t epWorldSize,
    int64_t epRankId, int64_t moeExpertNum, const char* groupTp, int64_t tpWorldSize,
    int64_t tpRankId, int64_t expertShardType, int64_t sharedExpertNum, int64_t sharedExpertRankNum,
    int64_t globalBS, int64_t outDtype, int64_t commQuantMode, int64_t groupListType,
    const char* commAlg, float normEps, int64_t zeroExpertNum, int64_t copyExpertNum,
    int64_t constExpertNum, aclTensor* yOut, aclTensor* rstdOut, aclTensor* xOut,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeDistributeCombineAddRmsNormV2"),
                  {expandX, expertIds, assistInfoForCombine, epSendCounts, expertScales, residualX,
                   gamma, tpSendCountsOptional, xActiveMaskOptional, activationScaleOptional,
                   weightScaleOptional, groupListOptional, expandScalesOptional,
                   sharedExpertXOptional, elasticInfoOptional, oriXOptional,
                   constExpertAlpha1Optional, constExpertAlpha2Optional, constExpertVOptional,
                   groupEp, epWorldSize, epRankId, moeExpertNum, groupTp, tpWorldSize, tpRankId,
                   expertShardType, sharedExpertNum, sharedExpertRankNum, globalBS, outDtype,
                   commQuantMode, groupListType, commAlg, normEps, zeroExpertNum, copyExpertNum,
                   constExpertNum, yOut, rstdOut, xOut}, workspaceSize, executor);
}

aclnnStatus aclnnMoeDistributeCombineAddRmsNormV2(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeDistributeCombineAddRmsNormV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeDistributeDispatchV4GetWorkspaceSize(
    const aclTensor* x, const aclTensor* expertIds, const aclTensor* scalesOptional,
    const aclTensor* xActiveMaskOptional, const aclTensor* expertScalesOptional,
    const aclTensor* elasticInfoOptional, const aclTensor* performanceInfoOptional,
    const char* groupEp, int64_t epWorldSize, int64_t epRankId, int64_t moeExpertNum,
    const char* groupTp, int64_t tpWorldSize, int64_t tpRankId, int64_t expertShardType,
    int64_t sharedExpertNum, int64_t sharedExpertRankNum, int64_t quantMode, int64_t globalBs,
    int64_t expertTokenNumsType, const char* commAlg, int64_t zeroExpertNum, int64_t copyExpertNum,
    int64_t constExpertNum, aclTensor* expandXOut, aclTensor* dynamicScalesOut,
    aclTensor* assistInfoForCombineOut, aclTensor* expertTokenNumsOut, aclTensor* epRecvCountsOut,
    aclTensor* tpRecvCountsOut, aclTensor* expandScalesOut, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeDistributeDispatchV4"),
                  {x, expertIds, scalesOptional, xActiveMaskOptional, expertScalesOptional,
                   elasticInfoOptional, performanceInfoOptional, groupEp, epWorldSize, epRankId,
                   moeExpertNum, groupTp, tpWorldSize, tpRankId, expertShardType, sharedExpertNum,
                   sharedExpertRankNum, quantMode, globalBs, expertTokenNumsType, commAlg,
                   zeroExpertNum, copyExpertNum, constExpertNum, expandXOut, dynamicScalesOut,
                   assistInfoForCombineOut, expertTokenNumsOut, epRecvCountsOut, tpRecvCountsOut,
                   expandScalesOut}, workspaceSize, executor);
}

aclnnStatus aclnnMoeDistributeDispatchV4(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeDistributeDispatchV4").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMoeDistributeCombineV4GetWorkspaceSize(
    const aclTensor* expandX, const aclTensor* expertIds, const aclTensor* assistInfoForCombine,
    const aclTensor* epSendCounts, const aclTensor* expertScales,
    const aclTensor* tpSendCountsOptional, const aclTensor* xActiveMaskOptional,
    const aclTensor* activationScaleOptional, const aclTensor* weightScaleOptional,
    const aclTensor* groupListOptional, const aclTensor* expandScalesOptional,
    const aclTensor* sharedExpertXOptional, const aclTensor* elasticInfoOptional,
    const aclTensor* oriXOptional, const aclTensor* constExpertAlpha1Optional,
    const aclTensor* constExpertAlpha2Optional, const aclTensor* constExpertVOptional,
    const aclTensor* performanceInfoOptional, const char* groupEp, int64_t epWorldSize,
    int64_t epRankId, int64_t moeExpertNum, const char* groupTp, int64_t tpWorldSize,
    int64_t tpRankId, int64_t expertShardType, int64_t sharedExpertNum, int64_t sharedExpertRankNum,
    int64_t globalBs, int64_t outDtype, int64_t commQuantMode, int64_t groupListType,
    const char* commAlg, int64_t zeroExpertNum, int64_t copyExpertNum, int64_t constExpertNum,
    aclTensor* xOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMoeDistributeCombineV4"),
                  {expandX, expertIds, assistInfoForCombine, epSendCounts, expertScales,
                   tpSendCountsOptional, xActiveMaskOptional, activationScaleOptional,
                   weightScaleOptional, groupListOptional, expandScalesOptional,
                   sharedExpertXOptional, elasticInfoOptional, oriXOptional,
                   constExpertAlpha1Optional, constExpertAlpha2Optional, constExpertVOptional,
                   performanceInfoOptional, groupEp, epWorldSize, epRankId, moeExpertNum, groupTp,
                   tpWorldSize, tpRankId, expertShardType, sharedExpertNum, sharedExpertRankNum,
                   globalBs, outDtype, commQuantMode, groupListType, commAlg, zeroExpertNum,
                   copyExpertNum, constExpertNum, xOut}, workspaceSize, executor);
}

aclnnStatus aclnnMoeDistributeCombineV4(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMoeDistributeCombineV4").op, workspace,
                           workspaceSize, executor, stream);
}
}
