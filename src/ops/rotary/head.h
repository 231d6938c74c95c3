// SPDX-License-Identifier: Apache-2.0
// Rows of numbers of a token: pairs turned, in fp32.
#pragma once

#include "ops/blocks/blocks.h"
#include "ops/blocks/rows.h"

namespace anyacl::rotary {

// (a, b) -> (a cos - b sin, b cos + a sin) of `count` pairs each; `first` and `second` are not the
// inputs.
inline void Turn(const float* a, const float* b, const float* cos, const float* sin, int64_t count,
                 float* first, float* second) {
  using elementwise::Op;
  const blocks::Rows rows(count);
  rows(Op::kMul, first, a, cos);
  rows(Op::kAddcmul, first, first, b, sin, -1);
  rows(Op::kMul, second, b, cos);
  rows(Op::kAddcmul, second, second, a, sin, 1);
}

}  // namespace anyacl::rotary
