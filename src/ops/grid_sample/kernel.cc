// SPDX-License-Identifier: Apache-2.0
// Loops over the positions of a block, which compilers vectorise for either type of numbers: they
// have no branches, and select between values that are all computed. Elements are collected and
// spread one position after another, neighbours along x in one move: 2^20 times four of fp32 take
// 0.6 ms, by gathers of each 2.
#include "ops/grid_sample/kernel.h"

namespace anyacl::ANYACL_ISA {
namespace {

using grid_sample::AffineArgs;
using grid_sample::Axis;
using grid_sample::CollectArgs;
using grid_sample::kBlock;
using grid_sample::kOutside;
using grid_sample::kParted;
using grid_sample::Mode;
using grid_sample::Outside;
using grid_sample::PlaceArgs;
using grid_sample::Places;
using grid_sample::PointArgs;
using grid_sample::TapArgs;
using grid_sample::Taps;

inline float Floor(float x) { return __builtin_floorf(x); }
inline double Floor(double x) { return __builtin_floor(x); }
inline float Nearest(float x) { return __builtin_nearbyintf(x); }
inline double Nearest(double x) { return __builtin_nearbyint(x); }
inline float Magnitude(float x) { return __builtin_fabsf(x); }
inline double Magnitude(double x) { return __builtin_fabs(x); }
inline float Fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double Fused(double a, double b, double c) { return __builtin_fma(a, b, c); }
inline float Remainder(float a, float b) { return __builtin_fmodf(a, b); }
inline double Remainder(double a, double b) { return __builtin_fmod(a, b); }

template <class Number>
constexpr Number kLargest = static_cast<Number>(__FLT_MAX__);
template <>
constexpr double kLargest<double> = __DBL_MAX__;
// Quotients below have halves.
template <class Number>
constexpr Number kHalves = static_cast<Number>(1 << 23);
template <>
constexpr double kHalves<double> = 0x1p52;

// Reflects between low and low + span; multiplies slopes by the derivative. What is not finite
// becomes 0.
template <class Number>
void Reflect(Number low, Number span, int64_t count, Number* x, Number* slopes) {
  Number distances[kBlock], quotients[kBlock], extras[kBlock];
  int far = 0;
  for (int64_t j = 0; j < count; ++j) {
    const Number distance = Magnitude(x[j] - low), quotient = distance / span;
    // The rounded quotient's integer may be one too large. Both remainders are exact: multiples of
    // the unit of span, and smaller.
    const Number extra = Fused(-Floor(quotient), span, distance), next = extra + span;
    extras[j] = extra < 0 ? next : extra;
    distances[j] = distance;
    quotients[j] = Floor(quotient);
    far |= quotient < kHalves<Number> ? 0 : 1;
  }
  for (int64_t j = 0; far != 0 && j < count; ++j) {
    if (!(quotients[j] < kHalves<Number>)) extras[j] = Remainder(distances[j], span);
  }
  for (int64_t j = 0; j < count; ++j) {
    const bool odd = Floor(quotients[j] / 2) * 2 != quotients[j];
    const bool finite = distances[j] <= kLargest<Number>;
    const Number back = span - extras[j], place = (odd ? back : extras[j]) + low;
    const Number turned = -slopes[j], slope = odd != (x[j] - low < 0) ? turned : slopes[j];
    x[j] = finite ? place : 0;
    slopes[j] = finite ? slope : 0;
  }
}

// Where positions outside are taken from.
template <class Number>
void BringInside(const Axis& axis, int64_t count, Number* x, Number* slopes) {
  if (axis.outside == Outside::kZeros) return;
  const auto last = static_cast<Number>(axis.size - 1);
  if (axis.outside == Outside::kReflection) {
    if (axis.align && axis.size == 1) {
      for (int64_t j = 0; j < count; ++j) x[j] = 0;
    } else if (axis.align) {
      Reflect(Number{0}, last, count, x, slopes);
    } else {
      Reflect(Number{-0.5}, static_cast<Number>(axis.size), count, x, slopes);
    }
  }
  for (int64_t j = 0; j < count; ++j) {
    const bool above = x[j] > 0, below = x[j] < last;
    const Number high = below ? x[j] : last;
    x[j] = above ? high : 0;
    slopes[j] = above & below ? slopes[j] : 0;
  }
}

// Tap t at whole numbers, with weights and slopes that are there if it is inside. What is no
// number, or beyond all images, is outside.
template <class Number>
void Place(int64_t size, const Number* x, int64_t count, int t, Taps<Number>* to) {
  const auto end = static_cast<Number>(size);
  for (int64_t j = 0; j < count; ++j) {
    const bool inside = (x[j] >= 0) & (x[j] < end);
    const Number place = inside ? x[j] : -1;
    to->at[t][j] = static_cast<int32_t>(place);
    to->weights[t][j] = inside ? to->weights[t][j] : 0;
    to->slopes[t][j] = inside ? to->slopes[t][j] : 0;
  }
}

template <class Number>
void LinearTaps(const Axis& axis, int64_t count, const Number* x, const Number* slopes,
                Taps<Number>* to) {
  Number places[2][kBlock];
  for (int64_t j = 0; j < count; ++j) {
    const Number floor = Floor(x[j]);
    places[0][j] = floor;
    places[1][j] = floor + 1;
    to->weights[0][j] = floor + 1 - x[j];
    to->weights[1][j] = x[j] - floor;
    to->slopes[0][j] = -slopes[j];
    to->slopes[1][j] = slopes[j];
  }
  for (int t = 0; t < 2; ++t) Place(axis.size, places[t], count, t, to);
}

template <class Number>
void NearestTaps(const Axis& axis, int64_t count, const Number* x, Taps<Number>* to) {
  Number places[kBlock];
  for (int64_t j = 0; j < count; ++j) {
    places[j] = Nearest(x[j]);
    to->weights[0][j] = 1;
    to->slopes[0][j] = 0;
  }
  Place(axis.size, places, count, 0, to);
}

// Keys' cubic with A = -0.75. Taps are whole numbers, cut off behind a reflection between them.
template <class Number>
void CubicTaps(const Axis& axis, int64_t count, const Number* x, const Number* slopes,
               Taps<Number>* to) {
  constexpr Number a{-0.75};
  Number places[kBlock], ignored[kBlock] = {};
  for (int t = 0; t < 4; ++t) {
    const bool near = t == 1 || t == 2;
    for (int64_t j = 0; j < count; ++j) {
      const Number floor = Floor(x[j]);
      const Number d = Magnitude(x[j] - floor + 1 - static_cast<Number>(t));
      to->weights[t][j] =
          near ? ((a + 2) * d - (a + 3)) * d * d + 1 : ((a * d - 5 * a) * d + 8 * a) * d - 4 * a;
      const Number slope =
          near ? (3 * (a + 2) * d - 2 * (a + 3)) * d : (3 * a * d - 10 * a) * d + 8 * a;
      to->slopes[t][j] = slope * (t < 2 ? slopes[j] : -slopes[j]);
      places[j] = floor - 1 + static_cast<Number>(t);
    }
    BringInside(axis, count, places, ignored);
    for (int64_t j = 0; j < count; ++j) places[j] = Floor(places[j]);
    Place(axis.size, places, count, t, to);
  }
}

// Positions in elements, and their derivatives by the coordinates.
template <class Number, int kStep>
void Scale(const TapArgs<Number>& args, Number* x, Number* slopes) {
  const Axis& axis = args.axis;
  const auto size = static_cast<Number>(axis.size), last = static_cast<Number>(axis.size - 1);
  for (int64_t j = 0; j < args.count; ++j) {
    const Number c = args.coordinates[j * kStep] + 1;
    x[j] = axis.align ? c / 2 * last : (c * size - 1) / 2;
    slopes[j] = (axis.align ? last : size) / 2;
  }
}

template <class Number>
void FindTaps(const TapArgs<Number>& args) {
  const Axis& axis = args.axis;
  Number x[kBlock], slopes[kBlock];
  args.step == 2 ? Scale<Number, 2>(args, x, slopes) : Scale<Number, 3>(args, x, slopes);
  if (axis.mode == Mode::kBicubic) return CubicTaps(axis, args.count, x, slopes, args.to);
  BringInside(axis, args.count, x, slopes);
  axis.mode == Mode::kNearest ? NearestTaps(axis, args.count, x, args.to)
                              : LinearTaps(axis, args.count, x, slopes, args.to);
}

// What is outside is negative: signs make masks.
void FindPlaces(const PlaceArgs& args) {
  Places& to = *args.to;
  const int64_t count = args.count;
  to.taps = args.taps;
  to.rows = args.z == nullptr ? args.taps : args.taps * args.taps;
  int32_t outside[kBlock], parted[kBlock];  // along x, by their signs
  for (int64_t j = 0; j < count; ++j) outside[j] = parted[j] = args.x[0][j];
  for (int t = 1; t < args.taps; ++t) {
    for (int64_t j = 0; j < count; ++j) {
      const int32_t distance = args.x[t][j] - args.x[0][j];
      outside[j] &= args.x[t][j];
      parted[j] |= (distance - t) | (t - distance);
    }
  }
  int64_t firsts[kBlock];
  for (int64_t j = 0; j < count; ++j) {
    const int64_t other = parted[j] >> 31, first = args.x[0][j] * args.strides[0] + args.origins[0];
    firsts[j] = (first & ~other) | (other & (kParted | (outside[j] >> 31)));
  }
  for (int r = 0; r < to.rows; ++r) {
    const int32_t* const y = args.y[r % args.taps];
    const int32_t* const z = args.z == nullptr ? y : args.z[r / args.taps];
    const int64_t deep = args.z == nullptr ? 0 : args.strides[2];
    int64_t all = 0;
    for (int64_t j = 0; j < count; ++j) {
      const int64_t begin = y[j] * args.strides[1] + z[j] * deep + args.origins[1];
      const int64_t outside = (y[j] | z[j]) >> 31, other = firsts[j] >> 63;
      to.begins[r][j] = begin;
      to.runs[r][j] = ((begin & ~other) + firsts[j]) | outside;
      all |= to.runs[r][j];
    }
    to.whole[r] = all >= 0;
  }
}

// Taps along x of one position, neighbours.
template <class Bits, int kTaps, bool kDense>
[[gnu::always_inline]] inline void CopyRun(const Bits* from, int64_t step, Bits* to) {
  if (kDense) {
    __builtin_memcpy(to, from, sizeof(Bits) * kTaps);
  } else {
#pragma GCC unroll 4
    for (int t = 0; t < kTaps; ++t) to[t] = from[t * step];
  }
}

template <class Bits, int kTaps, bool kDense>
void CollectBy(const CollectArgs& args) {
  static constexpr Bits kZeros[kTaps] = {};
  const Places& places = *args.places;
  const auto* const from = static_cast<const Bits*>(args.from);
  auto* to = static_cast<Bits*>(args.to);
  const int64_t count = args.count, step = args.step;
  for (int r = 0; r < places.rows; ++r, to += count * kTaps) {
    const int64_t* const runs = places.runs[r];
    if (places.whole[r]) {
#pragma GCC unroll 4
      for (int64_t j = 0; j < count; ++j) {
        CopyRun<Bits, kTaps, kDense>(from + runs[j], step, to + j * kTaps);
      }
      continue;
    }
    for (int64_t j = 0; j < count; ++j) {
      const int64_t run = runs[j];
      if (kTaps > 1 && run == kParted) {
        const int64_t begin = places.begins[r][j] + args.origin;
        for (int t = 0; t < kTaps; ++t) {
          const int64_t x = args.x[t][j];
          to[j * kTaps + t] = x < 0 ? Bits{0} : from[begin + x * step];
        }
        continue;
      }
      const Bits* const place = run < 0 ? kZeros : from + run;
      CopyRun<Bits, kTaps, kDense>(place, run < 0 ? 0 : step, to + j * kTaps);
    }
  }
}

template <class Bits>
void Collect(const CollectArgs& args) {
  const bool dense = args.step == 1;
  switch (args.places->taps) {
    case 1:
      return dense ? CollectBy<Bits, 1, true>(args) : CollectBy<Bits, 1, false>(args);
    case 2:
      return dense ? CollectBy<Bits, 2, true>(args) : CollectBy<Bits, 2, false>(args);
    default:
      return dense ? CollectBy<Bits, 4, true>(args) : CollectBy<Bits, 4, false>(args);
  }
}

// Calls Kernel::Of<Number, taps of an axis, dimensions>(args).
template <class Kernel, class Number>
void ForShape(const PointArgs<Number>& args) {
  const int taps = args.places->taps;
  if (args.dims == 3) {
    taps == 1 ? Kernel::template Of<Number, 1, 3>(args) : Kernel::template Of<Number, 2, 3>(args);
  } else if (taps == 1) {
    Kernel::template Of<Number, 1, 2>(args);
  } else {
    taps == 2 ? Kernel::template Of<Number, 2, 2>(args) : Kernel::template Of<Number, 4, 2>(args);
  }
}

// The sum of the elements of position j times weights, or times the slopes of one axis.
template <class Number, int kTaps, int kDims>
[[gnu::always_inline]] inline Number SumAt(const PointArgs<Number>& args, int64_t j, int derived) {
  constexpr int kDeep = kDims == 3 ? kTaps : 1;
  const auto factor = [&](int axis, int t) {
    const Taps<Number>& taps = args.axes[axis];
    return axis == derived ? taps.slopes[t][j] : taps.weights[t][j];
  };
  Number total = 0;
#pragma GCC unroll 4
  for (int k = 0; k < kDeep; ++k) {
    Number plane = 0;
#pragma GCC unroll 4
    for (int i = 0; i < kTaps; ++i) {
      const Number* const row = args.elements + ((k * kTaps + i) * args.count + j) * kTaps;
      Number sum = 0;
#pragma GCC unroll 4
      for (int t = 0; t < kTaps; ++t) sum += factor(0, t) * row[t];
      plane += factor(1, i) * sum;
    }
    total = kDims == 3 ? total + factor(2, k) * plane : plane;
  }
  return total;
}

struct Sums {
  template <class Number, int kTaps, int kDims>
  static void Of(const PointArgs<Number>& args) {
    for (int64_t j = 0; j < args.count; ++j) args.to[j] = SumAt<Number, kTaps, kDims>(args, j, -1);
  }
};

struct Slopes {
  template <class Number, int kTaps, int kDims>
  static void Of(const PointArgs<Number>& args) {
#pragma GCC unroll 3
    for (int axis = 0; axis < kDims; ++axis) {
      Number* const to = args.to + axis * kBlock;
      for (int64_t j = 0; j < args.count; ++j) {
        to[j] += args.gradients[j] * SumAt<Number, kTaps, kDims>(args, j, axis);
      }
    }
  }
};

struct Spread {
  template <class Number, int kTaps, int kDims>
  static void Of(const PointArgs<Number>& args) {
    constexpr int kRows = kDims == 3 ? kTaps * kTaps : kTaps;
    const Taps<Number>* const axes = args.axes;
    for (int r = 0; r < kRows; ++r) {
      for (int t = 0; t < kTaps; ++t) {
        Number* const to = args.products + (r * kTaps + t) * args.count;
        for (int64_t j = 0; j < args.count; ++j) {
          const Number deep =
              kDims == 3 ? args.gradients[j] * axes[2].weights[r / kTaps][j] : args.gradients[j];
          to[j] = deep * axes[1].weights[r % kTaps][j] * axes[0].weights[t][j];
        }
      }
    }
    const Places& places = *args.places;
    const int64_t count = args.count;
    for (int64_t j = 0; j < count; ++j) {
#pragma GCC unroll 4
      for (int r = 0; r < kRows; ++r) {
        const Number* const products = args.products + r * kTaps * count + j;
        const int64_t begin = places.begins[r][j], run = places.runs[r][j];
        if (run == kParted) {
          for (int t = 0; t < kTaps; ++t) {
            const int64_t x = axes[0].at[t][j];
            if (x >= 0) args.to[begin + x] += products[t * count];
          }
        } else if (run != kOutside) {
#pragma GCC unroll 4
          for (int t = 0; t < kTaps; ++t) args.to[run + t] += products[t * count];
        }
      }
    }
  }
};

template <int kDims>
void MapRow(const AffineArgs& args) {
  float shares[kDims][kDims];  // of the axes behind x, then of 1
  for (int k = 0; k < kDims; ++k) {
    for (int i = 0; i < kDims; ++i)
      shares[k][i] = args.map[k * (kDims + 1) + i + 1] * args.others[i];
  }
  for (int64_t j = 0; j < args.count; ++j) {
#pragma GCC unroll 3
    for (int k = 0; k < kDims; ++k) {
      float sum = 0.0f + args.map[k * (kDims + 1)] * args.x[j];
#pragma GCC unroll 3
      for (int i = 0; i < kDims; ++i) sum += shares[k][i];
      args.to[j * kDims + k] = sum;
    }
  }
}

void Map(const AffineArgs& args) { args.axes == 2 ? MapRow<2>(args) : MapRow<3>(args); }

template <class Number>
constexpr grid_sample::NumberKernels<Number> kKernelsOf = {
    .taps = FindTaps<Number>,
    .sums = ForShape<Sums, Number>,
    .slopes = ForShape<Slopes, Number>,
    .spread = ForShape<Spread, Number>,
};

}  // namespace

extern constinit const grid_sample::KernelSet kGridSampleKernels;
constinit const grid_sample::KernelSet kGridSampleKernels = {
    .fp32 = kKernelsOf<float>,
    .fp64 = kKernelsOf<double>,
    .places = FindPlaces,
    .collect = {nullptr, Collect<uint16_t>, Collect<uint32_t>, Collect<uint64_t>},
    .affine = Map,
};

}  // namespace anyacl::ANYACL_ISA
