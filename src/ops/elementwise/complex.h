// SPDX-License-Identifier: Apache-2.0
// Operations on complex numbers: computed in pairs of fp64, one element after the other, whatever
// the types in memory are. Rare enough for one loop without tiers: an NPU leaves them to its CPU.
#pragma once

#include <array>
#include <complex>
#include <memory>

#include "nnop/executor.h"
#include "nnop/view.h"
#include "ops/blocks/kernel.h"
#include "ops/elementwise/kernel.h"

namespace anyacl::elementwise {

using ComplexNumber = std::complex<double>;

// f(x[0], x[1], ...; p, q); comparisons result in 0 and 1.
using ComplexFunction = ComplexNumber (*)(const ComplexNumber* x, ComplexNumber p, ComplexNumber q);

// Null where an operation is none of complex numbers.
ComplexFunction ComplexFunctionOf(Op op);
// x[0] != 0 ? x[1] : x[2].
ComplexNumber ComplexWhere(const ComplexNumber* x, ComplexNumber p, ComplexNumber q);

// Stores real numbers as complex elements.
blocks::StoreFunction ComplexStorer(Element number, aclDataType dtype);

struct ComplexProgram {
  ComplexFunction compute = nullptr;
  ComplexNumber p, q;
  int inputs = 0;
  std::array<TensorView, 3> in;  // with the sizes of the output
  TensorView out;
};
std::shared_ptr<const Plan> MakeComplexPlan(const ComplexProgram& program);

}  // namespace anyacl::elementwise
