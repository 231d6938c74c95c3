// SPDX-License-Identifier: Apache-2.0
// Products of groups, whose results all ranks add up.
#include <span>

#include "ops/matmul_collective/operators.h"
#include "ops/matmul_collective/plans.h"
#include "ops/ranks/windows.h"

namespace anyacl::matmul_collective {
namespace {

constexpr size_t kMaxGroups = 64;

Status CheckLists(const Operands& operands) {
  for (const int id : {kX1, kX2, kBias, kOutput}) {
    if (!operands.Given(id)) {
      if (id == kBias) continue;
      return Fail(ACLNN_ERR_PARAM_INVALID, "{} has no tensors, expected 1 to {}",
                  operands.NameOf(id), kMaxGroups);
    }
    const size_t count = operands.List(id).size(), groups = operands.List(kX2).size();
    if (count > kMaxGroups) {
      return Fail(ACLNN_ERR_PARAM_INVALID, "{} has {} tensors, expected up to {}",
                  operands.NameOf(id), count, kMaxGroups);
    }
    const int64_t split = operands.Int(kSplitItem);
    const bool one = (id == kX1 && split % 2 == 1) || (id == kOutput && split >= 2);
    if (count == (one ? 1 : groups)) continue;
    return Fail(ACLNN_ERR_PARAM_INVALID, "{} has {} tensors, expected {} as splitItem is {}{}",
                operands.NameOf(id), count, one ? 1 : groups, split,
                one ? "" : " and weight has as many");
  }
  return {};
}

Status CheckDims(const Operands& operands) {
  const bool any = operands.Int(kSplitItem) == 0;
  const bool wide = operands[kX1].dtype() == ACL_BF16;
  const auto check = [](const Operand& operand, size_t least, size_t most) -> Status {
    const size_t rank = operand.shape().rank();
    if (rank >= least && rank <= most) return {};
    return Fail(ACLNN_ERR_PARAM_INVALID, "{}.shape = {}, expected {}{} dimensions", operand.Name(),
                operand.shape().ToString(), least == most ? "" : Format("{} to ", least), most);
  };
  for (const int id : {kX1, kX2, kOutput}) {
    for (const Operand& operand : operands.List(id)) {
      if (Status s = check(operand, 2, any && id != kX2 ? 6 : 2); !s.ok()) return s;
    }
  }
  if (!operands.Given(kBias)) return {};
  for (const Operand& operand : operands.List(kBias)) {
    if (Status s = check(operand, 1, 1); !s.ok()) return s;
    if ((operand.dtype() == ACL_FLOAT) == wide) continue;
    return Fail(ACLNN_ERR_PARAM_INVALID, "{}.dtype = {}, expected {} as x is {}", operand.Name(),
                NameOf(operand.dtype()), NameOf(wide ? ACL_FLOAT : ACL_FLOAT16),
                NameOf(operands[kX1].dtype()));
  }
  return {};
}

// Rows behind the last end would have no product, but be summed.
Status CheckEnds(const Operands& operands) {
  const int64_t split = operands.Int(kSplitItem);
  std::span<const int64_t> ends;
  if (operands.Given(kGroupList)) ends = operands.Ints(kGroupList);
  if (ends.empty() != (split % 2 == 0)) {
    return Fail(ACLNN_ERR_PARAM_INVALID,
                "groupListOptional has {} numbers, expected some with splitItem 1 and 3, and only "
                "then; splitItem is {}",
                ends.size(), split);
  }
  if (ends.empty()) return {};
  const int64_t rows = operands[kX1].shape()[0];
  const size_t groups = operands.List(kX2).size();
  if (ends.size() == groups && ends.back() == rows) return {};
  return Fail(ACLNN_ERR_PARAM_INVALID,
              "groupListOptional has {} numbers, the last {}, expected {} and x.shape[0] = {}",
              ends.size(), ends.back(), groups, rows);
}

std::string AlikeLists(const Operands& operands) {
  std::string alike = operands.NameOf(kOutput);
  for (const Operand& y : operands.List(kOutput)) {
    alike += Format(" {} {}", NameOf(y.dtype()), y.shape().ToString());
  }
  return alike;
}

}  // namespace

Status PrepareGroupedAllReduce(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = operands.CheckText(kReduceOp, {"sum"}); !s.ok()) return s;
  if (Status s = CheckLists(operands); !s.ok()) return s;
  if (Status s = CheckDims(operands); !s.ok()) return s;
  if (Status s = CheckEnds(operands); !s.ok()) return s;
  std::shared_ptr<RankGroup> group;
  if (Status s = ranks::FindGroup(operands, kGroup, kWorldSize, &group); !s.ok()) return s;
  Steps steps(operands, group->size());
  InnerArgument ends = InnerTensor();
  int64_t split = operands.Int(kSplitItem);
  if (operands.List(kX2).size() == 1) {
    split = 0;  // a list of one is a group of all rows with splitItem 0 alone
  } else if (split % 2 == 1) {
    const std::span<const int64_t> numbers = operands.Ints(kGroupList);
    ends = IntArray(numbers.begin(), numbers.end());
  }
  const InnerTensors results = TensorsOf(operands, kOutput);
  const InnerTensor none;
  if (Status s =
          steps.Call("aclnnGroupedMatmul",
                     {TensorsOf(operands, kX1), TensorsOf(operands, kX2),
                      TensorsOf(operands, kBias), none, none, none, none, ends, split, results});
      !s.ok()) {
    return s;
  }
  for (const InnerTensor& y : results) {
    if (ElementCount(y.layout.shape) != 0) steps.AllReduce(y);
  }
  return steps.Finish(group, AlikeLists(operands), call);
}

}  // namespace anyacl::matmul_collective
