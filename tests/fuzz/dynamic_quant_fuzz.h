// SPDX-License-Identifier: Apache-2.0
// One fuzzed call of DynamicQuant or DynamicQuantV2.
#pragma once

#include "acl/acl.h"
#include "fuzz/corpus.h"
#include "support/choices.h"

namespace anyacl::test {

// Makes a call that is right, breaks it in up to three places, and checks with GoogleTest that
//   - phase 1 returns 0 or a documented code, and an unbroken call succeeds;
//   - a refusal leaves no executor, and a message that names a parameter;
//   - an accepted call gives the oracle's results where its tensors have memory, writes nothing but
//     elements of the outputs, and is refused by phase 2 where a tensor leaves its memory.
// Returns how phase 1 ended.
Outcome FuzzDynamicQuant(Choices& choices, aclrtStream stream);

}  // namespace anyacl::test
