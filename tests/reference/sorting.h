// SPDX-License-Identifier: Apache-2.0
// Orders and what follows from them, in plain loops.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/movement.h"

namespace anyacl::test {

// The places of elements in order: NaN is the largest, equal elements keep their order.
std::vector<int64_t> OrderOf(const std::vector<double>& values, bool descending);

// For each row along `dim`, the row-major numbers of its elements. -1: one row of all.
std::vector<std::vector<int64_t>> RowsOf(const Shape& shape, int64_t dim);

struct Distinct {
  std::vector<double> values;
  std::vector<int64_t> inverse, counts;
};
// Of elements in order, or as they are; a NaN equals nothing.
Distinct DistinctOf(const std::vector<double>& values, bool ordered);

}  // namespace anyacl::test
