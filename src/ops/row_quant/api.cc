// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_ascend_anti_quant.h"
#include "aclnnop/aclnn_dequant_bias.h"
#include "aclnnop/aclnn_dynamic_block_quant.h"
#include "aclnnop/aclnn_dynamic_block_quant_v2.h"
#include "aclnnop/aclnn_flat_quant.h"
#include "aclnnop/aclnn_gelu_quant.h"
#include "aclnnop/aclnn_group_quant.h"
#include "aclnnop/aclnn_quantized_batch_norm.h"
#include "aclnnop/aclnn_rotate_quant.h"
#include "nnop/phases.h"
#include "ops/row_quant/operators.h"

using namespace anyacl;
using anyacl::row_quant::kOperators;

extern "C" {

aclnnStatus aclnnFlatQuantGetWorkspaceSize(const aclTensor* x, const aclTensor* kroneckerP1,
                                           const aclTensor* kroneckerP2, double clipRatio,
                                           aclTensor* out, aclTensor* quantScale,
                                           uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFlatQuant"),
                  {x, kroneckerP1, kroneckerP2, clipRatio, out,
                   quantScale}, workspaceSize, executor);
}

aclnnStatus aclnnFlatQuant(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                           aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFlatQuant").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnRotateQuantGetWorkspaceSize(const aclTensor* x, const aclTensor* rotation,
                                             const aclTensor* alpha, int64_t axis, char* roundMode,
                                             int64_t scaleAlg, double dstTypeMax, bool trans,
                                             aclTensor* yOut, aclTensor* scaleOut,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRotateQuant"),
                  {x, rotation, alpha, axis, roundMode, scaleAlg, dstTypeMax, trans, yOut,
                   scaleOut}, workspaceSize, executor);
}

aclnnStatus aclnnRotateQuant(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRotateQuant").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnQuantizedBatchNormGetWorkspaceSize(
    const aclTensor* input, const aclTensor* mean, const aclTensor* var,
    const aclScalar* inputScale, const aclScalar* inputZeroPoint, const aclScalar* outputScale,
    const aclScalar* outputZeroPoint, const aclTensor* weight, const aclTensor* bias, float epsilon,
    aclTensor* output, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnQuantizedBatchNorm"),
                  {input, mean, var, inputScale, inputZeroPoint, outputScale, outputZeroPoint,
                   weight, bias, epsilon, output}, workspaceSize, executor);
}

aclnnStatus aclnnQuantizedBatchNorm(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnQuantizedBatchNorm").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGroupQuantGetWorkspaceSize(const aclTensor* x, const aclTensor* scale,
                                            const aclTensor* groupIndex,
                                            const aclTensor* offsetOptional, int32_t dstType,
                                            aclTensor* y, uint64_t* workspaceSize,
                                            aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGroupQuant"),
                  {x, scale, groupIndex, offsetOptional, dstType, y}, workspaceSize, executor);
}

aclnnStatus aclnnGroupQuant(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGroupQuant").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnDequantBiasGetWorkspaceSize(const aclTensor* x, const aclTensor* weightScale,
                                             const aclTensor* activateScaleOptional,
                                             const aclTensor* biasOptional, int64_t outputDtype,
                                             const aclTensor* out, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnDequantBias"),
                  {x, weightScale, activateScaleOptional, biasOptional, outputDtype,
                   out}, workspaceSize, executor);
}

aclnnStatus aclnnDequantBias(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnDequantBias").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAscendAntiQuantGetWorkspaceSize(const aclTensor* x, const aclTensor* scale,
                                                 const aclTensor* offset, int64_t dstType,
                                                 bool sqrtMode, const aclTensor* y,
                                                 uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAscendAntiQuant"),
                  {x, scale, offset, dstType, sqrtMode, y}, workspaceSize, executor);
}

aclnnStatus aclnnAscendAntiQuant(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAscendAntiQuant").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGeluQuantGetWorkspaceSize(const aclTensor* self,
                                           const aclTensor* inputScaleOptional,
                                           const aclTensor* inputOffsetOptional,
                                           const char* approximate, const char* quantMode,
                                           const char* roundMode, int64_t dstType,
                                           const aclTensor* y, const aclTensor* outScaleOptional,
                                           uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGeluQuant"),
                  {self, inputScaleOptional, inputOffsetOptional, approximate, quantMode, roundMode,
                   dstType, y, outScaleOptional}, workspaceSize, executor);
}

aclnnStatus aclnnGeluQuant(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                           aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGeluQuant").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnDynamicBlockQuantGetWorkspaceSize(
    const aclTensor* x, double minScale, char* roundModeOptional, int64_t dstType,
    int64_t rowBlockSize, int64_t colBlockSize, const aclTensor* yOut, const aclTensor* scaleOut,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnDynamicBlockQuant"),
                  {x, minScale, roundModeOptional, dstType, rowBlockSize, colBlockSize, yOut,
                   scaleOut}, workspaceSize, executor);
}

aclnnStatus aclnnDynamicBlockQuant(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnDynamicBlockQuant").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnDynamicBlockQuantV2GetWorkspaceSize(
    const aclTensor* x, double minScale, char* roundModeOptional, int64_t dstType,
    int64_t rowBlockSize, int64_t colBlockSize, double dstTypeMax, const aclTensor* yOut,
    const aclTensor* scaleOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnDynamicBlockQuantV2"),
                  {x, minScale, roundModeOptional, dstType, rowBlockSize, colBlockSize, dstTypeMax,
                   yOut, scaleOut}, workspaceSize, executor);
}

aclnnStatus aclnnDynamicBlockQuantV2(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnDynamicBlockQuantV2").op, workspace,
                           workspaceSize, executor, stream);
}
}
