// SPDX-License-Identifier: Apache-2.0
// Dynamic quantisation of finite rows in plain loops, to check what a benchmark has measured.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace anyacl::bench {

// The value of a FLOAT16 or BFLOAT16 from its bits.
float Float16Value(uint16_t bits);
float BFloat16Value(uint16_t bits);

struct QuantProblem {
  int64_t rows = 0;
  int64_t cols = 0;
  bool bfloat16 = false;
  bool asymmetric = false;
  int bits = 8;  // 8 or 4; two values of 4 bits share a byte, the first in its low half.
  std::vector<uint16_t> x;
  std::vector<uint16_t> smooth;     // Empty, [cols], or [experts, cols].
  std::vector<int32_t> group_ends;  // Empty, or the row after the last one of each expert.
};

struct QuantResult {
  std::vector<uint8_t> y;
  std::vector<float> scale;
  std::vector<float> offset;  // Empty if symmetric.
};

// The first difference between the result and the definition, in words; empty if there is none.
// Results are compared bit by bit.
std::string Difference(const QuantProblem& problem, const QuantResult& result);

}  // namespace anyacl::bench
