// SPDX-License-Identifier: Apache-2.0
// GRU over a sequence, the reset gate after the state's product, as PyTorch has it.
#include <algorithm>

#include "nnop/operands.h"
#include "ops/recurrent/weight_gradients.h"

namespace anyacl::recurrent {
namespace {

// The columns of the weights that the gates have, in units of the hidden size.
struct GateColumns {
  int64_t reset, update, fresh;
};

struct GruProblem : Layer {
  GateColumns columns;
  TensorView hidden_bias, update, reset, fresh, hidden_fresh;
};

class GruPlan final : public BookedPlan {
 public:
  explicit GruPlan(const GruProblem& problem)
      : p_(problem), input_(InputGates(problem)), step_(StepProduct(problem)) {
    const Sizes& s = p_.sizes;
    gates_ = book_.Book<float>(static_cast<size_t>(s.rows() * s.gates));
    hidden_ = book_.Book<float>(static_cast<size_t>(s.batch * s.gates));
    state_ = book_.Book<float>(static_cast<size_t>(s.batch * s.hidden));
    rows_ = book_.Book<float>(static_cast<size_t>(2 * s.batch * s.hidden));
    scratch_ = book_.Book<char>(std::max(input_.workspace_bytes(), step_.workspace_bytes()));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const Sizes& s = p_.sizes;
    float* gates = gates_.In(bindings);
    float* hidden = hidden_.In(bindings);
    float* h = state_.In(bindings);
    std::fill_n(h, s.batch * s.hidden, 0.0f);
    ReadRow(bindings, p_.init_h, 0, s.batch * s.hidden, h);
    input_.Run({.a = AddressOf(bindings, p_.x),
                .b = AddressOf(bindings, p_.weight),
                .d = AddressOf(bindings, p_.bias),
                .c = gates},
               scratch_.In(bindings));
    for (int64_t n = 0; n < s.steps; ++n) {
      const int64_t t = p_.order.At(n);
      step_.Run({.a = h,
                 .b = AddressOf(bindings, p_.hidden_weight),
                 .d = AddressOf(bindings, p_.hidden_bias),
                 .c = hidden},
                scratch_.In(bindings));
      ForSequences(s, [&](int64_t b) {
        const int64_t at = b * s.hidden;
        Row(bindings, t, b, gates + (t * s.batch + b) * s.gates, hidden + b * s.gates, h + at,
            rows_.In(bindings) + 2 * at);
      });
    }
    return {};
  }

 private:
  static gemm::Problem StepProduct(const GruProblem& p) {
    const Sizes& s = p.sizes;
    return GatesOf(s.batch, s.gates, s.hidden, {.row_step = s.hidden},
                   SideOf(p.hidden_weight, s.gates), p.hidden_bias);
  }

  // One sequence at one step.
  void Row(const Bindings& bindings, int64_t t, int64_t b, float* gates, float* hidden, float* h,
           float* buffers) const {
    const int64_t n = p_.sizes.hidden;
    const Rows rows(n);
    const auto gate = [n](float* all, int64_t column) { return all + column * n; };
    float* reset = gate(gates, p_.columns.reset);
    float* update = gate(gates, p_.columns.update);
    float* fresh = gate(gates, p_.columns.fresh);
    float* hidden_fresh = gate(hidden, p_.columns.fresh);
    float* new_h = buffers;
    float* valid = buffers + n;
    rows(Op::kAdd, reset, reset, gate(hidden, p_.columns.reset));
    rows(Op::kAdd, update, update, gate(hidden, p_.columns.update));
    rows(Op::kSigmoid, reset, reset);
    rows(Op::kSigmoid, update, update);
    rows(Op::kAddcmul, fresh, fresh, reset, hidden_fresh);
    rows(Op::kTanh, fresh, fresh);
    rows(Op::kLerp, new_h, fresh, h, update);
    const int64_t row = t * p_.sizes.batch + b;
    if (p_.valid.given()) {
      p_.valid.Read(bindings, p_.sizes, t, b, valid);
      rows(Op::kLerp, h, h, new_h, valid);
      rows(Op::kMul, new_h, new_h, valid);
    } else {
      std::copy_n(new_h, n, h);
    }
    WriteRows(bindings, row, n,
              {{p_.y, new_h},
               {p_.h, h},
               {p_.update, update},
               {p_.reset, reset},
               {p_.fresh, fresh},
               {p_.hidden_fresh, hidden_fresh}});
  }

  const GruProblem p_;
  const gemm::Plan input_, step_;
  WorkspaceSlot<float> gates_, hidden_, state_, rows_;
  WorkspaceSlot<char> scratch_;
};

struct GradientProblem : GruProblem, LayerGradients {};

class GruGradientPlan final : public BookedPlan {
 public:
  explicit GruGradientPlan(const GradientProblem& problem)
      : p_(problem), step_(StepProduct()), weights_(problem, problem) {
    const Sizes& s = p_.sizes;
    gates_ = book_.Book<float>(static_cast<size_t>(s.rows() * s.gates));
    hidden_ = book_.Book<float>(static_cast<size_t>(s.rows() * s.gates));
    states_ = book_.Book<float>(static_cast<size_t>(2 * s.batch * s.hidden));
    rows_ = book_.Book<float>(static_cast<size_t>(kBuffers * s.batch * s.hidden));
    sums_ = book_.Book<float>(weights_.sums());
    scratch_ = book_.Book<char>(std::max(step_.workspace_bytes(), weights_.workspace_bytes()));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const Sizes& s = p_.sizes;
    const int64_t states = s.batch * s.hidden;
    float* gates = gates_.In(bindings);
    float* hidden = hidden_.In(bindings);
    float* dh = states_.In(bindings);
    float* passed = dh + states;  // what goes past the gates
    char* scratch = scratch_.In(bindings);
    ReadRow(bindings, p_.dh, 0, states, dh);
    for (int64_t n = s.steps - 1; n >= 0; --n) {
      const int64_t at = p_.order.At(n) * s.batch * s.gates;
      ForSequences(s, [&](int64_t b) {
        const int64_t column = b * s.hidden;
        Row(bindings, n, b, gates + at + b * s.gates, hidden + at + b * s.gates, dh + column,
            passed + column, rows_.In(bindings) + kBuffers * column);
      });
      step_.Run(
          {.a = hidden + at, .b = AddressOf(bindings, p_.hidden_weight), .d = passed, .c = dh},
          scratch);
    }
    WriteRow(bindings, p_.dh_prev, 0, states, dh);
    weights_.Run(bindings, gates, hidden, sums_.In(bindings), scratch);
    return {};
  }

 private:
  static constexpr int64_t kBuffers = 9;

  gemm::Problem StepProduct() const {
    const Sizes& s = p_.sizes;
    const Side c = {.row_step = s.hidden};
    return ProductOf(s.batch, s.hidden, s.gates, {.row_step = s.gates},
                     Transposed(SideOf(p_.hidden_weight, s.gates)), c, c);
  }

  // One sequence at one step.
  void Row(const Bindings& bindings, int64_t n, int64_t b, float* gates, float* hidden, float* dh,
           float* passed, float* buffers) const {
    const int64_t count = p_.sizes.hidden, t = p_.order.At(n);
    const int64_t row = t * p_.sizes.batch + b;
    const Rows rows(count);
    float* buffer[kBuffers];
    for (int64_t k = 0; k < kBuffers; ++k) buffer[k] = buffers + k * count;
    auto [update, reset, fresh, hidden_fresh, dy, old_h, new_dh, valid, product] = buffer;
    ReadRows(bindings, row, count,
             {{p_.update, update},
              {p_.reset, reset},
              {p_.fresh, fresh},
              {p_.hidden_fresh, hidden_fresh},
              {p_.dy, dy}});
    const bool first = n == 0;
    const int64_t before = first ? b : p_.order.At(n - 1) * p_.sizes.batch + b;
    ReadRow(bindings, first ? p_.init_h : p_.h, before, count, old_h);
    rows(Op::kAdd, new_dh, dh, dy);
    if (p_.valid.given()) {
      p_.valid.Read(bindings, p_.sizes, t, b, valid);
      rows(Op::kMul, new_dh, new_dh, valid);
      rows(Op::kAddcmul, passed, dh, dh, valid, -1);
      rows(Op::kAddcmul, passed, passed, new_dh, update);
    } else {
      rows(Op::kMul, passed, new_dh, update);
    }
    const auto gate = [count](float* all, int64_t column) { return all + column * count; };
    float* d_fresh = gate(gates, p_.columns.fresh);
    float* d_update = gate(gates, p_.columns.update);
    float* d_reset = gate(gates, p_.columns.reset);
    rows(Op::kAddcmul, product, new_dh, new_dh, update, -1);
    rows(Op::kTanhGrad, d_fresh, product, fresh);
    rows(Op::kSub, product, old_h, fresh);
    rows(Op::kMul, product, product, new_dh);
    rows(Op::kSigmoidGrad, d_update, product, update);
    rows(Op::kMul, product, d_fresh, hidden_fresh);
    rows(Op::kSigmoidGrad, d_reset, product, reset);
    std::copy_n(d_update, count, gate(hidden, p_.columns.update));
    std::copy_n(d_reset, count, gate(hidden, p_.columns.reset));
    rows(Op::kMul, gate(hidden, p_.columns.fresh), d_fresh, reset);
  }

  const GradientProblem p_;
  const gemm::Plan step_;
  const WeightGradients weights_;
  WorkspaceSlot<float> gates_, hidden_, states_, rows_, sums_;
  WorkspaceSlot<char> scratch_;
};

Status Build(Operands& operands, GruProblem* problem) {
  GruProblem& p = *problem;
  if (Status s = BuildLayer(operands, 3, &p); !s.ok()) return s;
  size_t order = 0;
  if (Status s = operands.CheckText(kOrder, {"zrh", "rzh"}, &order); !s.ok()) return s;
  p.columns = order == 0 ? GateColumns{1, 0, 2} : GateColumns{0, 1, 2};
  p.update = ViewOf(operands, kGates);
  p.reset = ViewOf(operands, kGate1);
  p.fresh = ViewOf(operands, kGate2);
  p.hidden_fresh = ViewOf(operands, kGate3);
  return {};
}

}  // namespace

Status PrepareGru(Operands& operands, PreparedCall* call) {
  GruProblem p;
  if (Status s = Build(operands, &p); !s.ok()) return s;
  p.hidden_bias = ViewOf(operands, kHiddenBias);
  if (!operands[kY].IsEmpty()) call->plan = std::make_shared<GruPlan>(p);
  return {};
}

Status PrepareGruGradient(Operands& operands, PreparedCall* call) {
  GradientProblem p;
  if (Status s = Build(operands, &p); !s.ok()) return s;
  if (Status s = BuildGradients(operands, p, &p); !s.ok()) return s;
  call->plan = std::make_shared<GruGradientPlan>(p);
  return {};
}

}  // namespace anyacl::recurrent
