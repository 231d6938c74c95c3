// SPDX-License-Identifier: Apache-2.0
// The gradient of a sink, a score of a column without a value: of each head
//   dsink = -sum over rows of exp(sink - max) / sum * (dy . out).
#pragma once

#include <vector>

#include "attention/params.h"
#include "ops/flash_attention/op.h"

namespace anyacl::flash_attention {

struct RowRange {
  int64_t first, count;
};

// Null if the call asks for none. `params` are those of all rows, of which `ranges` count.
std::shared_ptr<const Plan> MakeSinkGradient(const Operands& operands, const Sizes& sizes,
                                             const attention::Params& params,
                                             std::vector<RowRange> ranges);

}  // namespace anyacl::flash_attention
