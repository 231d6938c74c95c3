// SPDX-License-Identifier: Apache-2.0
// aclnnDynamicQuantV2 on the shapes of dynamic_quant_shapes.h.
#pragma once

#include "acl/acl.h"

namespace anyacl::bench {

void RegisterDynamicQuant(aclrtStream stream);

}  // namespace anyacl::bench
