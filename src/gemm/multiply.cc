// SPDX-License-Identifier: Apache-2.0
// Multiplies units, with the columns that several of them read packed before.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/division.h"
#include "gemm/unfold.h"
#include "gemm/unit.h"
#include "runtime/parallel.h"

namespace anyacl::gemm {

namespace {

// Of so many lines.
Ranges RangesAt(void* memory, int64_t lines) {
  auto* const most = static_cast<int32_t*>(memory);
  return {most, most + lines};
}

Ranges From(const Ranges& ranges, int64_t line) {
  return ranges.most == nullptr ? ranges : Ranges{ranges.most + line, ranges.least + line};
}

void ClearRanges(const Ranges& ranges, int64_t first, int64_t lines) {
  if (ranges.most == nullptr) return;
  std::fill_n(ranges.most + first, lines, 0);
  std::fill_n(ranges.least + first, lines, 0);
}

}  // namespace

void Plan::Run(const Addresses& addresses, char* workspace) const {
  const int64_t blocks = batches_ * column_blocks_;
  const int64_t together = shares_ > 0 ? shares_ : blocks;
  char* const shared = workspace + threads_ * scratch_bytes();
  for (int64_t first = 0; first < blocks; first += together) {
    const int64_t count = std::min(together, blocks - first);
    if (shares_ > 0) PackShares(addresses, first, count, workspace);
    const int64_t units = count * row_blocks_;
    ParallelFor(units, grain_, [&](int64_t begin, int64_t end, int64_t slot) {
      const Scratch scratch = ScratchOf(workspace, slot);
      for (int64_t i = begin; i < end; ++i) {
        Unit unit = UnitOf(first * row_blocks_ + i, addresses);
        if (shares_ > 0) TakeShare(unit, shared + i / row_blocks_ * share_bytes_);
        few_ ? MultiplyFew(unit, scratch) : MultiplyPanels(unit, scratch);
      }
    });
  }
}

void Plan::PackShares(const Addresses& addresses, int64_t first, int64_t count,
                      char* workspace) const {
  const int64_t groups = CeilDivide(unit_columns_, group_columns_);
  const int64_t items = count * groups;
  char* const shared = workspace + threads_ * scratch_bytes();
  ParallelFor(items, 1, [&](int64_t begin, int64_t end, int64_t slot) {
    const Scratch scratch = ScratchOf(workspace, slot);
    for (int64_t i = begin; i < end; ++i) {
      Unit unit = UnitOf((first + i / groups) * row_blocks_, addresses);
      TakeShare(unit, shared + i / groups * share_bytes_);
      const int64_t column = i % groups * group_columns_;
      const int64_t columns = std::min(group_columns_, unit.columns - column);
      if (columns <= 0) continue;
      ClearRanges(unit.column_ranges, column, std::min(group_columns_, unit_columns_ - column));
      char* to = unit.panels + i % groups * depth_blocks() * panels_bytes_;
      for (int64_t k = 0; k < p_.depth; k += block_depth_, to += panels_bytes_) {
        PackColumns(unit, scratch, column, columns, k, std::min(block_depth_, p_.depth - k), to);
      }
    }
  });
}

void Plan::TakeShare(Unit& unit, char* share) const {
  unit.panels = share;
  if (arithmetic_->doubt == nullptr) return;
  unit.column_ranges = RangesAt(share + share_bytes_ - column_ranges_bytes_, unit_columns_);
}

void Plan::PackRows(const Unit& unit, const Scratch& scratch, int64_t k, int64_t depth,
                    char* to) const {
  arithmetic_->pack_rows({.type = p_.a.type,
                          .from = At(unit.a, p_.a.type, k * p_.a.column_step),
                          .line_step = p_.a.row_step,
                          .k_step = p_.a.column_step,
                          .lines = unit.rows,
                          .depth = depth,
                          .to = to,
                          .corrections = scratch.corrections,
                          .panel_bytes = 0,
                          .ranges = unit.row_ranges});
}

void Plan::MultiplyFew(const Unit& unit, const Scratch& scratch) const {
  std::memset(scratch.corrections, 0, static_cast<size_t>(corrections_bytes_));
  if (p_.depth == 0) std::memset(scratch.sums, 0, static_cast<size_t>(sums_bytes_));
  for (int64_t k = 0; k < p_.depth; k += row_depth_) {
    const int64_t depth = std::min(row_depth_, p_.depth - k);
    PackRows(unit, scratch, k, depth, scratch.rows);
    for (int64_t column = 0; column < unit.columns; column += few_columns_) {
      const int64_t columns = std::min(few_columns_, unit.columns - column);
      const PackArgs b = BlockOf(unit, scratch, column, columns, k, depth);
      const FewArgs args{.type = b.type,
                         .b = b.from,
                         .k_step = b.k_step,
                         .column_step = b.line_step,
                         .columns = columns,
                         .rows = scratch.rows,
                         .row_count = unit.rows,
                         .depth = depth,
                         .sums = scratch.sums + column * kUnitBytes,
                         .sums_step = sums_step_};
      if (p_.b_group > 0) {
        kernels_.scale_few(args, GroupsOf(unit, column), k);
      } else {
        arithmetic_->multiply_few(args);
      }
    }
    if (in_parts_) AddPart(unit, scratch, 0, unit.columns, k == 0);
  }
  Finish(unit, scratch, 0, unit.columns);
}

// Of some columns: their totals become the sums, or more by them.
void Plan::AddPart(const Unit& unit, const Scratch& scratch, int64_t column, int64_t columns,
                   bool first) const {
  const auto* from = reinterpret_cast<const float*>(scratch.sums);
  float* to = scratch.totals + column;
  for (int64_t m = 0; m < unit.rows; ++m, from += sums_step_, to += unit_columns_) {
    for (int64_t n = 0; n < columns; ++n) to[n] = first ? from[n] : to[n] + from[n];
  }
}

// Some columns of B where they lie, or out of their panels.
PackArgs Plan::BlockOf(const Unit& unit, const Scratch& scratch, int64_t column, int64_t columns,
                       int64_t k, int64_t depth) const {
  PackArgs args{.type = p_.b.type,
                .from = At(unit.b, p_.b.type, k * p_.b.row_step + column * p_.b.column_step),
                .line_step = p_.b.column_step,
                .k_step = p_.b.row_step,
                .lines = columns,
                .depth = depth,
                .to = nullptr,
                .corrections = nullptr,
                .panel_bytes = panel_bytes_};
  if (p_.b.panel > 0) Unfold(p_.b, unit.b, k, unit.column + column, scratch.unfolded, &args);
  return args;
}

void Plan::PackColumns(const Unit& unit, const Scratch& scratch, int64_t column, int64_t columns,
                       int64_t k, int64_t depth, char* to) const {
  PackArgs args = BlockOf(unit, scratch, column, columns, k, depth);
  args.to = to;
  args.ranges = From(unit.column_ranges, column);
  if (p_.b.type == Element::kInt4) Widen(args, scratch.widened);
  arithmetic_->pack_columns(args);
  if (p_.b_group == 0) return;
  arithmetic_->scale({.panels = to,
                      .panel_bytes = panel_bytes_,
                      .columns = columns,
                      .first = k,
                      .depth = depth,
                      .groups = GroupsOf(unit, column)});
}

Groups Plan::GroupsOf(const Unit& unit, int64_t column) const {
  const auto view = [&](const Matrix& m, const char* data) {
    return View{m.type, data == nullptr ? nullptr : At(data, m.type, column * m.column_step),
                m.row_step, m.column_step};
  };
  return {p_.b_group, view(p_.b_scale, unit.b_scale), view(p_.b_offset, unit.b_offset)};
}

// As int8, contiguous the same way.
void Plan::Widen(PackArgs& args, int8_t* to) const {
  const bool across = args.line_step == 1;
  const int64_t step = across ? group_columns_ : block_depth_;
  kernels_.widen({.from = args.from,
                  .from_step = (across ? args.k_step : args.line_step) / 2,
                  .lines = across ? args.depth : args.lines,
                  .count = across ? args.lines : args.depth,
                  .to = to,
                  .to_step = step});
  args.type = Element::kInt8;
  args.from = to;
  (across ? args.k_step : args.line_step) = step;
}

// What is written after the k before `end`.
Ahead Plan::Results(const Unit& unit, int64_t column, int64_t columns, int64_t end) const {
  if (end < p_.depth || p_.c.column_step != 1) return {};
  const int64_t bytes = BytesOf(p_.c.type);
  return {At(unit.c, p_.c.type, column), unit.rows, p_.c.row_step * bytes, columns * bytes};
}

// What tiles of vectors read where it lies, but for the first one, which cannot wait for it.
Ahead Plan::RowsAfterFirst(const Unit& unit, int64_t k, int64_t depth) const {
  if (rows_ != Rows::kInPlace || arithmetic_->multiply_few == nullptr) return {};
  const int64_t first = std::min(arithmetic_->tile_rows, unit.rows);
  const int64_t bytes = BytesOf(p_.a.type);
  return {At(unit.a, p_.a.type, first * p_.a.row_step + k), unit.rows - first,
          p_.a.row_step * bytes, depth * bytes};
}

void Plan::MultiplyPanels(Unit unit, const Scratch& scratch) const {
  if (arithmetic_->doubt != nullptr) {
    unit.row_ranges = RangesAt(scratch.row_ranges, unit_rows_);
    ClearRanges(unit.row_ranges, 0, unit_rows_);
    if (shares_ == 0) {
      unit.column_ranges = RangesAt(scratch.column_ranges, unit_columns_);
      ClearRanges(unit.column_ranges, 0, unit_columns_);
    }
  }
  std::memset(scratch.corrections, 0, static_cast<size_t>(corrections_bytes_));
  if (p_.depth == 0) std::memset(scratch.sums, 0, static_cast<size_t>(sums_bytes_));
  const int64_t block_bytes = unit_rows_ * LineBytes(block_depth_);
  const bool in_place = rows_ != Rows::kPacked;
  int64_t begin = 0;
  do {
    const int64_t end = std::min(begin + row_depth_, p_.depth);
    const auto rows_of = [&](int64_t k) {
      return scratch.rows + (k - begin) / block_depth_ * block_bytes;
    };
    for (int64_t k = begin; k < end && rows_ == Rows::kPacked; k += block_depth_) {
      PackRows(unit, scratch, k, std::min(block_depth_, end - k), rows_of(k));
    }
    for (int64_t group = 0; group < unit.columns; group += group_columns_) {
      const int64_t columns = std::min(group_columns_, unit.columns - group);
      // Tiles write whole panels. Sums that the next block of k reads again would lie far apart in
      // C: squares of 2048 took 3 % more; those of the last block save a pass over them.
      const int64_t width = arithmetic_->panel_columns;
      const int64_t whole = sums_are_c_ ? columns / width * width : 0;
      char* const c = whole > 0 ? const_cast<char*>(At(unit.c, p_.c.type, group)) : nullptr;
      const char* panels = scratch.panels;
      if (shares_ > 0) {
        const int64_t block = group / group_columns_ * depth_blocks() + begin / block_depth_;
        panels = unit.panels + block * panels_bytes_;
      }
      for (int64_t k = begin; k < end; k += block_depth_) {
        const int64_t depth = std::min(block_depth_, end - k);
        if (shares_ == 0) PackColumns(unit, scratch, group, columns, k, depth, scratch.panels);
        MultiplyGroup(unit,
                      {.rows = in_place ? At(unit.a, p_.a.type, k) : rows_of(k),
                       .row_count = unit.rows,
                       .row_step = in_place ? BytesOf(p_.a.type, p_.a.row_step) : 0,
                       .row_type = p_.a.type,
                       .fetch_rows = rows_ == Rows::kStreamed,
                       .panel = panels,
                       .depth = depth,
                       .sums = scratch.sums + (sums_wait_ ? group : 0) * kUnitBytes,
                       .sums_step = sums_step_,
                       .resume = k != (in_parts_ ? begin : 0),
                       .ahead = {group == 0 ? RowsAfterFirst(unit, k, depth) : Ahead()},
                       .results = k + depth == p_.depth ? c : nullptr,
                       .results_step = p_.c.row_step,
                       .swapped = swapped_},
                      group, columns, k + depth);
        if (shares_ > 0) panels += panels_bytes_;
      }
      if (in_parts_) AddPart(unit, scratch, group, columns, begin == 0);
      if (end < p_.depth) continue;
      if (in_fp32_ != nullptr) {
        Doubt(unit, scratch, group, columns);
        Replace(unit, scratch, group, columns);
      }
      if (whole < columns) Finish(unit, scratch, group + whole, columns - whole);
    }
    begin = end;
  } while (begin < p_.depth);
}

// A block of rows times a block of some panels, with the k before `end`.
void Plan::MultiplyGroup(const Unit& unit, BlockArgs block, int64_t group, int64_t columns,
                         int64_t end) const {
  const int64_t width = arithmetic_->panel_columns;
  for (int64_t column = 0; column < columns; column += block.panels * width) {
    const int64_t left = columns - column;
    if (left < width) block.results = nullptr;
    if (shallow_) {
      block.panels = block.results != nullptr ? left / width : CeilDivide(left, width);
      block.panel_bytes = panel_bytes_;
    } else {
      if (shares_ > 0) {
        const char* const next =
            block.panel +
            (left <= width ? panels_bytes_ - column / width * panel_bytes_ : panel_bytes_);
        block.ahead[2] = {next, 1, 0, panel_bytes_};
      }
      block.ahead[1] = Results(unit, group + column, std::min(width, left), end);
    }
    arithmetic_->multiply(block);
    block.fetch_rows = false;
    block.ahead[0] = {};
    block.panel += block.panels * panel_bytes_;
    block.sums = static_cast<char*>(block.sums) + block.panels * width * kUnitBytes;
    if (block.results != nullptr) {
      block.results = static_cast<char*>(block.results) + block.panels * width * kUnitBytes;
    }
  }
}

// Sums of some columns that may have lost digits in matrix registers become NaNs.
void Plan::Doubt(const Unit& unit, const Scratch& scratch, int64_t column, int64_t columns) const {
  if (arithmetic_->doubt == nullptr) return;
  arithmetic_->doubt({.sums = SumsOf(scratch, column),
                      .sums_step = in_parts_ ? unit_columns_ : sums_step_,
                      .rows = unit.rows,
                      .columns = columns,
                      .depth = p_.depth,
                      .row_ranges = unit.row_ranges,
                      .column_ranges = From(unit.column_ranges, column)});
}

// Sums of some columns that are not finite become those in fp32; all others keep their bits.
void Plan::Replace(Unit unit, const Scratch& scratch, int64_t column, int64_t columns) const {
  float* sums = SumsOf(scratch, column);
  const int64_t step = in_parts_ ? unit_columns_ : sums_step_;
  if (kernels_.finite(sums, step, unit.rows, columns)) return;
  // The least block that has them all.
  int64_t top = unit.rows, bottom = 0, left = columns, right = 0;
  for (int64_t m = 0; m < unit.rows; ++m) {
    for (int64_t n = 0; n < columns; ++n) {
      if (std::isfinite(sums[m * step + n])) continue;
      top = std::min(top, m);
      bottom = m + 1;
      left = std::min(left, n);
      right = std::max(right, n + 1);
    }
  }
  const auto skip = [&](const char*& at, const Matrix& matrix) {
    if (at != nullptr) at = At(at, matrix.type, (column + left) * matrix.column_step);
  };
  unit.a = At(unit.a, p_.a.type, top * p_.a.row_step);
  if (p_.b.panel == 0) skip(unit.b, p_.b);
  skip(unit.b_scale, p_.b_scale);
  skip(unit.b_offset, p_.b_offset);
  unit.rows = bottom - top;
  unit.column += column + left;
  unit.columns = right - left;
  unit.panels = nullptr;
  unit.d = nullptr;
  unit.row_scale = unit.column_scale = nullptr;
  unit.c = scratch.replaced;
  in_fp32_->MultiplyPanels(unit, in_fp32_->ScratchOf(scratch.in_fp32, 0));
  sums += top * step + left;
  const auto* from = reinterpret_cast<const float*>(scratch.replaced);
  for (int64_t m = 0; m < unit.rows; ++m, sums += step, from += group_columns_) {
    for (int64_t n = 0; n < unit.columns; ++n) {
      if (!std::isfinite(sums[n])) sums[n] = from[n];
    }
  }
}

float* Plan::SumsOf(const Scratch& scratch, int64_t column) const {
  if (in_parts_) return scratch.totals + column;
  return reinterpret_cast<float*>(scratch.sums) + (sums_wait_ ? column : column % group_columns_);
}

void Plan::Finish(const Unit& unit, const Scratch& scratch, int64_t column, int64_t columns) const {
  FinishArgs args{};
  args.integers = integers_;
  args.sums = SumsOf(scratch, column);
  args.sums_step = in_parts_ ? unit_columns_ : sums_step_;
  args.corrections = scratch.corrections;
  args.rows = unit.rows;
  args.columns = columns;
  args.row_scale = unit.row_scale;
  args.row_scale_step = p_.row_scale_step;
  if (unit.column_scale != nullptr) {
    args.column_scale = unit.column_scale + column * p_.column_scale_step;
  }
  args.column_scale_step = p_.column_scale_step;
  args.column_scale_first = swapped_;
  args.alpha = p_.alpha;
  args.beta = p_.beta;
  if (unit.d != nullptr) {
    args.d = {p_.d.type, At(unit.d, p_.d.type, column * p_.d.column_step), p_.d.row_step,
              p_.d.column_step};
  }
  args.c = {p_.c.type, At(unit.c, p_.c.type, column * p_.c.column_step), p_.c.row_step,
            p_.c.column_step};
  kernels_.finish(args);
}

}  // namespace anyacl::gemm
