// SPDX-License-Identifier: Apache-2.0
// One element of a product of matrices: the oracle of the matrix engine, and its types.
#pragma once

#include <cstdint>

#include "acl/acl_base.h"
#include "gemm/kernel.h"

namespace anyacl::test {

aclDataType DataTypeOf(Element type);

// In fp32, the products in order with one rounding each; of more than 16,384 the sums of 2,304
// each.
float DotFp32(const float* a, const float* b, int64_t depth);

// Of integers.
int64_t DotInteger(const float* a, const float* b, int64_t depth);

struct PreciseDot {
  double sum = 0;
  double magnitude = 0;  // the sum of the absolute products
};
PreciseDot DotFp64(const float* a, const float* b, int64_t depth);

}  // namespace anyacl::test
