// SPDX-License-Identifier: Apache-2.0
// Fuzzed first phases of any operator, made from its declaration: right calls, of which a few
// arguments are changed, are taken, or refused with a code that the operator's header tells and a
// message.
#pragma once

#include "fuzz/corpus.h"
#include "support/choices.h"

namespace anyacl::test {

Outcome FuzzOperator(Choices& choices);

}  // namespace anyacl::test
