// SPDX-License-Identifier: Apache-2.0
// Reductions against reading memory, or the caches, at the same moment.
#pragma once

#include "acl/acl.h"

namespace anyacl::bench {

void RegisterReductions(aclrtStream stream);

}  // namespace anyacl::bench
