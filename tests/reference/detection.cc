// SPDX-License-Identifier: Apache-2.0
#include "reference/detection.h"

#include <algorithm>
#include <cmath>

namespace anyacl::test {
namespace {

// A position, and whether it counts, along one axis: up to one element outside it is moved inside.
bool MoveInside(int64_t size, double* at) {
  if (*at < -1 || *at > static_cast<double>(size)) return false;
  *at = std::min(std::max(*at, 0.0), static_cast<double>(size - 1));
  return true;
}

}  // namespace

double OverlapOf(const double* box, const double* truth, bool of_truth, double eps) {
  const auto area = [eps](const double* b) { return (b[2] - b[0] + eps) * (b[3] - b[1] + eps); };
  const double width = std::min(box[2], truth[2]) - std::max(box[0], truth[0]) + eps;
  const double height = std::min(box[3], truth[3]) - std::max(box[1], truth[1]) + eps;
  const double shared = std::max(width, 0.0) * std::max(height, 0.0);
  return shared / (of_truth ? area(truth) : area(box) + area(truth) - shared);
}

int64_t ForRegion(const RegionCase& c, const double* corners,
                  const std::function<void(int64_t, int64_t, int64_t, double)>& visit) {
  const double half = c.aligned ? 0.5 : 0;
  double start[2], extent[2];
  int64_t samples[2];
  for (int axis : {0, 1}) {  // x, y
    start[axis] = corners[axis] * c.scale - half;
    extent[axis] = corners[axis + 2] * c.scale - half - start[axis];
    if (!c.aligned) extent[axis] = std::max(extent[axis], 1.0);
    extent[axis] /= static_cast<double>(axis == 0 ? c.columns : c.rows);
    samples[axis] = c.ratio > 0 ? c.ratio : static_cast<int64_t>(std::ceil(extent[axis]));
  }
  for (int64_t bin = 0; bin < c.rows * c.columns; ++bin) {
    for (int64_t s = 0; s < samples[0] * samples[1]; ++s) {
      const auto position = [&](int axis, int64_t index, int64_t sample) {
        return start[axis] +
               extent[axis] * (static_cast<double>(index) + (static_cast<double>(sample) + 0.5) /
                                                                static_cast<double>(samples[axis]));
      };
      double x = position(0, bin % c.columns, s % samples[0]);
      double y = position(1, bin / c.columns, s / samples[0]);
      if (!MoveInside(c.width, &x) || !MoveInside(c.height, &y)) {
        visit(bin, s, 0, 0);
        continue;
      }
      ForElements(c.height, c.width, y, x,
                  [&](int64_t element, double weight) { visit(bin, s, element, weight); });
    }
  }
  return std::max<int64_t>(samples[0], 0) * std::max<int64_t>(samples[1], 0);
}

std::vector<double> RegionOf(const RegionCase& c, const double* corners, const double* plane,
                             bool largest) {
  std::vector<std::vector<double>> values(static_cast<size_t>(c.rows * c.columns));
  ForRegion(c, corners, [&](int64_t bin, int64_t sample, int64_t element, double weight) {
    std::vector<double>& of_bin = values[static_cast<size_t>(bin)];
    of_bin.resize(static_cast<size_t>(sample + 1));
    of_bin.back() += weight * plane[element];
  });
  std::vector<double> results;
  for (const std::vector<double>& of_bin : values) {
    double result = 0;
    if (largest) {
      result = *std::max_element(of_bin.begin(), of_bin.end());
    } else if (!of_bin.empty()) {
      for (double value : of_bin) result += value / static_cast<double>(of_bin.size());
    }
    results.push_back(result);
  }
  return results;
}

void ForElements(int64_t height, int64_t width, double y, double x,
                 const std::function<void(int64_t, double)>& visit) {
  for (int64_t row = 0; row < height; ++row) {
    const double down = 1 - std::fabs(y - static_cast<double>(row));
    if (down <= 0) continue;
    for (int64_t column = 0; column < width; ++column) {
      const double across = 1 - std::fabs(x - static_cast<double>(column));
      if (across > 0) visit(row * width + column, down * across);
    }
  }
}

}  // namespace anyacl::test
