// SPDX-License-Identifier: Apache-2.0
#include "ops/indexing/scatter_pieces.h"

#include <algorithm>
#include <atomic>

#include "base/division.h"
#include "ops/blocks/blocks.h"
#include "ops/indexing/positions.h"
#include "ops/indexing/scatter_buckets.h"
#include "ops/indexing/scatter_rows.h"
#include "ops/indexing/single_index.h"
#include "runtime/parallel.h"

namespace anyacl::indexing {
namespace {

// Of target, or of its image: half a level-2 cache, since every element may be the next one.
constexpr int64_t kMostBytes = 256 << 10;
// Across, lines of so many columns: the index is read a line of memory or more at a time.
constexpr int64_t kLeastAcross = 8;
constexpr int64_t kFloat = sizeof(float);

// The axis that is to be gone through innermost although it comes first: its positions are closer
// to one another than the dependent ones. -1: none.
int ClosestApart(const Axes& axes, const Axis& dependent) {
  int closest = -1;
  for (int i = 0; i < axes.count; ++i) {
    const Axis& axis = axes[i];
    if (axis.size < kLeastAcross) continue;
    const uint64_t step = Magnitude(axis.index[0]) + Magnitude(axis.plain);
    const Axis& best = closest < 0 ? dependent : axes[closest];
    if (step < Magnitude(best.index[0]) + Magnitude(best.plain)) closest = i;
  }
  return closest;
}

// What one piece works on.
struct Piece {
  const char* index;
  char* target;
  char* plain;
  const char* source;  // target's elements before; null: they are there
  int64_t columns;
  char* image;  // null: none
};

class Worker {
 public:
  Worker(const Access& x, const Pieces& pieces, const Scattering& how)
      : x_(x),
        p_(pieces),
        index_(x.indices[0]),
        dtype_(how.dtype),
        line_(CombinersOf(pieces.widened ? ACL_FLOAT : how.dtype, how.reduce)
                  .lines[index_.wide ? 1 : 0]) {}

  bool Run(const Piece& piece) const {
    if (p_.image) return RunImage(piece);
    if (piece.source != nullptr) {
      blocks::Copier(x_.element_bytes)(TileOf(piece.source, piece.columns),
                                       TileOf(piece.target, piece.columns));
    }
    return line_(LineOf(piece));
  }

 private:
  // Elements of target along the index's dimension and along the columns, in bytes.
  blocks::Tile TileOf(const char* data, int64_t columns) const {
    const int64_t bytes = x_.element_bytes;
    const int64_t column = p_.column.target / bytes, step = index_.step / bytes;
    auto* const at = const_cast<char*>(data);
    if (p_.across) return {at, index_.limit, columns, step, column, false};
    return {at, columns, index_.limit, column, step, false};
  }

  SingleLine LineOf(const Piece& piece) const {
    const Axis& inner = p_.across ? p_.column : p_.dependent;
    const Axis& outer = p_.across ? p_.dependent : p_.column;
    return {.index = piece.index,
            .target = piece.target,
            .plain = piece.plain,
            .index_step = inner.index[0],
            .target_step = inner.target,
            .plain_step = inner.plain,
            .count = p_.across ? piece.columns : inner.size,
            .index_row = outer.index[0],
            .target_row = outer.target,
            .plain_row = outer.plain,
            .rows = p_.across ? outer.size : piece.columns,
            .limit = index_.limit,
            .wrap = x_.wraps ? index_.limit : 0,
            .step = index_.step};
  }

  // The same order of sums and products as without an image, with numbers of 16 bits widened.
  bool RunImage(const Piece& piece) const {
    const blocks::Tile before =
        TileOf(piece.source != nullptr ? piece.source : piece.target, piece.columns);
    const blocks::Tile after = TileOf(piece.target, piece.columns);
    const int64_t bytes = p_.widened ? kFloat : x_.element_bytes;
    const blocks::Tile image{piece.image, after.rows, after.cols, after.cols, 1, false};
    const int64_t row_bytes = after.cols * bytes;
    SingleLine line = LineOf(piece);
    line.target = piece.image;
    line.target_step = p_.across ? bytes : 0;
    line.target_row = p_.across ? 0 : row_bytes;
    line.step = p_.across ? row_bytes : bytes;
    if (!p_.widened) {
      const blocks::CopyFunction copy = blocks::Copier(bytes);
      copy(before, image);
      const bool right = line_(line);
      if (right) copy(image, after);
      return right;
    }
    blocks::Loader(Element::kFp32, dtype_)(before, piece.image);
    const bool right = RunWidened(line);
    if (right) blocks::Storer(Element::kFp32, dtype_)(piece.image, after);
    return right;
  }

  bool RunWidened(const SingleLine& all) const {
    constexpr int64_t kBlock = blocks::kBlock;
    const blocks::LoadFunction load = blocks::Loader(Element::kFp32, dtype_);
    const int64_t count = std::min(all.count, kBlock);
    const int64_t rows = std::max<int64_t>(1, kBlock / std::max<int64_t>(all.count, 1));
    alignas(64) float values[kBlock];
    bool right = true;
    for (int64_t r = 0; r < all.rows; r += rows) {
      for (int64_t i = 0; i < all.count; i += count) {
        SingleLine line = all;
        line.count = std::min(count, all.count - i);
        line.rows = std::min(rows, all.rows - r);
        line.index += r * all.index_row + i * all.index_step;
        line.target += r * all.target_row + i * all.target_step;
        char* const plain = all.plain + r * all.plain_row + i * all.plain_step;
        load({plain, line.rows, line.count, all.plain_row / x_.element_bytes,
              all.plain_step / x_.element_bytes, false},
             values);
        line.plain = reinterpret_cast<char*>(values);
        line.plain_step = kFloat;
        line.plain_row = line.count * kFloat;
        right &= line_(line);
      }
    }
    return right;
  }

  const Access& x_;
  const Pieces& p_;
  const Index& index_;
  const aclDataType dtype_;
  const LineFunction line_;
};

}  // namespace

std::optional<Pieces> PiecesOf(const Access& x, const Scattering& how) {
  if (x.indices.count != 1) return {};
  Pieces p;
  Axes apart;
  bool has_dependent = false;
  for (const Axis& axis : x.positions) {
    if (axis.apart) {
      apart.push_back(axis);
    } else if (has_dependent || axis.target != 0) {
      return {};
    } else {
      p.dependent = axis;
      has_dependent = true;
    }
  }
  if (apart.count == 0) return {};
  const int closest = has_dependent ? ClosestApart(apart, p.dependent) : -1;
  p.across = closest >= 0;
  const int cut = p.across ? closest : apart.count - 1;
  for (int i = 0; i < apart.count; ++i) {
    if (i != cut) p.outer.push_back(apart[i]);
  }
  if (p.outer.count == 0) p.outer.push_back({});
  p.column = apart[cut];
  p.widened = Grouped(how.dtype, how.reduce, how.by_frequency);
  const Index& index = x.indices[0];
  const int64_t dependent = p.dependent.size;
  const int64_t columns = CountOf(p.outer) * p.column.size;
  const int64_t wanted = 2 * ThreadCount();
  const int64_t least = p.across ? kLeastAcross : 1;
  if (!p.widened && columns < least * wanted && columns * dependent > kLeastShared) return {};
  const int64_t bytes = index.limit * (p.widened ? kFloat : x.element_bytes);
  const int64_t most = std::max<int64_t>(1, kMostBytes / std::max<int64_t>(bytes, 1));
  if (p.across) {
    const int64_t share = std::max(columns / wanted, least);
    p.width = std::min(std::max(most, least), share) / least * least;
  } else {
    // What has just been copied or converted is still in the level-1 cache.
    p.width = std::min(std::max<int64_t>(most / 16, 1), kLeastShared / dependent + 1);
  }
  p.width = std::min(p.width, p.column.size);
  p.image_bytes = p.width * bytes;
  // Threads use images of their own again and again, if there is room for as many; a piece of 16
  // bits has room among the entries of its positions.
  const int64_t room = columns * dependent / ThreadCount() * int64_t{sizeof(int64_t)};
  p.own_image = RoundUp(p.image_bytes, 64) <= room;
  constexpr int64_t kRoom = sizeof(Entry) / sizeof(float);
  p.image = p.widened || (p.across && p.own_image && index.limit <= 2 * dependent);
  const bool one_step = index.step != 0 || index.limit <= 1;
  if (p.widened && (!one_step || index.limit > dependent * kRoom)) return {};
  return p;
}

bool ScatterPieces(const Access& x, const Pieces& p, const Scattering& how) {
  const Worker worker(x, p, how);
  Access outer = x;
  outer.positions = p.outer;
  const int64_t pieces = (p.column.size - 1) / p.width + 1;
  const int64_t positions = p.width * p.dependent.size;
  std::atomic<bool> wrong{false};
  ParallelFor(CountOf(p.outer) * pieces, std::max<int64_t>(1, kLeastShared / positions),
              [&](int64_t begin, int64_t end, int64_t slot) {
                for (int64_t item = begin; item < end; ++item) {
                  const Row row = RowAt(outer, item / pieces);
                  const int64_t first = item % pieces * p.width;
                  const int64_t target = row.target + first * p.column.target;
                  const int64_t before = item / pieces * p.column.size + first;
                  char* image = nullptr;
                  if (p.image && p.own_image) {
                    image = reinterpret_cast<char*>(how.table) + slot * RoundUp(p.image_bytes, 64);
                  } else if (p.image) {
                    image = reinterpret_cast<char*>(how.entries + before * p.dependent.size);
                  }
                  const Piece piece{
                      .index = x.indices[0].data + row.index[0] + first * p.column.index[0],
                      .target = x.target + target,
                      .plain = x.plain + row.plain + first * p.column.plain,
                      .source = how.source == nullptr ? nullptr : how.source + target,
                      .columns = std::min(p.width, p.column.size - first),
                      .image = image};
                  if (!worker.Run(piece)) wrong.store(true, std::memory_order_relaxed);
                }
              });
  return !wrong.load(std::memory_order_relaxed);
}

}  // namespace anyacl::indexing
