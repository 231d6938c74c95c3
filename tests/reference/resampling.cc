// SPDX-License-Identifier: Apache-2.0
#include "reference/resampling.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace anyacl::test {
namespace {

using Shape = std::vector<int64_t>;

int64_t CountOf(const Shape& shape) {
  int64_t count = 1;
  for (int64_t size : shape) count *= size;
  return count;
}

// Keys' cubic convolution.
double Cubic(double x, double a) {
  x = std::fabs(x);
  if (x <= 1) return (a + 2) * x * x * x - (a + 3) * x * x + 1;
  if (x < 2) return a * x * x * x - 5 * a * x * x + 8 * a * x - 4 * a;
  return 0;
}
double Triangle(double x) { return std::max(0.0, 1 - std::fabs(x)); }

// Calls visit(image, index of the last dimensions, element) for all elements of a shape.
void ForElements(const Shape& shape, size_t spatial,
                 const std::function<void(int64_t, const Shape&, int64_t)>& visit) {
  const Shape sizes(shape.end() - static_cast<std::ptrdiff_t>(spatial), shape.end());
  const int64_t area = CountOf(sizes);
  const int64_t images = CountOf(shape) / std::max<int64_t>(area, 1);
  for (int64_t image = 0; image < images; ++image) {
    for (int64_t i = 0; i < area; ++i) {
      Shape index(spatial);
      int64_t rest = i;
      for (size_t d = spatial; d-- > 0; rest /= sizes[d]) index[d] = rest % sizes[d];
      visit(image, index, image * area + i);
    }
  }
}

// Calls visit(element of the input, weight) for all that make an element of the output.
void ForSources(const Shape& in_shape, size_t spatial, const AxisRule& rule, int64_t image,
                const Shape& index, const std::function<void(int64_t, double)>& visit) {
  std::vector<std::pair<int64_t, double>> sources = {{image, 1.0}};
  for (size_t d = 0; d < spatial; ++d) {
    std::vector<std::pair<int64_t, double>> next;
    for (const auto& [at, weight] : sources) {
      for (const auto& [i, w] : rule(d, index[d])) {
        next.emplace_back(at * in_shape[in_shape.size() - spatial + d] + i, weight * w);
      }
    }
    sources = std::move(next);
  }
  for (const auto& [at, weight] : sources) visit(at, weight);
}

}  // namespace

AxisWeights WeightsOf(Interpolation mode, int64_t j, int64_t in, int64_t out, bool align,
                      double scale) {
  const auto size = static_cast<double>(in);
  double step = scale > 0 ? 1 / scale : size / static_cast<double>(out);
  // A step may lead beyond every whole number.
  const auto element = [&](double place) {
    return static_cast<int64_t>(std::min(std::floor(place), size - 1));
  };
  if (mode == Interpolation::kNearest) return {{element(static_cast<double>(j) * step), 1}};
  const double center = (static_cast<double>(j) + 0.5) * step;
  if (mode == Interpolation::kExact) return {{element(center), 1}};
  if (align) step = out > 1 ? (size - 1) / static_cast<double>(out - 1) : 0;
  AxisWeights weights;
  if (mode == Interpolation::kLinearAntialias || mode == Interpolation::kCubicAntialias) {
    const bool linear = mode == Interpolation::kLinearAntialias;
    const double middle = (static_cast<double>(j) + 0.5) * step;
    const double stretch = std::max(step, 1.0);
    const double reach = (linear ? 1 : 2) * stretch;
    double total = 0;
    for (int64_t i = 0; i < in; ++i) {
      const double distance = (static_cast<double>(i) + 0.5 - middle) / stretch;
      const double edge = static_cast<double>(i) + 0.5;
      if (edge <= middle - reach || edge >= middle + reach) continue;
      weights[i] = linear ? Triangle(distance) : Cubic(distance, -0.5);
      total += weights[i];
    }
    for (auto& [i, w] : weights) w /= total;
    return weights;
  }
  // All taps of places further behind are the last element.
  double place = std::min(align ? static_cast<double>(j) * step : center - 0.5, size + 4);
  if (mode == Interpolation::kLinear) {
    if (in == out) return {{j, 1}};
    place = std::max(place, 0.0);
    const int64_t first = element(place);
    const double second = place - static_cast<double>(first);
    weights[first] += 1 - second;
    weights[std::min(first + 1, in - 1)] += second;
    return weights;
  }
  const double floor = std::floor(place);
  for (int64_t i = -1; i <= 2; ++i) {
    const auto at = static_cast<int64_t>(floor) + i;
    weights[std::clamp<int64_t>(at, 0, in - 1)] += Cubic(static_cast<double>(at) - place, -0.75);
  }
  return weights;
}

int64_t PooledSize(const Pooling& p, size_t axis, int64_t in) {
  const int64_t reach = p.dilation[axis] * (p.kernel[axis] - 1) + 1;
  const double windows =
      static_cast<double>(in + 2 * p.padding[axis] - reach) / static_cast<double>(p.stride[axis]);
  auto size = static_cast<int64_t>(p.ceil_mode ? std::ceil(windows) : std::floor(windows)) + 1;
  if (p.ceil_mode && (size - 1) * p.stride[axis] >= in + p.padding[axis]) --size;
  return size;
}

std::vector<double> Resample(const Shape& in_shape, const Shape& out_shape, size_t spatial,
                             const AxisRule& rule, const std::vector<double>& in) {
  std::vector<double> out(static_cast<size_t>(CountOf(out_shape)));
  ForElements(out_shape, spatial, [&](int64_t image, const Shape& index, int64_t at) {
    ForSources(in_shape, spatial, rule, image, index, [&](int64_t i, double weight) {
      out[static_cast<size_t>(at)] += weight * in[static_cast<size_t>(i)];
    });
  });
  return out;
}

std::vector<double> ResampleBack(const Shape& in_shape, const Shape& out_shape, size_t spatial,
                                 const AxisRule& rule, const std::vector<double>& out) {
  std::vector<double> in(static_cast<size_t>(CountOf(in_shape)));
  ForElements(out_shape, spatial, [&](int64_t image, const Shape& index, int64_t at) {
    ForSources(in_shape, spatial, rule, image, index, [&](int64_t i, double weight) {
      in[static_cast<size_t>(i)] += weight * out[static_cast<size_t>(at)];
    });
  });
  return in;
}

std::vector<int64_t> WindowOf(const Pooling& p, size_t axis, int64_t j, int64_t in) {
  std::vector<int64_t> window;
  for (int64_t t = 0; t < p.kernel[axis]; ++t) {
    const int64_t at = j * p.stride[axis] - p.padding[axis] + t * p.dilation[axis];
    if (at >= 0 && at < in) window.push_back(at);
  }
  return window;
}

std::vector<int64_t> AdaptiveWindowOf(int64_t j, int64_t in, int64_t out) {
  std::vector<int64_t> window;
  for (int64_t i = j * in / out; i * out < (j + 1) * in; ++i) window.push_back(i);
  return window;
}

Largest LargestOf(const Shape& in_shape, const Shape& out_shape, size_t spatial,
                  const WindowRule& rule, const std::vector<double>& in) {
  Largest largest;
  const Shape sizes(in_shape.end() - static_cast<std::ptrdiff_t>(spatial), in_shape.end());
  const int64_t area = CountOf(sizes);
  ForElements(out_shape, spatial, [&](int64_t image, const Shape& index, int64_t) {
    std::vector<int64_t> places = {0};
    for (size_t d = 0; d < spatial; ++d) {
      std::vector<int64_t> next;
      for (int64_t place : places) {
        for (int64_t i : rule(d, index[d])) next.push_back(place * sizes[d] + i);
      }
      places = std::move(next);
    }
    double value = -std::numeric_limits<double>::infinity();
    int64_t where = places.empty() ? 0 : places.front();
    for (int64_t place : places) {
      const double x = in[static_cast<size_t>(image * area + place)];
      if (!(x > value) && !std::isnan(x)) continue;
      value = x;
      where = place;
    }
    largest.values.push_back(value);
    largest.places.push_back(where);
  });
  return largest;
}

}  // namespace anyacl::test
