// SPDX-License-Identifier: Apache-2.0
// Operators whose interface exists and whose function does not: phase 1 says so.
#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_grouped_matmul_swiglu_quant.h"
#include "nnop/phases.h"

namespace anyacl {
namespace {

constexpr OpInfo kGroupedMatmul = {"aclnnGroupedMatmulSwigluQuantGetWorkspaceSize",
                                   "aclnnGroupedMatmulSwigluQuant"};

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

aclnnStatus aclnnGroupedMatmulSwigluQuantGetWorkspaceSize(const aclTensor*, const aclTensor*,
                                                          const aclTensor*, const aclTensor*,
                                                          const aclTensor*, const aclTensor*,
                                                          const aclTensor*, aclTensor*, aclTensor*,
                                                          aclTensor*, uint64_t* workspaceSize,
                                                          aclOpExecutor** executor) {
  return NotImplemented(kGroupedMatmul, workspaceSize, executor);
}

aclnnStatus aclnnGroupedMatmulSwigluQuant(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(kGroupedMatmul, workspace, workspaceSize, executor, stream);
}
}
