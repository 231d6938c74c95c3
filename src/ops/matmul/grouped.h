// SPDX-License-Identifier: Apache-2.0
// Products of groups. From the C arguments to problems of the matrix engine, one for each group.
#pragma once

#include <vector>

#include "nnop/operands.h"
#include "nnop/view.h"
#include "ops/matmul/operators.h"

namespace anyacl::matmul {

// Which axis of single tensors is cut into groups.
enum class Axis : uint8_t { kNone, kRows, kDepth };

// What an argument has for each group: a tensor, or a piece of one for all.
struct Stack {
  std::vector<TensorView> views;  // one for each group, one for all, or none
  bool stacked = false;           // groups are the first dimension of the one

  bool given() const { return !views.empty(); }
  bool separate() const { return views.size() > 1; }
  TensorView Of(size_t group) const;
};

// A validated problem.
struct GroupedParams {
  Axis axis = Axis::kNone;
  size_t groups = 0;
  bool separate_x = false;
  Stack x, weight, bias, scale, offset, quant_scale, y;
  // Where groups end along the axis: in a tensor, or known already.
  TensorView bounds;
  std::vector<int64_t> ends;
  int64_t size = 0;  // of the axis
};

Status CheckGrouped(Operands& operands, GroupedParams* params);

}  // namespace anyacl::matmul
