// SPDX-License-Identifier: Apache-2.0
// Rows of small integers as fp32 numbers: INT8, or INT4, of which a byte holds two, the first in
// its lower half, and an INT32 eight in the order of its bytes.
#pragma once

#include <cstdint>

#include "nnop/view.h"

namespace anyacl::blocks {

inline constexpr int64_t kPerInt32 = 8;

// How many numbers an element of the row's last dimension stands for: those of INT32 are eight
// INT4.
constexpr int64_t NumbersIn(aclDataType dtype) { return dtype == ACL_INT32 ? kPerInt32 : 1; }

// Numbers `at` and following in row-major order, within a row; those of 4 bits begin and end with
// an element of INT32 or a byte of INT4, which is contiguous. `data` is the view's first element.
void LoadIntegers(const TensorView& view, const char* data, int64_t at, int64_t count, float* to);
// Whole numbers, which are held within the type's range; NaN becomes 0. At most kMostIntegers.
inline constexpr int64_t kMostIntegers = 1024;
void StoreIntegers(const float* from, int64_t count, const TensorView& view, char* data,
                   int64_t at);

}  // namespace anyacl::blocks
