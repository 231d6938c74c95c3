// SPDX-License-Identifier: Apache-2.0
// Matrices of a batch between tensors of any strides and Eigen, which computes.
#pragma once

#include <Eigen/Core>
#include <complex>

#include "base/half_types.h"
#include "nnop/view.h"

namespace anyacl::linalg {

// FLOAT16 and BF16 are computed with in fp32.
template <class E>
struct NumberOfElement {
  using Type = E;
};
template <>
struct NumberOfElement<Fp16> {
  using Type = float;
};
template <>
struct NumberOfElement<Bf16> {
  using Type = float;
};
template <class E>
using NumberOf = typename NumberOfElement<E>::Type;

template <class E>
NumberOf<E> Load(const E& element) {
  return element;
}
inline float Load(const Fp16& element) { return element.ToFloat(); }
inline float Load(const Bf16& element) { return element.ToFloat(); }
template <class E>
void Store(NumberOf<E> number, E* element) {
  *element = number;
}
inline void Store(float number, Fp16* element) { *element = Fp16::From(number); }
inline void Store(float number, Bf16* element) { *element = Bf16::From(number); }

// Column after column, as Eigen likes it.
template <class E>
using Matrix = Eigen::Matrix<NumberOf<E>, Eigen::Dynamic, Eigen::Dynamic>;

// How many matrices the leading dimensions of a view hold.
inline int64_t BatchOf(const TensorView& view) {
  int64_t batch = 1;
  for (int dim = 0; dim < view.rank - 2; ++dim) batch *= view.sizes[dim];
  return batch;
}
inline int64_t RowsOf(const TensorView& view) { return view.sizes[view.rank - 2]; }
inline int64_t ColumnsOf(const TensorView& view) { return view.sizes[view.rank - 1]; }

// One matrix of a batch in memory.
template <class E>
class MatrixInMemory {
 public:
  MatrixInMemory(const TensorView& view, const Bindings& bindings, int64_t index)
      : view_(view),
        data_(reinterpret_cast<E*>(view.Address(bindings)) + view.OffsetOf(index, view.rank - 2)) {}

  Matrix<E> Read() const {
    Matrix<E> matrix(RowsOf(view_), ColumnsOf(view_));
    for (int64_t c = 0; c < matrix.cols(); ++c) {
      for (int64_t r = 0; r < matrix.rows(); ++r) matrix(r, c) = Load(*At(r, c));
    }
    return matrix;
  }
  void Write(const Matrix<E>& matrix) const {
    for (int64_t c = 0; c < matrix.cols(); ++c) {
      for (int64_t r = 0; r < matrix.rows(); ++r) Store(matrix(r, c), At(r, c));
    }
  }

 private:
  E* At(int64_t row, int64_t column) const {
    return data_ + row * view_.strides[view_.rank - 2] + column * view_.strides[view_.rank - 1];
  }

  const TensorView& view_;
  E* data_;
};

}  // namespace anyacl::linalg
