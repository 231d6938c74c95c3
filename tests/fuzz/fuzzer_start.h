// SPDX-License-Identifier: Apache-2.0
// How a libFuzzer program starts; included once by each. Its checks are those of the fuzz test.
#pragma once

#include <gtest/gtest.h>

#include "acl/acl.h"

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  testing::InitGoogleTest(argc, *argv);
  // A failed expectation becomes an exception, which libFuzzer reports with its input.
  GTEST_FLAG_SET(throw_on_failure, true);
  return aclInit(nullptr) == ACL_SUCCESS && aclrtSetDevice(0) == ACL_SUCCESS ? 0 : 1;
}
