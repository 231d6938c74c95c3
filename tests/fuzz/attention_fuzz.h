// SPDX-License-Identifier: Apache-2.0
// One fuzzed call of FusedInferAttentionScore: right or broken, refused or run.
#pragma once

#include "aclnn/acl_meta.h"
#include "fuzz/choices.h"

namespace anyacl::test {

// Returns the code of the first phase.
int FuzzAttention(Choices& choices);

}  // namespace anyacl::test
