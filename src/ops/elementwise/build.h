// SPDX-License-Identifier: Apache-2.0
// From checked arguments to programs: shapes, types, forms.
#pragma once

#include <initializer_list>
#include <span>

#include "nnop/operands.h"
#include "nnop/scalar.h"
#include "ops/elementwise/complex.h"
#include "ops/elementwise/operators.h"
#include "ops/elementwise/plan.h"

namespace anyacl::elementwise {

// The inputs of one operand or two.
inline constexpr int kOne[] = {kSelf};
inline constexpr int kTwo[] = {kSelf, kOther};

// out, or self where there is none: the operator works in place.
int OutOf(const Operands& operands);

// The table's checks, and that the inputs' shapes broadcast to the output's.
Status CheckCall(Operands& operands, std::span<const int> inputs);

// Whether results of one type may be stored in the output.
Status CheckResult(const Operands& operands, aclDataType computed);
// Whether the operation is one of numbers of that type.
Status CheckComputed(const Operands& operands, Op op, aclDataType computed);

// Whether there is a kernel.
bool HasForm(Op op, Element form);
// What an operation computes with: FLOAT instead of integers if it knows none.
aclDataType ComputedType(Op op, aclDataType promoted);
Status PromoteTensors(const Operands& operands, int a, int b, aclDataType* type);

constexpr bool IsComparison(Op op) { return op >= kFirstComparison && op < kFirstFunction; }

// What is computed with numbers of type `computed`. Comparisons result in BOOL.
struct Computation {
  Op op;
  aclDataType computed;
  ScalarValue p = {};
  ScalarValue q = {};
  ScalarValue r = {};
};
// Checks the types of what is computed and of the output, and makes the plan.
Status Finish(Operands& operands, std::span<const int> inputs, Computation computation,
              PreparedCall* call);
void SetPlan(const Operands& operands, std::span<const int> inputs, const Computation& computation,
             PreparedCall* call);

// Of complex numbers, without kernels.
void SetComplexPlan(const Operands& operands, std::span<const int> inputs, ComplexFunction compute,
                    const ScalarValue& p, const ScalarValue& q, PreparedCall* call);

// Dimensions of stride 0 have size 1 from here on: each element of the output becomes the same, and
// threads write no address twice.
void DropRepeats(Operands& operands, int id);
// Without computing.
void SetMovePlan(const Operands& operands, int input, PreparedCall* call);
// An output, or views of one type, take one value.
void SetFillPlan(std::span<const TensorView> views, const ScalarValue& value, PreparedCall* call);
void SetFillPlan(const Operands& operands, int id, const ScalarValue& value, PreparedCall* call);
// Elements of type `common`, by the first input.
void SetWherePlan(const Operands& operands, std::span<const int> inputs, aclDataType common,
                  PreparedCall* call);

// self takes the value where the mask is set.
void SetMaskedFillPlan(const Operands& operands, const ScalarValue& value, PreparedCall* call);
// out: whether all elements of self and other, as numbers of type `common`, are equal.
void SetEqualPlan(const Operands& operands, aclDataType common, PreparedCall* call);

}  // namespace anyacl::elementwise
