// SPDX-License-Identifier: Apache-2.0
#include "reference/convolution.h"

#include <cmath>

namespace anyacl::test {
namespace {

using Shape = std::vector<int64_t>;

int64_t CountOf(const Shape& shape) {
  int64_t count = 1;
  for (int64_t size : shape) count *= size;
  return count;
}

// The next index of a shape; false after the last one.
bool Advance(Shape& index, const Shape& shape) {
  for (size_t d = shape.size(); d-- > 0;) {
    if (++index[d] < shape[d]) return true;
    index[d] = 0;
  }
  return false;
}

Sums SumsOf(int64_t count) {
  const auto n = static_cast<size_t>(count);
  return {std::vector<double>(n), std::vector<double>(n)};
}
void Add(Sums& sums, int64_t at, double term) {
  sums.values[static_cast<size_t>(at)] += term;
  sums.sizes[static_cast<size_t>(at)] += std::fabs(term);
}

}  // namespace

Shape ConvolutionCase::OutputShape() const {
  Shape shape = {input[0], out_channels()};
  for (size_t d = 0; d < spatial(); ++d) {
    const int64_t reach = dilation[d] * (weight[2 + d] - 1) + 1;
    const int64_t pads = before(d) + after(d);
    if (transposed) {
      shape.push_back((input[2 + d] - 1) * stride[d] - pads + reach + output_padding[d]);
    } else {
      shape.push_back((input[2 + d] + pads - reach) / stride[d] + 1);
    }
  }
  return shape;
}

void ForEachProduct(const ConvolutionCase& c,
                    const std::function<void(int64_t, int64_t, int64_t)>& visit) {
  const Shape output = c.OutputShape();
  // Positions are those of the image that the taps start from: out, or in where transposed.
  const Shape& from = c.transposed ? c.input : output;
  const Shape& to = c.transposed ? output : c.input;
  if (CountOf(from) == 0 || CountOf(c.weight) == 0) return;
  const int64_t from_group = c.weight[0] / c.groups;
  Shape position(from.size(), 0);
  int64_t at = -1;
  do {
    ++at;
    const int64_t group = position[1] / from_group;
    Shape tap(c.weight.begin() + 1, c.weight.end());
    const Shape taps = tap;
    tap.assign(taps.size(), 0);
    int64_t weight = position[1] * CountOf(taps) - 1;
    do {
      ++weight;
      int64_t other = position[0] * to[1] + group * c.weight[1] + tap[0];
      bool inside = true;
      for (size_t d = 0; d < c.spatial(); ++d) {
        const int64_t i = position[2 + d] * c.stride[d] + tap[1 + d] * c.dilation[d] - c.before(d);
        inside &= i >= 0 && i < to[2 + d];
        other = other * to[2 + d] + i;
      }
      if (inside) c.transposed ? visit(other, at, weight) : visit(at, other, weight);
    } while (Advance(tap, taps));
  } while (Advance(position, from));
}

Sums ConvolutionOf(const ConvolutionCase& c, const std::vector<double>& input,
                   const std::vector<double>& weight, const std::vector<double>& bias) {
  const Shape shape = c.OutputShape();
  Sums sums = SumsOf(CountOf(shape));
  ForEachProduct(c, [&](int64_t o, int64_t i, int64_t w) {
    Add(sums, o, input[static_cast<size_t>(i)] * weight[static_cast<size_t>(w)]);
  });
  if (bias.empty()) return sums;
  const int64_t area = CountOf({shape.begin() + 2, shape.end()});
  for (size_t i = 0; i < sums.values.size(); ++i) {
    const int64_t channel = static_cast<int64_t>(i) / area % shape[1];
    Add(sums, static_cast<int64_t>(i), bias[static_cast<size_t>(channel)]);
  }
  return sums;
}

ConvolutionGradients GradientsOf(const ConvolutionCase& c, const std::vector<double>& gradient,
                                 const std::vector<double>& input,
                                 const std::vector<double>& weight) {
  const Shape shape = c.OutputShape();
  ConvolutionGradients g{SumsOf(CountOf(c.input)), SumsOf(CountOf(c.weight)), SumsOf(shape[1])};
  ForEachProduct(c, [&](int64_t o, int64_t i, int64_t w) {
    const double y = gradient[static_cast<size_t>(o)];
    Add(g.input, i, y * weight[static_cast<size_t>(w)]);
    Add(g.weight, w, y * input[static_cast<size_t>(i)]);
  });
  const int64_t area = CountOf({shape.begin() + 2, shape.end()});
  for (size_t i = 0; i < gradient.size(); ++i) {
    Add(g.bias, static_cast<int64_t>(i) / area % shape[1], gradient[i]);
  }
  return g;
}

}  // namespace anyacl::test
