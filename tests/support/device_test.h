// SPDX-License-Identifier: Apache-2.0
// The fixture of operator tests: an initialised runtime, device 0, a stream, a seeded generator,
// and the two phases of an operator run as a careful client runs them.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>

#include "aclnn/acl_meta.h"
#include "support/expect.h"
#include "support/random.h"
#include "support/tensor.h"

namespace anyacl::test {

using Phase1 = std::function<aclnnStatus(uint64_t*, aclOpExecutor**)>;
using Phase2 = aclnnStatus (*)(void*, uint64_t, aclOpExecutor*, aclrtStream);

// What a first phase left in its out-parameters, which start as garbage.
struct Prepared {
  aclnnStatus code = 0;
  uint64_t workspace_size = 0xABABABABABABABAB;
  aclOpExecutor* executor = reinterpret_cast<aclOpExecutor*>(uintptr_t{0x5A5A5A5A});
};

// Calls the first phase, having dropped older messages.
Prepared Prepare(const Phase1& phase1);

// The first phase fails with `code` and a message that holds `words`, and leaves no executor.
void ExpectRefused(const Phase1& phase1, int code, std::initializer_list<std::string_view> words);

class DeviceTest : public ::testing::Test {
 protected:
  DeviceTest();
  void SetUp() override;
  void TearDown() override;

  aclrtStream stream() const { return stream_; }
  Random& random() { return random_; }

  // Both phases and the wait for the stream; every step must succeed. The workspace is exactly as
  // large as asked for and must not be left.
  void RunTwoPhase(const Phase1& phase1, Phase2 phase2);

 private:
  uint64_t seed_;
  ::testing::ScopedTrace seed_trace_;
  Random random_;
  aclrtStream stream_ = nullptr;
};

}  // namespace anyacl::test
