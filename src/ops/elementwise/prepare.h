// SPDX-License-Identifier: Apache-2.0
// First phases of the family. Which operator: the template's arguments.
#pragma once

#include "nnop/operands.h"
#include "ops/elementwise/kernel.h"

namespace anyacl::elementwise {

// The arguments of the family's operators.
enum : int { kSelf, kOther, kCondition, kAlpha, kScalar, kMin, kMax, kDType, kOut };

// Of self, and other if the operator has it; in place without out. kSwapped: the operation takes
// the inputs the other way round.
Status PrepareMap(Op op, bool swapped, Operands& operands, PreparedCall* call);
// Of self and a scalar.
Status PrepareWithScalar(Op op, Operands& operands, PreparedCall* call);
// self + factor * alpha * other, of a tensor or a scalar.
Status PrepareSum(int factor, Operands& operands, PreparedCall* call);
Status PreparePowScalar(Operands& operands, PreparedCall* call);
Status PrepareClamp(Operands& operands, PreparedCall* call);
Status PrepareWhere(Operands& operands, PreparedCall* call);
Status PrepareCast(Operands& operands, PreparedCall* call);
// self takes the values of other.
Status PrepareCopy(Operands& operands, PreparedCall* call);
// self takes the scalar, or `value` if the operator has none.
Status PrepareFill(int value, Operands& operands, PreparedCall* call);

template <Op kOp, bool kSwapped = false>
Status Map(Operands& operands, PreparedCall* call) {
  return PrepareMap(kOp, kSwapped, operands, call);
}
template <Op kOp>
Status WithScalar(Operands& operands, PreparedCall* call) {
  return PrepareWithScalar(kOp, operands, call);
}
template <int kFactor>
Status Sum(Operands& operands, PreparedCall* call) {
  return PrepareSum(kFactor, operands, call);
}
template <int kValue>
Status Fill(Operands& operands, PreparedCall* call) {
  return PrepareFill(kValue, operands, call);
}

}  // namespace anyacl::elementwise
