// SPDX-License-Identifier: Apache-2.0
// Random numbers of aclrtRandomNumAsync. Which bits become which number is told there
// (acl/acl_rt_task.h).
#pragma once

#include <cstdint>

#include "acl/acl_rt.h"
#include "base/status.h"

namespace anyacl {

struct RandomNumbers {
  aclrtRandomNumFuncType function;
  aclDataType type;
  // The bits of the parameters: of `type`, or of the ratio in `first`.
  uint64_t first;
  uint64_t second;
  uint64_t seed;
  uint64_t counter_low;
  uint64_t counter_high;
  uint64_t count;

  // Whether the function takes the type.
  Status CheckType() const;
  // Whether the parameters make sense.
  Status CheckParameters() const;
  // Of the result.
  uint64_t Bytes() const;
  void Generate(void* result) const;
};

}  // namespace anyacl
