// SPDX-License-Identifier: Apache-2.0
// What happens to sums of a product that wait in fp32:
//   v[m, n] = (sum[m, n] + offset[n] * sum over k of x[m, k]) * row_scale[m]
//   y[m, n] = activation(v[m, n]), with a gate v[m, n] * activation(v[m, N + n])
//   as INT8   y * quant_scale[n] + quant_offset, to the nearest, ties to even, within -128 to 127
// with each step rounded to fp32, or to FLOAT16 if `steps` is that, quant_scale and quant_offset
// too, and at the end to y's type.
#pragma once

#include <optional>

#include "kernels.h"
#include "nnop/view.h"

namespace anyacl::matmul {

struct Finish {
  TensorView y;                    // [M, N]; sizes alone where the results stay in the sums
  TensorView row_scale = {};       // [M, 1], FLOAT, or absent
  TensorView x = {}, offset = {};  // [M, K] of INT8 and [N] of FLOAT; without offset, x is not read
  std::optional<elementwise::Op> activation = {};
  bool gated = false;            // with an activation; sums have 2 N columns
  TensorView quant_scale = {};   // FLOAT: of columns, [1] or a single number; or absent
  TensorView quant_offset = {};  // FLOAT, [1] or a single number
  float* scales = nullptr;       // with a quant_scale: room for a number of each column
  aclDataType steps = ACL_FLOAT;
};

// `sums` are contiguous, and overwritten.
void FinishRows(const Finish& finish, const Bindings& bindings, float* sums);

// Rows that are added up in others, each times its factor, instead of stored:
//   out[row_index[m]] += logit[m] * y[m], in the order of m
struct Routing {
  TensorView out;        // [rows, N] of FLOAT, which holds what they are added to
  TensorView row_index;  // [M], INT64 or INT32
  TensorView logit;      // [M] of FLOAT, or absent: 1
};

int64_t RowIndexAt(const TensorView& index, const Bindings& bindings, int64_t row);

// `numbers` are contiguous rows. An element's sum is one thread's.
void AddRows(const Routing& routing, const Bindings& bindings, const float* numbers);

}  // namespace anyacl::matmul
