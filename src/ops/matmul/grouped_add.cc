// SPDX-License-Identifier: Apache-2.0
// Products of groups of K that are added to what the result holds, as gradients of weights are.
#include <array>

#include "ops/matmul/elements.h"
#include "ops/matmul/grouped.h"
#include "ops/matmul/operators.h"

namespace anyacl::matmul {
namespace {

Status CheckFlags(const Operands& operands) {
  for (const auto& [id, expected] : {std::pair{kTransposeLeft, true}, {kTransposeRight, false}}) {
    if (operands.Flag(id) == expected) continue;
    return Fail(ACLNN_ERR_PARAM_INVALID, "{} = {}, expected {}", operands.NameOf(id), !expected,
                expected);
  }
  return {};
}

Status CheckAddSizes(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  if (Status s = CheckElements(operands, {kLeft, kRight, kGroupList, kOut}); !s.ok()) return s;
  if (operands[kOut].shape().rank() == 3) return {};
  const int64_t groups = operands.Size("G"), rows = operands.Size("M"), given = operands.Size("R");
  if (given % groups == 0 && given / groups == rows) return {};
  return Fail(code, "yRef.shape = {}, expected [{} * {}, {}] or [{}, {}, {}]",
              operands[kOut].shape().ToString(), groups, rows, operands.Size("N"), groups, rows,
              operands.Size("N"));
}

}  // namespace

Status PrepareGroupedAdd(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckFlags(operands); !s.ok()) return s;
  if (Status s = CheckAddSizes(operands); !s.ok()) return s;
  GroupedParams p;
  p.axis = Axis::kDepth;
  p.groups = static_cast<size_t>(operands.Size("G"));
  p.size = operands.Size("K");
  p.list = ViewOf(operands, kGroupList);
  p.list_name = operands.NameOf(kGroupList);
  if (operands.HasRow(kGroupListType))
    p.listing = static_cast<Listing>(operands.Int(kGroupListType));
  p.added = true;
  p.x.views = {Permuted(ViewOf(operands, kLeft), std::array<int64_t, 2>{1, 0})};
  p.weight.views = {ViewOf(operands, kRight)};
  p.panels.resize(1);
  TensorView y = ViewOf(operands, kOut);
  if (y.rank == 2) {
    const int64_t rows = operands.Size("M");
    y = WithDim(y, 0);
    y.sizes[0] = operands.Size("G");
    y.sizes[1] = rows;
    y.strides[0] = rows * y.strides[1];
  }
  p.y.views = {y};
  p.y.stacked = true;
  call->plan = MakeGroupedPlan(p);
  return {};
}

}  // namespace anyacl::matmul
