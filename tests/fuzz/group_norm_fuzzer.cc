// SPDX-License-Identifier: Apache-2.0
// The libFuzzer entry for GroupNormBackward.
#include "fuzz/fuzzer_start.h"
#include "fuzz/group_norm_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static anyacl::test::GroupNormFuzzer fuzzer;
  anyacl::test::Choices choices(data, size);
  fuzzer.Fuzz(choices);
  return 0;
}
