// SPDX-License-Identifier: Apache-2.0
// A validated problem without features: every tensor is a slot, an offset and strides. Nothing here
// depends on device data.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "attention/kernel.h"
#include "nnop/objects.h"

namespace anyacl::attention {

// Elements at [batch][head][row][column]; strides in elements. Slot -1: absent.
struct Grid {
  int slot = -1;
  int64_t base = 0;
  int64_t batch = 0;
  int64_t head = 0;
  int64_t row = 0;
  int64_t column = 0;

  bool given() const { return slot >= 0; }
  int64_t At(int64_t b, int64_t h, int64_t r) const {
    return base + b * batch + h * head + r * row;
  }
};

// Where the tokens of one head lie: rows of keys or values, or single scales. Strides in bytes.
struct TokenMap {
  int slot = -1;
  int64_t base = 0;
  int64_t batch = 0;
  int64_t head = 0;
  int64_t token = 0;
  int64_t unit = 0;   // from element to element of a row
  int64_t block = 0;  // paged: from block to block
  // Rows in pieces (FRACTAL_NZ): so many elements lie together, 0: all; and from piece to piece.
  int64_t piece = 0;
  int64_t piece_step = 0;

  bool given() const { return slot >= 0; }
};

// Numbers at a flat index: c of a tensor of any shape.
struct FlatMap {
  int slot = -1;
  Source source = Source::kFloat;
  bool wide = false;  // UINT64 with the bits of a float in its low half
  int64_t base = 0;
  int rank = 0;
  int64_t sizes[4] = {};
  int64_t strides[4] = {};

  bool given() const { return slot >= 0; }
  int64_t At(int64_t index) const {
    int64_t offset = base;
    for (int i = rank; i-- > 0;) {
      offset += index % sizes[i] * strides[i];
      index /= sizes[i];
    }
    return offset;
  }
};

// A scale or an offset of keys or values: per token (and head), or a number for each channel, of
// which `repeat` neighbours share one.
struct ScaleMap {
  bool per_token = false;
  bool paged = false;
  TokenMap tokens;
  FlatMap channels;
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
  int64_t rope_dim =
      0;  // the last ones of dim, which are in tensors of their own; a multiple of 16
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

  Source query_type = Source::kFp16;
  Source cache_type = Source::kFp16;
  Target out_type = Target::kFp16;
  Grid query, out, lse, mask, pse;
  Source pse_type = Source::kFp16;
  Grid query_rope;
  Source rope_type = Source::kFp16;  // of the ropes of queries and keys
  Grid query_scale;  // floats that an INT8 query is multiplied with, but not its rope
  // Of each query head: a score of a column that has no value.
  FlatMap sink;
  float pse_scale = 1;
  // Of each row the maximum and the sum of the softmax, once for each of the columns.
  Grid max, sum;
  static constexpr int kStatistics = 8;
  // Dropout: bit [batch][head][row][column] of bytes, the lowest one first; `column` is from byte
  // to byte. What is kept is multiplied by keep_scale.
  Grid drop;
  float keep_scale = 1;

  // One, or one per batch entry.
  std::vector<TokenMap> keys, values;
  std::vector<TokenMap> key_ropes;  // as many as keys, or none
  TokenMap key_prefix, value_prefix;
  int64_t max_kv_length = 0;
  int64_t block_size = 0;  // 0: not paged
  int64_t block_count = 0;
  Grid block_table;  // [batch], column: from block to block
  CacheScales key_scales, value_scales;

  // INT8 queries.
  FlatMap score_scale, probability_scale, sum_scale;
  // INT8 outputs: flat index n * D + d, or one number.
  FlatMap out_scale, out_offset;

  std::shared_ptr<const IntArray> query_lengths, kv_lengths;  // null: all
  std::vector<int64_t> kv_sizes;                              // of a list
  // Ragged: the rows of all batch entries follow each other in one dimension, and the batch strides
  // are 0. Where each entry's rows, or tokens, begin; empty: not so.
  std::vector<int64_t> query_starts, kv_starts;
  int64_t query_rows = 0;  // ragged: of the whole tensor
  // The mask is square, over the last columns of each entry, as many as it has rows; those before
  // are seen by all. Ragged: where the square of each entry begins.
  bool tree_mask = false;
  std::vector<int64_t> mask_starts;
  Window window;
  // Per batch entry: so many of the first columns count, whatever the window says.
  std::shared_ptr<const IntArray> first_columns;
  int query_padding = -1;  // slots of INT64
  int64_t query_padding_at = 0;
  int kv_padding = -1;
  int64_t kv_padding_at = 0;

  int64_t heads() const { return kv_heads * group; }
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
