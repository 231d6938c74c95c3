// SPDX-License-Identifier: Apache-2.0
// Operators that know what to write only when they have seen a whole row: a first pass folds its
// pieces, what they give is joined in their order, and a second pass writes. One thread does both
// passes of a row, whose elements the second cache may then still hold; where rows are long and
// fewer than would keep all threads busy, threads share them piece by piece.
#pragma once

#include "base/cpu.h"
#include "nnop/workspace.h"
#include "ops/rowwise/rows.h"
#include "runtime/cache_share.h"

namespace anyacl::rowwise {

// A piece of a row, or of each row of a group.
template <class Number>
struct Piece {
  const Group& group;
  int64_t begin;
  int64_t count;
  // Room for as many numbers that the first pass keeps for the second; null if there is none.
  Number* kept;
  // The second pass: whether the buffers still hold what the first one read.
  bool is_read;
};

// clang-format off
// What `Work` is made of:
//   Number, Part, Total     of the computation; what a piece gives; what a row gives
//   Buffers                 of a thread: what the elements of a piece go through
//   kKept                   how many numbers of a group the first pass keeps; 0: none
//   Booked(rows)            only where these do not lie on a thread's stack: how many of a group
//   Fold(piece, buffers, parts)                  the first pass; a part for each row of the group
//   Join(group, row, parts, pieces)              of all parts of one row of the group
//   Write(piece, buffers, parts, totals)         the second pass
// clang-format on
template <class Work>
class TwoPasses {
 public:
  using Number = typename Work::Number;
  using Part = typename Work::Part;
  using Total = typename Work::Total;

  TwoPasses(const Rows& rows, WorkspaceBook& book) : rows_(rows), pieces_(rows.pieces()) {
    const int64_t threads = ThreadCount();
    if (pieces_ == 1) {
      if constexpr (kIsBooked) {
        kept_ = book.Book<Number>(static_cast<size_t>(threads * Work::Booked(rows)));
      }
      return;
    }
    shares_ = threads > 1 && rows.count() < kRowsPerThread * threads && pieces_ >= kManyPieces;
    const int64_t owners = shares_ ? rows.count() : threads;
    parts_ = book.Book<Part>(static_cast<size_t>(owners * pieces_));
    if (shares_) totals_ = book.Book<Total>(static_cast<size_t>(owners));
    const int64_t bytes = pieces_ * kPiece * static_cast<int64_t>(sizeof(Number));
    // Reading them again from the last cache takes less than computing them again: softmax of rows
    // of 128,000 takes 5.9 instead of 10.2 ms with AVX2.
    const bool room = bytes <= Caches().level2 / 4 * 3 || bytes * threads <= LastCacheShare() / 4;
    keeps_ = (Work::kKept > 0) && !shares_ && room;
    if (keeps_) kept_ = book.Book<Number>(static_cast<size_t>(owners * pieces_ * kPiece));
  }

  void Run(const Bindings& bindings, const Work& work) const {
    if (pieces_ == 1) {
      rows_.ForGroups([&](const Group& group, int64_t slot) {
        if constexpr (kIsBooked) {
          WholeGroup(group, work, kept_.In(bindings) + slot * Work::Booked(rows_));
        } else {
          alignas(64) Number kept[std::max<int64_t>(Work::kKept, 1)];
          WholeGroup(group, work, kept);
        }
      });
    } else if (!shares_) {
      rows_.ForGroups([&](const Group& group, int64_t slot) {
        LongRow(group, work, parts_.In(bindings) + slot * pieces_,
                keeps_ ? kept_.In(bindings) + slot * pieces_ * kPiece : nullptr);
      });
    } else {
      SharedRows(bindings, work);
    }
  }

 private:
  static constexpr bool kIsBooked = requires(const Rows& rows) { Work::Booked(rows); };
  // Rows that one thread has at least before threads share them; and pieces that are worth it.
  static constexpr int64_t kRowsPerThread = 4;
  static constexpr int64_t kManyPieces = 8;

  Piece<Number> PieceOf(const Group& group, int64_t piece, Number* kept) const {
    const int64_t begin = piece * kPiece;
    return {group, begin, std::min(kPiece, rows_.n() - begin),
            kept != nullptr ? kept + begin : nullptr, false};
  }

  void WholeGroup(const Group& group, const Work& work, Number* kept) const {
    typename Work::Buffers buffers;
    Part parts[kMaxGroup];
    Total totals[kMaxGroup];
    Piece<Number> piece = PieceOf(group, 0, kept);
    work.Fold(piece, buffers, parts);
    for (int64_t r = 0; r < group.rows; ++r) totals[r] = work.Join(group, r, parts + r, 1);
    piece.is_read = true;
    work.Write(piece, buffers, parts, totals);
  }

  void LongRow(const Group& group, const Work& work, Part* parts, Number* kept) const {
    typename Work::Buffers buffers;
    for (int64_t p = 0; p < pieces_; ++p) work.Fold(PieceOf(group, p, kept), buffers, parts + p);
    const Total total = work.Join(group, 0, parts, pieces_);
    for (int64_t p = 0; p < pieces_; ++p) {
      work.Write(PieceOf(group, p, kept), buffers, parts + p, &total);
    }
  }

  void SharedRows(const Bindings& bindings, const Work& work) const {
    Part* parts = parts_.In(bindings);
    Total* totals = totals_.In(bindings);
    rows_.ForPieces([&](const Group& group, int64_t p) {
      typename Work::Buffers buffers;
      work.Fold(PieceOf(group, p, nullptr), buffers, parts + group.first * pieces_ + p);
    });
    rows_.ForGroups([&](const Group& group, int64_t) {
      totals[group.first] = work.Join(group, 0, parts + group.first * pieces_, pieces_);
    });
    rows_.ForPieces([&](const Group& group, int64_t p) {
      typename Work::Buffers buffers;
      work.Write(PieceOf(group, p, nullptr), buffers, parts + group.first * pieces_ + p,
                 totals + group.first);
    });
  }

  const Rows& rows_;
  const int64_t pieces_;
  bool shares_ = false;
  bool keeps_ = false;
  WorkspaceSlot<Part> parts_;
  WorkspaceSlot<Total> totals_;
  WorkspaceSlot<Number> kept_;
};

}  // namespace anyacl::rowwise
