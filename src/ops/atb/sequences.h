// SPDX-License-Identifier: Apache-2.0
// Sequences of attention, one after the other in tensors of tokens.
#pragma once

#include <vector>

#include "attention/params.h"
#include "nnop/operands.h"

namespace anyacl::atb_operations {

inline constexpr attention::Axes kTokenAxes = {-1, 0, 1};  // [T, N, D]

struct Sequences {
  std::vector<int64_t> rows, columns;  // of each
  int64_t most_rows = 0, most_columns = 0;
  bool one_row_each = false;  // said by the absence of lengths
};

Status CheckHeads(const Operands& operands);
Status ReadSequences(const Operands& operands, Sequences* s);

// The mask as [B or 1][N or 1][rows][columns]. Rows for each token are those of the one batch entry
// that sequences one after the other have, or each the only row of its sequence.
Status ReadMask(const Operands& operands, const Sequences& s, TensorView* mask);

// The problem of all sequences at once, without a mask.
attention::Params ParamsOf(const Operands& operands, const Sequences& s);

// The ropes of latent heads, in tensors of their own: their numbers in a head, and the problem with
// them.
Status CheckRope(const Operands& operands);
void AddRope(const Operands& operands, attention::Params* params);

}  // namespace anyacl::atb_operations
