// SPDX-License-Identifier: Apache-2.0
// A validated scan, and the plan made of it.
#pragma once

#include <memory>

#include "nnop/view.h"
#include "ops/cumulative/operators.h"

namespace anyacl::cumulative {

enum class Member { kSum, kProduct, kLargest, kSmallest };

struct Problem {
  Member member = Member::kSum;
  TensorView self = {}, out = {}, places = {};  // places: of the extremes, else absent
  int dim = 0;
  // What elements become first: self's own type, or out's.
  aclDataType dtype = ACL_FLOAT;
};

std::shared_ptr<const Plan> MakeScan(const Problem& problem);

}  // namespace anyacl::cumulative
