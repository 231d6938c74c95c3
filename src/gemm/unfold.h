// SPDX-License-Identifier: Apache-2.0
// Matrices in panels (FRACTAL_NZ), some columns by some k at a time, in an order without panels.
// The weight is never copied as a whole: what is unfolded stays in L2 until it is packed or
// multiplied.
#pragma once

#include "gemm/gemm.h"

namespace anyacl::gemm {

// How many columns few rows are multiplied by at a time.
int64_t FewColumns(const Matrix& b, int64_t depth);

// Of so many columns and k, in bytes.
int64_t UnfoldedBytes(const Matrix& b, int64_t columns, int64_t depth);

// args->lines columns from `column` on and args->depth k from `k` on of the matrix at `from`: args
// is made to find them there if they are of one panel, or else at `to`.
void Unfold(const Matrix& b, const char* from, int64_t k, int64_t column, char* to, PackArgs* args);

}  // namespace anyacl::gemm
