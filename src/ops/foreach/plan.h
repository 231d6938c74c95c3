// SPDX-License-Identifier: Apache-2.0
// One task for a list of tensors: out = f(x, x2, x3; p, q) of each member, by the kernels of the
// element-wise operators.
#pragma once

#include <memory>
#include <vector>

#include "kernels.h"
#include "nnop/view.h"

namespace anyacl::foreach {

inline constexpr int kMaxInputs = 3;

// Tensors of equal sizes and of one type.
struct Member {
  TensorView in[kMaxInputs];
  TensorView out;
  elementwise::Scalar p = {}, q = {};
  size_t index = 0;  // in the lists
};

struct ListProblem {
  elementwise::Op op;
  int inputs = 1;
  std::vector<Member> members;
  TensorView scalars;  // where p is known when the task runs: a number for each member
};

// Whether there is a kernel for elements of this type.
bool CanCompute(elementwise::Op op, aclDataType dtype);

// Of several problems, one after the other.
std::shared_ptr<const Plan> MakeListPlans(const std::vector<ListProblem>& problems);

}  // namespace anyacl::foreach
