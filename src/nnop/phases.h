// SPDX-License-Identifier: Apache-2.0
// Phase 1 of every operator.
#pragma once

#include <initializer_list>

#include "aclnn/acl_meta.h"
#include "nnop/exports.h"
#include "nnop/operands.h"

namespace anyacl {

// The part of phase 1 that all ways into an operator share: looks the handles up, lets `prepare`
// check and plan, and completes the call by what follows from its operands and its plan.
Status PrepareCall(const OpSpec& spec, PrepareFunction prepare, std::span<const Argument> arguments,
                   PreparedCall* call);

// Checks the out-pointers (161001) and clears them, and prepares the call. `arguments` stand in the
// order of the table.
aclnnStatus PhaseOne(const OpSpec& spec, std::span<const Argument> arguments,
                     uint64_t* workspace_size, aclOpExecutor** executor);
inline aclnnStatus PhaseOne(const OpSpec& spec, std::initializer_list<Argument> arguments,
                            uint64_t* workspace_size, aclOpExecutor** executor) {
  return PhaseOne(spec, std::span(arguments.begin(), arguments.size()), workspace_size, executor);
}
// The same for aclnnXGetMaxWorkspaceSize.
aclnnStatus PhaseMost(const OpSpec& spec, std::initializer_list<Argument> arguments,
                      uint64_t* workspace_size, aclOpExecutor** executor);

}  // namespace anyacl
