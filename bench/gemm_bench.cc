// SPDX-License-Identifier: Apache-2.0
// gemm_bench: the matrix engine against the machine's limits: for many rows the peak of the
// multiplications that the types allow, for one row the rate of reading memory. --help lists Google
// Benchmark's options.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "ceilings.h"
#include "gemm/gemm.h"
#include "kernels.h"
#include "machine.h"
#include "measure.h"
#include "reference/gemm.h"
#include "report.h"
#include "support/element.h"
#include "support/fixed.h"

namespace anyacl::bench {
namespace {

struct GemmCase {
  Element type;
  int64_t rows, columns, depth;
  bool transposed;  // B as [columns, depth], as a linear layer keeps its weights

  int64_t element_bytes() const { return BytesOf(type); }
};

std::string NameOf(const GemmCase& c) {
  const char* const type = c.type == Element::kFp32   ? "fp32"
                           : c.type == Element::kFp16 ? "fp16"
                           : c.type == Element::kBf16 ? "bf16"
                                                      : "int8";
  return std::string("Gemm/") + type + "/" + std::to_string(c.rows) + "x" +
         std::to_string(c.columns) + "x" + std::to_string(c.depth) +
         (c.transposed ? "/transposed" : "");
}

std::vector<GemmCase> AllCases() {
  std::vector<GemmCase> cases;
  for (const Element type : {Element::kFp32, Element::kBf16, Element::kFp16, Element::kInt8}) {
    for (const bool transposed : {false, true}) {
      for (const int64_t size : {1024, 2048, 4096}) {
        cases.push_back({type, size, size, size, transposed});
      }
      for (const int64_t rows : {1, 4, 16, 64}) {
        cases.push_back({type, rows, 14336, 8192, transposed});
      }
    }
  }
  return cases;
}

// Memory for the largest case, used again by the others.
char* Memory(int which) {
  constexpr size_t kBytes = size_t{14336} * 8192 * 4;
  static char* const pieces[4] = {static_cast<char*>(HugeAlloc(size_t{4096} * 4096 * 4)),
                                  static_cast<char*>(HugeAlloc(kBytes)),
                                  static_cast<char*>(HugeAlloc(size_t{4096} * 4096 * 4)),
                                  static_cast<char*>(HugeAlloc(size_t{96} << 20))};
  return pieces[which];
}

// Of int8 multiples of 1/32, and thirds of them else: tiles multiply numbers of few bits up to a
// quarter faster than others.
void Fill(Element type, char* to, int64_t count, int64_t salt) {
  const float scale = type == Element::kInt8 ? 32 : 1.0f / 3;
  for (int64_t i = 0; i < count; ++i) {
    const float value = test::FixedValue(static_cast<uint64_t>(i + salt)) * scale;
    test::StoreElement(test::DataTypeOf(type), value, to, i);
  }
}

float Load(Element type, const char* from, int64_t i) {
  return static_cast<float>(test::LoadElement(test::DataTypeOf(type), from, i));
}

class GemmCall {
 public:
  explicit GemmCall(const GemmCase& c) : case_(c), plan_(ProblemOf(c)) {
    Fill(c.type, Memory(0), c.rows * c.depth, 1);
    Fill(c.type, Memory(1), c.columns * c.depth, int64_t{1} << 40);
    if (plan_.workspace_bytes() > size_t{96} << 20) std::abort();
  }
  void Run() const { plan_.Run({.a = Memory(0), .b = Memory(1), .c = Memory(2)}, Memory(3)); }
  double operations() const {
    return 2.0 * static_cast<double>(case_.rows * case_.columns * case_.depth);
  }
  double bytes() const {
    return static_cast<double>((case_.rows + case_.columns) * case_.depth * case_.element_bytes());
  }

  // Some elements in double; true if they are right.
  bool Check() const {
    Run();
    const gemm::Problem p = ProblemOf(case_);
    for (int64_t i = 0; i < 200; ++i) {
      const int64_t m = i * 7919 % case_.rows, n = i * 104729 % case_.columns;
      std::vector<float> row, column;
      for (int64_t k = 0; k < case_.depth; ++k) {
        row.push_back(Load(case_.type, Memory(0), m * p.a.row_step + k));
        column.push_back(Load(case_.type, Memory(1), k * p.b.row_step + n * p.b.column_step));
      }
      double sum = 0, magnitude = 0;
      test::RowFp64(row.data(), column.data(), case_.depth, 1, &sum, &magnitude);
      const double unit = case_.type == Element::kBf16 ? 0x1p-8 : 0x1p-11;
      const double bound =
          case_.type == Element::kInt8
              ? 0
              : unit * std::abs(sum) + static_cast<double>(case_.depth) * 0x1p-23 * magnitude;
      const int64_t at = m * case_.columns + n;
      const double result = test::LoadElement(test::DataTypeOf(p.c.type), Memory(2), at);
      if (!(std::abs(result - sum) <= bound)) return false;
    }
    return true;
  }

 private:
  static gemm::Problem ProblemOf(const GemmCase& c) {
    gemm::Problem p;
    p.rows = c.rows;
    p.columns = c.columns;
    p.depth = c.depth;
    p.a = {c.type, c.depth, 1};
    p.b = c.transposed ? gemm::Matrix{c.type, 1, c.depth} : gemm::Matrix{c.type, c.columns, 1};
    p.c = {c.type == Element::kInt8 ? Element::kInt32 : c.type, c.columns, 1};
    return p;
  }

  const GemmCase& case_;
  const gemm::Plan plan_;
};

// What the products of a type are bound by.
double PeakOf(Element type) {
  const KernelTable* const tiles = KernelsOf(IsaTier::kAmx);
  if (tiles != nullptr && &Kernels() == tiles) {
    if (type == Element::kInt8) return ComputePeakRate("int8_tiles");
    if (type == Element::kBf16) return ComputePeakRate("bf16_tiles");
  }
  if (type == Element::kInt8) return Int8DotRate();
  const bool pairs = type == Element::kBf16 && Kernels().gemm.bf16 != Kernels().gemm.fp32;
  return ComputePeakRate(pairs ? "bf16_dot" : "fp32_fma");
}

double TimeCalls(const GemmCall& call, int calls) {
  const double start = Now();
  for (int i = 0; i < calls; ++i) call.Run();
  return (Now() - start) / calls;
}

// Alternates between the limits and the products: the limits change over time.
void Measure(benchmark::State& state, const GemmCase& c) {
  constexpr int kRounds = 3;
  constexpr double kRoundSeconds = 0.05;
  const GemmCall call(c);
  if (!call.Check()) {
    state.SkipWithError("the result is wrong");
    return;
  }
  const int calls = std::clamp(static_cast<int>(kRoundSeconds / TimeCalls(call, 1)), 1, 200);
  for (auto _ : state) {
    std::vector<double> seconds, reads = {MemoryReadRate()}, peaks = {PeakOf(c.type)};
    std::vector<double> of_memory, of_peak;
    for (int round = 0; round < kRounds; ++round) {
      TimeCalls(call, 1);
      seconds.push_back(TimeCalls(call, calls));
      reads.push_back(MemoryReadRate());
      peaks.push_back(PeakOf(c.type));
      const auto i = static_cast<size_t>(round);
      of_memory.push_back(200 * call.bytes() / seconds[i] / (reads[i] + reads[i + 1]));
      of_peak.push_back(200 * call.operations() / seconds[i] / (peaks[i] + peaks[i + 1]));
    }
    const double time = Median(seconds);
    state.SetIterationTime(time);
    state.counters[kBytesPerSecond] = call.bytes() / time;
    state.counters[kOperationsPerSecond] = call.operations() / time;
    state.counters[kCeilingBytesPerSecond] = Median(reads);
    state.counters[kCeilingOperationsPerSecond] = Median(peaks);
    state.counters[kPercentOfMemory] = Median(of_memory);
    state.counters[kPercentOfCompute] = Median(of_peak);
    state.counters[kPercentOfCeiling] = std::max(Median(of_memory), Median(of_peak));
  }
  state.SetLabel("roofline");
}

}  // namespace
}  // namespace anyacl::bench

int main(int argc, char** argv) {
  using namespace anyacl::bench;
  // Before anything of the library runs, which may pin threads.
  UsableCpus();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return EXIT_FAILURE;
  const std::vector<GemmCase> cases = AllCases();
  for (const GemmCase& c : cases) {
    benchmark::RegisterBenchmark(NameOf(c).c_str(), [&c](benchmark::State& state) {
      Measure(state, c);
    })->Apply(OneSamplePerRepetition);
  }
  MedianTable table;
  const bool any = benchmark::RunSpecifiedBenchmarks(&table) > 0;
  return !any || table.any_error() ? EXIT_FAILURE : EXIT_SUCCESS;
}
