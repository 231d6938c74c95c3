// SPDX-License-Identifier: Apache-2.0
#include "reference/sorting.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace anyacl::test {

std::vector<int64_t> OrderOf(const std::vector<double>& values, bool descending) {
  std::vector<int64_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    const double x = values[static_cast<size_t>(descending ? b : a)];
    const double y = values[static_cast<size_t>(descending ? a : b)];
    return x < y || (std::isnan(y) && !std::isnan(x));
  });
  return order;
}

std::vector<std::vector<int64_t>> RowsOf(const Shape& shape, int64_t dim) {
  const int64_t count = CountOf(shape);
  if (dim == -1) {
    std::vector<int64_t> all(static_cast<size_t>(count));
    std::iota(all.begin(), all.end(), 0);
    return {all};
  }
  int64_t behind = 1;
  for (size_t i = static_cast<size_t>(dim) + 1; i < shape.size(); ++i) behind *= shape[i];
  const int64_t length = shape[static_cast<size_t>(dim)];
  std::vector<std::vector<int64_t>> rows;
  for (int64_t before = 0; length > 0 && before < count / (length * behind); ++before) {
    for (int64_t b = 0; b < behind; ++b) {
      std::vector<int64_t> row;
      for (int64_t i = 0; i < length; ++i) row.push_back((before * length + i) * behind + b);
      rows.push_back(row);
    }
  }
  return rows;
}

Distinct DistinctOf(const std::vector<double>& values, bool ordered) {
  std::vector<int64_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  if (ordered) order = OrderOf(values, false);
  Distinct distinct;
  distinct.inverse.resize(values.size());
  for (size_t i = 0; i < order.size(); ++i) {
    const double value = values[static_cast<size_t>(order[i])];
    if (i == 0 || value != values[static_cast<size_t>(order[i - 1])]) {
      distinct.values.push_back(value);
      distinct.counts.push_back(0);
    }
    ++distinct.counts.back();
    distinct.inverse[static_cast<size_t>(order[i])] = std::ssize(distinct.values) - 1;
  }
  return distinct;
}

}  // namespace anyacl::test
