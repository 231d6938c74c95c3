// SPDX-License-Identifier: Apache-2.0
// Operators that all ranks run together: what they compute is theirs, the collectives between are
// the communicator's.
#pragma once

#include <cstdint>
#include <optional>

#include "hccl/communicator.h"

namespace anyacl::hccl {

// Runs the computation. Each of its collectives is an exchange of its own: the time-out does not
// count what is computed between them, and a communicator that is destroyed meanwhile waits for it.
Status Compute(Communicator& communicator, const Work& work, uint64_t number, const StopToken& stop,
               std::optional<uint32_t> replay);

}  // namespace anyacl::hccl
