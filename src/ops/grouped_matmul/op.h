// SPDX-License-Identifier: Apache-2.0
// GroupedMatmulSwigluQuant: rows times the matrix of their expert, SwiGLU, quantisation. From the C
// arguments to something that runs.
#pragma once

#include <cstdint>

#include "nnop/executor.h"
#include "nnop/operands.h"
#include "ops/grouped_matmul/kernel.h"
#include "ops/grouped_matmul/operators.h"

namespace anyacl::grouped_matmul {

// The weights in memory, in bytes: row k of panel p of expert e begins at
//   base + e * expert_step + p * panel_step + k / 16 * block_step + k % 16 * row_step
// and is made of units, which are bytes or the words that hold eight INT4.
struct WeightView {
  int64_t base = 0;
  int64_t expert_step = 0;
  int64_t panel_step = 0;
  int64_t block_step = 0;
  int64_t row_step = 0;
  int64_t unit_step = 1;
  int64_t unit_bytes = 1;
};

// Values of the experts, in elements. Without groups group_step does not count.
struct ColumnView {
  int64_t base = 0;
  int64_t expert_step = 0;
  int64_t group_step = 0;
  int64_t column_step = 1;
};

// A vector, in elements.
struct VectorView {
  int64_t base = 0;
  int64_t step = 1;
};

// A matrix, in elements, which are bytes.
struct MatrixView {
  int64_t base = 0;
  int64_t row_step = 0;
  int64_t column_step = 1;
};

// A validated problem.
struct Params {
  Element weights = Element::kInt8;  // or int4
  int64_t rows = 0;                  // M, of which groupList says how many count
  int64_t columns = 0;               // N
  Depth depth;                       // K
  int64_t experts = 0;               // that groupList has bounds for
  MatrixView x;
  WeightView weight;
  Element scale_type = Element::kFp32;  // of 64 bits: those of fp32 in the lower half
  ColumnView scale;
  ColumnView bias;
  VectorView x_scale;
  VectorView group_list;
  MatrixView q;
  VectorView q_scale;
  bool empty = false;

  // Which of the call's tensors is which.
  struct {
    int x, weight, bias, scale, x_scale, group_list, q, q_scale;
  } slot{};
};

// The two functions; WeightNZ takes every weight for FRACTAL_NZ.
enum class Variant { kPlain, kWeightNz };

// The checks.
Status Check(Variant variant, Operands& operands, Params* params);

}  // namespace anyacl::grouped_matmul
