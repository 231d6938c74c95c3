// SPDX-License-Identifier: Apache-2.0
// Bits of a test against those of the same test in processes with other numbers of threads, for
// results that other tiers have in other bits, so that no number can be pinned.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

#include "support/emulated.h"

namespace anyacl::test {

// The test, which such a process runs from its beginning up to here, must draw no numbers.
inline void ExpectTheSameBitsForAnyNumberOfThreads(uint64_t bits) {
  if (IsEmulated()) GTEST_SKIP() << "a program cannot start itself under an emulator";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const char* const before = std::getenv("ANYACL_THREADS");
  const std::string kept = before == nullptr ? "" : before;
  for (const char* threads : {"1", "2", "7"}) {
    SCOPED_TRACE(threads);
    setenv("ANYACL_THREADS", threads, 1);
    const std::string expected = "bits " + std::to_string(bits) + "\n";
    EXPECT_EXIT(
        {
          std::cerr << expected;
          _exit(0);
        },
        ::testing::ExitedWithCode(0), expected);
  }
  before == nullptr ? unsetenv("ANYACL_THREADS") : setenv("ANYACL_THREADS", kept.c_str(), 1);
}

}  // namespace anyacl::test
