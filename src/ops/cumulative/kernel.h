// SPDX-License-Identifier: Apache-2.0
// The kernel's contract, for sums; products alike:
//
//   sums[r] = sums[r] + from[r, i] in double, for one i after the other
//   to[r, i] = sums[r] as fp32, rounded to nearest even, or to odd for results of 16 bits
//
// Each sum waits for the one before it, so kStrands rows, or parts of rows, go side by side.
#pragma once

#include <stdint.h>

namespace anyacl::cumulative {

inline constexpr int64_t kStrands = 16;

enum class Rounding { kNearest, kToOdd };

// `rows` of `length` numbers; a row is dense. sums has room for kStrands. Without `to` only the
// sums are wanted.
struct StrandArgs {
  const float* from;
  int64_t from_step;  // from row to row
  float* to;
  int64_t to_step;
  int64_t rows;  // up to kStrands
  int64_t length;
  double* sums;
};

// In place: `steps` times `lanes` numbers, of which each lane is one sum.
struct LaneArgs {
  float* numbers;
  int64_t lanes;
  int64_t steps;
  double* sums;
};

struct ScanSet {
  void (*strands[2])(const StrandArgs& args);  // by Rounding
  void (*lanes_to_odd)(const LaneArgs& args);
};

struct KernelSet {
  ScanSet sum;
  ScanSet product;
};

}  // namespace anyacl::cumulative

#ifdef ANYACL_ISA
namespace anyacl::ANYACL_ISA {

extern const cumulative::KernelSet kCumulativeKernels;

}  // namespace anyacl::ANYACL_ISA
#endif
