// SPDX-License-Identifier: Apache-2.0
#include "nnop/phases.h"

#include "base/entry.h"

namespace anyacl {
namespace {

Status CheckOutPointers(uint64_t* workspace_size, aclOpExecutor** executor) {
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

}  // namespace

aclnnStatus PhaseOne(const OpSpec& spec, std::span<const Argument> arguments,
                     uint64_t* workspace_size, aclOpExecutor** executor) {
  return Entry(spec.op.phase_one, [&]() -> Status {
    if (Status s = CheckOutPointers(workspace_size, executor); !s.ok()) return s;
    Operands operands(spec, arguments);
    if (Status s = operands.Resolve(); !s.ok()) return s;
    PreparedCall call;
    call.op = &spec.op;
    if (Status s = spec.prepare(operands, &call); !s.ok()) return s;
    call.slots = operands.Slots();
    if (call.plan != nullptr) call.workspace_size = call.plan->workspace_size();
    *workspace_size = call.workspace_size;
    *executor = anyaclMakeExecutor(std::move(call));
    return {};
  });
}

}  // namespace anyacl
