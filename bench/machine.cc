// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <sched.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace anyacl::bench {

const std::vector<int>& UsableCpus() {
  static const std::vector<int> cpus = [] {
    std::vector<int> found;
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
      for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (CPU_ISSET(cpu, &set)) found.push_back(cpu);
      }
    }
    if (found.empty()) found.push_back(0);
    return found;
  }();
  return cpus;
}

void KeepOnFirstCpu() {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(UsableCpus().front(), &set);
  sched_setaffinity(0, sizeof set, &set);
}

int BenchThreads() {
  const char* text = std::getenv("ANYACL_THREADS");
  const int asked = text != nullptr ? std::atoi(text) : 0;
  return asked > 0 ? asked : static_cast<int>(UsableCpus().size());
}

size_t LastLevelCacheBytes() {
  for (const char* level : {"3", "2"}) {
    std::ifstream file(std::string("/sys/devices/system/cpu/cpu0/cache/index") + level + "/size");
    size_t kib = 0;
    // What a few CPUs can count on of a cache that all cores of a chip share, as the library has
    // it.
    if (file >> kib && kib > 0) {
      return std::min(kib * 1024, std::max<size_t>(static_cast<size_t>(BenchThreads()), 8) << 22);
    }
  }
  return size_t{32} << 20;
}

std::string CpuModel() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos) {
      return line.substr(colon + 2);
    }
  }
  return "unknown";
}

std::string Compiler() {
#ifdef __clang__
  return "clang " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__);
#else
  return "gcc " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__);
#endif
}

void* HugeAlloc(size_t bytes) {
  constexpr size_t kHugePage = size_t{2} << 20;
  bytes = (bytes + kHugePage - 1) / kHugePage * kHugePage;
  void* memory = std::aligned_alloc(kHugePage, bytes);
  if (memory == nullptr) {
    std::fprintf(stderr, "anyacl_bench: %zu bytes are not to be had\n", bytes);
    std::exit(EXIT_FAILURE);
  }
  madvise(memory, bytes, MADV_HUGEPAGE);
  std::memset(memory, 0, bytes);
  return memory;
}

}  // namespace anyacl::bench
