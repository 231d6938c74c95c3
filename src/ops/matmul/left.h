// SPDX-License-Identifier: Apache-2.0
// Rows of integers that wait in the type in which they are multiplied.
#pragma once

#include <cstdint>

#include "base/element.h"
#include "nnop/view.h"

namespace anyacl::matmul {

enum class Left : uint8_t {
  kAsGiven,   // nothing waits
  kInt8,      // of INT4
  kBf16,      // of INT4: such numbers are exact in BF16
  kLessEight  // INT8 less 8 in BF16: whole numbers from -136 to 119, exact too
};

constexpr Element TypeOf(Left left) {
  return left == Left::kInt8 ? Element::kInt8 : Element::kBf16;
}
constexpr int64_t SizeOf(Left left) {
  return left == Left::kAsGiven ? 0 : left == Left::kInt8 ? 1 : 2;
}

// Puts the rows of x, [rows, K], to `to`, one behind the other. INT4 is contiguous.
void Convert(Left left, const TensorView& x, const Bindings& bindings, char* to);

}  // namespace anyacl::matmul
