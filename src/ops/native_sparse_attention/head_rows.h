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

 private:
  const TensorView& view_;
  char* const data_;
};

}  // namespace anyacl::native_sparse_attention
