// SPDX-License-Identifier: Apache-2.0
// What operators that compress keys have in common: limits, the sequences with their blocks, and
// weights as floats.
#pragma once

#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/native_sparse_attention/sequences.h"
#include "runtime/parallel.h"

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

// Numbers that are worth a thread: 2 us.
inline constexpr int64_t kWorthNumbers = 1 << 13;

// A plan with the weights [w][head] as floats, and for each thread some rows of D numbers.
class CompressionPlan : public BookedPlan {
 protected:
  CompressionPlan(const TensorView& weight, int64_t dim)
      : weight_(weight), dim_(dim), row_floats_((dim + 15) / 16 * 16) {
    weights_ = book_.Book<float>(static_cast<size_t>(weight.sizes[0] * weight.sizes[1]));
    rows_ = book_.Book<float>(ThreadCount(), kRows * row_floats_);
  }

  static constexpr int64_t kRows = 2;
  // Row `index` of a thread's own.
  float* RowOf(const Bindings& bindings, int64_t slot, int64_t index) const {
    return rows_.In(bindings) + (slot * kRows + index) * row_floats_;
  }
  const float* LoadedWeights(const Bindings& bindings) const {
    float* const weights = weights_.In(bindings);
    blocks::Loader(Element::kFp32, weight_.dtype)(
        {weight_.Address(bindings), weight_.sizes[0], heads(), weight_.strides[0],
         weight_.strides[1], false},
        weights);
    return weights;
  }
  int64_t window() const { return weight_.sizes[0]; }
  int64_t heads() const { return weight_.sizes[1]; }
  int64_t dim() const { return dim_; }

 private:
  const TensorView weight_;
  const int64_t dim_;
  const int64_t row_floats_;
  WorkspaceSlot<float> weights_, rows_;
};

// Windows and strides, heads and numbers, in that order: what the table cannot say.
struct CompressLimits {
  int64_t heads;
  int64_t dim;
};
Status CheckCompressSizes(const Operands& operands, const CompressLimits& limits);

}  // namespace anyacl::native_sparse_attention
