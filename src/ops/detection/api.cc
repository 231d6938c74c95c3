// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_deformable_conv2d.h"
#include "aclnnop/aclnn_iou.h"
#include "aclnnop/aclnn_multi_scale_deformable_attention_grad.h"
#include "aclnnop/aclnn_multi_scale_deformable_attn_function.h"
#include "aclnnop/aclnn_roi_align.h"
#include "aclnnop/aclnn_roi_align_v2.h"
#include "aclnnop/aclnn_roi_align_v2_backward.h"
#include "nnop/phases.h"
#include "ops/detection/operators.h"

using namespace anyacl;
using anyacl::detection::kOperators;

extern "C" {

aclnnStatus aclnnIouGetWorkspaceSize(const aclTensor* bBoxes, const aclTensor* gtBoxes,
                                     const char* mode, float eps, bool aligned, aclTensor* overlap,
                                     uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnIou"),
                  {bBoxes, gtBoxes, mode, eps, aligned, overlap}, workspaceSize, executor);
}

aclnnStatus aclnnIou(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                     aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnIou").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnRoiAlignGetWorkspaceSize(const aclTensor* self, const aclTensor* rois,
                                          const aclTensor* batchIndices, const char* mode,
                                          int32_t outputHeight, int32_t outputWidth,
                                          int32_t samplingRatio, float spatialScale, aclTensor* out,
                                          uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRoiAlign"),
                  {self, rois, batchIndices, mode, outputHeight, outputWidth, samplingRatio,
                   spatialScale, out}, workspaceSize, executor);
}

aclnnStatus aclnnRoiAlign(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRoiAlign").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnRoiAlignV2GetWorkspaceSize(const aclTensor* self, const aclTensor* boxes,
                                            int64_t pooledHeight, int64_t pooledWidth,
                                            float spatialScale, int64_t samplingRatio, bool aligned,
                                            aclTensor* out, uint64_t* workspaceSize,
                                            aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRoiAlignV2"),
                  {self, boxes, pooledHeight, pooledWidth, spatialScale, samplingRatio, aligned,
                   out}, workspaceSize, executor);
}

aclnnStatus aclnnRoiAlignV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRoiAlignV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnRoiAlignV2BackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* boxes, const aclIntArray* inputShape,
    int64_t pooledHeight, int64_t pooledWidth, float spatialScale, int64_t samplingRatio,
    bool aligned, aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRoiAlignV2Backward"),
                  {gradOutput, boxes, inputShape, pooledHeight, pooledWidth, spatialScale,
                   samplingRatio, aligned, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnRoiAlignV2Backward(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRoiAlignV2Backward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMultiScaleDeformableAttnFunctionGetWorkspaceSize(
    const aclTensor* value, const aclTensor* spatialShape, const aclTensor* levelStartIndex,
    const aclTensor* location, const aclTensor* attnWeight, aclTensor* output,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMultiScaleDeformableAttnFunction"),
                  {value, spatialShape, levelStartIndex, location, attnWeight,
                   output}, workspaceSize, executor);
}

aclnnStatus aclnnMultiScaleDeformableAttnFunction(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMultiScaleDeformableAttnFunction").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMultiScaleDeformableAttentionGradGetWorkspaceSize(
    const aclTensor* value, const aclTensor* spatialShape, const aclTensor* levelStartIndex,
    const aclTensor* location, const aclTensor* attnWeight, const aclTensor* gradOutput,
    aclTensor* gradValue, aclTensor* gradLocation, aclTensor* gradAttnWeight,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMultiScaleDeformableAttentionGrad"),
                  {value, spatialShape, levelStartIndex, location, attnWeight, gradOutput,
                   gradValue, gradLocation, gradAttnWeight}, workspaceSize, executor);
}

aclnnStatus aclnnMultiScaleDeformableAttentionGrad(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMultiScaleDeformableAttentionGrad").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnDeformableConv2dGetWorkspaceSize(const aclTensor* x, const aclTensor* weight,
                                                  const aclTensor* offset,
                                                  const aclTensor* biasOptional,
                                                  const aclIntArray* kernelSize,
                                                  const aclIntArray* stride,
                                                  const aclIntArray* padding,
                                                  const aclIntArray* dilation, int64_t groups,
                                                  int64_t deformableGroups, bool modulated,
                                                  aclTensor* out, aclTensor* deformOutOptional,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnDeformableConv2d"),
                  {x, weight, offset, biasOptional, kernelSize, stride, padding, dilation, groups,
                   deformableGroups, modulated, out, deformOutOptional}, workspaceSize, executor);
}

aclnnStatus aclnnDeformableConv2d(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnDeformableConv2d").op, workspace,
                           workspaceSize, executor, stream);
}
}
