// SPDX-License-Identifier: Apache-2.0
// What attention to chosen blocks, with caches and without, and its gradient have in common.
#pragma once

#include <memory>

#include "ops/native_sparse_attention/selection.h"

namespace anyacl::native_sparse_attention {

struct SelectedCall {
  Selection selection;
  std::vector<AttendedSequence> sequences;
  float scale = 1;
};

// The checks of training, whose outputs the table checks.
Status CheckSelected(Operands& operands, SelectedCall* call);

struct SelectedParams {
  SelectedCall call;
  // [row][head][number]; of training [row][head][8] of the maximum and the sum.
  TensorView query, key, value, out, max, sum;
  int64_t slots = 0;  // of the call
};
std::shared_ptr<const Plan> MakeSelected(SelectedParams params);

}  // namespace anyacl::native_sparse_attention
