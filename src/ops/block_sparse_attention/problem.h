// SPDX-License-Identifier: Apache-2.0
// A checked call: sequences of queries and keys whatever the layout, and which blocks of keys a
// block of queries sees.
#pragma once

#include <algorithm>
#include <vector>

#include "attention/views.h"
#include "nnop/operands.h"
#include "ops/block_sparse_attention/operators.h"

namespace anyacl::block_sparse_attention {

// Tokens of a sequence: where they begin in a ragged tensor, and how many there are.
struct Sequence {
  int64_t first_row = 0, rows = 0;
  int64_t first_key = 0, keys = 0;
};

struct Problem {
  bool ragged = false;
  attention::Axes axes = {};
  int64_t batch = 0, heads = 0, key_heads = 0, dim = 0;
  int64_t row_size = 0, key_size = 0;  // S, or T
  int64_t block_rows = 128, block_keys = 128;
  std::vector<Sequence> sequences;  // one, if all are alike
  TensorView mask;                  // [B][N][Q][K]
  float scale = 1;

  const Sequence& SequenceOf(int64_t b) const {
    return sequences[sequences.size() == 1 ? 0 : static_cast<size_t>(b)];
  }
  int64_t most_rows() const {
    int64_t most = 0;
    for (const Sequence& s : sequences) most = std::max(most, s.rows);
    return most;
  }
  int64_t most_keys() const {
    int64_t most = 0;
    for (const Sequence& s : sequences) most = std::max(most, s.keys);
    return most;
  }

  // Rows of a view of queries or of keys that no sequence has become `number`.
  void FillUnused(const Bindings& bindings, const TensorView& view, int64_t Sequence::*first,
                  int64_t Sequence::*count, float number) const;

  // Calls visit(number of the block, its keys) for the blocks of keys of sequence b that a block of
  // rows of a head sees, in their order.
  template <class Visit>
  void ForChosen(const Bindings& bindings, int64_t b, int64_t head, int64_t row_block,
                 const Visit& visit) const {
    const int64_t keys = SequenceOf(b).keys;
    const char* const row = mask.given() ? mask.Address(bindings) + b * mask.strides[0] +
                                               head * mask.strides[1] + row_block * mask.strides[2]
                                         : nullptr;
    for (int64_t block = 0; block * block_keys < keys; ++block) {
      if (row != nullptr && row[block * mask.strides[3]] == 0) continue;
      visit(block, std::min(block_keys, keys - block * block_keys));
    }
  }
};

Status CheckProblem(Operands& operands, Problem* problem);

// [batch][head][row][column]; of a ragged tensor the batch stride is 0, and a sequence's rows begin
// where it does.
TensorView ViewByHead(const Operands& operands, const Problem& problem, int id);

}  // namespace anyacl::block_sparse_attention
