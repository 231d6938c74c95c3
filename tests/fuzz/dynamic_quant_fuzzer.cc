// SPDX-License-Identifier: Apache-2.0
// The libFuzzer entry for DynamicQuant.
#include "fuzz/dynamic_quant_fuzz.h"
#include "fuzz/fuzzer_start.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  anyacl::test::Choices choices(data, size);
  anyacl::test::FuzzDynamicQuant(choices, nullptr);
  return 0;
}
