// SPDX-License-Identifier: Apache-2.0
// Columns that all rows share: weights and biases of norms.
#pragma once

#include <optional>

#include "nnop/workspace.h"
#include "ops/rowwise/rows.h"

namespace anyacl::rowwise {

// As fp32 or as elements of the rows' type: in the tensor itself or an fp32 copy of it. With
// `added`, which asks for fp32, the sums with that number.
class Columns {
 public:
  Columns(const TensorView& view, bool wide, WorkspaceBook& book, float added = 0)
      : wide_(wide), added_(added) {
    if (!view.given()) return;
    rows_.emplace(std::vector<Part>{RowsOf(view, view.rank)});
    if (added != 0 || (wide && !(view.dtype == ACL_FLOAT && view.IsContiguous()))) {
      copy_ = book.Book<float>(static_cast<size_t>(rows_->n()));
    }
  }

  // Whether kernels that work on `rows` read them as they lie in memory.
  static bool AreOf(const Rows& rows, const TensorView& view) {
    return !view.given() ||
           (rows.direct() && view.IsContiguous() && ElementOf(view.dtype) == rows.type());
  }

  // Null if there are none.
  const void* In(const Bindings& bindings) const {
    if (!rows_) return nullptr;
    const int64_t none[1] = {0};
    const Group all = {0, 1, none};
    float* copy = copy_ ? copy_->In(bindings) : nullptr;
    if (!wide_) return rows_->Read(bindings, 0, all, 0, rows_->n(), copy);
    const float* const numbers = rows_->Numbers(bindings, 0, all, 0, rows_->n(), copy);
    if (added_ == 0) return numbers;
    for (int64_t i = 0; i < rows_->n(); ++i) copy[i] = numbers[i] + added_;
    return copy;
  }

 private:
  const bool wide_;
  const float added_;
  std::optional<Rows> rows_;
  std::optional<WorkspaceSlot<float>> copy_;
};

// From column `at` on.
inline const void* ColumnsFrom(const void* columns, int64_t at, bool wide, Element type) {
  const int64_t bytes = BytesOf(wide ? Element::kFp32 : type);
  return columns != nullptr ? static_cast<const char*>(columns) + at * bytes : nullptr;
}

}  // namespace anyacl::rowwise
