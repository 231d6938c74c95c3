// SPDX-License-Identifier: Apache-2.0
// Tensors as the engine reads them: views [batch][head][row][column], and maps of tokens.
#pragma once

#include <cstdint>

#include "nnop/view.h"

namespace anyacl::attention {

// One entry serves all wherever a dimension has one: its stride, which may be any number, becomes
// 0, that of the last dimension 1.
TensorView Repeating(TensorView view);

// Which dimension is which. head -1: heads lie side by side in the last one; batch -1: the rows of
// all batch entries follow each other.
struct Axes {
  int batch;
  int row;
  int head;
};
// [batch][head][row][column], of rows of `dim` elements each.
TensorView ByHead(const TensorView& view, Axes axes, int64_t dim);

// Of a view [batch][head][row][column]: the first element of a row, counted in elements.
inline int64_t RowAt(const TensorView& view, int64_t b, int64_t h, int64_t r) {
  return view.offset + b * view.strides[0] + h * view.strides[1] + r * view.strides[2];
}
inline int64_t ColumnStep(const TensorView& view) { return view.strides[3]; }

// Where the tokens of one head lie: rows of keys or values, or single scales. No TensorView: its
// strides are bytes, since two INT4 share one, and a paged cache finds its blocks through a table.
struct TokenMap {
  int slot = -1;
  int64_t base = 0;
  int64_t batch = 0;
  int64_t head = 0;
  int64_t token = 0;
  int64_t unit = 0;   // from element to element of a row
  int64_t block = 0;  // paged: from block to block
  // Rows in pieces (FRACTAL_NZ): so many elements lie together, 0: all; and from piece to piece.
  int64_t piece = 0;
  int64_t piece_step = 0;

  bool given() const { return slot >= 0; }
};
// Of a view [batch][head][row][column].
TokenMap TokensOf(const TensorView& rows);

}  // namespace anyacl::attention
