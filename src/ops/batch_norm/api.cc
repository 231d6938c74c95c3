// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_batch_norm.h"
#include "aclnnop/aclnn_batch_norm_backward.h"
#include "nnop/phases.h"
#include "ops/batch_norm/operators.h"

using namespace anyacl;
using anyacl::batch_norm::kOperators;

extern "C" {

aclnnStatus aclnnBatchNormGetWorkspaceSize(const aclTensor* input, const aclTensor* weight,
                                           const aclTensor* bias, aclTensor* runningMean,
                                           aclTensor* runningVar, bool training, double momentum,
                                           double eps, aclTensor* output, aclTensor* saveMean,
                                           aclTensor* saveInvstd, uint64_t* workspaceSize,
                                           aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnBatchNorm"),
                  {input, weight, bias, runningMean, runningVar, training, momentum, eps, output,
                   saveMean, saveInvstd}, workspaceSize, executor);
}

aclnnStatus aclnnBatchNorm(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                           aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnBatchNorm").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnBatchNormBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclTensor* input, const aclTensor* weight,
    const aclTensor* runningMean, const aclTensor* runningVar, const aclTensor* saveMean,
    const aclTensor* saveInvstd, bool training, double eps, const aclBoolArray* outputMask,
    aclTensor* gradInput, aclTensor* gradWeight, aclTensor* gradBias, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnBatchNormBackward"),
                  {gradOut, input, weight, runningMean, runningVar, saveMean, saveInvstd, training,
                   eps, outputMask, gradInput, gradWeight, gradBias}, workspaceSize, executor);
}

aclnnStatus aclnnBatchNormBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnBatchNormBackward").op, workspace,
                           workspaceSize, executor, stream);
}
}
