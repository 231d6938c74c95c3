// SPDX-License-Identifier: Apache-2.0
// The weights of an axis, as PyTorch computes them: in fp32 for tensors of 32 bits and less, since
// a position in fp64 may fall on another element.
#include <algorithm>
#include <cmath>

#include "base/wide.h"
#include "ops/resampling/op.h"

namespace anyacl::resampling {
namespace {

// Sizes are up to 2^26: a longer step leads beyond any of them too, and stays finite in fp32.
double StepOf(const Axis& axis) { return std::min(1.0 / axis.scale, 0x1p60); }

// The whole part of a place, 0 to `most`.
template <class Number>
int64_t WholeUpTo(Number place, int64_t most) {
  if (!(place > 0)) return 0;
  return place < static_cast<Number>(most) ? std::min(static_cast<int64_t>(place), most) : most;
}

// From an output position to an input position.
template <class Number>
Number ScaleOf(const Axis& axis) {
  if (axis.align_corners) {
    return axis.out > 1 ? static_cast<Number>(axis.in - 1) / static_cast<Number>(axis.out - 1)
                        : Number{0};
  }
  if (axis.scale > 0) return static_cast<Number>(StepOf(axis));
  return static_cast<Number>(axis.in) / static_cast<Number>(axis.out);
}

// A row under construction: neighbouring elements, each of them once.
template <class Number>
void Append(Table<Number>& table, int64_t at, Number weight) {
  const auto begin = static_cast<size_t>(table.begins.back());
  for (size_t i = begin; i < table.at.size(); ++i) {
    if (table.at[i] != at) continue;
    table.weights[i] += weight;
    return;
  }
  table.at.push_back(static_cast<int32_t>(at));
  table.weights.push_back(weight);
}
template <class Number>
void EndRow(Table<Number>& table, Number divisor = 1) {
  table.begins.push_back(static_cast<int64_t>(table.at.size()));
  table.divisors.push_back(divisor);
}

template <class Number>
void NearestRow(Table<Number>& table, const Axis& axis, int64_t j) {
  // PyTorch's positions are fp32 whatever the elements are.
  const float scale = axis.scale > 0 ? static_cast<float>(StepOf(axis))
                                     : static_cast<float>(axis.in) / static_cast<float>(axis.out);
  // The half of an element is added in fp64, though.
  const float place = axis.mode == Mode::kNearestExact
                          ? static_cast<float>((static_cast<double>(j) + 0.5) * double{scale})
                          : static_cast<float>(j) * scale;
  Append(table, WholeUpTo(place, axis.in - 1), Number{1});
}

template <class Number>
void LinearRow(Table<Number>& table, const Axis& axis, int64_t j) {
  if (axis.in == axis.out) return Append(table, j, Number{1});
  const Number scale = ScaleOf<Number>(axis);
  Number at = scale * static_cast<Number>(j);
  if (!axis.align_corners) {
    at = std::max(scale * (static_cast<Number>(j) + Number{0.5}) - Number{0.5}, Number{0});
  }
  const int64_t first = WholeUpTo(at, axis.in - 1);
  const Number second = std::clamp(at - static_cast<Number>(first), Number{0}, Number{1});
  const int64_t next = first + (first < axis.in - 1 ? 1 : 0);
  Append(table, first, next == first ? Number{1} : Number{1} - second);
  if (next != first) Append(table, next, second);
}

template <class Number>
Number CubicNear(Number x, Number a) {
  return ((a + 2) * x - (a + 3)) * x * x + 1;
}
template <class Number>
Number CubicFar(Number x, Number a) {
  return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
}

template <class Number>
void CubicRow(Table<Number>& table, const Axis& axis, int64_t j) {
  const Number scale = ScaleOf<Number>(axis);
  Number at = scale * static_cast<Number>(j);
  if (!axis.align_corners) at = scale * (static_cast<Number>(j) + Number{0.5}) - Number{0.5};
  const Number floor = std::min(std::floor(at), static_cast<Number>(axis.in - 1));
  const Number t = std::clamp(at - floor, Number{0}, Number{1});
  const Number a{-0.75};
  const Number weights[] = {CubicFar(t + 1, a), CubicNear(t, a), CubicNear(1 - t, a),
                            CubicFar(2 - t, a)};
  for (int64_t i = 0; i < 4; ++i) {
    const int64_t place = static_cast<int64_t>(floor) - 1 + i;
    Append(table, std::clamp<int64_t>(place, 0, axis.in - 1), weights[i]);
  }
}

template <class Number>
Number FilterOf(Mode mode, Number x) {
  x = std::fabs(x);
  if (mode == Mode::kLinearAntialias) return x < 1 ? 1 - x : Number{0};
  const Number a{-0.5};
  return x < 1 ? CubicNear(x, a) : x < 2 ? CubicFar(x, a) : Number{0};
}

template <class Number>
void AntialiasRow(Table<Number>& table, const Axis& axis, int64_t j) {
  const Number scale = ScaleOf<Number>(axis);
  const Number reach = axis.mode == Mode::kLinearAntialias ? Number{1} : Number{2};
  const Number support = scale >= 1 ? reach * scale : reach;
  const Number inverse = scale >= 1 ? 1 / scale : Number{1};
  const Number center = scale * (static_cast<Number>(j) + Number{0.5});
  const int64_t begin = WholeUpTo(center - support + Number{0.5}, axis.in);
  const int64_t end = WholeUpTo(center + support + Number{0.5}, axis.in);
  Number total = 0;
  for (int64_t i = begin; i < end; ++i) {
    total += FilterOf(axis.mode, (static_cast<Number>(i) - center + Number{0.5}) * inverse);
  }
  for (int64_t i = begin; i < end; ++i) {
    const Number w = FilterOf(axis.mode, (static_cast<Number>(i) - center + Number{0.5}) * inverse);
    table.at.push_back(static_cast<int32_t>(i));
    table.weights.push_back(total != 0 ? w / total : w);
  }
}

template <class Number>
void WindowRow(Table<Number>& table, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) {
    table.at.push_back(static_cast<int32_t>(i));
    table.weights.push_back(Number{1});
  }
}

// A window that lies in the padding altogether has no elements, and a sum of 0.
template <class Number>
void PoolRow(Table<Number>& table, const Axis& axis, int64_t j) {
  const int64_t begin = j * axis.stride - axis.padding;
  const int64_t end = std::min(begin + axis.kernel, axis.in + axis.padding);
  const int64_t first = std::max<int64_t>(begin, 0);
  const int64_t last = std::min(end, axis.in);
  WindowRow(table, first, last);
  const int64_t count = axis.include_padding ? end - begin : last - first;
  EndRow(table, static_cast<Number>(std::max<int64_t>(count, 1)));
}

template <class Number>
void AdaptiveRow(Table<Number>& table, const Axis& axis, int64_t j) {
  const auto begin = static_cast<int64_t>(Int128{j} * axis.in / axis.out);
  const auto end = static_cast<int64_t>((Int128{j + 1} * axis.in + axis.out - 1) / axis.out);
  WindowRow(table, begin, end);
  EndRow(table, static_cast<Number>(std::max<int64_t>(end - begin, 1)));
}

template <class Number>
void UpsampleRow(Table<Number>& table, const Axis& axis, int64_t j) {
  switch (axis.mode) {
    case Mode::kNearest:
    case Mode::kNearestExact:
      NearestRow(table, axis, j);
      break;
    case Mode::kLinear:
      LinearRow(table, axis, j);
      break;
    case Mode::kCubic:
      CubicRow(table, axis, j);
      break;
    case Mode::kLinearAntialias:
    case Mode::kCubicAntialias:
      AntialiasRow(table, axis, j);
      break;
  }
  EndRow(table);
}

}  // namespace

template <class Number>
Table<Number> TableOf(const Axis& axis) {
  Table<Number> table;
  table.begins.push_back(0);
  for (int64_t j = 0; j < axis.out; ++j) {
    switch (axis.kind) {
      case Axis::Kind::kSame:
        WindowRow(table, j, j + 1);
        EndRow(table);
        break;
      case Axis::Kind::kUpsample:
        UpsampleRow(table, axis, j);
        break;
      case Axis::Kind::kWindow:
        PoolRow(table, axis, j);
        break;
      case Axis::Kind::kAdaptive:
        AdaptiveRow(table, axis, j);
        break;
    }
  }
  return table;
}
template Table<float> TableOf(const Axis&);
template Table<double> TableOf(const Axis&);

template <class Number>
Table<Number> Transposed(const Table<Number>& table, int64_t columns) {
  Table<Number> other;
  other.begins.assign(static_cast<size_t>(columns) + 1, 0);
  for (int32_t at : table.at) ++other.begins[static_cast<size_t>(at) + 1];
  for (size_t i = 0; i < static_cast<size_t>(columns); ++i) other.begins[i + 1] += other.begins[i];
  other.at.resize(table.at.size());
  other.weights.resize(table.at.size());
  std::vector<int64_t> next(other.begins.begin(), other.begins.end() - 1);
  for (int64_t j = 0; j < table.size(); ++j) {
    for (int64_t i = table.begins[static_cast<size_t>(j)];
         i < table.begins[static_cast<size_t>(j) + 1]; ++i) {
      const auto to =
          static_cast<size_t>(next[static_cast<size_t>(table.at[static_cast<size_t>(i)])]++);
      other.at[to] = static_cast<int32_t>(j);
      other.weights[to] = table.weights[static_cast<size_t>(i)];
    }
  }
  return other;
}
template Table<float> Transposed(const Table<float>&, int64_t);
template Table<double> Transposed(const Table<double>&, int64_t);

}  // namespace anyacl::resampling
