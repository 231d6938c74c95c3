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
        const int64_t at = i * args.lanes + j;
        *sum += std::pow(std::fabs(a[pairs ? at : i] - args.b[at]), p);
      }
    }
  }
}

inline void AddPowerSlopes(const SlopeArgs& args, double p) {
  for (int64_t i = 0; i < args.count; ++i) {
    for (int64_t j = 0; j < args.lanes; ++j) {
      const double d = args.d[i * args.lanes + j], norm = args.norm[i * args.norm_step + j];
      const double slope =
          norm == 0 || d == 0 ? 0 : std::copysign(std::pow(std::fabs(d) / norm, p - 1), d);
      args.sums[i * kLanes + j] += args.g[i * args.g_step + j] * slope;
    }
  }
}

}  // namespace anyacl::distance
