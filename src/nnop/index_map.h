// SPDX-License-Identifier: Apache-2.0
// IndexMap: where the elements of a strided tensor lie, counted in row-major order.
#pragma once

#include <cstdint>

#include "nnop/operands.h"

namespace anyacl {

struct IndexMap {
  int64_t base = 0;  // all in elements
  int rank = 0;
  int64_t sizes[8] = {};
  int64_t strides[8] = {};

  int64_t At(int64_t index) const {
    int64_t offset = base;
    for (int i = rank - 1; i > 0; --i) {
      offset += index % sizes[i] * strides[i];
      index /= sizes[i];
    }
    return offset + index * strides[0];
  }

  // Element i lies at base + i.
  bool IsDense() const { return rank == 0 || (rank == 1 && strides[0] == 1); }
};

// Of the leading dimensions of a tensor: At(i) is the begin of the i-th slice over the others.
// Dimensions that are one step in memory become one.
IndexMap MapLeading(const Operand& operand, size_t dims);
inline IndexMap MapAll(const Operand& operand) {
  return MapLeading(operand, operand.shape().rank());
}

// Copies elements first to first + count - 1, of 2 or 4 bytes each, out of a tensor or into it.
void Gather(const IndexMap& map, const char* tensor, size_t element_bytes, int64_t first,
            int64_t count, void* out);
void Scatter(const IndexMap& map, char* tensor, size_t element_bytes, int64_t first, int64_t count,
             const void* in);

}  // namespace anyacl
