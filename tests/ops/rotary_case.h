// SPDX-License-Identifier: Apache-2.0
// What the tests of operators on heads share: rows turned in double precision.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "ops/moe_case.h"
#include "reference/turned_row.h"

namespace anyacl::test::rotary {

using moe::Numbers;
using moe::Shape;

class RotaryCaseTest : public moe::MoeTest {
 protected:
  static Tensor Made(const Shape& dims, aclDataType type = ACL_FLOAT, bool strided = false) {
    return MoeTest::Made(dims, type, strided);
  }
  Numbers Draw(aclDataType type, const Shape& dims) {
    const int64_t count =
        std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<>());
    return Drawn(type, static_cast<size_t>(count), -2, 2);
  }
  // Numbers whose products and sums fp32 has exactly, so that ties of integers are ties.
  Numbers DrawQuarters(size_t count, int64_t most) {
    Numbers numbers;
    for (size_t i = 0; i < count; ++i) {
      numbers.push_back(static_cast<double>(random().Int(-4 * most, 4 * most)) / 4);
    }
    return numbers;
  }
  Numbers DrawPowers(size_t count) {
    Numbers numbers;
    for (size_t i = 0; i < count; ++i) numbers.push_back(std::exp2(random().Int(-1, 1)));
    return numbers;
  }
  // A number of a cache of INT8, to the nearest even. Unless it is exact, either integer may stand
  // where it is near their middle.
  static void ExpectQuantised(double actual, double number, bool exact, size_t at) {
    const double held = std::clamp(exact ? std::nearbyint(number) : number, -128.0, 127.0);
    ASSERT_NEAR(actual, held, exact ? 0 : 0.5 + 1e-3) << at;
  }
  static Numbers RowOf(const Numbers& x, int64_t row, int64_t length) {
    const auto begin = x.begin() + row * length;
    return {begin, begin + length};
  }

  // Sums of two products of numbers of up to 2, each rounded in fp32.
  static void ExpectClose(const Tensor& tensor, const Numbers& expected, double error = 0x1p-21) {
    const Numbers actual = ReadAs(tensor);
    ASSERT_EQ(actual.size(), expected.size());
    for (size_t i = 0; i < actual.size(); ++i) {
      ASSERT_NEAR(actual[i], expected[i],
                  error + 1.01 * HalfUnitOf(tensor.layout().dtype, expected[i]))
          << i;
    }
    EXPECT_TRUE(tensor.GuardsIntact());
  }
};

}  // namespace anyacl::test::rotary
