// SPDX-License-Identifier: Apache-2.0
// Interpolation, average pooling and their gradients are one thing: along every axis an element of
// the result is a sum of some elements of the input with weights of that axis,
//
//   out[n, c, i, j, k] = sum over i', j', k' of D[i, i'] * H[j, j'] * W[k, k'] * in[n, c, i', j',
//   k']
//
// and a gradient has the transposed matrices. Pooling has weights of 1, and divides: results by
// the counts of their windows, or, for gradients, what is read.
#pragma once

#include <cstdint>
#include <vector>

#include "nnop/operands.h"
#include "nnop/view.h"
#include "ops/blocks/images.h"
#include "ops/resampling/operators.h"

namespace anyacl::resampling {

using blocks::kSpatial;

// How one axis is resampled in the forward direction, from `in` to `out` elements.
struct Axis {
  enum class Kind { kSame, kUpsample, kWindow, kAdaptive };
  Kind kind = Kind::kSame;
  int64_t in = 1;
  int64_t out = 1;
  // Upsampling.
  Mode mode = Mode::kNearest;
  bool align_corners = false;
  double scale = 0;
  // Windows.
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t padding = 0;
  bool include_padding = false;
};

struct Params {
  TensorView from, to;  // [outer, channels, D, H, W]
  Axis axes[kSpatial];
  bool backward = false;
  bool divides = false;
  double divisor = 1;  // besides the counts
  bool counts = true;  // whether windows' counts divide
};

// Row j of an axis' matrix: weights[i] of elements at[i], i from begins[j] to begins[j + 1].
template <class Number>
struct Table {
  std::vector<int64_t> begins;
  std::vector<int32_t> at;
  std::vector<Number> weights;
  std::vector<Number> divisors;  // of the forward's results

  int64_t size() const { return static_cast<int64_t>(begins.size()) - 1; }
};

template <class Number>
Table<Number> TableOf(const Axis& axis);
// Of a table whose rows have elements 0 to columns - 1.
template <class Number>
Table<Number> Transposed(const Table<Number>& table, int64_t columns);

}  // namespace anyacl::resampling
