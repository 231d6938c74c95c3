// SPDX-License-Identifier: Apache-2.0
// Panels where they lie. Tiles of sums stay in registers for a whole group of k. One pass over the
// panel computes a tile; the panel comes from memory for the first tile and from L2 for the others.
// All templates: tiers without the shuffles have none of it.
#include "gemm/kernel.h"
#include "gemm/kernel_tile.h"
#include "simd/panel.h"

namespace anyacl::ANYACL_ISA {
namespace {

static_assert(kPanelRowBytes == gemm::kPanelBytes);

using gemm::Depth;
using gemm::PackTileArgs;
using gemm::PanelArgs;

// The rows of a tile. Tiles are nearly equal: a tile of few rows is bound by loading the weights.
struct Rows {
  int64_t begin;
  int64_t count;
};

template <class Panel>
int64_t TileCount(int64_t rows) {
  const int64_t lines = rows + (Panel::kHasOnes ? 1 : 0);
  return (lines + Panel::kTileRows - 1) / Panel::kTileRows;
}

template <class Panel>
Rows RowsOf(int64_t tile, int64_t tiles, int64_t rows) {
  const int64_t ones = Panel::kHasOnes ? 1 : 0;
  const auto begin = [=](int64_t t) { return t == 0 ? 0 : (rows + ones) * t / tiles - ones; };
  return {begin(tile), begin(tile + 1) - begin(tile)};
}

// Packing: for each step of kDepth k, four bytes of every row of the tile.

// k of one row from `k` on, dense or gathered, filled up with zeros.
template <class Panel>
void PackRow(const int8_t* x, int64_t step, int64_t k, int64_t size, int64_t padded,
             int64_t packed_step, int8_t* packed) {
  packed += k / kDepth * packed_step;
  for (; k < padded; k += kDepth, packed += packed_step) {
    for (int i = 0; i < kDepth; ++i) packed[i] = k + i < size ? x[(k + i) * step] : int8_t{0};
  }
}

// One group of all rows of a tile. Four rows and steps at a time: 10 bytes per cycle instead of 2.
template <class Panel>
void PackGroup(const int8_t* x, int64_t row_step, int64_t column_step, int64_t rows, int64_t size,
               int64_t padded, int8_t* packed) {
  constexpr int64_t kBlock = 4 * kDepth;
  // The results of so many k stay in L1 until all rows are there.
  constexpr int64_t kChunk = 512;
  const int64_t whole = rows >= 4 && column_step == 1 ? size / kBlock * kBlock : 0;
  for (int64_t begin = 0; begin < whole; begin += kChunk) {
    const int64_t end = begin + kChunk < whole ? begin + kChunk : whole;
    for (int64_t r = 0; r < rows; r += 4) {
      // The last four rows may have been packed in part.
      const int64_t row = r + 4 <= rows ? r : rows - 4;
      for (int64_t k = begin; k < end; k += kBlock) {
        TransposeSteps(x + row * row_step + k, row_step, packed + k / kDepth * (4 * rows) + 4 * row,
                       4 * rows);
      }
    }
  }
  for (int64_t r = 0; r < rows; ++r) {
    PackRow<Panel>(x + r * row_step, column_step, whole, size, padded, 4 * rows, packed + 4 * r);
  }
}

template <class Panel>
void PackTileOf(const PackTileArgs& args, int64_t tile) {
  const Rows rows = RowsOf<Panel>(tile, TileCount<Panel>(args.rows), args.rows);
  const Depth& depth = args.depth;
  const int8_t* const x = args.a + rows.begin * args.row_step;
  int8_t* packed = args.packed + rows.begin * (depth.total() / kDepth * 4);
  for (int64_t g = 0; g < depth.groups; ++g) {
    const int8_t* const values = x + g * depth.size * args.column_step;
    PackGroup<Panel>(values, args.row_step, args.column_step, rows.count, depth.size,
                     depth.padded(), packed);
    packed += depth.padded() / kDepth * (4 * rows.count);
    for (int64_t r = 0; r < rows.count; ++r) {
      args.sums[(rows.begin + r) * depth.groups + g] =
          Panel::kBias * SumI8(values + r * args.row_step, args.column_step, depth.size);
    }
  }
}

// One tile of a panel.
struct TileArgs {
  const int8_t* panel;
  const int8_t* packed;  // of the tile
  const int32_t* sums;   // of the tile's first row
  int64_t steps;         // of a group
  int64_t groups;
  const float* row_scale;
  int64_t row_scale_step;
  const float* scales;
  const float* bias;
  int64_t scales_step;  // from group to group
  int32_t* column_sums;
  float* totals;
  float* c;
  int64_t c_step;
  const int8_t* prefetch;
  int64_t prefetch_step;  // per step
};

// Bytes that a stream from memory is ahead of its use: the latency of memory times its rate. A tile
// that is alone reads it to L2 and then to L1: to L1 at once a Xeon reads at 75 % of that.
constexpr int64_t kAheadToL1 = 4096;
constexpr int64_t kAheadToL2 = 16384;

template <class Panel, int kRows, bool kOnes, bool kAlone>
[[gnu::always_inline]] inline TileSums<Panel, kRows, kOnes> MultiplyGroup(const TileArgs& t,
                                                                          int64_t group) {
  TileSums<Panel, kRows, kOnes> sums;
  ClearSums(sums);
  const int8_t* w = t.panel + group * t.steps * Panel::kStepBytes;
  const int8_t* x = t.packed + group * t.steps * (4 * kRows);
  const int8_t* ahead = t.prefetch + group * t.steps * t.prefetch_step;
  for (int64_t step = 0; step < t.steps; ++step) {
    if constexpr (kAlone) {
      PrefetchL2(ahead + kAheadToL2 - kAheadToL1);
      PrefetchL2(ahead + kAheadToL2 - kAheadToL1 + 64);
      PrefetchL1(ahead);
      PrefetchL1(ahead + 64);
    } else {
      PrefetchL2(ahead);
      PrefetchL2(ahead + 64);
    }
    ahead += t.prefetch_step;
    AddStep(sums, w, x);
    w += Panel::kStepBytes;
    x += 4 * kRows;
  }
  return sums;
}

// Asks for the lines that a tile will write. They come from L3 or from memory while it computes;
// otherwise the stores would wait for them, for 5 % of the time of a tile of depth 2048.
template <class Panel, int kRows>
void PrefetchResults(const TileArgs& t) {
  constexpr int kWidth = 16 * Panel::kVectors;
  for (int r = 0; r < kRows; ++r) {
    for (int n = 0; n < kWidth; n += 16) __builtin_prefetch(t.c + r * t.c_step + n, 1);
  }
}

template <class Panel, int kRows, bool kAlone>
[[gnu::noinline]] void TileI8(const TileArgs& t) {
  PrefetchResults<Panel, kRows>(t);
  const auto sums = MultiplyGroup<Panel, kRows, false, kAlone>(t, 0);
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
    const VecI32 bias = SetI32(t.sums[r]);
    const VecF32 row_scale = SetF32(t.row_scale[r * t.row_scale_step]);
#pragma GCC unroll 4
    for (int i = 0; i < Panel::kVectors; ++i) {
      const VecF32 product = Mul(ToF32(Sub(sums.at[r][i], bias)), row_scale);
      Store(t.c + r * t.c_step + 16 * i, Mul(product, Load(t.scales + 16 * i)));
    }
  }
}

// Adds a group's terms to the totals, which wait in memory: the sums need the registers.
template <class Panel, int kRows, bool kOnes, bool kAlone>
[[gnu::always_inline]] inline void AddGroup(const TileArgs& t, int64_t group) {
  const auto sums = MultiplyGroup<Panel, kRows, kOnes, kAlone>(t, group);
  int32_t* const column_sums = t.column_sums + group * t.scales_step;  // times 8
  const float* const scales = t.scales + group * t.scales_step;
  // Copies: the compiler believes that vector stores could change what t points to.
  const int32_t* const biases = t.sums + group;
  const int64_t biases_step = t.groups;
  float* const totals = t.totals;
#pragma GCC unroll 4
  for (int i = 0; i < Panel::kVectors; ++i) {
    VecI32 columns;
    if constexpr (kOnes) {
      const auto ones = static_cast<int32_t>(t.steps * kDepth);
      columns = ShiftLeft<3>(Sub(sums.at[kRows][i], SetI32(Panel::kBias * ones)));
      Store(column_sums + 16 * i, columns);
    } else {
      columns = Load(column_sums + 16 * i);
    }
    const VecF32 scale = Load(scales + 16 * i);
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      VecI32 sum = Sub(sums.at[r][i], columns);
      sum = Sub(sum, SetI32(biases[r * biases_step]));
      float* const total = totals + (r * Panel::kVectors + i) * 16;
      Store(total, Fma(ToF32(sum), scale, Load(total)));
    }
  }
}

template <class Panel, int kRows, bool kOnes, bool kAlone>
[[gnu::noinline]] void TileI4(const TileArgs& t) {
  PrefetchResults<Panel, kRows>(t);
  for (int i = 0; i < kRows * Panel::kVectors; ++i) Store(t.totals + 16 * i, SetF32(0.0f));
  for (int64_t group = 0; group < t.groups; ++group)
    AddGroup<Panel, kRows, kOnes, kAlone>(t, group);
  for (int r = 0; r < kRows; ++r) {
    const VecF32 row_scale = SetF32(t.row_scale[r * t.row_scale_step]);
    VecF32 c[Panel::kVectors];
#pragma GCC unroll 4
    for (int i = 0; i < Panel::kVectors; ++i) {
      const float* const total = t.totals + (r * Panel::kVectors + i) * 16;
      c[i] = Mul(Add(Load(total), Load(t.bias + 16 * i)), row_scale);
    }
#pragma GCC unroll 2
    for (int i = 0; i < Panel::kVectors; i += 2) {
      StoreColumns(t.c + r * t.c_step + 16 * i, c + i);
    }
  }
}

template <class Panel, bool kAlone, int kRows = Panel::kTileRows>
void RunTile(int64_t rows, bool ones, const TileArgs& t) {
  if (rows == kRows) {
    if constexpr (!Panel::kHasOnes) {
      TileI8<Panel, kRows, kAlone>(t);
    } else if constexpr (kRows < Panel::kTileRows) {
      ones ? TileI4<Panel, kRows, true, kAlone>(t) : TileI4<Panel, kRows, false, kAlone>(t);
    } else {
      TileI4<Panel, kRows, false, kAlone>(t);
    }
    return;
  }
  if constexpr (kRows > 1) RunTile<Panel, kAlone, kRows - 1>(rows, ones, t);
}

// Two panels larger than this do not stay in L2 together with the rows.
constexpr int64_t kLargestPanelAhead = 320 * 1024;

template <class Panel>
void MultiplyPanelOf(const PanelArgs& args) {
  const Depth& depth = args.depth;
  const int64_t tiles = TileCount<Panel>(args.rows);
  TileArgs t;
  t.panel = args.panel;
  t.steps = depth.padded() / kDepth;
  t.groups = depth.groups;
  t.row_scale_step = args.row_scale_step;
  t.scales = args.scales;
  t.scales_step = 16 * Panel::kVectors;
  t.bias = args.bias;
  t.column_sums = args.column_sums;
  t.totals = args.totals;
  t.c_step = args.c_step;
  for (int64_t tile = 0; tile < tiles; ++tile) {
    const Rows rows = RowsOf<Panel>(tile, tiles, args.rows);
    t.packed = args.packed + rows.begin * depth.total();
    t.sums = args.sums + rows.begin * depth.groups;
    t.row_scale = args.row_scale + rows.begin * args.row_scale_step;
    t.c = args.c + rows.begin * args.c_step;
    if (tiles == 1 || depth.total() * gemm::kPanelBytes > kLargestPanelAhead) {
      t.prefetch = args.panel + (tiles == 1 ? kAheadToL1 : kAheadToL2);
      t.prefetch_step = tile == 0 ? Panel::kStepBytes : 0;
    } else {
      t.prefetch_step = Panel::kStepBytes / tiles;
      t.prefetch = args.next + tile * t.steps * depth.groups * t.prefetch_step;
    }
    tiles == 1 ? RunTile<Panel, true>(rows.count, true, t)
               : RunTile<Panel, false>(rows.count, tile == 0, t);
  }
}

template <class OfInt8, class OfInt4>
struct Both {
  static int64_t CountTiles(Element b, int64_t rows) {
    return b == Element::kInt8 ? TileCount<OfInt8>(rows) : TileCount<OfInt4>(rows);
  }
  static void PackTile(const PackTileArgs& args, int64_t tile) {
    args.b == Element::kInt8 ? PackTileOf<OfInt8>(args, tile) : PackTileOf<OfInt4>(args, tile);
  }
  static void MultiplyPanel(const PanelArgs& args) {
    args.b == Element::kInt8 ? MultiplyPanelOf<OfInt8>(args) : MultiplyPanelOf<OfInt4>(args);
  }
};

template <bool kInPlace>
constexpr gemm::InPlace InPlaceOf() {
  if constexpr (kInPlace) {
    using All = Both<InPlaceI8, InPlaceI4>;
    return {All::CountTiles, All::PackTile, All::MultiplyPanel};
  }
  return {};
}

}  // namespace

extern constinit const gemm::InPlace kGemmInPlace;
constinit const gemm::InPlace kGemmInPlace = InPlaceOf<kPanelsInPlace>();

}  // namespace anyacl::ANYACL_ISA
