// SPDX-License-Identifier: Apache-2.0
// What a call costs besides its work: phases, synchronisation, events, memory.
#pragma once

#include "acl/acl.h"

namespace anyacl::bench {

void RegisterCallOverhead(aclrtStream stream);

}  // namespace anyacl::bench
