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
  constexpr int64_t kWidth = 16 * Panel::kVectors;
  Panel::WithColumns(args.type, [&](auto format) {
    using Format = decltype(format);
    if (args.line_step == 1) return PackAcross<Format>(args, kWidth);
    gemm::PackArgs panel = args;
    for (int64_t first = 0; first < args.lines; first += kWidth) {
      panel.from = Format::At(args.from, first * args.line_step);
      panel.lines = args.lines - first < kWidth ? args.lines - first : kWidth;
      PackLines<Format>(panel, kWidth);
      panel.to = static_cast<char*>(panel.to) + args.panel_bytes;
    }
  });
}

// Fetches pieces of memory line by line while something else is computed.
class Fetcher {
 public:
  explicit Fetcher(const gemm::Ahead (&pieces)[gemm::kAheads]) : pieces_(pieces) {
    for (const gemm::Ahead& piece : pieces) lines_ += piece.rows * LinesOf(piece);
    Begin();
  }
  int64_t lines() const { return lines_; }
  // No call: all registers hold sums.
  [[gnu::always_inline]] void Fetch(int64_t count) {
    for (; count > 0 && rows_ > 0; --count) {
      PrefetchL2(at_);
      at_ += 64;
      if (--left_ > 0) continue;
      left_ = row_lines_;
      at_ += row_step_ - 64 * row_lines_;
      if (--rows_ == 0 && ++next_ < gemm::kAheads) Begin();
    }
  }

 private:
  static int64_t LinesOf(const gemm::Ahead& piece) {
    if (piece.rows <= 0 || piece.bytes <= 0) return 0;
    const auto head = static_cast<int64_t>(reinterpret_cast<uintptr_t>(piece.at) % 64);
    return (head + piece.bytes + 63) / 64;
  }
  [[gnu::always_inline]] void Begin() {
    for (; next_ < gemm::kAheads; ++next_) {
      const gemm::Ahead& piece = pieces_[next_];
      row_lines_ = LinesOf(piece);
      if (row_lines_ == 0) continue;
      at_ = piece.at;
      rows_ = piece.rows;
      row_step_ = piece.row_step;
      left_ = row_lines_;
      return;
    }
  }

  const gemm::Ahead (&pieces_)[gemm::kAheads];
  int64_t next_ = 0;
  int64_t lines_ = 0;
  const char* at_ = nullptr;
  int64_t rows_ = 0;
  int64_t row_step_ = 0;
  int64_t row_lines_ = 0;
  int64_t left_ = 0;
};

struct BlockTile {
  const int8_t* a;
  int64_t row_step;  // of rows where they lie
  const int8_t* b;
  int64_t steps;
  const int32_t* sums;
  int64_t sums_step;
  int32_t* results;
  int64_t results_step;
  bool resume;
  const gemm::PanelLines* lines;  // in place of b
  int64_t fetch;                  // lines in every kFetchSteps steps
};
inline constexpr int64_t kFetchSteps = 8;

// The next 4 bytes of each row of a tile: packed, or where rows lie. Three rows share an address,
// or there would be more of them than registers.
template <class Panel, int kRows, bool kInPlace>
class TileRows {
 public:
  explicit TileRows(const BlockTile& t) : step_(kInPlace ? t.row_step : 0) {
#pragma GCC unroll 8
    for (int i = 0; i < kAddresses; ++i) at_[i] = t.a + 3 * i * step_;
  }
  [[gnu::always_inline]] void AddStep(TileSums<Panel, kRows>& sums, const int8_t* b) {
    if constexpr (kInPlace) {
      const auto read = Panel::Read(b);
      AddKeptStep<Panel, kRows>(
          sums, [read](int i) { return Panel::Operand(read, i); },
          [&](int r) { return at_[r / 3] + r % 3 * step_; });
    } else {
      ANYACL_ISA::AddStep(sums, b, at_[0]);
    }
#pragma GCC unroll 8
    for (int i = 0; i < kAddresses; ++i) at_[i] += kInPlace ? 4 : 4 * kRows;
  }

 private:
  static constexpr int kAddresses = kInPlace ? (kRows + 2) / 3 : 1;
  const int8_t* at_[kAddresses];
  const int64_t step_;
};

template <class Panel, int kRows>
[[gnu::always_inline]] inline void BeginSums(const BlockTile& t, TileSums<Panel, kRows>& sums) {
  ClearSums(sums);
  if (!t.resume) return;
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int i = 0; i < Panel::kVectors; ++i) {
      sums.at[r][i] = LoadSum(sums.at[r][i], t.sums + r * t.sums_step + 16 * i);
    }
  }
}

template <class Panel, int kRows>
[[gnu::always_inline]] inline void StoreSums(const BlockTile& t,
                                             const TileSums<Panel, kRows>& sums) {
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int i = 0; i < Panel::kVectors; ++i) {
      StoreSum(t.results + r * t.results_step + 16 * i, sums.at[r][i]);
    }
  }
}

// The panel's vectors where they lie.
template <class Panel, int kRows>
[[gnu::noinline]] void MultiplyLines(const BlockTile& t) {
  TileSums<Panel, kRows> sums;
  BeginSums<Panel, kRows>(t, sums);
  const gemm::PanelLines lines = *t.lines;
  const int8_t* a = t.a;
  const float* channel = lines.from;
  for (int64_t c = 0; c < lines.channels; ++c, channel += lines.channel_step) {
    const int32_t* offsets = lines.offsets;
    for (int64_t tap = 0; tap < lines.taps; ++tap, offsets += lines.offset_step, a += 4 * kRows) {
      AddKeptStep<Panel, kRows>(
          sums, [&](int i) { return Load(channel + offsets[i]); },
          [a](int r) { return a + 4 * r; });
    }
  }
  StoreSums<Panel, kRows>(t, sums);
}

template <class Panel, int kRows, bool kInPlace>
[[gnu::noinline]] void MultiplyTile(const BlockTile& t, Fetcher& fetcher) {
  TileSums<Panel, kRows> sums;
  BeginSums<Panel, kRows>(t, sums);
  const int8_t* b = t.b;
  TileRows<Panel, kRows, kInPlace> rows(t);
  int64_t left = t.steps;
  for (; left >= kFetchSteps; left -= kFetchSteps) {
    fetcher.Fetch(t.fetch);
    for (int64_t i = 0; i < kFetchSteps; ++i, b += Panel::kVectors * 64) rows.AddStep(sums, b);
  }
  for (; left > 0; --left, b += Panel::kVectors * 64) rows.AddStep(sums, b);
  StoreSums<Panel, kRows>(t, sums);
}

template <class Panel, int kRows>
void RunTile(int64_t rows, const BlockTile& t, Fetcher& fetcher) {
  if (rows == kRows) {
    if constexpr (requires { &Panel::Row; }) {
      if (t.lines != nullptr) return MultiplyLines<Panel, kRows>(t);
      if (t.row_step != 0) return MultiplyTile<Panel, kRows, true>(t, fetcher);
    }
    return MultiplyTile<Panel, kRows, false>(t, fetcher);
  }
  if constexpr (kRows > 1) RunTile<Panel, kRows - 1>(rows, t, fetcher);
}

template <class Panel>
void MultiplyBlock(const gemm::BlockArgs& args) {
  constexpr int64_t kUnit = Panel::kUnitDepth;
  const int64_t tiles = TilesOf(args.row_count, Panel::kTileRows);
  const int64_t row_bytes = (args.depth + kUnit - 1) / kUnit * 4;
  Fetcher fetcher(args.ahead);
  BlockTile t;
  t.steps = (args.depth + kUnit - 1) / kUnit;
  t.row_step = args.row_step;
  t.sums_step = args.sums_step;
  t.resume = args.resume;
  t.lines = args.lines;
  void* const results = args.results != nullptr ? args.results : args.sums;
  t.results_step = args.results != nullptr ? args.results_step : args.sums_step;
  const int64_t fetches = t.steps / kFetchSteps * tiles;
  t.fetch = fetches == 0 ? 0 : (fetcher.lines() + fetches - 1) / fetches;
  for (int64_t tile = 0; tile < tiles; ++tile) {
    const int64_t begin = TileBegin(args.row_count, tile, tiles);
    const int64_t rows = TileBegin(args.row_count, tile + 1, tiles) - begin;
    t.a = reinterpret_cast<const int8_t*>(args.rows) +
          begin * (args.row_step != 0 ? args.row_step : row_bytes);
    t.b = reinterpret_cast<const int8_t*>(args.panel);
    t.sums = static_cast<const int32_t*>(args.sums) + begin * args.sums_step;
    t.results = static_cast<int32_t*>(results) + begin * t.results_step;
    for (int64_t panel = 0; panel < args.panels; ++panel) {
      RunTile<Panel, Panel::kTileRows>(rows, t, fetcher);
      t.b += args.panel_bytes;
      t.sums += 16 * Panel::kVectors;
      t.results += 16 * Panel::kVectors;
    }
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
    void (*pack_rows)(const gemm::PackArgs&) = PackRowsOf<Panel>,
    void (*scale)(const gemm::ScaleArgs&) = nullptr, int64_t in_place_depth = 0) {
  return {.unit_depth = Panel::kUnitDepth,
          .tile_rows = Panel::kTileRows,
          .panel_columns = 16 * Panel::kVectors,
          .block_units = gemm::kBlockUnits,
          .pack_rows = pack_rows,
          .pack_columns = PackColumnsOf<Panel>,
          .scale = scale,
          .multiply = MultiplyBlock<Panel>,
          .multiply_few = MultiplyFewOf<Panel>,
          .in_place_depth = in_place_depth};
}

}  // namespace anyacl::ANYACL_ISA
