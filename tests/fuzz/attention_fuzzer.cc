// SPDX-License-Identifier: Apache-2.0
// The libFuzzer entry for FusedInferAttentionScore; the checks are those of the fuzz test.
#include <gtest/gtest.h>

#include "acl/acl.h"
#include "fuzz/attention_fuzz.h"

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  testing::InitGoogleTest(argc, *argv);
  // A failed expectation becomes an exception, which libFuzzer reports with its input.
  GTEST_FLAG_SET(throw_on_failure, true);
  return aclInit(nullptr) == ACL_SUCCESS && aclrtSetDevice(0) == ACL_SUCCESS ? 0 : 1;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  anyacl::test::Choices choices(data, size);
  anyacl::test::FuzzAttention(choices);
  return 0;
}
