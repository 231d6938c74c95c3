// SPDX-License-Identifier: Apache-2.0
// The kernels' contract. A slab is `rows` channels of one group, each `cols` contiguous elements,
// row r at element r * cols. In fp32, with xh = (x - mean) * rstd:
//   sum_products    sums[r] = {sum over j of dy[r][j], sum over j of dy[r][j] * xh[r][j]}
//   write_gradient  dx[r][j] = gamma[r] * rstd * dy[r][j] - (c1 + xh[r][j] * c2)
//   find_moments    moments[r] = {mean of x[r], sum over j of (x[r][j] - that mean)^2}
//   normalize       out[r][j] = (xh[r][j] - residual * rstd) * gamma[r] + beta[r]
// Results are rounded to nearest even. They may take the memory of dy or of x.
//
// A row is summed in blocks of kBlock elements: in fp32 within a block, at most 21 additions deep,
// which is an error of at most 24 * 2^-24 of the sum of the absolute terms; in double over blocks,
// in their order. A row may therefore be cut at multiples of kBlock, and the parts' sums added.
#pragma once

#include <stdint.h>

#include "base/element.h"

namespace anyacl::group_norm {

inline constexpr int64_t kBlock = 512;

struct Sums {
  double dy;
  double dy_xh;
};

struct Slab {
  const void* dy;
  const void* x;
  int64_t rows;
  int64_t cols;
  float mean;
  float rstd;
  // Bytes from what is read to what sum_products (0: nothing) and the streams of write_gradient and
  // normalize bring into L2 meanwhile. Whether that belongs to the tensors does not matter.
  int64_t ahead;
};

struct Gradient {
  void* dx;
  const float* gamma;
  float c1;
  float c2;
  // Write dx past the caches.
  bool past_caches;
};

// Of some numbers, their count being known otherwise.
struct Moments {
  double mean;
  double squares;  // of the deviations from it
};

struct Output {
  void* out;
  const float* gamma;
  const float* beta;
  // What the slab's mean leaves of the true one.
  float residual;
  bool past_caches;
};

struct Kernels {
  void (*sum_products)(const Slab& slab, Sums* sums);
  void (*write_gradient)(const Slab& slab, const Gradient& gradient);
  // These have no dy, find_moments no statistics either.
  void (*find_moments)(const Slab& slab, Moments* moments);
  void (*normalize)(const Slab& slab, const Output& output);
};
using KernelSet = OfFloats<Kernels>;

// Adds the moments of b_count more numbers to those of a_count numbers (Chan, Golub and LeVeque
// 1979).
[[gnu::always_inline]] inline void Merge(Moments& a, double a_count, const Moments& b,
                                         double b_count) {
  const double part = b_count / (a_count + b_count);
  const double distance = b.mean - a.mean;
  a.mean += distance * part;
  a.squares += b.squares + distance * distance * a_count * part;
}

}  // namespace anyacl::group_norm

#ifdef ANYACL_ISA
namespace anyacl::ANYACL_ISA {

extern const group_norm::KernelSet kGroupNormKernels;

}  // namespace anyacl::ANYACL_ISA
#endif
