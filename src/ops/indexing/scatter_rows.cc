// SPDX-License-Identifier: Apache-2.0
// Who writes what. Threads share units and rows of the boxes, of which none writes what another one
// does; where there are few, they share target: each goes through the whole table and writes the
// elements of its part. Either way an element of target is written in the order of positions.
#include "ops/indexing/scatter_rows.h"

#include <algorithm>
#include <bit>

#include "nnop/copy_runs.h"
#include "ops/blocks/radix_sort.h"
#include "ops/indexing/positions.h"
#include "runtime/parallel.h"

namespace anyacl::indexing {
namespace {

constexpr int64_t kRowChunkBytes = 64 << 10;
// Rows of sorted entries lie anywhere: those of one some way behind are asked for (8192 rows of 256
// fp32 added to 50,000: 3.5 instead of 4 to 5 ms).
constexpr int64_t kEntriesAhead = 4;
// Positions of a chunk that only finds rows.
constexpr int64_t kLookedUp = 4096;

// The shape of the work: units x rows of the boxes, and what lies in one of them.
struct Work {
  const Access& x;
  const Scattering& how;
  int64_t dependent;  // positions of a unit
  int64_t rows;       // of a box
  Axis row;           // the last axis of the boxes

  Work(const Access& access, int64_t units, const Scattering& scattering)
      : x(access),
        how(scattering),
        dependent(CountOf(access.positions) / units),
        row(access.inner.back()) {
    rows = CountOf(x.inner) / row.size;
  }

  // Of a row of the boxes, in target and plain.
  void RowOffsets(int64_t number, int64_t* target, int64_t* plain) const {
    *target = *plain = 0;
    for (int i = x.inner.count - 1; i-- > 0;) {
      const Axis& axis = x.inner[i];
      *target += number % axis.size * axis.target;
      *plain += number % axis.size * axis.plain;
      number /= axis.size;
    }
  }
};

// All positions of a unit, for one row of the boxes.
void RunUnit(const Work& work, RowsFunction function, int64_t unit, int64_t number, int64_t low,
             int64_t high) {
  int64_t target, plain;
  work.RowOffsets(number, &target, &plain);
  Rows rows;
  rows.target = work.x.target + target;
  rows.step = work.x.positions.back().plain;
  rows.n = work.row.size;
  rows.target_step = work.row.target;
  rows.plain_step = work.row.plain;
  rows.low = low;
  rows.high = high;
  rows.factor = work.how.scaled ? work.how.factor.data() : nullptr;
  int64_t at = unit * work.dependent;
  const int64_t end = at + work.dependent;
  while (at < end) {
    const Row row = RowAt(work.x, at);
    rows.count = std::min(end - at, row.left);
    rows.plain = work.x.plain + plain + row.plain;
    rows.offsets = work.how.table + at;
    function(rows);
    at += rows.count;
  }
}

void RunRows(const Work& work, int64_t units) {
  const RowsFunction function = CombinersOf(work.how.dtype, work.how.reduce).rows;
  const int64_t items = units * work.rows;
  const int64_t bytes = std::max<int64_t>(
      1, work.dependent * std::max<int64_t>(work.row.size * work.x.element_bytes, 16));
  // Each reads the whole table; how many there are does not show in any element.
  const int64_t parts = std::clamp<int64_t>(bytes / kRowChunkBytes, 1, ThreadCount());
  if (items >= 4 * ThreadCount() || parts == 1) {
    ParallelFor(
        items, std::max<int64_t>(1, kRowChunkBytes / bytes), [&](int64_t begin, int64_t end) {
          for (int64_t item = begin; item < end; ++item) {
            RunUnit(work, function, item / work.rows, item % work.rows, kSkipped + 1, INT64_MAX);
          }
        });
    return;
  }
  // Parts of target by its offsets.
  int64_t low = INT64_MAX, high = INT64_MIN;
  const int64_t count = units * work.dependent;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t offset = work.how.table[i];
    if (offset == kSkipped) continue;
    low = std::min(low, offset);
    high = std::max(high, offset);
  }
  if (low > high) return;
  const int64_t span = (high - low) / parts + 1;
  ParallelFor(items * parts, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t item = i / parts;
      const int64_t from = low + i % parts * span;
      RunUnit(work, function, item / work.rows, item % work.rows, from, from + span - 1);
    }
  });
}

// The positions of a unit by their offsets, equal ones in their order. Threads share a single unit,
// and count its digits in the table, which has been read by then.
void SortUnit(const Work& work, int64_t unit, int64_t units) {
  const int64_t first = unit * work.dependent, count = work.dependent;
  Entry* const entries = work.how.entries + first;
  uint64_t keys = 0;
  for (int64_t i = 0; i < count; ++i) {
    entries[i] = {work.how.table[first + i], i};
    keys |= entries[i].key();
  }
  const bool shared = units == 1 && count > blocks::kDigitPiece;
  static_assert(blocks::CountsOf(blocks::kDigitPiece + 1) <= blocks::kDigitPiece);
  blocks::SortEntries(entries, entries + units * count, count, std::bit_width(keys), shared,
                      work.how.table);
  ParallelFor(count, kLookedUp, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      entries[i].plain = RowAt(work.x, first + entries[i].plain).plain;
    }
  });
}

// The groups that begin among entries begin to end - 1 of a unit, for one row of the boxes.
void RunGroups(const Work& work, GroupFunction function, int64_t item, int64_t begin, int64_t end) {
  const Entry* const entries = work.how.entries + item / work.rows * work.dependent;
  int64_t target, plain;
  work.RowOffsets(item % work.rows, &target, &plain);
  Group group;
  group.n = work.row.size;
  group.target_step = work.row.target;
  group.plain_step = work.row.plain;
  group.plain = work.x.plain + plain;
  group.factor = work.how.scaled ? work.how.factor.data() : nullptr;
  group.mean = work.how.by_frequency;
  // Rows that are runs.
  const int64_t bytes =
      work.row.target == work.x.element_bytes ? work.row.size * work.row.target : 0;
  while (begin > 0 && begin < end && entries[begin - 1].offset == entries[begin].offset) ++begin;
  while (begin < end) {
    if (begin + kEntriesAhead < work.dependent) {
      const Entry& ahead = entries[begin + kEntriesAhead];
      if (ahead.offset != kSkipped) AskForRun(work.x.target + target + ahead.offset, bytes);
      AskForRun(group.plain + ahead.plain, bytes);
    }
    int64_t next = begin + 1;
    while (next < work.dependent && entries[next].offset == entries[begin].offset) ++next;
    if (entries[begin].offset != kSkipped) {
      group.target = work.x.target + target + entries[begin].offset;
      group.entries = entries + begin;
      group.members = next - begin;
      function(group);
    }
    begin = next;
  }
}

void RunSorted(const Work& work, int64_t units) {
  const GroupFunction function = GroupOf(work.how.dtype, work.how.reduce);
  const int64_t dependent = work.dependent;
  ParallelFor(units, std::max<int64_t>(1, 4096 / dependent), [&](int64_t begin, int64_t end) {
    for (int64_t unit = begin; unit < end; ++unit) SortUnit(work, unit, units);
  });
  // Pieces of the entries of a unit, each with the groups that begin in it.
  const int64_t bytes = std::max<int64_t>(work.row.size * work.x.element_bytes, 16);
  const int64_t piece = std::max<int64_t>(1, kRowChunkBytes / bytes);
  const int64_t pieces = (dependent - 1) / piece + 1;
  const int64_t grain = std::max<int64_t>(1, piece / dependent);
  ParallelFor(units * work.rows * pieces, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t first = i % pieces * piece;
      RunGroups(work, function, i / pieces, first, std::min(first + piece, dependent));
    }
  });
}

}  // namespace

void ScatterTable(const Access& x, int64_t units, const Scattering& scattering) {
  const Work work(x, units, scattering);
  if (Grouped(scattering.dtype, scattering.reduce, scattering.by_frequency)) {
    RunSorted(work, units);
  } else {
    RunRows(work, units);
  }
}

}  // namespace anyacl::indexing
