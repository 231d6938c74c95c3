// SPDX-License-Identifier: Apache-2.0
// The kernels' contract. Everything is in double, whole vectors of lanes side by side, each of
// which is added up in the order of i:
// clang-format off
//   add          sums[r, j] = sums[r, j] + |a[r, i] - b[i, j]|^p, for an infinite p the larger of both
//   add_pairs    sums[j] the same of a[j, i] - b[j, i]
//   root         sums[k] = sqrt(sums[k])
//   add_slopes   sums[j] = sums[j] + g[i] * (norm[i] by d), d = a[i, j] - b[i, j]; the slope is 0
//                where norm[i] is (p above 1), and for p = 0
// clang-format on
#pragma once

#include <stdint.h>

namespace anyacl::distance {

inline constexpr int64_t kLanes = 32;

// By p: 0, 1, 2, infinite.
enum Norm : int { kCount, kSum, kSquares, kLargest };
inline constexpr int kNorms = 4;

// The first `lanes` of the sums count; whole vectors are read, so kLanes numbers lie behind those
// of a row, kLanes rows behind those of pairs.
struct SumArgs {
  const double* a;  // [rows][row_step], or [lanes][count] of pairs
  int64_t row_step;
  const double* b;  // [count][lanes], or [lanes][count] of pairs
  int64_t rows;     // 1 of pairs
  int64_t count;
  int64_t lanes;
  double* sums;  // [rows][kLanes]
};

struct SlopeArgs {
  const double* a;  // [count][a_step]
  int64_t a_step;   // lanes, or 0: the same for all i
  const double* b;  // [count][b_step]
  int64_t b_step;
  const double* g;  // [count], or [count][lanes] if `each`
  const double* norm;
  bool each;
  int64_t count;
  int64_t lanes;
  double* sums;  // [lanes]
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
