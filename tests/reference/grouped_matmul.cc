// SPDX-License-Identifier: Apache-2.0
#include "reference/grouped_matmul.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>
#include <sstream>

namespace anyacl::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The range of fp32, without its precision.
double InRange(double value) {
  return std::abs(value) > static_cast<double>(FLT_MAX) ? std::copysign(kInfinity, value) : value;
}

int64_t FloorBy16(int64_t x) { return (x - ((x % 16) + 16) % 16) / 16; }

// Sums over the group's k of x * w, by the document's split of x into two halves for INT4:
// 16 * sum(high * w) + sum(low * w).
int64_t Product(const GroupedMatmulInput& in, const int8_t* x, const int8_t* w, int64_t group) {
  const int64_t size = in.depth / in.groups;
  int64_t plain = 0, high = 0, low = 0;
  for (int64_t k = group * size; k < (group + 1) * size; ++k) {
    const int64_t weight = w[k * in.columns];
    if (!in.int4) {
      plain += x[k] * weight;
      continue;
    }
    high += FloorBy16(x[k]) * weight;
    low += ((x[k] & 15) - 8) * weight;
  }
  return in.int4 ? 16 * high + low : plain;
}

double ColumnOf(const GroupedMatmulInput& in, int64_t row, int64_t expert, int64_t n) {
  const int8_t* x = &in.x[static_cast<size_t>(row * in.depth)];
  const int8_t* w = in.weight.data() + expert * in.depth * in.columns + n;
  double sum = 0;
  for (int64_t g = 0; g < in.groups; ++g) {
    const double scale = in.scale[static_cast<size_t>((expert * in.groups + g) * in.columns + n)];
    sum += static_cast<double>(Product(in, x, w, g)) * scale;
  }
  if (in.int4) sum += in.bias[static_cast<size_t>(expert * in.columns + n)];
  return InRange(sum * in.x_scale[static_cast<size_t>(row)]);
}

double Swish(double a) {
  // inf / inf is what the formula has at minus infinity.
  if (a == -kInfinity) return std::numeric_limits<double>::quiet_NaN();
  return a / (1 + std::exp(-a));
}

}  // namespace

std::vector<int64_t> OwnersOf(const GroupedMatmulInput& in) {
  std::vector<int64_t> owner(static_cast<size_t>(in.rows), -1);
  if (in.group_list.empty()) return owner;
  const int64_t valid = std::min(std::max<int64_t>(in.group_list.back(), 0), in.rows);
  for (int64_t row = 0; row < valid; ++row) {
    // The first expert whose bound, or one before it, lies beyond the row. The last bound does for
    // every row that is valid.
    for (size_t e = 0; e < in.group_list.size(); ++e) {
      if (in.group_list[e] > row) {
        owner[static_cast<size_t>(row)] = static_cast<int64_t>(e);
        break;
      }
    }
  }
  return owner;
}

GroupedMatmulResult GroupedMatmul(const GroupedMatmulInput& in) {
  const int64_t half = in.columns / 2;
  GroupedMatmulResult result{OwnersOf(in), {}, {}};
  result.s.resize(static_cast<size_t>(in.rows * half));
  result.scale.resize(static_cast<size_t>(in.rows));
  for (int64_t row = 0; row < in.rows; ++row) {
    const int64_t expert = result.owner[static_cast<size_t>(row)];
    if (expert < 0) continue;
    double largest = 0;
    for (int64_t j = 0; j < half; ++j) {
      const double activated = ColumnOf(in, row, expert, j);
      const double gate = ColumnOf(in, row, expert, half + j);
      const double s = InRange(Swish(activated) * gate);
      result.s[static_cast<size_t>(row * half + j)] = s;
      if (!(std::abs(s) <= largest)) largest = std::isnan(largest) ? largest : std::abs(s);
    }
    result.scale[static_cast<size_t>(row)] = largest / 127;
  }
  return result;
}

std::vector<float> AuxiliaryBias(const GroupedMatmulInput& in) {
  std::vector<float> bias;
  const int64_t size = in.depth / in.groups;
  for (int64_t e = 0; e < in.experts; ++e) {
    for (int64_t n = 0; n < in.columns; ++n) {
      double sum = 0;
      for (int64_t k = 0; k < in.depth; ++k) {
        const int64_t g = k / size;
        sum += static_cast<double>(
                   in.scale[static_cast<size_t>((e * in.groups + g) * in.columns + n)]) *
               in.weight[static_cast<size_t>((e * in.depth + k) * in.columns + n)];
      }
      bias.push_back(static_cast<float>(8 * sum));
    }
  }
  return bias;
}

std::string Difference(const GroupedMatmulInput& in, const GroupedMatmulResult& expected,
                       const std::vector<int8_t>& q, const std::vector<float>& scale,
                       double tolerance) {
  const int64_t half = in.columns / 2;
  std::ostringstream text;
  for (int64_t row = 0; row < in.rows; ++row) {
    const auto r = static_cast<size_t>(row);
    if (expected.owner[r] < 0) continue;
    const double want = expected.scale[r];
    const double have = scale[r];
    // Below the smallest normal float, precision is lost.
    const bool same = std::isfinite(want)
                          ? std::abs(have - want) <= tolerance * want + double{FLT_MIN} * 1e-6
                          : std::isnan(want) == std::isnan(have) && !std::isfinite(have);
    if (!same) {
      text << "outputScale[" << row << "] = " << have << ", expected " << want;
      return text.str();
    }
    for (int64_t j = 0; j < half; ++j) {
      const double s = expected.s[static_cast<size_t>(row * half + j)];
      const double value = q[static_cast<size_t>(row * half + j)];
      const bool has_quotient = std::isfinite(want) && have > 0;
      const double quotient = has_quotient ? s / want : 0;
      const double slack = has_quotient ? 0.5 + 127 * tolerance : 0;
      if (have > 0 && have < double{FLT_MIN}) continue;
      if (std::abs(value - quotient) <= slack) continue;
      text << "output[" << row << ", " << j << "] = " << value << ", expected " << quotient;
      return text.str();
    }
  }
  return "";
}

}  // namespace anyacl::test
