// SPDX-License-Identifier: Apache-2.0
// How a benchmark takes its samples, what its counters are called, and the table on the console.
#pragma once

#include <benchmark/benchmark.h>

#include <vector>

namespace anyacl::bench {

// Counters. tools/plot_benchmarks.py knows them by these names.
constexpr char kBytesPerSecond[] = "bytes_per_second";
constexpr char kElementsPerSecond[] = "elements_per_second";
constexpr char kOperationsPerSecond[] = "operations_per_second";
constexpr char kCeilingBytesPerSecond[] = "ceiling_bytes_per_second";
constexpr char kCeilingOperationsPerSecond[] = "ceiling_operations_per_second";
constexpr char kPercentOfMemory[] = "percent_of_memory";
constexpr char kPercentOfCompute[] = "percent_of_compute";
constexpr char kPercentOfCeiling[] = "percent_of_ceiling";
constexpr char kP99Seconds[] = "p99_seconds";

// The function measures for itself and gives one median; Google Benchmark repeats it and takes the
// median of those, so that neither a slow call nor a slow second decides.
void OneSamplePerRepetition(benchmark::internal::Benchmark* benchmark);

// Prints one line per benchmark, with the medians.
class MedianTable : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;

  bool any_error() const { return any_error_; }

 private:
  bool any_error_ = false;
};

}  // namespace anyacl::bench
