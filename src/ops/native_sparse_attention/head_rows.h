// SPDX-License-Identifier: Apache-2.0
// Rows of D numbers in tensors [row][head][D] of any strides.
#pragma once

#include "ops/blocks/blocks.h"

namespace anyacl::native_sparse_attention {

class HeadRows {
 public:
  HeadRows(const TensorView& view, const Bindings& bindings)
      : view_(view), data_(view.Address(bindings)) {}

  char* At(int64_t row, int64_t head) const {
    return data_ + (row * view_.strides[0] + head * view_.strides[1]) * BytesOf(view_);
  }
  void Load(int64_t row, int64_t head, float* to) const {
    blocks::LoadRow(view_.dtype, At(row, head), view_.strides[2], view_.sizes[2], to);
  }
  void Store(const float* from, int64_t row, int64_t head) const {
    blocks::StoreRow(from, view_.sizes[2], view_.dtype, At(row, head), view_.strides[2]);
  }

  // Neighbours one after the other, numbers of 16 bits as they are: heads of a row, rows of a head.
  void CopyHeads(int64_t row, int64_t first, int64_t count, uint16_t* to) const {
    Copy(At(row, first), count, view_.strides[1], to);
  }
  void CopyRows(int64_t first, int64_t count, int64_t head, uint16_t* to) const {
    Copy(At(first, head), count, view_.strides[0], to);
  }

 private:
  void Copy(char* from, int64_t count, int64_t step, uint16_t* to) const {
    const int64_t numbers = view_.sizes[2];
    blocks::Copier(sizeof(uint16_t))(
        {from, count, numbers, step, view_.strides[2], false},
        {reinterpret_cast<char*>(to), count, numbers, numbers, 1, false});
  }

  const TensorView& view_;
  char* const data_;
};

}  // namespace anyacl::native_sparse_attention
