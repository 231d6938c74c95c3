// SPDX-License-Identifier: Apache-2.0
// A validated reduction, and the plans made of it.
#pragma once

#include <memory>

#include "nnop/executor.h"
#include "ops/reduction/layout.h"
#include "ops/reduction/operators.h"

namespace anyacl::reduction {

struct Problem {
  Member member = Member::kSum;
  Layout layout;
  // What elements become before they are folded: self's type, but for sums, means and truth. Parts
  // of complex numbers are folded apart, but for products.
  aclDataType dtype = ACL_FLOAT;
  double power = 2;        // of a norm
  int64_t correction = 0;  // of a variance: its sum is divided by count - correction
};

std::shared_ptr<const Plan> MakeFoldPlan(const Problem& problem);
std::shared_ptr<const Plan> MakeComplexProductPlan(const Problem& problem);
std::shared_ptr<const Plan> MakeArgPlan(const Problem& problem);
std::shared_ptr<const Plan> MakeMomentsPlan(const Problem& problem);

}  // namespace anyacl::reduction
