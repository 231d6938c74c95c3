// SPDX-License-Identifier: Apache-2.0
// Tensors as rows of n elements. Rows come in groups: where the elements of a row lie far apart but
// those of neighbouring rows side by side, up to 16 rows are read and written together.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "nnop/view.h"
#include "ops/blocks/blocks.h"
#include "runtime/parallel.h"

namespace anyacl::rowwise {

// Elements of a row, or of a group of rows, that are worked on together: half of L1 in fp32.
inline constexpr int64_t kPiece = 4096;

// A tensor of the call: its rows and, within one, its elements.
struct Part {
  TensorView kept;
  TensorView row;
  bool given() const { return kept.given(); }
};

// Of the last `row_rank` dimensions, and of those that `row` has bits for.
Part RowsOf(const TensorView& view, int row_rank);
Part RowsAlong(const TensorView& view, int dim);
// A number per row: `view` has a row of kept's sizes, dimensions of size 1 aside.
Part PerRow(const TensorView& view, const TensorView& kept);

struct Group {
  int64_t rows;
  const int64_t* offsets;  // of the first row, by part
};

class Rows {
 public:
  // The first of the parts has rows and leads the order; absent ones are left alone.
  explicit Rows(std::vector<Part> parts);

  int64_t n() const { return n_; }
  bool short_rows() const { return n_ <= kPiece; }

  // body(group) for all groups, in any order and from several threads.
  template <class Body>
  void ForGroups(const Body& body) const {
    const int64_t outer = tiles_ * rows_ / std::max<int64_t>(last_, 1);
    constexpr int64_t kWorth = 1 << 14;  // elements: 3 us in the caches
    const int64_t grain = kWorth / std::max<int64_t>(1, n_ * group_);
    ParallelFor(outer, std::max<int64_t>(1, grain), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        int64_t offsets[kMaxParts];
        const int64_t rows = Locate(i, offsets);
        body(Group{rows, offsets});
      }
    });
  }

  // Elements begin to begin + count of each row of the group, row after row: in memory as they are,
  // or in the buffer.
  template <class T>
  const T* Read(const Bindings& bindings, int part, const Group& group, int64_t begin,
                int64_t count, T* buffer) const;
  template <class T>
  void Write(const Bindings& bindings, int part, const Group& group, int64_t begin, int64_t count,
             const T* values) const;
  // The number of one row, `row` counted within the group.
  void WriteNumber(const Bindings& bindings, int part, const Group& group, int64_t row,
                   double value) const;
  bool Given(int part) const { return parts_[static_cast<size_t>(part)].given(); }

 private:
  static constexpr int kMaxParts = 6;

  int64_t Locate(int64_t group, int64_t* offsets) const;
  template <class Visit>
  void ForTiles(const Bindings& bindings, const Part& part, int64_t offset, int64_t rows,
                int64_t begin, int64_t count, const Visit& visit) const;

  std::vector<Part> parts_;
  int64_t n_;
  int64_t rows_;
  int64_t last_ = 1;  // rows along the last kept dimension
  int64_t group_ = 1;
  int64_t tiles_ = 1;
  bool stream_ = false;
};

}  // namespace anyacl::rowwise
