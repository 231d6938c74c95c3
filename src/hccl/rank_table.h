// SPDX-License-Identifier: Apache-2.0
// Rank tables: files in JSON that name all ranks, instead of a root info that one of them passes
// on.
#pragma once

#include "base/status.h"
#include "hccl/environment.h"
#include "hccl/root.h"

namespace anyacl::hccl {

// The root is where rank 0 is: the "host_ip" or, without one, "server_id" of its server, at
// HCCL_IF_BASE_PORT (60000). Where there is one server, that may be any name. The secret is made of
// the file, which must be the same on all servers.
Status ReadRankTable(const char* file, const Environment& environment, RootInfo* root,
                     uint32_t* ranks);

}  // namespace anyacl::hccl
