// SPDX-License-Identifier: Apache-2.0
// Norms of the tensors of a list, one after the other: threads share each of them.
#include <cmath>

#include "nnop/ordered_plan.h"
#include "nnop/scalar.h"
#include "ops/reduction/plan.h"

namespace anyacl::reduction {
namespace {

Status CheckMember(const Operands& operands, size_t i, double power) {
  const Operand& x = operands.List(kSelf)[i];
  const Operand& out = operands.List(kOut)[i];
  const aclDataType dtype = operands.List(kSelf)[0].dtype();
  for (const Operand* operand : {&x, &out}) {
    if (operand->dtype() == dtype) continue;
    return Fail(operands.spec().codes.dtype, "{}.dtype = {}, expected {} as x[0].dtype",
                operand->Name(), NameOf(operand->dtype()), NameOf(dtype));
  }
  if (ElementCount(out.shape()) != 1) {
    return Fail(operands.spec().codes.shape, "{}.shape = {}, expected one element", out.Name(),
                out.shape().ToString());
  }
  // Extremes of nothing do not exist, nor do powers of a sum of 0.
  if (x.IsEmpty() && (power < 0 || std::isinf(power))) {
    return Fail(operands.spec().codes.shape,
                "{}.shape = {}, expected at least one element as scalar = {}", x.Name(),
                x.shape().ToString(), power);
  }
  return {};
}

}  // namespace

Status PrepareForeachNorm(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  ScalarValue value;
  if (Status s = ReadScalar(operands, kPower, &value); !s.ok()) return s;
  if (std::isnan(value.real)) {
    return Fail(operands.spec().codes.shape, "scalar is NaN, expected a number");
  }
  // A list of none is one tensor that is absent.
  const auto count = [&](int id) { return operands.Given(id) ? operands.List(id).size() : 0; };
  const auto list = operands.List(kSelf);
  if (count(kOut) != count(kSelf)) {
    return Fail(operands.spec().codes.shape, "out has {} tensors, expected {} as x has",
                count(kOut), count(kSelf));
  }
  std::vector<std::shared_ptr<const Plan>> plans;
  for (size_t i = 0; i < list.size() && list[i].given(); ++i) {
    if (Status s = CheckMember(operands, i, value.real); !s.ok()) return s;
    const TensorView self = ViewOf(operands, kSelf, i);
    TensorView out = ViewOf(operands, kOut, i);
    out.rank = 0;
    Problem problem;
    problem.member = Member::kNorm;
    problem.power = value.real;
    problem.layout = LayOut(self, out, {}, (uint32_t{1} << self.rank) - 1, false);
    plans.push_back(MakeFoldPlan(problem));
  }
  if (!plans.empty()) call->plan = InOrder(std::move(plans));
  return {};
}

}  // namespace anyacl::reduction
