// SPDX-License-Identifier: Apache-2.0
// LSTM over a sequence: the input's share of all gates is one product, the state's one each step.
#include <algorithm>

#include "nnop/operands.h"
#include "ops/recurrent/weight_gradients.h"

namespace anyacl::recurrent {
namespace {

// The columns of the weights that the gates i, j, f and o have, in units of the hidden size.
struct LstmColumns {
  int64_t i, j, f, o;
};

struct LstmProblem : Layer {
  LstmColumns columns;
  float forget_bias = 0;
  TensorView init_c, c, i, j, f, o, tanh_c;
};

class LstmPlan final : public BookedPlan {
 public:
  explicit LstmPlan(const LstmProblem& problem)
      : p_(problem), input_(InputGates(problem)), step_(StepProduct(problem)) {
    const Sizes& s = p_.sizes;
    gates_ = book_.Book<float>(static_cast<size_t>(s.rows() * s.gates));
    states_ = book_.Book<float>(static_cast<size_t>(2 * s.batch * s.hidden));
    rows_ = book_.Book<float>(static_cast<size_t>(kBuffers * s.batch * s.hidden));
    scratch_ = book_.Book<char>(std::max(input_.workspace_bytes(), step_.workspace_bytes()));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const Sizes& s = p_.sizes;
    float* gates = gates_.In(bindings);
    float* h = states_.In(bindings);
    float* c = h + s.batch * s.hidden;
    std::fill_n(h, 2 * s.batch * s.hidden, 0.0f);
    ReadRow(bindings, p_.init_h, 0, s.batch * s.hidden, h);
    ReadRow(bindings, p_.init_c, 0, s.batch * s.hidden, c);
    gemm::Addresses all = {.a = AddressOf(bindings, p_.x), .b = AddressOf(bindings, p_.weight)};
    all.d = AddressOf(bindings, p_.bias);
    all.c = gates;
    input_.Run(all, scratch_.In(bindings));
    for (int64_t n = 0; n < s.steps; ++n) {
      const int64_t t = p_.order.At(n);
      float* now = gates + t * s.batch * s.gates;
      step_.Run({.a = h, .b = HiddenWeight(bindings, p_), .d = now, .c = now},
                scratch_.In(bindings));
      ForSequences(s, [&](int64_t b) {
        const int64_t at = b * s.hidden;
        Row(bindings, t, b, now + b * s.gates, h + at, c + at, rows_.In(bindings) + kBuffers * at);
      });
    }
    return {};
  }

 private:
  static constexpr int64_t kBuffers = 4;

  static gemm::Problem StepProduct(const LstmProblem& p) {
    const Sizes& s = p.sizes;
    const Side gates = {.row_step = s.gates};
    return ProductOf(s.batch, s.gates, s.hidden, {.row_step = s.hidden},
                     SideOf(HiddenWeight(p), s.gates), gates, gates);
  }

  // One sequence at one step: from the gates before their functions to the state behind.
  void Row(const Bindings& bindings, int64_t t, int64_t b, float* gates, float* h, float* c,
           float* buffers) const {
    const int64_t n = p_.sizes.hidden;
    const Rows rows(n);
    float* i = gates + p_.columns.i * n;
    float* j = gates + p_.columns.j * n;
    float* f = gates + p_.columns.f * n;
    float* o = gates + p_.columns.o * n;
    float* tanh_c = buffers;
    float* new_h = buffers + n;
    float* new_c = buffers + 2 * n;
    float* valid = buffers + 3 * n;
    if (p_.forget_bias != 0) rows(Op::kAddScalar, f, f, nullptr, nullptr, p_.forget_bias);
    for (float* gate : {i, f, o}) rows(Op::kSigmoid, gate, gate);
    rows(Op::kTanh, j, j);
    rows(Op::kMul, new_c, f, c);
    rows(Op::kAddcmul, new_c, new_c, i, j);
    rows(Op::kTanh, tanh_c, new_c);
    rows(Op::kMul, new_h, o, tanh_c);
    const int64_t row = t * p_.sizes.batch + b;
    if (p_.valid.given()) {
      p_.valid.Read(bindings, p_.sizes, t, b, valid);
      rows(Op::kLerp, h, h, new_h, valid);
      rows(Op::kLerp, c, c, new_c, valid);
      rows(Op::kMul, new_h, new_h, valid);
    } else {
      std::copy_n(new_h, n, h);
      std::copy_n(new_c, n, c);
    }
    WriteRows(bindings, row, n,
              {{p_.y, new_h},
               {p_.h, h},
               {p_.c, c},
               {p_.i, i},
               {p_.j, j},
               {p_.f, f},
               {p_.o, o},
               {p_.tanh_c, tanh_c}});
  }

  const LstmProblem p_;
  const gemm::Plan input_, step_;
  WorkspaceSlot<float> gates_, states_, rows_;
  WorkspaceSlot<char> scratch_;
};

struct LstmGradient : LstmProblem, LayerGradients {
  TensorView dc, dc_prev;
};

class LstmGradientPlan final : public BookedPlan {
 public:
  explicit LstmGradientPlan(const LstmGradient& problem)
      : p_(problem), step_(StepProduct()), weights_(problem, problem) {
    const Sizes& s = p_.sizes;
    const int64_t states = s.batch * s.hidden;
    gates_ = book_.Book<float>(static_cast<size_t>(s.rows() * s.gates));
    states_ = book_.Book<float>(static_cast<size_t>(3 * states));
    rows_ = book_.Book<float>(static_cast<size_t>(kBuffers * states));
    sums_ = book_.Book<float>(weights_.sums());
    scratch_ = book_.Book<char>(std::max(step_.workspace_bytes(), weights_.workspace_bytes()));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const Sizes& s = p_.sizes;
    const int64_t states = s.batch * s.hidden;
    float* gates = gates_.In(bindings);
    float* dh = states_.In(bindings);
    float* dc = dh + states;
    float* passed = dc + states;  // what invalid steps pass on of dh
    char* scratch = scratch_.In(bindings);
    ReadRow(bindings, p_.dh, 0, states, dh);
    ReadRow(bindings, p_.dc, 0, states, dc);
    for (int64_t n = s.steps - 1; n >= 0; --n) {
      const int64_t t = p_.order.At(n);
      float* now = gates + t * s.batch * s.gates;
      ForSequences(s, [&](int64_t b) {
        const int64_t at = b * s.hidden;
        Row(bindings, n, b, now + b * s.gates, dh + at, dc + at, passed + at,
            rows_.In(bindings) + kBuffers * at);
      });
      step_.Run({.a = now, .b = HiddenWeight(bindings, p_), .d = passed, .c = dh}, scratch);
    }
    WriteRow(bindings, p_.dh_prev, 0, states, dh);
    WriteRow(bindings, p_.dc_prev, 0, states, dc);
    weights_.Run(bindings, gates, gates, sums_.In(bindings), scratch);
    return {};
  }

 private:
  static constexpr int64_t kBuffers = 11;

  // dh of the step before, of the gates' gradients.
  gemm::Problem StepProduct() const {
    const Sizes& s = p_.sizes;
    const Side a = {.row_step = s.gates}, b = Transposed(SideOf(HiddenWeight(p_), s.gates));
    const Side c = {.row_step = s.hidden};
    if (!p_.valid.given()) return ProductOf(s.batch, s.hidden, s.gates, a, b, c);
    return ProductOf(s.batch, s.hidden, s.gates, a, b, c, c);
  }

  // One sequence at one step.
  void Row(const Bindings& bindings, int64_t n, int64_t b, float* gates, float* dh, float* dc,
           float* passed, float* buffers) const {
    const int64_t count = p_.sizes.hidden, t = p_.order.At(n);
    const int64_t row = t * p_.sizes.batch + b;
    const Rows rows(count);
    float* buffer[kBuffers];
    for (int64_t k = 0; k < kBuffers; ++k) buffer[k] = buffers + k * count;
    auto [i, j, f, o, tanh_c, old_c, dy, new_dh, new_dc, valid, product] = buffer;
    ReadRows(bindings, row, count,
             {{p_.i, i}, {p_.j, j}, {p_.f, f}, {p_.o, o}, {p_.tanh_c, tanh_c}, {p_.dy, dy}});
    const bool first = n == 0;
    const int64_t before = first ? b : p_.order.At(n - 1) * p_.sizes.batch + b;
    ReadRow(bindings, first ? p_.init_c : p_.c, before, count, old_c);
    rows(Op::kAdd, new_dh, dh, dy);
    std::copy_n(dc, count, new_dc);
    if (p_.valid.given()) {
      p_.valid.Read(bindings, p_.sizes, t, b, valid);
      rows(Op::kMul, new_dh, new_dh, valid);
      rows(Op::kMul, new_dc, new_dc, valid);
      rows(Op::kAddcmul, passed, dh, dh, valid, -1);
      rows(Op::kAddcmul, dc, dc, dc, valid, -1);
    }
    const auto gate = [&](int64_t column) { return gates + column * count; };
    rows(Op::kMul, product, new_dh, tanh_c);
    rows(Op::kSigmoidGrad, gate(p_.columns.o), product, o);
    rows(Op::kMul, product, new_dh, o);
    rows(Op::kTanhGrad, product, product, tanh_c);
    rows(Op::kAdd, new_dc, new_dc, product);
    rows(Op::kMul, product, new_dc, j);
    rows(Op::kSigmoidGrad, gate(p_.columns.i), product, i);
    rows(Op::kMul, product, new_dc, i);
    rows(Op::kTanhGrad, gate(p_.columns.j), product, j);
    rows(Op::kMul, product, new_dc, old_c);
    rows(Op::kSigmoidGrad, gate(p_.columns.f), product, f);
    if (p_.valid.given()) {
      rows(Op::kAddcmul, dc, dc, new_dc, f);
    } else {
      rows(Op::kMul, dc, new_dc, f);
    }
  }

  const LstmGradient p_;
  const gemm::Plan step_;
  const WeightGradients weights_;
  WorkspaceSlot<float> gates_, states_, rows_, sums_;
  WorkspaceSlot<char> scratch_;
};

Status Build(Operands& operands, LstmProblem* problem) {
  LstmProblem& p = *problem;
  if (Status s = BuildLayer(operands, 4, &p); !s.ok()) return s;
  size_t order = 0;
  // "ifco" names j as the candidate of c.
  if (Status s = operands.CheckText(kOrder, {"ijfo", "ifjo", "ifco"}, &order); !s.ok()) return s;
  p.columns = order == 0 ? LstmColumns{0, 1, 2, 3} : LstmColumns{0, 2, 1, 3};
  p.init_c = ViewOf(operands, kInitC);
  p.c = ViewOf(operands, kC);
  p.i = ViewOf(operands, kGates);
  p.j = ViewOf(operands, kGate1);
  p.f = ViewOf(operands, kGate2);
  p.o = ViewOf(operands, kGate3);
  p.tanh_c = ViewOf(operands, kTanhC);
  return {};
}

}  // namespace

Status PrepareLstm(Operands& operands, PreparedCall* call) {
  LstmProblem p;
  if (Status s = Build(operands, &p); !s.ok()) return s;
  p.forget_bias = static_cast<float>(operands.Real(kForgetBias));
  if (!operands[kY].IsEmpty()) call->plan = std::make_shared<LstmPlan>(p);
  return {};
}

Status PrepareLstmGradient(Operands& operands, PreparedCall* call) {
  LstmGradient p;
  if (Status s = Build(operands, &p); !s.ok()) return s;
  if (Status s = BuildGradients(operands, p, &p); !s.ok()) return s;
  p.dc = ViewOf(operands, kDc);
  p.dc_prev = ViewOf(operands, kDcPrev);
  call->plan = std::make_shared<LstmGradientPlan>(p);
  return {};
}

}  // namespace anyacl::recurrent
