// SPDX-License-Identifier: Apache-2.0
// What tests of softmax, norms and SwiGlu share: tensors of rows, and how near a row has to be.
#pragma once

#include <cmath>

#include "reference/rowwise.h"
#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test::rowwise {

inline constexpr double kUnit = 0x1p-24;

// A tensor [outer, n] or, along the first dimension, [n, outer], with or without gaps.
struct Case {
  aclDataType type;
  int64_t outer, n;
  bool first = false;  // rows along the first dimension
  bool gaps = false;

  Layout LayoutOf() const {
    Layout layout{.dims = {outer, n}, .dtype = type};
    if (first) layout.dims = {n, outer};
    if (gaps) layout.strides = {1, layout.dims[0] + 3};
    return layout;
  }
  int64_t dim() const { return first ? 0 : -1; }
};

class RowwiseTest : public DeviceTest, public ::testing::WithParamInterface<aclDataType> {
 protected:
  std::vector<Case> Cases(aclDataType type) {
    std::vector<Case> cases;
    for (int64_t n : {1, 7, 16, 33, 100, 512, 513, 4096, 4097, 9000}) {
      const int64_t outer = n > 1000 ? 2 : 5;
      for (bool first : {false, true}) {
        for (bool gaps : {false, true}) cases.push_back({type, outer, n, first, gaps});
      }
    }
    cases.push_back({type, 40, 300, true, false});
    return cases;
  }

  std::vector<double> RandomValues(int64_t count, aclDataType type, double deviation = 2) {
    std::vector<double> values;
    for (int64_t i = 0; i < count; ++i) {
      values.push_back(AsHeld(type, random().Normal(0.5, deviation)));
    }
    return values;
  }

  // The rows of values in logical order.
  static std::vector<Row> RowsOf(const Case& c, const std::vector<double>& values) {
    std::vector<Row> rows(static_cast<size_t>(c.outer));
    for (int64_t r = 0; r < c.outer; ++r) {
      for (int64_t i = 0; i < c.n; ++i) {
        rows[r].push_back(values[c.first ? i * c.outer + r : r * c.n + i]);
      }
    }
    return rows;
  }

  static void ExpectNear(const Row& actual, const Row& expected, aclDataType type, double units,
                         double size) {
    ASSERT_EQ(actual.size(), expected.size());
    const double own = type == ACL_DOUBLE ? 0x1p-29 : 1;
    for (size_t i = 0; i < actual.size(); ++i) {
      const double bound = own * units * kUnit * (std::fabs(expected[i]) + size) +
                           1.01 * HalfUnitOf(type, expected[i]);
      ASSERT_LE(std::fabs(actual[i] - expected[i]), bound) << i << ": " << actual[i];
    }
  }
};

}  // namespace anyacl::test::rowwise
