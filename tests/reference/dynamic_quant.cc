// SPDX-License-Identifier: Apache-2.0
#include "reference/dynamic_quant.h"

#include <cmath>
#include <limits>
#include <sstream>

namespace anyacl::test {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// The first expert whose end lies beyond the row; rows beyond every end go to the last expert.
int64_t ExpertOf(int64_t row, const std::vector<int32_t>& group) {
  for (size_t e = 0; e < group.size(); ++e) {
    if (group[e] > row) return static_cast<int64_t>(e);
  }
  return static_cast<int64_t>(group.size()) - 1;
}

std::vector<float> SmoothedRow(const DynamicQuantInput& input, int64_t row) {
  std::vector<float> v(static_cast<size_t>(input.cols));
  const int64_t expert = input.group.empty() ? 0 : ExpertOf(row, input.group);
  for (int64_t j = 0; j < input.cols; ++j) {
    v[j] = input.x[row * input.cols + j];
    if (!input.smooth.empty()) v[j] = v[j] * input.smooth[expert * input.cols + j];
  }
  return v;
}

struct RowFacts {
  bool has_nan = false;
  bool has_infinity = false;
  float max = -kInfinity;
  float min = kInfinity;
  float max_magnitude = 0;
};

RowFacts FactsOf(const std::vector<float>& v) {
  RowFacts facts;
  for (float value : v) {
    if (std::isnan(value)) facts.has_nan = true;
    if (std::isinf(value)) facts.has_infinity = true;
    if (value > facts.max) facts.max = value;
    if (value < facts.min) facts.min = value;
    if (std::fabs(value) > facts.max_magnitude) facts.max_magnitude = std::fabs(value);
  }
  return facts;
}

// To the nearest integer, ties to even, not beyond the range; what is not a number becomes 0.
int8_t RoundAndSaturate(float value, int bits) {
  const float high = bits == 8 ? 127 : 7;
  const float low = -high - 1;
  if (std::isnan(value)) return 0;
  const float floor = std::floor(value);
  float rounded = value - floor > 0.5f ? floor + 1 : floor;
  if (value - floor == 0.5f && std::fmod(floor, 2.0f) != 0) rounded = floor + 1;
  if (rounded > high) return static_cast<int8_t>(high);
  if (rounded < low) return static_cast<int8_t>(low);
  return static_cast<int8_t>(rounded);
}

}  // namespace

DynamicQuantOutput DynamicQuant(const DynamicQuantInput& input) {
  const float q = input.bits == 8 ? 127 : 7;
  const float r = input.bits == 8 ? 255 : 15;
  DynamicQuantOutput output;
  for (int64_t row = 0; row < input.rows; ++row) {
    const std::vector<float> v = SmoothedRow(input, row);
    const RowFacts facts = FactsOf(v);
    float scale = 0;
    float offset = 0;
    if (facts.has_nan) {
      scale = kNaN;
      offset = kNaN;
    } else if (input.asymmetric) {
      scale = (facts.max - facts.min) / r;
      if (scale < 1e-12f) scale = 1e-12f;
      if (facts.has_infinity) scale = kInfinity;
      offset = q - facts.max / scale;
    } else {
      scale = facts.max_magnitude / q;
    }
    for (float value : v) {
      const float steps = value / scale;
      const bool no_scale = !input.asymmetric && scale == 0;
      const float shifted = input.asymmetric ? steps + offset : steps;
      output.y.push_back(no_scale ? 0 : RoundAndSaturate(shifted, input.bits));
    }
    output.scale.push_back(scale);
    if (input.asymmetric) output.offset.push_back(offset);
  }
  return output;
}

DynamicQuantOutput DynamicQuantOfChannels(const DynamicQuantInput& input, int64_t tokens) {
  DynamicQuantOutput output;
  output.y.resize(input.x.size());
  for (int64_t first = 0; first < input.rows; first += tokens) {
    for (int64_t column = 0; column < input.cols; ++column) {
      DynamicQuantInput channel = input;
      channel.rows = 1;
      channel.cols = tokens;
      channel.x.clear();
      for (int64_t i = 0; i < tokens; ++i) {
        channel.x.push_back(input.x[(first + i) * input.cols + column]);
      }
      const DynamicQuantOutput of_channel = DynamicQuant(channel);
      for (int64_t i = 0; i < tokens; ++i) {
        output.y[(first + i) * input.cols + column] = of_channel.y[i];
      }
      output.scale.push_back(of_channel.scale[0]);
      if (input.asymmetric) output.offset.push_back(of_channel.offset[0]);
    }
  }
  return output;
}

DynamicQuantOutput DynamicQuantOfTensor(const DynamicQuantInput& input) {
  DynamicQuantInput row = input;
  row.rows = 1;
  row.cols = input.rows * input.cols;
  for (int64_t i = 1; i < input.rows && !input.smooth.empty(); ++i) {
    row.smooth.insert(row.smooth.end(), input.smooth.begin(), input.smooth.end());
  }
  return DynamicQuant(row);
}

std::string CheckDequantised(const DynamicQuantInput& input, const DynamicQuantOutput& output) {
  const double q = input.bits == 8 ? 127 : 7;
  constexpr double kEpsilon = 1.0 / (1 << 24);
  std::ostringstream wrong;
  for (int64_t row = 0; row < input.rows; ++row) {
    const std::vector<float> v = SmoothedRow(input, row);
    const double scale = output.scale[row];
    const double offset = input.asymmetric ? output.offset[row] : 0;
    bool reaches_end = false;
    for (int64_t j = 0; j < input.cols; ++j) {
      const double y = output.y[row * input.cols + j];
      // Half a step for the rounding of y, and a few fp32 roundings on the way there: of the scale,
      // the offset, the quotient and their sum.
      const double steps = 0.5 + 4 * kEpsilon * (std::fabs(offset) + std::fabs(v[j] / scale) + q);
      if (!(std::fabs((y - offset) * scale - v[j]) <= steps * scale)) {
        wrong << "row " << row << " column " << j << ": " << v[j] << " became " << y
              << " with scale " << scale << " offset " << offset << "\n";
      }
      reaches_end |= input.asymmetric ? y == q : std::fabs(y) == q;
    }
    if (!reaches_end) wrong << "row " << row << ": no value at the end of the range\n";
  }
  return wrong.str();
}

}  // namespace anyacl::test
