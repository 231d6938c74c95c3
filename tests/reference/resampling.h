// SPDX-License-Identifier: Apache-2.0
// Interpolation and pooling in double precision, written from the documents' formulas.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace anyacl::test {

enum class Interpolation { kNearest, kExact, kLinear, kCubic, kLinearAntialias, kCubicAntialias };

// The weights of the input's elements for one element of the output, along one axis.
using AxisWeights = std::map<int64_t, double>;

// Element j of `out` from `in` elements; scale: of out to in, 0: as the sizes are.
AxisWeights WeightsOf(Interpolation mode, int64_t j, int64_t in, int64_t out, bool align,
                      double scale);

struct Pooling {
  std::vector<int64_t> kernel, stride, padding, dilation;
  bool ceil_mode = false;
  bool include_padding = true;
  int64_t divisor = 0;
};

// The output's size along an axis.
int64_t PooledSize(const Pooling& p, size_t axis, int64_t in);

// out = sum over all combinations of axes' weights, over [..., spatial]; per_axis(axis, j).
using AxisRule = std::function<AxisWeights(size_t axis, int64_t j)>;
std::vector<double> Resample(const std::vector<int64_t>& in_shape,
                             const std::vector<int64_t>& out_shape, size_t spatial,
                             const AxisRule& rule, const std::vector<double>& in);
std::vector<double> ResampleBack(const std::vector<int64_t>& in_shape,
                                 const std::vector<int64_t>& out_shape, size_t spatial,
                                 const AxisRule& rule, const std::vector<double>& out);

// The elements of a window along one axis, those in the padding not among them.
std::vector<int64_t> WindowOf(const Pooling& p, size_t axis, int64_t j, int64_t in);
std::vector<int64_t> AdaptiveWindowOf(int64_t j, int64_t in, int64_t out);

// The largest element of each window and where it is in its image.
struct Largest {
  std::vector<double> values;
  std::vector<int64_t> places;
};
using WindowRule = std::function<std::vector<int64_t>(size_t axis, int64_t j)>;
Largest LargestOf(const std::vector<int64_t>& in_shape, const std::vector<int64_t>& out_shape,
                  size_t spatial, const WindowRule& rule, const std::vector<double>& in);

}  // namespace anyacl::test
