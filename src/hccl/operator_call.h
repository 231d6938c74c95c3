// SPDX-License-Identifier: Apache-2.0
// Operators that all ranks run together: what they compute is theirs, the collectives between are
// the communicator's.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "hccl/communicator.h"

namespace anyacl::hccl {

// Runs the computation. Each of its collectives is an exchange of its own: the time-out does not
// count what is computed between them, and a communicator that is destroyed meanwhile waits for it.
// The second part is that of a call with two groups.
Status Compute(std::span<const OperationPart> parts, const StopToken& stop,
               std::optional<uint32_t> replay);

// Of a task that failed in one of them: all fail, because the others wait for what will not come.
void AbortAll(std::span<const OperationPart> parts);

}  // namespace anyacl::hccl
