// SPDX-License-Identifier: Apache-2.0
// Cuts C into units of work, each a block of rows by a block of columns, all k. A unit packs its
// rows once, in blocks of k that pass through L2 from behind it, and multiplies them by some panels
// of columns at a time, which the rows' tiles read again and again. Columns that several units read
// are packed by all threads together before, as many blocks of columns as kSharedBytes hold, and
// others by their unit, into L2.
#include <algorithm>
#include <cstring>
#include <utility>

#include "base/division.h"
#include "gemm/gemm.h"
#include "gemm/normal_form.h"
#include "kernels.h"
#include "runtime/parallel.h"

namespace anyacl::gemm {
namespace {

constexpr int64_t kBlockRows = 256;
constexpr int64_t kGroupPanels = 4;
// A panel that is read once stays in L1 until then.
constexpr int64_t kOneTileBlockUnits = 128;
// Of rows that are packed before all their products are summed up: 8.3 MiB for 256 of them.
constexpr int64_t kMostRowUnits = 22 * kBlockUnits;
// The same for matrix registers, which read rows faster than L3 gives them: beside a unit's sums, 512
// KiB, they stay in L2. Squares of 4096 in fp16 went from 256 to 179 ms. A unit that packs its columns
// itself reads them in pieces of so many k, and has fewer rows.
constexpr int64_t kSharedColumnsRowBytes = int64_t{256} << 10;
constexpr int64_t kOwnColumnsRowBytes = int64_t{1} << 20;
// Sums of rows that are a power of two apart would share a set of L1: squares of 4096 in bf16 took 79
// ms instead of 69.
constexpr int64_t kSumsGap = 16;
constexpr int64_t kMostColumns = 512;
// A sum in fp32 of more products is made of sums of kPartDepth each, whole blocks of k: its error
// grows with the root of their number. Of 55,296 products of fp16 as one sum 0.14 % come out more
// than 1e-3 off, in parts of 8,448 0.09 %.
constexpr int64_t kMostInOneSum = 16384;
constexpr int64_t kPartDepth = 6 * kBlockUnits;
// Of columns that are packed for several units, for each thread.
constexpr int64_t kSharedBytes = int64_t{16} << 20;
// Of few rows: the longer the pieces of B's rows, the better they are fetched. With pieces of 16
// KiB instead of 4 four rows of fp32 went from 52 to 66 % of what memory gives.
constexpr int64_t kFewLineBytes = int64_t{32} << 10;
constexpr int64_t kFewUnitsPerThread = 1;
// Units for each thread, where that leaves enough to do in each.
constexpr int64_t kUnitsPerThread = 8;
constexpr int64_t kLeastColumns = 256;
constexpr int64_t kLine = 64;
// What scale_few takes.
constexpr int64_t kLeastGroup = 16;

bool IsBf16(const Problem& p) { return p.a.type == Element::kBf16 && p.b.type == Element::kBf16; }

bool IsInteger(const Problem& p) {
  return p.a.type == Element::kInt8 && (p.b.type == Element::kInt8 || p.b.type == Element::kInt4);
}

// Of few rows, which are multiplied by B where it lies; null if they are not.
const Arithmetic* FewArithmeticOf(const KernelSet& kernels, const Problem& p) {
  if (p.b_group > 0) {
    if (p.b.row_step != 1 || p.b_group % kLeastGroup != 0) return nullptr;
  } else if (p.b.type == Element::kInt4 || (p.b.column_step != 1 && p.b.row_step != 1)) {
    return nullptr;
  }
  const Arithmetic* const few = IsInteger(p) ? kernels.few_int8
                                : IsBf16(p)  ? kernels.few_bf16
                                             : kernels.fp32;
  return p.rows <= std::min(kFewRows, few->tile_rows) ? few : nullptr;
}

bool HasMatrixRegisters(const Arithmetic& arithmetic) {
  return arithmetic.multiply_few == nullptr;
}

bool IsHalf(Element type) { return type == Element::kFp16 || type == Element::kBf16; }

const Arithmetic& ArithmeticOf(const KernelSet& kernels, const Problem& p) {
  if (IsInteger(p)) return *kernels.int8;
  if (IsBf16(p)) return *kernels.bf16;
  const bool half = IsHalf(p.a.type) && (IsHalf(p.b.type) || p.b_group > 0);
  return half ? *kernels.half : *kernels.fp32;
}

const char* At(const void* base, Element type, int64_t elements) {
  return static_cast<const char*>(base) + BytesOf(type, elements);
}

}  // namespace

struct Plan::Unit {
  const char* a;  // of the first row
  const char* b;  // of the first column
  const char* d;
  const char* c;
  const char* b_scale;
  const char* b_offset;
  const float* row_scale;
  const float* column_scale;
  int64_t rows;
  int64_t columns;
  const char* panels;  // the columns, where they are packed already
};

struct Plan::Scratch {
  char* rows;
  char* panels;
  int8_t* widened;
  char* sums;
  float* totals;
  int32_t* corrections;
  char* infinite;  // what infinite_ needs
};

Plan::Plan(const Problem& problem)
    : p_(Normalised(problem)),
      integers_(IsInteger(p_)),
      kernels_(Kernels().gemm),
      arithmetic_(&ArithmeticOf(kernels_, p_)),
      threads_(ThreadCount()) {
  for (int i = 0; i < p_.batch_rank; ++i) batches_ *= p_.batch[i];
  // A tile's columns are a whole panel, its rows any number.
  if (p_.columns < p_.rows && p_.columns < arithmetic_->panel_columns &&
      p_.b.type != Element::kInt4 && p_.b_group == 0) {
    Swap(p_);
    swapped_ = true;
  }
  if (batches_ == 0 || p_.rows == 0 || p_.columns == 0) {
    batches_ = 0;
    return;
  }
  if (const Arithmetic* const few = FewArithmeticOf(kernels_, p_)) {
    few_ = true;
    arithmetic_ = few;
  }
  ChooseUnits();
  ChooseBlocks();
  if (arithmetic_ == kernels_.half && arithmetic_ != kernels_.fp32) {
    const auto infinite = std::make_shared<Plan>(*this);
    infinite->arithmetic_ = kernels_.fp32;
    infinite->unit_columns_ = RoundUp(group_columns_, kernels_.fp32->panel_columns);
    infinite->ChooseBlocks();
    infinite_ = infinite;
  }
  ChooseShares();
}

void Plan::ChooseUnits() {
  const int64_t panel = arithmetic_->panel_columns;
  row_blocks_ = CeilDivide(p_.rows, kBlockRows);
  unit_rows_ = RoundUp(CeilDivide(p_.rows, row_blocks_), arithmetic_->tile_rows);
  row_blocks_ = CeilDivide(p_.rows, unit_rows_);
  unit_rows_ = std::min(unit_rows_, p_.rows);

  const int64_t per_thread = few_ ? kFewUnitsPerThread : kUnitsPerThread;
  const int64_t wanted = CeilDivide(threads_ * per_thread, batches_ * row_blocks_);
  const int64_t most = few_ ? kFewLineBytes / BytesOf(p_.b.type) : kMostColumns;
  const int64_t columns =
      std::clamp(CeilDivide(p_.columns, wanted), std::min(kLeastColumns, p_.columns), most);
  column_blocks_ = CeilDivide(p_.columns, columns);
  unit_columns_ = RoundUp(CeilDivide(p_.columns, column_blocks_), panel);
  column_blocks_ = CeilDivide(p_.columns, unit_columns_);

  // 2 us at 50 multiplications per ns, or 10 bytes per ns.
  const double products = static_cast<double>(unit_rows_) * static_cast<double>(unit_columns_) *
                          static_cast<double>(p_.depth);
  const double bytes = static_cast<double>(p_.depth + 8) * static_cast<double>(unit_columns_);
  grain_ = std::max<int64_t>(1, static_cast<int64_t>(2000 / (products / 50 + bytes / 10 + 50)));
}

void Plan::ChooseBlocks() {
  const int64_t unit_depth = arithmetic_->unit_depth;
  const int64_t panel = arithmetic_->panel_columns;
  const int64_t units = CeilDivide(p_.depth, unit_depth);
  const bool one_tile = unit_rows_ <= arithmetic_->tile_rows;
  block_depth_ = std::max<int64_t>(
                     std::min(one_tile ? kOneTileBlockUnits : arithmetic_->block_units, units), 1) *
                 unit_depth;
  group_columns_ = few_ ? unit_columns_ : std::min(kGroupPanels * panel, unit_columns_);

  in_parts_ = !integers_ && p_.depth > kMostInOneSum;
  row_depth_ =
      few_ ? units * unit_depth : std::min(units, kMostRowUnits / arithmetic_->row_units) * unit_depth;
  if (HasMatrixRegisters(*arithmetic_)) {
    const int64_t most = row_blocks_ > 1 ? kSharedColumnsRowBytes : kOwnColumnsRowBytes;
    const int64_t blocks = most / (unit_rows_ * RowBytes(block_depth_));
    row_depth_ = std::min(row_depth_, std::max<int64_t>(blocks, 1) * block_depth_);
  }
  if (in_parts_) row_depth_ = kPartDepth;
  sums_wait_ = row_depth_ < p_.depth && !in_parts_;
  sums_step_ = sums_wait_ ? unit_columns_ + kSumsGap : group_columns_;

  rows_bytes_ = RoundUp(unit_rows_ * RowBytes(row_depth_) + kPackSlack, kLine);
  if (!few_) {
    panel_bytes_ = panel * (block_depth_ / unit_depth) * kUnitBytes;
    panels_bytes_ = RoundUp(CeilDivide(group_columns_, panel) * panel_bytes_ + kPackSlack, kLine);
  }
  if (p_.b.type == Element::kInt4 && !few_) {
    widened_bytes_ = RoundUp(group_columns_ * block_depth_, kLine);
  }
  sums_bytes_ = RoundUp(unit_rows_ * sums_step_ * kUnitBytes, kLine);
  if (in_parts_) totals_bytes_ = RoundUp(unit_rows_ * unit_columns_ * kUnitBytes, kLine);
  corrections_bytes_ = RoundUp(unit_rows_ * static_cast<int64_t>(sizeof(int32_t)), kLine);
}

int64_t Plan::RowBytes(int64_t depth) const {
  return depth / arithmetic_->unit_depth * arithmetic_->row_units * kUnitBytes;
}

// Columns that one unit reads, and those of which too few fit in to keep all threads busy, are
// packed by their units.
void Plan::ChooseShares() {
  if (few_ || row_blocks_ == 1 || p_.depth == 0) return;
  share_bytes_ = CeilDivide(unit_columns_, group_columns_) * depth_blocks() * panels_bytes_;
  const int64_t blocks = batches_ * column_blocks_;
  const int64_t shares = std::min(threads_ * kSharedBytes / share_bytes_, blocks);
  if (shares == blocks || shares * row_blocks_ >= 2 * threads_) shares_ = shares;
}

uint64_t Plan::workspace_bytes() const {
  return static_cast<uint64_t>(threads_ * scratch_bytes() + shares_ * share_bytes_);
}

int64_t Plan::depth_blocks() const { return CeilDivide(p_.depth, block_depth_); }

int64_t Plan::scratch_bytes() const {
  return rows_bytes_ + panels_bytes_ + widened_bytes_ + sums_bytes_ + totals_bytes_ +
         corrections_bytes_ + (infinite_ == nullptr ? 0 : infinite_->scratch_bytes());
}

Plan::Scratch Plan::ScratchOf(char* workspace, int64_t slot) const {
  Scratch s{};
  s.rows = workspace + slot * scratch_bytes();
  s.panels = s.rows + rows_bytes_;
  s.widened = reinterpret_cast<int8_t*>(s.panels + panels_bytes_);
  s.sums = s.panels + panels_bytes_ + widened_bytes_;
  s.totals = reinterpret_cast<float*>(s.sums + sums_bytes_);
  s.corrections = reinterpret_cast<int32_t*>(s.sums + sums_bytes_ + totals_bytes_);
  s.infinite = s.sums + sums_bytes_ + totals_bytes_ + corrections_bytes_;
  return s;
}

Plan::Unit Plan::UnitOf(int64_t index, const Addresses& addresses) const {
  const int64_t row = index % row_blocks_ * unit_rows_;
  index /= row_blocks_;
  const int64_t column = index % column_blocks_ * unit_columns_;
  index /= column_blocks_;
  int64_t a = row * p_.a.row_step, b = column * p_.b.column_step;
  int64_t c = row * p_.c.row_step + column * p_.c.column_step;
  int64_t d = row * p_.d.row_step + column * p_.d.column_step;
  for (int i = p_.batch_rank - 1; i >= 0; --i) {
    const int64_t at = index % p_.batch[i];
    index /= p_.batch[i];
    a += at * p_.a.batch_step[i];
    b += at * p_.b.batch_step[i];
    c += at * p_.c.batch_step[i];
    d += at * p_.d.batch_step[i];
  }
  Unit unit{};
  unit.a = At(swapped_ ? addresses.b : addresses.a, p_.a.type, a);
  unit.b = At(swapped_ ? addresses.a : addresses.b, p_.b.type, b);
  unit.c = At(addresses.c, p_.c.type, c);
  if (p_.has_d && (p_.beta != 0 || (integers_ && p_.d.type == Element::kInt32))) {
    unit.d = At(addresses.d, p_.d.type, d);
  }
  if (p_.b_group > 0) {
    unit.b_scale = At(addresses.b_scale, p_.b_scale.type, column * p_.b_scale.column_step);
    if (p_.has_b_offset) {
      unit.b_offset = At(addresses.b_offset, p_.b_offset.type, column * p_.b_offset.column_step);
    }
  }
  if (p_.has_row_scale) {
    unit.row_scale =
        (swapped_ ? addresses.column_scale : addresses.row_scale) + row * p_.row_scale_step;
  }
  if (p_.has_column_scale) {
    unit.column_scale =
        (swapped_ ? addresses.row_scale : addresses.column_scale) + column * p_.column_scale_step;
  }
  unit.rows = std::min(unit_rows_, p_.rows - row);
  unit.columns = std::min(unit_columns_, p_.columns - column);
  return unit;
}

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
        if (shares_ > 0) unit.panels = shared + i / row_blocks_ * share_bytes_;
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
      const Unit unit = UnitOf((first + i / groups) * row_blocks_, addresses);
      const int64_t column = i % groups * group_columns_;
      const int64_t columns = std::min(group_columns_, unit.columns - column);
      if (columns <= 0) continue;
      char* to = shared + i * depth_blocks() * panels_bytes_;
      for (int64_t k = 0; k < p_.depth; k += block_depth_, to += panels_bytes_) {
        PackColumns(unit, scratch, column, columns, k, std::min(block_depth_, p_.depth - k), to);
      }
    }
  });
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
                          .panel_bytes = 0});
}

void Plan::MultiplyFew(const Unit& unit, const Scratch& scratch) const {
  std::memset(scratch.corrections, 0, static_cast<size_t>(corrections_bytes_));
  if (p_.depth == 0) std::memset(scratch.sums, 0, static_cast<size_t>(sums_bytes_));
  for (int64_t k = 0; k < p_.depth; k += row_depth_) {
    const int64_t depth = std::min(row_depth_, p_.depth - k);
    PackRows(unit, scratch, k, depth, scratch.rows);
    const FewArgs args{.type = p_.b.type,
                       .b = At(unit.b, p_.b.type, k * p_.b.row_step),
                       .k_step = p_.b.row_step,
                       .column_step = p_.b.column_step,
                       .columns = unit.columns,
                       .rows = scratch.rows,
                       .row_count = unit.rows,
                       .depth = depth,
                       .sums = scratch.sums,
                       .sums_step = sums_step_};
    if (p_.b_group > 0) {
      kernels_.scale_few(args, GroupsOf(unit, 0), k);
    } else {
      arithmetic_->multiply_few(args);
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

void Plan::PackColumns(const Unit& unit, const Scratch& scratch, int64_t column, int64_t columns,
                       int64_t k, int64_t depth, char* to) const {
  PackArgs args{.type = p_.b.type,
                .from = At(unit.b, p_.b.type, k * p_.b.row_step + column * p_.b.column_step),
                .line_step = p_.b.column_step,
                .k_step = p_.b.row_step,
                .lines = columns,
                .depth = depth,
                .to = to,
                .corrections = nullptr,
                .panel_bytes = panel_bytes_};
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

void Plan::MultiplyPanels(const Unit& unit, const Scratch& scratch) const {
  std::memset(scratch.corrections, 0, static_cast<size_t>(corrections_bytes_));
  if (p_.depth == 0) std::memset(scratch.sums, 0, static_cast<size_t>(sums_bytes_));
  const int64_t block_bytes = unit_rows_ * RowBytes(block_depth_);
  int64_t begin = 0;
  do {
    const int64_t end = std::min(begin + row_depth_, p_.depth);
    char* rows = scratch.rows;
    for (int64_t k = begin; k < end; k += block_depth_, rows += block_bytes) {
      PackRows(unit, scratch, k, std::min(block_depth_, end - k), rows);
    }
    for (int64_t group = 0; group < unit.columns; group += group_columns_) {
      const int64_t columns = std::min(group_columns_, unit.columns - group);
      const int64_t at = sums_wait_ ? group : 0;
      const char* panels = scratch.panels;
      if (shares_ > 0) {
        const int64_t block = group / group_columns_ * depth_blocks() + begin / block_depth_;
        panels = unit.panels + block * panels_bytes_;
      }
      rows = scratch.rows;
      for (int64_t k = begin; k < end; k += block_depth_, rows += block_bytes) {
        const int64_t depth = std::min(block_depth_, end - k);
        if (shares_ == 0) PackColumns(unit, scratch, group, columns, k, depth, scratch.panels);
        MultiplyGroup(unit,
                      {.rows = rows,
                       .row_count = unit.rows,
                       .panel = panels,
                       .depth = depth,
                       .sums = scratch.sums + at * kUnitBytes,
                       .sums_step = sums_step_,
                       .resume = k != (in_parts_ ? begin : 0),
                       .ahead = {}},
                      group, columns, k + depth);
        if (shares_ > 0) panels += panels_bytes_;
      }
      if (in_parts_) AddPart(unit, scratch, group, columns, begin == 0);
      if (end < p_.depth) continue;
      if (infinite_ == nullptr || AreFinite(unit, scratch, group, columns)) {
        Finish(unit, scratch, group, columns);
      } else {
        infinite_->MultiplyPanels(ColumnsOf(unit, group, columns),
                                  infinite_->ScratchOf(scratch.infinite, 0));
      }
    }
    begin = end;
  } while (begin < p_.depth);
}

// A block of rows times a block of some panels, with the k before `end`.
void Plan::MultiplyGroup(const Unit& unit, BlockArgs block, int64_t group, int64_t columns,
                         int64_t end) const {
  const int64_t width = arithmetic_->panel_columns;
  for (int64_t column = 0; column < columns; column += width) {
    if (shares_ > 0) {
      const bool last = column + width >= columns;
      const char* const next =
          block.panel + (last ? panels_bytes_ - column / width * panel_bytes_ : panel_bytes_);
      block.ahead[0] = {next, 1, 0, panel_bytes_};
    }
    block.ahead[1] = Results(unit, group + column, std::min(width, columns - column), end);
    arithmetic_->multiply(block);
    block.panel += panel_bytes_;
    block.sums = static_cast<char*>(block.sums) + width * kUnitBytes;
  }
}

Plan::Unit Plan::ColumnsOf(Unit unit, int64_t column, int64_t columns) const {
  const auto skip = [&](const char*& at, const Matrix& matrix) {
    if (at != nullptr) at = At(at, matrix.type, column * matrix.column_step);
  };
  skip(unit.b, p_.b);
  skip(unit.d, p_.d);
  skip(unit.c, p_.c);
  skip(unit.b_scale, p_.b_scale);
  skip(unit.b_offset, p_.b_offset);
  if (unit.column_scale != nullptr) unit.column_scale += column * p_.column_scale_step;
  unit.columns = columns;
  unit.panels = nullptr;
  return unit;
}

const void* Plan::SumsOf(const Scratch& scratch, int64_t column) const {
  if (in_parts_) return scratch.totals + column;
  return scratch.sums + (sums_wait_ ? column * kUnitBytes : 0);
}

bool Plan::AreFinite(const Unit& unit, const Scratch& scratch, int64_t column,
                     int64_t columns) const {
  return kernels_.finite(static_cast<const float*>(SumsOf(scratch, column)),
                         in_parts_ ? unit_columns_ : sums_step_, unit.rows, columns);
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
