// SPDX-License-Identifier: Apache-2.0
// What the other tests of processes leave behind: nothing.
#include "support/temp_dir.h"

#include "fixture.h"

namespace anyacl::test {
namespace {

// The fresh process begins the test again and leaves it in the middle.
TEST(TempDirTest, AFreshProcessRemovesItsDirectories) {
  const TempDir all;
  ScopedEnv temporary("TMPDIR", all.path().string());
  InFreshProcess([] { const TempDir of_the_body; });
  EXPECT_TRUE(std::filesystem::is_empty(all.path()));
}

}  // namespace
}  // namespace anyacl::test
