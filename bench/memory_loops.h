// SPDX-License-Identifier: Apache-2.0
// The simplest loops over memory, in the widest vectors of the CPU: what no operator can beat.
#pragma once

#include <cstddef>

namespace anyacl::bench {

// Addresses are aligned to 64 bytes, sizes are multiples of 512. The stream_ forms write around
// the caches; they are null where the CPU has no such store that we know.
struct MemoryLoops {
  void (*read)(const void* source, size_t bytes);
  // Two arrays in step; bytes of one.
  void (*read_two)(const void* a, const void* b, size_t bytes);
  void (*copy)(void* target, const void* source, size_t bytes);
  void (*stream_copy)(void* target, const void* source, size_t bytes);
  // target[i] = a[i] + 3 b[i] in fp32; bytes of one array.
  void (*triad)(float* target, const float* a, const float* b, size_t bytes);
  void (*stream_triad)(float* target, const float* a, const float* b, size_t bytes);
};

const MemoryLoops& BestMemoryLoops();

}  // namespace anyacl::bench
