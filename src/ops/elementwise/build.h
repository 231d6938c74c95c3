// SPDX-License-Identifier: Apache-2.0
// From checked arguments to programs: shapes, types, forms.
#pragma once

#include <initializer_list>
#include <span>

#include "nnop/operands.h"
#include "nnop/scalar.h"
#include "ops/elementwise/plan.h"

namespace anyacl::elementwise {

// out, or self where there is none: the operator works in place.
int OutOf(const Operands& operands);

// The table's checks, and that the inputs' shapes broadcast to the output's.
Status CheckCall(Operands& operands, std::span<const int> inputs);

// Whether results of one type may be stored in the output.
Status CheckResult(const Operands& operands, aclDataType computed);
// Whether the operation is one of complex numbers, if those are computed.
Status CheckComplex(const Operands& operands, Op op, aclDataType computed);

constexpr bool IsComparison(Op op) { return op >= kFirstComparison && op < kFirstFunction; }

// What is computed with numbers of type `computed`. Comparisons result in BOOL.
struct Computation {
  Op op;
  aclDataType computed;
  ScalarValue p = {};
  ScalarValue q = {};
};
void SetPlan(const Operands& operands, std::span<const int> inputs, const Computation& computation,
             PreparedCall* call);

// Without computing.
void SetMovePlan(const Operands& operands, int input, PreparedCall* call);
// The output takes one value.
void SetFillPlan(const Operands& operands, const ScalarValue& value, PreparedCall* call);
// Elements of type `common`, by the first input.
void SetWherePlan(const Operands& operands, std::span<const int> inputs, aclDataType common,
                  PreparedCall* call);

}  // namespace anyacl::elementwise
