// SPDX-License-Identifier: Apache-2.0
// Products of groups, whose results all ranks add up.
#include <span>

#include "ops/matmul_collective/operators.h"
#include "ops/matmul_collective/plans.h"
#include "ops/ranks/windows.h"

namespace anyacl::matmul_collective {
namespace {

constexpr size_t kMaxGroups = 64;

// What aclnnGroupedMatmul, which is called, does not ask for.
Status CheckLists(const Operands& operands) {
  for (const int id : {kX1, kX2, kBias, kOutput}) {
    if (!operands.Given(id)) {
      if (id == kBias) continue;
      return Fail(ACLNN_ERR_PARAM_INVALID, "{} has no tensors, expected 1 to {}",
                  operands.NameOf(id), kMaxGroups);
    }
    const std::span<const Operand> list = operands.List(id);
    if (list.size() > kMaxGroups) {
      return Fail(ACLNN_ERR_PARAM_INVALID, "{} has {} tensors, expected up to {}",
                  operands.NameOf(id), list.size(), kMaxGroups);
    }
    for (const Operand& operand : list) {
      if (id == kX2 && operand.shape().rank() != 2) {
        return Fail(ACLNN_ERR_PARAM_INVALID, "{}.shape = {}, expected [K, N]", operand.Name(),
                    operand.shape().ToString());
      }
      if (id == kX2 || operand.IsContiguous()) continue;
      return Fail(ACLNN_ERR_PARAM_INVALID, "{} is not contiguous, which the document requires",
                  operand.Name());
    }
  }
  const bool splits_x = operands.Int(kSplitItem) % 2 == 1;
  const bool given = operands.Given(kGroupList) && !operands.Ints(kGroupList).empty();
  if (given == splits_x) return {};
  return Fail(ACLNN_ERR_PARAM_INVALID, "groupListOptional {}, expected it with splitItem 1 and 3 "
              "only; splitItem is {}",
              given ? "is given" : "is null or empty", operands.Int(kSplitItem));
}

// A list of one is a group of all rows, to aclnnGroupedMatmul with splitItem 0 alone.
Status CheckOnlyGroup(const Operands& operands) {
  const std::span<const int64_t> ends = operands.Ints(kGroupList);
  const Dims& x = operands[kX1].shape();
  if (ends.empty() || (ends.size() == 1 && x.rank() > 0 && ends[0] == x[0])) return {};
  return Fail(ACLNN_ERR_PARAM_INVALID, "groupListOptional ends with {} after {}, expected 1 group of "
              "the rows of x.shape = {}",
              ends.back(), ends.size(), x.ToString());
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
  std::shared_ptr<RankGroup> group;
  if (Status s = ranks::FindGroup(operands, kGroup, kWorldSize, &group); !s.ok()) return s;
  Steps steps(operands, group->size());
  InnerArgument ends = InnerTensor();
  int64_t split = operands.Int(kSplitItem);
  if (operands.List(kX2).size() == 1) {
    if (Status s = CheckOnlyGroup(operands); !s.ok()) return s;
    split = 0;
  } else if (split % 2 == 1) {
    const std::span<const int64_t> numbers = operands.Ints(kGroupList);
    ends = IntArray(numbers.begin(), numbers.end());
  }
  const InnerTensors results = TensorsOf(operands, kOutput);
  const InnerTensor none;
  if (Status s = steps.Call("aclnnGroupedMatmul",
                            {TensorsOf(operands, kX1), TensorsOf(operands, kX2),
                             TensorsOf(operands, kBias), none, none, none, none, ends, split,
                             results});
      !s.ok()) {
    return s;
  }
  for (const InnerTensor& y : results) {
    if (ElementCount(y.layout.shape) != 0) steps.AllReduce(y);
  }
  return steps.Finish(group, AlikeLists(operands), call);
}

}  // namespace anyacl::matmul_collective
