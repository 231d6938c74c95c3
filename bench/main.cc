// SPDX-License-Identifier: Apache-2.0
// anyacl_bench: runs the benchmarks. --help lists Google Benchmark's options, among them
// --benchmark_filter=REGEX and --benchmark_out=FILE (JSON).
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>

#include "attention_bench.h"
#include "call_overhead.h"
#include "ceilings.h"
#include "device.h"
#include "dynamic_quant_bench.h"
#include "elementwise_bench.h"
#include "group_norm_bench.h"
#include "grouped_matmul_bench.h"
#include "machine.h"
#include "movement_bench.h"
#include "reduction_bench.h"
#include "report.h"
#include "rowwise_bench.h"
#include "sparse_attention_bench.h"

namespace {

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "default";
}

void DescribeRun() {
  benchmark::AddCustomContext("cpu_model", anyacl::bench::CpuModel());
  benchmark::AddCustomContext("compiler", anyacl::bench::Compiler());
  benchmark::AddCustomContext("threads", std::to_string(anyacl::bench::BenchThreads()));
  benchmark::AddCustomContext("ANYACL_ISA", Environment("ANYACL_ISA"));
}

}  // namespace

int main(int argc, char** argv) {
  // Before anything of the library runs, which may pin threads.
  anyacl::bench::UsableCpus();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return EXIT_FAILURE;
  DescribeRun();

  const anyacl::bench::Device device;
  anyacl::bench::RegisterCeilings();
  anyacl::bench::RegisterCallOverhead(device.stream());
  anyacl::bench::RegisterDynamicQuant(device.stream());
  anyacl::bench::RegisterAttention(device.stream());
  anyacl::bench::RegisterElementwise(device.stream());
  anyacl::bench::RegisterGroupNorm(device.stream());
  anyacl::bench::RegisterGroupedMatmul(device.stream());
  anyacl::bench::RegisterMovement(device.stream());
  anyacl::bench::RegisterReductions(device.stream());
  anyacl::bench::RegisterRowwise(device.stream());
  anyacl::bench::RegisterSparseAttention(device.stream());
  anyacl::bench::MedianTable table;
  const bool any = benchmark::RunSpecifiedBenchmarks(&table) > 0;
  // They own tensors, which must not outlive the device.
  benchmark::ClearRegisteredBenchmarks();
  return !any || table.any_error() ? EXIT_FAILURE : EXIT_SUCCESS;
}
