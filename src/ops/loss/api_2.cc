// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_binary_cross_entropy.h"
#include "aclnnop/aclnn_binary_cross_entropy_backward.h"
#include "aclnnop/aclnn_binary_cross_entropy_with_logits.h"
#include "aclnnop/aclnn_binary_cross_entropy_with_logits_backward.h"
#include "aclnnop/aclnn_binary_cross_entropy_with_logits_target_backward.h"
#include "aclnnop/aclnn_fused_cross_entropy_loss_with_max_sum.h"
#include "aclnnop/aclnn_fused_linear_cross_entropy_loss_grad.h"
#include "aclnnop/aclnn_fused_linear_online_max_sum.h"
#include "aclnnop/aclnn_kl_div.h"
#include "aclnnop/aclnn_kl_div_backward.h"
#include "aclnnop/aclnn_kl_div_target_backward.h"
#include "aclnnop/aclnn_smooth_l1_loss_backward.h"
#include "aclnnop/aclnn_soft_margin_loss.h"
#include "aclnnop/aclnn_soft_margin_loss_backward.h"
#include "nnop/phases.h"
#include "ops/loss/operators.h"

using namespace anyacl;
using anyacl::loss::kOperators;

extern "C" {

aclnnStatus aclnnSmoothL1LossBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* target, int64_t reduction,
    float beta, aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSmoothL1LossBackward"),
                  {gradOutput, self, target, reduction, beta, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnSmoothL1LossBackward(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSmoothL1LossBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnBinaryCrossEntropyGetWorkspaceSize(
    const aclTensor* self, const aclTensor* target, const aclTensor* weight, int64_t reduction,
    aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnBinaryCrossEntropy"),
                  {self, target, weight, reduction, out}, workspaceSize, executor);
}

aclnnStatus aclnnBinaryCrossEntropy(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnBinaryCrossEntropy").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnBinaryCrossEntropyBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* target,
    const aclTensor* weightOptional, int64_t reduction, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnBinaryCrossEntropyBackward"),
                  {gradOutput, self, target, weightOptional, reduction,
                   out}, workspaceSize, executor);
}

aclnnStatus aclnnBinaryCrossEntropyBackward(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnBinaryCrossEntropyBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnBinaryCrossEntropyWithLogitsGetWorkspaceSize(
    const aclTensor* self, const aclTensor* target, const aclTensor* weightOptional,
    const aclTensor* posWeightOptional, int64_t reduction, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnBinaryCrossEntropyWithLogits"),
                  {self, target, weightOptional, posWeightOptional, reduction,
                   out}, workspaceSize, executor);
}

aclnnStatus aclnnBinaryCrossEntropyWithLogits(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnBinaryCrossEntropyWithLogits").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnBinaryCrossEntropyWithLogitsBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* target,
    const aclTensor* weightOptional, const aclTensor* posWeightOptional, int64_t reduction,
    aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnBinaryCrossEntropyWithLogitsBackward"),
                  {gradOutput, self, target, weightOptional, posWeightOptional, reduction,
                   out}, workspaceSize, executor);
}

aclnnStatus aclnnBinaryCrossEntropyWithLogitsBackward(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnBinaryCrossEntropyWithLogitsBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnBinaryCrossEntropyWithLogitsTargetBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* target,
    const aclTensor* weightOptional, const aclTensor* posWeightOptional, int64_t reduction,
    aclTensor* gradTarget, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnBinaryCrossEntropyWithLogitsTargetBackward"),
                  {gradOutput, self, target, weightOptional, posWeightOptional, reduction,
                   gradTarget}, workspaceSize, executor);
}

aclnnStatus aclnnBinaryCrossEntropyWithLogitsTargetBackward(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnBinaryCrossEntropyWithLogitsTargetBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnKlDivGetWorkspaceSize(const aclTensor* self, const aclTensor* target,
                                       int64_t reduction, bool logTarget, aclTensor* out,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnKlDiv"),
                  {self, target, reduction, logTarget, out}, workspaceSize, executor);
}

aclnnStatus aclnnKlDiv(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnKlDiv").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnKlDivBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,
                                               const aclTensor* target, int64_t reduction,
                                               bool logTarget, aclTensor* out,
                                               uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnKlDivBackward"),
                  {gradOutput, self, target, reduction, logTarget, out}, workspaceSize, executor);
}

aclnnStatus aclnnKlDivBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnKlDivBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnKlDivTargetBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* target, int64_t reduction,
    bool logTarget, aclTensor* gradTarget, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnKlDivTargetBackward"),
                  {gradOutput, self, target, reduction, logTarget,
                   gradTarget}, workspaceSize, executor);
}

aclnnStatus aclnnKlDivTargetBackward(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnKlDivTargetBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSoftMarginLossGetWorkspaceSize(const aclTensor* self, const aclTensor* target,
                                                int64_t reduction, aclTensor* out,
                                                uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSoftMarginLoss"),
                  {self, target, reduction, out}, workspaceSize, executor);
}

aclnnStatus aclnnSoftMarginLoss(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSoftMarginLoss").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSoftMarginLossBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* target, int64_t reduction,
    aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSoftMarginLossBackward"),
                  {gradOutput, self, target, reduction, out}, workspaceSize, executor);
}

aclnnStatus aclnnSoftMarginLossBackward(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSoftMarginLossBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFusedLinearOnlineMaxSumGetWorkspaceSize(
    const aclTensor* input, const aclTensor* weight, const aclTensor* target,
    int64_t vocabStartIndex, int64_t vocabEndIndex, aclTensor* logitsMaxLocalOut,
    aclTensor* sumExpLogitsLocalOut, aclTensor* predictedLogitsLocalOut, aclTensor* targetMaskOut,
    aclTensor* maskedTargetOut, aclTensor* vocabParallelLogitsOutOptional, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFusedLinearOnlineMaxSum"),
                  {input, weight, target, vocabStartIndex, vocabEndIndex, logitsMaxLocalOut,
                   sumExpLogitsLocalOut, predictedLogitsLocalOut, targetMaskOut, maskedTargetOut,
                   vocabParallelLogitsOutOptional}, workspaceSize, executor);
}

aclnnStatus aclnnFusedLinearOnlineMaxSum(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFusedLinearOnlineMaxSum").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFusedCrossEntropyLossWithMaxSumGetWorkspaceSize(
    const aclTensor* logitsMax, const aclTensor* sumExpLogits, const aclTensor* predictedLogits,
    float labelSmoothing, const aclTensor* inputOptional, const aclTensor* weightOptional,
    const aclTensor* vocabParallelLogitsOptional, aclTensor* lossOut, aclTensor* softMaxOutOptional,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFusedCrossEntropyLossWithMaxSum"),
                  {logitsMax, sumExpLogits, predictedLogits, labelSmoothing, inputOptional,
                   weightOptional, vocabParallelLogitsOptional, lossOut,
                   softMaxOutOptional}, workspaceSize, executor);
}

aclnnStatus aclnnFusedCrossEntropyLossWithMaxSum(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFusedCrossEntropyLossWithMaxSum").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFusedLinearCrossEntropyLossGradGetWorkspaceSize(
    const aclTensor* grad, const aclTensor* input, const aclTensor* weight,
    const aclTensor* targetMask, const aclTensor* maskedTarget, float labelSmoothing,
    const aclTensor* logitsMaxOptional, const aclTensor* sumExpLogitsOptional,
    const aclTensor* softmaxOptional, aclTensor* inputGradOut, aclTensor* weightGradOut,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFusedLinearCrossEntropyLossGrad"),
                  {grad, input, weight, targetMask, maskedTarget, labelSmoothing, logitsMaxOptional,
                   sumExpLogitsOptional, softmaxOptional, inputGradOut,
                   weightGradOut}, workspaceSize, executor);
}

aclnnStatus aclnnFusedLinearCrossEntropyLossGrad(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFusedLinearCrossEntropyLossGrad").op, workspace,
                           workspaceSize, executor, stream);
}
}
