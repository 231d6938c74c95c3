// SPDX-License-Identifier: Apache-2.0
// Queries and keys whose last columns, the ropes, are in tensors of their own: put side by side in
// the workspace, and their gradients taken apart again. Beside S columns for each row of scores the
// copies cost nothing.
#pragma once

#include "ops/flash_attention/op.h"

namespace anyacl::flash_attention {

// The rules for ropes; reads their D.
Status CheckRopes(const Operands& operands, Sizes* sizes);

// What the rows of `operands` are, ropes or none: views [1][head][row][D of both].
class JoinedRows {
 public:
  // Gradients are of so many rows and columns from the first.
  JoinedRows(const Operands& operands, const Sizes& sizes, int64_t rows, int64_t columns);

  TensorView query, key, dq, dk;

  // `plan` computes with these views.
  std::shared_ptr<const Plan> Around(std::shared_ptr<const Plan> plan) const;

 private:
  TensorView Piece(int id, int64_t rows, int64_t heads);

  const Operands& operands_;
  const Sizes& sizes_;
  const int64_t rows_, columns_;
  int slots_;
};

}  // namespace anyacl::flash_attention
