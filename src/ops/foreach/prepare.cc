// SPDX-License-Identifier: Apache-2.0
// First phases: lists whose members agree, and what scalars mean.
#include <algorithm>
#include <cmath>
#include <limits>

#include "nnop/copy.h"
#include "nnop/ordered_plan.h"
#include "nnop/promotion.h"
#include "nnop/scalar.h"
#include "ops/foreach/operators.h"
#include "ops/foreach/plan.h"

namespace anyacl::foreach {
namespace {

constexpr int kLists[] = {kX, kX2, kX3, kOut};

// All lists are as long as the first, and members of equal shape; of equal type if `typed`.
Status CheckLists(const Operands& operands, bool typed) {
  const auto first = operands.List(kX);
  const OpSpec& spec = operands.spec();
  // A list of none is one tensor that is absent.
  const auto count = [&](int id) { return operands.Given(id) ? operands.List(id).size() : 0; };
  for (int id : kLists) {
    if (!operands.HasRow(id)) continue;
    const auto list = operands.List(id);
    if (count(id) != count(kX)) {
      return Fail(spec.codes.shape, "{} has {} tensors, expected {} as {} has", operands.NameOf(id),
                  count(id), count(kX), operands.NameOf(kX));
    }
    for (size_t i = 0; i < list.size(); ++i) {
      if (!list[i].given() || !first[i].given()) continue;
      if (!(list[i].shape() == first[i].shape())) {
        return Fail(spec.codes.shape, "{}.shape = {}, expected {} as {}.shape", list[i].Name(),
                    list[i].shape().ToString(), first[i].shape().ToString(), first[i].Name());
      }
      if (typed && list[i].dtype() != first[0].dtype()) {
        return Fail(spec.codes.dtype, "{}.dtype = {}, expected {} as {}.dtype", list[i].Name(),
                    NameOf(list[i].dtype()), NameOf(first[0].dtype()), first[0].Name());
      }
    }
  }
  return {};
}

// What an operation is given of a scalar.
struct Given {
  Op op;
  elementwise::Scalar p = {}, q = {};
};

elementwise::Scalar NumberOf(double real, int64_t integer) {
  return {static_cast<float>(real), real, integer};
}

// Bounds of integers are held within the numbers that are computed with.
int64_t Held(aclDataType dtype, int64_t integer) {
  if (dtype == ACL_INT64) return integer;
  return std::clamp<int64_t>(integer, INT32_MIN, INT32_MAX);
}

Given Apply(Op op, Use use, aclDataType dtype, const ScalarValue& value) {
  const double infinity = std::numeric_limits<double>::infinity();
  const elementwise::Scalar number = NumberOf(value.real, value.integer);
  const elementwise::Scalar bound = NumberOf(value.real, Held(dtype, value.integer));
  const bool nan = std::isnan(value.real);
  switch (use) {
    case Use::kNegated:
      return {op,
              NumberOf(-value.real, static_cast<int64_t>(-static_cast<uint64_t>(value.integer)))};
    case Use::kAtLeast:  // a bound that is NaN makes everything NaN, which comparisons would not
      if (nan) return {Op::kAddScalar, number};
      return {op, bound, NumberOf(infinity, Held(dtype, INT64_MAX))};
    case Use::kAtMost:
      if (nan) return {Op::kAddScalar, number};
      return {op, NumberOf(-infinity, Held(dtype, INT64_MIN)), bound};
    case Use::kPower: {
      const bool floating = CategoryOf(dtype) == Category::kFloating;
      const Op known = value.real == 2     ? Op::kSquare
                       : value.real == 3   ? Op::kCube
                       : value.real == 0.5 ? Op::kSqrt
                       : value.real == -1  ? Op::kReciprocal
                                           : op;
      return {floating ? known : op, number};
    }
    default:
      return {op, number};
  }
}

Status RoundingOf(const Operands& operands, Op* op) {
  ScalarValue mode;
  if (Status s = ReadScalar(operands, kScalar, &mode); !s.ok()) return s;
  switch (mode.integer) {
    case 2:
      *op = Op::kFloor;
      return {};
    case 3:
      *op = Op::kCeil;
      return {};
    case 5:
      *op = Op::kTrunc;
      return {};
    case 7:  // CANN's kernels know it, the document does not: what truncation takes away
      *op = Op::kFrac;
      return {};
    case 4:
    case 6:
      return Fail(operands.spec().codes.shape,
                  "roundMode = {}, expected another number: half away from 0 and to odd are not "
                  "offered",
                  mode.integer);
    default:
      *op = Op::kRound;
      return {};
  }
}

// The scalar of each member, or one for all.
Status ReadScalars(const Operands& operands, size_t count, std::vector<ScalarValue>* values) {
  if (operands.HasRow(kScalar)) {
    ScalarValue value;
    if (Status s = ReadScalar(operands, kScalar, &value); !s.ok()) return s;
    values->assign(count, value);
    return {};
  }
  if (!operands.HasRow(kScalars)) return {};
  const auto scalars = operands.Scalars(kScalars);
  if (scalars.size() != count) {
    return Fail(operands.spec().codes.shape, "scalars has {} members, expected {} as {} has",
                scalars.size(), count, operands.NameOf(kX));
  }
  for (const Scalar& scalar : scalars) {
    const std::optional<ScalarValue> value = ValueOf(scalar);
    if (!value) {
      return Fail(operands.spec().codes.dtype, "scalars has a complex number, expected real ones");
    }
    values->push_back(*value);
  }
  return {};
}

Status CheckScalarTensor(const Operands& operands, size_t count) {
  if (!operands.HasRow(kScalarTensor)) return {};
  const Dims& shape = operands[kScalarTensor].shape();
  const bool fits = shape.rank() <= 1 && ElementCount(shape) == static_cast<int64_t>(count);
  if (fits) return {};
  return Fail(operands.spec().codes.shape, "scalars.shape = {}, expected [{}], one for each tensor",
              shape.ToString(), count);
}

}  // namespace

Status PrepareEach(Op op, Use use, Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckLists(operands, true); !s.ok()) return s;
  if (use == Use::kRounding) {
    if (Status s = RoundingOf(operands, &op); !s.ok()) return s;
  }
  const auto list = operands.List(kX);
  if (!list[0].given()) return {};
  const aclDataType dtype = list[0].dtype();
  std::vector<ScalarValue> scalars;
  if (Status s = ReadScalars(operands, list.size(), &scalars); !s.ok()) return s;
  if (Status s = CheckScalarTensor(operands, list.size()); !s.ok()) return s;
  // Members may need different operations: a power of 2 is a square.
  std::vector<ListProblem> problems;
  for (size_t i = 0; i < list.size(); ++i) {
    if (list[i].IsEmpty()) continue;
    const Given given = scalars.empty() ? Given{op} : Apply(op, use, dtype, scalars[i]);
    if (!CanCompute(given.op, dtype)) {
      return Fail(operands.spec().codes.dtype, "x.dtype = {}, which the operation does not know",
                  NameOf(dtype));
    }
    Member member = {};
    member.index = i;
    member.p = given.p;
    member.q = given.q;
    int inputs = 0;
    for (int id : {kX, kX2, kX3}) {
      if (operands.HasRow(id)) member.in[inputs++] = ViewOf(operands, id, i);
    }
    member.out = ViewOf(operands, kOut, i);
    auto same = std::find_if(problems.begin(), problems.end(),
                             [&](const ListProblem& p) { return p.op == given.op; });
    if (same == problems.end()) {
      const TensorView numbers =
          operands.HasRow(kScalarTensor) ? ViewOf(operands, kScalarTensor) : TensorView();
      same = problems.insert(problems.end(), {given.op, inputs, {}, numbers});
    }
    same->members.push_back(member);
  }
  if (!problems.empty()) call->plan = MakeListPlans(problems);
  return {};
}

Status PrepareCopies(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckLists(operands, false); !s.ok()) return s;
  const auto list = operands.List(kX);
  auto copies = std::make_shared<CopyPlan>();
  ListProblem converts = {Op::kMulScalar, 1, {}, {}};
  for (size_t i = 0; i < list.size(); ++i) {
    if (!list[i].given() || list[i].IsEmpty()) continue;
    const TensorView from = ViewOf(operands, kX, i), to = ViewOf(operands, kOut, i);
    if (from.dtype == to.dtype) {
      copies->copies.Add(LoopsOf(to, from), to.slot, from.slot);
      continue;
    }
    if (!CanCast(from.dtype, to.dtype)) {
      return Fail(operands.spec().codes.dtype,
                  "out[{}].dtype = {}, expected one that {} can become", i, NameOf(to.dtype),
                  NameOf(from.dtype));
    }
    Member member = {};
    member.in[0] = from;
    member.out = to;
    member.p = NumberOf(1, 1);
    converts.members.push_back(member);
  }
  std::vector<std::shared_ptr<const Plan>> plans;
  if (!copies->copies.empty()) plans.push_back(copies);
  if (!converts.members.empty()) plans.push_back(MakeListPlans(std::vector{converts}));
  if (!plans.empty()) call->plan = InOrder(std::move(plans));
  return {};
}

Status PrepareZeros(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const auto list = operands.List(kX);
  auto zeros = std::make_shared<CopyPlan>();
  for (size_t i = 0; i < list.size(); ++i) {
    if (!list[i].given() || list[i].IsEmpty()) continue;
    const TensorView to = ViewOf(operands, kX, i);
    zeros->copies.Add(FillLoopsOf(to), to.slot, -1);
  }
  if (!zeros->copies.empty()) call->plan = zeros;
  return {};
}

}  // namespace anyacl::foreach
