// SPDX-License-Identifier: Apache-2.0
#include "attention/results.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels.h"

namespace anyacl::attention {
namespace {

enum class RowKind { kUsual, kEmpty, kCleared };

// What gradients need. Rows of nothing have statistics that give every probability 0.
void WriteStatistics(const Bound& bound, const RowPlace& place, RowKind kind,
                     const RowState& state) {
  const Params& p = bound.params;
  const auto write = [&](const TensorView& view, float value) {
    float* at = reinterpret_cast<float*>(bound.At(view.slot)) +
                p.StatisticAt(view, place.batch, place.query_head, place.row);
    for (int64_t i = 0; i < Params::kStatistics; ++i) at[i * ColumnStep(view)] = value;
  };
  constexpr float kLargest = std::numeric_limits<float>::max();
  // A sink is a column that every row sees.
  const bool usual = kind == RowKind::kUsual || (p.sink.given() && !p.no_columns);
  write(p.max, usual ? state.m : p.no_columns ? 0 : -kLargest);
  write(p.sum, usual ? state.l : p.no_columns ? 0 : kLargest);
}

void WriteRow(const Bound& bound, const RowPlace& place, RowKind kind, const RowState& state) {
  const Params& p = bound.params;
  const Params::Origins origins = p.OriginsOf(place.batch);
  const int64_t at = origins.out + RowAt(p.out, place.batch, place.query_head, place.row);
  char* const to = bound.At(p.out.slot) + at * BytesOf(p.out_type);
  const int64_t head = place.query_head / p.group;
  const auto channels = [&](const float* all) {
    return all == nullptr ? nullptr : all + head * p.dim;
  };
  static constexpr float kZeros[kMaxDim] = {};
  OutRow row{.o = state.o,
             .l = state.l,
             .extra = state.extra,
             .dim = static_cast<int>(p.value_dim),
             .value_scale = channels(bound.value_scale),
             .value_offset = channels(bound.value_offset),
             .out_scale = nullptr,
             .out_offset = nullptr,
             .out = to,
             .step = ColumnStep(p.out)};
  if (p.out_type == Element::kInt8) {
    row.out_scale = bound.out_scale + place.query_head * p.dim;
    row.out_offset = bound.out_offset + place.query_head * p.dim;
  }
  if (kind != RowKind::kUsual) {
    row.o = kZeros;
    row.l = 1;
    row.extra = 0;
    row.value_scale = row.value_offset = nullptr;
    // The zeros themselves, not what they would be quantised to.
    if (kind == RowKind::kCleared || p.raw_empty_rows) row.out_scale = row.out_offset = kZeros;
  }
  Kernels().attention.write_row(p.out_type, row);
  if (p.max.given()) WriteStatistics(bound, place, kind, state);
  if (!p.lse.given()) return;
  const int64_t lse_at = origins.lse + RowAt(p.lse, place.batch, place.query_head, place.row);
  reinterpret_cast<float*>(bound.At(p.lse.slot))[lse_at] =
      kind == RowKind::kUsual ? static_cast<float>(state.m + std::log(static_cast<double>(state.l)))
                              : std::numeric_limits<float>::infinity();
}

RowKind KindOf(const Bound& bound, const RowPlace& place, float m) {
  const Params& p = bound.params;
  if (bound.FirstToken(place.batch) < 0) return RowKind::kCleared;
  const Interval columns = p.ColumnsOf(place.batch, place.row - bound.FirstQueryRow(place.batch));
  if (columns.begin >= columns.end) return RowKind::kEmpty;
  return p.correct_rows && m == p.masked_score ? RowKind::kEmpty : RowKind::kUsual;
}

}  // namespace

void WriteResult(const Bound& bound, const RowPlace& place, const RowState& state) {
  WriteRow(bound, place, KindOf(bound, place, state.m), state);
}

void Merge(const Bound& bound, const Blocking& blocking, int64_t batch, int64_t head,
           float* partials) {
  const Params& p = bound.params;
  const int64_t size = blocking.partial_floats();
  const int64_t rows = std::min(blocking.rows, p.QueryLength(batch) * p.group);
  for (int64_t r = 0; r < rows; ++r) {
    alignas(64) float o[kMaxDim];
    MergeRow merged{.partials = partials + r * size,
                    .split_step = blocking.rows * size,
                    .splits = static_cast<int>(blocking.splits),
                    .dim = static_cast<int>(p.value_dim),
                    .m = 0,
                    .l = 0,
                    .o = o};
    Kernels().attention.merge_row(merged);
    const int64_t row = r / p.group;
    const RowPlace place{batch, head * p.group + r % p.group, bound.FirstQueryRow(batch) + row};
    WriteResult(bound, place, {merged.m, merged.l, 0, o});
  }
}

void ClearOtherRows(const Bound& bound, int64_t batch, int64_t query_head) {
  const Params& p = bound.params;
  const int64_t begin = bound.FirstQueryRow(batch);
  const int64_t end = begin + p.QueryLength(batch);
  if (!p.query_starts.empty()) {
    for (int64_t row = end; batch + 1 == p.batch && row < p.query_rows; ++row) {
      WriteRow(bound, {batch, query_head, row}, RowKind::kCleared, {});
    }
    return;
  }
  for (int64_t row = 0; row < p.query_size; ++row) {
    if (row == begin) row = end;
    if (row >= p.query_size) return;
    WriteRow(bound, {batch, query_head, row}, RowKind::kCleared, {});
  }
}

}  // namespace anyacl::attention
