// SPDX-License-Identifier: Apache-2.0
// What happens to sums of a product that wait in fp32:
//   y[m, n] = activation((sum[m, n] + offset[n] * sum over k of x[m, k]) * row_scale[m])
// with each step rounded to fp32, and at the end to y's type.
#pragma once

#include <optional>

#include "kernels.h"
#include "nnop/view.h"

namespace anyacl::matmul {

struct Finish {
  TensorView y;                    // [M, N]
  TensorView row_scale = {};       // [M, 1], FLOAT, or absent
  TensorView x = {}, offset = {};  // [M, K] of INT8 and [N] of FLOAT; without offset, x is not read
  std::optional<elementwise::Op> activation = {};
};

// `sums` are contiguous, and overwritten.
void FinishRows(const Finish& finish, const Bindings& bindings, float* sums);

}  // namespace anyacl::matmul
