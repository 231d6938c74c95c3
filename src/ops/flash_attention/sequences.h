// SPDX-License-Identifier: Apache-2.0
// Layout TND: where the sequences of a call lie.
#pragma once

#include <vector>

#include "ops/flash_attention/op.h"

namespace anyacl::flash_attention {

struct Sequence {
  int64_t first_row, rows;
  int64_t first_column, columns;
  int64_t first_score;  // of all heads' scores: a bit of dropMask
};

struct Problem {
  Sizes sizes;
  std::vector<Sequence> sequences;
};

// The planes of all heads of a sequence one after the other, in one dimension.
bool IsFlat(const Operands& operands);

// All checks but those of the results.
Status CheckSequences(Operands& operands, Problem* problem);

}  // namespace anyacl::flash_attention
