// SPDX-License-Identifier: Apache-2.0
// Tiles of sums that stay in registers for a whole group of k. One pass over the panel computes a
// tile; the panel comes from memory for the first tile and from L2 for the others.
#include "ops/grouped_matmul/kernel.h"

#include "gemm/kernel_tile.h"
#include "simd/panel.h"

namespace anyacl::ANYACL_ISA {
namespace {

using grouped_matmul::Depth;
using grouped_matmul::KernelSet;
using grouped_matmul::LowHalvesArgs;
using grouped_matmul::PackArgs;
using grouped_matmul::PanelArgs;
using grouped_matmul::RowArgs;

// For INT4 the first tile has a row of ones besides its rows, which sums the columns.
template <class Panel>
constexpr bool kHasOnes = false;
template <>
constexpr bool kHasOnes<PanelI4> = true;

// The rows of a tile. Tiles are nearly equal: a tile of few rows is bound by loading the weights.
struct Rows {
  int64_t begin;
  int64_t count;
};

template <class Panel>
int64_t TileCount(int64_t rows) {
  const int64_t lines = rows + (kHasOnes<Panel> ? 1 : 0);
  return (lines + Panel::kTileRows - 1) / Panel::kTileRows;
}

template <class Panel>
Rows RowsOf(int64_t tile, int64_t tiles, int64_t rows) {
  const int64_t ones = kHasOnes<Panel> ? 1 : 0;
  const auto begin = [=](int64_t t) { return t == 0 ? 0 : (rows + ones) * t / tiles - ones; };
  return {begin(tile), begin(tile + 1) - begin(tile)};
}

// Packing: for each step of kDepth k, four bytes of every row of the tile.

void PackStep(const int8_t* x, int8_t* packed) {
  if constexpr (kDepth == 4) {
    __builtin_memcpy(packed, x, 4);
  } else {
    const int16_t pair[2] = {x[0], x[1]};
    __builtin_memcpy(packed, pair, 4);
  }
}

// k of one row from `k` on, dense or gathered, filled up with zeros.
void PackRow(const int8_t* x, int64_t step, int64_t k, int64_t size, int64_t padded,
             int64_t packed_step, int8_t* packed) {
  packed += k / kDepth * packed_step;
  for (; k < padded; k += kDepth, packed += packed_step) {
    int8_t values[kDepth];
    for (int i = 0; i < kDepth; ++i) values[i] = k + i < size ? x[(k + i) * step] : 0;
    PackStep(values, packed);
  }
}

// One group of all rows of a tile. Four rows and steps at a time: 10 bytes per cycle instead of 2.
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
    PackRow(x + r * row_step, column_step, whole, size, padded, 4 * rows, packed + 4 * r);
  }
}

[[maybe_unused]] int32_t SumGroup(const int8_t* x, int64_t step, int64_t size) {
  int32_t sum = 0;
  int64_t k = 0;
  if (step == 1) {
    VecI32 sums = SetI32(0);
    for (; k + 64 <= size; k += 64) sums = DotU8I8(sums, SetI8(1), Load(x + k));
    sum = ReduceSum(sums);
  }
  for (; k < size; ++k) sum += x[k * step];
  return sum;
}

template <class Panel>
void PackTileOf(const PackArgs& args, int64_t tile) {
  const Rows rows = RowsOf<Panel>(tile, TileCount<Panel>(args.rows), args.rows);
  const Depth& depth = args.depth;
  const int8_t* const x = args.x + rows.begin * args.row_step;
  int8_t* packed = args.packed + rows.begin * (depth.total() / kDepth * 4);
  for (int64_t g = 0; g < depth.groups; ++g) {
    const int8_t* const values = x + g * depth.size * args.column_step;
    PackGroup(values, args.row_step, args.column_step, rows.count, depth.size, depth.padded(),
              packed);
    packed += depth.padded() / kDepth * (4 * rows.count);
    if constexpr (Panel::kBias != 0) {
      for (int64_t r = 0; r < rows.count; ++r) {
        args.sums[(rows.begin + r) * depth.groups + g] =
            Panel::kBias * SumGroup(values + r * args.row_step, args.column_step, depth.size);
      }
    }
  }
}

// One tile of one slice of a panel.
struct TileArgs {
  const int8_t* operands;
  const int8_t* packed;  // of the tile
  const int32_t* sums;   // of the tile's first row
  int64_t steps;         // of a group
  int64_t groups;
  const float* x_scale;
  int64_t x_scale_step;
  const float* scales;  // of the slice
  const float* bias;
  int64_t scales_step;  // from group to group
  int32_t* column_sums;
  float* totals;
  float* c;
  int64_t c_step;
  const int8_t* prefetch;
  int64_t prefetch_step;  // per step
};

// Rows up to which a tile waits for its own panel. One with more has time to bring what comes
// later to L2.
constexpr int kBoundByMemory = 4;

template <class Panel, int kRows, bool kOnes>
[[gnu::always_inline]] inline TileSums<Panel, kRows, kOnes> MultiplyGroup(const TileArgs& t,
                                                                          int64_t group) {
  TileSums<Panel, kRows, kOnes> sums;
  ClearSums(sums);
  const int8_t* w = t.operands + group * t.steps * Panel::kStepBytes;
  const int8_t* x = t.packed + group * t.steps * (4 * kRows);
  const int8_t* ahead = t.prefetch + group * t.steps * t.prefetch_step;
  for (int64_t step = 0; step < t.steps; ++step) {
    if constexpr (Panel::kOperandBytes == 0 && kRows <= kBoundByMemory) {
      PrefetchL1(ahead);
      PrefetchL1(ahead + 64);
    } else if constexpr (Panel::kOperandBytes == 0) {
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
  constexpr int kWidth = 16 * Panel::kVectors * (kHasOnes<Panel> && Panel::kVectors == 1 ? 2 : 1);
  for (int r = 0; r < kRows; ++r) {
    for (int n = 0; n < kWidth; n += 16) __builtin_prefetch(t.c + r * t.c_step + n, 1);
  }
}

template <int kRows>
[[gnu::noinline]] void TileI8(const TileArgs& t) {
  PrefetchResults<PanelI8, kRows>(t);
  const auto sums = MultiplyGroup<PanelI8, kRows, false>(t, 0);
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
    const VecI32 bias = SetI32(PanelI8::kBias == 0 ? 0 : t.sums[r]);
    const VecF32 x_scale = SetF32(t.x_scale[r * t.x_scale_step]);
#pragma GCC unroll 4
    for (int i = 0; i < PanelI8::kVectors; ++i) {
      const VecF32 product = Mul(ToF32(Sub(sums.at[r][i], bias)), x_scale);
      Store(t.c + r * t.c_step + 16 * i, Mul(product, Load(t.scales + 16 * i)));
    }
  }
}

// Adds a group's terms to the totals, which wait in memory: the sums need the registers.
template <int kRows, bool kOnes>
[[gnu::always_inline]] inline void AddGroup(const TileArgs& t, int64_t group) {
  const auto sums = MultiplyGroup<PanelI4, kRows, kOnes>(t, group);
  int32_t* const column_sums = t.column_sums + group * t.scales_step;  // times 8
  const float* const scales = t.scales + group * t.scales_step;
  // Copies: the compiler believes that vector stores could change what t points to.
  const int32_t* const biases = t.sums + group;
  const int64_t biases_step = t.groups;
  float* const totals = t.totals;
#pragma GCC unroll 4
  for (int i = 0; i < PanelI4::kVectors; ++i) {
    VecI32 columns;
    if constexpr (kOnes) {
      const auto ones = static_cast<int32_t>(t.steps * kDepth);
      columns = ShiftLeft<3>(Sub(sums.at[kRows][i], SetI32(PanelI4::kBias * ones)));
      Store(column_sums + 16 * i, columns);
    } else {
      columns = Load(column_sums + 16 * i);
    }
    const VecF32 scale = Load(scales + 16 * i);
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      VecI32 sum = Sub(sums.at[r][i], columns);
      if constexpr (PanelI4::kBias != 0) {
        sum = Sub(sum, SetI32(biases[r * biases_step]));
      }
      float* const total = totals + (r * PanelI4::kVectors + i) * 16;
      Store(total, Fma(ToF32(sum), scale, Load(total)));
    }
  }
}

template <int kRows, bool kOnes>
[[gnu::noinline]] void TileI4(const TileArgs& t) {
  PrefetchResults<PanelI4, kRows>(t);
  for (int i = 0; i < kRows * PanelI4::kVectors; ++i) Store(t.totals + 16 * i, SetF32(0.0f));
  for (int64_t group = 0; group < t.groups; ++group) AddGroup<kRows, kOnes>(t, group);
  for (int r = 0; r < kRows; ++r) {
    const VecF32 x_scale = SetF32(t.x_scale[r * t.x_scale_step]);
    VecF32 c[PanelI4::kVectors];
#pragma GCC unroll 4
    for (int i = 0; i < PanelI4::kVectors; ++i) {
      const float* const total = t.totals + (r * PanelI4::kVectors + i) * 16;
      c[i] = Mul(Add(Load(total), Load(t.bias + 16 * i)), x_scale);
    }
#pragma GCC unroll 2
    for (int i = 0; i < PanelI4::kVectors; i += 2) {
      StoreColumns(t.c + r * t.c_step + 16 * i, c + i);
    }
  }
}

template <class Panel, int kRows>
void RunTile(int64_t rows, bool ones, const TileArgs& t) {
  if (rows == kRows) {
    if constexpr (!kHasOnes<Panel>) {
      TileI8<kRows>(t);
    } else if constexpr (kRows < Panel::kTileRows) {
      ones ? TileI4<kRows, true>(t) : TileI4<kRows, false>(t);
    } else {
      TileI4<kRows, false>(t);
    }
    return;
  }
  if constexpr (kRows > 1) RunTile<Panel, kRows - 1>(rows, ones, t);
}

// Bytes that a stream from memory is ahead of its use: the latency of memory times its rate.
constexpr int64_t kAheadToL1 = 4096;
constexpr int64_t kAheadToL2 = 16384;
// Two panels larger than this do not stay in L2 together with the rows.
constexpr int64_t kLargestPanelAhead = 320 * 1024;

template <class Panel>
void MultiplyPanelOf(const PanelArgs& args) {
  const Depth& depth = args.depth;
  const int64_t steps = depth.padded() / kDepth;
  const int64_t tiles = TileCount<Panel>(args.rows);
  const int64_t panel_bytes = depth.total() * kPanelRowBytes;
  TileArgs t;
  t.steps = steps;
  t.groups = depth.groups;
  t.x_scale_step = args.x_scale_step;
  t.scales_step = Panel::kSlices * Panel::kVectors * static_cast<int64_t>(kLanes);
  t.totals = args.totals;
  t.c_step = args.c_step;
  for (int slice = 0; slice < Panel::kSlices; ++slice) {
    const int64_t lanes = slice * Panel::kVectors * static_cast<int64_t>(kLanes);
    t.operands = Panel::Slice(args.panel, depth.total(), slice, args.operands);
    t.scales = args.scales + lanes;
    t.bias = args.bias + lanes;
    t.column_sums = args.column_sums + lanes;
    for (int64_t tile = 0; tile < tiles; ++tile) {
      const Rows rows = RowsOf<Panel>(tile, tiles, args.rows);
      t.packed = args.packed + rows.begin * (depth.total() / kDepth * 4);
      t.sums = args.sums + rows.begin * depth.groups;
      t.x_scale = args.x_scale + rows.begin * args.x_scale_step;
      // The even and the odd columns of an INT4 panel are slices of their own.
      const int64_t column = Panel::kSlices == 4 ? slice / 2 * 32 + slice % 2 : lanes;
      t.c = args.c + rows.begin * args.c_step + column;
      if (tiles == 1 || panel_bytes > kLargestPanelAhead) {
        t.prefetch = args.panel + (rows.count <= kBoundByMemory ? kAheadToL1 : kAheadToL2);
        t.prefetch_step = tile == 0 ? Panel::kStepBytes : 0;
      } else {
        t.prefetch_step = Panel::kStepBytes / tiles;
        t.prefetch = args.next + tile * steps * depth.groups * t.prefetch_step;
      }
      RunTile<Panel, Panel::kTileRows>(rows.count, tile == 0, t);
    }
  }
}

void LoadLowHalves(const LowHalvesArgs& args) {
  constexpr int64_t kColumns = grouped_matmul::PanelColumns(Element::kInt4);
  const uint64_t* from = args.from;
  float* out = args.out;
  for (int64_t g = 0; g < args.groups; ++g, from += args.group_step, out += kColumns) {
    for (int64_t n = 0; n < kColumns; n += 8) PrefetchL2(from + kColumns + n);
    StoreLowHalves(from, out);
    StoreLowHalves(from + kColumns / 2, out + kColumns / 2);
  }
}

int64_t CountTiles(Element weights, int64_t rows) {
  return weights == Element::kInt8 ? TileCount<PanelI8>(rows) : TileCount<PanelI4>(rows);
}

void PackTile(const PackArgs& args, int64_t tile) {
  args.weights == Element::kInt8 ? PackTileOf<PanelI8>(args, tile)
                                 : PackTileOf<PanelI4>(args, tile);
}

void MultiplyPanel(const PanelArgs& args) {
  args.weights == Element::kInt8 ? MultiplyPanelOf<PanelI8>(args) : MultiplyPanelOf<PanelI4>(args);
}

// SwiGLU of 16 columns, written over the first of its operands; returns the bits of |s|.
VecI32 SwigluLanes(VecF32 activated, VecF32 gate, VecF32* s) {
  // The formula's quotient at -inf has no value; Silu would give its limit.
  const Mask lowest = Less(activated, SetF32(-__FLT_MAX__));
  const VecF32 silu = Select(lowest, SetF32(__builtin_nanf("")), Silu(activated));
  *s = Mul(silu, gate);
  return BitsOf(Abs(*s));
}

// The largest |s|; NaN if there is one, since the bits of NaN are larger than all others.
float Swiglu(float* c, int64_t half, const float* next) {
  constexpr auto kStep = static_cast<int64_t>(kLanes);
  VecI32 largest = SetI32(0);
  int64_t j = 0;
  VecF32 s;
  for (; j + kStep <= half; j += kStep) {
    PrefetchL1(next + j);
    PrefetchL1(next + half + j);
    largest = Max(largest, SwigluLanes(Load(c + j), Load(c + half + j), &s));
    Store(c + j, s);
  }
  if (j < half) {
    const auto left = static_cast<size_t>(half - j);
    largest = Max(largest, SwigluLanes(Load(c + j, left), Load(c + half + j, left), &s));
    Store(c + j, s, left);
  }
  return __builtin_bit_cast(float, ReduceMax(largest));
}

// rint(s / scale). The product with the reciprocal is within 4 * 2^-24 * 127 = 3.1e-5 of the
// quotient, so it rounds to the same integer unless it is closer than that to a half.
VecI32 Quotients(VecF32 s, VecF32 reciprocal, VecF32 scale) {
  VecF32 quotient = Mul(s, reciprocal);
  const Mask near_half = Less(SetF32(0.49996f), Abs(Fraction(quotient)));
  if (__builtin_expect(Any(near_half), 0)) quotient = Div(s, scale);
  return RoundToI32(quotient);
}

void StoreQ(const RowArgs& args, int64_t j, VecI8 q) {
  const int64_t left = args.half - j;
  if (args.q_step == 1) {
    left >= 64 ? Store(args.q + j, q) : Store(args.q + j, q, static_cast<size_t>(left));
    return;
  }
  int8_t bytes[64];
  Store(bytes, q);
  for (int64_t i = 0; i < (left < 64 ? left : 64); ++i) args.q[(j + i) * args.q_step] = bytes[i];
}

VecF32 LoadUpTo(const float* p, int64_t n) {
  constexpr auto kAll = static_cast<int64_t>(kLanes);
  return n >= kAll ? Load(p) : n > 0 ? Load(p, static_cast<size_t>(n)) : SetF32(0.0f);
}

void FinishRow(const RowArgs& args) {
  const float largest = Swiglu(args.c, args.half, args.next);
  const float scale = largest / 127.0f;
  *args.scale = scale;
  const bool has_quotients = scale > 0.0f && scale <= __FLT_MAX__;
  // Below, the reciprocal of the scale would be infinite.
  const bool has_reciprocal = scale > 0x1p-120f;
  const VecF32 reciprocal = SetF32(has_reciprocal ? 1.0f / scale : __builtin_inff());
  const VecF32 divisor = SetF32(scale);
  for (int64_t j = 0; j < args.half; j += 64) {
    VecI32 q[4];
    for (int i = 0; i < 4; ++i) {
      const VecF32 s = LoadUpTo(args.c + j + 16 * i, args.half - j - 16 * i);
      q[i] = !has_quotients    ? SetI32(0)
             : !has_reciprocal ? RoundToI32(Div(s, divisor))
                               : Quotients(s, reciprocal, divisor);
    }
    StoreQ(args, j, PackI8(q[0], q[1], q[2], q[3]));
  }
}

}  // namespace

extern constinit const KernelSet kGroupedMatmulKernels;
constinit const KernelSet kGroupedMatmulKernels = {
    .packed_bytes_per_k = 4 / kDepth,
    .operand_bytes_per_k = PanelI8::kOperandBytes,
    .load_low_halves = LoadLowHalves,
    .tile_count = CountTiles,
    .pack_tile = PackTile,
    .multiply_panel = MultiplyPanel,
    .finish_row = FinishRow,
};

}  // namespace anyacl::ANYACL_ISA
