// SPDX-License-Identifier: Apache-2.0
// Made-up tensors of detectors' operators, and results that are near enough.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "ops/image_case.h"
#include "ops/moe_case.h"

namespace anyacl::test {

using namespace moe;

inline int64_t CountOf(const Shape& shape) {
  int64_t count = 1;
  for (int64_t size : shape) count *= size;
  return count;
}

class DetectionTest : public MoeTest {
 protected:
  // Random numbers as the type holds them.
  Numbers Some(const Shape& shape, aclDataType type, double low = -2, double high = 2) {
    return Drawn(type, static_cast<size_t>(CountOf(shape)), low, high);
  }
  static Tensor Image(const Shape& shape, aclDataType type, bool strided,
                      const Numbers& values = {}) {
    Layout layout = Made(shape, type, strided).layout();
    layout.format = ACL_FORMAT_NCHW;
    Tensor tensor(layout);
    if (!values.empty()) WriteAs(tensor, values);
    return tensor;
  }
  static void ExpectNear(const Tensor& out, const Numbers& expected, double bound = 1e-5) {
    const Numbers results = ReadAs(out);
    ASSERT_EQ(results.size(), expected.size());
    const double place = 1.01 * LastPlace(out.layout().dtype);
    for (size_t i = 0; i < results.size(); ++i) {
      ASSERT_NEAR(results[i], expected[i], bound + place * std::fabs(expected[i])) << i;
    }
    EXPECT_TRUE(out.GuardsIntact());
  }
};

}  // namespace anyacl::test
