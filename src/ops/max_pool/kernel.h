// SPDX-License-Identifier: Apache-2.0
// The kernel's contract:
//
//   values[j] = the largest of from[offsets[t] + j] over t, taps[j] = its t: the first of equals,
//   but the last NaN where there is one
//
// of whole vectors of j.
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
};

}  // namespace anyacl::max_pool

#ifdef ANYACL_ISA
namespace anyacl::ANYACL_ISA {

extern const max_pool::KernelSet kMaxPoolKernels;

}  // namespace anyacl::ANYACL_ISA
#endif
