// SPDX-License-Identifier: Apache-2.0
// The frame of phase 1, the same for every operator.
#pragma once

#include "aclnn/acl_meta.h"
#include "base/entry.h"
#include "nnop/exports.h"

namespace anyacl {

// Both out-pointers must be given (161001); they are cleared first.
Status BeginPhaseOne(uint64_t* workspace_size, aclOpExecutor** executor);
// Hands the call's executor and workspace size out.
void FinishPhaseOne(PreparedCall&& call, uint64_t* workspace_size, aclOpExecutor** executor);

// `prepare` checks the arguments and fills in the call.
template <class Prepare>
aclnnStatus PhaseOne(const OpInfo& op, uint64_t* workspace_size, aclOpExecutor** executor,
                     Prepare prepare) {
  return Entry(op.phase_one, [&]() -> Status {
    if (Status s = BeginPhaseOne(workspace_size, executor); !s.ok()) return s;
    PreparedCall call;
    call.op = &op;
    if (Status s = prepare(call); !s.ok()) return s;
    FinishPhaseOne(std::move(call), workspace_size, executor);
    return {};
  });
}

}  // namespace anyacl
