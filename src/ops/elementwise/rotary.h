// SPDX-License-Identifier: Apache-2.0
// Pairs of a rotary position embedding: what the operator and its gradient share.
#pragma once

#include <memory>

#include "nnop/view.h"

namespace anyacl::elementwise {

// Which elements of a row are pairs.
enum class Pairs : int64_t { kHalves, kNeighbours, kQuarters, kNeighboursToHalves };

// The first and the second elements of all pairs.
struct Parts {
  TensorView first, second;
};
Parts PartsOf(const TensorView& view, Pairs pairs);

// to = (a cos - b sin, b cos + a sin) of the pairs (a, b) of x; `to` may be x. Of neighbours to
// halves, cos and sin are halves as well.
std::shared_ptr<const Plan> MakeRotaryPlan(const TensorView& x, const TensorView& cos,
                                           const TensorView& sin, const TensorView& to,
                                           Pairs pairs);

// [B, S, N, D] in any order of the first three, or [T, N, D]; angles broadcast to it.
Status CheckRotary(const Operands& operands, Pairs pairs);

}  // namespace anyacl::elementwise
