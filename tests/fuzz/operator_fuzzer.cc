// SPDX-License-Identifier: Apache-2.0
// The libFuzzer entry for all operators' first phases.
#include "fuzz/fuzzer_start.h"
#include "fuzz/operator_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  anyacl::test::Choices choices(data, size);
  anyacl::test::FuzzOperator(choices);
  return 0;
}
