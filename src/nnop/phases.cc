// SPDX-License-Identifier: Apache-2.0
#include "nnop/phases.h"

#include "aclnn/opdev/op_errno.h"

namespace anyacl {

Status BeginPhaseOne(uint64_t* workspace_size, aclOpExecutor** executor) {
  if (workspace_size != nullptr) *workspace_size = 0;
  if (executor != nullptr) *executor = nullptr;
  if (workspace_size == nullptr) {
    return Fail(ACLNN_ERR_PARAM_NULLPTR, "workspaceSize is null, expected an address");
  }
  if (executor == nullptr) {
    return Fail(ACLNN_ERR_PARAM_NULLPTR, "executor is null, expected an address");
  }
  return {};
}

void FinishPhaseOne(PreparedCall&& call, uint64_t* workspace_size, aclOpExecutor** executor) {
  *workspace_size = call.workspace_size;
  *executor = anyaclMakeExecutor(std::move(call));
}

}  // namespace anyacl
