// SPDX-License-Identifier: Apache-2.0
// A product of matrices in double precision, at the heart of many operators' oracles.
#pragma once

#include <cstdint>
#include <vector>

namespace anyacl::test {

// What a product's elements are, [rows, columns], and the sums of their terms' magnitudes, of which
// rounding loses a part.
struct ProductSums {
  std::vector<double> sums, sizes;
};

// Of x [rows, depth] and w [depth, columns]; products are added up in order.
ProductSums ProductOf(const double* x, const double* w, int64_t rows, int64_t depth,
                      int64_t columns);

inline ProductSums ProductOf(const std::vector<double>& x, const std::vector<double>& w,
                             int64_t rows, int64_t depth, int64_t columns) {
  return ProductOf(x.data(), w.data(), rows, depth, columns);
}

// The sum of two lines' products and of their magnitudes.
struct LineSum {
  double sum = 0, size = 0;
};
LineSum DotOf(const double* x, const double* y, int64_t count);

// Adds weight * x to sums, and the magnitudes of x times size to sizes.
void AddTerms(double weight, double size, const double* x, int64_t count, double* sums,
              double* sizes);

}  // namespace anyacl::test
