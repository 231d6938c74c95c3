// SPDX-License-Identifier: Apache-2.0
// Sums back: each element of a gradient belongs to one element of an input, and the input's
// gradient is the sum of those that belong to it, made in double in the order of the gradient.
#pragma once

#include <array>
#include <memory>

#include "nnop/executor.h"
#include "nnop/view.h"
#include "ops/blocks/padded_copy.h"
#include "ops/windows/operators.h"

namespace anyacl::windows {

using blocks::Place;

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
