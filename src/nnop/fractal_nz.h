// SPDX-License-Identifier: Apache-2.0
// The order FRACTAL_NZ. A matrix [K, N] becomes panels of C0 columns, 32 bytes of the type that the
// multiplication has, each with all rows, which are made up to a multiple of 16:
//   [.., K, N] <-> [.., ceil(N / C0), ceil(K / 16), 16, C0]
#pragma once

#include "base/division.h"
#include "base/shape.h"

namespace anyacl {

inline constexpr int64_t kPanelRows = 16;
inline constexpr size_t kPanelRank = 2;  // what panels add to a rank

// Columns: 8 of FLOAT, 16 of 16 bits, 32 of INT8, 64 of INT4.
constexpr bool IsPanelWidth(int64_t columns, int64_t most) {
  return (columns == 8 || columns == 16 || columns == 32 || columns == 64) && columns <= most;
}

// Of matrices in panels of so many columns.
inline Dims NzShape(const Dims& matrices, int64_t columns) {
  const size_t rank = matrices.rank();
  Dims shape(matrices.begin(), rank - 2);
  shape.push_back(CeilDivide(matrices[rank - 1], columns));
  shape.push_back(CeilDivide(matrices[rank - 2], kPanelRows));
  shape.push_back(kPanelRows);
  shape.push_back(columns);
  return shape;
}

}  // namespace anyacl
