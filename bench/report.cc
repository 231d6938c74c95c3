// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace anyacl::bench {
namespace {

std::string ReadableTime(double seconds) {
  char text[32];
  if (seconds < 1e-6) {
    std::snprintf(text, sizeof text, "%.0f ns", seconds * 1e9);
  } else if (seconds < 1e-3) {
    std::snprintf(text, sizeof text, "%.2f us", seconds * 1e6);
  } else {
    std::snprintf(text, sizeof text, "%.2f ms", seconds * 1e3);
  }
  return text;
}

using Run = benchmark::BenchmarkReporter::Run;

void PrintRate(const Run& run, const char* counter, const char* unit) {
  const auto found = run.counters.find(counter);
  if (found != run.counters.end()) std::printf("%10.2f %s", found->second.value / 1e9, unit);
}

void PrintPercent(const Run& run, const char* counter, const char* what) {
  const auto found = run.counters.find(counter);
  if (found != run.counters.end()) std::printf("%7.1f %% %s", found->second.value, what);
}

}  // namespace

void OneSamplePerRepetition(benchmark::internal::Benchmark* benchmark) {
  const int repetitions = std::getenv("ANYACL_BENCH_ONCE") != nullptr ? 1 : 5;
  benchmark->UseManualTime()->Iterations(1)->Repetitions(repetitions)->ReportAggregatesOnly();
  benchmark->Unit(benchmark::kMicrosecond);
}

bool MedianTable::ReportContext(const Context& context) {
  std::printf("%d CPUs, load average", context.cpu_info.num_cpus);
  for (double load : context.cpu_info.load_avg) std::printf(" %.2f", load);
  std::printf("\n%-62s %10s\n", "benchmark", "median");
  return true;
}

void MedianTable::ReportRuns(const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    if (run.error_occurred) {
      any_error_ = true;
      std::printf("%-62s FAILED: %s\n", run.run_name.function_name.c_str(),
                  run.error_message.c_str());
      continue;
    }
    if (run.run_type == Run::RT_Aggregate && run.aggregate_name != "median") continue;
    const double seconds =
        run.GetAdjustedRealTime() / benchmark::GetTimeUnitMultiplier(run.time_unit);
    std::printf("%-62s %10s", run.run_name.function_name.c_str(), ReadableTime(seconds).c_str());
    PrintRate(run, kBytesPerSecond, "GB/s");
    PrintRate(run, kElementsPerSecond, "Gelem/s");
    PrintRate(run, kOperationsPerSecond, "Gop/s");
    PrintPercent(run, kPercentOfMemory, "memory");
    PrintPercent(run, kPercentOfCompute, "compute");
    const auto percent = run.counters.find(kPercentOfCeiling);
    if (percent != run.counters.end()) {
      std::printf("%7.1f %% of %s", percent->second.value, run.report_label.c_str());
    }
    const auto p99 = run.counters.find(kP99Seconds);
    if (p99 != run.counters.end()) {
      std::printf("   p99 %s", ReadableTime(p99->second.value).c_str());
    }
    std::printf("\n");
  }
  std::fflush(stdout);
}

}  // namespace anyacl::bench
