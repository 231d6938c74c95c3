// SPDX-License-Identifier: Apache-2.0
// Who writes what. Threads share units, or pieces of a dimension whose positions are apart and next
// to one another in memory; where there are few of either, they share target: each computes all
// offsets and keeps those of its part. Either way an element is written in the order of positions.
#include "ops/indexing/scatter_singles.h"

#include <algorithm>
#include <atomic>

#include "ops/indexing/positions.h"
#include "ops/indexing/scatter_rows.h"
#include "ops/indexing/single_index.h"
#include "runtime/parallel.h"

namespace anyacl::indexing {
namespace {

constexpr int64_t kBlock = 256;  // offsets at a time
constexpr int64_t kGrain = 8192;

// A part of target by offsets.
struct Part {
  int64_t low = INT64_MIN;
  uint64_t span = UINT64_MAX;
};

// Positions begin to end - 1.
void ScatterRange(const Access& x, const Combiners& combiners, int64_t begin, int64_t end,
                  const Part* part) {
  if (part == nullptr && x.indices.count == 1) {
    ForLines(x, combiners.lines[x.indices[0].wide ? 1 : 0], begin, end);
    return;
  }
  int64_t offsets[kBlock];
  int32_t places[kBlock];
  RowWalk walk(x, begin);
  while (begin < end) {
    const int64_t n = std::min({end - begin, walk.row().left, kBlock});
    ReadOffsets(x, walk.row(), n, offsets);
    Singles singles{.target = x.target,
                    .plain = x.plain + walk.row().plain,
                    .offsets = offsets,
                    .places = nullptr,
                    .count = n,
                    .step = x.positions.back().plain};
    if (part != nullptr) {
      // Without a branch, which would be mispredicted for every other position: 8 ns each.
      int64_t kept = 0;
      for (int64_t i = 0; i < n; ++i) {
        const auto from_low = static_cast<uint64_t>(offsets[i]) - static_cast<uint64_t>(part->low);
        offsets[kept] = offsets[i];
        places[kept] = static_cast<int32_t>(i);
        kept += from_low <= part->span ? 1 : 0;
      }
      singles.places = places;
      singles.count = kept;
    }
    combiners.singles(singles);
    begin += n;
    walk.Advance(n);
  }
}

// Whether the only index is in range everywhere: its axes alone count, so most are one line.
bool CheckIndex(const Access& access) {
  Access x = access;
  for (Axis& axis : x.positions) axis = {.size = axis.size, .index = axis.index};
  Join(&x.positions, 1);
  const LineFunction line = CheckLineOf(x.indices[0].wide);
  std::atomic<bool> wrong{false};
  ParallelFor(CountOf(x.positions), 4 * kGrain, [&](int64_t begin, int64_t end) {
    if (!ForLines(x, line, begin, end)) wrong.store(true, std::memory_order_relaxed);
  });
  return !wrong.load(std::memory_order_relaxed);
}

// Whether all indices are in range; the least and the largest offset.
bool CheckOffsets(const Access& x, int64_t* least, int64_t* largest) {
  std::atomic<bool> wrong{false};
  std::atomic<int64_t> low{INT64_MAX}, high{INT64_MIN};
  ParallelFor(CountOf(x.positions), kGrain, [&](int64_t begin, int64_t end) {
    int64_t offsets[kBlock];
    int64_t from = INT64_MAX, to = INT64_MIN;
    RowWalk walk(x, begin);
    bool right = true;
    while (begin < end) {
      const int64_t n = std::min({end - begin, walk.row().left, kBlock});
      right &= ReadOffsets(x, walk.row(), n, offsets);
      for (int64_t i = 0; i < n; ++i) {
        from = std::min(from, offsets[i]);
        to = std::max(to, offsets[i]);
      }
      begin += n;
      walk.Advance(n);
    }
    if (!right) wrong.store(true, std::memory_order_relaxed);
    int64_t known = low.load(std::memory_order_relaxed);
    while (from < known && !low.compare_exchange_weak(known, from)) {
    }
    known = high.load(std::memory_order_relaxed);
    while (to > known && !high.compare_exchange_weak(known, to)) {
    }
  });
  *least = low.load();
  *largest = high.load();
  return !wrong.load(std::memory_order_relaxed);
}

// The axis that is to be gone through innermost although it comes first: its positions are apart,
// and closer to one another than those of the last axis. -1: none.
int ClosestApart(const Access& x) {
  const Axis& last = x.positions.back();
  int closest = -1;
  for (int i = 0; i < x.positions.count; ++i) {
    const Axis& axis = x.positions[i];
    if (!axis.apart || axis.size < 16 || last.apart) continue;
    const uint64_t step = Magnitude(axis.index[0]) + Magnitude(axis.plain);
    const Axis& best = closest < 0 ? last : x.positions[closest];
    if (step < Magnitude(best.index[0]) + Magnitude(best.plain)) closest = i;
  }
  return closest;
}

// All units, in pieces of positions along an axis.
void ScatterAcross(const Access& x, int closest, const Combiners& combiners) {
  Access outer = x, inner = x;
  outer.positions = {};
  inner.positions = {};
  for (int i = 0; i < x.positions.count; ++i) {
    if (i == closest) continue;
    (x.positions[i].apart ? outer : inner).positions.push_back(x.positions[i]);
  }
  if (outer.positions.count == 0) outer.positions.push_back({});
  const Axis along = x.positions[closest];
  const int64_t dependent = CountOf(inner.positions);
  inner.positions.push_back(along);
  // Long ones, for the caches to foresee, of whole lines of memory whatever the type.
  const int64_t wanted = (2 * ThreadCount() - 1) / CountOf(outer.positions) + 1;
  const int64_t least = std::max<int64_t>(128, kGrain / dependent);
  const int64_t lines = std::max(along.size / wanted, least) / 64 + 1;
  const int64_t piece = std::min(lines * 64, along.size);
  const int64_t pieces = (along.size - 1) / piece + 1;
  ParallelFor(CountOf(outer.positions) * pieces, 1, [&](int64_t begin, int64_t end) {
    for (int64_t item = begin; item < end; ++item) {
      const Row row = RowAt(outer, item / pieces);
      const int64_t first = item % pieces * piece;
      Access part = inner;
      part.target += row.target + first * along.target;
      part.plain += row.plain + first * along.plain;
      for (int k = 0; k < part.indices.count; ++k) {
        const auto place = static_cast<size_t>(k);
        part.indices[k].data += row.index[place] + first * along.index[place];
      }
      Axis& last = part.positions[part.positions.count - 1];
      last.size = std::min(piece, along.size - first);
      ScatterRange(part, combiners, 0, dependent * last.size, nullptr);
    }
  });
}

}  // namespace

bool IsOfSingles(const Access& x, const Scattering& how) {
  return CountOf(x.inner) == 1 && !how.scaled && !x.LeavesOut() &&
         !Grouped(how.dtype, how.reduce, how.by_frequency);
}

Status ScatterSingles(const Access& x, int64_t units, const Scattering& how, const Names& names) {
  const Combiners combiners = CombinersOf(how.dtype, how.reduce);
  const int64_t count = CountOf(x.positions);
  const int64_t dependent = count / units;
  const int closest = ClosestApart(x);
  const bool shared = closest < 0 && units < 4 * ThreadCount() && count > kGrain;
  int64_t low = 0, high = 0;
  const bool alone = x.indices.count == 1 && !shared;
  if (!(alone ? CheckIndex(x) : CheckOffsets(x, &low, &high))) return CheckIndices(x, names);
  if (closest >= 0) {
    ScatterAcross(x, closest, combiners);
  } else if (!shared) {
    ParallelFor(units, std::max<int64_t>(1, kGrain / dependent), [&](int64_t begin, int64_t end) {
      ScatterRange(x, combiners, begin * dependent, end * dependent, nullptr);
    });
  } else {
    const int64_t parts = ThreadCount();
    const int64_t span = (high - low) / parts + 1;
    ParallelFor(parts, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const Part part{.low = low + i * span, .span = static_cast<uint64_t>(span - 1)};
        ScatterRange(x, combiners, 0, count, parts == 1 ? nullptr : &part);
      }
    });
  }
  return {};
}

}  // namespace anyacl::indexing
