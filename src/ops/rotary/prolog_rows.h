// SPDX-License-Identifier: Apache-2.0
// What the tokens of aclnnMlaProlog go through between its products.
#pragma once

#include <memory>

#include "nnop/executor.h"
#include "ops/rotary/head.h"

namespace anyacl::rotary {

// out = RmsNorm(x) * gamma * factor of each row; where there are steps, the integers
// round(v / step) of v = out * smooth, whose largest magnitude becomes 127.
struct NormRows {
  TensorView x{};  // [T, H]
  ProductFactors factors{};
  TensorView gamma{}, smooth{};  // [H]
  double eps = 0;
  float factor = 1;
  TensorView out{}, steps{};  // [T, H], [T]
};
std::shared_ptr<const Plan> MakeNormRowsPlan(const NormRows& params);

// The heads of a row, [D + R] each: the first part as it is, unless `plain` is absent, and the
// neighbours of the other one turned, into halves.
struct HeadRows {
  TensorView x{};  // [T, N, D + R]
  ProductFactors factors{};
  TensorView cos{}, sin{};       // [T, R]
  TensorView plain{}, turned{};  // [T, N, D], [T, N, R]
};
std::shared_ptr<const Plan> MakeHeadRowsPlan(const HeadRows& params);

}  // namespace anyacl::rotary
