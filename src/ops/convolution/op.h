// SPDX-License-Identifier: Apache-2.0
// A convolution and all that is derived from it are one relation: element o of the small image Y
// and element i of the large image X meet in tap k of the weights where
//
//   i = o * stride + k * dilation - before
//
// aclnnConvolution computes Y from X, transposed X from Y; gradients go the other way, or from both
// images to the weights. Every image has three spatial dimensions, the missing ones of size 1.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gemm/kernel.h"
#include "nnop/operands.h"
#include "nnop/view.h"
#include "ops/blocks/images.h"
#include "ops/convolution/kernel.h"
#include "ops/convolution/operators.h"

namespace anyacl::convolution {

using blocks::kSpatial;

// An image [batch, channels, spatial] or weights [y channels, x channels, taps], in elements.
struct Image {
  TensorView view;  // where it lies; its sizes and strides are below
  int64_t outer_step = 0;
  int64_t channel_step = 0;
  int64_t sizes[kSpatial] = {1, 1, 1};
  int64_t steps[kSpatial] = {};

  bool given() const { return view.given(); }
};

struct Relation {
  Image x, y, weight;
  TensorView bias;
  int64_t batch = 0;
  int64_t groups = 1;
  int64_t x_channels = 0;  // of a group
  int64_t y_channels = 0;
  int64_t kernel[kSpatial] = {1, 1, 1};
  int64_t stride[kSpatial] = {1, 1, 1};
  int64_t before[kSpatial] = {};
  int64_t dilation[kSpatial] = {1, 1, 1};
  bool transposed = false;
};

// Sums of products with the taps of one image, for a grid of positions of another:
//
//   out[n, g, m, p] = bias[g, m] + sum over c, t of weight[g, m, c, tap t] *
//                     image[n, g, c, p * stride + shift of t]
struct Correlation {
  Image image, out;
  int64_t image_group = 0;  // from group to group
  int64_t out_group = 0;
  TensorView weight;
  int64_t weight_group = 0;
  int64_t row_step = 0;
  int64_t weight_channel = 0;
  int64_t tap_steps[kSpatial] = {};
  TensorView bias;
  int64_t batch = 0;
  int64_t groups = 1;
  int64_t rows = 0;      // channels of out in a group
  int64_t channels = 0;  // of the image
  int64_t stride[kSpatial] = {1, 1, 1};
  std::vector<int64_t> shifts[kSpatial], taps[kSpatial];

  int64_t tap_count() const {
    return static_cast<int64_t>(shifts[0].size() * shifts[1].size() * shifts[2].size());
  }
  int64_t depth() const { return channels * tap_count(); }
  int64_t area() const { return out.sizes[0] * out.sizes[1] * out.sizes[2]; }
};

// Of the shifts along one dimension; 0 where there are none.
inline int64_t Least(const std::vector<int64_t>& shifts) {
  return shifts.empty() ? 0 : *std::min_element(shifts.begin(), shifts.end());
}
inline int64_t Most(const std::vector<int64_t>& shifts) {
  return shifts.empty() ? 0 : *std::max_element(shifts.begin(), shifts.end());
}

// Y from X.
Correlation Forwards(const Relation& relation);
// X from Y, of the positions that are `phase` modulo the stride: all of them meet the same taps.
Correlation Backwards(const Relation& relation, const int64_t (&phase)[kSpatial]);
// How many phases have positions.
int64_t Phases(const Relation& relation, int dim);

// Joins spatial dimensions that need not be told apart, for an image read at single positions.
void JoinDimensions(Correlation& correlation);

// `whole`: strides and dilations are those of batch and channels, too.
Status CheckForward(Operands& operands, bool whole, Relation* relation);
// What is not asked for is absent. The images are the inputs; gradients have the views that follow.
struct Gradients {
  Image input, weight;
  TensorView bias;
};
Status CheckBackward(Operands& operands, Relation* relation, Gradients* gradients);

}  // namespace anyacl::convolution
