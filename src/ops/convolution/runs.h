// SPDX-License-Identifier: Apache-2.0
// A grid of positions of an image, over all of a batch, cut into runs along the last dimension.
#pragma once

#include <algorithm>
#include <span>

#include "ops/convolution/op.h"

namespace anyacl::convolution {

// Positions of one image in another: those of `sizes`, at `stride` in `image`.
struct Grid {
  const Image& image;
  const int64_t (&sizes)[kSpatial];
  const int64_t (&stride)[kSpatial];

  int64_t area() const { return sizes[0] * sizes[1] * sizes[2]; }
};

// The runs of positions begin to begin + count, counted through the batch; as many as positions at
// the most. Returns how many.
inline int64_t RunsOf(const Grid& grid, int64_t begin, int64_t count, Run* runs) {
  int64_t made = 0;
  while (count > 0) {
    int64_t at = begin;
    const int64_t w = at % grid.sizes[2];
    at /= grid.sizes[2];
    const int64_t h = at % grid.sizes[1];
    at /= grid.sizes[1];
    const int64_t d = at % grid.sizes[0];
    const int64_t n = at / grid.sizes[0];
    const int64_t length = std::min(count, grid.sizes[2] - w);
    runs[made++] = {.offset = n * grid.image.outer_step,
                    .begin = {d * grid.stride[0], h * grid.stride[1], w * grid.stride[2]},
                    .count = length};
    begin += length;
    count -= length;
  }
  return made;
}

// Where a run begins in the image, in elements, at shift 0.
inline int64_t OffsetOf(const Image& image, const Run& run) {
  int64_t offset = run.offset;
  for (int i = 0; i < kSpatial; ++i) offset += run.begin[i] * image.steps[i];
  return offset;
}

inline constexpr int64_t kUnitStride[kSpatial] = {1, 1, 1};

// Of gather: `image` read with the shifts of taps.
inline GatherArgs GatherFrom(const Image& image, const std::vector<int64_t> (&shifts)[kSpatial]) {
  GatherArgs args{};
  args.channel_step = image.channel_step;
  for (int i = 0; i < kSpatial; ++i) {
    args.axes[i] = {image.sizes[i], image.steps[i], static_cast<int64_t>(shifts[i].size()),
                    shifts[i].data()};
  }
  return args;
}

}  // namespace anyacl::convolution
