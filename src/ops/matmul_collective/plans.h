// SPDX-License-Identifier: Apache-2.0
// What phase 1 of all operators shares.
#pragma once

#include <memory>
#include <string>

#include "ops/steps.h"

namespace anyacl::matmul_collective {

// The rows of the table, the texts and the group; tensors without elements that an operator need
// not have are taken for null.
Status CheckCall(Operands& operands, std::shared_ptr<RankGroup>* group);

// Whether the product is one of integers, whose factors then go with it.
bool IsQuantised(const Operands& operands);

// "FLOAT16 [4, 8]": a tensor that all ranks must pass alike.
std::string Alike(const Operands& operands, int id);

// Makes the product of x1's rows, or of those gathered, a step: out = x1 @ x2 + bias, of integers
// times the columns' factors and `row_scale`, if it is given.
Status AddProduct(const Operands& operands, Steps& steps, const InnerTensor& x1,
                  const InnerTensor& x2, const InnerTensor& row_scale, const InnerTensor& out);

}  // namespace anyacl::matmul_collective
