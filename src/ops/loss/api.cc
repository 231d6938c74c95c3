// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_cross_entropy_loss.h"
#include "aclnnop/aclnn_cross_entropy_loss_grad.h"
#include "aclnnop/aclnn_ctc_loss.h"
#include "aclnnop/aclnn_ctc_loss_backward.h"
#include "aclnnop/aclnn_l1_loss.h"
#include "aclnnop/aclnn_l1_loss_backward.h"
#include "aclnnop/aclnn_mse_loss.h"
#include "aclnnop/aclnn_mse_loss_backward.h"
#include "aclnnop/aclnn_mse_loss_out.h"
#include "aclnnop/aclnn_multilabel_margin_loss.h"
#include "aclnnop/aclnn_nll_loss.h"
#include "aclnnop/aclnn_nll_loss2d.h"
#include "aclnnop/aclnn_nll_loss2d_backward.h"
#include "aclnnop/aclnn_nll_loss_backward.h"
#include "aclnnop/aclnn_smooth_l1_loss.h"
#include "nnop/phases.h"
#include "ops/loss/operators.h"

using namespace anyacl;
using anyacl::loss::kOperators;

extern "C" {

aclnnStatus aclnnNLLLossGetWorkspaceSize(const aclTensor* self, const aclTensor* target,
                                         const aclTensor* weight, int64_t reduction,
                                         int64_t ignoreIndex, aclTensor* out,
                                         aclTensor* totalWeightOut, uint64_t* workspaceSize,
                                         aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnNLLLoss"),
                  {self, target, weight, reduction, ignoreIndex, out,
                   totalWeightOut}, workspaceSize, executor);
}

aclnnStatus aclnnNLLLoss(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnNLLLoss").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnNLLLossBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,
                                                 const aclTensor* target, const aclTensor* weight,
                                                 int64_t reduction, int64_t ignoreIndex,
                                                 const aclTensor* totalWeight, aclTensor* out,
                                                 uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnNLLLossBackward"),
                  {gradOutput, self, target, weight, reduction, ignoreIndex, totalWeight,
                   out}, workspaceSize, executor);
}

aclnnStatus aclnnNLLLossBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnNLLLossBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnNLLLoss2dGetWorkspaceSize(const aclTensor* self, const aclTensor* target,
                                           const aclTensor* weight, int64_t reduction,
                                           int64_t ignoreIndex, aclTensor* out,
                                           aclTensor* totalWeightOut, uint64_t* workspaceSize,
                                           aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnNLLLoss2d"),
                  {self, target, weight, reduction, ignoreIndex, out,
                   totalWeightOut}, workspaceSize, executor);
}

aclnnStatus aclnnNLLLoss2d(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                           aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnNLLLoss2d").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnNLLLoss2dBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* target,
    const aclTensor* weight, int64_t reduction, int64_t ignoreIndex, const aclTensor* totalWeight,
    aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnNLLLoss2dBackward"),
                  {gradOutput, self, target, weight, reduction, ignoreIndex, totalWeight,
                   out}, workspaceSize, executor);
}

aclnnStatus aclnnNLLLoss2dBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnNLLLoss2dBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnCrossEntropyLossGetWorkspaceSize(const aclTensor* input, const aclTensor* target,
                                                  const aclTensor* weightOptional,
                                                  char* reductionOptional, int64_t ignoreIndex,
                                                  double labelSmoothing,
                                                  double lseSquareScaleForZloss, bool returnZloss,
                                                  const aclTensor* lossOut,
                                                  const aclTensor* logProbOut,
                                                  const aclTensor* zlossOut,
                                                  const aclTensor* lseForZlossOut,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnCrossEntropyLoss"),
                  {input, target, weightOptional, reductionOptional, ignoreIndex, labelSmoothing,
                   lseSquareScaleForZloss, returnZloss, lossOut, logProbOut, zlossOut,
                   lseForZlossOut}, workspaceSize, executor);
}

aclnnStatus aclnnCrossEntropyLoss(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnCrossEntropyLoss").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnCrossEntropyLossGradGetWorkspaceSize(
    const aclTensor* gradLoss, const aclTensor* logProb, const aclTensor* target,
    const aclTensor* weightOptional, const aclTensor* gradZlossOptional,
    const aclTensor* lseForZlossOptional, char* reductionOptional, int64_t ignoreIndex,
    double labelSmoothing, double lseSquareScaleForZloss, const aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnCrossEntropyLossGrad"),
                  {gradLoss, logProb, target, weightOptional, gradZlossOptional,
                   lseForZlossOptional, reductionOptional, ignoreIndex, labelSmoothing,
                   lseSquareScaleForZloss, out}, workspaceSize, executor);
}

aclnnStatus aclnnCrossEntropyLossGrad(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnCrossEntropyLossGrad").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMultilabelMarginLossGetWorkspaceSize(
    const aclTensor* self, const aclTensor* target, int64_t reduction, aclTensor* out,
    aclTensor* isTarget, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMultilabelMarginLoss"),
                  {self, target, reduction, out, isTarget}, workspaceSize, executor);
}

aclnnStatus aclnnMultilabelMarginLoss(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMultilabelMarginLoss").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnCtcLossGetWorkspaceSize(const aclTensor* logProbs, const aclTensor* targets,
                                         const aclIntArray* inputLengths,
                                         const aclIntArray* targetLengths, int64_t blank,
                                         bool zeroInfinity, aclTensor* negLogLikelihoodOut,
                                         aclTensor* logAlphaOut, uint64_t* workspaceSize,
                                         aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnCtcLoss"),
                  {logProbs, targets, inputLengths, targetLengths, blank, zeroInfinity,
                   negLogLikelihoodOut, logAlphaOut}, workspaceSize, executor);
}

aclnnStatus aclnnCtcLoss(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnCtcLoss").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnCtcLossBackwardGetWorkspaceSize(const aclTensor* gradOut,
                                                 const aclTensor* logProbs,
                                                 const aclTensor* targets,
                                                 const aclIntArray* inputLengths,
                                                 const aclIntArray* targetLengths,
                                                 const aclTensor* negLogLikelihood,
                                                 const aclTensor* logAlpha, int64_t blank,
                                                 bool zeroInfinity, aclTensor* out,
                                                 uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnCtcLossBackward"),
                  {gradOut, logProbs, targets, inputLengths, targetLengths, negLogLikelihood,
                   logAlpha, blank, zeroInfinity, out}, workspaceSize, executor);
}

aclnnStatus aclnnCtcLossBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnCtcLossBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMseLossGetWorkspaceSize(const aclTensor* self, const aclTensor* target,
                                         int64_t reduction, aclTensor* out, uint64_t* workspaceSize,
                                         aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMseLoss"),
                  {self, target, reduction, out}, workspaceSize, executor);
}

aclnnStatus aclnnMseLoss(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMseLoss").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMseLossOutGetWorkspaceSize(const aclTensor* self, const aclTensor* target,
                                            int64_t reduction, aclTensor* out,
                                            uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMseLossOut"),
                  {self, target, reduction, out}, workspaceSize, executor);
}

aclnnStatus aclnnMseLossOut(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMseLossOut").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMseLossBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,
                                                 const aclTensor* target, int64_t reduction,
                                                 aclTensor* out, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMseLossBackward"),
                  {gradOutput, self, target, reduction, out}, workspaceSize, executor);
}

aclnnStatus aclnnMseLossBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMseLossBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnL1LossGetWorkspaceSize(const aclTensor* self, const aclTensor* target,
                                        int64_t reduction, aclTensor* out, uint64_t* workspaceSize,
                                        aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnL1Loss"),
                  {self, target, reduction, out}, workspaceSize, executor);
}

aclnnStatus aclnnL1Loss(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                        aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnL1Loss").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnL1LossBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,
                                                const aclTensor* target, int64_t reduction,
                                                aclTensor* gradInput, uint64_t* workspaceSize,
                                                aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnL1LossBackward"),
                  {gradOutput, self, target, reduction, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnL1LossBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnL1LossBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSmoothL1LossGetWorkspaceSize(const aclTensor* self, const aclTensor* target,
                                              int64_t reduction, float beta, aclTensor* result,
                                              uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSmoothL1Loss"),
                  {self, target, reduction, beta, result}, workspaceSize, executor);
}

aclnnStatus aclnnSmoothL1Loss(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSmoothL1Loss").op, workspace,
                           workspaceSize, executor, stream);
}
}
