// SPDX-License-Identifier: Apache-2.0
// What tests of interpolation and average pooling share.
#pragma once

#include <cmath>

#include "ops/image_case.h"

namespace anyacl::test::resampling {

class ResamplingCase : public DeviceTest {
 protected:
  void ExpectNear(const Tensor& out, const std::vector<double>& expected, double size,
                  double places) {
    const std::vector<double> results = ReadAs(out);
    ASSERT_EQ(results.size(), expected.size());
    const aclDataType type = out.layout().dtype;
    const double fp = type == ACL_DOUBLE ? 0x1p-50 : 0x1p-22;
    for (size_t i = 0; i < results.size(); ++i) {
      ASSERT_NEAR(results[i], expected[i],
                  places * fp * size + 1.01 * LastPlace(type) * std::fabs(expected[i]) +
                      1e-7 * (type == ACL_FLOAT16))
          << i;
    }
    EXPECT_TRUE(out.GuardsIntact());
  }
};

}  // namespace anyacl::test::resampling
