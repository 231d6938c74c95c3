// SPDX-License-Identifier: Apache-2.0
// Problems of one batch of matrices that lie at even steps, as gradients of attention have many.
#pragma once

#include "gemm/gemm.h"

namespace anyacl::gemm {

// Matrices: from row to row, column to column, and matrix to matrix.
struct Factor {
  Element type;
  int64_t row_step, column_step, batch_step;

  Factor Turned() const { return {type, column_step, row_step, batch_step}; }
  Matrix AsMatrix() const {
    return {
        .type = type, .row_step = row_step, .column_step = column_step, .batch_step = {batch_step}};
  }
};

// The sizes of C, and k.
struct BatchSizes {
  int64_t batch, rows, columns, depth;
};

inline Problem ProblemOf(const BatchSizes& sizes, const Factor& a, const Factor& b,
                         const Factor& c) {
  Problem p;
  p.rows = sizes.rows;
  p.columns = sizes.columns;
  p.depth = sizes.depth;
  p.batch_rank = 1;
  p.batch[0] = sizes.batch;
  p.a = a.AsMatrix();
  p.b = b.AsMatrix();
  p.c = c.AsMatrix();
  return p;
}
// C: contiguous numbers of fp32.
inline Problem ProblemOf(const BatchSizes& sizes, const Factor& a, const Factor& b) {
  return ProblemOf(sizes, a, b, {Element::kFp32, sizes.columns, 1, sizes.rows * sizes.columns});
}

// The product is added to what C holds, which is passed as D, too.
inline Problem Added(Problem p) {
  p.has_d = true;
  p.d = p.c;
  return p;
}

}  // namespace anyacl::gemm
