// SPDX-License-Identifier: Apache-2.0
// Parts of rows as fp32 numbers, in blocks that the first cache holds several of.
#pragma once

#include <algorithm>

#include "kernels.h"
#include "nnop/view.h"
#include "ops/blocks/blocks.h"

namespace anyacl::moe {

inline constexpr int64_t kPartBlock = 1024;

// Columns first to first + count of a row.
inline void LoadPart(const Bindings& bindings, const TensorView& view, int64_t row, int64_t first,
                     int64_t count, float* numbers) {
  const int last = view.rank - 1;
  const int64_t offset = view.OffsetOf(row, last) + first * view.strides[last];
  blocks::LoadRow(view.dtype, view.Address(bindings) + offset * BytesOf(view), view.strides[last],
                  count, numbers);
}
inline void StorePart(const Bindings& bindings, const TensorView& view, int64_t row, int64_t first,
                      int64_t count, const float* numbers) {
  const int last = view.rank - 1;
  const int64_t offset = view.OffsetOf(row, last) + first * view.strides[last];
  blocks::StoreRow(numbers, count, view.dtype, view.Address(bindings) + offset * BytesOf(view),
                   view.strides[last]);
}

// out = op(a, b; factor); b may be null.
inline void Compute(elementwise::Op op, float* out, const float* a, const float* b, int64_t count,
                    float factor) {
  elementwise::Block block = {};
  std::fill_n(block.step, 3, 1);
  block.in[0] = a;
  block.in[1] = b;
  block.out = out;
  block.count = count;
  block.p = {factor, factor, 0};
  Kernels().elementwise.Find(op, Element::kFp32)(block);
}

// The number of a row and a column.
inline float NumberAt(const Bindings& bindings, const TensorView& view, int64_t row,
                      int64_t column) {
  const int64_t offset = row * view.strides[0] + column * view.strides[1];
  return blocks::LoadOne<float>(view.dtype, view.Address(bindings) + offset * BytesOf(view));
}

}  // namespace anyacl::moe
