// SPDX-License-Identifier: Apache-2.0
// The one loop over tiles of columns, for some rows of one batch entry and one head of keys.
#pragma once

#include "attention/bind.h"
#include "base/division.h"

namespace anyacl::attention {

// How the rows of a (batch entry, head of keys) are cut: row r is row r / group of the query, for
// query head head * group + r % group.
struct Blocking {
  bool decode = false;         // the form of the kernels, else prefill
  bool bf16 = false;           // arithmetic of prefill
  bool narrow_scores = false;  // of decode: see DecodeStep
  bool narrow_values = false;
  int64_t rows = 0;        // of all blocks
  int64_t block_rows = 0;  // of one, a multiple of 16 in prefill
  int64_t splits = 1;      // of the columns
  int64_t split_columns = 0;
  // Heads of keys that one item takes tile by tile in turn, where the rows of a token's heads are
  // neighbours in memory: 256 bytes out of 2 KiB at a time read at two thirds of the speed.
  int64_t heads_together = 1;
  size_t scratch_bytes = 0;  // for one head
  int row_step = 0;          // floats from row to row: dim rounded up to 16, or 32

  int64_t blocks() const { return CeilDivide(rows, block_rows); }
  // Floats of what a split leaves of a row: m, l and o.
  int64_t partial_floats() const { return row_step + kPartialHead; }
  // Of all splits of one head.
  int64_t head_floats() const { return splits == 1 ? 0 : splits * rows * partial_floats(); }
};

inline constexpr int64_t kMaxHeadsTogether = 8;

Blocking ChooseBlocking(const Params& params);

struct Item {
  int64_t batch;
  int64_t head;  // the first one
  int64_t block;
  int64_t split;
};

// Attends and writes the rows of the output, or what is left for Merge: [row][partial_floats], the
// rows of all blocks, for each head head_floats further.
void Attend(const Bound& bound, const Blocking& blocking, const Item& item, char* scratch,
            float* partials);

}  // namespace anyacl::attention
