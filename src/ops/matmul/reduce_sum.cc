// SPDX-License-Identifier: Apache-2.0
// The sum of a batch's products of INT8 with factors: sums in int32 become fp32 by their factors,
// are added up in the batch's order in fp32 and rounded once.
#include <algorithm>

#include "nnop/workspace.h"
#include "ops/matmul/elements.h"
#include "ops/matmul/engine.h"
#include "ops/matmul/operators.h"
#include "ops/matmul/quantise.h"
#include "ops/matmul/weight.h"

namespace anyacl::matmul {
namespace {

struct ReduceSumParams {
  TensorView x, weight, row_scale, scale, out;
  Panels panels;
};

// Where an entry of the batch stands: the first begins the sum, the last ends it.
gemm::Problem ProblemOf(const ReduceSumParams& p, bool first, bool last) {
  gemm::Problem g;
  g.rows = p.out.sizes[0];
  g.columns = p.out.sizes[1];
  g.depth = p.x.sizes[2];
  g.a = MatrixOf(p.x, {});
  g.b = MatrixOf(p.weight, {});
  p.panels.Put(g.b);
  const gemm::Matrix sums = {.row_step = g.columns};
  g.c = last ? MatrixOf(p.out) : sums;
  g.has_d = !first;
  if (g.has_d) g.d = sums;
  g.has_row_scale = g.has_column_scale = true;
  g.row_scale_step = p.row_scale.strides[1];
  return g;
}

class ReduceSumPlan final : public BookedPlan {
 public:
  explicit ReduceSumPlan(const ReduceSumParams& params)
      : p_(params),
        count_(p_.x.sizes[0]),
        first_(ProblemOf(p_, true, count_ == 1)),
        middle_(ProblemOf(p_, false, false)),
        last_(ProblemOf(p_, false, true)) {
    workspace_ = book_.Book<char>(
        std::max({first_.workspace_bytes(), middle_.workspace_bytes(), last_.workspace_bytes()}));
    scales_ = book_.Book<float>(static_cast<size_t>(p_.scale.sizes[0]));
    if (count_ > 1) sums_ = book_.Book<float>(static_cast<size_t>(p_.out.elements()));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    ReadFactors(WithDim(p_.scale, 0), bindings, scales_.In(bindings));
    float* const sums = count_ > 1 ? sums_.In(bindings) : nullptr;
    const auto entry = [&](const TensorView& view, int64_t i) {
      return Sliced(view, 0, i, 1).Address(bindings);
    };
    for (int64_t i = 0; i < count_; ++i) {
      const bool last = i + 1 == count_;
      const gemm::Plan& plan = i == 0 ? first_ : last ? last_ : middle_;
      plan.Run({.a = entry(p_.x, i),
                .b = entry(p_.weight, i),
                .d = sums,
                .row_scale = reinterpret_cast<const float*>(entry(p_.row_scale, i)),
                .column_scale = scales_.In(bindings),
                .c = last ? p_.out.Address(bindings) : reinterpret_cast<char*>(sums)},
               workspace_.In(bindings));
    }
    return {};
  }

 private:
  const ReduceSumParams p_;
  const int64_t count_;
  const gemm::Plan first_, middle_, last_;
  WorkspaceSlot<char> workspace_;
  WorkspaceSlot<float> scales_, sums_;
};

Status CheckNull(const Operands& operands) {
  for (int id : {kQuantScale, kLeftOffset, kOffset, kQuantOffset, kSummand}) {
    if (!operands.Given(id)) continue;
    return Fail(operands.spec().codes.shape, "{} is given, expected null, as it is reserved",
                operands.NameOf(id));
  }
  return {};
}

Status CheckChoices(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  for (int id : {kTransposeLeft, kTransposeRight, kKeepDims}) {
    if (operands.Flag(id)) return Fail(code, "{} = true, expected false", operands.NameOf(id));
  }
  const auto dims = operands.Ints(kDims);
  if (dims.size() != 1) return Fail(code, "dims has {} numbers, expected [0]", dims.size());
  // op-plugin 7.2.0 passes whatever lies where its 0 was: a reference to a list that is gone.
  constexpr int64_t kRank = 3;
  if (dims[0] != 0 && dims[0] > -kRank && dims[0] < kRank) {
    return Fail(code, "dims[0] = {}, expected 0, the batch", dims[0]);
  }
  if (dims[0] != 0 && dims[0] != -kRank) Warn("dims[0] = {} is taken for 0, the batch", dims[0]);
  return {};
}

}  // namespace

Status PrepareReduceSum(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckDTypes(); !s.ok()) return s;
  if (Status s = CheckNull(operands); !s.ok()) return s;
  if (Status s = operands.CheckFormats(); !s.ok()) return s;
  if (Status s = operands.CheckShapes(); !s.ok()) return s;
  if (Status s = CheckElements(operands, {kLeft, kRight, kOut}); !s.ok()) return s;
  ReduceSumParams p;
  if (Status s = ReadPanels(operands, kRight, &p.panels); !s.ok()) return s;
  if (Status s = operands.CheckStrides(); !s.ok()) return s;
  if (Status s = operands.CheckValues(); !s.ok()) return s;
  if (Status s = CheckChoices(operands); !s.ok()) return s;
  p.x = ViewOf(operands, kLeft);
  p.weight = p.panels.given() ? p.panels.view : ViewOf(operands, kRight);
  p.row_scale = ViewOf(operands, kRowScale);
  p.scale = ViewOf(operands, kScale);
  p.out = ViewOf(operands, kOut);
  SeeStorage(operands, kRight, p.panels);
  call->plan = std::make_shared<ReduceSumPlan>(p);
  return {};
}

}  // namespace anyacl::matmul
