// SPDX-License-Identifier: Apache-2.0
// GroupedMatmulSwigluQuant: rows times the matrix of their expert, SwiGLU, quantisation. From the C
// arguments to something that runs.
#pragma once

#include "gemm/list.h"
#include "nnop/executor.h"
#include "nnop/operands.h"
#include "nnop/view.h"
#include "ops/grouped_matmul/operators.h"

namespace anyacl::grouped_matmul {

// A validated problem.
struct Params {
  gemm::ListProblem list;  // of the products, one for each expert that groupList has a bound for
  TensorView x, weight, bias, scale, x_scale, smooth_scale, group_list, q, q_scale;
  bool counts = false;  // groupList has the rows of each group, not where it ends
  bool int4_x = false;  // x waits in the workspace as bytes
  bool empty = false;
};

// WeightNZ takes every weight for FRACTAL_NZ; the second versions take lists.
struct Variant {
  bool weight_nz = false;
  bool lists = false;
};

// The checks.
Status Check(const Variant& variant, Operands& operands, Params* params);

}  // namespace anyacl::grouped_matmul
