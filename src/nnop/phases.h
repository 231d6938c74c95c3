// SPDX-License-Identifier: Apache-2.0
// Phase 1 of every operator.
#pragma once

#include <initializer_list>

#include "aclnn/acl_meta.h"
#include "nnop/exports.h"
#include "nnop/operands.h"

namespace anyacl {

// Checks the out-pointers (161001) and clears them, looks the handles up, and lets the operator
// prepare the call. `arguments` stand in the order of the table.
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
