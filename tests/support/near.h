// SPDX-License-Identifier: Apache-2.0
// Expectations on results of sums in fp32.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "reference/summed.h"
#include "support/numbers.h"

namespace anyacl::test {

// Element i within bound(i) of value(i), a NaN where that is one; nothing around them is written.
template <class Value, class Bound>
void ExpectWithin(const Tensor& tensor, size_t count, const Value& value, const Bound& bound,
                  const char* name = "element") {
  const std::vector<double> actual = ReadAs(tensor);
  ASSERT_EQ(actual.size(), count) << name;
  for (size_t i = 0; i < count; ++i) {
    if (std::isnan(value(i))) {
      ASSERT_TRUE(std::isnan(actual[i])) << name << " " << i << " is " << actual[i];
    } else {
      ASSERT_NEAR(actual[i], value(i), bound(i)) << name << " " << i;
    }
  }
  EXPECT_TRUE(tensor.GuardsIntact()) << name;
}

// `unit` of the magnitude of the terms, and a rounding to the tensor's type.
inline void ExpectNear(const Tensor& tensor, const Summed& expected, double unit,
                       const char* name = "element") {
  const auto value = [&](size_t i) { return expected.values[i]; };
  const auto bound = [&](size_t i) {
    return unit * expected.sizes[i] + 1.01 * HalfUnitOf(tensor.layout().dtype, value(i));
  };
  ExpectWithin(tensor, expected.values.size(), value, bound, name);
}

}  // namespace anyacl::test
