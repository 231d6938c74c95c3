// SPDX-License-Identifier: Apache-2.0
// The kernels' contract. Position p of a run lies, for a tap of shift t, at coordinate
// begin + p * stride + t of the last axis and at begin + t of the others; outside of the image are
// zeros.
//
//   gather      to[row, ...positions of all runs] = image[channel, coordinates],
//               row = (channel, tap of each axis), elements of 2 or 4 bytes, their bits unchanged
//   load_strip  lines of an image as fp32 or bf16, channel by channel: number x of a line is the
//               element at coordinate first + x, outside of the image 0, and goes to place
//               x mod stride * ceil(length / stride) + x / stride of the line
//   pack_strip  a panel of columns that lie in a strip: rows (channel, tap), whose pieces begin
//               where their offsets say, as StripRows says
//   correlate   to[j] = bias + sum_t weights[t] * from[offsets[t] + j], in the order of t
//   dot         sums[t, j mod 16] += y[j] * from[offsets[t] + j], in the order of j
//   sum         the sum of some numbers
//
// Sums are fp32, each product fused with its addition, so they have the same bits on every tier.
#pragma once

#include <stdint.h>

#include "base/element.h"

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

// Of a line along the last axis, the coordinates first to first + length.
struct StripLine {
  int64_t offset;  // of coordinate 0, in elements; kOutside: all of it is padding
  int64_t first;
  int64_t length;
  int64_t at;  // of the line in its channel

  // Both are small: a division of 64 bits takes twice as long.
  int64_t PlaceOf(int64_t number, int64_t stride) const {
    const auto x = static_cast<uint32_t>(number), s = static_cast<uint32_t>(stride);
    const uint32_t residues = (static_cast<uint32_t>(length) + s - 1) / s;
    return int64_t{x % s} * residues + x / s;
  }
};
inline constexpr int64_t kOutside = INT64_MIN;
inline constexpr int64_t kStripLength = 1024;  // of a line, at the most

// What is packed: fp32, bf16 that images of bf16 have, or pairs of rows of these: units of 32 bits
// with the first row in the lower half. Behind an odd number of rows is one of zeros.
enum StripRows { kFp32Rows, kBf16Rows, kBf16Pairs };
inline constexpr int kStripRows = 3;
// Of a strip's numbers, and of one number of a row.
constexpr int64_t NumberBytes(StripRows rows) { return rows == kFp32Rows ? 4 : 2; }

struct StripArgs {
  Element type;
  StripRows rows;
  const void* image;
  int64_t channel_step;
  int64_t channels;
  int64_t step;  // along the last axis
  int64_t size;
  int64_t stride;
  const StripLine* lines;
  int64_t line_count;
  void* to;  // and 16 numbers behind it
  int64_t to_step;
  // Where lines whose neighbours are not contiguous are brought first, each of a multiple of 16.
  void* raw;
  int64_t raw_step;
};

struct StripPanel {
  const void* from;  // and 16 numbers behind it
  int64_t channel_step;
  int64_t channels;
  int64_t taps;
  const int32_t* offsets;  // of each piece, and again offset_step further on for the next tap
  int64_t offset_step;
  const int32_t* piece_columns;  // at most 16 columns, from here in the panel on
  int64_t pieces;
  int64_t panel_columns;
  int64_t columns;  // that exist
  void* to;         // and 64 bytes behind it
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
  void (*load_strip)(const StripArgs& args);
  void (*pack_strip[kStripRows])(const StripPanel& args);
  void (*correlate)(const CorrelateArgs& args);
  void (*dot)(const DotArgs& args);
  float (*sum)(const float* from, int64_t count);
};

}  // namespace anyacl::convolution

#ifdef ANYACL_ISA
namespace anyacl::ANYACL_ISA {

// In kernel_channel.cc.
void ConvolutionCorrelate(const convolution::CorrelateArgs& args);
void ConvolutionDot(const convolution::DotArgs& args);
float ConvolutionSum(const float* from, int64_t count);

extern const convolution::KernelSet kConvolutionKernels;

}  // namespace anyacl::ANYACL_ISA
#endif
