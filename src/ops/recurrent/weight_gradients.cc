// SPDX-License-Identifier: Apache-2.0
#include "ops/recurrent/weight_gradients.h"

#include <algorithm>

namespace anyacl::recurrent {

Status BuildGradients(const Operands& operands, const Layer& layer, LayerGradients* gradients) {
  LayerGradients& g = *gradients;
  g.dy = ViewOf(operands, kDy);
  g.dh = ViewOf(operands, kDh);
  g.dw = ViewOf(operands, kDw);
  if (!layer.joined) g.dw_hidden = ViewOf(operands, kDwHidden);
  g.db = ViewOf(operands, kDb);
  if (operands.HasRow(kDbHidden)) g.db_hidden = ViewOf(operands, kDbHidden);
  g.dx = ViewOf(operands, kDx);
  g.dh_prev = ViewOf(operands, kDhPrev);
  // Of no sequences the gradients of weights are 0.
  if (layer.sizes.steps > 0 && layer.sizes.hidden > 0) return {};
  return Fail(operands.spec().codes.shape, "y.shape = {}, expected a step and a state",
              operands[kY].shape().ToString());
}

WeightGradients::WeightGradients(const Layer& layer, const LayerGradients& gradients)
    : p_(layer),
      to_(gradients),
      first_(First()),
      rest_(Rest()),
      input_(Input()),
      weight_(Weight()),
      bias_(Bias(to_.db)),
      hidden_bias_(Bias(to_.db_hidden.given() ? to_.db_hidden : to_.db)) {}

uint64_t WeightGradients::workspace_bytes() const {
  uint64_t most = 0;
  for (const gemm::Plan* plan : {&first_, &rest_, &input_, &weight_, &bias_, &hidden_bias_}) {
    most = std::max(most, plan->workspace_bytes());
  }
  return most;
}

void WeightGradients::Run(const Bindings& bindings, const float* gates, const float* hidden,
                          float* sums, char* scratch) const {
  const Sizes& s = p_.sizes;
  const int64_t step = s.batch * s.gates;
  const bool backwards = p_.order.backwards;
  char* dw = to_.dw.Address(bindings);
  char* dw_hidden =
      p_.joined ? dw + s.inputs * s.gates * BytesOf(to_.dw) : to_.dw_hidden.Address(bindings);
  first_.Run({.a = AddressOf(bindings, p_.init_h),
              .b = hidden + (backwards ? (s.steps - 1) * step : 0),
              .c = sums},
             scratch);
  // The state before a step is that behind the one that was taken before it.
  const int64_t skipped = backwards ? s.batch * s.hidden * BytesOf(p_.h) : 0;
  rest_.Run({.a = AddressOf(bindings, p_.h) + skipped,
             .b = hidden + (backwards ? 0 : step),
             .d = sums,
             .c = dw_hidden},
            scratch);
  input_.Run({.a = gates, .b = AddressOf(bindings, p_.weight), .c = to_.dx.Address(bindings)},
             scratch);
  weight_.Run({.a = AddressOf(bindings, p_.x), .b = gates, .c = dw}, scratch);
  const float one = 1;
  bias_.Run({.a = &one, .b = gates, .c = to_.db.Address(bindings)}, scratch);
  if (!to_.db_hidden.given()) return;
  hidden_bias_.Run({.a = &one, .b = hidden, .c = to_.db_hidden.Address(bindings)}, scratch);
}

// The gradient of the state's weight: of the first step, then with all others.
gemm::Problem WeightGradients::First() const {
  const Sizes& s = p_.sizes;
  return ProductOf(s.hidden, s.gates, s.batch, Transposed(SideOf(p_.init_h, s.hidden)),
                   {.row_step = s.gates}, {.row_step = s.gates});
}
gemm::Problem WeightGradients::Rest() const {
  const Sizes& s = p_.sizes;
  return ProductOf(s.hidden, s.gates, std::max<int64_t>(0, s.steps - 1) * s.batch,
                   Transposed(SideOf(p_.h, s.hidden)), {.row_step = s.gates},
                   SideOf(p_.joined ? to_.dw : to_.dw_hidden, s.gates), {.row_step = s.gates});
}
gemm::Problem WeightGradients::Input() const {
  const Sizes& s = p_.sizes;
  return ProductOf(s.rows(), s.inputs, s.gates, {.row_step = s.gates},
                   Transposed(SideOf(p_.weight, s.gates)), SideOf(to_.dx, s.inputs));
}
gemm::Problem WeightGradients::Weight() const {
  const Sizes& s = p_.sizes;
  return ProductOf(s.inputs, s.gates, s.rows(), Transposed(SideOf(p_.x, s.inputs)),
                   {.row_step = s.gates}, SideOf(to_.dw, s.gates));
}
gemm::Problem WeightGradients::Bias(const TensorView& out) const {
  const Sizes& s = p_.sizes;
  return ProductOf(1, s.gates, s.rows(), {.row_step = 0, .column_step = 0}, {.row_step = s.gates},
                   SideOf(out, s.gates));
}

}  // namespace anyacl::recurrent
