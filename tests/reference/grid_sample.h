// SPDX-License-Identifier: Apache-2.0
// Sampling at given positions in double precision, written from the document.
#pragma once

#include <cstdint>
#include <vector>

namespace anyacl::test {

struct GridCase {
  int64_t height, width;
  int mode;     // 0 bilinear, 1 nearest, 2 bicubic
  int padding;  // 0 zeros, 1 border, 2 reflection
  bool align;
};

// The value of one plane at (x, y) of -1 to 1.
double SampleAt(const GridCase& c, const double* plane, double x, double y);

// The value of one volume of `depth` such planes at (x, y, z).
double SampleAt(const GridCase& c, int64_t depth, const double* volume, double x, double y,
                double z);

}  // namespace anyacl::test
