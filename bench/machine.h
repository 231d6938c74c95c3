// SPDX-License-Identifier: Apache-2.0
// What the benchmarks need to know about the machine that they run on.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace anyacl::bench {

// The CPUs that this process may use when it starts.
const std::vector<int>& UsableCpus();

// Keeps the calling thread on the first of them. A thread that waits for a stream computes in its
// place: anywhere else it would take turns with one of the pool's workers, which ANYACL_PIN=1 keeps
// on the CPUs from the second on. To be called after the library has started its threads.
void KeepOnFirstCpu();

// As many threads as the library takes: ANYACL_THREADS, or one per usable CPU.
int BenchThreads();

// Bytes of the last level cache of the first CPU; 32 MiB where the system does not tell.
size_t LastLevelCacheBytes();

// Model name of the CPU as the system gives it.
std::string CpuModel();

// The compiler that built the benchmark, with its version.
std::string Compiler();

// Memory in whole large pages where the system has them, for the life of the process; zeroed.
void* HugeAlloc(size_t bytes);

}  // namespace anyacl::bench
