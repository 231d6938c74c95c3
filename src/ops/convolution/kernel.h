// SPDX-License-Identifier: Apache-2.0
// The kernels' contract. Position p of a run lies, for a tap of shift t, at coordinate
// begin + p * stride + t of the last axis and at begin + t of the others; outside of the image are
// zeros.
//
//   gather      to[row, ...positions of all runs] = image[channel, coordinates],
//               row = (channel, tap of each axis), elements of 2 or 4 bytes, their bits unchanged
//   correlate   to[j] = bias + sum_t weights[t] * from[offsets[t] + j], in the order of t
//   dot         sums[t, j mod 16] += y[j] * from[offsets[t] + j], in the order of j
//   sum         the sum of some numbers
//
// Sums are fp32, each product fused with its addition, so they have the same bits on every tier.
#pragma once

#include <stdint.h>

namespace anyacl::convolution {

struct Axis {
  int64_t size;
  int64_t step;  // from coordinate to coordinate, in elements
  int64_t taps;
  const int64_t* shifts;
};

// Positions that follow each other along the last axis.
struct Run {
  int64_t offset;  // of the batch element, in elements
  int64_t begin[3];
  int64_t count;
};

struct GatherArgs {
  const void* image;
  int64_t channel_step;
  Axis axes[3];
  int64_t stride;
  const Run* runs;
  int64_t run_count;
  int64_t first_row;
  int64_t rows;
  void* to;
  int64_t to_step;  // from row to row, in elements
};

struct CorrelateArgs {
  const float* from;
  const int64_t* offsets;
  const float* weights;
  int64_t taps;
  float bias;
  int64_t count;
  float* to;  // whole vectors
};

struct DotArgs {
  const float* from;
  const int64_t* offsets;
  int64_t taps;
  const float* y;
  int64_t count;
  float* sums;
};

struct KernelSet {
  void (*gather16)(const GatherArgs& args);
  void (*gather32)(const GatherArgs& args);
  void (*correlate)(const CorrelateArgs& args);
  void (*dot)(const DotArgs& args);
  float (*sum)(const float* from, int64_t count);
};

}  // namespace anyacl::convolution

#ifdef ANYACL_ISA
namespace anyacl::ANYACL_ISA {

extern const convolution::KernelSet kConvolutionKernels;

}  // namespace anyacl::ANYACL_ISA
#endif
