// SPDX-License-Identifier: Apache-2.0
// Views as the matrix engine takes them.
#pragma once

#include <algorithm>

#include "base/division.h"
#include "gemm/gemm.h"
#include "nnop/view.h"

namespace anyacl::matmul {

// What groups of k are multiples of, which the kernel of few rows takes.
inline constexpr int64_t kGroupUnit = 32;

// One group of all k.
constexpr int64_t GroupOfAll(int64_t depth) { return RoundUp(depth, kGroupUnit); }

// The leading dimensions of matrices.
inline TensorView BatchOf(TensorView view) {
  if (view.given()) view.rank -= 2;
  return view;
}

inline gemm::Matrix MatrixOf(const TensorView& view, const TensorView& batch) {
  gemm::Matrix matrix;
  matrix.type = ElementOf(view.dtype);
  matrix.row_step = view.strides[view.rank - 2];
  matrix.column_step = view.strides[view.rank - 1];
  std::copy_n(batch.strides, batch.rank, matrix.batch_step);
  return matrix;
}
inline gemm::Matrix MatrixOf(const TensorView& view) { return MatrixOf(view, BatchOf(view)); }

// Null for a tensor that is absent or without elements, which the engine does not look at.
inline char* AddressOf(const TensorView& view, const Bindings& bindings) {
  if (!view.given() || bindings.data[static_cast<size_t>(view.slot)] == nullptr) return nullptr;
  return view.Address(bindings);
}

}  // namespace anyacl::matmul
