// SPDX-License-Identifier: Apache-2.0
// A result, and of each number what its terms sum up to in magnitude.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace anyacl::test {

struct Summed {
  std::vector<double> values, sizes;

  explicit Summed(size_t count = 0) : values(count), sizes(count) {}
  void Add(size_t at, double term) { Add(at, term, term); }
  // Of a difference: the magnitude of its parts.
  void Add(size_t at, double term, double size) {
    values[at] += term;
    sizes[at] += std::abs(size);
  }
};

}  // namespace anyacl::test
