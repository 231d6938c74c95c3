// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_add_layer_norm.h"
#include "aclnnop/aclnn_add_rms_norm_cast.h"
#include "aclnnop/aclnn_add_rms_norm_quant.h"
#include "aclnnop/aclnn_add_rms_norm_quant_v2.h"
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
}
