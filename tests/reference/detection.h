// SPDX-License-Identifier: Apache-2.0
// Overlaps of boxes, regions of images and samples at given positions in double precision, written
// from the documents and what they refer to (torchvision's roi_align, ONNX's RoiAlign).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace anyacl::test {

// Boxes are x0, y0, x1, y1. `of_truth`: as a part of the second box, not of the union.
double OverlapOf(const double* box, const double* truth, bool of_truth, double eps);

struct RegionCase {
  int64_t height, width;  // of the image
  int64_t rows, columns;  // bins
  double scale = 1;
  int64_t ratio = 0;
  bool aligned = false;
};

// visit(bin, sample of it, element of the plane, weight), row-major; with a weight of 0 for a
// sample outside the image, whose value is 0. Returns the number of samples of a bin.
int64_t ForRegion(const RegionCase& c, const double* corners,
                  const std::function<void(int64_t, int64_t, int64_t, double)>& visit);
// The means or the largest of the samples of all bins.
std::vector<double> RegionOf(const RegionCase& c, const double* corners, const double* plane,
                             bool largest);

// visit(element of the plane, weight) of linear interpolation with zeros outside.
void ForElements(int64_t height, int64_t width, double y, double x,
                 const std::function<void(int64_t, double)>& visit);

}  // namespace anyacl::test
