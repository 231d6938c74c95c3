// SPDX-License-Identifier: Apache-2.0
// A unit of work is a block of rows by some panels of columns, with all k: it gathers and packs its
// columns a block of k at a time, so sums are added up in one order whatever the threads are. The
// weights are packed once for all units.
#include "ops/convolution/product.h"

#include <cstring>
#include <optional>

#include "base/division.h"
#include "kernels.h"
#include "ops/blocks/blocks.h"
#include "ops/convolution/runs.h"
#include "ops/convolution/strip.h"
#include "ops/convolution/weights.h"
#include "runtime/parallel.h"

namespace anyacl::convolution {
namespace {

// As of gemm/plan.cc: packed columns of 192 KiB, gathered ones besides, in an L2 of 1 MiB.
constexpr int64_t kBlockUnits = 384;
constexpr int64_t kBlockRows = 256;
constexpr int64_t kPanels = 4;
// Each unit gathers its columns anew: fewer rows than these would cost more than idle threads.
constexpr int64_t kLeastRows = 64;
// With four of them 128 channels of 14 x 14 took a sixth longer, in fp32 and in bf16 on AMX: each
// reads all columns again.
constexpr int64_t kUnitsPerThread = 2;
// Columns that several blocks of rows read are packed once for all of them, up to as many bytes:
// they come back from the last level cache.
constexpr int64_t kMostShared = 16 << 20;
// Of so few columns weights are not packed, as the rows of gemm/plan.cc, if they are no such
// multiple of bytes apart: images of 512 channels of 7 x 7 take 1.19 instead of 1.55 ms, eight of
// them 7.2 instead of 8.2, eight of 256 channels of 14 x 14 6.4 and 6.7, of 128 of 28 x 28 6.9
// and 6.6. Fewer rows gain less than panels that stay in strips: 64 channels of 48 x 48 by 24 rows
// took 12 % longer, by 32 and 48 10 % less.
constexpr int64_t kMostColumnsBesideWeights = 2048;
constexpr int64_t kLeastWeightRows = 32;
constexpr int64_t kSameSetOfLevel1 = 4096;
constexpr int64_t kLine = 64;

const gemm::Arithmetic& ArithmeticOf(const gemm::KernelSet& kernels, aclDataType weight,
                                     aclDataType image) {
  return weight == ACL_BF16 && image == ACL_BF16 ? *kernels.bf16 : *kernels.fp32;
}

void Gather(const GatherArgs& args, int64_t element_bytes) {
  const KernelSet& kernels = Kernels().convolution;
  element_bytes == 4 ? kernels.gather32(args) : kernels.gather16(args);
}

char* WritableAddressOf(const TensorView& view, const Bindings& bindings) {
  char* const data = bindings.data[static_cast<size_t>(view.slot)];
  return data == nullptr ? nullptr : view.Address(bindings);
}

}  // namespace

struct Product::Job {
  const Correlation& c;
  GatherArgs gather;
  int64_t block_depth;
  int64_t strip_panel;  // columns of a panel that is packed from strips; 0: none is
  int64_t depth_step;   // 0: weights are gathered
  bool weights_stay;    // multiplied where they lie, not packed
  bool single_tap;      // at its own position
  int64_t positions;
  int64_t column_blocks;
  int64_t depth_blocks;
  const char* image;
  const char* weight;
  const char* bias;
  char* out;
  char* packed;
  char* shared;  // packed columns, or null
  char* scratch;

  char* SharedAt(int64_t group, int64_t block, int64_t depth_block, int64_t bytes) const {
    return shared + ((group * column_blocks + block) * depth_blocks + depth_block) * bytes;
  }
};

struct Product::Scratch {
  char* gathered;
  char* panels;
  float* sums;
  convolution::Run* runs;
};

// The columns of a unit of work, and where they are in the image.
struct Product::Columns {
  Columns(const Job& job, int64_t of_group, int64_t first, int64_t count, const Scratch& scratch,
          int64_t panel_columns)
      : group(of_group),
        columns(count),
        runs(RunsOf({job.c.image, job.c.out.sizes, job.c.stride}, first, count, scratch.runs)),
        has_strip(panel_columns > 0 && strip.Place(job.c, scratch.runs, runs, panel_columns)) {}

  int64_t group;
  int64_t columns;
  int64_t runs;
  Strip strip;
  bool has_strip;
};

// Whether blocks of k are channels with all their taps, which strips are made of.
bool Product::HasWholeChannels(int64_t taps) const { return taps > 0 && taps <= kBlockUnits; }
// Of equally many: a last block of one channel would go through all sums for it.
int64_t Product::BlockDepth(int64_t channels, int64_t taps) const {
  const int64_t most = kBlockUnits * arithmetic_.unit_depth;
  if (channels == 0 || !HasWholeChannels(taps)) return most;
  const int64_t blocks = CeilDivide(channels, most / taps);
  return CeilDivide(channels, blocks) * taps;
}

Product::Product(const Correlation& c, int64_t taps, WorkspaceBook& book)
    : kernels_(Kernels().gemm),
      arithmetic_(ArithmeticOf(kernels_, c.weight.dtype, c.image.view.dtype)),
      strip_rows_(arithmetic_.unit_depth == 1 ? kFp32Rows : kBf16Pairs),
      element_bytes_(BytesOf(c.image.view)),
      weight_bytes_(BytesOf(c.weight)) {
  const int64_t groups = c.groups, rows = c.rows, depth = c.channels * taps;
  const int64_t positions = c.batch * c.area();
  const int64_t panel = arithmetic_.panel_columns;
  columns_ = std::min(RoundUp(positions, panel), kPanels * panel);
  const int64_t columns_units = std::max<int64_t>(1, groups * CeilDivide(positions, columns_));
  // As many blocks of rows as keep all threads busy.
  int64_t blocks = CeilDivide(rows, kBlockRows);
  const int64_t wanted = CeilDivide(ThreadCount() * kUnitsPerThread, columns_units);
  blocks = std::max(blocks, std::min(wanted, rows / kLeastRows));
  unit_rows_ = std::max<int64_t>(
      1, RoundUp(CeilDivide(rows, std::max<int64_t>(blocks, 1)), arithmetic_.tile_rows));
  unit_rows_ = std::max<int64_t>(1, std::min(unit_rows_, rows));
  row_blocks_ = CeilDivide(rows, unit_rows_);
  const int64_t units = CeilDivide(depth, arithmetic_.unit_depth);
  const int64_t block_units = std::max<int64_t>(1, std::min(units, kBlockUnits));
  block_depth_ = block_units * arithmetic_.unit_depth;
  // Fewer taps fill blocks better.
  blocks_ = CeilDivide(depth, BlockDepth(c.channels, taps));

  rows_bytes_ = RoundUp(unit_rows_ * block_units * gemm::kUnitBytes + gemm::kPackSlack, kLine);
  panel_bytes_ = panel * block_units * gemm::kUnitBytes;
  gathered_bytes_ = RoundUp(
      block_depth_ * std::max(columns_ * element_bytes_, unit_rows_ * weight_bytes_), kLine);
  const int64_t panels = RoundUp(columns_ / panel * panel_bytes_ + gemm::kPackSlack, kLine);
  const int64_t sums = RoundUp(unit_rows_ * columns_ * gemm::kUnitBytes, kLine);
  const int64_t runs = RoundUp(columns_ * static_cast<int64_t>(sizeof(convolution::Run)), kLine);
  scratch_bytes_ = gathered_bytes_ + panels + sums + runs;
  packed_ = book.Book<char>(static_cast<size_t>(groups * row_blocks_ * blocks_ * rows_bytes_));
  panels_bytes_ = panels;
  const int64_t shared = columns_units * blocks_ * panels;
  if (row_blocks_ > 1 && shared <= kMostShared) {
    shared_ = book.Book<char>(static_cast<size_t>(shared));
    shares_ = true;
  }
  scratch_ = book.Book<char>(ThreadCount(), scratch_bytes_);
}

Product::Scratch Product::ScratchOf(char* scratch, int64_t slot) const {
  char* const begin = scratch + slot * scratch_bytes_;
  const int64_t panels = columns_ / arithmetic_.panel_columns * panel_bytes_ + gemm::kPackSlack;
  Scratch s{};
  s.gathered = begin;
  s.panels = begin + gathered_bytes_;
  s.sums = reinterpret_cast<float*>(s.panels + RoundUp(panels, kLine));
  s.runs = reinterpret_cast<convolution::Run*>(
      reinterpret_cast<char*>(s.sums) + RoundUp(unit_rows_ * columns_ * gemm::kUnitBytes, kLine));
  return s;
}

void Product::Run(const Correlation& c, const Bindings& bindings) const {
  const int64_t positions = c.batch * c.area();
  if (positions == 0 || c.rows == 0) return;
  bool own = c.tap_count() == 1;
  for (int i = 0; i < kSpatial; ++i) {
    if (!own) break;
    own = c.shifts[i][0] == 0 && (c.out.sizes[i] - 1) * c.stride[i] < c.image.sizes[i];
  }
  const int64_t blocks = CeilDivide(positions, columns_);
  Job job{.c = c,
          .gather = GatherFrom(c.image, c.shifts),
          .block_depth = BlockDepth(c.channels, c.tap_count()),
          .strip_panel = HasWholeChannels(c.tap_count()) ? arithmetic_.panel_columns : 0,
          .depth_step = DepthStep(c),
          .weights_stay = false,
          .single_tap = own,
          .positions = positions,
          .column_blocks = blocks,
          .depth_blocks = CeilDivide(c.depth(), BlockDepth(c.channels, c.tap_count())),
          .image = WritableAddressOf(c.image.view, bindings),
          .weight = WritableAddressOf(c.weight, bindings),
          .bias = c.bias.given() ? WritableAddressOf(c.bias, bindings) : nullptr,
          .out = WritableAddressOf(c.out.view, bindings),
          .packed = packed_.In(bindings),
          .shared = shares_ ? shared_.In(bindings) : nullptr,
          .scratch = scratch_.In(bindings)};
  job.gather.stride = c.stride[2];
  job.weights_stay = WeightsStay(job);
  if (!job.weights_stay) PackWeights(job);
  if (shares_) ShareColumns(job);
  // 2 us at 50 multiplications per ns.
  const double products = static_cast<double>(unit_rows_) * static_cast<double>(columns_) *
                          static_cast<double>(c.depth() + 8);
  const auto grain = static_cast<int64_t>(1 + 100000 / products);
  const int64_t units = c.groups * row_blocks_ * blocks;
  ParallelFor(units, grain, [&](int64_t begin, int64_t end, int64_t slot) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t row = i % row_blocks_ * unit_rows_;
      const int64_t column = i / row_blocks_ % blocks * columns_;
      Multiply(job, i / row_blocks_ / blocks, row, column, slot);
    }
  });
}

bool Product::WeightsStay(const Job& job) const {
  return arithmetic_.unit_depth == 1 && job.c.weight.dtype == ACL_FLOAT && job.depth_step == 1 &&
         job.c.rows >= kLeastWeightRows && job.c.row_step * weight_bytes_ % kSameSetOfLevel1 != 0 &&
         job.positions <= kMostColumnsBesideWeights;
}

void Product::PackWeights(const Job& job) const {
  const int64_t depth = job.c.depth();
  const int64_t items = job.c.groups * row_blocks_ * job.depth_blocks;
  const int64_t grain = 1 + 4096 / (unit_rows_ * job.block_depth);
  ParallelFor(items, grain, [&](int64_t begin, int64_t end, int64_t slot) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t k = i % job.depth_blocks * job.block_depth;
      const int64_t row = i / job.depth_blocks % row_blocks_ * unit_rows_;
      PackBlock(job, i / job.depth_blocks / row_blocks_, row,
                std::min(unit_rows_, job.c.rows - row), k, std::min(job.block_depth, depth - k),
                ScratchOf(job.scratch, slot).gathered, job.packed + i * rows_bytes_);
    }
  });
}

void Product::PackBlock(const Job& job, int64_t group, int64_t row, int64_t rows, int64_t k,
                        int64_t depth, char* gathered, char* to) const {
  const Correlation& c = job.c;
  const char* const from = job.weight + (group * c.weight_group + row * c.row_step) * weight_bytes_;
  gemm::PackArgs args{};
  args.type = ElementOf(c.weight.dtype);
  args.lines = rows;
  args.depth = depth;
  args.to = to;
  if (job.depth_step != 0) {
    args.from = from + (FirstTap(c) + k * job.depth_step) * weight_bytes_;
    args.line_step = c.row_step;
    args.k_step = job.depth_step;
  } else {
    GatherWeights(c, from, weight_bytes_, rows, k, depth, gathered);
    args.from = gathered;
    args.line_step = depth;
    args.k_step = 1;
  }
  arithmetic_.pack_rows(args);
}

void Product::ShareColumns(const Job& job) const {
  const Correlation& c = job.c;
  const int64_t items = c.groups * job.column_blocks * job.depth_blocks;
  ParallelFor(items, 1, [&](int64_t begin, int64_t end, int64_t slot) {
    const Scratch scratch = ScratchOf(job.scratch, slot);
    for (int64_t i = begin; i < end; ++i) {
      const int64_t b = i % job.depth_blocks;
      const int64_t block = i / job.depth_blocks % job.column_blocks;
      const int64_t group = i / job.depth_blocks / job.column_blocks;
      const int64_t columns = std::min(columns_, job.positions - block * columns_);
      const Columns own(job, group, block * columns_, columns, scratch, job.strip_panel);
      PackColumns(job, own, scratch, b * job.block_depth,
                  std::min(job.block_depth, c.depth() - b * job.block_depth), false,
                  job.SharedAt(group, block, b, panels_bytes_));
    }
  });
}

bool Product::PackColumns(const Job& job, const Columns& own, const Scratch& scratch, int64_t k,
                          int64_t depth, bool leaves, char* to) const {
  const Correlation& c = job.c;
  const char* const image = job.image + own.group * c.image_group * element_bytes_;
  const int64_t channels = depth / std::max<int64_t>(1, c.tap_count());
  if (own.has_strip && own.strip.BytesFor(c, channels, strip_rows_) <= gathered_bytes_) {
    own.strip.Load(c, image, k / c.tap_count(), channels, scratch.gathered, strip_rows_);
    for (int64_t p = 0; p < own.strip.panels(); ++p) {
      if (leaves && own.strip.IsWhole(p)) continue;
      own.strip.Pack(p, c, channels, scratch.gathered, strip_rows_, to + p * panel_bytes_);
    }
    return leaves;
  }
  gemm::PackArgs args{};
  args.type = ElementOf(c.image.view.dtype);
  args.lines = own.columns;
  args.depth = depth;
  args.to = to;
  args.panel_bytes = panel_bytes_;
  if (job.single_tap && own.runs == 1) {
    args.from =
        image + (OffsetOf(c.image, scratch.runs[0]) + k * c.image.channel_step) * element_bytes_;
    args.line_step = c.image.steps[2] * c.stride[2];
    args.k_step = c.image.channel_step;
  } else {
    GatherArgs gather = job.gather;
    gather.image = image;
    gather.runs = scratch.runs;
    gather.run_count = own.runs;
    gather.first_row = k;
    gather.rows = depth;
    gather.to = scratch.gathered;
    gather.to_step = own.columns;
    Gather(gather, element_bytes_);
    args.from = scratch.gathered;
    args.line_step = 1;
    args.k_step = own.columns;
  }
  arithmetic_.pack_columns(args);
  return false;
}

void Product::FillSums(const Job& job, int64_t group, int64_t row, int64_t rows,
                       float* sums) const {
  const Correlation& c = job.c;
  if (job.bias == nullptr) {
    if (job.depth_blocks == 0) {
      std::memset(sums, 0, static_cast<size_t>(rows * columns_) * sizeof(float));
    }
    return;
  }
  float bias[kBlockRows + gemm::kMaxPanelColumns];
  const int64_t step = c.bias.strides[0];
  const int64_t bytes = BitsOf(c.bias.dtype) / 8;
  blocks::LoadRow(c.bias.dtype, job.bias + (group * c.rows + row) * step * bytes, step, rows, bias);
  for (int64_t r = 0; r < rows; ++r) {
    std::fill_n(sums + r * columns_, columns_, bias[r]);
  }
}

void Product::Multiply(const Job& job, int64_t group, int64_t row, int64_t column,
                       int64_t slot) const {
  const Correlation& c = job.c;
  const Scratch scratch = ScratchOf(job.scratch, slot);
  const int64_t rows = std::min(unit_rows_, c.rows - row);
  const int64_t columns = std::min(columns_, job.positions - column);
  std::optional<Columns> own;
  if (!shares_) own.emplace(job, group, column, columns, scratch, job.strip_panel);
  FillSums(job, group, row, rows, scratch.sums);
  const int64_t first = (group * row_blocks_ + row / unit_rows_) * job.depth_blocks;
  const int64_t depth = c.depth();
  for (int64_t b = 0; b < job.depth_blocks; ++b) {
    gemm::BlockArgs block{};
    block.rows = job.packed + (first + b) * rows_bytes_;
    if (job.weights_stay) {
      block.rows = job.weight +
                   (group * c.weight_group + row * c.row_step + FirstTap(c) + b * job.block_depth) *
                       weight_bytes_;
      block.row_step = c.row_step * weight_bytes_;
      block.row_type = Element::kFp32;
    }
    block.row_count = rows;
    block.depth = std::min(job.block_depth, depth - b * job.block_depth);
    block.sums_step = columns_;
    block.resume = b > 0 || job.bias != nullptr;
    const char* panels = scratch.panels;
    bool in_lines = false;
    if (shares_) {
      panels = job.SharedAt(group, column / columns_, b, panels_bytes_);
    } else {
      in_lines = PackColumns(job, *own, scratch, b * job.block_depth, block.depth,
                             strip_rows_ == kFp32Rows && !job.weights_stay, scratch.panels);
    }
    const int64_t width = arithmetic_.panel_columns;
    for (int64_t j = 0; j < columns; j += width) {
      block.panel = panels + j / width * panel_bytes_;
      block.lines = nullptr;
      gemm::PanelLines lines;
      if (in_lines && own->strip.IsWhole(j / width)) {
        lines = own->strip.LinesOf(j / width, block.depth / c.tap_count(), c, scratch.gathered);
        block.lines = &lines;
      }
      block.sums = scratch.sums + j;
      // From L3: 256 channels of 7 x 7 in fp32 take 1.38 ms, and 1.53 without.
      block.ahead[2] = {};
      if (shares_ && j + width < columns) {
        const int64_t bytes = CeilDivide(block.depth, arithmetic_.unit_depth) * width;
        block.ahead[2] = {block.panel + panel_bytes_, 1, 0, bytes * gemm::kUnitBytes};
      }
      arithmetic_.multiply(block);
    }
  }
  const int64_t stored = RunsOf({c.out, c.out.sizes, kUnitStride}, column, columns, scratch.runs);
  Store(job, group, row, rows, scratch, stored);
}

// Runs that follow each other in memory are written together.
void Product::Store(const Job& job, int64_t group, int64_t row, int64_t rows,
                    const Scratch& scratch, int64_t runs) const {
  const Correlation& c = job.c;
  const int64_t bytes = BitsOf(c.out.view.dtype) / 8;
  const int64_t step = c.out.steps[2];
  gemm::FinishArgs args{};
  args.sums_step = columns_;
  args.rows = rows;
  args.alpha = 1;
  args.beta = 1;
  const float* sums = scratch.sums;
  for (int64_t i = 0; i < runs;) {
    const int64_t offset = OffsetOf(c.out, scratch.runs[i]);
    int64_t count = scratch.runs[i].count;
    for (++i; i < runs && OffsetOf(c.out, scratch.runs[i]) == offset + count * step; ++i) {
      count += scratch.runs[i].count;
    }
    const int64_t first = offset + group * c.out_group + row * c.out.channel_step;
    args.sums = sums;
    args.columns = count;
    args.c = {ElementOf(c.out.view.dtype), job.out + first * bytes, c.out.channel_step, step};
    kernels_.finish(args);
    sums += count;
  }
}

}  // namespace anyacl::convolution
