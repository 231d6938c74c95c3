// SPDX-License-Identifier: Apache-2.0
// From a coordinate of the grid to elements of one axis with their weights, and the derivatives by
// the coordinate, as PyTorch computes them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace anyacl::grid_sample {

enum class Mode { kBilinear, kNearest, kBicubic };
enum class Outside { kZeros, kBorder, kReflection };

// Up to four taps; those outside of the image have at = -1.
template <class Number>
struct Taps {
  int count = 0;
  int64_t at[4];
  Number weights[4];
  Number slopes[4];  // of the weights by the coordinate
};

template <class Number>
class AxisSampler {
 public:
  AxisSampler(int64_t size, Mode mode, Outside outside, bool align)
      : size_(size), mode_(mode), outside_(outside), align_(align) {}

  Taps<Number> TapsAt(Number coordinate) const {
    const Number scale = align_ ? static_cast<Number>(size_ - 1) / 2 : Number(size_) / 2;
    Number x = align_ ? (coordinate + 1) / 2 * static_cast<Number>(size_ - 1)
                      : ((coordinate + 1) * static_cast<Number>(size_) - 1) / 2;
    if (mode_ == Mode::kBicubic) return Cubic(x, scale);
    Number slope = scale;
    x = Inside(x, &slope);
    Taps<Number> taps;
    if (mode_ == Mode::kNearest) {
      taps.count = 1;
      taps.at[0] = ElementAt(std::nearbyint(x));
      taps.weights[0] = 1;
      taps.slopes[0] = 0;
      return taps;
    }
    const Number floor = std::floor(x);
    taps.count = 2;
    for (int i = 0; i < 2; ++i) taps.at[i] = ElementAt(floor + static_cast<Number>(i));
    taps.weights[0] = floor + 1 - x;
    taps.weights[1] = x - floor;
    taps.slopes[0] = -slope;
    taps.slopes[1] = slope;
    return taps;
  }

 private:
  // What is no number, or beyond all images, is outside.
  int64_t ElementAt(Number x) const {
    if (!(x >= 0 && x < static_cast<Number>(size_))) return -1;
    return static_cast<int64_t>(x);
  }

  // Where a position outside is taken from; multiplies the slope by the derivative.
  Number Inside(Number x, Number* slope) const {
    if (outside_ == Outside::kZeros) return x;
    if (outside_ == Outside::kReflection) {
      x = align_ ? Reflected(x, 0, static_cast<Number>(size_ - 1), slope)
                 : Reflected(x, Number{-0.5}, static_cast<Number>(size_), slope);
    }
    const auto last = static_cast<Number>(size_ - 1);
    if (!(x > 0)) {
      *slope = 0;
      return 0;
    }
    if (x >= last) {
      *slope = 0;
      return last;
    }
    return x;
  }

  static Number Reflected(Number x, Number low, Number span, Number* slope) {
    if (!(span > 0) || !std::isfinite(x)) {
      *slope = 0;
      return 0;
    }
    x -= low;
    if (x < 0) {
      x = -x;
      *slope = -*slope;
    }
    const Number extra = std::fmod(x, span);
    if (std::fmod(std::floor(x / span), Number{2}) == 0) return extra + low;
    *slope = -*slope;
    return span - extra + low;
  }

  Taps<Number> Cubic(Number x, Number scale) const {
    const Number floor = std::floor(x);
    const Number t = x - floor;
    const Number a{-0.75};
    Taps<Number> taps;
    taps.count = 4;
    for (int i = 0; i < 4; ++i) {
      const Number d = std::fabs(t + 1 - static_cast<Number>(i));
      const bool near = i == 1 || i == 2;
      taps.weights[i] =
          near ? ((a + 2) * d - (a + 3)) * d * d + 1 : ((a * d - 5 * a) * d + 8 * a) * d - 4 * a;
      const Number slope =
          near ? (3 * (a + 2) * d - 2 * (a + 3)) * d : (3 * a * d - 10 * a) * d + 8 * a;
      taps.slopes[i] = (i < 2 ? slope : -slope) * scale;
      Number ignored = 1;
      taps.at[i] = ElementAt(CubicPlace(floor - 1 + static_cast<Number>(i), &ignored));
    }
    return taps;
  }
  // Positions of taps are whole numbers: cut off behind a reflection between them.
  Number CubicPlace(Number x, Number* slope) const {
    if (outside_ == Outside::kZeros) return x;
    const Number inside = Inside(x, slope);
    return std::floor(inside);
  }

  int64_t size_;
  Mode mode_;
  Outside outside_;
  bool align_;
};

}  // namespace anyacl::grid_sample
