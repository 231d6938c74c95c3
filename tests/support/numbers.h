// SPDX-License-Identifier: Apache-2.0
// Tensors of any element type written and read as bits, as double, as complex numbers.
#pragma once

#include <complex>
#include <vector>

#include "support/tensor.h"

namespace anyacl::test {

// The bits of every element, whatever its width: the lowest are written, the others read as 0.
void WriteBits(Tensor& tensor, const std::vector<Int128>& elements);
std::vector<Int128> ReadBits(const Tensor& tensor);

// What a tensor of the type holds of a number: rounded to nearest even, integers towards zero.
double AsHeld(aclDataType dtype, double value);
std::vector<double> AsHeld(aclDataType dtype, const std::vector<double>& values);

void WriteAs(Tensor& tensor, const std::vector<double>& values);
std::vector<double> ReadAs(const Tensor& tensor);

// COMPLEX64 and COMPLEX128; real tensors have the real parts.
void WriteComplex(Tensor& tensor, const std::vector<std::complex<double>>& values);
std::vector<std::complex<double>> ReadComplex(const Tensor& tensor);

// Half a unit in the last place of a number of this size; 0 for integers.
double HalfUnitOf(aclDataType dtype, double value);

}  // namespace anyacl::test
