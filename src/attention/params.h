// SPDX-License-Identifier: Apache-2.0
// A validated problem without features: every tensor is a view. Nothing here depends on device
// data.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "attention/kernel.h"
#include "attention/views.h"
#include "nnop/objects.h"

namespace anyacl::attention {

// A scale or an offset of keys or values: per token (and head), or a number for each channel, of
// which `repeat` neighbours share one.
struct ScaleMap {
  bool per_token = false;
  bool paged = false;
  TokenMap tokens;
  TensorView channels;
  int64_t repeat = 1;

  bool given() const { return tokens.given() || channels.given(); }
};

struct CacheScales {
  ScaleMap scale;
  ScaleMap offset;
};

// The columns j that row i of a batch entry may attend to: i + low <= j <= i + high.
struct Window {
  bool limited_low = false;
  bool limited_high = false;
  bool to_the_end = false;  // counted from the last row and the last column
  int64_t low = 0;
  int64_t high = 0;
};

struct Interval {
  int64_t begin;
  int64_t end;
};

struct Params {
  bool one_token = false;
  int64_t batch = 0;
  int64_t query_size = 0;
  int64_t kv_heads = 0;
  int64_t group = 0;  // query heads per head of keys
  int64_t dim = 0;    // of queries and keys
  // The last ones of dim, which are in tensors of their own; a multiple of 16.
  int64_t rope_dim = 0;
  int64_t value_dim = 0;  // at most dim
  int64_t kv_size = 0;
  int64_t prefix = 0;
  float scale = 1;
  // What a masked score is replaced by, and whether a row of nothing else counts as empty. At -inf
  // masked columns are as if they were not there.
  float masked_score = 0;
  bool correct_rows = false;
  bool no_columns = false;      // keys and values are empty
  bool raw_empty_rows = false;  // INT8: rows without columns are 0 as they are, without offset

  Element query_type = Element::kFp16;
  Element cache_type = Element::kFp16;
  Element out_type = Element::kFp16;
  TensorView query, out, lse, mask, pse;  // [batch][head][row][column]
  Element pse_type = Element::kFp16;
  TensorView query_rope;
  Element rope_type = Element::kFp16;  // of the ropes of queries and keys
  TensorView query_scale;  // floats that an INT8 query is multiplied with, but not its rope
  // Of each query head: a score of a column that has no value.
  TensorView sink;
  float pse_scale = 1;
  // Instead of pse: floats [batch][head]. A score gets -slope * |row + slope_shift - column|, or
  // -slope times the root of that distance. Places are below 2^31.
  TensorView slopes;
  int64_t slope_shift = 0;
  bool slope_roots = false;
  // Of each row the maximum and the sum of the softmax, once for each of the columns.
  TensorView max, sum;
  static constexpr int kStatistics = 8;
  // Not -1: they lie [head][row][8] in order from this one of the first two dimensions' entries of
  // a view [1][.][.][8], whatever these dimensions are.
  int64_t statistics_start = -1;
  // Dropout: bit [batch][head][row][column] of a vector of bytes, the lowest one first. What is
  // kept is multiplied by keep_scale.
  TensorView drop;
  int64_t drop_start = 0;  // the bit that this is counted from
  float keep_scale = 1;

  // One, or one per batch entry.
  std::vector<TokenMap> keys, values;
  std::vector<TokenMap> key_ropes;  // as many as keys, or none
  TokenMap key_prefix, value_prefix;
  int64_t max_kv_length = 0;
  int64_t block_size = 0;  // 0: not paged
  int64_t block_count = 0;
  TensorView block_table;  // [batch][block]
  CacheScales key_scales, value_scales;

  // INT8 queries.
  TensorView score_scale, probability_scale, sum_scale;
  // INT8 outputs: flat index n * D + d, or one number.
  TensorView out_scale, out_offset;

  std::shared_ptr<const IntArray> query_lengths, kv_lengths;  // null: all
  std::vector<int64_t> kv_sizes;                              // of a list
  // Ragged: the rows of all batch entries follow each other in one dimension, and the batch strides
  // are 0. Where each entry's rows, or tokens, begin; empty: not so.
  std::vector<int64_t> query_starts, kv_starts;
  int64_t query_rows = 0;  // ragged: of the whole tensor
  // Entries that no stride leads to: the element at which the rows of each one begin, beside what
  // the views say, whose batch strides are 0. Rows behind an entry's own are then left alone.
  struct Origins {
    int64_t query = 0, out = 0, lse = 0;
  };
  std::vector<Origins> origins;
  // The mask is square, over the last columns of each entry, as many as it has rows; those before
  // are seen by all. Ragged: where the square of each entry begins.
  bool tree_mask = false;
  std::vector<int64_t> mask_starts;
  Window window;
  // Per batch entry: so many of the first columns count, whatever the window says.
  std::shared_ptr<const IntArray> first_columns;
  TensorView query_padding, kv_padding;  // of one INT64

  int64_t heads() const { return kv_heads * group; }
  Origins OriginsOf(int64_t b) const {
    return origins.empty() ? Origins() : origins[static_cast<size_t>(b)];
  }
  // The first element of a row's maximum or sum.
  int64_t StatisticAt(const TensorView& view, int64_t b, int64_t head, int64_t row) const {
    if (statistics_start < 0) return RowAt(view, b, head, row);
    const int64_t index = statistics_start + head * query_size + row, inner = view.sizes[2];
    return view.offset + index / inner * view.strides[1] + index % inner * view.strides[2];
  }
  bool adds_to_scores() const { return pse.given() || slopes.given(); }
  int64_t QueryLength(int64_t b) const { return Entry(query_lengths.get(), b, query_size); }
  int64_t KvLength(int64_t b) const {
    return Entry(kv_lengths.get(), b,
                 kv_sizes.empty() ? kv_size : kv_sizes[static_cast<size_t>(b)]);
  }
  // Columns of batch entry b: the prefix and its own.
  int64_t Columns(int64_t b) const { return no_columns ? 0 : prefix + KvLength(b); }
  // Of a row, counted without padding.
  Interval ColumnsOf(int64_t b, int64_t row) const {
    const int64_t columns = Columns(b);
    const int64_t shift = row + (window.to_the_end ? columns - QueryLength(b) : 0);
    Interval interval{0, columns};
    if (window.limited_low) interval.begin = std::clamp<int64_t>(shift + window.low, 0, columns);
    if (window.limited_high)
      interval.end = std::clamp<int64_t>(shift + window.high + 1, 0, columns);
    if (first_columns != nullptr) {
      interval.end = std::clamp<int64_t>(Entry(first_columns.get(), b, 0), interval.end, columns);
    }
    return interval;
  }

 private:
  static int64_t Entry(const IntArray* array, int64_t b, int64_t otherwise) {
    if (array == nullptr) return otherwise;
    return (*array)[array->size() == 1 ? 0 : static_cast<size_t>(b)];
  }
};

}  // namespace anyacl::attention
