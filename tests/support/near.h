// SPDX-License-Identifier: Apache-2.0
// Expectations on results of sums in fp32.
#pragma once

#include <gtest/gtest.h>

#include "reference/summed.h"
#include "support/numbers.h"

namespace anyacl::test {

// `unit` of the magnitude of the terms, and a rounding to the tensor's type.
inline void ExpectNear(const Tensor& tensor, const Summed& expected, double unit,
                       const char* name = "element") {
  const std::vector<double> actual = ReadAs(tensor);
  ASSERT_EQ(actual.size(), expected.values.size()) << name;
  for (size_t i = 0; i < actual.size(); ++i) {
    const double value = expected.values[i];
    ASSERT_NEAR(actual[i], value,
                unit * expected.sizes[i] + 1.01 * HalfUnitOf(tensor.layout().dtype, value))
        << name << " " << i;
  }
  EXPECT_TRUE(tensor.GuardsIntact()) << name;
}

}  // namespace anyacl::test
