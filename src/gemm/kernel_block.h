// SPDX-License-Identifier: Apache-2.0
// An Arithmetic made of vectors, for a Panel of kernel_tile.h that has besides
//   kTileRows, kUnitDepth
//   FromBits(units)                        16 units as an operand
//   WithRows(type, f), WithColumns(type, f)  calls f with the Format (kernel_pack.h) of A and of B
#pragma once

#include "gemm/kernel.h"
#include "gemm/kernel_few.h"
#include "gemm/kernel_pack.h"
#include "gemm/kernel_tile.h"

namespace anyacl::ANYACL_ISA {

// The rows of a tile. Tiles are nearly equal: a tile of few rows is bound by loading the panel.
inline int64_t TilesOf(int64_t rows, int64_t tile_rows) {
  return (rows + tile_rows - 1) / tile_rows;
}
inline int64_t TileBegin(int64_t rows, int64_t tile, int64_t tiles) { return rows * tile / tiles; }

template <class Panel>
void PackColumnsOf(const gemm::PackArgs& args) {
  Panel::WithColumns(args.type,
                     [&](auto format) { PackLines<decltype(format)>(args, 16 * Panel::kVectors); });
}

// Fetches pieces of memory line by line while something else is computed.
class Fetcher {
 public:
  explicit Fetcher(const gemm::Ahead (&ahead)[gemm::kAheads]) {
    for (const gemm::Ahead& piece : ahead) {
      if (piece.rows <= 0 || piece.bytes <= 0) continue;
      pieces_[count_++] = piece;
      lines_ += piece.rows * RowLines(piece);
    }
    if (count_ > 0) Begin(pieces_[0]);
  }
  int64_t lines() const { return lines_; }
  [[gnu::always_inline]] void Fetch(int64_t count) {
    for (; count > 0 && rows_ > 0; --count) {
      PrefetchL2(at_);
      at_ += 64;
      if (--left_ == 0) NextRow();
    }
  }

 private:
  static int64_t RowLines(const gemm::Ahead& ahead) {
    const auto head = static_cast<int64_t>(reinterpret_cast<uintptr_t>(ahead.at) % 64);
    return (head + ahead.bytes + 63) / 64;
  }
  [[gnu::always_inline]] void Begin(const gemm::Ahead& ahead) {
    at_ = ahead.at;
    rows_ = ahead.rows;
    row_step_ = ahead.row_step;
    row_lines_ = left_ = RowLines(ahead);
  }
  // No call: all registers hold sums.
  [[gnu::always_inline]] void NextRow() {
    left_ = row_lines_;
    at_ += row_step_ - 64 * row_lines_;
    if (--rows_ > 0) return;
    if (++piece_ < count_) Begin(pieces_[piece_]);
  }

  const char* at_ = nullptr;
  int64_t rows_ = 0;
  int64_t row_step_ = 0;
  int64_t row_lines_ = 0;
  int64_t left_ = 0;
  int64_t lines_ = 0;
  gemm::Ahead pieces_[gemm::kAheads];
  int count_ = 0;
  int piece_ = 0;
};

struct BlockTile {
  const int8_t* a;
  const int8_t* b;
  int64_t steps;
  int32_t* sums;
  int64_t sums_step;
  bool resume;
  int64_t fetch;  // lines in every kFetchSteps steps
  // Of a tile that packs.
  const void* from;
  int64_t k_step;
  int32_t* panel;
};
inline constexpr int64_t kFetchSteps = 8;

// The operands of a step, from a packed panel.
template <class Panel>
struct PackedSteps {
  const int8_t* at;
  explicit PackedSteps(const BlockTile& t) : at(t.b) {}
  template <class Sums>
  [[gnu::always_inline]] void AddTo(Sums& sums, const int8_t* a) {
    AddStep(sums, at, a);
    at += Panel::kVectors * 64;
  }
};

// From B, whose rows come from L2 or farther away: the loads of ten steps are under way at once,
// and the packed panel is written on the side.
template <class Panel, class Format>
struct PackingSteps {
  // Otherwise a step would wait for L2, the more so for what it writes.
  static constexpr int64_t kStepsAhead = 12;

  const typename Format::Element* at;
  int64_t k_step;
  int32_t* panel;
  explicit PackingSteps(const BlockTile& t)
      : at(Format::At(t.from, 0)), k_step(t.k_step), panel(t.panel) {}
  template <int kRows>
  [[gnu::always_inline]] void AddTo(TileSums<Panel, kRows>& sums, const int8_t* a) {
#pragma GCC unroll 4
    for (int i = 0; i < Panel::kVectors; ++i) {
      PrefetchL1(at + 16 * i + kStepsAhead * Format::kDepth * k_step);
      PrefetchL1(panel + 16 * (kStepsAhead * Panel::kVectors + i));
      const VecI32 units = Format::LoadLines16(at + 16 * i, k_step);
      Store(panel + 16 * i, units);
      const auto operand = Panel::FromBits(units);
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
        sums.at[r][i] = Panel::Dot(sums.at[r][i], operand, a + 4 * r);
      }
    }
    at += Format::kDepth * k_step;
    panel += 16 * Panel::kVectors;
  }
};

template <class Panel, int kRows, class Steps>
[[gnu::noinline]] void MultiplyTile(const BlockTile& t, Fetcher& fetcher) {
  TileSums<Panel, kRows> sums;
  ClearSums(sums);
  if (t.resume) {
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
      for (int i = 0; i < Panel::kVectors; ++i) {
        sums.at[r][i] = LoadSum(sums.at[r][i], t.sums + r * t.sums_step + 16 * i);
      }
    }
  }
  Steps steps(t);
  const int8_t* a = t.a;
  int64_t left = t.steps;
  for (; left >= kFetchSteps; left -= kFetchSteps) {
    fetcher.Fetch(t.fetch);
    for (int64_t i = 0; i < kFetchSteps; ++i, a += 4 * kRows) steps.AddTo(sums, a);
  }
  for (; left > 0; --left, a += 4 * kRows) steps.AddTo(sums, a);
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int i = 0; i < Panel::kVectors; ++i) {
      StoreSum(t.sums + r * t.sums_step + 16 * i, sums.at[r][i]);
    }
  }
}

template <class Panel, int kRows>
void RunTile(int64_t rows, const BlockTile& t, Fetcher& fetcher) {
  if (rows == kRows) return MultiplyTile<Panel, kRows, PackedSteps<Panel>>(t, fetcher);
  if constexpr (kRows > 1) RunTile<Panel, kRows - 1>(rows, t, fetcher);
}

// A whole tile whose operands are packed on the way; false: it was not done.
template <class Panel, class Format>
bool RunPackingTile(int64_t rows, const BlockTile& t, Fetcher& fetcher) {
  using Steps = PackingSteps<Panel, Format>;
  constexpr int kMost = Panel::kTileRows;
  if (rows == kMost) {
    MultiplyTile<Panel, kMost, Steps>(t, fetcher);
  } else if (rows == kMost - 1) {
    MultiplyTile<Panel, kMost - 1, Steps>(t, fetcher);
  } else {
    return false;
  }
  return true;
}

template <class Panel>
void MultiplyBlock(const gemm::BlockArgs& args) {
  constexpr int64_t kUnit = Panel::kUnitDepth;
  const int64_t tiles = TilesOf(args.row_count, Panel::kTileRows);
  const int64_t row_bytes = (args.row_depth + kUnit - 1) / kUnit * 4;
  Fetcher fetcher(args.ahead);
  BlockTile t;
  t.steps = (args.depth + kUnit - 1) / kUnit;
  t.b = reinterpret_cast<const int8_t*>(args.panel);
  t.sums_step = args.sums_step;
  t.resume = args.resume;
  t.from = args.b;
  t.k_step = args.k_step;
  t.panel = reinterpret_cast<int32_t*>(args.panel);
  const int64_t fetches = t.steps / kFetchSteps * tiles;
  t.fetch = fetches == 0 ? 0 : (fetcher.lines() + fetches - 1) / fetches;
  for (int64_t tile = 0; tile < tiles; ++tile) {
    const int64_t begin = TileBegin(args.row_count, tile, tiles);
    const int64_t rows = TileBegin(args.row_count, tile + 1, tiles) - begin;
    t.a = reinterpret_cast<const int8_t*>(args.rows) + begin * row_bytes +
          args.first / kUnit * 4 * rows;
    t.sums = static_cast<int32_t*>(args.sums) + begin * args.sums_step;
    if (tile == 0 && args.b != nullptr) {
      bool done = false;
      if (args.depth % kUnit == 0) {
        Panel::WithColumns(args.type, [&](auto format) {
          done = RunPackingTile<Panel, decltype(format)>(rows, t, fetcher);
        });
      }
      if (done) continue;
      gemm::PackArgs columns{};
      columns.type = args.type;
      columns.from = args.b;
      columns.line_step = 1;
      columns.k_step = args.k_step;
      columns.lines = 16 * Panel::kVectors;
      columns.depth = args.depth;
      columns.to = args.panel;
      PackColumnsOf<Panel>(columns);
    }
    RunTile<Panel, Panel::kTileRows>(rows, t, fetcher);
  }
}

template <class Panel, class Format>
void PackTiles(const gemm::PackArgs& args) {
  const int64_t tiles = TilesOf(args.lines, Panel::kTileRows);
  const int64_t row_bytes = (args.depth + Format::kDepth - 1) / Format::kDepth * 4;
  for (int64_t tile = 0; tile < tiles; ++tile) {
    const int64_t begin = TileBegin(args.lines, tile, tiles);
    gemm::PackArgs lines = args;
    lines.lines = TileBegin(args.lines, tile + 1, tiles) - begin;
    lines.from = Format::At(args.from, begin * args.line_step);
    lines.to = static_cast<char*>(args.to) + begin * row_bytes;
    PackLines<Format>(lines, lines.lines);
  }
}

template <class Panel>
void PackRowsOf(const gemm::PackArgs& args) {
  Panel::WithRows(args.type, [&](auto format) { PackTiles<Panel, decltype(format)>(args); });
}

template <class Panel>
constexpr gemm::Arithmetic ArithmeticOf(
    void (*pack_rows)(const gemm::PackArgs&) = PackRowsOf<Panel>) {
  return {.unit_depth = Panel::kUnitDepth,
          .tile_rows = Panel::kTileRows,
          .panel_columns = 16 * Panel::kVectors,
          .pack_rows = pack_rows,
          .pack_columns = PackColumnsOf<Panel>,
          .multiply = MultiplyBlock<Panel>,
          .multiply_few = MultiplyFewOf<Panel>};
}

}  // namespace anyacl::ANYACL_ISA
