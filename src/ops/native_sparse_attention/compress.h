// SPDX-License-Identifier: Apache-2.0
// What operators that compress keys have in common: the sequences with their blocks, and weights as
// floats.
#pragma once

#include "nnop/workspace.h"
#include "ops/native_sparse_attention/sequences.h"

namespace anyacl::native_sparse_attention {

// The rows of a sequence and the blocks that they become.
struct Compressed {
  Rows rows;
  Rows blocks;
};

class BlockMap {
 public:
  // Of a call whose table has been checked: `tensor` has the rows, `blocks_of` the blocks.
  static Status Make(const Operands& operands, int tensor, int blocks_of, BlockMap* map);

  const Blocks& sizes() const { return sizes_; }
  int64_t count() const { return count_; }
  const std::vector<Compressed>& sequences() const { return sequences_; }
  // The first row of a block.
  int64_t FirstRow(int64_t block) const;
  // The blocks that have a row, and which place it has in the first of these.
  Rows BlocksOf(int64_t row, int64_t* place) const;

 private:
  Blocks sizes_;
  int64_t count_ = 0;
  std::vector<Compressed> sequences_;
};

// Weights [w][head] as floats [w][head].
void LoadWeights(const TensorView& weight, const Bindings& bindings, float* to);

}  // namespace anyacl::native_sparse_attention
