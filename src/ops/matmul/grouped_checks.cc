// SPDX-License-Identifier: Apache-2.0
// What the table cannot say of products of groups: how many tensors there are, and of which ranks,
// by groupType; which types go together; sizes. Null is 161001, everything else 161002.
#include "aclnn/opdev/op_errno.h"
#include "ops/matmul/grouped.h"

namespace anyacl::matmul {
namespace {

constexpr int64_t kByRows = 0, kByDepth = 2, kUnsplit = -1;

// The three forms in which types go together.
bool IsQuantised(const Operands& operands) { return operands[kLeft].dtype() == ACL_INT8; }
bool HasFactors(const Operands& operands) {
  return !IsQuantised(operands) && operands[kRight].dtype() == ACL_INT8;
}

// A list whose only tensor is empty stands for none.
void DropEmpty(Operands& operands) {
  for (int id : {kSummand, kQuantScale, kQuantOffset, kScale, kOffset}) {
    const auto list = operands.List(id);
    if (list.size() == 1 && list[0].given() && list[0].IsEmpty()) operands.Drop(id);
  }
}

Status CheckLists(const Operands& operands) {
  for (int id : {kLeft, kRight, kOut}) {
    if (operands.Given(id)) continue;
    return Fail(operands.spec().codes.shape, "{} is an empty list, expected at least one tensor",
                operands.NameOf(id));
  }
  for (int id : {kLeft, kRight, kSummand, kQuantScale, kQuantOffset, kScale, kOffset, kOut}) {
    for (const Operand& member : operands.List(id)) {
      if (!member.given() || member.dtype() == operands[id].dtype()) continue;
      return Fail(operands.spec().codes.dtype, "{}.dtype = {}, expected {} as {}.dtype",
                  member.Name(), NameOf(member.dtype()), NameOf(operands[id].dtype()),
                  operands[id].Name());
    }
  }
  return {};
}

Status CheckType(const Operands& operands, int id, DTypeSet allowed) {
  if (!operands.Given(id) || allowed.Contains(operands[id].dtype())) return {};
  return Fail(
      operands.spec().codes.dtype, "{}.dtype = {}, expected {} beside {} of {} and {} of {}",
      operands[id].Name(), NameOf(operands[id].dtype()), allowed.ToString(), operands.NameOf(kLeft),
      NameOf(operands[kLeft].dtype()), operands.NameOf(kRight), NameOf(operands[kRight].dtype()));
}

// A list that the types of x and weight ask for, or exclude.
Status CheckGiven(const Operands& operands, int id, bool expected) {
  if (operands.Given(id) == expected) return {};
  return Fail(operands.spec().codes.dtype, "{} is {}, expected {} beside {} of {} and {} of {}",
              operands.NameOf(id), expected ? "null" : "given", expected ? "a list" : "null",
              operands.NameOf(kLeft), NameOf(operands[kLeft].dtype()), operands.NameOf(kRight),
              NameOf(operands[kRight].dtype()));
}

Status CheckTypes(const Operands& operands) {
  const aclDataType x = operands[kLeft].dtype();
  const bool quantised = IsQuantised(operands), factors = HasFactors(operands);
  if (Status s = CheckType(operands, kRight, {factors ? ACL_INT8 : x}); !s.ok()) return s;
  if (factors && x == ACL_FLOAT) {
    return Fail(operands.spec().codes.dtype,
                "{}.dtype = FLOAT, expected FLOAT16 or BF16 beside {} of INT8",
                operands[kLeft].Name(), operands.NameOf(kRight));
  }
  if (Status s = CheckType(operands, kOut, {x}); !s.ok()) return s;
  if (quantised) {
    if (Status s = CheckType(operands, kSummand, {ACL_INT32}); !s.ok()) return s;
  } else if (Status s = CheckType(operands, kSummand, {x, ACL_FLOAT}); !s.ok()) {
    return s;
  }
  if (Status s = CheckGiven(operands, kQuantScale, quantised); !s.ok()) return s;
  if (Status s = CheckGiven(operands, kQuantOffset, false); !s.ok()) return s;
  if (Status s = CheckGiven(operands, kScale, factors); !s.ok()) return s;
  if (!factors) return CheckGiven(operands, kOffset, false);
  if (Status s = CheckType(operands, kScale, {x}); !s.ok()) return s;
  return CheckType(operands, kOffset, {x});
}

Status CheckCount(const Operands& operands, int id, size_t count) {
  if (operands.List(id).size() == count) return {};
  return Fail(operands.spec().codes.shape, "{} has {} tensors, expected {}", operands.NameOf(id),
              operands.List(id).size(), count);
}

Status CheckRank(const Operands& operands, int id, size_t least, size_t most) {
  for (const Operand& member : operands.List(id)) {
    const size_t rank = member.shape().rank();
    if (rank >= least && rank <= most) continue;
    return Fail(operands.spec().codes.shape, "{}.shape = {} has rank {}, expected {}{}",
                member.Name(), member.shape().ToString(), rank, least,
                most == least ? "" : Format(" to {}", most));
  }
  return {};
}

// groupType and splitItem against each other and against the parts of x, weight and y that there
// are: the document's table.
Status CheckForm(const Operands& operands, GroupedParams* p) {
  const int code = operands.spec().codes.shape;
  const int64_t type = operands.Int(kGroupType), split = operands.Int(kSplitItem);
  const size_t xs = operands.List(kLeft).size(), weights = operands.List(kRight).size();
  if (type == 1) {
    return Fail(code, "groupType = 1, expected -1, 0 or 2: groups of columns are not offered");
  }
  if (IsQuantised(operands) && (type != kByRows || xs > 1)) {
    return Fail(code, "groupType = {} and x has {} tensors, expected 0 and one as x is INT8", type,
                xs);
  }
  if (HasFactors(operands) && type == kByDepth) {
    return Fail(code, "groupType = 2, expected -1 or 0 as weight is INT8");
  }
  const bool one_y = type == kByRows || (type == kByDepth && weights == 1);
  if (one_y != (split >= 2)) {
    return Fail(code, "splitItem = {}, expected {} as groupType = {} and weight has {} tensors",
                split, one_y ? "2 or 3" : "0 or 1", type, weights);
  }
  if (type == kByDepth || (type == kByRows && xs == 1)) {
    if (Status s = CheckCount(operands, kLeft, 1); !s.ok()) return s;
  } else if (Status s = CheckCount(operands, kRight, xs); !s.ok()) {
    return s;
  }
  if (Status s = CheckCount(operands, kOut, one_y ? 1 : weights); !s.ok()) return s;
  const size_t least = 2, most = type == kUnsplit ? 6 : 2;
  if (Status s = CheckRank(operands, kLeft, least, most); !s.ok()) return s;
  const bool stacked = type == kByRows && xs == 1 && weights == 1;
  if (Status s = CheckRank(operands, kRight, stacked ? 3 : 2, stacked ? 3 : 2); !s.ok()) return s;
  const bool stacked_y = type == kByDepth && weights == 1;
  if (Status s = CheckRank(operands, kOut, stacked_y ? 3 : least, stacked_y ? 3 : most); !s.ok()) {
    return s;
  }
  p->axis = type == kByRows ? Axis::kRows : type == kByDepth ? Axis::kDepth : Axis::kNone;
  p->separate_x = type == kUnsplit || (type == kByRows && xs > 1);
  p->groups = stacked     ? static_cast<size_t>(operands[kRight].shape()[0])
              : stacked_y ? static_cast<size_t>(operands[kOut].shape()[0])
                          : weights;
  p->weight.stacked = stacked;
  p->y.stacked = stacked_y;
  return {};
}

Status CheckGroupList(const Operands& operands, const GroupedParams& p) {
  const bool given = operands.Given(kGroupList);
  const bool needed = p.weight.stacked || p.y.stacked || (p.axis == Axis::kRows && !p.separate_x);
  if (needed && !given) {
    return Fail(operands.spec().codes.null,
                "groupListOptional is null, expected the ends of the groups of {}",
                p.axis == Axis::kRows ? "rows" : "K");
  }
  if (given && p.axis == Axis::kNone) {
    return Fail(operands.spec().codes.shape,
                "groupListOptional is given, expected null as groupType = -1");
  }
  if (!given || operands[kGroupList].shape() == Dims{static_cast<int64_t>(p.groups)}) return {};
  return Fail(operands.spec().codes.shape,
              "groupListOptional.shape = {}, expected [{}], the groups",
              operands[kGroupList].shape().ToString(), p.groups);
}

// [N] of each weight, or [groups, N].
Status CheckColumns(const Operands& operands, const GroupedParams& p, int id) {
  if (!operands.Given(id)) return {};
  const int code = operands.spec().codes.shape;
  if (p.axis == Axis::kDepth) {
    return Fail(code, "{} is given, expected null as groupType = 2", operands.NameOf(id));
  }
  const auto list = operands.List(id), weights = operands.List(kRight);
  if (Status s = CheckCount(operands, id, weights.size()); !s.ok()) return s;
  for (size_t i = 0; i < list.size(); ++i) {
    const Dims& weight = weights[i].shape();
    const int64_t n = weight[weight.rank() - 1];
    const Dims expected = p.weight.stacked ? Dims{weight[0], n} : Dims{n};
    if (list[i].shape() == expected) continue;
    return Fail(code, "{}.shape = {}, expected {}", list[i].Name(), list[i].shape().ToString(),
                expected.ToString());
  }
  return {};
}

Status WrongShape(const Operand& operand, const Dims& expected, int code) {
  return Fail(code, "{}.shape = {}, expected {}", operand.Name(), operand.shape().ToString(),
              expected.ToString());
}

// x, weight and y of each group.
Status CheckMatrices(const Operands& operands, GroupedParams* p) {
  const int code = operands.spec().codes.shape;
  const auto xs = operands.List(kLeft), weights = operands.List(kRight), ys = operands.List(kOut);
  int64_t total = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    const Operand& x = xs[p->separate_x ? i : 0];
    const Dims& weight = weights[i].shape();
    const int64_t k = weight[weight.rank() - 2], n = weight[weight.rank() - 1];
    Dims y = x.shape();
    const int64_t depth = y[y.rank() - 1];
    y[y.rank() - 1] = n;
    const bool parts = p->axis == Axis::kDepth && !p->y.stacked;
    if (parts ? k > depth - total : k != depth) {
      return Fail(code, "{}.shape = {}, expected {} {} rows as {}.shape = {}", weights[i].Name(),
                  weight.ToString(), parts ? "at most" : "exactly", depth - (parts ? total : 0),
                  x.Name(), x.shape().ToString());
    }
    if (p->axis == Axis::kRows) {
      const int64_t rows = p->separate_x ? y[0] : 0;
      if (__builtin_add_overflow(total, rows, &total)) {
        return Fail(code, "x has rows that overflow int64");
      }
      if (p->separate_x) p->ends.push_back(total);
      const Dims& first = weights[0].shape();
      if (n != first[first.rank() - 1]) {
        return Fail(code, "{}.shape = {}, expected {} columns as {}", weights[i].Name(),
                    weight.ToString(), first[first.rank() - 1], weights[0].Name());
      }
      continue;
    }
    if (parts) p->ends.push_back(total += k);
    if (p->y.stacked) y = {static_cast<int64_t>(p->groups), y[0], n};
    if (!(ys[i].shape() == y)) return WrongShape(ys[i], y, code);
  }
  if (p->axis == Axis::kRows) {
    const Dims& weight = weights[0].shape();
    p->size = p->separate_x ? total : xs[0].shape()[0];
    const Dims y = {p->size, weight[weight.rank() - 1]};
    if (!(ys[0].shape() == y)) return WrongShape(ys[0], y, code);
  } else {
    p->size = xs[0].shape()[xs[0].shape().rank() - 1];
  }
  return {};
}

void Collect(const Operands& operands, int id, Stack* stack) {
  if (!operands.Given(id)) return;
  for (size_t i = 0; i < operands.List(id).size(); ++i) {
    stack->views.push_back(ViewOf(operands, id, i));
  }
}

}  // namespace

TensorView Stack::Of(size_t group) const {
  if (views.empty()) return {};
  if (!stacked) return views[separate() ? group : 0];
  return WithoutDim(Sliced(views[0], 0, static_cast<int64_t>(group), 1), 0);
}

Status CheckGrouped(Operands& operands, GroupedParams* params) {
  GroupedParams& p = *params;
  DropEmpty(operands);
  if (Status s = CheckLists(operands); !s.ok()) return s;
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckTypes(operands); !s.ok()) return s;
  if (Status s = CheckForm(operands, &p); !s.ok()) return s;
  if (Status s = CheckGroupList(operands, p); !s.ok()) return s;
  if (Status s = CheckMatrices(operands, &p); !s.ok()) return s;
  for (int id : {kSummand, kQuantScale, kScale, kOffset}) {
    if (Status s = CheckColumns(operands, p, id); !s.ok()) return s;
  }
  for (Stack* stack : {&p.bias, &p.scale, &p.offset, &p.quant_scale}) {
    stack->stacked = p.weight.stacked;
  }
  Collect(operands, kLeft, &p.x);
  Collect(operands, kRight, &p.weight);
  Collect(operands, kSummand, &p.bias);
  Collect(operands, kScale, &p.scale);
  Collect(operands, kOffset, &p.offset);
  Collect(operands, kQuantScale, &p.quant_scale);
  Collect(operands, kOut, &p.y);
  if (operands.Given(kGroupList) && p.ends.empty()) p.bounds = ViewOf(operands, kGroupList);
  return {};
}

}  // namespace anyacl::matmul
