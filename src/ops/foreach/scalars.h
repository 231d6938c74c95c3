// SPDX-License-Identifier: Apache-2.0
// What scalars make of a call: operations and their parameters, known with the call or when it
// runs.
#pragma once

#include <span>

#include "nnop/scalar.h"
#include "ops/foreach/operators.h"
#include "ops/foreach/plan.h"

namespace anyacl::foreach {

// A call whose scalars are not known yet.
struct ListCall {
  Op op;
  Use use;
  aclDataType dtype;
  int inputs;
  size_t lists;                 // how long they are
  std::vector<Member> members;  // those that have elements
  TensorView numbers;           // as in ListProblem
};

// The number at an address.
ScalarValue ReadNumber(aclDataType dtype, const char* from);

// By the scalars of the members' places in the lists; none: operations that take none.
Status MakeProblems(const ListCall& call, std::span<const ScalarValue> scalars, int code,
                    std::vector<ListProblem>* problems);

// Reads the scalar of all members when it runs.
std::shared_ptr<const Plan> MakeLatePlan(ListCall call, const TensorView& number);

}  // namespace anyacl::foreach
