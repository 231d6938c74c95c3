// SPDX-License-Identifier: Apache-2.0
// Computes the rows in blocks, each in three loops over all threads: the rows are packed, panels
// multiplied, rows finished. In between, the products wait as fp32 in the workspace, which is what
// bounds the rows of a block.
#include "gemm/list.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/division.h"
#include "gemm/panels.h"
#include "kernels.h"
#include "runtime/parallel.h"

namespace anyacl::gemm {
namespace {

// Of packed rows and products: half of an L3 of 32 MiB, next to the weights.
constexpr int64_t kBlockBytes = int64_t{16} << 20;
// Rows for which it pays to read the weights once more, however wide they are.
constexpr int64_t kLeastBlockRows = 96;
// Columns of a unit of packed panels: its rows are read once for so many.
constexpr int64_t kUnitColumns = 128;
// Rows that are better multiplied in place than in matrix registers: those of a tile, which reads B
// at the speed of memory (8 rows of 7168 x 4096 take 0.93 ms instead of 1.6), and more of them
// where each group of k ends with an addition (16 rows in groups of 128: 1.37 ms instead of 1.54).
constexpr int64_t kMostInPlace = 12;
constexpr int64_t kMostInPlaceGroups = 20;
// Rows whose sums of a unit, 256 KiB, stay in L2 with a block of k of them.
constexpr int64_t kMostPackedRows = 512;
constexpr int64_t kLine = 64;

int64_t MostInPlace(const KernelSet& kernels, const Depth& depth) {
  if (kernels.list->in_place == nullptr) return 0;
  const bool matrix_registers = kernels.int8->multiply_few == nullptr;
  if (!matrix_registers) return std::numeric_limits<int64_t>::max();
  return depth.groups == 1 ? kMostInPlace : kMostInPlaceGroups;
}

}  // namespace

// Rows of one product within a block.
struct ListPlan::Segment {
  Product part;
  int64_t index;
  int64_t first;  // of the block
  bool in_place;
  // In the loops over the block's segments.
  int64_t packs_before;
  int64_t units_before;
};

struct ListPlan::Block {
  const ListAddresses& addresses;
  const Epilogue& epilogue;
  char* const workspace;
  Segment* const segments;
  int64_t count = 0;
  int64_t rows = 0;
  int64_t packs = 0;
  int64_t units = 0;

  // The segment of an iteration of a loop, of which `before` come before a segment.
  const Segment& At(int64_t index, int64_t Segment::*before) const {
    return *(std::upper_bound(segments, segments + count, index,
                              [&](int64_t i, const Segment& s) { return i < s.*before; }) -
             1);
  }
};

// What one thread needs besides its registers.
struct ListPlan::Scratch {
  int8_t* panels;
  char* packed;
  int32_t* sums;
  float* scales;
  float* bias;
  int32_t* column_sums;
  float* totals;
};

ListPlan::ListPlan(const ListProblem& problem)
    : p_(problem),
      kernels_(*Kernels().gemm.list),
      arithmetic_(*Kernels().gemm.int8),
      ready_(PanelsAreReady(problem)),
      most_in_place_(MostInPlace(Kernels().gemm, problem.depth)),
      width_(PanelColumns(problem.b_type)),
      panels_(CeilDivide(problem.columns, width_)) {
  const int64_t threads = ThreadCount();
  const int64_t unit_depth = arithmetic_.unit_depth;
  const Depth& depth = p_.depth;
  block_depth_ = arithmetic_.block_units * unit_depth;
  depth_blocks_ = CeilDivide(depth.size, block_depth_);
  row_bytes_ =
      std::max(depth.total(), depth.groups * CeilDivide(depth.size, unit_depth) * kUnitBytes);
  unit_panels_ = std::min(kUnitColumns / width_, panels_);
  // 128 bytes more, so that the rows of a tile do not fall into the same sets of the caches.
  c_step_ = panels_ * width_ + 32;
  block_rows_ = std::min(
      p_.rows,
      std::max(kBlockBytes / (row_bytes_ + 4 * (c_step_ + depth.groups)), kLeastBlockRows));
  packed_rows_ = std::min(block_rows_, kMostPackedRows);
  // Parts of one product have half as many rows at least.
  const int64_t segments =
      std::min(p_.products, block_rows_) + 2 * CeilDivide(block_rows_, packed_rows_);
  const int64_t blocks = depth.groups * depth_blocks_;
  packed_ = Book(block_rows_ * row_bytes_ + segments * blocks * kPackSlack);
  sums_ = Book(block_rows_ * depth.groups * 4);
  c_ = Book(block_rows_ * c_step_ * 4);
  segments_ = Book(segments * static_cast<int64_t>(sizeof(Segment)));

  panels_bytes_ =
      RoundUp(unit_panels_ * width_ * (block_depth_ / unit_depth) * kUnitBytes + kPackSlack, kLine);
  scratch_bytes_ =
      RoundUp((ready_ ? 0 : unit_panels_ * depth.total() * kPanelBytes) + panels_bytes_ +
                  (packed_rows_ * kUnitColumns + unit_panels_ * (2 * depth.groups + 2) * width_ +
                   kTileTotals) *
                      4,
              128);
  scratch_ = Book(threads * scratch_bytes_);
}

int64_t ListPlan::Book(int64_t bytes) {
  const int64_t offset = bytes_;
  bytes_ += RoundUp(bytes, static_cast<int64_t>(kWorkspaceAlignment));
  return offset;
}

void ListPlan::Run(const ListAddresses& addresses, const Product* products, int64_t count,
                   char* workspace, const Epilogue& epilogue) const {
  Block block{addresses, epilogue, workspace, reinterpret_cast<Segment*>(workspace + segments_)};
  for (int64_t i = 0; i < count; ++i) AddRows(block, products[i]);
  RunBlock(block);
}

// In equal parts, if need be; one that does not fit next to the others begins a block.
void ListPlan::AddRows(Block& block, const Product& product) const {
  const bool in_place = product.rows <= most_in_place_;
  const int64_t parts = CeilDivide(product.rows, in_place ? block_rows_ : packed_rows_);
  for (int64_t part = 0; part < parts; ++part) {
    const int64_t begin = product.rows * part / parts;
    const int64_t rows = product.rows * (part + 1) / parts - begin;
    if (block.rows + rows > block_rows_) RunBlock(block);
    block.segments[block.count] = {{product.matrix, product.row + begin, rows},
                                   block.count,
                                   block.rows,
                                   in_place,
                                   block.packs,
                                   block.units};
    ++block.count;
    block.rows += rows;
    block.packs +=
        in_place ? kernels_.in_place->tile_count(p_.b_type, rows) : p_.depth.groups * depth_blocks_;
    block.units += in_place ? panels_ : CeilDivide(panels_, unit_panels_);
  }
}

void ListPlan::RunBlock(Block& block) const {
  if (block.rows != 0) {
    Pack(block);
    Multiply(block);
    Finish(block);
  }
  block.count = block.rows = block.packs = block.units = 0;
}

char* ListPlan::PackedOf(const Block& block, const Segment& s) const {
  return block.workspace + packed_ + s.first * row_bytes_ +
         s.index * p_.depth.groups * depth_blocks_ * kPackSlack;
}
int32_t* ListPlan::SumsOf(const Block& block, const Segment& s) const {
  return reinterpret_cast<int32_t*>(block.workspace + sums_) + s.first * p_.depth.groups;
}
float* ListPlan::ResultsOf(const Block& block, const Segment& s) const {
  return reinterpret_cast<float*>(block.workspace + c_) + s.first * c_step_;
}

void ListPlan::Pack(const Block& block) const {
  // 64 KiB take about 4 us.
  const int64_t bytes = block.rows * row_bytes_ / std::max<int64_t>(block.packs, 1);
  const int64_t grain = std::max<int64_t>(1, 65536 / (bytes + 1));
  ParallelFor(block.packs, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const Segment& s = block.At(i, &Segment::packs_before);
      const int64_t index = i - s.packs_before;
      s.in_place ? PackTile(block, s, index) : PackDepth(block, s, index);
    }
  });
}

void ListPlan::PackTile(const Block& block, const Segment& s, int64_t tile) const {
  kernels_.in_place->pack_tile({.b = p_.b_type,
                                .a = block.addresses.a + s.part.row * p_.a_row_step,
                                .row_step = p_.a_row_step,
                                .column_step = p_.a_column_step,
                                .rows = s.part.rows,
                                .depth = p_.depth,
                                .packed = reinterpret_cast<int8_t*>(PackedOf(block, s)),
                                .sums = SumsOf(block, s)},
                               tile);
}

// All rows of a block of k.
void ListPlan::PackDepth(const Block& block, const Segment& s, int64_t index) const {
  const int64_t group = index / depth_blocks_;
  const int64_t k = index % depth_blocks_ * block_depth_;
  const int64_t units =
      group * CeilDivide(p_.depth.size, arithmetic_.unit_depth) + k / arithmetic_.unit_depth;
  arithmetic_.pack_rows(
      {.type = Element::kInt8,
       .from = block.addresses.a + s.part.row * p_.a_row_step +
               (group * p_.depth.size + k) * p_.a_column_step,
       .line_step = p_.a_row_step,
       .k_step = p_.a_column_step,
       .lines = s.part.rows,
       .depth = std::min(block_depth_, p_.depth.size - k),
       .to = PackedOf(block, s) + units * s.part.rows * kUnitBytes + index * kPackSlack,
       .corrections = nullptr,
       .panel_bytes = 0});
}

void ListPlan::Multiply(const Block& block) const {
  // 128 KiB of weights take 8 us at the least.
  const int64_t passes = 1 + block.rows / block.count / 8;
  const int64_t bytes =
      p_.depth.total() * kPanelBytes * passes * panels_ * block.count / block.units;
  const int64_t grain = std::max<int64_t>(1, (int64_t{128} << 10) / (bytes + 1));
  ParallelFor(block.units, grain, [&](int64_t begin, int64_t end, int64_t slot) {
    const Scratch scratch = ScratchOf(block.workspace, slot);
    for (int64_t i = begin; i < end; ++i) {
      const Segment& s = block.At(i, &Segment::units_before);
      const int64_t unit = i - s.units_before;
      s.in_place ? MultiplyInPlace(block, s, unit, scratch)
                 : MultiplyPacked(block, s, unit * unit_panels_, scratch);
    }
  });
}

ListPlan::Scratch ListPlan::ScratchOf(char* workspace, int64_t slot) const {
  char* const at = workspace + scratch_ + slot * scratch_bytes_;
  const int64_t columns = unit_panels_ * width_;
  Scratch s{};
  s.packed = at;
  s.sums = reinterpret_cast<int32_t*>(s.packed + panels_bytes_);
  s.scales = reinterpret_cast<float*>(s.sums + packed_rows_ * kUnitColumns);
  s.bias = s.scales + p_.depth.groups * columns;
  s.column_sums = reinterpret_cast<int32_t*>(s.bias + columns);
  s.totals = reinterpret_cast<float*>(s.column_sums + (p_.depth.groups + 1) * columns);
  s.panels = reinterpret_cast<int8_t*>(s.totals + kTileTotals);
  return s;
}

void ListPlan::LoadColumns(const Block& block, const Segment& s, int64_t panel, float* scales,
                           float* bias) const {
  LoadScales(p_, kernels_, block.addresses.scale, s.part.matrix, panel, scales);
  if (p_.b_type != Element::kInt4) return;
  if (block.addresses.bias == nullptr) {
    std::fill_n(bias, width_, 0.0f);
    return;
  }
  LoadBias(p_, block.addresses.bias, s.part.matrix, panel, bias);
}

// Where a panel is ready, which may be the scratch.
const int8_t* ListPlan::PanelOf(const Block& block, const Segment& s, int64_t panel,
                                int8_t* scratch) const {
  if (p_.depth.total() == 0) return scratch;  // there may be no weights
  if (ready_) return PanelAt(p_, block.addresses.b, s.part.matrix, panel);
  GatherPanel(p_, block.addresses.b, s.part.matrix, panel, scratch);
  return scratch;
}

void ListPlan::MultiplyInPlace(const Block& block, const Segment& s, int64_t panel,
                               const Scratch& scratch) const {
  LoadColumns(block, s, panel, scratch.scales, scratch.bias);
  PanelArgs args{};
  args.b = p_.b_type;
  args.panel = args.next = PanelOf(block, s, panel, scratch.panels);
  if (ready_ && panel + 1 < panels_) {
    args.next = PanelAt(p_, block.addresses.b, s.part.matrix, panel + 1);
  } else if (ready_ && s.index + 1 < block.count) {
    args.next = PanelAt(p_, block.addresses.b, block.segments[s.index + 1].part.matrix, 0);
  }
  args.packed = reinterpret_cast<int8_t*>(PackedOf(block, s));
  args.sums = SumsOf(block, s);
  args.rows = s.part.rows;
  args.depth = p_.depth;
  args.row_scale = block.addresses.row_scale + s.part.row * p_.row_scale_step;
  args.row_scale_step = p_.row_scale_step;
  args.scales = scratch.scales;
  args.bias = scratch.bias;
  args.c = ResultsOf(block, s) + panel * width_;
  args.c_step = c_step_;
  args.column_sums = scratch.column_sums;
  args.totals = scratch.totals;
  kernels_.in_place->multiply_panel(args);
}

void ListPlan::MultiplyPacked(const Block& block, const Segment& s, int64_t first,
                              const Scratch& scratch) const {
  const int64_t count = std::min(unit_panels_, panels_ - first);
  const int64_t tile_columns = arithmetic_.panel_columns;
  const int64_t tile_bytes = tile_columns * (block_depth_ / arithmetic_.unit_depth) * kUnitBytes;
  const int8_t* panels[kUnitColumns / kPanelBytes];
  for (int64_t i = 0; i < count; ++i) {
    LoadColumns(block, s, first + i, scratch.scales + i * p_.depth.groups * width_,
                scratch.bias + i * width_);
    panels[i] = PanelOf(block, s, first + i, scratch.panels + i * p_.depth.total() * kPanelBytes);
  }
  DequantiseArgs result{};
  result.b = p_.b_type;
  result.sums_step = kUnitColumns;
  result.rows = s.part.rows;
  result.row_scale = block.addresses.row_scale + s.part.row * p_.row_scale_step;
  result.row_scale_step = p_.row_scale_step;
  result.c_step = c_step_;
  const char* rows = PackedOf(block, s);
  for (int64_t group = 0; group < p_.depth.groups; ++group) {
    if (p_.depth.size == 0) {
      std::memset(scratch.sums, 0, static_cast<size_t>(s.part.rows * kUnitColumns * 4));
    }
    std::memset(scratch.column_sums, 0, static_cast<size_t>(count * width_ * 4));
    for (int64_t k = 0; k < p_.depth.size; k += block_depth_) {
      const int64_t depth = std::min(block_depth_, p_.depth.size - k);
      const int64_t at = (group * p_.depth.padded() + k) * kPanelBytes;
      for (int64_t i = 0; i < count; ++i) {
        kernels_.pack_panel({.b = p_.b_type,
                             .panel = panels[i] + at,
                             .depth = RoundUp(depth, 4),
                             .to = scratch.packed + i * width_ / tile_columns * tile_bytes,
                             .panel_columns = tile_columns,
                             .panel_bytes = tile_bytes,
                             .column_sums = scratch.column_sums + i * width_});
      }
      // While a block is multiplied, as much of what follows it comes to L2.
      const int64_t left = (p_.depth.groups - group) * p_.depth.padded() - k - RoundUp(depth, 4);
      const int64_t ahead = std::min(RoundUp(depth, 4), left) * kPanelBytes;
      const int64_t tiles = width_ / tile_columns;
      for (int64_t tile = 0; tile < count * tiles; ++tile) {
        const int64_t piece = ahead / tiles;
        const auto* const next = reinterpret_cast<const char*>(panels[tile / tiles]) + at +
                                 RoundUp(depth, 4) * kPanelBytes + tile % tiles * piece;
        arithmetic_.multiply({.rows = rows,
                              .row_count = s.part.rows,
                              .panel = scratch.packed + tile * tile_bytes,
                              .depth = depth,
                              .sums = scratch.sums + tile * tile_columns,
                              .sums_step = kUnitColumns,
                              .resume = k != 0,
                              .ahead = {{next, 1, 0, piece}, {}}});
      }
      rows += CeilDivide(depth, arithmetic_.unit_depth) * s.part.rows * kUnitBytes + kPackSlack;
    }
    result.first = group == 0;
    result.last = group + 1 == p_.depth.groups;
    for (int64_t i = 0; i < count; ++i) {
      result.sums = scratch.sums + i * width_;
      result.column_sums = scratch.column_sums + i * width_;
      result.scales = scratch.scales + (i * p_.depth.groups + group) * width_;
      result.bias = scratch.bias + i * width_;
      result.c = ResultsOf(block, s) + (first + i) * width_;
      kernels_.dequantise(result);
    }
  }
}

void ListPlan::Finish(const Block& block) const {
  // The segments' rows follow one another. 4096 columns take about 2 us.
  const int64_t first = block.segments[0].part.row;
  const int64_t grain = std::max<int64_t>(1, 8192 / p_.columns);
  float* const c = ResultsOf(block, block.segments[0]);
  ParallelFor(block.rows, grain, [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      block.epilogue(first + r, c + r * c_step_, c + (r + 1) * c_step_);
    }
  });
}

}  // namespace anyacl::gemm
