// SPDX-License-Identifier: Apache-2.0
// A unit of work is a block of y's channels by a block of x's channels and taps, for one part of
// the positions.
#include "ops/convolution/weight_gradient.h"

#include <cstring>
#include <span>

#include "base/division.h"
#include "kernels.h"
#include "ops/blocks/blocks.h"
#include "ops/convolution/runs.h"
#include "ops/convolution/strip.h"
#include "runtime/parallel.h"

namespace anyacl::convolution {
namespace {

// Packed rows and columns of 192 KiB each, 192 gathered and 256 of sums in an L2 of 1 MiB.
constexpr int64_t kGradientUnits = 192;
constexpr int64_t kGradientRows = 256;
constexpr int64_t kGradientPanels = 8;
// The sum is cut where there are fewer units than these, down to parts of kLeastPart positions, and
// where it is longer than kMostPart: rounding errors grow with the length.
constexpr int64_t kUnits = 32;
constexpr int64_t kLeastPart = 2048;
constexpr int64_t kMostPart = 65536;
// Columns are gathered from strips of whole channels, of which both ends may be another unit's.
constexpr int64_t kMostStripTaps = 64;
constexpr int64_t kMostSums = int64_t{1} << 26;
constexpr int64_t kLineNumbers = 64;

const gemm::Arithmetic& ArithmeticOf(const Relation& r) {
  const gemm::KernelSet& kernels = Kernels().gemm;
  return r.x.view.dtype == ACL_BF16 && r.y.view.dtype == ACL_BF16 ? *kernels.bf16 : *kernels.fp32;
}

// y at its own positions: dimensions that are one step become one.
Image Joined(const Image& y) {
  Image joined = y;
  for (int i = kSpatial - 1; i-- > 0;) {
    const bool follows =
        joined.sizes[i] == 1 || joined.steps[i] == joined.steps[i + 1] * joined.sizes[i + 1];
    if (!follows) break;
    joined.sizes[i + 1] *= joined.sizes[i];
    joined.sizes[i] = 1;
  }
  return joined;
}

// The step from one number of a line to the next, over taps and channels; 0: there is none.
int64_t LineStep(const Image& gradient, int64_t channels) {
  int64_t step = 1, count = 1;
  for (int i = kSpatial; i-- >= 0;) {
    const int64_t size = i < 0 ? channels : gradient.sizes[i];
    if (size == 1) continue;
    const int64_t own = i < 0 ? gradient.channel_step : gradient.steps[i];
    if (count == 1) step = own;
    if (own != count * step) return 0;
    count *= size;
  }
  return step;
}

// Rows of `count` positions each, which the runs have together.
void Gather(GatherArgs args, const char* image, int64_t element_bytes, std::span<const Run> runs,
            int64_t first_row, int64_t rows, int64_t count, char* to) {
  args.image = image;
  args.runs = runs.data();
  args.run_count = static_cast<int64_t>(runs.size());
  args.first_row = first_row;
  args.rows = rows;
  args.to = to;
  args.to_step = count;
  const KernelSet& kernels = Kernels().convolution;
  element_bytes == 4 ? kernels.gather32(args) : kernels.gather16(args);
}

const char* ConstAddressOf(const TensorView& view, const Bindings& bindings) {
  const char* const data = bindings.data[static_cast<size_t>(view.slot)];
  return data == nullptr ? nullptr : view.Address(bindings);
}

const std::vector<int64_t> kOwnPosition[kSpatial] = {{0}, {0}, {0}};

}  // namespace

struct WeightGradient::Job {
  GatherArgs x, y;
  const char* x_data;
  const char* y_data;
  char* out;
  char* scratch;
  float* sums;
};

struct WeightGradient::Scratch {
  char* rows;
  char* panels;
  char* gathered;
  convolution::Run* runs;
};

WeightGradient::WeightGradient(const Relation& relation, const Image& gradient, WorkspaceBook& book)
    : c_(Forwards(relation)),
      y_(Joined(relation.y)),
      gradient_(gradient),
      arithmetic_(ArithmeticOf(relation)),
      strip_rows_(arithmetic_.unit_depth == 1 ? kFp32Rows : kBf16Rows),
      x_bytes_(BitsOf(relation.x.view.dtype) / 8),
      y_bytes_(BitsOf(relation.y.view.dtype) / 8),
      positions_(c_.batch * c_.area()),
      depth_(c_.depth()),
      line_step_(LineStep(gradient, c_.channels)) {
  std::copy(y_.sizes, y_.sizes + kSpatial, y_sizes_);
  if (c_.rows == 0 || depth_ == 0) return;
  ChooseBlocks();
  scratch_ = book.Book<char>(ThreadCount(), scratch_bytes_);
  sums_ = book.Book<float>(static_cast<size_t>(parts_ * c_.groups * c_.rows * depth_));
}

void WeightGradient::ChooseBlocks() {
  const int64_t panel = arithmetic_.panel_columns;
  row_blocks_ = CeilDivide(c_.rows, kGradientRows);
  unit_rows_ = std::min(c_.rows, RoundUp(CeilDivide(c_.rows, row_blocks_), arithmetic_.tile_rows));
  row_blocks_ = CeilDivide(c_.rows, unit_rows_);
  column_blocks_ = CeilDivide(depth_, kGradientPanels * panel);
  unit_columns_ = RoundUp(CeilDivide(depth_, column_blocks_), panel);
  column_blocks_ = CeilDivide(depth_, unit_columns_);

  // From the problem alone, whatever the tier's tiles are.
  const int64_t units =
      c_.groups * CeilDivide(c_.rows, kGradientRows) * CeilDivide(depth_, kGradientRows);
  const int64_t size = std::max<int64_t>(1, c_.groups * c_.rows * depth_);
  parts_ = std::min(CeilDivide(kUnits, units), CeilDivide(positions_, kLeastPart));
  parts_ = std::max({parts_, CeilDivide(positions_, kMostPart), int64_t{1}});
  parts_ = std::max<int64_t>(1, std::min(parts_, kMostSums / size));
  part_ = RoundUp(std::max<int64_t>(1, CeilDivide(positions_, parts_)), 2 * kGradientUnits);
  parts_ = std::max<int64_t>(1, CeilDivide(positions_, part_));

  const int64_t unit_depth = arithmetic_.unit_depth;
  block_ = unit_depth *
           std::min(kGradientUnits, std::max<int64_t>(1, CeilDivide(positions_, unit_depth)));

  const int64_t block_bytes = block_ / unit_depth * gemm::kUnitBytes;
  rows_bytes_ = RoundUp(unit_rows_ * block_bytes + gemm::kPackSlack, kLineNumbers);
  panel_bytes_ = panel * block_bytes;
  panels_bytes_ = RoundUp(unit_columns_ / panel * panel_bytes_ + gemm::kPackSlack, kLineNumbers);
  gathered_bytes_ =
      RoundUp(block_ * std::max(unit_rows_ * y_bytes_, unit_columns_ * x_bytes_), kLineNumbers);
  if (c_.tap_count() <= kMostStripTaps) {
    const int64_t whole = unit_columns_ + 2 * c_.tap_count();
    strip_bytes_ =
        RoundUp(whole * block_ * NumberBytes(strip_rows_) + gemm::kPackSlack, kLineNumbers);
    gathered_bytes_ = std::max(gathered_bytes_, 2 * strip_bytes_);
  }
  runs_bytes_ = RoundUp(block_ * static_cast<int64_t>(sizeof(convolution::Run)), kLineNumbers);
  scratch_bytes_ = rows_bytes_ + panels_bytes_ + gathered_bytes_ + runs_bytes_ +
                   unit_rows_ * unit_columns_ * gemm::kUnitBytes;
}

WeightGradient::Scratch WeightGradient::ScratchOf(char* scratch, int64_t slot) const {
  Scratch s{};
  s.rows = scratch + slot * scratch_bytes_;
  s.panels = s.rows + rows_bytes_;
  s.gathered = s.panels + panels_bytes_;
  s.runs = reinterpret_cast<convolution::Run*>(s.gathered + gathered_bytes_);
  return s;
}

void WeightGradient::Run(const Bindings& bindings) const {
  if (c_.rows == 0 || depth_ == 0) return;
  Job job{.x = GatherFrom(c_.image, c_.shifts),
          .y = GatherFrom(y_, kOwnPosition),
          .x_data = ConstAddressOf(c_.image.view, bindings),
          .y_data = ConstAddressOf(y_.view, bindings),
          .out = gradient_.view.Address(bindings),
          .scratch = scratch_.In(bindings),
          .sums = sums_.In(bindings)};
  job.x.stride = c_.stride[2];
  job.y.stride = 1;
  const int64_t units = parts_ * c_.groups * row_blocks_ * column_blocks_;
  ParallelFor(units, 1, [&](int64_t begin, int64_t end, int64_t slot) {
    for (int64_t i = begin; i < end; ++i) Multiply(job, i, slot);
  });
  if (parts_ == 1 && line_step_ != 0) return;  // the results are where they belong
  const int64_t lines = c_.groups * c_.rows;
  ParallelFor(lines, 1 + 16384 / depth_, [&](int64_t begin, int64_t end) {
    for (int64_t line = begin; line < end; ++line) AddParts(job, line);
  });
}

void WeightGradient::Multiply(const Job& job, int64_t unit, int64_t slot) const {
  const int64_t row = unit % row_blocks_ * unit_rows_;
  unit /= row_blocks_;
  const int64_t column = unit % column_blocks_ * unit_columns_;
  unit /= column_blocks_;
  const int64_t group = unit % c_.groups;
  const int64_t part = unit / c_.groups;
  const int64_t rows = std::min(unit_rows_, c_.rows - row);
  const int64_t columns = std::min(unit_columns_, depth_ - column);
  const Scratch scratch = ScratchOf(job.scratch, slot);
  auto* const sums = reinterpret_cast<float*>(reinterpret_cast<char*>(scratch.runs) + runs_bytes_);
  const int64_t first = part * part_;
  const int64_t end = std::min(first + part_, positions_);
  if (first >= end) {
    std::memset(sums, 0, static_cast<size_t>(rows * unit_columns_) * sizeof(float));
  }
  for (int64_t at = first; at < end; at += block_) {
    const int64_t count = std::min(block_, end - at);
    PackRows(job, scratch, group, row, rows, at, count);
    PackColumns(job, scratch, group, column, columns, at, count);
    gemm::BlockArgs block{};
    block.rows = scratch.rows;
    block.row_count = rows;
    block.depth = count;
    block.sums_step = unit_columns_;
    block.resume = at > first;
    for (int64_t j = 0; j < columns; j += arithmetic_.panel_columns) {
      block.panel = scratch.panels + j / arithmetic_.panel_columns * panel_bytes_;
      block.sums = sums + j;
      arithmetic_.multiply(block);
    }
  }
  if (parts_ == 1 && line_step_ != 0) {
    for (int64_t r = 0; r < rows; ++r) {
      StoreTaps(job, group * c_.rows + row + r, column, columns, sums + r * unit_columns_);
    }
    return;
  }
  float* to = job.sums + ((part * c_.groups + group) * c_.rows + row) * depth_ + column;
  for (int64_t r = 0; r < rows; ++r, to += depth_) {
    std::memcpy(to, sums + r * unit_columns_, static_cast<size_t>(columns) * sizeof(float));
  }
}

void WeightGradient::PackRows(const Job& job, const Scratch& scratch, int64_t group, int64_t row,
                              int64_t rows, int64_t position, int64_t count) const {
  const char* const y = job.y_data + group * c_.out_group * y_bytes_;
  const int64_t runs = RunsOf({y_, y_sizes_, kUnitStride}, position, count, scratch.runs);
  gemm::PackArgs args{};
  args.type = ElementOf(y_.view.dtype);
  args.lines = rows;
  args.depth = count;
  args.to = scratch.rows;
  if (runs == 1) {
    args.from = y + (OffsetOf(y_, scratch.runs[0]) + row * y_.channel_step) * y_bytes_;
    args.line_step = y_.channel_step;
    args.k_step = y_.steps[2];
  } else {
    Gather(job.y, y, y_bytes_, {scratch.runs, static_cast<size_t>(runs)}, row, rows, count,
           scratch.gathered);
    args.from = scratch.gathered;
    args.line_step = count;
    args.k_step = 1;
  }
  arithmetic_.pack_rows(args);
}

void WeightGradient::PackColumns(const Job& job, const Scratch& scratch, int64_t group,
                                 int64_t column, int64_t columns, int64_t position,
                                 int64_t count) const {
  const char* const image = job.x_data + group * c_.image_group * x_bytes_;
  const int64_t runs = RunsOf({c_.image, c_.out.sizes, c_.stride}, position, count, scratch.runs);
  gemm::PackArgs args{};
  args.type = ElementOf(c_.image.view.dtype);
  args.from = scratch.gathered;
  args.line_step = count;
  args.k_step = 1;
  args.lines = columns;
  args.depth = count;
  args.to = scratch.panels;
  args.panel_bytes = panel_bytes_;
  const int64_t taps = c_.tap_count();
  const int64_t first = column / taps;
  const int64_t channels = CeilDivide(column + columns, taps) - first;
  Strip strip;
  if (strip_bytes_ > 0 && strip.Place(c_, scratch.runs, runs, count) &&
      strip.BytesFor(c_, channels, strip_rows_) <= gathered_bytes_ - strip_bytes_) {
    char* const lines = scratch.gathered;
    strip.Load(c_, image, first, channels, lines + strip_bytes_, strip_rows_);
    strip.Pack(0, c_, channels, lines + strip_bytes_, strip_rows_, lines);
    if (strip_rows_ == kFp32Rows) args.type = Element::kFp32;
    args.from = lines + (column - first * taps) * count * NumberBytes(strip_rows_);
  } else {
    Gather(job.x, image, x_bytes_, {scratch.runs, static_cast<size_t>(runs)}, column, columns,
           count, scratch.gathered);
  }
  arithmetic_.pack_columns(args);
}

// All taps of one of y's channels.
void WeightGradient::AddParts(const Job& job, int64_t line) const {
  const int64_t size = c_.groups * c_.rows * depth_;
  float* const sums = job.sums + line * depth_;
  for (int64_t part = 1; part < parts_; ++part) {
    const float* const more = sums + part * size;
    for (int64_t i = 0; i < depth_; ++i) sums[i] += more[i];
  }
  if (line_step_ == 0 && gradient_.channel_step == 1) return StoreChannels(job, line, sums);
  // Rows of taps along the last dimension, or all of a line.
  const int64_t cols = line_step_ != 0 ? depth_ : gradient_.sizes[2];
  for (int64_t i = 0; i < depth_; i += cols) StoreTaps(job, line, i, cols, sums + i);
}

// Tap by tap, whose channels lie next to each other.
void WeightGradient::StoreChannels(const Job& job, int64_t line, const float* sums) const {
  constexpr int64_t kRow = 256;
  const int64_t* const sizes = gradient_.sizes;
  const int64_t* const steps = gradient_.steps;
  const int64_t taps = sizes[0] * sizes[1] * sizes[2];
  float row[kRow];
  for (int64_t first = 0; first < c_.channels; first += kRow) {
    const int64_t count = std::min(kRow, c_.channels - first);
    for (int64_t t = 0; t < taps; ++t) {
      const float* const from = sums + first * taps + t;
      for (int64_t i = 0; i < count; ++i) row[i] = from[i * taps];
      const int64_t offset = line * gradient_.outer_step + first +
                             t / (sizes[1] * sizes[2]) * steps[0] +
                             t / sizes[2] % sizes[1] * steps[1] + t % sizes[2] * steps[2];
      const aclDataType dtype = gradient_.view.dtype;
      blocks::StoreRow(row, count, dtype, job.out + offset * (BitsOf(dtype) / 8), 1);
    }
  }
}

// `count` taps of a line from number `first` on; in one row unless the line has a step.
void WeightGradient::StoreTaps(const Job& job, int64_t line, int64_t first, int64_t count,
                               const float* sums) const {
  const int64_t* const sizes = gradient_.sizes;
  const int64_t* const steps = gradient_.steps;
  const int64_t step = line_step_ != 0 ? line_step_ : steps[2];
  int64_t offset = line * gradient_.outer_step;
  if (line_step_ != 0) {
    offset += first * step;
  } else {
    const int64_t h = first / sizes[2] % sizes[1];
    const int64_t d = first / sizes[2] / sizes[1] % sizes[0];
    const int64_t c = first / sizes[2] / sizes[1] / sizes[0];
    offset += c * gradient_.channel_step + d * steps[0] + h * steps[1];
  }
  const aclDataType dtype = gradient_.view.dtype;
  char* const to = job.out + offset * (BitsOf(dtype) / 8);
  if (dtype == ACL_FLOAT && step == 1) {
    std::memcpy(to, sums, static_cast<size_t>(count) * sizeof(float));
    return;
  }
  blocks::StoreRow(sums, count, dtype, to, step);
}

}  // namespace anyacl::convolution
