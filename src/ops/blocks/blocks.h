// SPDX-License-Identifier: Apache-2.0
// What plans need to use the kernels of blocks: the element types of data types, and tiles of
// views.
#pragma once

#include <bit>
#include <optional>

#include "base/dtype.h"
#include "kernels.h"
#include "nnop/view.h"
#include "ops/blocks/kernel.h"

namespace anyacl::blocks {

// Nothing for complex numbers and the types of fewer than 8 bits.
std::optional<Element> ElementOf(aclDataType dtype);

inline int64_t BytesOf(aclDataType dtype) { return BitsOf(dtype) / 8; }

// What elements of one type are loaded as on their way to another.
Number NumberBetween(aclDataType from, aclDataType to);

inline LoadFunction Loader(Number number, Element element) {
  return anyacl::Kernels().blocks.load[static_cast<int>(number)][static_cast<int>(element)];
}
inline StoreFunction Storer(Number number, Element element) {
  return anyacl::Kernels().blocks.store[static_cast<int>(number)][static_cast<int>(element)];
}
// Of elements of 1, 2, 4, 8 or 16 bytes.
inline CopyFunction Copier(int64_t bytes) {
  return anyacl::Kernels().blocks.copy[std::countr_zero(static_cast<uint64_t>(bytes))];
}

// Calls visit(tile, elements before it) for the tiles that elements `begin` to `end` of a view in
// row-major order consist of; `data` is the view's first element.
template <class Visit>
void ForTiles(const TensorView& view, char* data, int64_t begin, int64_t end, const Visit& visit) {
  const int64_t bytes = BytesOf(view.dtype);
  const int rank = view.rank;
  const int64_t row_stride = rank > 1 ? view.strides[rank - 2] : 0;
  const int64_t col_stride = rank > 0 ? view.strides[rank - 1] : 1;
  anyacl::ForTiles(
      view, begin, end, [&](int64_t offset, int64_t rows, int64_t cols, int64_t before) {
        visit(Tile{data + offset * bytes, rows, cols, row_stride, col_stride, false}, before);
      });
}

}  // namespace anyacl::blocks
