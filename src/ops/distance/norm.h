// SPDX-License-Identifier: Apache-2.0
// What kernels do for p = 0, 1, 2 and infinity (kernel.h), for any p above 0 but 1 and infinity.
#pragma once

#include <cmath>
#include <cstdint>

#include "ops/distance/kernel.h"

namespace anyacl::distance {

inline void AddPowers(const SumArgs& args, bool pairs, double p) {
  for (int64_t r = 0; r < args.rows; ++r) {
    const double* const a = args.a + r * args.row_step;
    for (int64_t j = 0; j < args.lanes; ++j) {
      double* const sum = args.sums + r * kLanes + j;
      for (int64_t i = 0; i < args.count; ++i) {
        const int64_t at = pairs ? j * args.count + i : i * args.lanes + j;
        *sum += std::pow(std::fabs(a[pairs ? at : i] - args.b[at]), p);
      }
    }
  }
}

inline void AddPowerSlopes(const SlopeArgs& args, double p) {
  for (int64_t i = 0; i < args.count; ++i) {
    for (int64_t j = 0; j < args.lanes; ++j) {
      const int64_t pair = args.each ? i * args.lanes + j : i;
      const double d = args.a[i * args.a_step + j] - args.b[i * args.b_step + j];
      const double norm = args.norm[pair];
      const double slope =
          norm == 0 || d == 0 ? 0 : std::copysign(std::pow(std::fabs(d) / norm, p - 1), d);
      args.sums[j] += args.g[pair] * slope;
    }
  }
}

}  // namespace anyacl::distance
