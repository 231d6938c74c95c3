// SPDX-License-Identifier: Apache-2.0
#include "ceilings.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compute_peaks.h"
#include "machine.h"
#include "measure.h"
#include "memory_loops.h"
#include "pinned_team.h"
#include "report.h"

namespace anyacl::bench {
namespace {

constexpr size_t kMib = size_t{1} << 20;
// Of each of the three arrays in memory: four times a large last level cache.
constexpr size_t kArrayBytes = 128 * kMib;
// A run in the caches is repeated until so many bytes have moved: some milliseconds.
constexpr size_t kCacheTraffic = 256 * kMib;
constexpr int kRunsPerSample = 7;

// What a prefetching loop may touch beyond its end.
constexpr size_t kSlack = 2 * kMib;

struct Arrays {
  char* a = static_cast<char*>(HugeAlloc(kArrayBytes + kSlack));
  char* b = static_cast<char*>(HugeAlloc(kArrayBytes + kSlack));
  char* c = static_cast<char*>(HugeAlloc(kArrayBytes + kSlack));
};

// They stay for the life of the process: to allocate and touch them takes longer than a sample.
const Arrays& MemoryArrays() {
  static const Arrays arrays;
  return arrays;
}

PinnedTeam& Team(int threads) {
  static PinnedTeam one(1);
  static std::unique_ptr<PinnedTeam> all;
  if (threads == 1) return one;
  if (all == nullptr || all->size() != threads) all = std::make_unique<PinnedTeam>(threads);
  return *all;
}

// The bytes of thread `index` of an equal division, a multiple of the loops' 512.
struct Part {
  size_t begin;
  size_t bytes;
};

Part PartOf(size_t bytes, int index, int threads) {
  const size_t part = bytes / threads / 512 * 512;
  return {part * index, part};
}

// A way to keep the machine busy on `threads` threads; returns the seconds that it took.
using Load = std::function<double(int threads)>;

double MedianRate(double amount, const Load& load, int threads, int runs) {
  load(threads);
  std::vector<double> seconds;
  for (int i = 0; i < runs; ++i) seconds.push_back(load(threads));
  return amount / Median(seconds);
}

double ReadMemory(int threads) {
  const char* source = MemoryArrays().a;
  return Team(threads).Run([&](int i) {
    const Part part = PartOf(kArrayBytes, i, threads);
    BestMemoryLoops().read(source + part.begin, part.bytes);
  });
}

double CopyMemory(int threads, bool stream) {
  const MemoryLoops& loops = BestMemoryLoops();
  const auto copy = stream && loops.stream_copy != nullptr ? loops.stream_copy : loops.copy;
  const Arrays& arrays = MemoryArrays();
  return Team(threads).Run([&](int i) {
    const Part part = PartOf(kArrayBytes, i, threads);
    copy(arrays.b + part.begin, arrays.a + part.begin, part.bytes);
  });
}

double TriadMemory(int threads, bool stream) {
  const MemoryLoops& loops = BestMemoryLoops();
  const auto triad = stream && loops.stream_triad != nullptr ? loops.stream_triad : loops.triad;
  const Arrays& arrays = MemoryArrays();
  return Team(threads).Run([&](int i) {
    const Part part = PartOf(kArrayBytes, i, threads);
    triad(reinterpret_cast<float*>(arrays.c + part.begin),
          reinterpret_cast<const float*>(arrays.a + part.begin),
          reinterpret_cast<const float*>(arrays.b + part.begin), part.bytes);
  });
}

// Each thread reads `bytes` of its own again and again, `traffic` bytes in all.
double ReadCache(int threads, size_t bytes, size_t traffic) {
  const char* source = MemoryArrays().a;
  return Team(threads).Run([&](int i) {
    // Apart by more than the slack, so that no thread prefetches another's bytes.
    const char* own = source + i * (bytes + kSlack / 2);
    for (size_t done = 0; done < traffic; done += bytes) BestMemoryLoops().read(own, bytes);
  });
}

double CopyCache(int threads, size_t bytes, size_t traffic) {
  const Arrays& arrays = MemoryArrays();
  return Team(threads).Run([&](int i) {
    const size_t begin = i * bytes;
    for (size_t done = 0; done < traffic; done += 2 * bytes) {
      BestMemoryLoops().copy(arrays.b + begin, arrays.a + begin, bytes);
    }
  });
}

// Each thread goes `rounds` times over its `pieces` of three arrays.
double TwoPasses(int threads, bool stream, size_t piece, size_t pieces, int rounds) {
  constexpr size_t kRow = 4096;
  const MemoryLoops& loops = BestMemoryLoops();
  const auto triad = stream && loops.stream_triad != nullptr ? loops.stream_triad : loops.triad;
  const Arrays& arrays = MemoryArrays();
  return Team(threads).Run([&](int i) {
    const auto write = [&](size_t at, size_t bytes) {
      triad(reinterpret_cast<float*>(arrays.c + at), reinterpret_cast<const float*>(arrays.a + at),
            reinterpret_cast<const float*>(arrays.b + at), bytes);
    };
    const size_t first = i * pieces * piece;
    for (int round = 0; round < rounds; ++round) {
      for (size_t begin = first; begin < first + pieces * piece; begin += piece) {
        loops.read_two(arrays.a + begin, arrays.b + begin, piece);
        size_t left = piece;
        for (; left > kRow; left -= kRow) write(begin + left - kRow, kRow);
        write(begin, left);
      }
    }
  });
}

double Compute(int threads, const ComputePeak& peak, int64_t loops) {
  return Team(threads).Run([&](int) { peak.run(loops); });
}

void Register(const std::string& name, int threads, double amount, bool bytes, const Load& load) {
  const std::string full = "Ceiling/" + name + "/" + std::to_string(threads) + "_threads";
  benchmark::RegisterBenchmark(full.c_str(), [=](benchmark::State& state) {
    for (auto _ : state) {
      const double rate = MedianRate(amount, load, threads, kRunsPerSample);
      state.SetIterationTime(amount / rate);
      state.counters[bytes ? kBytesPerSecond : kOperationsPerSecond] = rate;
    }
  })->Apply(OneSamplePerRepetition);
}

void RegisterMemory(int threads) {
  const bool can_stream = BestMemoryLoops().stream_copy != nullptr;
  const auto bytes = static_cast<double>(kArrayBytes);
  Register("memory_read", threads, bytes, true, ReadMemory);
  Register("memory_copy", threads, 2 * bytes, true, [](int n) { return CopyMemory(n, false); });
  Register("memory_triad", threads, 3 * bytes, true, [](int n) { return TriadMemory(n, false); });
  if (!can_stream) return;
  Register("memory_stream_copy", threads, 2 * bytes, true,
           [](int n) { return CopyMemory(n, true); });
  Register("memory_stream_triad", threads, 3 * bytes, true,
           [](int n) { return TriadMemory(n, true); });
  // In groups of 512 KiB: read, then read again from L2 and written past the caches.
  constexpr size_t kPiece = 256 << 10;
  Register("memory_two_passes", threads, 3 * bytes, true, [](int n) {
    return TwoPasses(n, true, kPiece, kArrayBytes / kPiece / static_cast<size_t>(n), 1);
  });
}

void RegisterCaches(int threads) {
  struct Level {
    const char* name;
    size_t bytes;  // Per thread.
  };
  // Half of a usual L1 and L2, and a share of L3 that other cores leave.
  const Level levels[] = {{"l1_read", 16 << 10}, {"l2_read", 512 << 10}, {"l3_read", 4 * kMib}};
  const double traffic = static_cast<double>(kCacheTraffic) * threads;
  for (const Level& level : levels) {
    const size_t bytes = level.bytes;
    Register(level.name, threads, traffic, true,
             [bytes](int n) { return ReadCache(n, bytes, kCacheTraffic); });
  }
  Register("l2_copy", threads, traffic, true,
           [](int n) { return CopyCache(n, 256 << 10, kCacheTraffic); });
}

void RegisterCompute(int threads) {
  // Ten milliseconds at some 20 instructions per loop.
  constexpr int64_t kLoops = 1'000'000;
  for (const ComputePeak& peak : ComputePeaks()) {
    Register(peak.name, threads, peak.operations_per_loop * kLoops * threads, false,
             [peak](int n) { return Compute(n, peak, kLoops); });
  }
}

}  // namespace

void RegisterCeilings() {
  std::vector<int> counts = {1};
  if (BenchThreads() > 1) counts.push_back(BenchThreads());
  for (int threads : counts) {
    RegisterMemory(threads);
    RegisterCaches(threads);
    RegisterCompute(threads);
  }
}

double MemoryCopyRate() { return 2.0 * kArrayBytes / CopyMemory(BenchThreads(), true); }

double MemoryReadRate() { return kArrayBytes / ReadMemory(BenchThreads()); }

double Int8DotRate() {
  constexpr int64_t kLoops = 500'000;
  const int threads = BenchThreads();
  static const ComputePeak peak = Int8DotPeak();
  return peak.operations_per_loop * kLoops * threads / Compute(threads, peak, kLoops);
}

double MemoryTriadRate() { return 3.0 * kArrayBytes / TriadMemory(BenchThreads(), true); }

double CacheReadRate(size_t footprint) {
  const int threads = BenchThreads();
  footprint = std::min(footprint, kArrayBytes - std::min(kArrayBytes / 2, threads * kSlack / 2));
  const size_t bytes = std::max<size_t>(PartOf(footprint, 0, threads).bytes, 512);
  const size_t traffic = std::max<size_t>(64 * kMib / bytes, 1) * bytes;
  return MedianRate(
      static_cast<double>(traffic) * threads, [&](int n) { return ReadCache(n, bytes, traffic); },
      threads, 1);
}

double TwoPassRate(size_t piece, size_t footprint) {
  const int threads = BenchThreads();
  piece = std::max<size_t>(piece / 512 * 512, 512);
  const size_t pieces = std::max<size_t>(footprint / 3 / piece / threads, 1);
  const size_t bytes = 3 * piece * pieces * threads;
  const int rounds = static_cast<int>(64 * kMib / bytes) + 1;
  double best = 0;
  for (bool stream : {false, true}) {
    best = std::max(
        best, MedianRate(
                  static_cast<double>(bytes) * rounds,
                  [&](int n) { return TwoPasses(n, stream, piece, pieces, rounds); }, threads, 1));
  }
  return best;
}

double ComputePeakRate(const char* name) {
  constexpr int64_t kLoops = 1'000'000;
  const int threads = BenchThreads();
  for (const ComputePeak& peak : ComputePeaks()) {
    if (std::string(peak.name) != name) continue;
    return MedianRate(
        peak.operations_per_loop * kLoops * threads,
        [&](int n) { return Compute(n, peak, kLoops); }, threads, 3);
  }
  return 0;
}

double CacheCopyRate(size_t footprint) {
  footprint = std::min(footprint, kArrayBytes);
  const int threads = BenchThreads();
  const size_t bytes = std::max<size_t>(PartOf(footprint / 2, 0, threads).bytes, 512);
  // At least a millisecond, and whole copies.
  const size_t copies = std::max<size_t>(64 * kMib / (2 * bytes), 1);
  const size_t traffic = copies * 2 * bytes;
  return MedianRate(
      static_cast<double>(traffic) * threads, [&](int n) { return CopyCache(n, bytes, traffic); },
      threads, 1);
}

}  // namespace anyacl::bench
