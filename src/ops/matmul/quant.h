// SPDX-License-Identifier: Apache-2.0
// Products of integers with factors: y = (x @ weight + bias) * scale * row_scale, or with a bias of
// floating point behind the factors. From the C arguments to problems of the matrix engine.
#pragma once

#include "nnop/operands.h"
#include "nnop/view.h"
#include "ops/matmul/weight.h"

namespace anyacl::matmul {

// A validated problem.
struct QuantParams {
  // [.., M, K], [.., K, N] and [.., M, N] with y's batch; INT4 of x lies row by row.
  TensorView x, weight, y;
  Panels panels;
  TensorView scale, offset;  // [1] or [N]
  TensorView row_scale;      // [M]
  TensorView bias;           // shaped as y, by steps of 0
};

// What all forms share: arguments without a use dropped, INT4 unpacked, the table.
Status CheckQuantTable(Operands& operands);
Status CheckQuant(Operands& operands, QuantParams* params);

}  // namespace anyacl::matmul
