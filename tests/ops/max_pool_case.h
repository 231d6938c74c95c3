// SPDX-License-Identifier: Apache-2.0
// What tests of maximum pooling and its reverse share.
#pragma once

#include <cmath>

#include "ops/image_case.h"

namespace anyacl::test::max_pool {

class MaxPoolCase : public DeviceTest {
 protected:
  static void ExpectSame(const Tensor& out, const std::vector<double>& expected) {
    const std::vector<double> results = ReadAs(out);
    ASSERT_EQ(results.size(), expected.size());
    for (size_t i = 0; i < results.size(); ++i) {
      if (std::isnan(expected[i])) {
        EXPECT_TRUE(std::isnan(results[i])) << i;
      } else {
        ASSERT_EQ(results[i], expected[i]) << i;
      }
    }
    EXPECT_TRUE(out.GuardsIntact());
  }
};

}  // namespace anyacl::test::max_pool
