// SPDX-License-Identifier: Apache-2.0
// Tests leave out what an emulator cannot do, or would take minutes for.
#pragma once

#include <cstdlib>

namespace anyacl::test {

// Whether an emulator runs the tests, as the preset arm64-qemu tells.
inline bool IsEmulated() { return std::getenv("ANYACL_TEST_EMULATED") != nullptr; }

}  // namespace anyacl::test
