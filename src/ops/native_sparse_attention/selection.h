// SPDX-License-Identifier: Apache-2.0
// Which keys a token attends to: those of the blocks that device data names for it and a head of
// keys.
#pragma once

#include "nnop/executor.h"
#include "ops/native_sparse_attention/pages.h"

namespace anyacl::native_sparse_attention {

// Rows of queries and the keys of a sequence. `index` is its number.
struct AttendedSequence {
  int64_t index = 0;
  Rows rows;
  Rows keys;
};

// What a row sees of its sequence's keys: all, those up to its own number, or, where the last row
// belongs to the last key, those up to its own.
enum class Sees { kAll, kUpToItsNumber, kUpToItsKey };

struct Selection {
  TensorView indices;  // [row][head of keys][k]
  int64_t block_size = 1;
  Sees sees = Sees::kAll;
  bool may_end = false;  // a list at -1
  Pages pages;

  int64_t most_keys() const { return indices.sizes[2] * block_size; }
  // The rows of the keys of row `i` of a sequence, in the order of the list; a block named twice
  // gives its keys twice.
  Status Read(const Bindings& bindings, const AttendedSequence& sequence, int64_t i, int64_t head,
              int32_t* keys, int64_t* count) const;

 private:
  int64_t Visible(const AttendedSequence& sequence, int64_t i) const;
};

}  // namespace anyacl::native_sparse_attention
