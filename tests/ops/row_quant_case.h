// SPDX-License-Identifier: Apache-2.0
// What the tests of quantised rows share.
#pragma once

#include <algorithm>
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "ops/moe_case.h"

namespace anyacl::test::row_quant {

using moe::MoeTest;
using moe::Numbers;
using moe::Shape;

// The integers of INT8, INT4, or INT32 that packs eight INT4.
inline Numbers IntegersOf(const Tensor& tensor) {
  if (tensor.layout().dtype != ACL_INT32) {
    const std::vector<int8_t> read = tensor.Read<int8_t>();
    return {read.begin(), read.end()};
  }
  Numbers numbers;
  for (int32_t word : tensor.Read<int32_t>()) {
    for (int shift = 0; shift < 32; shift += 4) {
      const int nibble = static_cast<int>(static_cast<uint32_t>(word) >> shift & 15);
      numbers.push_back(nibble >= 8 ? nibble - 16 : nibble);
    }
  }
  return numbers;
}

// A shape whose last dimension INT32 packs by eight.
inline Shape StoredShape(Shape shape, aclDataType type) {
  if (type == ACL_INT32) shape.back() /= 8;
  return shape;
}

// Rounded and held within `bits`: near the middle of two integers either is right.
inline void ExpectQuantised(double actual, double exact, int bits) {
  const double most = (1 << (bits - 1)) - 1;
  const double held = std::clamp(exact, -most - 1, most);
  ASSERT_EQ(actual, std::rint(actual));
  ASSERT_NEAR(actual, held, 0.5 + 1e-5 * (1 + std::fabs(held)));
}
inline int BitsHeldBy(aclDataType type) { return type == ACL_INT8 ? 8 : 4; }

}  // namespace anyacl::test::row_quant
