// SPDX-License-Identifier: Apache-2.0
// Rows of several sequences, one after the other, and the blocks that a sequence is compressed to.
#pragma once

#include <vector>

#include "nnop/view.h"
#include "ops/native_sparse_attention/operators.h"

namespace anyacl::native_sparse_attention {

// Of rules on values and on what goes together.
inline int RuleCode(const Operands& operands) {
  const OpSpec& spec = operands.spec();
  return spec.constraint_code != 0 ? spec.constraint_code : spec.codes.shape;
}

struct Rows {
  int64_t first = 0;
  int64_t count = 0;
};

// The sequences that an array of ends cuts the `total` rows of `tensor` into; rows may be left.
Status ReadEnds(const Operands& operands, int ends, int64_t total, int tensor,
                std::vector<Rows>* sequences);

// "TND", and nothing else.
Status CheckLayout(const Operands& operands, int id);

// An integer must be a multiple of 16.
Status CheckUnit(const Operands& operands, int id);

// Windows and strides.
Status CheckWindow(const Operands& operands);

// And blocks that are chosen, where a call has all three.
Status CheckBlockSizes(const Operands& operands);

// How keys are compressed: `window` of them every `stride`.
struct Blocks {
  int64_t window = 0;
  int64_t stride = 0;

  int64_t Count(int64_t rows) const { return rows < window ? 0 : (rows - window) / stride + 1; }
};

}  // namespace anyacl::native_sparse_attention
