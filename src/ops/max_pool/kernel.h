// SPDX-License-Identifier: Apache-2.0
// The kernel's contract:
//
//   values[j] = the largest of from[offsets[t] + j] over t, taps[j] = its t: the first of equals,
//   but the last NaN where there is one
//
// of whole vectors of j.
//
//   sums[j] += numbers[j] for j < count where bit first + j from `bits` on is set
//
// reads and writes whole vectors, and four bytes from that of each vector's first bit on.
//
//   to[k * phases + f] = from[f * pitch + k] for f < phases and what is below count
//
//   exceeds: whether one of `count` numbers is larger than `limit` or a NaN
#pragma once

#include <stdint.h>

namespace anyacl::max_pool {

struct LargestArgs {
  const float* from;
  const int64_t* offsets;
  int64_t taps;
  int64_t count;
  float* values;
  int32_t* largest;
};

struct KernelSet {
  void (*largest)(const LargestArgs& args);
  void (*add_marked)(const char* bits, int64_t first, int64_t count, const float* numbers,
                     float* sums);
  void (*interleave)(const float* from, int64_t phases, int64_t pitch, int64_t count, float* to);
  bool (*exceeds)(const float* numbers, int64_t count, float limit);
};

}  // namespace anyacl::max_pool

#ifdef ANYACL_ISA
namespace anyacl::ANYACL_ISA {

extern const max_pool::KernelSet kMaxPoolKernels;

}  // namespace anyacl::ANYACL_ISA
#endif
