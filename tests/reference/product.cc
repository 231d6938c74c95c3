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

[[gnu::always_inline]] inline LineSum Line(const double* x, const double* y, int64_t count) {
  double sums[8] = {}, sizes[8] = {};
  LineSum all;
  int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    for (int n = 0; n < 8; ++n) {
      const double term = x[i + n] * y[i + n];
      sums[n] += term;
      sizes[n] += std::fabs(term);
    }
  }
  for (; i < count; ++i) {
    all.sum += x[i] * y[i];
    all.size += std::fabs(x[i] * y[i]);
  }
  for (int n = 0; n < 8; ++n) all.sum += sums[n], all.size += sizes[n];
  return all;
}

[[gnu::always_inline]] inline void Terms(double weight, double size, const double* x, int64_t count,
                                         double* __restrict sums, double* __restrict sizes) {
  int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    for (int n = 0; n < 8; ++n) {
      sums[i + n] += weight * x[i + n];
      sizes[i + n] += size * std::fabs(x[i + n]);
    }
  }
  for (; i < count; ++i) {
    sums[i] += weight * x[i];
    sizes[i] += size * std::fabs(x[i]);
  }
}

// What all processors can, and twice as many sums at a time for those that can.
struct Loops {
  decltype(&Row) row;
  decltype(&Line) line;
  decltype(&Terms) terms;
};

constexpr Loops kNarrow = {
    [](auto... arguments) { Row(arguments...); },
    [](auto... arguments) { return Line(arguments...); },
    [](auto... arguments) { Terms(arguments...); },
};
#if defined(__x86_64__)
constexpr Loops kWide = {[](auto... arguments) __attribute__((target("avx2"))){Row(arguments...);
}
, [](auto... arguments) __attribute__((target("avx2"))) { return Line(arguments...); }
, [](auto... arguments) __attribute__((target("avx2"))) { Terms(arguments...); }
,
};
const Loops& Best() {
  static const Loops& best = __builtin_cpu_supports("avx2") ? kWide : kNarrow;
  return best;
}
#else
const Loops& Best() { return kNarrow; }
#endif

}  // namespace

ProductSums ProductOf(const double* x, const double* w, int64_t rows, int64_t depth,
                      int64_t columns) {
  const auto count = static_cast<size_t>(rows * columns);
  ProductSums product{std::vector<double>(count), std::vector<double>(count)};
  const Loops& loops = Best();
  for (int64_t m = 0; m < rows; ++m) {
    loops.row(x + m * depth, w, depth, columns, product.sums.data() + m * columns,
              product.sizes.data() + m * columns);
  }
  return product;
}

LineSum DotOf(const double* x, const double* y, int64_t count) { return Best().line(x, y, count); }

void AddTerms(double weight, double size, const double* x, int64_t count, double* sums,
              double* sizes) {
  Best().terms(weight, size, x, count, sums, sizes);
}

}  // namespace anyacl::test
