// SPDX-License-Identifier: Apache-2.0
// Rows of tensors a tile at a time, as buffers within L1 take them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "nnop/view.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/int4_rows.h"
#include "runtime/parallel.h"

namespace anyacl::blocks {

inline constexpr int64_t kRowTile = kMostIntegers;  // columns of a row at a time

// Calls visit(row, column, count) for all tiles, 16 whole ones or as many numbers together: 5 us or
// more.
template <class Visit>
void ForRowTiles(int64_t rows, int64_t columns, const Visit& visit) {
  constexpr int64_t kGrain = 16;
  const int64_t tiles = (columns + kRowTile - 1) / kRowTile;
  const int64_t grain = std::max<int64_t>(kGrain, kGrain * kRowTile / columns);
  ParallelFor(rows * tiles, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t column = i % tiles * kRowTile;
      visit(i / tiles, column, std::min(kRowTile, columns - column));
    }
  });
}

// Numbers `at` and following in row-major order, within a row.
template <class Number>
void LoadTile(const Bindings& bindings, const TensorView& view, int64_t at, int64_t count,
              Number* to) {
  LoadRow(view.dtype, view.Address(bindings) + view.OffsetOf(at) * anyacl::BytesOf(view),
          view.strides[view.rank - 1], count, to);
}
inline void StoreTile(const Bindings& bindings, const TensorView& view, int64_t at, int64_t count,
                      const float* from) {
  StoreRow(from, count, view.dtype,
           view.Address(bindings) + view.OffsetOf(at) * anyacl::BytesOf(view),
           view.strides[view.rank - 1]);
}

}  // namespace anyacl::blocks
