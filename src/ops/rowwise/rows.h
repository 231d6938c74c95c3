// SPDX-License-Identifier: Apache-2.0
// Tensors as rows of n elements. Rows come in groups: where the elements of a row lie far apart but
// those of neighbouring rows side by side, up to 16 rows are read and written together, up to 32 by
// kernels of their own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/division.h"
#include "nnop/view.h"
#include "ops/blocks/blocks.h"
#include "runtime/parallel.h"

namespace anyacl::rowwise {

// Elements of a row, or of a group of rows, that are worked on together: half of L1 in fp32. Longer
// rows are cut into pieces, which statistics are taken of and then joined in their order.
inline constexpr int64_t kPiece = 4096;
// Of rows that lie across, as many are read together as fit into a buffer, which may be larger than
// L1: lines of memory are used whole then, which the caches may not hold until the next rows want
// the rest of them.
inline constexpr int64_t kBuffer = 4 * kPiece;

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

// Rows of a group at most; of one that goes through buffers.
inline constexpr int64_t kMaxGroup = kAcross;
inline constexpr int64_t kMaxBuffered = 16;
// Numbers of a group of rows that are left to kernels of their own, at most: 32 rows of 2048, 16 of
// kPiece.
inline constexpr int64_t kAcrossNumbers = kStrip * kPiece;

struct Group {
  int64_t first;  // row
  int64_t rows;
  const int64_t* offsets;  // of the first row, by part
};

class Rows {
 public:
  struct Options {
    bool as_numbers = false;  // kernels work on numbers, whatever the parts are
    // Short rows that lie one after the other are groups, too, so that the CPU has one row's passes
    // to do while it waits for another's.
    bool in_groups = false;
    // Rows side by side are left to kernels of their own, where they are enough to fill vectors.
    bool across = false;
  };
  // The first of the parts has rows and leads the order; absent ones are left alone.
  explicit Rows(std::vector<Part> parts) : Rows(std::move(parts), Options()) {}
  Rows(std::vector<Part> parts, Options options);

  int64_t n() const { return n_; }
  int64_t count() const { return rows_; }
  int64_t pieces() const { return std::max<int64_t>(1, (n_ + kPiece - 1) / kPiece); }
  // Whether kernels work on the elements of all parts as they lie in memory: rows are contiguous
  // and of one type. If not, they work on numbers, by way of buffers.
  bool direct() const { return direct_; }
  // What the kernels work on.
  Element type() const { return type_; }
  const RowKernels& kernels() const { return Kernels().rowwise.Of(type_); }
  // Whether groups are rows of one type that lie side by side in all parts, and are one piece.
  bool across_rows() const { return across_; }
  // Of a group's strips.
  int64_t across_numbers() const { return RoundUp(group_, kStrip) * n_; }
  const AcrossKernels& across() const {
    return Kernels().rowwise.across.Of(ElementOf(parts_[0].kept.dtype));
  }
  // The rows of a group, which lie so.
  Across AcrossAt(const Bindings& bindings, int part, const Group& group) const;

  // body(group, slot) for all groups, in any order and from several threads, each of which has a
  // slot of its own.
  template <class Body>
  void ForGroups(const Body& body) const {
    ForEach(1, [&](const Group& group, int64_t, int64_t slot) { body(group, slot); });
  }
  // body(group, piece) for all pieces of them.
  template <class Body>
  void ForPieces(const Body& body) const {
    ForEach(pieces(), [&](const Group& group, int64_t piece, int64_t) { body(group, piece); });
  }

  int64_t groups() const { return tiles_ * rows_ / std::max<int64_t>(last_, 1); }
  // body(group) for group `index` of them.
  template <class Body>
  void WithGroup(int64_t index, const Body& body) const {
    int64_t offsets[kMaxParts];
    body(Locate(index, offsets));
  }
  // What threads that were handed targets past the caches end with.
  void Fence() const {
    if (past_caches_) Kernels().blocks.fence();
  }

  // Elements begin to begin + count of each row of the group, row after row: in memory as they are,
  // or as numbers in the buffer.
  template <class T>
  const void* Read(const Bindings& bindings, int part, const Group& group, int64_t begin,
                   int64_t count, T* buffer) const {
    if (direct_) return Address(bindings, part, group, begin);
    return Numbers(bindings, part, group, begin, count, buffer);
  }
  // Always numbers.
  template <class T>
  const T* Numbers(const Bindings& bindings, int part, const Group& group, int64_t begin,
                   int64_t count, T* buffer) const;
  // Where kernels write such elements; Written then brings them from the buffer into their places.
  template <class T>
  Target To(const Bindings& bindings, int part, const Group& group, int64_t begin,
            T* buffer) const {
    if (direct_) return {Address(bindings, part, group, begin), past_caches_};
    return {buffer, false};
  }
  template <class T>
  void Written(const Bindings& bindings, int part, const Group& group, int64_t begin, int64_t count,
               const T* buffer) const {
    if (!direct_) Write(bindings, part, group, begin, count, buffer);
  }
  // Brings there what Read would have given, or a kernel wrote in its place.
  void Copy(const Bindings& bindings, int part, const Group& group, int64_t begin, int64_t count,
            const void* from) const;
  // The number of one row, `row` counted within the group.
  void WriteNumber(const Bindings& bindings, int part, const Group& group, int64_t row,
                   double value) const;
  double ReadNumber(const Bindings& bindings, int part, const Group& group, int64_t row) const;
  // Brings numbers into their places, whatever the type.
  template <class T>
  void Write(const Bindings& bindings, int part, const Group& group, int64_t begin, int64_t count,
             const T* values) const;
  // Row `row` of what Read gave, or To.
  template <class T>
  const void* RowAt(const void* x, int64_t row, int64_t n) const {
    return static_cast<const char*>(x) + row * n * ElementBytes<T>();
  }
  template <class T>
  Target RowAt(const Target& to, int64_t row, int64_t n) const {
    return {static_cast<char*>(to.data) + row * n * ElementBytes<T>(), to.past_caches};
  }
  bool Given(int part) const { return parts_[static_cast<size_t>(part)].given(); }

 private:
  static constexpr int kMaxParts = 8;

  // body(group, part, slot) for `parts` of each group.
  template <class Body>
  void ForEach(int64_t parts, const Body& body) const {
    constexpr int64_t kWorth = 1 << 14;  // elements: 3 us in the caches
    const int64_t grain = kWorth / std::max<int64_t>(1, n_ * group_ / parts);
    const auto chunk = [&](int64_t begin, int64_t end, int64_t slot) {
      for (int64_t i = begin; i < end; ++i) {
        int64_t offsets[kMaxParts];
        body(Locate(i / parts, offsets), i % parts, slot);
      }
      Fence();
    };
    ParallelFor(groups() * parts, std::max<int64_t>(1, grain), chunk);
  }

  template <class T>
  int64_t ElementBytes() const {
    return direct_ ? blocks::BytesOf(parts_[0].kept.dtype) : static_cast<int64_t>(sizeof(T));
  }

  bool IsDirect() const;
  bool LieTogether() const;
  bool LieAcross() const;
  Group Locate(int64_t group, int64_t* offsets) const;
  char* Address(const Bindings& bindings, int part, const Group& group, int64_t begin) const;
  template <class Visit>
  void ForTiles(const Bindings& bindings, const Part& part, int64_t offset, int64_t rows,
                int64_t begin, int64_t count, const Visit& visit) const;

  std::vector<Part> parts_;
  int64_t n_;
  int64_t rows_;
  int64_t last_ = 1;  // rows along the last kept dimension
  int64_t group_ = 1;
  int64_t tiles_ = 1;
  bool past_caches_ = false;
  bool direct_ = false;
  bool across_ = false;
  Element type_ = Element::kFp32;
};

}  // namespace anyacl::rowwise
