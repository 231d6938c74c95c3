// SPDX-License-Identifier: Apache-2.0
// aclnnGroupNorm and aclnnGroupNormBackward.
#include "aclnnop/aclnn_group_norm.h"
#include "aclnnop/aclnn_group_norm_backward.h"
#include "nnop/phases.h"
#include "ops/group_norm/op.h"

using namespace anyacl;
using namespace anyacl::group_norm;

extern "C" {

aclnnStatus aclnnGroupNormGetWorkspaceSize(const aclTensor* self, const aclTensor* gamma,
                                           const aclTensor* beta, int64_t N, int64_t C, int64_t HxW,
                                           int64_t group, double eps, aclTensor* out,
                                           aclTensor* meanOut, aclTensor* rstdOut,
                                           uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(*kForwardSpec.op, workspaceSize, executor, [&](PreparedCall& call) -> Status {
    const aclTensor* tensors[] = {self, gamma, beta, out, meanOut, rstdOut};
    Operands operands(kForwardSpec);
    ForwardParams params;
    if (Status s = CheckForward(tensors, {N, C, HxW, group, eps}, operands, &params); !s.ok()) {
      return s;
    }
    call.slots = operands.Slots();
    call.plan = MakeForwardPlan(params, &call.workspace_size);
    return {};
  });
}

aclnnStatus aclnnGroupNorm(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                           aclrtStream stream) {
  return anyaclRunExecutor(*kForwardSpec.op, workspace, workspaceSize, executor, stream);
}

aclnnStatus aclnnGroupNormBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclTensor* input, const aclTensor* mean, const aclTensor* rstd,
    const aclTensor* gamma, int64_t N, int64_t C, int64_t HxW, int64_t group,
    const aclBoolArray* outputMask, aclTensor* gradInput, aclTensor* gradGammaOut,
    aclTensor* gradBetaOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(*kBackwardSpec.op, workspaceSize, executor, [&](PreparedCall& call) -> Status {
    const aclTensor* tensors[] = {gradOut, input,     mean,         rstd,
                                  gamma,   gradInput, gradGammaOut, gradBetaOut};
    Operands operands(kBackwardSpec);
    BackwardParams params;
    if (Status s = CheckBackward(tensors, {N, C, HxW, group, outputMask}, operands, &params);
        !s.ok()) {
      return s;
    }
    call.slots = operands.Slots();
    call.plan = MakeBackwardPlan(params, &call.workspace_size);
    return {};
  });
}

aclnnStatus aclnnGroupNormBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   const aclrtStream stream) {
  return anyaclRunExecutor(*kBackwardSpec.op, workspace, workspaceSize, executor, stream);
}
}
