// SPDX-License-Identifier: Apache-2.0
// First phases: lists whose members agree, and what scalars mean.
#include "nnop/copy.h"
#include "nnop/ordered_plan.h"
#include "nnop/promotion.h"
#include "ops/foreach/scalars.h"

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

// The number of all members: of FLOAT or BF16 lists FLOAT or DOUBLE, of FLOAT16 FLOAT16 or DOUBLE,
// of integers INT32 or INT64. Shares and bases are FLOAT or DOUBLE of all three, a way of rounding
// may have any type.
Status CheckScalarType(const Operands& operands, Op op, Use use, aclDataType dtype,
                       aclDataType scalar) {
  if (use == Use::kRounding) return {};
  const bool floating = CategoryOf(dtype) == Category::kFloating;
  const bool wider = op == Op::kLerpScalar || op == Op::kPowOfScalar;
  const bool half = dtype == ACL_FLOAT16 && !wider;
  const aclDataType narrow = half ? ACL_FLOAT16 : floating ? ACL_FLOAT : ACL_INT32;
  const aclDataType wide = floating ? ACL_DOUBLE : ACL_INT64;
  if (scalar == narrow || scalar == wide) return {};
  return Fail(operands.spec().codes.dtype, "{}.dtype = {}, expected {} or {} as {} is {}",
              operands.NameOf(kScalar), NameOf(scalar), NameOf(narrow), NameOf(wide),
              operands.NameOf(kX), NameOf(dtype));
}

// The scalar of each member, or one for all.
Status ReadScalars(const Operands& operands, Op op, Use use, size_t count,
                   std::vector<ScalarValue>* values) {
  if (operands.HasRow(kScalar)) {
    ScalarValue value;
    if (Status s = ReadScalar(operands, kScalar, &value); !s.ok()) return s;
    if (Status s = CheckScalarType(operands, op, use, operands[kX].dtype(), value.dtype); !s.ok()) {
      return s;
    }
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
  if (ElementCount(shape) == static_cast<int64_t>(count)) return {};
  return Fail(operands.spec().codes.shape,
              "scalars.shape = {}, expected {} elements, one for each tensor", shape.ToString(),
              count);
}

// The number of all members in a tensor: of floating-point lists FLOAT or of their type, of others
// INT32; INT8, a way of rounding, of any.
Status CheckNumber(const Operands& operands, aclDataType dtype) {
  if (!operands.HasRow(kNumber)) return {};
  const Operand& number = operands[kNumber];
  if (ElementCount(number.shape()) != 1) {
    return Fail(operands.spec().codes.shape, "{}.shape = {}, expected one element", number.Name(),
                number.shape().ToString());
  }
  const bool floating = CategoryOf(dtype) == Category::kFloating;
  const aclDataType wide = floating ? ACL_FLOAT : ACL_INT32, own = floating ? dtype : wide;
  const aclDataType actual = number.dtype();
  if (actual == ACL_INT8 || actual == wide || actual == own) return {};
  return Fail(operands.spec().codes.dtype, "{}.dtype = {}, expected {} or {} as {} is {}",
              number.Name(), NameOf(actual), NameOf(own), NameOf(wide), operands.NameOf(kX),
              NameOf(dtype));
}

bool Is16Bits(aclDataType dtype) { return dtype == ACL_FLOAT16 || dtype == ACL_BF16; }

}  // namespace

Status PrepareEach(Op op, Use use, Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckLists(operands, true); !s.ok()) return s;
  const auto list = operands.List(kX);
  if (!list[0].given()) return {};
  ListCall lists = {op, use, list[0].dtype(), 0, list.size(), {}, {}};
  std::vector<ScalarValue> scalars;
  if (Status s = ReadScalars(operands, op, use, list.size(), &scalars); !s.ok()) return s;
  if (Status s = CheckScalarTensor(operands, list.size()); !s.ok()) return s;
  if (Status s = CheckNumber(operands, lists.dtype); !s.ok()) return s;
  if (operands.HasRow(kScalarTensor)) lists.numbers = ViewOf(operands, kScalarTensor);
  for (int id : {kX, kX2, kX3}) lists.inputs += operands.HasRow(id);
  for (size_t i = 0; i < list.size(); ++i) {
    if (list[i].IsEmpty()) continue;
    Member member = {};
    member.index = i;
    int inputs = 0;
    for (int id : {kX, kX2, kX3}) {
      if (operands.HasRow(id)) member.in[inputs++] = ViewOf(operands, id, i);
    }
    member.out = ViewOf(operands, kOut, i);
    lists.members.push_back(member);
  }
  std::vector<ListProblem> problems;
  if (Status s = MakeProblems(lists, scalars, operands.spec().codes.shape, &problems); !s.ok()) {
    return s;
  }
  for (const ListProblem& problem : problems) {
    if (CanCompute(problem.op, lists.dtype)) continue;
    return Fail(operands.spec().codes.dtype, "x.dtype = {}, which the operation does not know",
                NameOf(lists.dtype));
  }
  if (problems.empty()) return {};
  call->plan = operands.HasRow(kNumber) ? MakeLatePlan(std::move(lists), ViewOf(operands, kNumber))
                                        : MakeListPlans(problems);
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
    const bool widens = to.dtype == ACL_FLOAT && Is16Bits(from.dtype);
    if (!widens && !(from.dtype == ACL_FLOAT && Is16Bits(to.dtype))) {
      return Fail(operands.spec().codes.dtype,
                  "out[{}].dtype = {}, expected one that {} can become", i, NameOf(to.dtype),
                  NameOf(from.dtype));
    }
    Member member = {};
    member.in[0] = from;
    member.out = to;
    member.p = {1, 1, 1};
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
