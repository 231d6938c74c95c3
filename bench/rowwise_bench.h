// SPDX-License-Identifier: Apache-2.0
// Softmax and norms of rows against a copy at the same moment.
#pragma once

#include "acl/acl.h"

namespace anyacl::bench {

void RegisterRowwise(aclrtStream stream);

}  // namespace anyacl::bench
