// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_mhc_post.h"
#include "aclnnop/aclnn_mhc_post_backward.h"
#include "aclnnop/aclnn_mhc_pre.h"
#include "aclnnop/aclnn_mhc_pre_backward.h"
#include "aclnnop/aclnn_mhc_pre_v2.h"
#include "aclnnop/aclnn_mhc_sinkhorn.h"
#include "aclnnop/aclnn_mhc_sinkhorn_backward.h"
#include "nnop/phases.h"
#include "ops/mhc/operators.h"

using namespace anyacl;
using anyacl::mhc::kOperators;

extern "C" {

aclnnStatus aclnnMhcSinkhornGetWorkspaceSize(const aclTensor* x, float eps, int64_t numIters,
                                             aclTensor* output, aclTensor* normOut,
                                             aclTensor* sumOut, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMhcSinkhorn"),
                  {x, eps, numIters, output, normOut, sumOut}, workspaceSize, executor);
}

aclnnStatus aclnnMhcSinkhorn(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMhcSinkhorn").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMhcSinkhornBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* normOut, const aclTensor* sumOut, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMhcSinkhornBackward"),
                  {gradOutput, normOut, sumOut, out}, workspaceSize, executor);
}

aclnnStatus aclnnMhcSinkhornBackward(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMhcSinkhornBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMhcPostGetWorkspaceSize(const aclTensor* x, const aclTensor* hRes,
                                         const aclTensor* hOut, const aclTensor* hPost,
                                         aclTensor* out, uint64_t* workspaceSize,
                                         aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMhcPost"),
                  {x, hRes, hOut, hPost, out}, workspaceSize, executor);
}

aclnnStatus aclnnMhcPost(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMhcPost").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMhcPostBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* x,
                                                 const aclTensor* hRes, const aclTensor* hOut,
                                                 const aclTensor* hPost, aclTensor* gradX,
                                                 aclTensor* gradHRes, aclTensor* gradHOut,
                                                 aclTensor* gradHPost, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMhcPostBackward"),
                  {gradOutput, x, hRes, hOut, hPost, gradX, gradHRes, gradHOut,
                   gradHPost}, workspaceSize, executor);
}

aclnnStatus aclnnMhcPostBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMhcPostBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMhcPreGetWorkspaceSize(const aclTensor* x, const aclTensor* phi,
                                        const aclTensor* alpha, const aclTensor* bias,
                                        const aclTensor* gammaOptional, double normEps,
                                        double hcEps, aclTensor* hIn, aclTensor* hPost,
                                        aclTensor* hRes, aclTensor* invRmsOptional,
                                        aclTensor* hMixOptional, aclTensor* hPreOptional,
                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMhcPre"),
                  {x, phi, alpha, bias, gammaOptional, normEps, hcEps, hIn, hPost, hRes,
                   invRmsOptional, hMixOptional, hPreOptional}, workspaceSize, executor);
}

aclnnStatus aclnnMhcPre(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                        aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMhcPre").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMhcPreV2GetWorkspaceSize(const aclTensor* x, const aclTensor* phi,
                                          const aclTensor* alpha, const aclTensor* bias,
                                          const aclTensor* gammaOptional, double normEps,
                                          double hcEps, int64_t opImplMode, aclTensor* hIn,
                                          aclTensor* hPost, aclTensor* hRes,
                                          aclTensor* invRmsOptional, aclTensor* hMixOptional,
                                          aclTensor* hPreOptional, uint64_t* workspaceSize,
                                          aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMhcPreV2"),
                  {x, phi, alpha, bias, gammaOptional, normEps, hcEps, opImplMode, hIn, hPost, hRes,
                   invRmsOptional, hMixOptional, hPreOptional}, workspaceSize, executor);
}

aclnnStatus aclnnMhcPreV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMhcPreV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMhcPreBackwardGetWorkspaceSize(const aclTensor* x, const aclTensor* phi,
                                                const aclTensor* alpha, const aclTensor* gradHIn,
                                                const aclTensor* gradHPost,
                                                const aclTensor* gradHRes, const aclTensor* invRms,
                                                const aclTensor* hMix, const aclTensor* hPre,
                                                const aclTensor* hPost, const aclTensor* gamma,
                                                const aclTensor* gradXPostOptional, float hcEps,
                                                const aclTensor* gradX, const aclTensor* gradPhi,
                                                const aclTensor* gradAlpha,
                                                const aclTensor* gradBias,
                                                const aclTensor* gradGamma, uint64_t* workspaceSize,
                                                aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMhcPreBackward"),
                  {x, phi, alpha, gradHIn, gradHPost, gradHRes, invRms, hMix, hPre, hPost, gamma,
                   gradXPostOptional, hcEps, gradX, gradPhi, gradAlpha, gradBias,
                   gradGamma}, workspaceSize, executor);
}

aclnnStatus aclnnMhcPreBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMhcPreBackward").op, workspace,
                           workspaceSize, executor, stream);
}
}
