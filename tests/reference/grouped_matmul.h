// SPDX-License-Identifier: Apache-2.0
// What GroupedMatmulSwigluQuant means, in plain loops over exact integers and doubles: the oracle
// of its tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace anyacl::test {

struct GroupedMatmulInput {
  int64_t rows = 0;     // M
  int64_t depth = 0;    // K
  int64_t columns = 0;  // N
  int64_t experts = 0;  // E
  int64_t groups = 1;   // G: groups of k with scales of their own
  bool int4 = false;
  bool int4_x = false;    // x, too: there is nothing to split, and no bias
  bool counts = false;    // group_list has counts of rows; senseless ones are cut to those left
  std::vector<int8_t> x;  // [M, K]
  std::vector<int8_t> weight;       // [E, K, N], -8 to 7 for INT4
  std::vector<float> scale;         // [E, G, N]
  std::vector<float> bias;          // [E, N], INT4 only
  std::vector<float> x_scale;       // [M]
  std::vector<float> smooth;        // [E, N/2], or none
  std::vector<int64_t> group_list;  // up to E bounds, or counts
};

// Row r has s[r * N/2 ...] and its scale, unless owner[r] is -1: such rows are not written. An
// error is what fp32 may lose, where terms cancel, of s and of 127 scales.
struct GroupedMatmulResult {
  std::vector<int64_t> owner;
  std::vector<double> s;
  std::vector<double> s_error;
  std::vector<double> scale;
  std::vector<double> scale_error;
};

// The expert of each row, or -1.
std::vector<int64_t> OwnersOf(const GroupedMatmulInput& input);

GroupedMatmulResult GroupedMatmul(const GroupedMatmulInput& input);

// The document's auxiliary matrix: 8 times the scaled sums of the columns.
std::vector<float> AuxiliaryBias(const GroupedMatmulInput& input);

// Compares q and scale of all rows that are written. Scales must agree to 2e-6 of their size, for
// the few roundings from the products to them, and every q must be the integer next to its
// quotient: |q - s / scale| is at most 1/2, and more by the error of the quotient. Returns what is
// wrong, or nothing.
std::string Difference(const GroupedMatmulInput& input, const GroupedMatmulResult& expected,
                       const std::vector<int8_t>& q, const std::vector<float>& scale);

}  // namespace anyacl::test
