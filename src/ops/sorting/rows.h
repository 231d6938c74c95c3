// SPDX-License-Identifier: Apache-2.0
// Rows: the elements along one dimension, or all of them, and where they and their results lie.
#pragma once

#include <algorithm>

#include "nnop/operands.h"
#include "nnop/view.h"
#include "nnop/workspace.h"
#include "ops/sorting/entries.h"
#include "ops/sorting/operators.h"
#include "runtime/parallel.h"

namespace anyacl::sorting {

class Rows {
 public:
  // Along a dimension; -1: one row of all elements.
  Rows(const TensorView& view, int dim) : kept_(view), row_(view) {
    if (dim < 0) {
      kept_.rank = 0;
      CoalesceInOrder(std::span(&row_, 1));
      row_ = AtLeastVector(row_);
    } else {
      kept_ = WithoutDim(view, dim);
      row_.rank = 1;
      row_.sizes[0] = view.sizes[dim];
      row_.strides[0] = view.strides[dim];
    }
    count_ = kept_.elements();
    length_ = row_.elements();
    bytes_ = BytesOf(view);
  }

  int64_t count() const { return count_; }
  int64_t length() const { return length_; }
  bool is_simple() const { return row_.rank == 1; }
  int64_t bytes() const { return bytes_; }                   // of an element
  int64_t step() const { return row_.strides[0] * bytes_; }  // if it is
  char* Row(const Bindings& bindings, int64_t number) const {
    return kept_.Address(bindings) + kept_.OffsetOf(number) * bytes_;
  }
  int64_t PlaceOffset(int64_t place) const {
    return is_simple() ? place * step() : row_.OffsetOf(place) * bytes_;
  }

  // body(address, step, count, place of the first) for runs of the elements begin to end - 1.
  template <class Body>
  void ForRuns(const char* row, int64_t begin, int64_t end, const Body& body) const {
    const int last = row_.rank - 1;
    while (begin < end) {
      const int64_t at = begin % row_.sizes[last];
      const int64_t n = std::min(end - begin, row_.sizes[last] - at);
      body(row + row_.OffsetOf(begin) * bytes_, row_.strides[last] * bytes_, n, begin);
      begin += n;
    }
  }
  template <class Entry>
  void Load(const char* row, int64_t begin, int64_t end, LoadFunction<Entry> load, uint64_t flip,
            Entry* to) const {
    ForRuns(row, begin, end, [&](const char* from, int64_t step, int64_t n, int64_t first) {
      load(from, step, n, flip, first, to + (first - begin));
    });
  }

 private:
  TensorView kept_, row_;
  int64_t count_, length_, bytes_;
};

inline bool FitsNarrow(aclDataType dtype, int64_t length) {
  return BitsOf(dtype) <= 32 && length < Narrow::kMostElements;
}

// What a dimension argument names; a single number has one dimension.
inline Status CheckDimOf(const Operands& operands, const TensorView& self, int* dim) {
  return CheckDim(operands, "dim", operands.Int(kDim), static_cast<size_t>(self.rank), dim);
}

// Rows so long that there is no memory for their entries cannot be in memory either.
inline Status CheckLength(const Operands& operands, const Rows& rows) {
  constexpr int64_t kMost = int64_t{1} << 44;
  if (rows.length() < kMost) return {};
  return Fail(operands.spec().codes.shape, "self has rows of {} elements, expected fewer than {}",
              rows.length(), kMost);
}

}  // namespace anyacl::sorting
