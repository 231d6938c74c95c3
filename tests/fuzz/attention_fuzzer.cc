// SPDX-License-Identifier: Apache-2.0
// The libFuzzer entry for FusedInferAttentionScore.
#include "fuzz/attention_fuzz.h"
#include "fuzz/fuzzer_start.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  anyacl::test::Choices choices(data, size);
  anyacl::test::FuzzAttention(choices);
  return 0;
}
