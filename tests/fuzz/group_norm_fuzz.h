// SPDX-License-Identifier: Apache-2.0
// Fuzzed calls of GroupNormBackward: right ones with any layouts and any outputs left out must
// compute what the oracle does and write nothing else; broken ones must be refused with a message,
// or run without leaving their memory.
#pragma once

#include "fuzz/corpus.h"
#include "ops/group_norm_case.h"
#include "support/choices.h"

namespace anyacl::test {

// Has the fixture's stream, without being a test.
class GroupNormFuzzer : public GroupNormTest {
 public:
  GroupNormFuzzer() { SetUp(); }
  ~GroupNormFuzzer() override { TearDown(); }

  Outcome Fuzz(Choices& choices);

 private:
  void TestBody() override {}
  Outcome RunBroken(const GradProblem& problem, const GradLayouts& layouts);
};

}  // namespace anyacl::test
