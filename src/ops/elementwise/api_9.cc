// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_ascend_quant.h"
#include "aclnnop/aclnn_ascend_quant_v3.h"
#include "aclnnop/aclnn_elu_backward.h"
#include "aclnnop/aclnn_fake_quant_per_channel_affine_cachemask.h"
#include "aclnnop/aclnn_fake_quant_per_tensor_affine_cachemask.h"
#include "aclnnop/aclnn_fill_tensor.h"
#include "aclnnop/aclnn_gelu_backward.h"
#include "aclnnop/aclnn_gelu_backward_v2.h"
#include "aclnnop/aclnn_hardshrink_backward.h"
#include "aclnnop/aclnn_hardsigmoid_backward.h"
#include "aclnnop/aclnn_hardswish_backward.h"
#include "aclnnop/aclnn_hardswish_backward_v2.h"
#include "aclnnop/aclnn_hardtanh_backward.h"
#include "aclnnop/aclnn_heaviside.h"
#include "aclnnop/aclnn_leaky_relu_backward.h"
#include "aclnnop/aclnn_logsigmoid_backward.h"
#include "aclnnop/aclnn_mish_backward.h"
#include "aclnnop/aclnn_prelu_backward.h"
#include "aclnnop/aclnn_quantize.h"
#include "aclnnop/aclnn_selu_backward.h"
#include "aclnnop/aclnn_sigmoid_backward.h"
#include "aclnnop/aclnn_silu_backward.h"
#include "aclnnop/aclnn_softplus_backward.h"
#include "aclnnop/aclnn_softshrink_backward.h"
#include "aclnnop/aclnn_swish_backward.h"
#include "aclnnop/aclnn_tanh_backward.h"
#include "aclnnop/aclnn_threshold_backward.h"
#include "nnop/phases.h"
#include "ops/elementwise/operators.h"

using namespace anyacl;
using anyacl::elementwise::kOperators;

extern "C" {

aclnnStatus aclnnHeavisideGetWorkspaceSize(const aclTensor* input, const aclTensor* values,
                                           aclTensor* out, uint64_t* workspaceSize,
                                           aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnHeaviside"),
                  {input, values, out}, workspaceSize, executor);
}

aclnnStatus aclnnHeaviside(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                           aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnHeaviside").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnThresholdBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclScalar* threshold, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnThresholdBackward"),
                  {gradOutput, self, threshold, out}, workspaceSize, executor);
}

aclnnStatus aclnnThresholdBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnThresholdBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGeluBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,
                                              const aclTensor* gradInput, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGeluBackward"),
                  {gradOutput, self, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnGeluBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGeluBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGeluBackwardV2GetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,
                                                char* approximate, aclTensor* gradInput,
                                                uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGeluBackwardV2"),
                  {gradOutput, self, approximate, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnGeluBackwardV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGeluBackwardV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSiluBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,
                                              aclTensor* gradInput, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSiluBackward"),
                  {gradOutput, self, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnSiluBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSiluBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSwishBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,
                                               const aclScalar* betaOptional, aclTensor* gradInput,
                                               uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSwishBackward"),
                  {gradOutput, self, betaOptional, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnSwishBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSwishBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnTanhBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* output,
                                              aclTensor* gradInput, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnTanhBackward"),
                  {gradOutput, output, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnTanhBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnTanhBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSigmoidBackwardGetWorkspaceSize(const aclTensor* gradOutput,
                                                 const aclTensor* output, aclTensor* gradInput,
                                                 uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSigmoidBackward"),
                  {gradOutput, output, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnSigmoidBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSigmoidBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSoftplusBackwardGetWorkspaceSize(const aclTensor* gradOutput,
                                                  const aclTensor* self, const aclScalar* beta,
                                                  const aclScalar* threshold, aclTensor* gradInput,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSoftplusBackward"),
                  {gradOutput, self, beta, threshold, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnSoftplusBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSoftplusBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLogSigmoidBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* buffer,
    aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLogSigmoidBackward"),
                  {gradOutput, self, buffer, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnLogSigmoidBackward(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLogSigmoidBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLeakyReluBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclScalar* negativeSlope,
    bool selfIsResult, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLeakyReluBackward"),
                  {gradOutput, self, negativeSlope, selfIsResult, out}, workspaceSize, executor);
}

aclnnStatus aclnnLeakyReluBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLeakyReluBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnHardswishBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnHardswishBackward"),
                  {gradOutput, self, out}, workspaceSize, executor);
}

aclnnStatus aclnnHardswishBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnHardswishBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnHardswishBackwardV2GetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnHardswishBackwardV2"),
                  {gradOutput, self, out}, workspaceSize, executor);
}

aclnnStatus aclnnHardswishBackwardV2(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnHardswishBackwardV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnHardsigmoidBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnHardsigmoidBackward"),
                  {gradOutput, self, out}, workspaceSize, executor);
}

aclnnStatus aclnnHardsigmoidBackward(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnHardsigmoidBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnHardtanhBackwardGetWorkspaceSize(const aclTensor* gradOutput,
                                                  const aclTensor* self, const aclScalar* min,
                                                  const aclScalar* max, aclTensor* out,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnHardtanhBackward"),
                  {gradOutput, self, min, max, out}, workspaceSize, executor);
}

aclnnStatus aclnnHardtanhBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnHardtanhBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnEluBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclScalar* alpha,
                                             const aclScalar* scale, const aclScalar* inputScale,
                                             bool isResult, const aclTensor* selfOrResult,
                                             aclTensor* gradInput, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnEluBackward"),
                  {gradOutput, alpha, scale, inputScale, isResult, selfOrResult,
                   gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnEluBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnEluBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSeluBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* result,
                                              aclTensor* gradInput, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSeluBackward"),
                  {gradOutput, result, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnSeluBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSeluBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnHardshrinkBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclScalar* lambd,
    aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnHardshrinkBackward"),
                  {gradOutput, self, lambd, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnHardshrinkBackward(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnHardshrinkBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSoftshrinkBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclScalar* lambda,
    aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSoftshrinkBackward"),
                  {gradOutput, self, lambda, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnSoftshrinkBackward(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSoftshrinkBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnPreluBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,
                                               const aclTensor* weight, aclTensor* gradInput,
                                               aclTensor* gradWeight, uint64_t* workspaceSize,
                                               aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnPreluBackward"),
                  {gradOutput, self, weight, gradInput, gradWeight}, workspaceSize, executor);
}

aclnnStatus aclnnPreluBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnPreluBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMishBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,
                                              aclTensor* gradInput, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMishBackward"),
                  {gradOutput, self, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnMishBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMishBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceFillTensorGetWorkspaceSize(
    aclTensor* selfRef, const aclTensor* value, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceFillTensor"),
                  {selfRef, value}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceFillTensor(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceFillTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnQuantizeGetWorkspaceSize(const aclTensor* x, const aclTensor* scales,
                                          const aclTensor* zeroPoints, aclDataType dtype,
                                          int32_t axis, aclTensor* out, uint64_t* workspaceSize,
                                          aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnQuantize"),
                  {x, scales, zeroPoints, dtype, axis, out}, workspaceSize, executor);
}

aclnnStatus aclnnQuantize(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnQuantize").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAscendQuantGetWorkspaceSize(const aclTensor* x, const aclTensor* scale,
                                             const aclTensor* offset, bool sqrtMode,
                                             const char* roundMode, int32_t dstType,
                                             const aclTensor* y, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAscendQuant"),
                  {x, scale, offset, sqrtMode, roundMode, dstType, y}, workspaceSize, executor);
}

aclnnStatus aclnnAscendQuant(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAscendQuant").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAscendQuantV3GetWorkspaceSize(const aclTensor* x, const aclTensor* scale,
                                               const aclTensor* offset, bool sqrtMode,
                                               const char* roundMode, int32_t dstType, int32_t axis,
                                               const aclTensor* y, uint64_t* workspaceSize,
                                               aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAscendQuantV3"),
                  {x, scale, offset, sqrtMode, roundMode, dstType, axis,
                   y}, workspaceSize, executor);
}

aclnnStatus aclnnAscendQuantV3(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAscendQuantV3").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFakeQuantPerTensorAffineCachemaskGetWorkspaceSize(
    const aclTensor* self, const aclTensor* scale, const aclTensor* zeroPoint,
    float fakeQuantEnabled, int64_t quantMin, int64_t quantMax, aclTensor* out, aclTensor* mask,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFakeQuantPerTensorAffineCachemask"),
                  {self, scale, zeroPoint, fakeQuantEnabled, quantMin, quantMax, out,
                   mask}, workspaceSize, executor);
}

aclnnStatus aclnnFakeQuantPerTensorAffineCachemask(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFakeQuantPerTensorAffineCachemask").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFakeQuantPerChannelAffineCachemaskGetWorkspaceSize(
    const aclTensor* self, const aclTensor* scale, const aclTensor* zeroPoint, int64_t axis,
    int64_t quantMin, int64_t quantMax, aclTensor* out, aclTensor* mask, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFakeQuantPerChannelAffineCachemask"),
                  {self, scale, zeroPoint, axis, quantMin, quantMax, out,
                   mask}, workspaceSize, executor);
}

aclnnStatus aclnnFakeQuantPerChannelAffineCachemask(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFakeQuantPerChannelAffineCachemask").op, workspace,
                           workspaceSize, executor, stream);
}
}
