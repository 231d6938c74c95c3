// SPDX-License-Identifier: Apache-2.0
// What the element-wise operators compute, from their documents, in double precision.
#pragma once

#include <string>
#include <vector>

namespace anyacl::test {

// How the values of a result's type come about.
enum class Result { kComputed, kFloating, kBool };

struct ElementwiseReference {
  using Function = double (*)(const double* x, const double* s);
  // By the values of the inputs and of the scalars, in the order of the arguments.
  Function of;
  // Values of arguments: log of negative numbers and the like would only be NaN.
  double low = -8, high = 8;
  // Of an fp32 result, beside its rounding to the output's type.
  double ulps = 0.5;
  Result result = Result::kComputed;
  // Where summands cancel, an error in 2^-23, or 2^-52 of DOUBLE.
  double absolute = 0;
  // Where integers are computed, if that differs.
  Function of_integers = nullptr;
};

// By the name of the operator, that of the in-place form included.
const ElementwiseReference& ReferenceOf(const std::string& name);

}  // namespace anyacl::test
