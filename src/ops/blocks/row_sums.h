// SPDX-License-Identifier: Apache-2.0
// Sums of rows in fp32 for rows that lists name, added list after list in their order, so that they
// do not depend on the number of threads.
#pragma once

#include <span>

#include "base/division.h"
#include "nnop/workspace.h"
#include "runtime/parallel.h"

namespace anyacl::blocks {

class RowSums {
 public:
  RowSums() = default;
  RowSums(WorkspaceBook* book, int64_t rows, int64_t columns)
      : rows_(rows), columns_(columns), sums_(book->Book<float>(rows, columns)) {}

  int64_t rows() const { return rows_; }
  // The first `rows`.
  void Clear(const Bindings& bindings, int64_t rows) const;
  void Clear(const Bindings& bindings) const { Clear(bindings, rows_); }
  // Adds row i of `parts`, of `columns` numbers each, to columns `first` on of row rows[i] -
  // origin, in their order.
  void Add(const Bindings& bindings, std::span<const int32_t> rows, const float* parts,
           int64_t first, int64_t columns, int64_t origin = 0) const;
  // Calls visit(row, its sums) for the first `rows`, from several threads.
  template <class Visit>
  void ForRows(const Bindings& bindings, int64_t rows, const Visit& visit) const {
    ParallelFor(rows, CeilDivide(kWorth, columns_), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) visit(row, At(bindings, row));
    });
  }

 private:
  static constexpr int64_t kWorth = 1 << 14;  // numbers: 5 us

  float* At(const Bindings& bindings, int64_t row) const {
    return sums_.In(bindings) + row * columns_;
  }

  int64_t rows_ = 0, columns_ = 0;
  WorkspaceSlot<float> sums_;
};

}  // namespace anyacl::blocks
