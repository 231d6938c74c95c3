// SPDX-License-Identifier: Apache-2.0
// Random valid combinations of features.
#pragma once

#include "ops/attention_problem.h"

namespace anyacl::test {

AttentionOptions RandomOneToken(Random& random);
AttentionOptions RandomPrompt(Random& random);

}  // namespace anyacl::test
