// SPDX-License-Identifier: Apache-2.0
// Made-up tensors of gated units, and results that are near enough.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test {

using Numbers = std::vector<double>;

class GatedUnitsTest : public DeviceTest {
 protected:
  Tensor Drawn(const Layout& layout, double size = 4) {
    Tensor tensor(layout);
    Numbers values;
    for (int64_t i = 0; i < tensor.count(); ++i) {
      values.push_back(AsHeld(layout.dtype, random().Uniform(-size, size)));
    }
    WriteAs(tensor, values);
    return tensor;
  }
  // Numbers that are sums of `terms`, each of the size of 1 and as exact as `unit` says.
  static void ExpectClose(const Tensor& tensor, const Numbers& expected, double terms = 1,
                          double unit = 0x1p-19) {
    const Numbers actual = ReadAs(tensor);
    ASSERT_EQ(actual.size(), expected.size());
    for (size_t i = 0; i < actual.size(); ++i) {
      ASSERT_NEAR(actual[i], expected[i],
                  (std::fabs(expected[i]) + terms) * unit +
                      1.01 * HalfUnitOf(tensor.layout().dtype, expected[i]))
          << i;
    }
    EXPECT_TRUE(tensor.GuardsIntact());
  }
};

}  // namespace anyacl::test
