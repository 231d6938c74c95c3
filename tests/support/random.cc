// SPDX-License-Identifier: Apache-2.0
#include "support/random.h"

#include <cstdlib>

namespace anyacl::test {

uint64_t SeedOr(uint64_t fallback) {
  const char* text = std::getenv("ANYACL_TEST_SEED");
  return text != nullptr && *text != '\0' ? std::strtoull(text, nullptr, 0) : fallback;
}

}  // namespace anyacl::test
