// SPDX-License-Identifier: Apache-2.0
// Ranges of rows filled with numbers, called by name.
#include <cstring>

#include "acl/error_codes/rt_error_codes.h"
#include "base/dtype.h"
#include "ops/indexing/nodes.h"
#include "ops/steps.h"

namespace anyacl::indexing {

// Range r of column n, from start[r, n] to before end[r, n] along `axis`, becomes value[r]: of the
// last axis of two or more in row n of the first, else in all. The last range of an element counts.
Status PrepareFillRange(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const Dims shape = operands[kSelf].shape();
  const int code = operands.spec().codes.shape;
  const size_t rank = shape.rank();
  if (rank < 1 || rank > 3) {
    return Fail(code, "x.shape = {}, expected 1 to 3 dimensions", shape.ToString());
  }
  int axis = 0;
  if (Status s = CheckDim(operands, "axis", operands.Int(kAxis), rank, &axis); !s.ok()) return s;
  const int64_t ranges = operands.Size("R"), columns = operands.Size("N");
  const bool by_row = rank > 1 && axis == static_cast<int>(rank) - 1;
  if (by_row && columns > shape[0]) {
    return Fail(code, "start.shape = {}, expected at most {} columns, rows of x",
                operands[kRangeStart].shape().ToString(), shape[0]);
  }
  if (operands[kOut].IsEmpty()) return {};
  Steps steps(operands);
  const aclDataType type = operands[kSelf].dtype();
  InnerTensor starts, ends, values;
  if (Status s = steps.ContiguousAs(kRangeStart, ACL_INT32, &starts); !s.ok()) return s;
  if (Status s = steps.ContiguousAs(kRangeEnd, ACL_INT32, &ends); !s.ok()) return s;
  if (Status s = steps.ContiguousAs(kValue, type, &values); !s.ok()) return s;
  const InnerTensor out = steps.Piece("y", type, shape);
  if (Status s = steps.Copy(out, TensorOf(operands, kSelf)); !s.ok()) return s;
  int64_t rows = 1, inner = 1;  // around the axis
  for (size_t d = 0; d < rank; ++d) {
    if (static_cast<int>(d) < axis) rows *= shape[d];
    if (static_cast<int>(d) > axis) inner *= shape[d];
  }
  const int64_t size = shape[static_cast<size_t>(axis)], bytes = BitsOf(type) / 8;
  const int64_t rows_of_first = by_row ? rows / shape[0] : rows;
  steps.Add([=](const Bindings& bindings, char*, const StopToken&) -> Status {
    const auto* start = reinterpret_cast<const int32_t*>(starts.Address(bindings));
    const auto* end = reinterpret_cast<const int32_t*>(ends.Address(bindings));
    const char* value = values.Address(bindings);
    char* const to = out.Address(bindings);
    for (int64_t i = 0; i < ranges * columns; ++i) {
      if (start[i] >= 0 && end[i] <= size) continue;
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                  "range {} of column {} is {} to {}, expected within 0 to {}", i / columns,
                  i % columns, start[i], end[i], size);
    }
    for (int64_t i = 0; i < ranges * columns; ++i) {
      const int64_t first = by_row ? i % columns * rows_of_first : 0;
      for (int64_t row = first; row < first + rows_of_first; ++row) {
        for (int64_t k = start[i] * inner; k < end[i] * inner; ++k) {
          std::memcpy(to + (row * size * inner + k) * bytes, value + i / columns * bytes,
                      static_cast<size_t>(bytes));
        }
      }
    }
    return {};
  });
  if (Status s = steps.Copy(TensorOf(operands, kOut), out); !s.ok()) return s;
  return steps.Finish(call);
}

}  // namespace anyacl::indexing
