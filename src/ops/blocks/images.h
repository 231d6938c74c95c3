// SPDX-License-Identifier: Apache-2.0
// What operators on images share: the order of axes, and the windows of poolings.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "nnop/operands.h"
#include "nnop/view.h"

namespace anyacl::blocks {

inline constexpr int kSpatial = 3;  // dimensions of an image at most

// Takes images whose format says "channels last" for ones with channels second: of all of these
// tensors or, unless it is refused, of none.
Status TurnChannelsSecond(Operands& operands, std::initializer_list<int> ids);

// Formats that say "channels last" would need another order of sizes: refused rather than misread.
Status CheckChannelsSecond(const Operands& operands, std::initializer_list<int> ids);

// [outer, channels, D, H, W] of a tensor whose last `spatial` dimensions are those of images.
TensorView ImagesOf(const TensorView& view, int spatial);

// An argument with one value per spatial dimension: all, one for all, or none where `other` stands
// for it.
Status ReadWindow(const Operands& operands, int id, int spatial, int64_t least,
                  const int64_t* other, int64_t* to);

struct PooledAxis {
  int64_t in;
  int64_t kernel;
  int64_t stride;
  int64_t padding;
  int64_t dilation = 1;
};
// PyTorch's rule: with ceil_mode a last window must begin inside of the input or its padding.
int64_t PooledSize(const PooledAxis& axis, bool ceil_mode);

}  // namespace anyacl::blocks
