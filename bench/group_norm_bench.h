// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "acl/acl.h"

namespace anyacl::bench {

// Group normalisation and its gradients on the shapes of diffusion models.
void RegisterGroupNorm(aclrtStream stream);

}  // namespace anyacl::bench
