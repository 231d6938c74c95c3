// SPDX-License-Identifier: Apache-2.0
// What follows the products of a step of an LSTM: gates i, f, g and o, and the next states.
#include "ops/elementwise/chain.h"
#include "ops/elementwise/prepare.h"
#include "ops/steps.h"

namespace anyacl::elementwise {
namespace {

enum : int { kI, kF, kG, kO, kGateCount };

Status Check(Operands& operands) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const CheckCodes& codes = operands.spec().codes;
  const bool biased = operands.Given(kThird);
  if (biased != operands.Given(kX)) {
    const int missing = biased ? kX : kThird;
    return Fail(codes.null, "{} is null, expected a tensor as {} is given",
                operands.NameOf(missing), operands.NameOf(biased ? kThird : kX));
  }
  const int64_t hidden = operands[kCell].shape()[1], gates = operands[kSelf].shape()[1];
  if (gates % kGateCount == 0 && gates / kGateCount == hidden) return {};
  return Fail(codes.shape, "{}.shape[1] = {}, expected 4 * {}: four gates for each column of {}",
              operands.NameOf(kSelf), gates, hidden, operands.NameOf(kCell));
}

}  // namespace

Status PrepareLstmCell(Operands& operands, PreparedCall* call) {
  if (Status s = Check(operands); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  Steps steps(operands);
  const Dims& shape = operands[kSelf].shape();
  const int64_t hidden = shape[1] / kGateCount;
  const InnerTensor gates = steps.Piece("the gates", ACL_FLOAT, shape);
  const auto part = [hidden](const TensorView& all, int gate) {
    return Sliced(all, 1, gate * hidden, hidden);
  };
  for (int gate = 0; gate < kGateCount; ++gate) {
    PlanStep step;
    const auto given = [&](int id) {
      const TensorView view = step.View(TensorOf(operands, id));
      return part(*Broadcast(view, {shape.begin(), shape.rank()}), gate);
    };
    Chain chain = {.inputs = {given(kSelf), given(kOther)}, .steps = {}, .outputs = {}};
    size_t result = 0;
    if (operands.Given(kThird)) {
      chain.inputs.push_back(given(kThird));
      chain.inputs.push_back(given(kX));
      chain.steps = {{Op::kAdd, {2, 3}}, {Op::kAdd, {0, 1}}, {Op::kAdd, {5, 4}}};
      result = 6;
    } else {
      chain.steps = {{Op::kAdd, {0, 1}}};
      result = 2;
    }
    chain.steps.push_back({gate == kG ? Op::kTanh : Op::kSigmoid, {result}});
    chain.outputs = {{given(kBuffer), result + 1}, {part(step.View(gates), gate), result + 1}};
    step.AddTo(steps, MakeChainPlan(std::move(chain)));
  }
  PlanStep step;
  const auto of_gate = [&](int gate) { return part(step.View(gates), gate); };
  const auto view = [&](int id) { return step.View(TensorOf(operands, id)); };
  step.AddTo(
      steps,
      MakeChainPlan({.inputs = {of_gate(kI), of_gate(kF), of_gate(kG), of_gate(kO), view(kCell)},
                     .steps = {{Op::kMul, {kF, 4}},
                               {Op::kAddcmul, {5, kI, kG}, 1},
                               {Op::kTanh, {6}},
                               {Op::kMul, {kO, 7}}},
                     .outputs = {{view(kActivated), 6}, {view(kOut), 8}}}));
  return steps.Finish(call);
}

}  // namespace anyacl::elementwise
