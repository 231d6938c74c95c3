// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "acl/acl.h"

namespace anyacl::bench {

// The indexer and attention to the keys that it chooses; attention to blocks that a mask names.
void RegisterSparseAttention(aclrtStream stream);

}  // namespace anyacl::bench
