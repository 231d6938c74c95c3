// SPDX-License-Identifier: Apache-2.0
// Element-wise operators against copies and triads of the same moment.
#pragma once

#include "acl/acl.h"

namespace anyacl::bench {

void RegisterElementwise(aclrtStream stream);

}  // namespace anyacl::bench
