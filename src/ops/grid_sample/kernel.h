// SPDX-License-Identifier: Apache-2.0
// The kernels' contract: places and weights of a block of positions, once for all channels; the
// elements there, a channel at a time; and what is computed of them.
//
//   taps       of one axis: where a coordinate takes elements from, with weights and slopes
//   places     of rows of taps in a channel
//   collect    the bits of the elements, zeros outside, by their size (1 << s bytes, from 2 to 8)
//   sums       out = sum_z wz * (sum_y wy * (sum_x wx * element)), each sum from 0 on in the order
//              of its taps, no operation fused
//   slopes     by axis: to[axis] += gradient * the same sum with this axis' slopes as its weights
//   spread     volume[place] += ((gradient * wz) * wy) * wx, position by position
//   affine     positions under an affine map: to[j] = ((0 + m0 * x[j]) + m1 * y) + ...
#pragma once

#include <stdint.h>

namespace anyacl::grid_sample {

enum class Mode { kBilinear, kNearest, kBicubic };
enum class Outside { kZeros, kBorder, kReflection };

// Positions: all that is known of them, and 16 elements of each, are still in the first cache.
inline constexpr int64_t kBlock = 128;
inline constexpr int kMostTaps = 4;  // along an axis; in a volume 2
inline constexpr int kMostRows = 4;  // of taps along x: 4 in an image, 2 x 2 in a volume
inline constexpr int kAxes = 3;      // x, y, z

constexpr int TapsOf(Mode mode) {
  return mode == Mode::kNearest ? 1 : mode == Mode::kBilinear ? 2 : 4;
}

// What coordinates from -1 to 1 are along an axis of the input.
struct Axis {
  int64_t size;
  Mode mode;
  Outside outside;
  bool align;
};

// Of a block of positions along one axis; outside of the input at is -1, all else 0.
template <class Number>
struct Taps {
  int32_t at[kMostTaps][kBlock];
  Number weights[kMostTaps][kBlock];
  Number slopes[kMostTaps][kBlock];  // of the weights by the coordinate
};

template <class Number>
struct TapArgs {
  Axis axis;
  const Number* coordinates;
  int64_t step;  // from one to the next: 2 or 3
  int64_t count;
  Taps<Number>* to;
};

// Instead of a place:
inline constexpr int64_t kOutside = -1;  // all taps of a row
inline constexpr int64_t kParted = -2;   // no neighbours, or some outside

// Taps of each position: `rows` of them, each of `taps` along x.
struct Places {
  int64_t begins[kMostRows][kBlock];  // of the input's rows, in elements
  int64_t runs[kMostRows][kBlock];    // of taps that are all inside and neighbours
  bool whole[kMostRows];              // runs of taps all over the block
  int rows;
  int taps;
};

struct PlaceArgs {
  const int32_t (*x)[kBlock];
  const int32_t (*y)[kBlock];
  const int32_t (*z)[kBlock];  // null for images
  int64_t strides[kAxes];      // by axis
  int64_t origins[2];          // of x, of y and z: added, so that no place is negative
  int taps;
  int64_t count;
  Places* to;
};

struct CollectArgs {
  const void* from;
  const Places* places;
  const int32_t (*x)[kBlock];
  int64_t step;    // along x, in elements
  int64_t origin;  // of x, as of the places
  int64_t count;
  void* to;  // [rows][count][taps]
};

// The operands that a kernel does not name are not read.
template <class Number>
struct PointArgs {
  const Taps<Number>* axes;  // x, y and of volumes z
  int dims;                  // 2 or 3
  const Places* places;
  const Number* elements;   // sums, slopes
  const Number* gradients;  // slopes, spread
  Number* products;         // spread: room for [rows][taps][count]
  int64_t count;
  Number* to;  // sums: of each position; slopes: [axis][kBlock]; spread: a dense volume
};

template <class Number>
struct NumberKernels {
  void (*taps)(const TapArgs<Number>& args);
  void (*sums)(const PointArgs<Number>& args);
  void (*slopes)(const PointArgs<Number>& args);
  void (*spread)(const PointArgs<Number>& args);
};

struct AffineArgs {
  const float* x;
  int64_t count;
  const float* others;  // the position along the other axes, then 1
  const float* map;     // [axes][axes + 1]
  int axes;             // 2 or 3
  float* to;            // [count][axes]
};

struct KernelSet {
  NumberKernels<float> fp32;
  NumberKernels<double> fp64;
  void (*places)(const PlaceArgs& args);
  void (*collect[4])(const CollectArgs& args);
  void (*affine)(const AffineArgs& args);
};

}  // namespace anyacl::grid_sample

#ifdef ANYACL_ISA
namespace anyacl::ANYACL_ISA {

extern const grid_sample::KernelSet kGridSampleKernels;

}  // namespace anyacl::ANYACL_ISA
#endif
