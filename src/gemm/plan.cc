// SPDX-License-Identifier: Apache-2.0
// Cuts C into units of work, each a block of rows by a block of columns, all k. A unit packs its
// rows once, in blocks of k that pass through L2 from behind it (those for matrix registers stay
// there), or leaves them where they lie, and multiplies them by some panels of columns at a time,
// which the rows' tiles read again and again; of few k by all of its panels, tile by tile. Columns
// that several units read are packed by all threads together before, as many blocks of columns as
// kSharedBytes hold, and others by their unit, into L2.
#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "base/cpu.h"
#include "base/division.h"
#include "gemm/normal_form.h"
#include "gemm/unfold.h"
#include "gemm/unit.h"
#include "kernels.h"
#include "runtime/parallel.h"

namespace anyacl::gemm {
namespace {

constexpr int64_t kBlockRows = 256;
constexpr int64_t kGroupPanels = 4;
// A panel that is read once stays in L1 until then.
constexpr int64_t kOneTileBlockUnits = 128;
// What packing turns at a time.
constexpr int64_t kEvenUnits = 16;
// Of rows that are packed before all their products are summed up: 8.3 MiB for 256 of them.
constexpr int64_t kMostRowUnits = 22 * kBlockUnits;
// The same for matrix registers, which read rows faster than L3 gives them: beside a unit's sums,
// 512 KiB, they stay in L2. Squares of 4096 in fp16 went from 256 to 179 ms. A unit that packs its
// columns itself reads them in pieces of so many k, and has fewer rows.
constexpr int64_t kSharedColumnsRowBytes = int64_t{256} << 10;
constexpr int64_t kOwnColumnsRowBytes = int64_t{1} << 20;
// Sums of rows that are a power of two apart would share a set of L1: squares of 4096 in bf16 took
// 79 ms instead of 69.
constexpr int64_t kSumsGap = 16;
constexpr int64_t kMostColumns = 512;
// In vectors a unit's sums do not wait, and it packs its rows for all its columns: for squares of
// 2048 on a core with 512 KiB of L2 2.8 % of the time instead of 4.6.
constexpr int64_t kMostColumnsOfVectors = 1024;
// A sum in fp32 of more than kMostInOneSum products is made of sums of kPartDepth each, whole
// blocks of k: its error grows with the root of their number. Of 55,296 products of fp16 as one sum
// 0.14 % come out more than 1e-3 off, in parts of 8,448 0.09 %.
constexpr int64_t kPartDepth = 6 * kBlockUnits;
// Of columns that are packed for several units, for each thread.
constexpr int64_t kSharedBytes = int64_t{16} << 20;
// Of few rows: the longer the pieces of B's rows, the better they are fetched. With pieces of 16
// KiB instead of 4 four rows of fp32 went from 52 to 66 % of what memory gives.
constexpr int64_t kFewLineBytes = int64_t{32} << 10;
constexpr int64_t kFewUnitsPerThread = 1;
// Units for each thread, where that leaves enough to do in each. For matrix registers packing rows
// once more is dearer: 640 x 640 x 640 in bf16 took 430 us in four for each, and takes 365 in two.
constexpr int64_t kUnitsPerThread = 4;
constexpr int64_t kMatrixUnitsPerThread = 2;
constexpr int64_t kLeastColumns = 256;
// Where these are too few units for the threads, units have fewer columns, but no fewer products
// than this for each k of the arithmetic's unit, 5 us in vectors of fp32, and in matrix registers
// twice as many: each packs all rows, and 96 x 96 x 96 in bf16 took 6.6 us in two units and takes
// 5.5 in one. On two cores 256 x 256 x 256 takes 111 us in fp32 instead of 180 and 28 in bf16
// instead of 55.
constexpr int64_t kLeastColumnsOfFewUnits = 64;
constexpr int64_t kLeastUnitProducts = 1 << 18;
// Rows that meet so many columns are multiplied where they lie, if they have at least so many
// numbers: a copy of what is read once or twice costs more. Of [8192, 8192] in bf16 and 16 columns
// 4.6 instead of 6.8 ms, 64 columns 8.2 instead of 11.1, 128 columns 15.0 and 15.3; of [1024, 1024]
// and 32 columns 68 instead of 110 us, of [256, 256] and 16 columns 12.5 and 8.7. For fewer columns
// vectors are as fast: one takes 3.6 ms instead of 4.6, two take 4.7 and 4.6, three 5.7 and 4.6.
// Integers (four by [14336, 8192] 3.7 and 5.1 ms), and numbers in parts, which vectors do not have,
// have more than kFewRows. Of fp16 16 columns take 12 ms instead of 22, 64 columns 25 and 30.
constexpr int64_t kLeastStreamedColumns = 3;
constexpr int64_t kMostStreamedColumns = 64;
constexpr int64_t kLeastStreamed = int64_t{1} << 20;
// With 32 the case of 16 columns took 5.3 ms.
constexpr int64_t kStreamedRows = 64;
// Bytes from row to row of those that are multiplied by more columns where they lie: squares of
// 1024 in bf16 take 1.26 instead of 1.35 ms. Rows that are further apart fall into the same sets of
// the caches: 512 of 8 KiB by [4096, 4096] took 16 ms instead of 12.
constexpr int64_t kMostInPlaceStep = 2048;
// In vectors a unit's rows stay in place that span no more than this part of L2, as those further
// apart would push each other out: squares of 512 in fp32 take 0.90 instead of 0.95 ms.
constexpr int64_t kInPlacePartOfLevel2 = 2;
// For so few columns packing would not pay either, but of so few rows: 512 x 4608 x 49 takes 1.22
// instead of 1.52 ms, 256 x 2304 x 1568 7.3 and 7.8, 64 x 5000 x 1000 2.9 and 3.0; by 4096 columns
// 1024 x 1100 31.5 and 30.7, 30 x 3000 x 300 0.34 and 0.32. A tile's rows that are a multiple of
// these bytes apart share one set of L1: 1000 x 2048 x 1000 takes as long either way, with twelve
// ways for twelve rows.
constexpr int64_t kMostColumnsBesideRows = 2048;
constexpr int64_t kLeastRowsApart = 64;
constexpr int64_t kSameSetOfLevel1 = 4096;
// Products of few k take as long as storing C: tiles then go along their rows, whose columns all
// stay in L2. On two cores 1024 x 1024 of 1 k in fp32 took 163 us and take 100, of 16 k 232 and
// 152, with a summand 411 and 341, of 64 k 510 and 478; 512 x 512 of 128 k 250 and 257. In 16 bits,
// which are stored twice as fast, some shapes are 10 % faster and as many slower. Units of more
// rows leave no room in L2 for sums that are not C. A small C, of less than so many elements for
// each k and for 16, lies in the caches anyway, and its units would share a B that is packed
// before: 512 x 512 of 64 k took 152 us instead of 136, 256 times 64 x 64 of 64 k 1.5 instead
// of 1.3 ms.
constexpr int64_t kMostShallowDepth = 64;
constexpr int64_t kLeastShallowElements = 1 << 13;
constexpr int64_t kShallowRows = 48;
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
  const Arithmetic* const few = IsInteger(p)                ? kernels.few_int8
                                : IsBf16(p) && !p.same_bits ? kernels.few_bf16
                                                            : kernels.fp32;
  return p.rows <= std::min(kFewRows, few->tile_rows) ? few : nullptr;
}

bool HasMatrixRegisters(const Arithmetic& arithmetic) { return arithmetic.multiply_few == nullptr; }

// Splitting numbers in three costs as much as multiplying them by some 60 others. On two cores fp32
// took 13.3 ms in vectors for 96 x 4096 x 4096, and 12.2 in parts, for 64 rows 9.6 and 9.8; for 128
// x 128 x 128 33 us and 30, for 96 x 96 x 96 14 and 17. By the shape alone: bits differ.
bool IsWorthSplitting(const Problem& p) {
  constexpr int64_t kLeastSide = 96, kLeastDepth = 32, kLeastProducts = 1 << 21;
  return std::min(p.rows, p.columns) >= kLeastSide && p.depth >= kLeastDepth &&
         CeilDivide(kLeastProducts, p.rows * p.columns) <= p.depth;
}

const Arithmetic& ArithmeticOf(const KernelSet& kernels, const Problem& p) {
  if (IsInteger(p)) return *kernels.int8;
  if (p.same_bits) return *kernels.fp32;
  if (IsBf16(p)) return *kernels.bf16;
  const auto has_16_bits = [&](Element type) {
    return type == Element::kFp16 || type == Element::kBf16 ||
           (type == Element::kFp32 && p.allows_16_bits);
  };
  if (has_16_bits(p.a.type) && (has_16_bits(p.b.type) || p.b_group > 0)) return *kernels.half;
  const auto is_integer = [](Element type) {
    return type == Element::kInt8 || type == Element::kInt4;
  };
  if (is_integer(p.a.type) || is_integer(p.b.type) || !IsWorthSplitting(p)) return *kernels.fp32;
  return *kernels.whole;
}

}  // namespace

Plan::Plan(const Problem& problem)
    : p_(Normalised(problem)),
      integers_(IsInteger(p_)),
      kernels_(Kernels().gemm),
      threads_(ThreadCount()) {
  Problem all = p_;
  all.rows = std::max(p_.rows, p_.all_rows);
  all.depth = std::max(p_.depth, p_.all_depth);
  arithmetic_ = &ArithmeticOf(kernels_, all);
  for (int i = 0; i < p_.batch_rank; ++i) batches_ *= p_.batch[i];
  // A tile's columns are a whole panel, its rows any number.
  const bool narrow = p_.columns < all.rows && p_.columns < arithmetic_->panel_columns &&
                      !MayStream({p_.a, all.rows, p_.a.row_step, p_.a.column_step}, p_.columns);
  const bool stream = MayStream({p_.b, p_.columns, p_.b.column_step, p_.b.row_step}, all.rows);
  if ((narrow || stream) && p_.b.type != Element::kInt4 && p_.b_group == 0 && p_.b.panel == 0) {
    Swap(p_);
    Swap(all);
    swapped_ = true;
  }
  if (batches_ == 0 || p_.rows == 0 || p_.columns == 0) {
    batches_ = 0;
    return;
  }
  if (const Arithmetic* const few = FewArithmeticOf(kernels_, all)) {
    few_ = true;
    arithmetic_ = few;
  }
  ChooseUnits();
  ChooseBlocks();
  if (arithmetic_->parts > 1) {
    const auto in_fp32 = std::make_shared<Plan>(*this);
    in_fp32->arithmetic_ = kernels_.fp32;
    in_fp32->rows_ = Rows::kPacked;
    in_fp32->p_.c = {.type = Element::kFp32, .row_step = group_columns_};
    in_fp32->p_.alpha = 1;
    in_fp32->p_.has_d = in_fp32->p_.has_row_scale = in_fp32->p_.has_column_scale = false;
    replaced_bytes_ = RoundUp(unit_rows_ * group_columns_ * kUnitBytes, kLineBytes);
    in_fp32->unit_columns_ = RoundUp(group_columns_, kernels_.fp32->panel_columns);
    in_fp32->ChooseBlocks();
    in_fp32_ = in_fp32;
  }
  sums_are_c_ = p_.c.type == Element::kFp32 && p_.c.column_step == 1 && p_.depth > 0 &&
                !in_parts_ && !HasMatrixRegisters(*arithmetic_) && !few_ && !integers_ &&
                p_.alpha == 1 && !p_.has_d && !p_.has_row_scale && !p_.has_column_scale;
  ChooseShares();
}

bool Plan::MayStayInPlace(const Lines& lines) const {
  return arithmetic_->in_place_depth > 0 && p_.depth % arithmetic_->in_place_depth == 0 &&
         lines.depth_step == 1 && lines.step != 0 && lines.matrix.panel == 0 &&
         (HasMatrixRegisters(*arithmetic_) ? integers_ || BytesOf(lines.matrix.type) == 2
                                           : lines.matrix.type == Element::kFp32);
}

bool Plan::MayStream(const Lines& lines, int64_t others) const {
  const bool vectors_have_few = arithmetic_->parts > 1 || integers_;
  const int64_t least = vectors_have_few ? kFewRows + 1 : kLeastStreamedColumns;
  return HasMatrixRegisters(*arithmetic_) && MayStayInPlace(lines) && others >= least &&
         others <= std::min(kMostStreamedColumns, lines.count) &&
         CeilDivide(kLeastStreamed, lines.count) <= p_.depth;
}

Plan::Rows Plan::RowsToMultiply() const {
  const Lines rows = {p_.a, p_.rows, p_.a.row_step, p_.a.column_step};
  if (few_) return Rows::kPacked;
  if (MayStream(rows, p_.columns)) return Rows::kStreamed;
  const int64_t step = BytesOf(p_.a.type, std::abs(p_.a.row_step));
  const bool near =
      HasMatrixRegisters(*arithmetic_)
          ? step <= kMostInPlaceStep
          : step <= Caches().level2 / kInPlacePartOfLevel2 / std::min(p_.rows, kBlockRows) ||
                (p_.columns <= kMostColumnsBesideRows && p_.rows >= kLeastRowsApart &&
                 step % kSameSetOfLevel1 != 0);
  return near && arithmetic_->parts == 1 && MayStayInPlace(rows) ? Rows::kInPlace : Rows::kPacked;
}

bool Plan::IsShallow() const {
  return !few_ && !HasMatrixRegisters(*arithmetic_) && p_.depth <= kMostShallowDepth &&
         CeilDivide(kLeastShallowElements * std::max<int64_t>(p_.depth, 16), p_.columns) <=
             p_.rows &&
         BytesOf(p_.c.type) == kUnitBytes && p_.b.panel == 0 && p_.b_group == 0;
}

void Plan::ChooseUnits() {
  const int64_t panel = arithmetic_->panel_columns;
  const bool matrix = HasMatrixRegisters(*arithmetic_);
  rows_ = RowsToMultiply();
  shallow_ = IsShallow();
  row_blocks_ = CeilDivide(p_.rows, rows_ == Rows::kStreamed ? kStreamedRows
                                    : shallow_               ? kShallowRows
                                                             : kBlockRows);
  unit_rows_ = CeilDivide(p_.rows, row_blocks_);
  if (matrix) unit_rows_ = RoundUp(unit_rows_, arithmetic_->tile_rows);
  row_blocks_ = CeilDivide(p_.rows, unit_rows_);
  unit_rows_ = std::min(unit_rows_, p_.rows);

  const int64_t per_thread = few_     ? kFewUnitsPerThread
                             : matrix ? kMatrixUnitsPerThread
                                      : kUnitsPerThread;
  const int64_t blocks = batches_ * row_blocks_;
  const int64_t wanted = CeilDivide(threads_ * per_thread, blocks);
  const int64_t most = few_     ? kFewLineBytes / BytesOf(p_.b.type)
                       : matrix ? kMostColumns
                                : kMostColumnsOfVectors;
  const int64_t columns =
      std::clamp(CeilDivide(p_.columns, wanted), std::min(kLeastColumns, p_.columns), most);
  column_blocks_ = CeilDivide(p_.columns, columns);
  if (blocks * column_blocks_ < threads_ * per_thread) {
    // As many units for each thread.
    const int64_t even = RoundUp(column_blocks_, threads_ / std::gcd(threads_, blocks));
    column_blocks_ = std::clamp(MostColumnBlocks(), column_blocks_, even);
  }
  unit_columns_ = RoundUp(CeilDivide(p_.columns, column_blocks_), panel);
  column_blocks_ = CeilDivide(p_.columns, unit_columns_);

  // 2 us at 50 multiplications per ns, or 10 bytes per ns.
  const double products = static_cast<double>(unit_rows_) * static_cast<double>(unit_columns_) *
                          static_cast<double>(p_.depth);
  const double bytes = static_cast<double>(p_.depth + 8) * static_cast<double>(unit_columns_);
  grain_ = std::max<int64_t>(1, static_cast<int64_t>(2000 / (products / 50 + bytes / 10 + 50)));
}

// So that each has enough to do.
int64_t Plan::MostColumnBlocks() const {
  const double least = kLeastUnitProducts * static_cast<double>(arithmetic_->unit_depth) *
                       (HasMatrixRegisters(*arithmetic_) ? 2 : 1);
  const double products = static_cast<double>(unit_rows_) * static_cast<double>(p_.columns) *
                          static_cast<double>(p_.depth);
  return std::min(p_.columns / kLeastColumnsOfFewUnits, static_cast<int64_t>(products / least));
}

void Plan::ChooseBlocks() {
  const int64_t unit_depth = arithmetic_->unit_depth;
  const int64_t panel = arithmetic_->panel_columns;
  const int64_t units = CeilDivide(p_.depth, unit_depth);
  const bool one_tile = unit_rows_ <= arithmetic_->tile_rows;
  block_depth_ =
      std::max<int64_t>(
          std::min({arithmetic_->block_units, one_tile ? kOneTileBlockUnits : units, units}), 1) *
      unit_depth;
  // As deep as each other: one of few k has its sums to load and store all the same.
  if (units > 0 && units <= kMostRowUnits && rows_ != Rows::kStreamed && !few_ &&
      !HasMatrixRegisters(*arithmetic_) && p_.b.panel == 0 && p_.b_group == 0) {
    const int64_t blocks = CeilDivide(units * unit_depth, block_depth_);
    const int64_t even = RoundUp(CeilDivide(units, blocks), kEvenUnits);
    block_depth_ = std::min(block_depth_, even * unit_depth);
  }
  group_columns_ = few_ || shallow_ ? unit_columns_ : std::min(kGroupPanels * panel, unit_columns_);

  in_parts_ = !integers_ && p_.depth > kMostInOneSum;
  row_depth_ =
      few_ ? units * unit_depth : std::min(units, kMostRowUnits / arithmetic_->parts) * unit_depth;
  if (HasMatrixRegisters(*arithmetic_)) {
    const int64_t most = row_blocks_ > 1 ? kSharedColumnsRowBytes : kOwnColumnsRowBytes;
    const int64_t blocks = most / (unit_rows_ * LineBytes(block_depth_));
    row_depth_ = std::min(row_depth_, std::max<int64_t>(blocks, 1) * block_depth_);
  }
  if (rows_ == Rows::kStreamed) {
    block_depth_ = std::min(kPartDepth, p_.depth);
    row_depth_ = p_.depth;
  }
  if (in_parts_) row_depth_ = kPartDepth;
  sums_wait_ = row_depth_ < p_.depth && !in_parts_;
  sums_step_ = sums_wait_ ? unit_columns_ + kSumsGap : group_columns_;

  if (rows_ == Rows::kPacked) {
    rows_bytes_ = RoundUp(unit_rows_ * LineBytes(row_depth_) + kPackSlack, kLineBytes);
  }
  if (!few_) {
    panel_bytes_ = panel * LineBytes(block_depth_);
    panels_bytes_ =
        RoundUp(CeilDivide(group_columns_, panel) * panel_bytes_ + kPackSlack, kLineBytes);
  }
  few_columns_ = p_.b.panel > 0 ? FewColumns(p_.b, row_depth_) : unit_columns_;
  if (p_.b.panel > 0) {
    unfolded_bytes_ = few_ ? UnfoldedBytes(p_.b, few_columns_, row_depth_)
                           : UnfoldedBytes(p_.b, group_columns_, block_depth_);
  }
  if (p_.b.type == Element::kInt4 && !few_) {
    widened_bytes_ = RoundUp(group_columns_ * block_depth_, kLineBytes);
  }
  sums_bytes_ = RoundUp(unit_rows_ * sums_step_ * kUnitBytes, kLineBytes);
  if (in_parts_) totals_bytes_ = RoundUp(unit_rows_ * unit_columns_ * kUnitBytes, kLineBytes);
  corrections_bytes_ = RoundUp(unit_rows_ * static_cast<int64_t>(sizeof(int32_t)), kLineBytes);
  const bool doubts = arithmetic_->doubt != nullptr;
  row_ranges_bytes_ = doubts ? 2 * corrections_bytes_ : 0;
  column_ranges_bytes_ =
      doubts ? RoundUp(2 * unit_columns_ * static_cast<int64_t>(sizeof(int32_t)), kLineBytes) : 0;
}

int64_t Plan::LineBytes(int64_t depth) const {
  return depth / arithmetic_->unit_depth * arithmetic_->parts * kUnitBytes;
}

// Columns that one unit reads, and those of which too few fit in to keep all threads busy, are
// packed by their units.
void Plan::ChooseShares() {
  if (few_ || row_blocks_ == 1 || p_.depth == 0) return;
  share_bytes_ = CeilDivide(unit_columns_, group_columns_) * depth_blocks() * panels_bytes_ +
                 column_ranges_bytes_;
  const int64_t blocks = batches_ * column_blocks_;
  const int64_t shares = std::min(threads_ * kSharedBytes / share_bytes_, blocks);
  if (shares == blocks || shares * row_blocks_ >= 2 * threads_) shares_ = shares;
}

uint64_t Plan::workspace_bytes() const {
  return static_cast<uint64_t>(threads_ * scratch_bytes() + shares_ * share_bytes_);
}

int64_t Plan::depth_blocks() const { return CeilDivide(p_.depth, block_depth_); }

int64_t Plan::scratch_bytes() const {
  return rows_bytes_ + panels_bytes_ + unfolded_bytes_ + widened_bytes_ + sums_bytes_ +
         totals_bytes_ + corrections_bytes_ + row_ranges_bytes_ + column_ranges_bytes_ +
         replaced_bytes_ + (in_fp32_ == nullptr ? 0 : in_fp32_->scratch_bytes());
}

Plan::Scratch Plan::ScratchOf(char* workspace, int64_t slot) const {
  Scratch s{};
  s.rows = workspace + slot * scratch_bytes();
  s.panels = s.rows + rows_bytes_;
  s.unfolded = s.panels + panels_bytes_;
  s.widened = reinterpret_cast<int8_t*>(s.unfolded + unfolded_bytes_);
  s.sums = s.unfolded + unfolded_bytes_ + widened_bytes_;
  s.totals = reinterpret_cast<float*>(s.sums + sums_bytes_);
  s.corrections = reinterpret_cast<int32_t*>(s.sums + sums_bytes_ + totals_bytes_);
  char* const ranges = s.sums + sums_bytes_ + totals_bytes_ + corrections_bytes_;
  s.row_ranges = reinterpret_cast<int32_t*>(ranges);
  s.column_ranges = reinterpret_cast<int32_t*>(ranges + row_ranges_bytes_);
  s.replaced = ranges + row_ranges_bytes_ + column_ranges_bytes_;
  s.in_fp32 = s.replaced + replaced_bytes_;
  return s;
}

Plan::Unit Plan::UnitOf(int64_t index, const Addresses& addresses) const {
  const int64_t row = index % row_blocks_ * unit_rows_;
  index /= row_blocks_;
  const int64_t column = index % column_blocks_ * unit_columns_;
  index /= column_blocks_;
  int64_t a = row * p_.a.row_step, b = p_.b.panel > 0 ? 0 : column * p_.b.column_step;
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
  unit.column = column;
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

}  // namespace anyacl::gemm
