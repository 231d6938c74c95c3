// SPDX-License-Identifier: Apache-2.0
// From the relation between two images to sums over taps.
#include "ops/convolution/op.h"

namespace anyacl::convolution {
namespace {

Correlation Common(const Relation& r) {
  Correlation c;
  c.weight = r.weight.view;
  c.weight_group = r.y_channels * r.weight.outer_step;
  std::copy(r.weight.steps, r.weight.steps + kSpatial, c.tap_steps);
  c.bias = r.bias;
  c.batch = r.batch;
  c.groups = r.groups;
  return c;
}

void MergeAxes(Image& image, int dim) {
  image.sizes[dim + 1] *= image.sizes[dim];
  image.sizes[dim] = 1;
  image.steps[dim] = 0;
}

// Coordinates of dim and the next one, which meet nothing but themselves, as one.
bool CanJoin(const Correlation& c, int dim) {
  for (int i : {dim, dim + 1}) {
    const bool plain = c.shifts[i].size() == 1 && c.shifts[i][0] == 0 && c.stride[i] == 1;
    if (!plain || c.image.sizes[i] != c.out.sizes[i]) return false;
  }
  for (const Image* image : {&c.image, &c.out}) {
    if (image->sizes[dim] != 1 &&
        image->steps[dim] != image->steps[dim + 1] * image->sizes[dim + 1]) {
      return false;
    }
  }
  return true;
}

}  // namespace

Correlation Forwards(const Relation& r) {
  Correlation c = Common(r);
  c.image = r.x;
  c.out = r.y;
  c.image_group = r.x_channels * r.x.channel_step;
  c.out_group = r.y_channels * r.y.channel_step;
  c.row_step = r.weight.outer_step;
  c.weight_channel = r.weight.channel_step;
  c.rows = r.y_channels;
  c.channels = r.x_channels;
  for (int i = 0; i < kSpatial; ++i) {
    c.stride[i] = r.stride[i];
    for (int64_t k = 0; k < r.kernel[i]; ++k) {
      c.taps[i].push_back(k);
      c.shifts[i].push_back(k * r.dilation[i] - r.before[i]);
    }
  }
  return c;
}

int64_t Phases(const Relation& r, int dim) { return std::min(r.stride[dim], r.x.sizes[dim]); }

Correlation Backwards(const Relation& r, const int64_t (&phase)[kSpatial]) {
  Correlation c = Common(r);
  c.image = r.y;
  c.out = r.x;
  c.image_group = r.y_channels * r.y.channel_step;
  c.out_group = r.x_channels * r.x.channel_step;
  c.row_step = r.weight.channel_step;
  c.weight_channel = r.weight.outer_step;
  c.rows = r.x_channels;
  c.channels = r.y_channels;
  for (int i = 0; i < kSpatial; ++i) {
    const int64_t stride = r.stride[i];
    c.out.view.offset += phase[i] * r.x.steps[i];
    c.out.steps[i] = r.x.steps[i] * stride;
    c.out.sizes[i] = (r.x.sizes[i] - phase[i] + stride - 1) / stride;
    for (int64_t k = 0; k < r.kernel[i]; ++k) {
      const int64_t distance = phase[i] + r.before[i] - k * r.dilation[i];
      if (distance % stride != 0) continue;
      c.taps[i].push_back(k);
      c.shifts[i].push_back(distance / stride);
    }
  }
  return c;
}

void JoinDimensions(Correlation& c) {
  for (int dim = kSpatial - 1; dim-- > 0;) {
    if (!CanJoin(c, dim)) return;
    MergeAxes(c.image, dim);
    MergeAxes(c.out, dim);
  }
}

}  // namespace anyacl::convolution
