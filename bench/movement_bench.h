// SPDX-License-Identifier: Apache-2.0
// Operators that move elements against copies of the same moment.
#pragma once

#include "acl/acl.h"

namespace anyacl::bench {

void RegisterMovement(aclrtStream stream);

}  // namespace anyacl::bench
