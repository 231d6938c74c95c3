// SPDX-License-Identifier: Apache-2.0
// What operators of inference have in common: rows of queries in several layouts, keys in pages,
// and lengths. All tensors are contiguous.
#pragma once

#include "ops/native_sparse_attention/selection.h"

namespace anyacl::native_sparse_attention {

struct InferSizes {
  bool ragged = false;  // TND
  int64_t batch = 0;
  int64_t rows = 0;    // BSND, BSH: of a sequence
  int64_t tokens = 0;  // of all sequences
  int64_t heads = 0;
  int64_t key_heads = 0;
  int64_t dim = 0;
  int64_t value_dim = 0;
  Pages pages;
};

// Whether BSH is a layout, and the most query heads of a head of keys.
struct InferLimits {
  bool bsh;
  int64_t group;
};
// The table, layouts, heads, and the shapes of query, key, value, output and blocks.
Status CheckInfer(Operands& operands, const InferLimits& limits, InferSizes* sizes);

// A tensor has `inner` for each token: [T, ...] or [B, S, ...]; of S = 1 [B, ...] will do.
Status CheckRows(const Operands& operands, int id, const InferSizes& sizes,
                 std::initializer_list<int64_t> inner);

// Sequences of the lengths that arrays say: of rows of queries (none: all there are), and of keys,
// which are as many as the rows or more unless they are `compressed`: one or more.
Status ReadLengths(const Operands& operands, bool compressed, const InferSizes& sizes,
                   std::vector<AttendedSequence>* sequences);

// [row][head][number] of a contiguous tensor.
TensorView RowsOf(const Operands& operands, int id, int64_t rows, int64_t heads);

}  // namespace anyacl::native_sparse_attention
