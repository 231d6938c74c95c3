// SPDX-License-Identifier: Apache-2.0
// The kernels' contract: sums over a few rows, and over a few numbers of one row, in fp32. Each
// product is fused with its addition, the first one apart, in the order of t.
//
//   across   to[j] = sum_t weights[t] * rows[t][j]
//   along    to[j] = sum_t weights[t] * from[at[t]], the next t for each j: as many as its run has
//   divide   to[j] = to[j] / (divisor * divisors[j])
#pragma once

#include <stdint.h>

namespace anyacl::resampling {

struct AcrossArgs {
  const float* const* rows;
  const float* weights;
  int64_t taps;
  int64_t count;
  float* to;
};

// `count` sums of `taps` products each.
struct AlongRun {
  int64_t count, taps;
};

struct AlongArgs {
  const float* from;
  const int32_t* at;
  const float* weights;
  const AlongRun* runs;
  int64_t run_count;
  float* to;  // apart from all else
};

struct KernelSet {
  void (*across)(const AcrossArgs& args);
  void (*along)(const AlongArgs& args);
  void (*divide)(float* to, const float* divisors, float divisor, int64_t count);
};

}  // namespace anyacl::resampling

#ifdef ANYACL_ISA
namespace anyacl::ANYACL_ISA {

extern const resampling::KernelSet kResamplingKernels;

}  // namespace anyacl::ANYACL_ISA
#endif
