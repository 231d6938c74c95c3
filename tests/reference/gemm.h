// SPDX-License-Identifier: Apache-2.0
// A product of matrices, row by row: the oracle of the matrix engine, and its types.
#pragma once

#include <cstdint>

#include "acl/acl_base.h"
#include "gemm/kernel.h"

namespace anyacl::test {

aclDataType DataTypeOf(Element type);

// A row of a product: of `a`, `depth` numbers, and of B's columns, whose element k, n is
// b[k * columns + n]. A whole row at a time, for processors add up many columns at once.

// In fp32, the products in order with one rounding each; of more than 16,384 the sums of 2,304
// each.
void RowFp32(const float* a, const float* b, int64_t depth, int64_t columns, float* c);

// Of integers.
void RowInteger(const float* a, const float* b, int64_t depth, int64_t columns, int64_t* c);

// In double, and of the absolute products.
void RowFp64(const float* a, const float* b, int64_t depth, int64_t columns, double* c,
             double* magnitudes);

}  // namespace anyacl::test
