// SPDX-License-Identifier: Apache-2.0
// What the element-wise operators compute, from their documents, in double precision.
#pragma once

#include <string>
#include <vector>

namespace anyacl::test {

struct ElementwiseReference {
  // By the values of the inputs and of the scalars, in the order of the arguments.
  double (*of)(const double* x, const double* s);
  // Values of arguments: log of negative numbers and the like would only be NaN.
  double low = -8, high = 8;
  // Of an fp32 result, beside its rounding to the output's type.
  double ulps = 0.5;
};

// By the name of the operator, that of the in-place form included.
const ElementwiseReference& ReferenceOf(const std::string& name);

}  // namespace anyacl::test
