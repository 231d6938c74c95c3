// SPDX-License-Identifier: Apache-2.0
// The elements of a plane around a position, of which linear interpolation makes its value.
#pragma once

#include <cmath>
#include <cstdint>

namespace anyacl::detection {

// Those that lie within the plane: there are zeros outside.
struct Corners {
  int count = 0;
  int64_t at[4];  // row * width + column
  double weights[4];
  double by_y[4], by_x[4];  // slopes of the weights
};

inline Corners CornersAt(double y, double x, int64_t height, int64_t width) {
  Corners corners;
  // No number lies outside, too.
  if (!(y > -1 && y < static_cast<double>(height) && x > -1 && x < static_cast<double>(width))) {
    return corners;
  }
  const double top = std::floor(y), left = std::floor(x);
  for (int i : {0, 1}) {
    for (int j : {0, 1}) {
      const int64_t row = static_cast<int64_t>(top) + i, column = static_cast<int64_t>(left) + j;
      if (row < 0 || row >= height || column < 0 || column >= width) continue;
      const double down = i == 0 ? 1 - (y - top) : y - top;
      const double across = j == 0 ? 1 - (x - left) : x - left;
      const int k = corners.count++;
      corners.at[k] = row * width + column;
      corners.weights[k] = down * across;
      corners.by_y[k] = i == 0 ? -across : across;
      corners.by_x[k] = j == 0 ? -down : down;
    }
  }
  return corners;
}

}  // namespace anyacl::detection
