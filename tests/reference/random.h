// SPDX-License-Identifier: Apache-2.0
// The random operators, number by number, from their definitions (src/ops/generators/README.md).
#pragma once

#include <cstdint>

#include "acl/acl_base.h"

namespace anyacl::test {

struct RandomSource {
  uint64_t seed = 0;
  uint64_t offset = 0;

  // Word i % 4 of the block of counter {i / 4, offset}.
  uint32_t Word(int64_t i) const;
  // Of counter {offset / 4, i / 4}.
  uint32_t WordRisingHigh(int64_t i) const;
};

// Elements of a tensor of the type, exactly.
class ReferenceUniform {
 public:
  ReferenceUniform(aclDataType dtype, double from, double to);
  double operator()(const RandomSource& source, int64_t i) const;

 private:
  aclDataType dtype_;
  double from_, to_;
  double first_, last_;  // of the type: the smallest from `from` on, the largest below `to`
};

// Number i of the standard normal distribution, before any rounding.
double ReferenceNormal(const RandomSource& source, int64_t i);

}  // namespace anyacl::test
