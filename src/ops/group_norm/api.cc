// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_group_norm.h"
#include "aclnnop/aclnn_group_norm_backward.h"
#include "aclnnop/aclnn_group_norm_silu.h"
#include "aclnnop/aclnn_group_norm_silu_quant.h"
#include "aclnnop/aclnn_group_norm_swish.h"
#include "aclnnop/aclnn_group_norm_swish_grad.h"
#include "nnop/phases.h"
#include "ops/group_norm/operators.h"

using namespace anyacl;
using anyacl::group_norm::kOperators;

extern "C" {

aclnnStatus aclnnGroupNormGetWorkspaceSize(const aclTensor* self, const aclTensor* gamma,
                                           const aclTensor* beta, int64_t N, int64_t C, int64_t HxW,
                                           int64_t group, double eps, aclTensor* out,
                                           aclTensor* meanOut, aclTensor* rstdOut,
                                           uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGroupNorm"),
                  {self, gamma, beta, N, C, HxW, group, eps, out, meanOut,
                   rstdOut}, workspaceSize, executor);
}

aclnnStatus aclnnGroupNorm(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                           aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGroupNorm").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGroupNormBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclTensor* input, const aclTensor* mean, const aclTensor* rstd,
    const aclTensor* gamma, int64_t N, int64_t C, int64_t HxW, int64_t group,
    const aclBoolArray* outputMask, aclTensor* gradInput, aclTensor* gradGammaOut,
    aclTensor* gradBetaOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGroupNormBackward"),
                  {gradOut, input, mean, rstd, gamma, N, C, HxW, group, outputMask, gradInput,
                   gradGammaOut, gradBetaOut}, workspaceSize, executor);
}

aclnnStatus aclnnGroupNormBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGroupNormBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGroupNormSiluGetWorkspaceSize(const aclTensor* self, const aclTensor* gamma,
                                               const aclTensor* beta, int64_t group, double eps,
                                               aclTensor* out, aclTensor* meanOut,
                                               aclTensor* rstdOut, uint64_t* workspaceSize,
                                               aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGroupNormSilu"),
                  {self, gamma, beta, group, eps, out, meanOut, rstdOut}, workspaceSize, executor);
}

aclnnStatus aclnnGroupNormSilu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGroupNormSilu").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGroupNormSiluV2GetWorkspaceSize(const aclTensor* self, const aclTensor* gamma,
                                                 const aclTensor* beta, int64_t group, double eps,
                                                 bool activateSilu, aclTensor* out,
                                                 aclTensor* meanOut, aclTensor* rstdOut,
                                                 uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGroupNormSiluV2"),
                  {self, gamma, beta, group, eps, activateSilu, out, meanOut,
                   rstdOut}, workspaceSize, executor);
}

aclnnStatus aclnnGroupNormSiluV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGroupNormSiluV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGroupNormSiluQuantGetWorkspaceSize(
    const aclTensor* self, const aclTensor* gammaOptional, const aclTensor* betaOptional,
    const aclTensor* quantScale, int64_t group, double eps, bool activateSilu, aclTensor* out,
    aclTensor* meanOut, aclTensor* rstdOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGroupNormSiluQuant"),
                  {self, gammaOptional, betaOptional, quantScale, group, eps, activateSilu, out,
                   meanOut, rstdOut}, workspaceSize, executor);
}

aclnnStatus aclnnGroupNormSiluQuant(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGroupNormSiluQuant").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGroupNormSwishGetWorkspaceSize(const aclTensor* x, const aclTensor* gamma,
                                                const aclTensor* beta, int64_t numGroups,
                                                char* dataFormatOptional, double eps,
                                                bool activateSwish, double swishScale,
                                                const aclTensor* yOut, const aclTensor* meanOut,
                                                const aclTensor* rstdOut, uint64_t* workspaceSize,
                                                aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGroupNormSwish"),
                  {x, gamma, beta, numGroups, dataFormatOptional, eps, activateSwish, swishScale,
                   yOut, meanOut, rstdOut}, workspaceSize, executor);
}

aclnnStatus aclnnGroupNormSwish(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGroupNormSwish").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGroupNormSwishGradGetWorkspaceSize(
    const aclTensor* dy, const aclTensor* mean, const aclTensor* rstd, const aclTensor* x,
    const aclTensor* gamma, const aclTensor* beta, int64_t numGroups, char* dataFormatOptional,
    double swishScale, bool dgammaIsRequire, bool dbetaIsRequire, const aclTensor* dxOut,
    const aclTensor* dgammaOut, const aclTensor* dbetaOut, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGroupNormSwishGrad"),
                  {dy, mean, rstd, x, gamma, beta, numGroups, dataFormatOptional, swishScale,
                   dgammaIsRequire, dbetaIsRequire, dxOut, dgammaOut,
                   dbetaOut}, workspaceSize, executor);
}

aclnnStatus aclnnGroupNormSwishGrad(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGroupNormSwishGrad").op, workspace,
                           workspaceSize, executor, stream);
}
}
