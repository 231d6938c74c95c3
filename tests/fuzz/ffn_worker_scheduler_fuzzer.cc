// SPDX-License-Identifier: Apache-2.0
// The libFuzzer entry for InplaceFfnWorkerScheduler.
#include "fuzz/ffn_worker_scheduler_fuzz.h"
#include "fuzz/fuzzer_start.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static anyacl::test::FfnFuzzer fuzzer;
  anyacl::test::Choices choices(data, size);
  fuzzer.Fuzz(choices);
  return 0;
}
