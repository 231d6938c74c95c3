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
    if (!in.int4 || in.int4_x) {
      plain += x[k] * weight;
      continue;
    }
    high += FloorBy16(x[k]) * weight;
    low += ((x[k] & 15) - 8) * weight;
  }
  return plain + 16 * high + low;
}

// A number and what its computation in fp32 may add to it.
struct Value {
  double exact;
  double error;
};

Value ColumnOf(const GroupedMatmulInput& in, int64_t row, int64_t expert, int64_t n) {
  // Without depth there are no elements to point at.
  const int8_t* x = in.depth == 0 ? nullptr : in.x.data() + row * in.depth;
  const int8_t* w = in.depth == 0 ? nullptr : in.weight.data() + expert * in.depth * in.columns + n;
  double sum = 0;
  double magnitude = 0;
  for (int64_t g = 0; g < in.groups; ++g) {
    const double scale = in.scale[static_cast<size_t>((expert * in.groups + g) * in.columns + n)];
    const double term = in.depth == 0 ? 0 : static_cast<double>(Product(in, x, w, g)) * scale;
    sum += term;
    magnitude += std::abs(term);
  }
  if (in.int4 && !in.int4_x) {
    const double bias = in.bias[static_cast<size_t>(expert * in.columns + n)];
    sum += bias;
    magnitude += std::abs(bias);
  }
  // Half a unit of 2^-23 for each term, its conversion, the bias and the two scales.
  const double units = static_cast<double>(in.groups + 4) * 0x1p-24;
  const double x_scale = in.x_scale[static_cast<size_t>(row)];
  return {InRange(sum * x_scale), units * magnitude * std::abs(x_scale)};
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
  if (in.counts) {
    int64_t row = 0;
    for (size_t e = 0; e < in.group_list.size(); ++e) {
      for (int64_t i = 0; i < in.group_list[e] && row < in.rows; ++i) {
        owner[static_cast<size_t>(row++)] = static_cast<int64_t>(e);
      }
    }
    return owner;
  }
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
  GroupedMatmulResult result;
  result.owner = OwnersOf(in);
  result.s.resize(static_cast<size_t>(in.rows * half));
  result.s_error.resize(result.s.size());
  result.scale.resize(static_cast<size_t>(in.rows));
  result.scale_error.resize(result.scale.size());
  for (int64_t row = 0; row < in.rows; ++row) {
    const int64_t expert = result.owner[static_cast<size_t>(row)];
    if (expert < 0) continue;
    double largest = 0;
    for (int64_t j = 0; j < half; ++j) {
      const Value activated = ColumnOf(in, row, expert, j);
      const Value gate = ColumnOf(in, row, expert, half + j);
      const double swish = Swish(activated.exact);
      const double smooth =
          in.smooth.empty() ? 1 : in.smooth[static_cast<size_t>(expert * half + j)];
      const double s = InRange(InRange(swish * gate.exact) * smooth);
      const auto at = static_cast<size_t>(row * half + j);
      result.s[at] = s;
      // The slope of swish is below 1.1, and where it is nearly 0, about |swish|.
      const double slope = std::min(1.1, 1.1 * std::abs(swish) + 0.6 * (activated.exact > -3));
      result.s_error[at] =
          (slope * activated.error * std::abs(gate.exact) + std::abs(swish) * gate.error) *
          std::abs(smooth);
      double& scale_error = result.scale_error[static_cast<size_t>(row)];
      scale_error = std::max(scale_error, result.s_error[at]);
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
                       const std::vector<int8_t>& q, const std::vector<float>& scale) {
  constexpr double kRoundings = 2e-6;
  const int64_t half = in.columns / 2;
  std::ostringstream text;
  for (int64_t row = 0; row < in.rows; ++row) {
    const auto r = static_cast<size_t>(row);
    if (expected.owner[r] < 0) continue;
    const double want = expected.scale[r];
    const double have = scale[r];
    // Below the smallest normal float, precision is lost.
    const double allowed =
        kRoundings * want + expected.scale_error[r] / 127 + double{FLT_MIN} * 1e-6;
    const bool same = std::isfinite(want)
                          ? std::abs(have - want) <= allowed
                          : std::isnan(want) == std::isnan(have) && !std::isfinite(have);
    if (!same) {
      text << "outputScale[" << row << "] = " << have << ", expected " << want;
      return text.str();
    }
    const bool has_quotients = std::isfinite(want) && have > 0;
    if (has_quotients && have < double{FLT_MIN}) continue;
    for (int64_t j = 0; j < half; ++j) {
      const auto at = static_cast<size_t>(row * half + j);
      const double quotient = has_quotients ? expected.s[at] / have : 0;
      const double slack = has_quotients ? 0.5 + 127 * kRoundings + expected.s_error[at] / have : 0;
      // Beyond the ends of the range q stays there.
      if (std::abs(q[at] - std::clamp(quotient, -128.0, 127.0)) <= slack) continue;
      text << "output[" << row << ", " << j << "] = " << int{q[at]} << ", expected " << quotient;
      return text.str();
    }
  }
  return "";
}

}  // namespace anyacl::test
