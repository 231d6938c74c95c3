// SPDX-License-Identifier: Apache-2.0
// Rows of a sequence, scaled and shifted alike.
#include "ops/elementwise/chain.h"
#include "ops/elementwise/prepare.h"
#include "ops/steps.h"

namespace anyacl::elementwise {
namespace {

// As the document says: elements of no rows come without factors.
Status CheckFactors(const Operands& operands) {
  for (int id : {kScale, kShiftBy}) {
    if (!operands[kSelf].IsEmpty() || !operands.Given(id) || operands[id].IsEmpty()) continue;
    return Fail(operands.spec().codes.shape, "{}.shape = {}, expected no elements as {} has none",
                operands.NameOf(id), operands[id].shape().ToString(), operands.NameOf(kSelf));
  }
  return {};
}

// [B, D] or [B, 1, D], repeated for each row of [B, L, D].
TensorView OfEachRow(const TensorView& factors, const TensorView& rows) {
  return *Broadcast(factors.rank == 2 ? WithDim(factors, 1) : factors, {rows.sizes, 3});
}

}  // namespace

Status PrepareModulate(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckFactors(operands); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  const TensorView rows = ViewOf(operands, kSelf);
  Chain chain = {.inputs = {rows}, .steps = {}, .outputs = {{ViewOf(operands, kOut), 0}}};
  for (int id : {kScale, kShiftBy}) {
    if (operands.Given(id)) chain.inputs.push_back(OfEachRow(ViewOf(operands, id), rows));
  }
  const size_t inputs = chain.inputs.size();
  size_t& result = chain.outputs[0].number;
  const auto then = [&](ChainStep step) {
    chain.steps.push_back(std::move(step));
    result = inputs + chain.steps.size() - 1;
  };
  if (operands.Given(kScale)) {
    then({Op::kAddScalar, {1}, 1});
    then({Op::kMul, {0, result}});
  }
  if (operands.Given(kShiftBy)) then({Op::kAdd, {result, inputs - 1}});
  call->plan = MakeChainPlan(std::move(chain));
  return {};
}

// The sums are of fp32 products, those of no rows 0; the shifts' gradient comes first, as gradInput
// may be gradOutput.
Status PrepareModulateBackward(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckFactors(operands); !s.ok()) return s;
  Steps steps(operands);
  const InnerTensor gradient = TensorOf(operands, kSelf);
  const auto sum = [&](const InnerTensor& of, int to) {
    const InnerTensor out = TensorOf(operands, to);
    return steps.Call("aclnnReduceSum", {of, IntArray{1}, false, int64_t{out.layout.dtype}, out});
  };
  if (operands.Given(kDShift)) {
    if (Status s = sum(gradient, kDShift); !s.ok()) return s;
  }
  PlanStep step;
  const TensorView rows = step.View(gradient), out = step.View(TensorOf(operands, kOut));
  const TensorView x = step.View(TensorOf(operands, kOther));
  InnerTensor products;
  Chain chain = {.inputs = {rows, x}, .steps = {}, .outputs = {{out, 0}}};
  if (operands.Given(kScale)) {
    chain.inputs.push_back(OfEachRow(step.View(TensorOf(operands, kScale)), rows));
    chain.steps = {{Op::kMul, {0, 2}}};
    chain.outputs[0].number = 3;
  }
  if (operands.Given(kDScale)) {
    products = steps.Piece("grad_output * input", ACL_FLOAT, operands[kSelf].shape());
    chain.steps.push_back({Op::kMul, {0, 1}});
    chain.outputs.push_back({step.View(products), chain.inputs.size() + chain.steps.size() - 1});
  }
  step.AddTo(steps, MakeChainPlan(std::move(chain)));
  if (operands.Given(kDScale)) {
    if (Status s = sum(products, kDScale); !s.ok()) return s;
  }
  return steps.Finish(call);
}

}  // namespace anyacl::elementwise
