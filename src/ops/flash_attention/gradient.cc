// SPDX-License-Identifier: Apache-2.0
#include "ops/flash_attention/gradient.h"

#include <algorithm>
#include <cstring>

#include "kernels.h"

namespace anyacl::flash_attention {

using attention::Bound;
using attention::ColumnStep;
using attention::Form;
using attention::Masked;
using attention::OutRow;
using attention::Params;
using attention::RowAt;
using attention::TileRows;

namespace {

bool IsBf16(const GradientParams& params) { return params.common.cache_type == Element::kBf16; }

void WriteRow(const Bound& bound, const TensorView& view, int64_t at, int64_t dim,
              const float* row) {
  const Element target = bound.params.out_type;
  char* const out = bound.At(view.slot) + at * BytesOf(target);
  Kernels().attention.write_row(target, {.o = row,
                                         .l = 1,
                                         .extra = 0,
                                         .dim = static_cast<int>(dim),
                                         .value_scale = nullptr,
                                         .value_offset = nullptr,
                                         .out_scale = nullptr,
                                         .out_offset = nullptr,
                                         .out = out,
                                         .step = ColumnStep(view)});
}

class Item {
 public:
  Item(const Bound& bound, const GradientParams& params, const Cut& cut, const GradientItem& item,
       char* memory)
      : bound_(bound),
        g_(params),
        p_(params.common),
        cut_(cut),
        item_(item),
        scratch_(params, cut, memory),
        bias_(bound, scratch_.bias),
        bf16_(IsBf16(params)),
        begin_(item.split * cut.split_columns),
        end_(std::min(begin_ + cut.split_columns, p_.Columns(item.batch))) {}

  void Run(float* partials, int64_t head_step);

 private:
  int RowsOf(int64_t block) const {
    return static_cast<int>(std::min<int64_t>(kRows, p_.query_size - block * kRows));
  }
  void Locate(const TensorView& view, int64_t head, int64_t row, int count, int64_t dim);
  void LoadFloats(const TensorView& view, int64_t head, int64_t row, int count, int64_t dim,
                  float* to);
  void PackRows(const TensorView& view, int64_t head, int64_t row, int count, int64_t dim,
                float* to);
  void LoadBlock(int64_t head, int64_t block);
  void LoadTile(int64_t column, int count);
  bool LimitRows(int64_t block, int64_t column, int count, GradientStep& step);
  bool AddBias(int64_t head, int64_t block, int64_t column, int count, GradientStep& step);
  void Step(int64_t head, int64_t block, int64_t column, int count, float* dq);
  void WritePse(int64_t head, int64_t block, int64_t column, int count, bool zeros);

  const Bound& bound_;
  const GradientParams& g_;
  const Params& p_;
  const Cut& cut_;
  const GradientItem item_;
  const GradientScratch scratch_;
  const attention::Bias bias_;
  const bool bf16_;
  const int64_t begin_;  // of the split's columns
  const int64_t end_;
};

// The addresses of rows whose elements are neighbours, if need be in scratch memory.
void Item::Locate(const TensorView& view, int64_t head, int64_t row, int count, int64_t dim) {
  const int64_t bytes = BytesOf(p_.cache_type);
  const char* data = bound_.At(view.slot);
  const int64_t step = ColumnStep(view);
  for (int i = 0; i < count; ++i) {
    const char* at = data + bytes * RowAt(view, item_.batch, head, row + i);
    scratch_.rows[i] = at;
    if (step == 1) continue;
    char* to = scratch_.gathered + i * cut_.step * bytes;
    for (int64_t d = 0; d < dim; ++d) {
      std::memcpy(to + d * bytes, at + d * step * bytes, static_cast<size_t>(bytes));
    }
    scratch_.rows[i] = to;
  }
}

// [16][step], zeros where there is nothing.
void Item::LoadFloats(const TensorView& view, int64_t head, int64_t row, int count, int64_t dim,
                      float* to) {
  Locate(view, head, row, count, dim);
  std::memset(to, 0, sizeof(float) * 16 * static_cast<size_t>(cut_.step));
  for (int i = 0; i < count; ++i) {
    Kernels().attention.to_float(p_.cache_type, scratch_.rows[i], static_cast<int>(dim),
                                 to + i * cut_.step);
  }
}

void Item::PackRows(const TensorView& view, int64_t head, int64_t row, int count, int64_t dim,
                    float* to) {
  Locate(view, head, row, count, dim);
  std::memset(to, 0, sizeof(float) * static_cast<size_t>(cut_.block_floats()));
  const auto& kernels = Kernels().attention;
  if (bf16_) {
    kernels.pack_values_bf16(scratch_.rows, count, static_cast<int>(dim), cut_.step,
                             reinterpret_cast<uint32_t*>(to));
  } else {
    kernels.pack_fp32(p_.cache_type, scratch_.rows, count, static_cast<int>(dim), cut_.step, to);
  }
}

void Item::LoadBlock(int64_t head, int64_t block) {
  const RowBlock to = scratch_.Block(block);
  const int64_t row = block * kRows;
  const int count = RowsOf(block);
  const auto& kernels = Kernels().attention;
  float* const first = scratch_.square;
  float* const second = first + 16 * cut_.step;
  const auto place = [&](const float* from, int64_t dim, float* lanes) {
    if (bf16_) {
      kernels.place_pairs(from, cut_.step, cut_.step, kRows, reinterpret_cast<uint32_t*>(lanes));
    } else {
      kernels.place_lanes(from, cut_.step, static_cast<int>(dim), kRows, lanes);
    }
  };
  const auto* max = reinterpret_cast<const float*>(bound_.At(p_.max.slot));
  const auto* sum = reinterpret_cast<const float*>(bound_.At(p_.sum.slot));
  for (int r = 0; r < count; r += 16) {
    const int some = std::min(16, count - r);
    LoadFloats(g_.out, head, row + r, some, p_.value_dim, first);
    LoadFloats(g_.dy, head, row + r, some, p_.value_dim, second);
    place(second, p_.value_dim, to.dy + r);
    for (int i = 0; i < 16; ++i) {
      const bool there = i < some;
      to.delta[r + i] = Kernels().flash_attention.dot(first + i * cut_.step, second + i * cut_.step,
                                                      static_cast<int>(p_.value_dim));
      const auto at = [&](const TensorView& view) {
        return p_.StatisticAt(view, item_.batch, head, row + r + i);
      };
      to.m[r + i] = there ? max[at(p_.max)] : 0;
      to.inverse_l[r + i] = there ? 1 / sum[at(p_.sum)] : 0;
    }
    LoadFloats(p_.query, head, row + r, some, p_.dim, first);
    place(first, p_.dim, to.q + r);
  }
  PackRows(p_.query, head, row, count, p_.dim, to.q_rows);
  PackRows(g_.dy, head, row, count, p_.value_dim, to.dy_rows);
}

void Item::LoadTile(int64_t column, int count) {
  const auto& kernels = Kernels().attention;
  const int dim = static_cast<int>(p_.dim), value_dim = static_cast<int>(p_.value_dim);
  Locate(g_.key, item_.head, column, count, p_.dim);
  if (bf16_) {
    kernels.pack_keys_bf16(scratch_.rows, count, dim, cut_.step,
                           reinterpret_cast<uint16_t*>(scratch_.k));
    kernels.pack_prefill_values(scratch_.rows, count, dim, cut_.step,
                                reinterpret_cast<uint32_t*>(scratch_.k_columns));
  } else {
    kernels.pack_fp32(p_.cache_type, scratch_.rows, count, dim, cut_.step, scratch_.k);
  }
  Locate(g_.value, item_.head, column, count, p_.value_dim);
  if (bf16_) {
    kernels.pack_keys_bf16(scratch_.rows, count, value_dim, cut_.step,
                           reinterpret_cast<uint16_t*>(scratch_.v));
  } else {
    kernels.pack_fp32(p_.cache_type, scratch_.rows, count, value_dim, cut_.step, scratch_.v);
  }
}

// Begin and end of the rows' columns within a tile; false if no row has any.
bool Item::LimitRows(int64_t block, int64_t column, int count, GradientStep& step) {
  bool any = false, all = true;
  for (int i = 0; i < kRows; ++i) {
    const bool there = i < RowsOf(block);
    attention::Interval columns{column, column + count};
    if (there) columns = p_.ColumnsOf(item_.batch, block * kRows + i);
    const int64_t begin = std::clamp<int64_t>(columns.begin - column, 0, count);
    const int64_t end = std::clamp<int64_t>(columns.end - column, begin, count);
    scratch_.begin[i] = static_cast<int32_t>(begin);
    scratch_.end[i] = static_cast<int32_t>(end);
    any = any || (there && begin < end);
    all = all && begin == 0 && end == count;
  }
  step.begin = all ? nullptr : scratch_.begin;
  step.end = all ? nullptr : scratch_.end;
  return any;
}

// False if a mask leaves no column.
bool Item::AddBias(int64_t head, int64_t block, int64_t column, int count, GradientStep& step) {
  if (!p_.mask.given() && !p_.adds_to_scores() && !p_.drop.given()) return true;
  TileRows rows;
  rows.batch = item_.batch;
  rows.count = RowsOf(block);
  std::fill_n(rows.head, rows.count, head);
  for (int i = 0; i < rows.count; ++i) rows.row[i] = block * kRows + i;
  if (p_.mask.given()) {
    const Masked masked = bias_.PlaceMask(rows, column, count, Form::kPrefill, scratch_.masked);
    if (masked == Masked::kAll) return false;
    if (masked == Masked::kSome) step.masked = scratch_.masked;
  }
  if (p_.adds_to_scores()) {
    bias_.PlacePse(rows, column, count, Form::kPrefill, scratch_.add);
    step.add = scratch_.add;
  }
  if (p_.drop.given()) {
    bias_.PlaceKept(rows, column, count, scratch_.keep);
    step.keep = scratch_.keep;
    step.keep_scale = p_.keep_scale;
  }
  return true;
}

void Item::Step(int64_t head, int64_t block, int64_t column, int count, float* dq) {
  GradientStep step{};
  if (!LimitRows(block, column, count, step) || !AddBias(head, block, column, count, step)) {
    return WritePse(head, block, column, count, true);
  }
  const RowBlock rows = scratch_.Block(block);
  step.columns = count;
  step.vectors = (RowsOf(block) + 15) / 16;
  step.dim = static_cast<int>(p_.dim);
  step.value_dim = static_cast<int>(p_.value_dim);
  step.step = cut_.step;
  step.q = rows.q;
  step.dy = rows.dy;
  step.q_rows = rows.q_rows;
  step.dy_rows = rows.dy_rows;
  step.k = scratch_.k;
  step.k_columns = bf16_ ? scratch_.k_columns : scratch_.k;
  step.v = scratch_.v;
  step.scale = p_.scale;
  step.m = rows.m;
  step.inverse_l = rows.inverse_l;
  step.delta = rows.delta;
  step.dq = dq;
  step.dk = scratch_.dk + (column - begin_) * cut_.step;
  step.dv = scratch_.dv + (column - begin_) * cut_.step;
  step.p_out = scratch_.p;
  step.ds_out = scratch_.ds;
  step.p_rounded = scratch_.p_rounded;
  step.ds_rounded = scratch_.ds_rounded;
  step.ds_pairs = scratch_.ds_pairs;
  const KernelSet& kernels = Kernels().flash_attention;
  (bf16_ ? kernels.gradient_bf16 : kernels.gradient_fp32)(step);
  WritePse(head, block, column, count, false);
}

// ds of a tile, which has the scale in it as a pse before scaling has.
void Item::WritePse(int64_t head, int64_t block, int64_t column, int count, bool zeros) {
  if (!g_.dpse.given()) return;
  float* const square = scratch_.bias.floats;
  for (int r = 0; r < RowsOf(block); r += 16) {
    if (zeros) {
      std::fill_n(square, 16 * kTile, 0.0f);
    } else {
      Kernels().attention.take_lanes(scratch_.ds + r, kRows, count, kTile, square);
      if (g_.dpse_scale != 1) {
        std::for_each_n(square, 16 * kTile, [&](float& ds) { ds *= g_.dpse_scale; });
      }
    }
    for (int i = r; i < std::min(r + 16, RowsOf(block)); ++i) {
      const int64_t at =
          RowAt(g_.dpse, item_.batch, head, block * kRows + i) + column * ColumnStep(g_.dpse);
      WriteRow(bound_, g_.dpse, at, count, square + (i - r) * kTile);
    }
  }
}

void Item::Run(float* partials, int64_t head_step) {
  const auto columns = static_cast<size_t>(cut_.split_columns * cut_.step);
  std::memset(scratch_.dk, 0, sizeof(float) * columns);
  std::memset(scratch_.dv, 0, sizeof(float) * columns);
  // Behind dim, where they are not packed.
  for (float* tile : {scratch_.k, scratch_.v}) {
    std::memset(tile, 0, sizeof(float) * kTile * static_cast<size_t>(cut_.step));
  }
  for (int64_t i = 0; i < p_.group; ++i) {
    const int64_t head = item_.head * p_.group + i;
    float* const dq = partials == nullptr ? scratch_.dq : partials + i * head_step;
    std::memset(dq, 0, sizeof(float) * static_cast<size_t>(cut_.head_floats()));
    for (int64_t block = 0; block < cut_.row_blocks && begin_ < end_; ++block) {
      LoadBlock(head, block);
    }
    for (int64_t column = begin_; column < end_; column += kTile) {
      const int count = static_cast<int>(std::min<int64_t>(kTile, end_ - column));
      LoadTile(column, count);
      for (int64_t block = 0; block < cut_.row_blocks; ++block) {
        Step(head, block, column, count, dq + block * cut_.block_floats());
      }
    }
    if (partials == nullptr) {
      WriteQueryGradient(bound_, g_, cut_, item_.batch, head, dq, scratch_.square);
    }
  }
  for (int64_t column = begin_; column < end_; ++column) {
    const int64_t at = (column - begin_) * cut_.step;
    WriteRow(bound_, g_.dk, RowAt(g_.dk, item_.batch, item_.head, column), p_.dim,
             scratch_.dk + at);
    WriteRow(bound_, g_.dv, RowAt(g_.dv, item_.batch, item_.head, column), p_.value_dim,
             scratch_.dv + at);
  }
}

}  // namespace

GradientScratch::GradientScratch(const GradientParams& params, const Cut& cut, char* memory)
    : block_floats_(cut.block_floats()), at_(reinterpret_cast<uintptr_t>(memory)) {
  const Params& p = params.common;
  const int64_t tile = int64_t{kTile} * cut.step;
  constexpr int64_t kScores = kTile * kRows;
  blocks = Take<float>(cut.row_blocks * (4 * block_floats_ + 3 * kRows));
  if (cut.splits == 1) dq = Take<float>(cut.head_floats());
  k = Take<float>(tile);
  k_columns = Take<float>(tile);
  v = Take<float>(tile);
  dk = Take<float>(cut.split_columns * cut.step);
  dv = Take<float>(cut.split_columns * cut.step);
  this->p = Take<float>(kScores);
  ds = Take<float>(kScores);
  p_rounded = Take<uint16_t>(kTile * kRoundedRows);
  ds_rounded = Take<uint16_t>(kTile * kRoundedRows);
  ds_pairs = Take<int32_t>(kScores);
  begin = Take<int32_t>(kRows);
  end = Take<int32_t>(kRows);
  add = Take<float>(p.adds_to_scores() ? kScores : 0);
  masked = Take<int8_t>(kScores);
  keep = Take<int8_t>(kScores);
  bias.bytes = Take<int8_t>(kScores);
  bias.floats = Take<float>(16 * kTile);
  bias.gathered = Take<char>(kTile * 4);
  square = Take<float>(2 * 16 * int64_t{cut.step});
  gathered = Take<char>(tile * 4);
  rows = Take<const char*>(kTile);
}

RowBlock GradientScratch::Block(int64_t index) const {
  float* at = blocks + index * (4 * block_floats_ + 3 * kRows);
  float* const statistics = at + 4 * block_floats_;
  return {at,         at + block_floats_, at + 2 * block_floats_, at + 3 * block_floats_,
          statistics, statistics + kRows, statistics + 2 * kRows};
}

void AddGradient(const Bound& bound, const GradientParams& params, const Cut& cut,
                 const GradientItem& item, char* memory, float* partials, int64_t head_step) {
  Item(bound, params, cut, item, memory).Run(partials, head_step);
}

void WriteQueryGradient(const Bound& bound, const GradientParams& params, const Cut& cut,
                        int64_t batch, int64_t head, const float* dq, float* square) {
  const int64_t rows = params.common.query_size;
  if (params.dim == 0) return;
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t r = row % kRows;
    if (r % 16 == 0) {
      const float* lanes = dq + row / kRows * cut.block_floats() + r;
      Kernels().attention.take_lanes(lanes, kRows, static_cast<int>(params.dim), cut.step, square);
    }
    WriteRow(bound, params.dq, RowAt(params.dq, batch, head, row), params.dim,
             square + r % 16 * cut.step);
  }
}

}  // namespace anyacl::flash_attention
