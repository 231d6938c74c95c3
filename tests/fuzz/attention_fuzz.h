// SPDX-License-Identifier: Apache-2.0
// One fuzzed call of FusedInferAttentionScore: right or broken, refused or run.
#pragma once

#include "fuzz/corpus.h"
#include "support/choices.h"

namespace anyacl::test {

Outcome FuzzAttention(Choices& choices);
// The same of calls that V2 does not know.
Outcome FuzzExtendedAttention(Choices& choices);

}  // namespace anyacl::test
