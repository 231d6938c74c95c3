// SPDX-License-Identifier: Apache-2.0
#include "ops/blocks/row_sums.h"

#include <algorithm>

namespace anyacl::blocks {

void RowSums::Clear(const Bindings& bindings, int64_t rows) const {
  ParallelFor(rows, CeilDivide(kWorth, columns_), [&](int64_t begin, int64_t end) {
    std::fill(At(bindings, begin), At(bindings, end), 0.0f);
  });
}

// Threads share the columns: a row may be named twice.
void RowSums::Add(const Bindings& bindings, std::span<const int32_t> rows, const float* parts,
                  int64_t first, int64_t columns, int64_t origin) const {
  const auto count = static_cast<int64_t>(rows.size());
  if (count == 0) return;
  ParallelFor(columns, std::max<int64_t>(64, CeilDivide(kWorth, count)),
              [&](int64_t begin, int64_t end) {
                for (int64_t l = 0; l < count; ++l) {
                  float* const to = At(bindings, rows[static_cast<size_t>(l)] - origin) + first;
                  const float* const from = parts + l * columns;
                  for (int64_t d = begin; d < end; ++d) to[d] += from[d];
                }
              });
}

}  // namespace anyacl::blocks
