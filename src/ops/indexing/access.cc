// SPDX-License-Identifier: Apache-2.0
#include "ops/indexing/access.h"

#include <algorithm>
#include <atomic>
#include <optional>

#include "nnop/copy_runs.h"
#include "ops/indexing/positions.h"
#include "ops/indexing/scatter_pieces.h"
#include "ops/indexing/scatter_rows.h"
#include "ops/indexing/scatter_singles.h"
#include "ops/indexing/single_index.h"
#include "runtime/cache_share.h"
#include "runtime/parallel.h"

namespace anyacl::indexing {
namespace {

constexpr int64_t kChunkBytes = 64 << 10;
constexpr int64_t kAccessBlock = 256;  // offsets at a time

// The box as a copy; what is read and what is written by turns.
StridedCopy InnerCopy(const Access& x) {
  CopyLoops loops;
  loops.element_bytes = static_cast<int>(x.element_bytes);
  for (const Axis& axis : x.inner) loops.Add(axis.size, axis.plain, axis.target);
  return StridedCopy(loops);
}

template <class T>
void GatherElements(char* to, int64_t step, const char* from, const int64_t* offsets,
                    int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    StoreElement(to + i * step, LoadElement<T>(from + offsets[i]));
  }
}

using ElementsFunction = void (*)(char*, int64_t, const char*, const int64_t*, int64_t);
ElementsFunction ElementsOf(int64_t bytes) {
  if (!IsElementSize(bytes)) return nullptr;
  return WithBytes(bytes, []<class T>(T) -> ElementsFunction { return GatherElements<T>; });
}

// The bytes of a box that is one run in both tensors; 0: it is not.
int64_t RunBytes(const Access& x) {
  int64_t bytes = x.element_bytes;
  for (int i = x.inner.count; i-- > 0;) {
    if (x.inner[i].size == 1) continue;
    if (x.inner[i].plain != bytes || x.inner[i].target != bytes) return 0;
    bytes *= x.inner[i].size;
  }
  return bytes;
}

}  // namespace

int64_t CountOf(const Axes& axes) {
  int64_t count = 1;
  for (const Axis& axis : axes) count *= axis.size;
  return count;
}

Status Gather(const Access& access, const Names& names) {
  Access x = access;
  SplitLongBoxes(&x);
  Join(&x.positions, x.indices.count);
  Join(&x.inner, 0);
  const int64_t count = CountOf(x.positions);
  const int64_t box = CountOf(x.inner) * x.element_bytes;
  if (count == 0 || box == 0) return CheckIndices(access, names);
  const int64_t run = RunBytes(x);
  const ElementsFunction elements = ElementsOf(run);
  std::optional<StridedCopy> inner;
  if (run == 0) inner.emplace(InnerCopy(x));
  const bool one = x.indices.count == 1 && !x.LeavesOut();
  const LineFunction line = one ? GatherLineOf(run, x.indices[0].wide) : nullptr;
  const bool past_caches = elements == nullptr && count * box > LastCacheShare() / 4 * 3;
  std::atomic<bool> wrong{false};
  ParallelFor(count, std::max<int64_t>(1, kChunkBytes / std::max<int64_t>(box, 16)),
              [&](int64_t begin, int64_t end) {
                if (line != nullptr) {
                  if (!ForLines(x, line, begin, end)) wrong.store(true, std::memory_order_relaxed);
                  return;
                }
                int64_t offsets[kAccessBlock];
                RowWalk walk(x, begin);
                while (begin < end) {
                  const Row& row = walk.row();
                  const int64_t n = std::min({end - begin, row.left, kAccessBlock});
                  if (!ReadOffsets(x, row, n, offsets)) {
                    wrong.store(true, std::memory_order_relaxed);
                    return;
                  }
                  char* const to = x.plain + row.plain;
                  const int64_t step = x.positions.back().plain;
                  if (elements != nullptr) {
                    elements(to, step, x.target, offsets, n);
                  } else {
                    for (int64_t i = 0; i < n; ++i) {
                      const char* const from = x.target + offsets[i];
                      if (run == 0) {
                        inner->Run(to + i * step, from);
                      } else if (past_caches && CanGoPastCaches(to + i * step, 0, run)) {
                        CopyRunPastCaches(to + i * step, from, run);
                      } else {
                        CopyRun(to + i * step, from, run);
                      }
                    }
                  }
                  begin += n;
                  walk.Advance(n);
                }
                if (past_caches) FencePastCaches();
              });
  return wrong.load(std::memory_order_relaxed) ? CheckIndices(access, names) : Status{};
}

namespace {

// Its positions as they are gone through; how many units of which none writes what another one
// does.
int64_t Prepare(Access* x) {
  SplitLongBoxes(x);
  // These come first.
  std::stable_partition(x->positions.begin(), x->positions.end(),
                        [](const Axis& axis) { return axis.apart; });
  int64_t units = 1;
  for (const Axis& axis : x->positions) units *= axis.apart ? axis.size : 1;
  Join(&x->positions, x->indices.count);
  SortByTarget(&x->inner);
  Join(&x->inner, 0);
  return units;
}

}  // namespace

bool CopiesItself(const Access& access, const Scattering& scattering) {
  Access x = access;
  Prepare(&x);
  return IsOfSingles(x, scattering) && PiecesOf(x, scattering).has_value();
}

Status Scatter(const Access& access, const Scattering& scattering, const Names& names) {
  Access x = access;
  const int64_t units = Prepare(&x);
  const int64_t count = CountOf(x.positions);
  if (count == 0) return {};
  if (IsOfSingles(x, scattering)) {
    const auto right = ScatterSingles(x, scattering);
    if (right) return *right ? Status{} : CheckIndices(access, names);
  }
  std::atomic<bool> wrong{false};
  ParallelFor(count, 8192, [&](int64_t begin, int64_t end) {
    RowWalk walk(x, begin);
    while (begin < end) {
      const int64_t n = std::min(end - begin, walk.row().left);
      if (!ReadOffsets(x, walk.row(), n, scattering.table + begin)) {
        wrong.store(true, std::memory_order_relaxed);
      }
      begin += n;
      walk.Advance(n);
    }
  });
  if (wrong.load(std::memory_order_relaxed)) return CheckIndices(access, names);
  if (CountOf(x.inner) > 0) ScatterTable(x, units, scattering);
  return {};
}

}  // namespace anyacl::indexing
