// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_dequant_swiglu_quant.h"
#include "aclnnop/aclnn_dequant_swiglu_quant_v2.h"
#include "aclnnop/aclnn_swi_glu_quant.h"
#include "aclnnop/aclnn_swi_glu_quant_v2.h"
#include "nnop/phases.h"
#include "ops/swiglu_quant/operators.h"

using namespace anyacl;
using anyacl::swiglu_quant::kOperators;

extern "C" {

aclnnStatus aclnnDequantSwigluQuantGetWorkspaceSize(
    const aclTensor* x, const aclTensor* weightScaleOptional,
    const aclTensor* activationScaleOptional, const aclTensor* biasOptional,
    const aclTensor* quantScaleOptional, const aclTensor* quantOffsetOptional,
    const aclTensor* groupIndexOptional, bool activateLeft, char* quantModeOptional,
    const aclTensor* yOut, const aclTensor* scaleOut, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnDequantSwigluQuant"),
                  {x, weightScaleOptional, activationScaleOptional, biasOptional,
                   quantScaleOptional, quantOffsetOptional, groupIndexOptional, activateLeft,
                   quantModeOptional, yOut, scaleOut}, workspaceSize, executor);
}

aclnnStatus aclnnDequantSwigluQuant(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnDequantSwigluQuant").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnDequantSwigluQuantV2GetWorkspaceSize(
    const aclTensor* x, const aclTensor* weightScaleOptional,
    const aclTensor* activationScaleOptional, const aclTensor* biasOptional,
    const aclTensor* quantScaleOptional, const aclTensor* quantOffsetOptional,
    const aclTensor* groupIndexOptional, bool activateLeft, char* quantModeOptional,
    int64_t dstType, char* roundModeOptional, int64_t activateDim, int64_t swigluMode,
    double clampLimit, double gluAlpha, double gluBias, const aclTensor* yOut,
    const aclTensor* scaleOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnDequantSwigluQuantV2"),
                  {x, weightScaleOptional, activationScaleOptional, biasOptional,
                   quantScaleOptional, quantOffsetOptional, groupIndexOptional, activateLeft,
                   quantModeOptional, dstType, roundModeOptional, activateDim, swigluMode,
                   clampLimit, gluAlpha, gluBias, yOut, scaleOut}, workspaceSize, executor);
}

aclnnStatus aclnnDequantSwigluQuantV2(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnDequantSwigluQuantV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSwiGluQuantGetWorkspaceSize(const aclTensor* x,
                                             const aclTensor* smoothScalesOptional,
                                             const aclTensor* offsetsOptional,
                                             const aclTensor* groupIndexOptional, bool activateLeft,
                                             char* quantModeOptional, const aclTensor* yOut,
                                             const aclTensor* scaleOut, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSwiGluQuant"),
                  {x, smoothScalesOptional, offsetsOptional, groupIndexOptional, activateLeft,
                   quantModeOptional, yOut, scaleOut}, workspaceSize, executor);
}

aclnnStatus aclnnSwiGluQuant(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSwiGluQuant").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSwiGluQuantV2GetWorkspaceSize(const aclTensor* x,
                                               const aclTensor* smoothScalesOptional,
                                               const aclTensor* offsetsOptional,
                                               const aclTensor* groupIndexOptional,
                                               bool activateLeft, char* quantModeOptional,
                                               int64_t groupListType, int64_t dstType,
                                               const aclTensor* yOut, const aclTensor* scaleOut,
                                               uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSwiGluQuantV2"),
                  {x, smoothScalesOptional, offsetsOptional, groupIndexOptional, activateLeft,
                   quantModeOptional, groupListType, dstType, yOut,
                   scaleOut}, workspaceSize, executor);
}

aclnnStatus aclnnSwiGluQuantV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSwiGluQuantV2").op, workspace,
                           workspaceSize, executor, stream);
}
}
