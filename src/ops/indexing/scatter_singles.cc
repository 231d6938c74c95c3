// SPDX-License-Identifier: Apache-2.0
// Who writes what. Threads share what is apart, or ranges of target; few positions are for one.
// Each way an element is written in the order of positions.
#include "ops/indexing/scatter_singles.h"

#include <algorithm>
#include <atomic>

#include "ops/indexing/positions.h"
#include "ops/indexing/scatter_buckets.h"
#include "ops/indexing/scatter_pieces.h"
#include "ops/indexing/scatter_rows.h"
#include "ops/indexing/single_index.h"
#include "runtime/parallel.h"

namespace anyacl::indexing {
namespace {

constexpr int64_t kSinglesBlock = 256;  // offsets at a time

// All positions, one after the other; false: an index is out of range.
bool ScatterInOrder(const Access& x, const Combiners& combiners, bool only_checks) {
  const int64_t count = CountOf(x.positions);
  if (x.indices.count == 1) {
    const bool wide = x.indices[0].wide;
    return ForLines(x, only_checks ? CheckLineOf(wide) : combiners.lines[wide ? 1 : 0], 0, count);
  }
  int64_t offsets[kSinglesBlock];
  RowWalk walk(x, 0);
  for (int64_t at = 0; at < count;) {
    const int64_t n = std::min({count - at, walk.row().left, kSinglesBlock});
    if (!ReadOffsets(x, walk.row(), n, offsets)) return false;
    if (!only_checks) {
      combiners.singles({.target = x.target,
                         .plain = x.plain + walk.row().plain,
                         .offsets = offsets,
                         .count = n,
                         .step = x.positions.back().plain});
    }
    at += n;
    walk.Advance(n);
  }
  return true;
}

// Whether the only index is in range everywhere: its axes alone count, so most are one line.
bool CheckIndex(const Access& access) {
  Access x = access;
  for (Axis& axis : x.positions) axis = {.size = axis.size, .index = axis.index};
  Join(&x.positions, 1);
  const LineFunction line = CheckLineOf(x.indices[0].wide);
  std::atomic<bool> wrong{false};
  ParallelFor(CountOf(x.positions), 4 * kLeastShared, [&](int64_t begin, int64_t end) {
    if (!ForLines(x, line, begin, end)) wrong.store(true, std::memory_order_relaxed);
  });
  return !wrong.load(std::memory_order_relaxed);
}

}  // namespace

bool IsOfSingles(const Access& x, const Scattering& how) {
  return CountOf(x.inner) == 1 && !how.scaled && !how.by_frequency && !x.LeavesOut();
}

std::optional<bool> ScatterSingles(const Access& x, const Scattering& how) {
  if (const auto pieces = PiecesOf(x, how)) {
    return (how.may_spoil || CheckIndex(x)) && ScatterPieces(x, *pieces, how);
  }
  // One thread writes 2^20 positions in half the time that placing them into buckets takes.
  const bool grouped = Grouped(how.dtype, how.reduce, false);
  if (CountOf(x.positions) > kLeastShared && (ThreadCount() > 1 || grouped)) {
    if (const auto buckets = BucketsOf(x, how)) return ScatterBuckets(x, *buckets, how);
  }
  if (grouped) return {};
  const Combiners combiners = CombinersOf(how.dtype, how.reduce);
  return (how.may_spoil || ScatterInOrder(x, combiners, true)) &&
         ScatterInOrder(x, combiners, false);
}

}  // namespace anyacl::indexing
