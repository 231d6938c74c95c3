// SPDX-License-Identifier: Apache-2.0
// Random valid combinations of features.
#pragma once

#include "ops/attention_problem.h"
#include "support/choices.h"

namespace anyacl::test {

AttentionOptions RandomOneToken(Choices& choices);
AttentionOptions RandomPrompt(Choices& choices);

}  // namespace anyacl::test
