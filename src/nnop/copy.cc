// SPDX-License-Identifier: Apache-2.0
#include "nnop/copy.h"

#include <algorithm>
#include <numeric>

#include "base/division.h"
#include "nnop/copy_runs.h"
#include "runtime/cache_share.h"
#include "runtime/parallel.h"

namespace anyacl {
namespace {

// 64 KiB take some 6 us, which pays for handing a chunk out, and stay within a level-2 cache.
constexpr int64_t kChunkBytes = 64 << 10;

// Shorter inner loops cost more than they move.
constexpr int64_t kShortLoop = 8;

// Runs and rows of a tile of runs: 8 runs that follow each other where they are read, then 8 rows
// that do where they are written. 64 x 64 heads of 16 bits in 64 MiB: 2.3 ms instead of 3.8 past
// the caches, 5.9 instead of 6.6 within L3.
constexpr int64_t kTileRuns = 8;
// Longer runs are read as fast one by one.
constexpr int64_t kShortRunBytes = 1024;

// Copies of so many chunks are cut into as many slices, which threads can share.
constexpr int64_t kManyChunks = 16;

// The rows of a copy: `count` elements each, or bytes for a run.
void Runs(char* to, const char* from, int64_t rows, int64_t to_step, int64_t from_step,
          int64_t count, int64_t, int64_t, const Writing& writing) {
  if (writing.past_caches && CanGoPastCaches(to, to_step, count)) {
    for (int64_t r = 0; r < rows; ++r)
      CopyRunPastCaches(to + r * to_step, from + r * from_step, count);
    return;
  }
  for (int64_t r = 0; r < rows; ++r) CopyRun(to + r * to_step, from + r * from_step, count);
}

template <class T>
void RepeatedRows(char* to, const char* from, int64_t rows, int64_t to_step, int64_t from_step,
                  int64_t count, int64_t, int64_t, const Writing& writing) {
  for (int64_t r = 0; r < rows; ++r) {
    RepeatElement(to + r * to_step, LoadElement<T>(from + r * from_step), count,
                  writing.past_caches);
  }
}

template <class T>
void ReversedRows(char* to, const char* from, int64_t rows, int64_t to_step, int64_t from_step,
                  int64_t count, int64_t, int64_t, const Writing&) {
  for (int64_t r = 0; r < rows; ++r) {
    ReverseRun<T>(to + r * to_step, from + r * from_step, count);
  }
}

template <class T>
void StridedRows(char* to, const char* from, int64_t rows, int64_t to_step, int64_t from_step,
                 int64_t count, int64_t to_inner, int64_t from_inner, const Writing&) {
  if (rows > count) {  // the longer loop inside
    std::swap(rows, count);
    std::swap(to_step, to_inner);
    std::swap(from_step, from_inner);
  }
  for (int64_t r = 0; r < rows; ++r) {
    StridedRun<T>(to + r * to_step, to_inner, from + r * from_step, from_inner, count);
  }
}

template <class T>
void TransposedRows(char* to, const char* from, int64_t rows, int64_t to_step, int64_t from_step,
                    int64_t count, int64_t to_inner, int64_t from_inner, const Writing& writing) {
  constexpr int64_t kLanes = 16 / sizeof(T);
  if (rows < kLanes) {  // the rest of a dimension
    const int64_t lead = writing.lead;
    StridedRows<T>(to + lead * to_inner, from + lead * from_inner, rows, to_step, from_step,
                   count - lead, to_inner, from_inner, writing);
  } else {
    TransposeTile<T>(to, from, rows, count, to_step, from_inner, writing);
  }
}

}  // namespace

void CopyLoops::Add(int64_t size, int64_t to_step, int64_t from_step) {
  sizes[rank] = size;
  to[rank] = to_step;
  from[rank] = from_step;
  ++rank;
}

// Steps of dimensions of size 1 may be anything, even too large to be counted in bytes.
CopyLoops LoopsOf(const TensorView& to, const TensorView& from) {
  CopyLoops loops;
  const int64_t bytes = std::max(BitsOf(to.dtype) / 8, 1);
  loops.element_bytes = static_cast<int>(bytes);
  if (to.elements() == 0) {
    loops.Add(0, 0, 0);
    return loops;
  }
  loops.to_begin = to.offset * bytes;
  loops.from_begin = from.offset * bytes;
  for (int i = 0; i < to.rank; ++i) {
    if (to.sizes[i] != 1) loops.Add(to.sizes[i], to.strides[i] * bytes, from.strides[i] * bytes);
  }
  return loops;
}

CopyLoops FillLoopsOf(const TensorView& to) {
  TensorView constant = to;
  constant.offset = 0;
  std::fill(constant.strides, constant.strides + constant.rank, 0);
  return LoopsOf(to, constant);
}

StridedCopy::StridedCopy(const CopyLoops& loops) : loops_(loops) {
  Sort();
  do {
    Join();
  } while (Widen());
  if (loops_.rank == 0) loops_.Add(1, loops_.element_bytes, loops_.element_bytes);
  bytes_ = std::accumulate(loops_.sizes, loops_.sizes + loops_.rank, int64_t{loops_.element_bytes},
                           std::multiplies<>());
  past_caches_ = bytes_ > LastCacheShare() / 4 * 3;
  if (bytes_ == 0) return;
  ChooseInner();
  CutIntoChunks();
}

// In the order in which memory is written.
void StridedCopy::Sort() {
  CopyLoops& l = loops_;
  int order[CopyLoops::kMaxRank];
  int rank = 0;
  for (int i = 0; i < l.rank; ++i) {
    if (l.sizes[i] != 1) order[rank++] = i;
  }
  std::stable_sort(order, order + rank,
                   [&l](int a, int b) { return Magnitude(l.to[a]) > Magnitude(l.to[b]); });
  CopyLoops sorted;
  sorted.element_bytes = l.element_bytes;
  sorted.to_begin = l.to_begin;
  sorted.from_begin = l.from_begin;
  for (int i = 0; i < rank; ++i) sorted.Add(l.sizes[order[i]], l.to[order[i]], l.from[order[i]]);
  l = sorted;
}

// Loops that are one step in both tensors become one.
void StridedCopy::Join() {
  CopyLoops& l = loops_;
  int kept = 0;
  for (int i = 0; i < l.rank; ++i) {
    const bool joins = kept > 0 && l.to[kept - 1] == l.to[i] * l.sizes[i] &&
                       l.from[kept - 1] == l.from[i] * l.sizes[i];
    if (!joins) ++kept;
    l.sizes[kept - 1] = joins ? l.sizes[kept - 1] * l.sizes[i] : l.sizes[i];
    l.to[kept - 1] = l.to[i];
    l.from[kept - 1] = l.from[i];
  }
  l.rank = kept;
}

// A run of 2, 4, 8 or 16 bytes is one element: pairs of numbers are transposed like numbers.
bool StridedCopy::Widen() {
  CopyLoops& l = loops_;
  if (l.rank == 0) return false;
  const int last = l.rank - 1;
  if (l.to[last] != l.element_bytes || l.from[last] != l.element_bytes) return false;
  if (l.sizes[last] > 16 / l.element_bytes || (l.sizes[last] & (l.sizes[last] - 1)) != 0) {
    return false;
  }
  l.element_bytes *= static_cast<int>(l.sizes[last]);
  --l.rank;
  return true;
}

// Makes the loop that reads the densest the last but one.
void StridedCopy::MoveReadLoopNextToLast() {
  CopyLoops& l = loops_;
  int densest = l.rank - 2;
  for (int i = 0; i < l.rank - 1; ++i) {
    if (l.from[i] != 0 &&
        (l.from[densest] == 0 || Magnitude(l.from[i]) < Magnitude(l.from[densest]))) {
      densest = i;
    }
  }
  for (int64_t* array : {l.sizes, l.to, l.from}) {
    std::rotate(array + densest, array + densest + 1, array + l.rank - 1);
  }
}

// Makes the loop whose runs follow each other where they are read the one before the last two, if
// there is one and the rows' loop is not.
bool StridedCopy::MoveReadLoopBeforeRows() {
  CopyLoops& l = loops_;
  const int last = l.rank - 1;
  const int64_t bytes = l.sizes[last] * l.element_bytes;
  int found = -1;
  for (int i = 0; i < last - 1; ++i) {
    if (l.from[i] == bytes && l.sizes[i] > 1) found = i;
  }
  if (found < 0 || bytes > kShortRunBytes || l.from[last - 1] == bytes) return false;
  for (int64_t* array : {l.sizes, l.to, l.from}) {
    std::rotate(array + found, array + found + 1, array + last - 1);
  }
  return true;
}

void StridedCopy::ChooseInner() {
  CopyLoops& l = loops_;
  const int last = l.rank - 1;
  const int64_t bytes = l.element_bytes;
  const auto choose = [this](Inner inner, const auto& function) {
    inner_ = inner;
    rows_function_ = WithBytes(loops_.element_bytes, function);
  };
  if (l.to[last] == bytes && l.from[last] == bytes) {
    inner_ = MoveReadLoopBeforeRows() ? Inner::kRunTile : Inner::kRun;
    rows_function_ = Runs;
    return;
  }
  const bool two_loops = l.rank > 1;
  const bool is_short = two_loops && l.sizes[last] < kShortLoop;
  if (l.to[last] == bytes && !is_short && (l.from[last] == 0 || l.from[last] == -bytes)) {
    if (l.from[last] == 0) {
      choose(Inner::kRepeat, []<class T>(T) -> RowsFunction { return RepeatedRows<T>; });
    } else {
      choose(Inner::kReverse, []<class T>(T) -> RowsFunction { return ReversedRows<T>; });
    }
    return;
  }
  if (two_loops) MoveReadLoopNextToLast();
  const int next = std::max(last - 1, 0);
  const bool reads_across =
      two_loops && l.from[next] != 0 && Magnitude(l.from[next]) < Magnitude(l.from[last]);
  if (l.to[last] == bytes && two_loops && l.from[next] == bytes && bytes <= 8 && !is_short &&
      l.sizes[next] >= 16 / bytes) {
    choose(Inner::kTurn, []<class T>(T) -> RowsFunction {
      if constexpr (sizeof(T) <= 8) return TransposedRows<T>;
      return StridedRows<T>;
    });
  } else {
    choose(reads_across || is_short ? Inner::kTranspose : Inner::kStrided,
           []<class T>(T) -> RowsFunction { return StridedRows<T>; });
  }
}

void StridedCopy::CutIntoChunks() {
  const CopyLoops& l = loops_;
  const int last = l.rank - 1;
  const int64_t bytes = l.element_bytes;
  int64_t outer = 1;
  for (int i = 0; i < last; ++i) outer *= l.sizes[i];
  if (inner_ == Inner::kTranspose || inner_ == Inner::kTurn) {
    if (inner_ == Inner::kTurn && past_caches_) {
      piece_ = std::min(l.sizes[last], TransposedColumns(bytes));
      tile_rows_ = kTransposedRows;
    } else {
      // 16 KiB, which the level-1 cache holds beside what is read.
      const int64_t columns = bytes <= 2 ? 128 : 64;
      piece_ = std::min(l.sizes[last], columns);
      tile_rows_ = 16384 / bytes / (piece_ < kShortLoop ? piece_ : columns);
    }
    tile_rows_ = std::min(l.sizes[last - 1], tile_rows_);
    row_tiles_ = CeilDivide(l.sizes[last - 1], tile_rows_);
    outer = outer / l.sizes[last - 1] * row_tiles_;
  } else if (inner_ == Inner::kRunTile) {
    piece_ = l.sizes[last] * kTileRuns;
    tile_rows_ = kTileRuns;
    row_tiles_ = CeilDivide(l.sizes[last - 1], tile_rows_);
    outer = outer / l.sizes[last - 1] / l.sizes[last - 2] * row_tiles_ *
            CeilDivide(l.sizes[last - 2], kTileRuns);
  } else {
    piece_ = std::min(l.sizes[last], kChunkBytes / bytes);
  }
  pieces_ = CeilDivide(l.sizes[last], piece_);
  units_ = outer * pieces_;
  units_per_chunk_ = std::max<int64_t>(1, kChunkBytes / (piece_ * tile_rows_ * bytes));
  chunks_ = CeilDivide(units_, units_per_chunk_);
}

void StridedCopy::RunChunk(int64_t chunk, char* to, const char* from) const {
  const int64_t first = chunk * units_per_chunk_;
  const int64_t count = std::min(units_per_chunk_, units_ - first);
  to += loops_.to_begin;
  from += loops_.from_begin;
  if (inner_ == Inner::kTranspose || inner_ == Inner::kTurn) {
    RunTiles(first, count, to, from);
  } else if (inner_ == Inner::kRunTile) {
    RunTilesOfRuns(first, count, to, from);
  } else if (pieces_ == 1) {
    RunRows(first, count, to, from);
  } else {
    RunPieces(first, count, to, from);
  }
  if (past_caches_) FencePastCaches();
}

void StridedCopy::Run(char* to, const char* from) const {
  for (int64_t chunk = 0; chunk < chunks_; ++chunk) RunChunk(chunk, to, from);
}

// Rows of the last loop, as many at once as the loop before it has.
void StridedCopy::RunRows(int64_t first, int64_t count, char* to, const char* from) const {
  const CopyLoops& l = loops_;
  const int last = l.rank - 1;
  const int64_t length = inner_ == Inner::kRun ? piece_ * l.element_bytes : piece_;
  if (last == 0) {
    rows_function_(to, from, 1, 0, 0, length, l.to[0], l.from[0], {past_caches_});
    return;
  }
  int64_t index[CopyLoops::kMaxRank];
  for (int i = last; i-- > 0; first /= l.sizes[i]) index[i] = first % l.sizes[i];
  const int next = last - 1;
  while (count > 0) {
    int64_t to_offset = 0, from_offset = 0;
    for (int i = 0; i < last; ++i) {
      to_offset += index[i] * l.to[i];
      from_offset += index[i] * l.from[i];
    }
    const int64_t rows = std::min(count, l.sizes[next] - index[next]);
    rows_function_(to + to_offset, from + from_offset, rows, l.to[next], l.from[next], length,
                   l.to[last], l.from[last], {past_caches_});
    count -= rows;
    index[next] += rows;
    for (int i = next; i > 0 && index[i] == l.sizes[i]; --i) {
      index[i] = 0;
      ++index[i - 1];
    }
  }
}

void StridedCopy::RunPieces(int64_t first, int64_t count, char* to, const char* from) const {
  const CopyLoops& l = loops_;
  const int last = l.rank - 1;
  for (int64_t unit = first; unit < first + count; ++unit) {
    const int64_t begin = unit % pieces_ * piece_;
    int64_t row = unit / pieces_;
    int64_t to_offset = begin * l.to[last];
    int64_t from_offset = begin * l.from[last];
    for (int i = last; i-- > 0; row /= l.sizes[i]) {
      to_offset += row % l.sizes[i] * l.to[i];
      from_offset += row % l.sizes[i] * l.from[i];
    }
    const int64_t elements = std::min(piece_, l.sizes[last] - begin);
    rows_function_(to + to_offset, from + from_offset, 1, 0, 0,
                   inner_ == Inner::kRun ? elements * l.element_bytes : elements, l.to[last],
                   l.from[last], {past_caches_});
  }
}

// Tiles that follow each other along what is read.
void StridedCopy::RunTiles(int64_t first, int64_t count, char* to, const char* from) const {
  const CopyLoops& l = loops_;
  const int last = l.rank - 1;
  const int next = last - 1;
  const bool cut_at_lines = inner_ == Inner::kTurn && past_caches_ && l.to[next] % 64 != 0;
  for (int64_t unit = first; unit < first + count; ++unit) {
    const int64_t row = unit % row_tiles_ * tile_rows_;
    const int64_t column = unit / row_tiles_ % pieces_ * piece_;
    int64_t outer = unit / row_tiles_ / pieces_;
    int64_t to_offset = row * l.to[next] + column * l.to[last];
    int64_t from_offset = row * l.from[next] + column * l.from[last];
    for (int i = next; i-- > 0; outer /= l.sizes[i]) {
      to_offset += outer % l.sizes[i] * l.to[i];
      from_offset += outer % l.sizes[i] * l.from[i];
    }
    const int64_t columns = std::min(piece_, l.sizes[last] - column);
    Writing writing = {past_caches_};
    if (cut_at_lines) {
      writing.lead = column > 0 ? 64 / l.element_bytes : 0;
      writing.cut = column + columns < l.sizes[last];
    }
    rows_function_(to + to_offset - writing.lead * l.to[last],
                   from + from_offset - writing.lead * l.from[last],
                   std::min(tile_rows_, l.sizes[next] - row), l.to[next], l.from[next],
                   columns + writing.lead, l.to[last], l.from[last], writing);
  }
}

void StridedCopy::RunTilesOfRuns(int64_t first, int64_t count, char* to, const char* from) const {
  const CopyLoops& l = loops_;
  const int last = l.rank - 1;
  const int rows = last - 1, runs = last - 2;
  const int64_t run_tiles = CeilDivide(l.sizes[runs], kTileRuns);
  const int64_t bytes = l.sizes[last] * l.element_bytes;
  for (int64_t unit = first; unit < first + count; ++unit) {
    const int64_t row = unit % row_tiles_ * tile_rows_;
    const int64_t begin = unit / row_tiles_ % run_tiles * kTileRuns;
    const int64_t end = std::min(begin + kTileRuns, l.sizes[runs]);
    int64_t outer = unit / row_tiles_ / run_tiles;
    int64_t to_offset = row * l.to[rows];
    int64_t from_offset = row * l.from[rows];
    for (int i = runs; i-- > 0; outer /= l.sizes[i]) {
      to_offset += outer % l.sizes[i] * l.to[i];
      from_offset += outer % l.sizes[i] * l.from[i];
    }
    for (int64_t run = begin; run < end; ++run) {
      Runs(to + to_offset + run * l.to[runs], from + from_offset + run * l.from[runs],
           std::min(tile_rows_, l.sizes[rows] - row), l.to[rows], l.from[rows], bytes, 0, 0,
           {past_caches_});
    }
  }
}

void CopyList::Add(const CopyLoops& loops, int to, int from) {
  StridedCopy copy(loops);
  if (copy.chunks() == 0) return;
  const int64_t first = chunks_;
  chunks_ += copy.chunks();
  most_chunks_ = std::max(most_chunks_, copy.chunks());
  bytes_ += copy.bytes();
  copies_.push_back({std::move(copy), to, from, first});
}

void CopyList::RunChunk(const Copy& copy, int64_t chunk, const Bindings& bindings,
                        const void* constant) const {
  const char* from = copy.from < 0 ? static_cast<const char*>(constant)
                                   : bindings.data[static_cast<size_t>(copy.from)];
  copy.copy.RunChunk(chunk, bindings.data[static_cast<size_t>(copy.to)], from);
}

// Slice i of n has of every copy the chunks between i / n and (i + 1) / n of them.
void CopyList::RunTogether(const Bindings& bindings, const void* constant) const {
  ParallelFor(most_chunks_, 1, [&](int64_t begin, int64_t end) {
    for (int64_t slice = begin; slice < end; ++slice) {
      for (const Copy& copy : copies_) {
        const int64_t chunks = copy.copy.chunks();
        const auto border = [&](int64_t i) {
          return chunks / most_chunks_ * i + chunks % most_chunks_ * i / most_chunks_;
        };
        for (int64_t chunk = border(slice); chunk < border(slice + 1); ++chunk) {
          RunChunk(copy, chunk, bindings, constant);
        }
      }
    }
  });
}

void CopyList::Run(const Bindings& bindings, const void* constant) const {
  if (copies_.size() > 1 && most_chunks_ >= kManyChunks) return RunTogether(bindings, constant);
  // Many small copies make one chunk of ParallelFor.
  const int64_t grain =
      std::max<int64_t>(1, chunks_ * (kChunkBytes / 2) / std::max<int64_t>(bytes_, 1));
  ParallelFor(chunks_, grain, [&](int64_t begin, int64_t end) {
    for (int64_t chunk = begin; chunk < end; ++chunk) {
      const auto copy = std::prev(std::upper_bound(
          copies_.begin(), copies_.end(), chunk,
          [](int64_t wanted, const Copy& candidate) { return wanted < candidate.first_chunk; }));
      RunChunk(*copy, chunk - copy->first_chunk, bindings, constant);
    }
  });
}

}  // namespace anyacl
