// SPDX-License-Identifier: Apache-2.0
// Positions of an access: their axes made simple, and the offsets that their indices stand for.
#pragma once

#include "ops/indexing/access.h"

namespace anyacl::indexing {

// The offset of a position that is left out.
inline constexpr int64_t kSkipped = INT64_MIN;

// Axes of one entry go, neighbours that are one step everywhere become one; one axis stays.
void Join(Axes* axes, int indices);
void SortByTarget(Axes* axes);
// Boxes of more than 256 KiB: their first axes become positions, so that threads share them.
void SplitLongBoxes(Access* x);

// Where the positions from one on lie, up to the end of the last axis.
struct Row {
  int64_t target = 0;
  int64_t plain = 0;
  std::array<int64_t, kMaxIndices> index{};
  int64_t left = 0;
};
Row RowAt(const Access& x, int64_t position);

// Goes through positions row by row, without a division for each.
class RowWalk {
 public:
  RowWalk(const Access& x, int64_t position);

  const Row& row() const { return row_; }
  // Over the next `count` of the row's.
  void Advance(int64_t count);
  // How many whole rows follow each other from here on along the axis before the last one, within
  // `count` positions; 0 in the middle of a row.
  int64_t Rows(int64_t count) const;
  void AdvanceRows(int64_t rows);

 private:
  void Move(int axis, int64_t steps);
  void Carry(int axis);

  const Access& x_;
  Row row_;
  std::array<int64_t, 2 * TensorView::kMaxRank> at_{};
};

// Offsets in target of the next `count` positions of a row; false if one is out of range.
bool ReadOffsets(const Access& x, const Row& row, int64_t count, int64_t* offsets);

// The first position with an index out of range, in row-major order: a failure that names it.
Status CheckIndices(const Access& x, const Names& names);

}  // namespace anyacl::indexing
