// SPDX-License-Identifier: Apache-2.0
// Fuzzed calls of GroupedMatmulSwigluQuant: right ones with any layouts and any bounds must compute
// what the oracle does and write nothing else; broken ones must be refused with a message, or run
// without leaving their memory.
#pragma once

#include "fuzz/corpus.h"
#include "ops/grouped_matmul_case.h"
#include "support/choices.h"

namespace anyacl::test {

// Has the fixture's stream, without being a test.
class GroupedMatmulFuzzer : public GroupedMatmulTest {
 public:
  GroupedMatmulFuzzer() { SetUp(); }
  ~GroupedMatmulFuzzer() override { TearDown(); }

  Outcome Fuzz(Choices& choices);

 private:
  void TestBody() override {}
  Outcome RunBroken(const GroupedLayouts& layouts, bool has_bias);
};

}  // namespace anyacl::test
