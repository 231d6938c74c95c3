// SPDX-License-Identifier: Apache-2.0
// Conversions between any two number types, for the few operators outside the element-wise
// family that mix types: integers through int64_t, everything else through double.
#pragma once

#include <cstdint>
#include <vector>

#include "nnop/executor.h"
#include "nnop/view.h"

namespace anyacl {

// BOOL, integers, floating point and complex numbers.
bool CanConvert(aclDataType from, aclDataType to);

// `count` elements at steps in bytes. Floating point is rounded to nearest even; to integers
// towards zero, numbers beyond the type becoming its nearest, NaN 0; integers wrap; a complex
// number's imaginary part is 0 if it comes from a real one.
void ConvertElements(aclDataType from_type, const char* from, int64_t from_step,
                     aclDataType to_type, char* to, int64_t to_step, int64_t count);

// to[i] = from[i] converted to `via` and then to the type of `to`, for views of equal sizes.
class StridedConversion {
 public:
  StridedConversion(const TensorView& to, const TensorView& from, aclDataType via);
  void Run(const Bindings& bindings) const;

 private:
  TensorView to_, from_;
  aclDataType via_;
};

}  // namespace anyacl
