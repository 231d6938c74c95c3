// SPDX-License-Identifier: Apache-2.0
// The index is read twice: to check it and count what falls into each bucket, and to put elements
// and their places there. Chunks of positions do so one beside the other and fill parts of the
// buckets that follow each other, so that a bucket has its elements in the order of positions.
#include "ops/indexing/scatter_buckets.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <utility>

#include "base/division.h"
#include "ops/blocks/blocks.h"
#include "ops/indexing/positions.h"
#include "ops/indexing/scatter_rows.h"
#include "runtime/parallel.h"

namespace anyacl::indexing {
namespace {

constexpr int64_t kBucketBlock = 256;   // offsets at a time
constexpr int64_t kLeastChunk = 16384;  // positions
constexpr int64_t kMostBuckets = 256;   // each is written to at a place of its own
constexpr int64_t kMostImages = 1024;   // which are smaller
constexpr int kMostShift = 17;          // 128 KiB: with the elements in half a level-2 cache
constexpr int kImageShift = 14;         // 8192 numbers of 16 bits, 32 KiB in fp32
constexpr int kLeastShift = 9;

int64_t BytesPlaced(int64_t element_bytes) {
  return element_bytes <= 4 ? 8 : element_bytes == 8 ? 16 : 24;
}

// The least and the largest offset that positions could have.
void BoundsOf(const Access& x, int64_t* low, int64_t* high) {
  *low = *high = 0;
  const auto add = [&](int64_t size, int64_t step) {
    const int64_t last = (std::max<int64_t>(size, 1) - 1) * step;
    *(last < 0 ? low : high) += last;
  };
  for (const Axis& axis : x.positions) add(axis.size, axis.target);
  for (const Index& index : x.indices) add(index.limit, index.step);
}

class Sorter {
 public:
  Sorter(const Access& x, const Buckets& buckets, const Scattering& how)
      : x_(x),
        b_(buckets),
        positions_(CountOf(x.positions)),
        chunks_(CeilDivide(positions_, b_.chunk)),
        combine_(CombinersOf(b_.image ? ACL_FLOAT : how.dtype, how.reduce)),
        load_(b_.image ? blocks::Loader(Element::kFp32, how.dtype) : nullptr),
        store_(b_.image ? blocks::Storer(Element::kFp32, how.dtype) : nullptr),
        placed_bytes_(BytesPlaced(b_.image ? int64_t{sizeof(float)} : x.element_bytes)),
        placed_(reinterpret_cast<char*>(how.table)),
        next_(reinterpret_cast<uint32_t*>(placed_ + positions_ * placed_bytes_)) {}

  // The first pass; false: an index is out of range.
  bool Count() const {
    std::atomic<bool> wrong{false};
    ParallelFor(chunks_, 1, [&](int64_t begin, int64_t end) {
      for (int64_t chunk = begin; chunk < end; ++chunk) {
        uint32_t* const counts = CountsOf(chunk);
        std::fill_n(counts, b_.count, 0);
        const bool right = ForBlocks(chunk, [&](const Row&, const int64_t* offsets, int64_t n) {
          for (int64_t i = 0; i < n; ++i) ++counts[(offsets[i] - b_.low) >> b_.shift];
        });
        if (!right) wrong.store(true, std::memory_order_relaxed);
      }
    });
    return !wrong.load(std::memory_order_relaxed);
  }

  // The second one, and the buckets.
  void Run() const {
    uint32_t sum = 0;
    for (int64_t bucket = 0; bucket < b_.count; ++bucket) {
      for (int64_t chunk = 0; chunk < chunks_; ++chunk) {
        uint32_t& counts = CountsOf(chunk)[bucket];
        sum += std::exchange(counts, sum);
      }
    }
    ParallelFor(chunks_, 1, [&](int64_t begin, int64_t end) {
      for (int64_t chunk = begin; chunk < end; ++chunk) Place(chunk);
    });
    ParallelFor(b_.count, 1, [&](int64_t begin, int64_t end) {
      for (int64_t bucket = begin; bucket < end; ++bucket) RunBucket(bucket);
    });
  }

 private:
  // Counts of a chunk's positions in each bucket; then where the next one goes.
  uint32_t* CountsOf(int64_t chunk) const { return next_ + chunk * b_.count; }

  // visit(row, offsets, how many) for the positions of a chunk.
  template <class Visit>
  bool ForBlocks(int64_t chunk, const Visit& visit) const {
    int64_t offsets[kBucketBlock];
    int64_t at = chunk * b_.chunk;
    const int64_t end = std::min(at + b_.chunk, positions_);
    for (RowWalk walk(x_, at); at < end;) {
      const int64_t n = std::min({end - at, walk.row().left, kBucketBlock});
      if (!ReadOffsets(x_, walk.row(), n, offsets)) return false;
      visit(walk.row(), offsets, n);
      at += n;
      walk.Advance(n);
    }
    return true;
  }

  void Place(int64_t chunk) const {
    const int64_t step = x_.positions.back().plain;
    PlacedRun run{.plain = nullptr,
                  .step = step,
                  .offsets = nullptr,
                  .count = 0,
                  .low = b_.low,
                  .shift = b_.shift,
                  .scale = b_.image ? 1 : 0,
                  .next = CountsOf(chunk),
                  .placed = placed_};
    ForBlocks(chunk, [&](const Row& row, const int64_t* offsets, int64_t n) {
      alignas(64) float values[kBucketBlock];
      run.plain = x_.plain + row.plain;
      if (b_.image) {
        load_({x_.plain + row.plain, 1, n, 0, step / x_.element_bytes, false}, values);
        run.plain = reinterpret_cast<const char*>(values);
        run.step = sizeof(float);
      }
      run.offsets = offsets;
      run.count = n;
      combine_.place(run);
    });
  }

  void RunBucket(int64_t bucket) const {
    // The last chunk has left behind where the bucket ends.
    const uint32_t* const ends = CountsOf(chunks_ - 1);
    const int64_t begin = bucket == 0 ? 0 : ends[bucket - 1];
    const int64_t count = ends[bucket] - begin;
    if (count == 0) return;
    const char* const placed = placed_ + begin * placed_bytes_;
    char* const target = x_.target + b_.low + (bucket << b_.shift);
    if (!b_.image) return combine_.placed(target, placed, count);
    alignas(64) float image[int64_t{1} << (kImageShift - 1)];
    const int64_t first = bucket << b_.shift >> 1;
    const int64_t numbers = std::min(x_.indices[0].limit - first, int64_t{1} << (b_.shift - 1));
    const blocks::Tile tile{target, 1, numbers, 0, 1, false};
    load_(tile, image);
    combine_.placed(reinterpret_cast<char*>(image), placed, count);
    store_(image, tile);
  }

  const Access& x_;
  const Buckets& b_;
  const int64_t positions_, chunks_;
  const Combiners combine_;
  const blocks::LoadFunction load_;
  const blocks::StoreFunction store_;
  const int64_t placed_bytes_;
  char* const placed_;
  uint32_t* const next_;
};

}  // namespace

int64_t WordsFor(int64_t positions, int64_t element_bytes) {
  if (positions <= kLeastShared) return positions;
  const int64_t counts = (positions / kLeastChunk + 1) * kMostImages;
  return positions * BytesPlaced(element_bytes) / 8 + counts / 2;
}

std::optional<Buckets> BucketsOf(const Access& x, const Scattering& how) {
  Buckets b;
  const int64_t count = CountOf(x.positions);
  if (count > UINT32_MAX) return {};
  int64_t high;
  BoundsOf(x, &b.low, &high);
  const int64_t span = high - b.low + x.element_bytes;
  b.image = Grouped(how.dtype, how.reduce, how.by_frequency);
  const int64_t wanted = 8 * ThreadCount();
  // Enough for threads to share, and not larger than the caches.
  const int even = std::bit_width(static_cast<uint64_t>(span / wanted));
  b.shift = std::clamp(even, kLeastShift, b.image ? kImageShift : kMostShift);
  if (b.image) {
    const Index& index = x.indices[0];
    bool dense = x.indices.count == 1 && index.step == x.element_bytes;
    for (const Axis& axis : x.positions) dense &= axis.target == 0;
    // Beyond that most of the time goes into converting what does not change.
    if (!dense || index.limit > 8 * count || span >> b.shift >= kMostImages) return {};
  } else {
    while (span >> b.shift >= kMostBuckets) ++b.shift;
    if (b.shift > 32) return {};
  }
  b.count = (span >> b.shift) + 1;
  b.chunk = std::max(kLeastChunk, CeilDivide(count, 4 * ThreadCount()));
  return b;
}

bool ScatterBuckets(const Access& x, const Buckets& buckets, const Scattering& how) {
  const Sorter sorter(x, buckets, how);
  if (!sorter.Count()) return false;
  sorter.Run();
  return true;
}

}  // namespace anyacl::indexing
