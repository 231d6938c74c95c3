// SPDX-License-Identifier: Apache-2.0
// Positions of single elements with one index, without offsets in between: 0.9 ns for each where
// computing 256 offsets and then moving as many elements takes 1.4.
#pragma once

#include "nnop/copy_runs.h"
#include "ops/indexing/positions.h"

namespace anyacl::indexing {

// Some positions of a row, or whole rows.
struct SingleLine {
  const char* index;
  char* target;
  char* plain;
  int64_t index_step, target_step, plain_step;  // from one position to the next, in bytes
  int64_t count;
  int64_t index_row, target_row, plain_row;  // from one row to the next
  int64_t rows;
  int64_t limit;
  int64_t wrap;  // added to what is below 0
  int64_t step;  // of the dimension that the index addresses, in bytes
};

inline SingleLine LineAt(const Access& x, const Row& row, int64_t count, int64_t rows) {
  const Index& index = x.indices[0];
  const Axis& last = x.positions.back();
  const Axis& outer = x.positions[rows > 1 ? x.positions.count - 2 : x.positions.count - 1];
  return {.index = index.data + row.index[0],
          .target = x.target + row.target,
          .plain = x.plain + row.plain,
          .index_step = last.index[0],
          .target_step = last.target,
          .plain_step = last.plain,
          .count = count,
          .index_row = outer.index[0],
          .target_row = outer.target,
          .plain_row = outer.plain,
          .rows = rows,
          .limit = index.limit,
          .wrap = x.wraps ? index.limit : 0,
          .step = index.step};
}

// Rows of short lines are far apart, so what the rows to come need is asked for in advance.
inline constexpr int64_t kAhead = 8;
inline constexpr int64_t kLine = 64;  // bytes

// How a line lies: anyhow; index and plain dense, and target along the index, or along the line.
enum class Lie : uint8_t { kAny, kAlong, kAcross };

// each(address in target, address in plain) for all positions of elements T; indices outside count
// as 0. Returns whether there was none. Indices below 0 are rare, so they have a branch.
template <Lie kLie, class T, class I, class Each>
bool ForLineAs(const SingleLine& x, const Each& each) {
  constexpr bool kDense = kLie != Lie::kAny;
  constexpr int64_t kElement = sizeof(T);
  const auto limit = static_cast<uint64_t>(x.limit);
  const auto step = static_cast<uint64_t>(kLie == Lie::kAlong ? kElement : x.step);
  const int64_t wrap = x.wrap, count = x.count;
  const int64_t index_step = kDense ? int64_t{sizeof(I)} : x.index_step;
  const int64_t target_step = kLie == Lie::kAlong    ? 0
                              : kLie == Lie::kAcross ? kElement
                                                     : x.target_step;
  const int64_t plain_step = kDense ? kElement : x.plain_step;
  bool wrong = false;
  for (int64_t row = 0; row < x.rows; ++row) {
    const char* const index = x.index + row * x.index_row;
    char* const target = x.target + row * x.target_row;
    char* const plain = x.plain + row * x.plain_row;
    if (kLie == Lie::kAcross && row + kAhead < x.rows) {
      for (int64_t i = 0; i < count * index_step; i += kLine) {
        __builtin_prefetch(index + kAhead * x.index_row + i);
      }
      for (int64_t i = 0; i < count * kElement; i += kLine) {
        __builtin_prefetch(plain + kAhead * x.plain_row + i);
      }
    }
    for (int64_t i = 0; i < count; ++i) {
      int64_t value = LoadElement<I>(index + i * index_step);
      if (static_cast<uint64_t>(value) >= limit) [[unlikely]] {
        value += value < 0 ? wrap : 0;
        const bool outside = static_cast<uint64_t>(value) >= limit;
        wrong |= outside;
        value = outside ? 0 : value;
      }
      const auto offset = static_cast<int64_t>(static_cast<uint64_t>(value) * step);
      each(target + i * target_step + offset, plain + i * plain_step);
    }
  }
  return !wrong;
}

template <class T, class I, class Each>
bool ForLine(const SingleLine& x, const Each& each) {
  if (x.limit == 0) return x.count == 0;
  constexpr int64_t kElement = sizeof(T);
  const bool dense = x.index_step == int64_t{sizeof(I)} && x.plain_step == kElement;
  if (dense && x.target_step == 0 && x.step == kElement) {
    return ForLineAs<Lie::kAlong, T, I>(x, each);
  }
  return dense && x.target_step == kElement ? ForLineAs<Lie::kAcross, T, I>(x, each)
                                            : ForLineAs<Lie::kAny, T, I>(x, each);
}

using LineFunction = bool (*)(const SingleLine& line);
// plain = target; null for other sizes than 1, 2, 4, 8 and 16 bytes.
LineFunction GatherLineOf(int64_t bytes, bool wide);
// Only whether all indices are in range.
LineFunction CheckLineOf(bool wide);

// Positions begin to end - 1, as long lines as there are.
bool ForLines(const Access& x, LineFunction function, int64_t begin, int64_t end);

}  // namespace anyacl::indexing
