// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_add_layer_norm_grad.h"
#include "aclnnop/aclnn_add_rms_norm.h"
#include "aclnnop/aclnn_deep_norm_grad.h"
#include "aclnnop/aclnn_gemma_rms_norm.h"
#include "aclnnop/aclnn_inplace_add_rms_norm.h"
#include "aclnnop/aclnn_layer_norm.h"
#include "aclnnop/aclnn_layer_norm_backward.h"
#include "aclnnop/aclnn_logsoftmax.h"
#include "aclnnop/aclnn_logsoftmax_backward.h"
#include "aclnnop/aclnn_masked_softmax_with_rel_pos_bias.h"
#include "aclnnop/aclnn_rms_norm.h"
#include "aclnnop/aclnn_rms_norm_grad.h"
#include "aclnnop/aclnn_scaled_masked_softmax.h"
#include "aclnnop/aclnn_scaled_masked_softmax_backward.h"
#include "aclnnop/aclnn_softmax.h"
#include "aclnnop/aclnn_softmax_backward.h"
#include "aclnnop/aclnn_softmax_cross_entropy_with_logits.h"
#include "aclnnop/aclnn_swi_glu.h"
#include "nnop/phases.h"
#include "ops/rowwise/operators.h"

using namespace anyacl;
using anyacl::rowwise::kOperators;

extern "C" {

aclnnStatus aclnnSoftmaxGetWorkspaceSize(const aclTensor* self, int64_t dim, aclTensor* out,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSoftmax"),
                  {self, dim, out}, workspaceSize, executor);
}

aclnnStatus aclnnSoftmax(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSoftmax").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLogSoftmaxGetWorkspaceSize(const aclTensor* self, int64_t dim, aclTensor* out,
                                            uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLogSoftmax"),
                  {self, dim, out}, workspaceSize, executor);
}

aclnnStatus aclnnLogSoftmax(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLogSoftmax").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSoftmaxBackwardGetWorkspaceSize(const aclTensor* gradOutput,
                                                 const aclTensor* output, int64_t dim,
                                                 aclTensor* out, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSoftmaxBackward"),
                  {gradOutput, output, dim, out}, workspaceSize, executor);
}

aclnnStatus aclnnSoftmaxBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSoftmaxBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLogSoftmaxBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* output, int64_t dim, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLogSoftmaxBackward"),
                  {gradOutput, output, dim, out}, workspaceSize, executor);
}

aclnnStatus aclnnLogSoftmaxBackward(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLogSoftmaxBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMaskedSoftmaxWithRelPosBiasGetWorkspaceSize(
    const aclTensor* x, const aclTensor* attenMaskOptional, const aclTensor* relativePosBias,
    double scaleValue, int64_t innerPrecisionMode, const aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMaskedSoftmaxWithRelPosBias"),
                  {x, attenMaskOptional, relativePosBias, scaleValue, innerPrecisionMode,
                   out}, workspaceSize, executor);
}

aclnnStatus aclnnMaskedSoftmaxWithRelPosBias(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMaskedSoftmaxWithRelPosBias").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnScaledMaskedSoftmaxGetWorkspaceSize(
    const aclTensor* x, const aclTensor* mask, double scale, bool fixTriuMask, aclTensor* y,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnScaledMaskedSoftmax"),
                  {x, mask, scale, fixTriuMask, y}, workspaceSize, executor);
}

aclnnStatus aclnnScaledMaskedSoftmax(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnScaledMaskedSoftmax").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnScaledMaskedSoftmaxBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* y, const aclTensor* mask, double scale,
    bool fixTriuMask, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnScaledMaskedSoftmaxBackward"),
                  {gradOutput, y, mask, scale, fixTriuMask, out}, workspaceSize, executor);
}

aclnnStatus aclnnScaledMaskedSoftmaxBackward(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnScaledMaskedSoftmaxBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnRmsNormGetWorkspaceSize(const aclTensor* x, const aclTensor* gamma, double epsilon,
                                         const aclTensor* yOut, const aclTensor* rstdOut,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRmsNorm"),
                  {x, gamma, epsilon, yOut, rstdOut}, workspaceSize, executor);
}

aclnnStatus aclnnRmsNorm(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRmsNorm").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGemmaRmsNormGetWorkspaceSize(const aclTensor* x, const aclTensor* gamma,
                                              double epsilon, const aclTensor* yOut,
                                              const aclTensor* rstdOut, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGemmaRmsNorm"),
                  {x, gamma, epsilon, yOut, rstdOut}, workspaceSize, executor);
}

aclnnStatus aclnnGemmaRmsNorm(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGemmaRmsNorm").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAddRmsNormGetWorkspaceSize(const aclTensor* x1, const aclTensor* x2,
                                            const aclTensor* gamma, double epsilon, aclTensor* yOut,
                                            aclTensor* rstdOut, aclTensor* xOut,
                                            uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAddRmsNorm"),
                  {x1, x2, gamma, epsilon, yOut, rstdOut, xOut}, workspaceSize, executor);
}

aclnnStatus aclnnAddRmsNorm(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAddRmsNorm").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceAddRmsNormGetWorkspaceSize(
    aclTensor* x1Ref, aclTensor* x2Ref, const aclTensor* gamma, double epsilon,
    const aclTensor* rstdOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceAddRmsNorm"),
                  {x1Ref, x2Ref, gamma, epsilon, rstdOut}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceAddRmsNorm(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceAddRmsNorm").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLayerNormGetWorkspaceSize(const aclTensor* input,
                                           const aclIntArray* normalizedShape,
                                           const aclTensor* weightOptional,
                                           const aclTensor* biasOptional, double eps,
                                           aclTensor* out, aclTensor* meanOutOptional,
                                           aclTensor* rstdOutOptional, uint64_t* workspaceSize,
                                           aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLayerNorm"),
                  {input, normalizedShape, weightOptional, biasOptional, eps, out, meanOutOptional,
                   rstdOutOptional}, workspaceSize, executor);
}

aclnnStatus aclnnLayerNorm(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                           aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLayerNorm").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLayerNormWithImplModeGetWorkspaceSize(
    const aclTensor* input, const aclIntArray* normalizedShape, const aclTensor* weightOptional,
    const aclTensor* biasOptional, double eps, aclTensor* out, aclTensor* meanOutOptional,
    aclTensor* rstdOutOptional, int32_t implMode, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLayerNormWithImplMode"),
                  {input, normalizedShape, weightOptional, biasOptional, eps, out, meanOutOptional,
                   rstdOutOptional, implMode}, workspaceSize, executor);
}

aclnnStatus aclnnLayerNormWithImplMode(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLayerNormWithImplMode").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFastLayerNormGetWorkspaceSize(const aclTensor* input,
                                               const aclIntArray* normalizedShape,
                                               const aclTensor* weightOptional,
                                               const aclTensor* biasOptional, double eps,
                                               aclTensor* out, aclTensor* meanOutOptional,
                                               aclTensor* rstdOutOptional, uint64_t* workspaceSize,
                                               aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFastLayerNorm"),
                  {input, normalizedShape, weightOptional, biasOptional, eps, out, meanOutOptional,
                   rstdOutOptional}, workspaceSize, executor);
}

aclnnStatus aclnnFastLayerNorm(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFastLayerNorm").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLayerNormBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclTensor* input, const aclIntArray* normalizedShape,
    const aclTensor* mean, const aclTensor* rstd, const aclTensor* weightOptional,
    const aclTensor* biasOptional, const aclBoolArray* outputMask, aclTensor* gradInputOut,
    aclTensor* gradWeightOut, aclTensor* gradBiasOut, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLayerNormBackward"),
                  {gradOut, input, normalizedShape, mean, rstd, weightOptional, biasOptional,
                   outputMask, gradInputOut, gradWeightOut, gradBiasOut}, workspaceSize, executor);
}

aclnnStatus aclnnLayerNormBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLayerNormBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnRmsNormGradGetWorkspaceSize(const aclTensor* dy, const aclTensor* x,
                                             const aclTensor* rstd, const aclTensor* gamma,
                                             const aclTensor* dxOut, const aclTensor* dgammaOut,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRmsNormGrad"),
                  {dy, x, rstd, gamma, dxOut, dgammaOut}, workspaceSize, executor);
}

aclnnStatus aclnnRmsNormGrad(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRmsNormGrad").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAddLayerNormGradGetWorkspaceSize(const aclTensor* dy, const aclTensor* x1,
                                                  const aclTensor* x2, const aclTensor* rstd,
                                                  const aclTensor* mean, const aclTensor* gamma,
                                                  const aclTensor* dsumOptional,
                                                  const aclTensor* dxOut,
                                                  const aclTensor* dgammaOut,
                                                  const aclTensor* dbetaOut,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAddLayerNormGrad"),
                  {dy, x1, x2, rstd, mean, gamma, dsumOptional, dxOut, dgammaOut,
                   dbetaOut}, workspaceSize, executor);
}

aclnnStatus aclnnAddLayerNormGrad(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAddLayerNormGrad").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnDeepNormGradGetWorkspaceSize(const aclTensor* dy, const aclTensor* x,
                                              const aclTensor* gx, const aclTensor* gamma,
                                              const aclTensor* mean, const aclTensor* rstd,
                                              double alpha, const aclTensor* dxOut,
                                              const aclTensor* dgxOut, const aclTensor* dbetaOut,
                                              const aclTensor* dgammaOut, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnDeepNormGrad"),
                  {dy, x, gx, gamma, mean, rstd, alpha, dxOut, dgxOut, dbetaOut,
                   dgammaOut}, workspaceSize, executor);
}

aclnnStatus aclnnDeepNormGrad(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnDeepNormGrad").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSwiGluGetWorkspaceSize(const aclTensor* x, int64_t dim, const aclTensor* out,
                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSwiGlu"),
                  {x, dim, out}, workspaceSize, executor);
}

aclnnStatus aclnnSwiGlu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                        aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSwiGlu").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSoftmaxCrossEntropyWithLogitsGetWorkspaceSize(
    const aclTensor* features, const aclTensor* labels, aclTensor* loss, aclTensor* backprop,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSoftmaxCrossEntropyWithLogits"),
                  {features, labels, loss, backprop}, workspaceSize, executor);
}

aclnnStatus aclnnSoftmaxCrossEntropyWithLogits(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSoftmaxCrossEntropyWithLogits").op, workspace,
                           workspaceSize, executor, stream);
}
}
