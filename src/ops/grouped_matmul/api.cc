// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_grouped_matmul_swiglu_quant.h"
#include "aclnnop/aclnn_grouped_matmul_swiglu_quant_v2.h"
#include "aclnnop/aclnn_grouped_matmul_swiglu_quant_weight_nz.h"
#include "aclnnop/aclnn_grouped_matmul_swiglu_quant_weight_nz_v2.h"
#include "nnop/phases.h"
#include "ops/grouped_matmul/operators.h"

using namespace anyacl;
using anyacl::grouped_matmul::kOperators;

extern "C" {

aclnnStatus aclnnGroupedMatmulSwigluQuantGetWorkspaceSize(
    const aclTensor* x, const aclTensor* weight, const aclTensor* bias, const aclTensor* offset,
    const aclTensor* weightScale, const aclTensor* xScale, const aclTensor* groupList,
    aclTensor* output, aclTensor* outputScale, aclTensor* outputOffset, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGroupedMatmulSwigluQuant"),
                  {x, weight, bias, offset, weightScale, xScale, groupList, output, outputScale,
                   outputOffset}, workspaceSize, executor);
}

aclnnStatus aclnnGroupedMatmulSwigluQuant(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGroupedMatmulSwigluQuant").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGroupedMatmulSwigluQuantWeightNZGetWorkspaceSize(
    const aclTensor* x, const aclTensor* weight, const aclTensor* bias, const aclTensor* offset,
    const aclTensor* weightScale, const aclTensor* xScale, const aclTensor* groupList,
    aclTensor* output, aclTensor* outputScale, aclTensor* outputOffset, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGroupedMatmulSwigluQuantWeightNZ"),
                  {x, weight, bias, offset, weightScale, xScale, groupList, output, outputScale,
                   outputOffset}, workspaceSize, executor);
}

aclnnStatus aclnnGroupedMatmulSwigluQuantWeightNZ(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGroupedMatmulSwigluQuantWeightNZ").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGroupedMatmulSwigluQuantV2GetWorkspaceSize(
    const aclTensor* x, const aclTensorList* weight, const aclTensorList* weightScale,
    const aclTensorList* weightAssistMatrix, const aclTensor* bias, const aclTensor* xScale,
    const aclTensor* smoothScale, const aclTensor* groupList, int64_t dequantMode,
    int64_t dequantDtype, int64_t quantMode, int64_t groupListType,
    const aclIntArray* tuningConfigOptional, aclTensor* output, aclTensor* outputScale,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGroupedMatmulSwigluQuantV2"),
                  {x, weight, weightScale, weightAssistMatrix, bias, xScale, smoothScale, groupList,
                   dequantMode, dequantDtype, quantMode, groupListType, tuningConfigOptional,
                   output, outputScale}, workspaceSize, executor);
}

aclnnStatus aclnnGroupedMatmulSwigluQuantV2(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGroupedMatmulSwigluQuantV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGroupedMatmulSwigluQuantWeightNzV2GetWorkspaceSize(
    const aclTensor* x, const aclTensorList* weight, const aclTensorList* weightScale,
    const aclTensorList* weightAssistMatrix, const aclTensor* bias, const aclTensor* xScale,
    const aclTensor* smoothScale, const aclTensor* groupList, int64_t dequantMode,
    int64_t dequantDtype, int64_t quantMode, int64_t groupListType,
    const aclIntArray* tuningConfigOptional, aclTensor* output, aclTensor* outputScale,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGroupedMatmulSwigluQuantWeightNzV2"),
                  {x, weight, weightScale, weightAssistMatrix, bias, xScale, smoothScale, groupList,
                   dequantMode, dequantDtype, quantMode, groupListType, tuningConfigOptional,
                   output, outputScale}, workspaceSize, executor);
}

aclnnStatus aclnnGroupedMatmulSwigluQuantWeightNzV2(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGroupedMatmulSwigluQuantWeightNzV2").op, workspace,
                           workspaceSize, executor, stream);
}
}
