// SPDX-License-Identifier: Apache-2.0
// Operators whose interface exists and whose function does not: phase 1 says so.
#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_fused_infer_attention_score_v2.h"
#include "nnop/phases.h"

namespace anyacl {
namespace {

constexpr OpInfo kAttention = {"aclnnFusedInferAttentionScoreV2GetWorkspaceSize",
                               "aclnnFusedInferAttentionScoreV2"};

aclnnStatus NotImplemented(const OpInfo& op, uint64_t* workspace_size, aclOpExecutor** executor) {
  return PhaseOne(op, workspace_size, executor, [&](PreparedCall&) {
    return Fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR,
                "{} is not implemented yet in this version of anyacl", op.phase_two);
  });
}

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

aclnnStatus aclnnFusedInferAttentionScoreV2GetWorkspaceSize(
    const aclTensor*, const aclTensorList*, const aclTensorList*, const aclTensor*,
    const aclTensor*, const aclIntArray*, const aclIntArray*, const aclTensor*, const aclTensor*,
    const aclTensor*, const aclTensor*, const aclTensor*, const aclTensor*, const aclTensor*,
    const aclTensor*, const aclTensor*, const aclTensor*, const aclTensor*, const aclTensor*,
    const aclTensor*, const aclTensor*, const aclTensor*, const aclTensor*, const aclIntArray*,
    int64_t, double, int64_t, int64_t, char*, int64_t, int64_t, int64_t, int64_t, int64_t, bool,
    int64_t, int64_t, const aclTensor*, const aclTensor*, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return NotImplemented(kAttention, workspaceSize, executor);
}

aclnnStatus aclnnFusedInferAttentionScoreV2(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, const aclrtStream stream) {
  return anyaclRunExecutor(kAttention, workspace, workspaceSize, executor, stream);
}
}
