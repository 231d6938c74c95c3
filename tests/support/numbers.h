// SPDX-License-Identifier: Apache-2.0
// Tensors of any element type written and read as double.
#pragma once

#include <vector>

#include "support/tensor.h"

namespace anyacl::test {

// What a tensor of the type holds of a number: rounded to nearest even, integers towards zero.
double AsHeld(aclDataType dtype, double value);
std::vector<double> AsHeld(aclDataType dtype, const std::vector<double>& values);

void WriteAs(Tensor& tensor, const std::vector<double>& values);
std::vector<double> ReadAs(const Tensor& tensor);

// Half a unit in the last place of a number of this size; 0 for integers.
double HalfUnitOf(aclDataType dtype, double value);

}  // namespace anyacl::test
