// SPDX-License-Identifier: Apache-2.0
// Random combinations of features against the oracle. A failure shows the seed and the options.
#include "ops/attention_options.h"
#include "ops/attention_problem.h"
#include "support/emulated.h"

namespace anyacl::test {
namespace {

class AttentionRandomTest : public AttentionTest {
 protected:
  void RunMany(int count, AttentionOptions (*make)(Choices&)) {
    Choices choices(static_cast<uint64_t>(random().Int(0, INT64_MAX)));
    for (int i = 0; i < count && !HasFatalFailure() && !HasNonfatalFailure(); ++i) {
      RunAndCheck(make(choices));
    }
  }
};

TEST_F(AttentionRandomTest, OneToken) { RunMany(IsEmulated() ? 60 : 200, RandomOneToken); }
TEST_F(AttentionRandomTest, Prompt) { RunMany(IsEmulated() ? 40 : 150, RandomPrompt); }

}  // namespace
}  // namespace anyacl::test
