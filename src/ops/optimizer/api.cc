// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_amp_update_scale.h"
#include "aclnnop/aclnn_apply_adam_w_v2.h"
#include "aclnnop/aclnn_apply_fused_ema_adam.h"
#include "aclnnop/aclnn_foreach_non_finite_check_and_unscale.h"
#include "aclnnop/aclnn_fused_adamw.h"
#include "aclnnop/aclnn_fused_sgd.h"
#include "aclnnop/aclnn_sign_bits_pack.h"
#include "aclnnop/aclnn_sign_bits_unpack.h"
#include "nnop/phases.h"
#include "ops/optimizer/operators.h"

using namespace anyacl;
using anyacl::optimizer::kOperators;

extern "C" {

aclnnStatus aclnnApplyAdamWV2GetWorkspaceSize(aclTensor* varRef, aclTensor* mRef, aclTensor* vRef,
                                              aclTensor* maxGradNormOptionalRef,
                                              const aclTensor* grad, const aclTensor* step,
                                              float lr, float beta1, float beta2, float weightDecay,
                                              float eps, bool amsgrad, bool maximize,
                                              uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnApplyAdamWV2"),
                  {varRef, mRef, vRef, maxGradNormOptionalRef, grad, step, lr, beta1, beta2,
                   weightDecay, eps, amsgrad, maximize}, workspaceSize, executor);
}

aclnnStatus aclnnApplyAdamWV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnApplyAdamWV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnApplyFusedEmaAdamGetWorkspaceSize(
    const aclTensor* grad, aclTensor* varRef, aclTensor* mRef, aclTensor* vRef, aclTensor* sRef,
    const aclTensor* step, double lr, double emaDecay, double beta1, double beta2, double eps,
    int64_t mode, bool biasCorrection, double weightDecay, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnApplyFusedEmaAdam"),
                  {grad, varRef, mRef, vRef, sRef, step, lr, emaDecay, beta1, beta2, eps, mode,
                   biasCorrection, weightDecay}, workspaceSize, executor);
}

aclnnStatus aclnnApplyFusedEmaAdam(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnApplyFusedEmaAdam").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFusedAdamwGetWorkspaceSize(const aclTensorList* paramsRef,
                                            const aclTensorList* grads,
                                            const aclTensorList* expAvgsRef,
                                            const aclTensorList* expAvgSqsRef,
                                            const aclTensorList* maxExpAvgSqsRef,
                                            const aclTensorList* stateSteps,
                                            const aclTensor* gradScaleOptional,
                                            const aclTensor* foundInfOptional, double lr,
                                            double beta1, double beta2, double weightDecay,
                                            double eps, bool amsgrad, bool maximize,
                                            uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFusedAdamw"),
                  {paramsRef, grads, expAvgsRef, expAvgSqsRef, maxExpAvgSqsRef, stateSteps,
                   gradScaleOptional, foundInfOptional, lr, beta1, beta2, weightDecay, eps, amsgrad,
                   maximize}, workspaceSize, executor);
}

aclnnStatus aclnnFusedAdamw(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFusedAdamw").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFusedSgdGetWorkspaceSize(const aclTensorList* paramsRef,
                                          const aclTensorList* gradsRef,
                                          const aclTensorList* momentumBufferListOptionalRef,
                                          const aclTensor* gradScaleOptional, float weightDecay,
                                          float momentum, float lr, float dampening, bool nesterov,
                                          bool maximize, bool isFirstStep, uint64_t* workspaceSize,
                                          aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFusedSgd"),
                  {paramsRef, gradsRef, momentumBufferListOptionalRef, gradScaleOptional,
                   weightDecay, momentum, lr, dampening, nesterov, maximize,
                   isFirstStep}, workspaceSize, executor);
}

aclnnStatus aclnnFusedSgd(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFusedSgd").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachNonFiniteCheckAndUnscaleGetWorkspaceSize(
    const aclTensorList* scaledGrads, const aclTensor* foundInf, const aclTensor* invScale,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachNonFiniteCheckAndUnscale"),
                  {scaledGrads, foundInf, invScale}, workspaceSize, executor);
}

aclnnStatus aclnnForeachNonFiniteCheckAndUnscale(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachNonFiniteCheckAndUnscale").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAmpUpdateScaleGetWorkspaceSize(const aclTensor* currentScale,
                                                const aclTensor* growthTracker,
                                                const aclTensor* foundInf, double growthFactor,
                                                double backoffFactor, int64_t growthInterval,
                                                const aclTensor* updatedScale,
                                                const aclTensor* updatedGrowthTracker,
                                                uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAmpUpdateScale"),
                  {currentScale, growthTracker, foundInf, growthFactor, backoffFactor,
                   growthInterval, updatedScale, updatedGrowthTracker}, workspaceSize, executor);
}

aclnnStatus aclnnAmpUpdateScale(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAmpUpdateScale").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSignBitsPackGetWorkspaceSize(const aclTensor* self, int64_t size, aclTensor* out,
                                              uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSignBitsPack"),
                  {self, size, out}, workspaceSize, executor);
}

aclnnStatus aclnnSignBitsPack(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSignBitsPack").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSignBitsUnpackGetWorkspaceSize(const aclTensor* self, int64_t size,
                                                aclDataType dtype, aclTensor* out,
                                                uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSignBitsUnpack"),
                  {self, size, dtype, out}, workspaceSize, executor);
}

aclnnStatus aclnnSignBitsUnpack(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSignBitsUnpack").op, workspace,
                           workspaceSize, executor, stream);
}
}
