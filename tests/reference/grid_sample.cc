// SPDX-License-Identifier: Apache-2.0
#include "reference/grid_sample.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace anyacl::test {
namespace {

// Back and forth between low and high.
double Reflected(double x, double low, double high) {
  if (high <= low) return low;
  const double span = high - low;
  double place = std::fmod(x - low, 2 * span);
  if (place < 0) place += 2 * span;
  return low + (place <= span ? place : 2 * span - place);
}

double Padded(const GridCase& c, double x, int64_t size) {
  const auto last = static_cast<double>(size - 1);
  if (c.padding == 0) return x;
  if (c.padding == 2) x = c.align ? Reflected(x, 0, last) : Reflected(x, -0.5, last + 0.5);
  return std::clamp(x, 0.0, last);
}

double Cubic(double x) {
  const double a = -0.75;
  x = std::fabs(x);
  if (x <= 1) return (a + 2) * x * x * x - (a + 3) * x * x + 1;
  return a * x * x * x - 5 * a * x * x + 8 * a * x - 4 * a;
}

std::map<int64_t, double> WeightsOf(const GridCase& c, double coordinate, int64_t size) {
  const auto n = static_cast<double>(size);
  const double x = c.align ? (coordinate + 1) / 2 * (n - 1) : ((coordinate + 1) * n - 1) / 2;
  std::map<int64_t, double> weights;
  if (c.mode == 2) {
    for (int i = -1; i <= 2; ++i) {
      const double at = std::floor(x) + i;
      weights[static_cast<int64_t>(Padded(c, at, size))] += Cubic(x - at);
    }
  } else {
    const double at = Padded(c, x, size);
    if (c.mode == 1) {
      weights[static_cast<int64_t>(std::nearbyint(at))] = 1;
    } else {
      weights[static_cast<int64_t>(std::floor(at))] += std::floor(at) + 1 - at;
      weights[static_cast<int64_t>(std::floor(at)) + 1] += at - std::floor(at);
    }
  }
  return weights;
}

}  // namespace

double SampleAt(const GridCase& c, const double* plane, double x, double y) {
  double sum = 0;
  for (const auto& [i, wy] : WeightsOf(c, y, c.height)) {
    for (const auto& [j, wx] : WeightsOf(c, x, c.width)) {
      if (i < 0 || i >= c.height || j < 0 || j >= c.width) continue;
      sum += wy * wx * plane[i * c.width + j];
    }
  }
  return sum;
}

double SampleAt(const GridCase& c, int64_t depth, const double* volume, double x, double y,
                double z) {
  double sum = 0;
  for (const auto& [k, wz] : WeightsOf(c, z, depth)) {
    if (k < 0 || k >= depth) continue;
    sum += wz * SampleAt(c, volume + k * c.height * c.width, x, y);
  }
  return sum;
}

}  // namespace anyacl::test
