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

// to = (a cos - b sin, b cos + a sin) of the pairs (a, b) of x; `to` may be x.
std::shared_ptr<const Plan> MakeRotaryPlan(const TensorView& x, const TensorView& cos,
                                           const TensorView& sin, const TensorView& to,
                                           Pairs pairs);
// Where elements are pairs otherwise in x than in the others.
std::shared_ptr<const Plan> MakeRotaryPlan(const Parts& x, const Parts& cos, const Parts& sin,
                                           const Parts& to);

// [B, S, N, D] in any order of the first three, or [T, N, D]; angles broadcast to it.
Status CheckRotary(const Operands& operands, Pairs pairs);

}  // namespace anyacl::elementwise
