// SPDX-License-Identifier: Apache-2.0
// What a call of a norm comes to: the sum whose rows are normalised, and what becomes of the norm.
#pragma once

#include <memory>

#include "nnop/executor.h"
#include "nnop/view.h"

namespace anyacl::norm_quant {

// One of two quantised results.
struct Quantised {
  TensorView scales{}, offsets{};  // a number for each column
  TensorView out{};                // INT8 or INT4
  TensorView steps{};              // of each row, which is divided by it: its largest / most
  float most = 127;
};

struct Params {
  TensorView x1{}, x2{}, bias{}, gamma{}, beta{}, sum{}, mean{}, rstd{};
  TensorView normal{}, cast{};  // y as fp32, and as x's type
  TensorView shift{};           // added to y before it is quantised
  // y becomes y * (1 + row_scale) + row_shift, of x1's sizes, before anything is made of it.
  TensorView row_scale{}, row_shift{};
  Quantised first, second;
  int64_t rows = 0, length = 0;
  double eps = 0;
  float factor = 1;  // of x1 in the sum
  bool divides = true;
  bool centres = false;      // a layer norm
  bool bias_of_row = false;  // the same for all rows
};

std::shared_ptr<const Plan> MakePlan(const Params& params);

}  // namespace anyacl::norm_quant
