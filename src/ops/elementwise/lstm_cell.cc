// SPDX-License-Identifier: Apache-2.0
// What follows the products of a step of an LSTM: gates i, f, g and o, and the next states; and
// what comes before them in its gradient.
#include "ops/elementwise/chain.h"
#include "ops/elementwise/prepare.h"
#include "ops/steps.h"

namespace anyacl::elementwise {
namespace {

enum : int { kI, kF, kG, kO, kGateCount };

Status CheckGates(const Operands& operands, int gates_id, int cell_id) {
  const int64_t hidden = operands[cell_id].shape()[1], gates = operands[gates_id].shape()[1];
  if (gates % kGateCount == 0 && gates / kGateCount == hidden) return {};
  return Fail(operands.spec().codes.shape,
              "{}.shape[1] = {}, expected 4 * {}: four gates for each column of {}",
              operands.NameOf(gates_id), gates, hidden, operands.NameOf(cell_id));
}

Status Check(Operands& operands) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const CheckCodes& codes = operands.spec().codes;
  const bool biased = operands.Given(kThird);
  if (biased != operands.Given(kX)) {
    const int missing = biased ? kX : kThird;
    return Fail(codes.null, "{} is null, expected a tensor as {} is given",
                operands.NameOf(missing), operands.NameOf(biased ? kThird : kX));
  }
  return CheckGates(operands, kSelf, kCell);
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

// gradCxOut comes last, as it may be cx. The sums over the batch are of fp32 gradients.
Status PrepareLstmCellBackward(Operands& operands, PreparedCall* call) {
  const bool biased = operands.Flag(kMode);
  if (!biased) operands.Drop(kDShift);
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckGates(operands, kActivated, kSelf); !s.ok()) return s;
  Steps steps(operands);
  const Dims& shape = operands[kSelf].shape();
  InnerTensor zero;
  if (!operands.Given(kOther) || !operands.Given(kThird)) {
    zero = steps.Piece("zero", ACL_FLOAT, {1});
    if (Status s = steps.Call("aclnnInplaceZero", {zero}); !s.ok()) return s;
  }
  const InnerTensor total = steps.Piece("the cell's gradient", ACL_FLOAT, shape);
  InnerTensor gates;
  if (biased) {
    gates = steps.Piece("the gates' gradients", ACL_FLOAT, operands[kActivated].shape());
  }
  PlanStep first, second;
  const auto view = [&](PlanStep& step, int id) { return step.View(TensorOf(operands, id)); };
  const auto given = [&](PlanStep& step, int id) {
    if (operands.Given(id)) return view(step, id);
    return *Broadcast(step.View(zero), {shape.begin(), shape.rank()});
  };
  const auto part = [&](const TensorView& all, int gate) {
    return Sliced(all, 1, gate * shape[1], shape[1]);
  };
  const auto of_gate = [&](PlanStep& step, int gate) { return part(view(step, kActivated), gate); };
  const auto store = [&](PlanStep& step, Chain& chain, int gate, size_t number) {
    chain.outputs.push_back({part(view(step, kOut), gate), number});
    if (biased) chain.outputs.push_back({part(step.View(gates), gate), number});
  };
  Chain cell = {
      .inputs = {given(first, kOther), given(first, kThird), view(first, kX), of_gate(first, kO)},
      .steps = {{Op::kTanh, {2}},
                {Op::kMul, {0, 3}},
                {Op::kTanhGrad, {5, 4}},
                {Op::kAdd, {6, 1}},
                {Op::kMul, {0, 4}},
                {Op::kSigmoidGrad, {8, 3}}},
      .outputs = {{first.View(total), 7}}};
  store(first, cell, kO, 9);
  Chain rest = {.inputs = {second.View(total), of_gate(second, kI), of_gate(second, kF),
                           of_gate(second, kG), view(second, kSelf)},
                .steps = {{Op::kMul, {0, 2}},
                          {Op::kMul, {0, 3}},
                          {Op::kSigmoidGrad, {6, 1}},
                          {Op::kMul, {0, 4}},
                          {Op::kSigmoidGrad, {8, 2}},
                          {Op::kMul, {0, 1}},
                          {Op::kTanhGrad, {10, 3}}},
                .outputs = {{view(second, kCell), 5}}};
  store(second, rest, kI, 7);
  store(second, rest, kF, 9);
  store(second, rest, kG, 11);
  if (!operands[kSelf].IsEmpty()) {
    first.AddTo(steps, MakeChainPlan(std::move(cell)));
    second.AddTo(steps, MakeChainPlan(std::move(rest)));
  }
  if (biased) {
    const InnerTensor out = TensorOf(operands, kDShift);
    if (Status s = steps.Call("aclnnReduceSum",
                              {gates, IntArray{0}, false, int64_t{out.layout.dtype}, out});
        !s.ok()) {
      return s;
    }
  }
  return steps.Finish(call);
}

}  // namespace anyacl::elementwise
