// SPDX-License-Identifier: Apache-2.0
// Windows of images [outer, channels, D, H, W] and the places of their largest elements.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "base/division.h"
#include "base/wide.h"
#include "nnop/executor.h"
#include "nnop/operands.h"
#include "nnop/view.h"
#include "ops/blocks/images.h"
#include "ops/max_pool/operators.h"

namespace anyacl::max_pool {

using blocks::kSpatial;

// Window j of an axis: count elements from first on, `dilation` apart.
struct Window {
  int64_t first;
  int64_t count;
  int64_t skipped;  // taps before the first one, which lie in the padding
};

struct Axis {
  bool adaptive = false;
  int64_t in = 1;
  int64_t out = 1;
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t padding = 0;
  int64_t dilation = 1;

  Window WindowOf(int64_t j) const {
    if (adaptive) {
      const auto begin = static_cast<int64_t>(Int128{j} * in / out);
      const auto end = static_cast<int64_t>((Int128{j + 1} * in + out - 1) / out);
      return {begin, end - begin, 0};
    }
    const int64_t begin = j * stride - padding;
    const int64_t skipped = begin < 0 ? (-begin + dilation - 1) / dilation : 0;
    const int64_t first = begin + skipped * dilation;
    const int64_t inside = first < in ? (in - 1 - first) / dilation + 1 : 0;
    return {first, std::min(kernel - skipped, inside), skipped};
  }
};

struct Params {
  TensorView from, to;  // images
  TensorView places;    // images of indices, or rows of bits [outer, channels, taps, bytes]
  Places kind = Places::kNone;
  Axis axes[kSpatial];

  int64_t images() const { return to.sizes[0] * to.sizes[1]; }
};

// In elements, of an image.
inline int64_t OffsetOf(const TensorView& view, int64_t image) {
  return image / view.sizes[1] * view.strides[0] + image % view.sizes[1] * view.strides[1];
}
inline int64_t AreaOf(const TensorView& view) {
  return view.sizes[2] * view.sizes[3] * view.sizes[4];
}

constexpr int64_t kVector = 16;  // numbers that kernels read and write at once
inline int64_t WholeVectors(int64_t numbers) { return RoundUp(numbers, kVector); }

std::shared_ptr<const Plan> MakeForward(const Params& params);
// Sums where `adds`, else copies: to[index] of zeros.
std::shared_ptr<const Plan> MakeScatter(const Params& params, bool adds);

}  // namespace anyacl::max_pool
