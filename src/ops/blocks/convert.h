// SPDX-License-Identifier: Apache-2.0
// Conversions between any two number types, for operators that mix types and are not element-wise.
#pragma once

#include <cstdint>

#include "nnop/executor.h"
#include "nnop/view.h"

namespace anyacl::blocks {

// BOOL, integers, floating point and complex numbers, but no complex one to a real one.
bool CanConvert(aclDataType from, aclDataType to);

// `count` elements at steps in bytes, converted as kernel.h says and as aclnnCast does. A complex
// number's imaginary part is 0 if it comes from a real one, and is lost on the way to one, but for
// BOOL: whether either part is not 0.
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

}  // namespace anyacl::blocks
