// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_ada_layer_norm.h"
#include "aclnnop/aclnn_ada_layer_norm_backward.h"
#include "aclnnop/aclnn_ada_layer_norm_quant.h"
#include "aclnnop/aclnn_ada_layer_norm_v2.h"
#include "aclnnop/aclnn_add_layer_norm.h"
#include "aclnnop/aclnn_add_layer_norm_quant.h"
#include "aclnnop/aclnn_add_layer_norm_quant_v2.h"
#include "aclnnop/aclnn_add_rms_norm_cast.h"
#include "aclnnop/aclnn_add_rms_norm_dynamic_quant.h"
#include "aclnnop/aclnn_add_rms_norm_dynamic_quant_v2.h"
#include "aclnnop/aclnn_add_rms_norm_quant.h"
#include "aclnnop/aclnn_add_rms_norm_quant_v2.h"
#include "aclnnop/aclnn_deep_norm.h"
#include "aclnnop/aclnn_layer_norm_quant.h"
#include "aclnnop/aclnn_rms_norm_dynamic_quant.h"
#include "aclnnop/aclnn_rms_norm_grad_quant.h"
#include "aclnnop/aclnn_rms_norm_quant.h"
#include "aclnnop/aclnn_rms_norm_quant_v3.h"
#include "nnop/phases.h"
#include "ops/norm_quant/operators.h"

using namespace anyacl;
using anyacl::norm_quant::kOperators;

extern "C" {

aclnnStatus aclnnAddRmsNormQuantGetWorkspaceSize(const aclTensor* x1, const aclTensor* x2,
                                                 const aclTensor* gamma, const aclTensor* scales1,
                                                 const aclTensor* scales2Optional,
                                                 const aclTensor* zeroPoints1Optional,
                                                 const aclTensor* zeroPoints2Optional, int64_t axis,
                                                 double epsilon, bool divMode, aclTensor* y1Out,
                                                 aclTensor* y2Out, aclTensor* xOut,
                                                 uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAddRmsNormQuant"),
                  {x1, x2, gamma, scales1, scales2Optional, zeroPoints1Optional,
                   zeroPoints2Optional, axis, epsilon, divMode, y1Out, y2Out,
                   xOut}, workspaceSize, executor);
}

aclnnStatus aclnnAddRmsNormQuant(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAddRmsNormQuant").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAddRmsNormQuantV2GetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* gamma, const aclTensor* scales1,
    const aclTensor* scales2Optional, const aclTensor* zeroPoints1Optional,
    const aclTensor* zeroPoints2Optional, const aclTensor* betaOptional, int64_t axis,
    double epsilon, bool divMode, aclTensor* y1Out, aclTensor* y2Out, aclTensor* xOut,
    aclTensor* rmsNormOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAddRmsNormQuantV2"),
                  {x1, x2, gamma, scales1, scales2Optional, zeroPoints1Optional,
                   zeroPoints2Optional, betaOptional, axis, epsilon, divMode, y1Out, y2Out, xOut,
                   rmsNormOut}, workspaceSize, executor);
}

aclnnStatus aclnnAddRmsNormQuantV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAddRmsNormQuantV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAddLayerNormQuantGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* gamma, const aclTensor* beta,
    const aclTensor* biasOptional, const aclTensor* scales1Optional,
    const aclTensor* scales2Optional, const aclTensor* zeroPoints1Optional,
    const aclTensor* zeroPoints2Optional, const char* quantMode, double epsilon,
    bool additionalOutput, bool divMode, aclTensor* y1Out, aclTensor* y2Out, aclTensor* xOut,
    aclTensor* outScales1Out, aclTensor* outScales2Out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAddLayerNormQuant"),
                  {x1, x2, gamma, beta, biasOptional, scales1Optional, scales2Optional,
                   zeroPoints1Optional, zeroPoints2Optional, quantMode, epsilon, additionalOutput,
                   divMode, y1Out, y2Out, xOut, outScales1Out,
                   outScales2Out}, workspaceSize, executor);
}

aclnnStatus aclnnAddLayerNormQuant(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAddLayerNormQuant").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAddLayerNormQuantV2GetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* gamma, const aclTensor* beta,
    const aclTensor* biasOptional, const aclTensor* scales1Optional,
    const aclTensor* scales2Optional, const aclTensor* zeroPoints1Optional,
    const aclTensor* zeroPoints2Optional, const char* quantMode, double epsilon,
    bool additionalOutput, bool divMode, aclTensor* y1Out, aclTensor* y2Out, aclTensor* xOut,
    aclTensor* layernormRes, aclTensor* outScales1Out, aclTensor* outScales2Out,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAddLayerNormQuantV2"),
                  {x1, x2, gamma, beta, biasOptional, scales1Optional, scales2Optional,
                   zeroPoints1Optional, zeroPoints2Optional, quantMode, epsilon, additionalOutput,
                   divMode, y1Out, y2Out, xOut, layernormRes, outScales1Out,
                   outScales2Out}, workspaceSize, executor);
}

aclnnStatus aclnnAddLayerNormQuantV2(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAddLayerNormQuantV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLayerNormQuantGetWorkspaceSize(const aclTensor* x, const aclTensor* gamma,
                                                const aclTensor* beta, const aclTensor* scale,
                                                const aclTensor* zeroPointsOptional,
                                                int32_t quantMode, double epsilon, aclTensor* res,
                                                aclTensor* scaleOut, uint64_t* workspaceSize,
                                                aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLayerNormQuant"),
                  {x, gamma, beta, scale, zeroPointsOptional, quantMode, epsilon, res,
                   scaleOut}, workspaceSize, executor);
}

aclnnStatus aclnnLayerNormQuant(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLayerNormQuant").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAddRmsNormCastGetWorkspaceSize(const aclTensor* x1, const aclTensor* x2,
                                                const aclTensor* gamma, double epsilon,
                                                const aclTensor* y1Out, const aclTensor* y2Out,
                                                const aclTensor* rstdOut, const aclTensor* xOut,
                                                uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAddRmsNormCast"),
                  {x1, x2, gamma, epsilon, y1Out, y2Out, rstdOut, xOut}, workspaceSize, executor);
}

aclnnStatus aclnnAddRmsNormCast(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAddRmsNormCast").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAddLayerNormGetWorkspaceSize(const aclTensor* x1, const aclTensor* x2,
                                              const aclTensor* gamma, const aclTensor* beta,
                                              const aclTensor* biasOptional, double epsilon,
                                              bool additionalOutput, const aclTensor* yOut,
                                              const aclTensor* meanOut, const aclTensor* rstdOut,
                                              const aclTensor* xOut, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAddLayerNorm"),
                  {x1, x2, gamma, beta, biasOptional, epsilon, additionalOutput, yOut, meanOut,
                   rstdOut, xOut}, workspaceSize, executor);
}

aclnnStatus aclnnAddLayerNorm(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAddLayerNorm").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnRmsNormQuantGetWorkspaceSize(const aclTensor* x, const aclTensor* gamma,
                                              const aclTensor* beta, const aclTensor* scale,
                                              const aclTensor* offset, double epsilon, aclTensor* y,
                                              uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRmsNormQuant"),
                  {x, gamma, beta, scale, offset, epsilon, y}, workspaceSize, executor);
}

aclnnStatus aclnnRmsNormQuant(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRmsNormQuant").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnRmsNormQuantV3GetWorkspaceSize(const aclTensor* x, const aclTensor* gamma,
                                                const aclTensor* scale,
                                                const aclTensor* offsetOptional,
                                                const aclTensor* betaOptional, double epsilon,
                                                bool divMode, bool outputRstd, aclTensor* y,
                                                aclTensor* rstd, uint64_t* workspaceSize,
                                                aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRmsNormQuantV3"),
                  {x, gamma, scale, offsetOptional, betaOptional, epsilon, divMode, outputRstd, y,
                   rstd}, workspaceSize, executor);
}

aclnnStatus aclnnRmsNormQuantV3(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRmsNormQuantV3").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAddRmsNormDynamicQuantGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* gamma,
    const aclTensor* smoothScale1Optional, const aclTensor* smoothScale2Optional, double epsilon,
    aclTensor* y1Out, aclTensor* y2Out, aclTensor* xOut, aclTensor* scale1Out, aclTensor* scale2Out,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAddRmsNormDynamicQuant"),
                  {x1, x2, gamma, smoothScale1Optional, smoothScale2Optional, epsilon, y1Out, y2Out,
                   xOut, scale1Out, scale2Out}, workspaceSize, executor);
}

aclnnStatus aclnnAddRmsNormDynamicQuant(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAddRmsNormDynamicQuant").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAddRmsNormDynamicQuantV2GetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* gamma,
    const aclTensor* smoothScale1Optional, const aclTensor* smoothScale2Optional,
    const aclTensor* betaOptional, double epsilon, const aclBoolArray* outputMaskOptional,
    aclTensor* y1Out, aclTensor* y2Out, aclTensor* xOut, aclTensor* scale1Out, aclTensor* scale2Out,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAddRmsNormDynamicQuantV2"),
                  {x1, x2, gamma, smoothScale1Optional, smoothScale2Optional, betaOptional, epsilon,
                   outputMaskOptional, y1Out, y2Out, xOut, scale1Out,
                   scale2Out}, workspaceSize, executor);
}

aclnnStatus aclnnAddRmsNormDynamicQuantV2(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAddRmsNormDynamicQuantV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnRmsNormDynamicQuantGetWorkspaceSize(
    const aclTensor* x, const aclTensor* gamma, const aclTensor* smoothScalesOptional,
    const aclTensor* betaOptional, double epsilon, int64_t dstType, const aclTensor* yOut,
    const aclTensor* scaleOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRmsNormDynamicQuant"),
                  {x, gamma, smoothScalesOptional, betaOptional, epsilon, dstType, yOut,
                   scaleOut}, workspaceSize, executor);
}

aclnnStatus aclnnRmsNormDynamicQuant(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRmsNormDynamicQuant").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnDeepNormGetWorkspaceSize(const aclTensor* x, const aclTensor* gx,
                                          const aclTensor* beta, const aclTensor* gamma,
                                          double alpha, double epsilon, const aclTensor* meanOut,
                                          const aclTensor* rstdOut, const aclTensor* yOut,
                                          uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnDeepNorm"),
                  {x, gx, beta, gamma, alpha, epsilon, meanOut, rstdOut,
                   yOut}, workspaceSize, executor);
}

aclnnStatus aclnnDeepNorm(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnDeepNorm").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnRmsNormGradQuantGetWorkspaceSize(const aclTensor* dy, const aclTensor* x,
                                                  const aclTensor* rstd, const aclTensor* gamma,
                                                  const aclTensor* scalesX,
                                                  const aclTensor* offsetXOptional,
                                                  const char* quantMode, bool divMode,
                                                  aclTensor* dxOut, aclTensor* dgammaOut,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRmsNormGradQuant"),
                  {dy, x, rstd, gamma, scalesX, offsetXOptional, quantMode, divMode, dxOut,
                   dgammaOut}, workspaceSize, executor);
}

aclnnStatus aclnnRmsNormGradQuant(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRmsNormGradQuant").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAdaLayerNormGetWorkspaceSize(const aclTensor* x, const aclTensor* scale,
                                              const aclTensor* shift,
                                              const aclTensor* weightOptional,
                                              const aclTensor* biasOptional, double epsilon,
                                              aclTensor* out, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAdaLayerNorm"),
                  {x, scale, shift, weightOptional, biasOptional, epsilon,
                   out}, workspaceSize, executor);
}

aclnnStatus aclnnAdaLayerNorm(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAdaLayerNorm").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAdaLayerNormV2GetWorkspaceSize(const aclTensor* x, const aclTensor* scale,
                                                const aclTensor* shift,
                                                const aclTensor* weightOptional,
                                                const aclTensor* biasOptional, double epsilon,
                                                aclTensor* out, aclTensor* meanOutOptional,
                                                aclTensor* rstdOutOptional, uint64_t* workspaceSize,
                                                aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAdaLayerNormV2"),
                  {x, scale, shift, weightOptional, biasOptional, epsilon, out, meanOutOptional,
                   rstdOutOptional}, workspaceSize, executor);
}

aclnnStatus aclnnAdaLayerNormV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAdaLayerNormV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAdaLayerNormQuantGetWorkspaceSize(
    const aclTensor* x, const aclTensor* scale, const aclTensor* shift,
    const aclTensor* weightOptional, const aclTensor* biasOptional,
    const aclTensor* smoothScalesOptional, double epsilon, const char* quantMode, aclTensor* out,
    aclTensor* quantScale, aclTensor* quantOffsetOptional, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAdaLayerNormQuant"),
                  {x, scale, shift, weightOptional, biasOptional, smoothScalesOptional, epsilon,
                   quantMode, out, quantScale, quantOffsetOptional}, workspaceSize, executor);
}

aclnnStatus aclnnAdaLayerNormQuant(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAdaLayerNormQuant").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAdaLayerNormBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclTensor* input, const aclIntArray* normalizedShape,
    const aclTensor* rstd, const aclTensor* mean, const aclTensor* scale, const aclTensor* shift,
    const aclTensor* weightOptional, const aclTensor* biasOptional, aclTensor* gradInputOut,
    aclTensor* gradScaleOut, aclTensor* gradShiftOut, aclTensor* gradWeightOut,
    aclTensor* gradBiasOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAdaLayerNormBackward"),
                  {gradOut, input, normalizedShape, rstd, mean, scale, shift, weightOptional,
                   biasOptional, gradInputOut, gradScaleOut, gradShiftOut, gradWeightOut,
                   gradBiasOut}, workspaceSize, executor);
}

aclnnStatus aclnnAdaLayerNormBackward(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAdaLayerNormBackward").op, workspace,
                           workspaceSize, executor, stream);
}
}
