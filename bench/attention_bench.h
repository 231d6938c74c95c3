// SPDX-License-Identifier: Apache-2.0
// aclnnFusedInferAttentionScoreV2 on the shapes of attention_shapes.h.
#pragma once

#include "acl/acl.h"

namespace anyacl::bench {

void RegisterAttention(aclrtStream stream);

}  // namespace anyacl::bench
