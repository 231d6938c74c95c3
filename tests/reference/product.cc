// SPDX-License-Identifier: Apache-2.0
#include "reference/product.h"

#include <cmath>

namespace anyacl::test {
namespace {

// A constant number of columns side by side, which compilers make vectors of.
template <int kColumns>
[[gnu::always_inline]] inline void Columns(const double* x, const double* w, int64_t depth,
                                           int64_t pitch, double* sums, double* sizes) {
  double sum[kColumns] = {}, size[kColumns] = {};
  for (int64_t k = 0; k < depth; ++k) {
    for (int n = 0; n < kColumns; ++n) {
      const double term = x[k] * w[k * pitch + n];
      sum[n] += term;
      size[n] += std::fabs(term);
    }
  }
  for (int n = 0; n < kColumns; ++n) sums[n] = sum[n], sizes[n] = size[n];
}

[[gnu::always_inline]] inline void Row(const double* x, const double* w, int64_t depth,
                                       int64_t columns, double* sums, double* sizes) {
  int64_t n = 0;
  for (; n + 16 <= columns; n += 16) {
    Columns<16>(x, w + n, depth, columns, sums + n, sizes + n);
  }
  for (; n + 4 <= columns; n += 4) Columns<4>(x, w + n, depth, columns, sums + n, sizes + n);
  for (; n < columns; ++n) Columns<1>(x, w + n, depth, columns, sums + n, sizes + n);
}

using RowFunction = void (*)(const double*, const double*, int64_t, int64_t, double*, double*);

void NarrowRow(const double* x, const double* w, int64_t depth, int64_t columns, double* sums,
               double* sizes) {
  Row(x, w, depth, columns, sums, sizes);
}
#if defined(__x86_64__)
// The same sums, twice as many at a time as all processors of x86-64 can.
[[gnu::target("avx2")]] void WideRow(const double* x, const double* w, int64_t depth,
                                     int64_t columns, double* sums, double* sizes) {
  Row(x, w, depth, columns, sums, sizes);
}
RowFunction BestRow() { return __builtin_cpu_supports("avx2") ? WideRow : NarrowRow; }
#else
RowFunction BestRow() { return NarrowRow; }
#endif

}  // namespace

Product ProductOf(const double* x, const double* w, int64_t rows, int64_t depth, int64_t columns) {
  const auto count = static_cast<size_t>(rows * columns);
  Product product{std::vector<double>(count), std::vector<double>(count)};
  const RowFunction row = BestRow();
  for (int64_t m = 0; m < rows; ++m) {
    row(x + m * depth, w, depth, columns, product.sums.data() + m * columns,
        product.sizes.data() + m * columns);
  }
  return product;
}

}  // namespace anyacl::test
