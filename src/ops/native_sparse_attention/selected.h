// SPDX-License-Identifier: Apache-2.0
// What attention to chosen blocks and its gradient have in common.
#pragma once

#include "ops/native_sparse_attention/importance.h"
#include "ops/native_sparse_attention/selection.h"

namespace anyacl::native_sparse_attention {

struct SelectedCall {
  Selection selection;
  std::vector<ScoredSequence> sequences;
  float scale = 1;
};

// The checks of both, whose outputs the table checks.
Status CheckSelected(Operands& operands, SelectedCall* call);

}  // namespace anyacl::native_sparse_attention
