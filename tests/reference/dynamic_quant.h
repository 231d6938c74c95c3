// SPDX-License-Identifier: Apache-2.0
// What dynamic quantisation means, in plain loops: the oracle of its tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace anyacl::test {

// A row of x is multiplied by a row of smooth, column by column, and gets a scale of its own:
//   symmetric    scale = max|v| / Q              y = v / scale
//   asymmetric   scale = (max v - min v) / R     y = v / scale + offset, offset = Q - max v / scale
// with Q = 127, R = 255 for 8 and Q = 7, R = 15 for 4 bits, in fp32. y is rounded to nearest even.
struct DynamicQuantInput {
  int64_t rows = 0;
  int64_t cols = 0;
  std::vector<float> x;        // rows * cols
  std::vector<float> smooth;   // Empty, one row for all of x, or with group one row per expert.
  std::vector<int32_t> group;  // Empty, or for each expert the row after its last one.
  bool asymmetric = false;
  int bits = 8;
};

struct DynamicQuantOutput {
  std::vector<int8_t> y;      // rows * cols
  std::vector<float> scale;   // rows
  std::vector<float> offset;  // rows if asymmetric
};

DynamicQuantOutput DynamicQuant(const DynamicQuantInput& input);
// A scale for each column of `tokens` rows, of which smooth has a factor each; x is some matrices
// of as many rows.
DynamicQuantOutput DynamicQuantOfChannels(const DynamicQuantInput& input, int64_t tokens);
// One scale for all of x; smooth has a factor for each column.
DynamicQuantOutput DynamicQuantOfTensor(const DynamicQuantInput& input);

// Checks, in double precision and without computing a quantisation, that `output` describes
// `input`: every value is at most half a step from its dequantised value and the largest of each
// row takes the end of the range. For finite rows that are not constant. Returns what is wrong,
// or nothing.
std::string CheckDequantised(const DynamicQuantInput& input, const DynamicQuantOutput& output);

}  // namespace anyacl::test
