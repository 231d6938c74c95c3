// SPDX-License-Identifier: Apache-2.0
// What plans need to use the kernels of blocks: those of data types, and tiles of views.
#pragma once

#include <bit>

#include "base/dtype.h"
#include "kernels.h"
#include "nnop/view.h"
#include "ops/blocks/kernel.h"

namespace anyacl::blocks {

inline int64_t BytesOf(aclDataType dtype) { return BitsOf(dtype) / 8; }

// The number that elements become; of uint64 modulo 2^64.
Element NumberOf(Element element);
// What elements of one type are loaded as on their way to another.
Element NumberBetween(aclDataType from, aclDataType to);

// Between numbers and a tensor's elements, which are not complex.
inline LoadFunction Loader(Element number, aclDataType dtype) {
  return anyacl::Kernels().blocks.Of(number).load[static_cast<int>(ElementOf(dtype))];
}
inline StoreFunction Storer(Element number, aclDataType dtype) {
  return anyacl::Kernels().blocks.Of(number).store[static_cast<int>(ElementOf(dtype))];
}
// `count` elements from an address on, `step` elements from one to the next, to and from numbers.
template <class Number>
void LoadRow(aclDataType dtype, const char* from, int64_t step, int64_t count, Number* to) {
  Loader(kElementOf<Number>, dtype)({const_cast<char*>(from), 1, count, 0, step, false}, to);
}
template <class Number>
void StoreRow(const Number* from, int64_t count, aclDataType dtype, char* to, int64_t step) {
  Storer(kElementOf<Number>, dtype)(from, {to, 1, count, 0, step, false});
}
template <class Number>
Number LoadOne(aclDataType dtype, const char* from) {
  Number number = 0;
  LoadRow(dtype, from, 1, 1, &number);
  return number;
}
template <class Number>
void StoreOne(Number number, aclDataType dtype, char* to) {
  StoreRow(&number, 1, dtype, to, 1);
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
