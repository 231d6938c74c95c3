// SPDX-License-Identifier: Apache-2.0
// From what the tiles have left of a row to the row of the output and its LSE.
#pragma once

#include "attention/attend.h"

namespace anyacl::attention {

// Maximum, sum of exp, what offsets of values add to every d, and the sums [d].
struct RowState {
  float m;
  float l;
  float extra;
  const float* o;
};

// Where a row of the result goes.
struct RowPlace {
  int64_t batch;
  int64_t query_head;
  int64_t row;  // in the tensor
};

void WriteResult(const Bound& bound, const RowPlace& place, const RowState& state);

// Combines the splits of a (batch entry, head): partials [split][row][partial_floats], in order.
void Merge(const Bound& bound, const Blocking& blocking, int64_t batch, int64_t head,
           float* partials);

// Rows of a batch entry and query head that belong to no sequence; ragged: those behind the last
// entry's.
void ClearOtherRows(const Bound& bound, int64_t batch, int64_t query_head);

}  // namespace anyacl::attention
