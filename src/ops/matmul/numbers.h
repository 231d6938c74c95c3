// SPDX-License-Identifier: Apache-2.0
// Products that are not the matrix engine's: integers, bool and double, and single numbers.
#pragma once

#include <memory>

#include "nnop/executor.h"
#include "nnop/scalar.h"
#include "nnop/view.h"
#include "ops/matmul/weight.h"

namespace anyacl::matmul {

// The operands as batches of matrices: the last two dimensions are those of the matrix.
struct Matrices {
  TensorView left, right, summand, out;
  Panels panels;                // of the right, whose strides are those within a panel
  bool allows_16_bits = false;  // of FLOAT
};

// out = beta * summand + alpha * (left @ right) of single matrices: in int64, modulo 2^64, where
// all of them hold integers, else in double, rounded once to the output's type. A beta of 0 leaves
// the summand unread.
std::shared_ptr<const Plan> MakeNumbersPlan(const Matrices& matrices, const ScalarValue& alpha,
                                            const ScalarValue& beta);

// The same of complex numbers with one k and no summand, of any types: in pairs of double.
std::shared_ptr<const Plan> MakeComplexOuterPlan(const Matrices& matrices);

// One row times one column, of FLOAT, FLOAT16 and BF16, without a summand or panels.
std::shared_ptr<const Plan> MakeDotPlan(const Matrices& matrices);

}  // namespace anyacl::matmul
