// SPDX-License-Identifier: Apache-2.0
// The halves of a dimension.
#pragma once

#include "nnop/view.h"

namespace anyacl::elementwise {

struct Halves {
  TensorView first, second;
};
Halves HalvesOf(const TensorView& view, int dim);

// The dimension of a row's tensor that `value` names, which has an even size, and the shape of a
// half.
Status HalfAlong(const Operands& operands, int id, int64_t value, int* dim, Dims* half);

}  // namespace anyacl::elementwise
