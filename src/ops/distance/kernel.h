// SPDX-License-Identifier: Apache-2.0
// The kernels' contract. Everything is in double; kLanes pairs of rows lie side by side, each is
// added up in the order of i:
// clang-format off
//   add          sums[r, j] = sums[r, j] + |a[r, i] - b[i, j]|^p, for an infinite p the larger of both
//   add_pairs    the same of a[i, j] - b[i, j]
//   root         sums[k] = sqrt(sums[k])
//   add_slopes   sums[i, j] = sums[i, j] + g[i, j] * (norm by d[i, j]); the slope is 0 where norm[i, j]
//                is (p above 1), and for p = 0
// clang-format on
#pragma once

#include <stdint.h>

namespace anyacl::distance {

inline constexpr int64_t kLanes = 32;

// By p: 0, 1, 2, infinite.
enum Norm : int { kCount, kSum, kSquares, kLargest };
inline constexpr int kNorms = 4;

// The first `lanes` of the sums count; from a and b whole vectors are read, so kLanes numbers lie
// behind them.
struct SumArgs {
  const double* a;  // [rows][row_step], or [count][lanes] of pairs
  int64_t row_step;
  const double* b;  // [count][lanes]
  int64_t rows;     // 1 of pairs
  int64_t count;
  int64_t lanes;
  double* sums;  // [rows][kLanes]
};

struct SlopeArgs {
  const double* d;  // [count][lanes]
  const double* g;  // [count][step]
  const double* norm;
  int64_t g_step;  // lanes, or 0: the same for all i
  int64_t norm_step;
  int64_t count;
  int64_t lanes;
  double* sums;  // [count][kLanes]
};

struct KernelSet {
  void (*add[kNorms])(const SumArgs& args);
  void (*add_pairs[kNorms])(const SumArgs& args);
  void (*root)(double* sums, int64_t count);  // a multiple of kLanes
  void (*add_slopes[kNorms])(const SlopeArgs& args);
};

}  // namespace anyacl::distance

#ifdef ANYACL_ISA
namespace anyacl::ANYACL_ISA {

extern const distance::KernelSet kDistanceKernels;

}  // namespace anyacl::ANYACL_ISA
#endif
