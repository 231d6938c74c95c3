// SPDX-License-Identifier: Apache-2.0
#include "dynamic_quant_reference.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <sstream>

namespace anyacl::bench {
namespace {

std::vector<float> ValuesOf16Bits(bool bfloat16) {
  std::vector<float> values(65536);
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    values[bits] = bfloat16 ? BFloat16Value(half) : Float16Value(half);
  }
  return values;
}

struct RowResult {
  std::vector<int> y;
  float scale = 0;
  float offset = 0;
};

void QuantiseRow(const std::vector<float>& v, bool asymmetric, int bits, RowResult* result) {
  const float q = bits == 8 ? 127 : 7;
  const auto [low, high] = std::minmax_element(v.begin(), v.end());
  if (asymmetric) {
    result->scale = std::max((*high - *low) / (2 * q + 1), 1e-12f);
    result->offset = q - *high / result->scale;
  } else {
    result->scale = std::max(std::fabs(*high), std::fabs(*low)) / q;
    result->offset = 0;
  }
  for (size_t j = 0; j < v.size(); ++j) {
    const float steps = v[j] / result->scale;
    const float rounded = std::nearbyint(asymmetric ? steps + result->offset : steps);
    result->y[j] = static_cast<int>(std::clamp(rounded, -q - 1, q));
  }
}

int StoredValue(const QuantProblem& problem, const QuantResult& result, int64_t element) {
  if (problem.bits == 8) return static_cast<int8_t>(result.y[element]);
  const int half = result.y[element / 2] >> (element % 2 * 4) & 15;
  return half < 8 ? half : half - 16;
}

std::string Describe(const char* what, int64_t row, int64_t column, double actual,
                     double expected) {
  std::ostringstream text;
  text << what << " of row " << row;
  if (column >= 0) text << " column " << column;
  text << " is " << actual << ", expected " << expected;
  return text.str();
}

}  // namespace

float Float16Value(uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int mantissa = bits & 1023;
  const float magnitude = exponent == 0
                              ? std::ldexp(static_cast<float>(mantissa), -24)
                              : std::ldexp(static_cast<float>(1024 + mantissa), exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

float BFloat16Value(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); }

std::string Difference(const QuantProblem& problem, const QuantResult& result) {
  const std::vector<float> value = ValuesOf16Bits(problem.bfloat16);
  std::vector<float> v(problem.cols);
  RowResult expected;
  expected.y.resize(problem.cols);
  size_t expert = 0;
  for (int64_t row = 0; row < problem.rows; ++row) {
    while (expert + 1 < problem.group_ends.size() && problem.group_ends[expert] <= row) ++expert;
    for (int64_t j = 0; j < problem.cols; ++j) {
      v[j] = value[problem.x[row * problem.cols + j]];
      if (!problem.smooth.empty()) v[j] *= value[problem.smooth[expert * problem.cols + j]];
    }
    QuantiseRow(v, problem.asymmetric, problem.bits, &expected);
    if (result.scale[row] != expected.scale) {
      return Describe("scale", row, -1, result.scale[row], expected.scale);
    }
    if (problem.asymmetric && result.offset[row] != expected.offset) {
      return Describe("offset", row, -1, result.offset[row], expected.offset);
    }
    for (int64_t j = 0; j < problem.cols; ++j) {
      const int actual = StoredValue(problem, result, row * problem.cols + j);
      if (actual != expected.y[j]) return Describe("y", row, j, actual, expected.y[j]);
    }
  }
  return {};
}

}  // namespace anyacl::bench
