// SPDX-License-Identifier: Apache-2.0
// Time stamps and order statistics of measurements.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace anyacl::bench {

// Seconds since some fixed point.
inline double Now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The value that `part` (0 to 1) of the values do not exceed.
inline double Quantile(std::vector<double> values, double part) {
  const auto index = static_cast<size_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(index),
                   values.end());
  return values[index];
}

inline double Median(const std::vector<double>& values) { return Quantile(values, 0.5); }

}  // namespace anyacl::bench
