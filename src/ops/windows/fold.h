// SPDX-License-Identifier: Apache-2.0
// Sums back: each element of a gradient belongs to one element of an input, and the input's
// gradient is the sum of those that belong to it, made in double in the order of the gradient.
#pragma once

#include <array>
#include <memory>

#include "nnop/executor.h"
#include "nnop/view.h"
#include "ops/windows/operators.h"

namespace anyacl::windows {

// Where element i of the gradient belongs along one dimension, and -1 for nowhere:
// begin + i * step within 0 to size - 1, or else continued.
struct Place {
  enum class Beyond { kNowhere, kReflect, kReplicate, kWrap };
  Beyond beyond = Beyond::kNowhere;
  int64_t size = 1;   // of the input
  int64_t count = 1;  // of the gradient
  int64_t step = 1;
  int64_t begin = 0;

  int64_t Of(int64_t i) const {
    const int64_t at = begin + i * step;
    if (at >= 0 && at < size) return at;
    switch (beyond) {
      case Beyond::kReflect:
        return at < 0 ? -at : 2 * size - 2 - at;
      case Beyond::kReplicate:
        return at < 0 ? 0 : size - 1;
      case Beyond::kWrap:
        return at < 0 ? at + size : at - size;
      default:
        return -1;
    }
  }
};

inline constexpr int kSpace = 3;  // dimensions at most

// The gradient in sheets, each with places of its own; strides are in elements.
struct Folding {
  TensorView grad, out;  // without the dimensions of space
  std::array<int64_t, kSpace> grad_strides{}, out_strides{};
  std::array<Place, kSpace> places{};  // of the first sheet
  std::array<int64_t, 2> sheets = {1, 1};
  std::array<int64_t, 2> sheet_strides{};  // in grad
  std::array<int64_t, 2> sheet_begins{};   // added to the begins of the last two places
};

std::shared_ptr<const Plan> MakeFold(const Folding& folding);

// Complex numbers as pairs of real ones, along one more dimension.
TensorView AsPairs(const TensorView& view);

}  // namespace anyacl::windows
