// SPDX-License-Identifier: Apache-2.0
// Norms of differences, in double precision, and their derivatives.
#pragma once

#include <cmath>
#include <cstdint>

namespace anyacl::distance {

// p: 0 or more, infinite too. Differences that are NaN make the norm NaN.
inline double NormOf(const float* a, const float* b, int64_t count, double p) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) {
    const double d = std::fabs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    if (p == 2) {
      sum += d * d;
    } else if (p == 1) {
      sum += d;
    } else if (p == 0) {
      sum += d != 0;
    } else if (std::isinf(p)) {
      sum = d > sum || std::isnan(d) ? d : sum;
    } else {
      sum += std::pow(d, p);
    }
  }
  if (p == 2) return std::sqrt(sum);
  return p == 0 || p == 1 || std::isinf(p) ? sum : std::pow(sum, 1 / p);
}

// Of the norm by one difference; 0 where the norm is.
inline double SlopeOf(double difference, double norm, double p) {
  const double sign = difference > 0 ? 1 : difference < 0 ? -1 : difference;
  if (p == 1) return sign;
  if (p == 0 || norm == 0) return 0;
  if (p == 2) return difference / norm;
  if (std::isinf(p)) return std::fabs(difference) == norm ? sign : 0;
  return difference == 0 ? 0 : sign * std::pow(std::fabs(difference) / norm, p - 1);
}

}  // namespace anyacl::distance
