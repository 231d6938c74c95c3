// SPDX-License-Identifier: Apache-2.0
// Fuzzed calls of InplaceFfnWorkerScheduler: right contexts with any slots filled must be taken as
// the reference does; broken contexts and arguments must be refused with a message and leave every
// byte as it was.
#pragma once

#include "fuzz/corpus.h"
#include "ops/ffn_case.h"
#include "support/choices.h"

namespace anyacl::test {

// Has the fixture's stream, without being a test.
class FfnFuzzer : public FfnTest {
 public:
  FfnFuzzer() { SetUp(); }
  ~FfnFuzzer() override { TearDown(); }

  Outcome Fuzz(Choices& choices);

 private:
  void TestBody() override {}
  Outcome RunBrokenTensor(Choices& choices);
  Outcome RunBrokenContext(FfnWorker& worker, int32_t group_size);
};

}  // namespace anyacl::test
