// SPDX-License-Identifier: Apache-2.0
// GRU over a sequence, the reset gate after the state's product, as PyTorch has it.
#include <algorithm>

#include "nnop/operands.h"
#include "ops/recurrent/layer.h"
#include "runtime/parallel.h"

namespace anyacl::recurrent {
namespace {

// The columns of the weights that the gates have, in units of the hidden size.
struct GateColumns {
  int64_t reset, update, fresh;
};

struct GruProblem {
  Sizes sizes;
  Order order;
  GateColumns columns;
  TensorView x, weight, hidden_weight, bias, hidden_bias, init_h;
  Valid valid;
  TensorView y, h, update, reset, fresh, hidden_fresh;
};

gemm::Problem WithBias(int64_t rows, int64_t columns, int64_t depth, const Side& a, const Side& b,
                       const TensorView& bias) {
  const Side c = {.row_step = columns};
  if (!bias.given()) return ProductOf(rows, columns, depth, a, b, c);
  return ProductOf(rows, columns, depth, a, b, c, {TypeOf(bias), 0, 1});
}

class GruPlan final : public BookedPlan {
 public:
  explicit GruPlan(const GruProblem& problem)
      : p_(problem), input_(InputProduct(problem)), step_(StepProduct(problem)) {
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
      ParallelFor(s.batch, GrainOf(s), [&](int64_t begin, int64_t end) {
        for (int64_t b = begin; b < end; ++b) {
          const int64_t at = b * s.hidden;
          Row(bindings, t, b, gates + (t * s.batch + b) * s.gates, hidden + b * s.gates, h + at,
              rows_.In(bindings) + 2 * at);
        }
      });
    }
    return {};
  }

 private:
  static gemm::Problem InputProduct(const GruProblem& p) {
    const Sizes& s = p.sizes;
    return WithBias(s.rows(), s.gates, s.inputs, SideOf(p.x, s.inputs), SideOf(p.weight, s.gates),
                    p.bias);
  }
  static gemm::Problem StepProduct(const GruProblem& p) {
    const Sizes& s = p.sizes;
    return WithBias(s.batch, s.gates, s.hidden, {.row_step = s.hidden},
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
    const struct {
      const TensorView& view;
      const float* from;
    } kOutputs[] = {{p_.y, new_h},     {p_.h, h},         {p_.update, update},
                    {p_.reset, reset}, {p_.fresh, fresh}, {p_.hidden_fresh, hidden_fresh}};
    for (const auto& output : kOutputs) WriteRow(bindings, output.view, row, n, output.from);
  }

  const GruProblem p_;
  const gemm::Plan input_, step_;
  WorkspaceSlot<float> gates_, hidden_, state_, rows_;
  WorkspaceSlot<char> scratch_;
};

struct GradientProblem : GruProblem {
  TensorView dy, dh, dw, dw_hidden, db, db_hidden, dx, dh_prev;
};

class GruGradientPlan final : public BookedPlan {
 public:
  explicit GruGradientPlan(const GradientProblem& problem)
      : p_(problem),
        step_(StepProduct()),
        first_(First()),
        rest_(Rest()),
        input_(Input()),
        weight_(Weight()),
        bias_(Bias(problem.db)),
        hidden_bias_(Bias(problem.db_hidden)) {
    const Sizes& s = p_.sizes;
    gates_ = book_.Book<float>(static_cast<size_t>(s.rows() * s.gates));
    hidden_ = book_.Book<float>(static_cast<size_t>(s.rows() * s.gates));
    states_ = book_.Book<float>(static_cast<size_t>(2 * s.batch * s.hidden));
    rows_ = book_.Book<float>(static_cast<size_t>(kBuffers * s.batch * s.hidden));
    sums_ = book_.Book<float>(static_cast<size_t>(s.hidden * s.gates));
    uint64_t most = 0;
    for (const gemm::Plan* plan :
         {&step_, &first_, &rest_, &input_, &weight_, &bias_, &hidden_bias_}) {
      most = std::max(most, plan->workspace_bytes());
    }
    scratch_ = book_.Book<char>(most);
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
      ParallelFor(s.batch, GrainOf(s), [&](int64_t begin, int64_t end) {
        for (int64_t b = begin; b < end; ++b) {
          const int64_t column = b * s.hidden;
          Row(bindings, n, b, gates + at + b * s.gates, hidden + at + b * s.gates, dh + column,
              passed + column, rows_.In(bindings) + kBuffers * column);
        }
      });
      step_.Run(
          {.a = hidden + at, .b = AddressOf(bindings, p_.hidden_weight), .d = passed, .c = dh},
          scratch);
    }
    WriteRow(bindings, p_.dh_prev, 0, states, dh);
    Weights(bindings, gates, hidden, scratch);
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
  // The gradient of the state's weight: of the first step, then with all others.
  gemm::Problem First() const {
    const Sizes& s = p_.sizes;
    return ProductOf(s.hidden, s.gates, s.batch, Transposed(SideOf(p_.init_h, s.hidden)),
                     {.row_step = s.gates}, {.row_step = s.gates});
  }
  gemm::Problem Rest() const {
    const Sizes& s = p_.sizes;
    return ProductOf(s.hidden, s.gates, std::max<int64_t>(0, s.steps - 1) * s.batch,
                     Transposed(SideOf(p_.h, s.hidden)), {.row_step = s.gates},
                     SideOf(p_.dw_hidden, s.gates), {.row_step = s.gates});
  }
  gemm::Problem Input() const {
    const Sizes& s = p_.sizes;
    return ProductOf(s.rows(), s.inputs, s.gates, {.row_step = s.gates},
                     Transposed(SideOf(p_.weight, s.gates)), SideOf(p_.dx, s.inputs));
  }
  gemm::Problem Weight() const {
    const Sizes& s = p_.sizes;
    return ProductOf(s.inputs, s.gates, s.rows(), Transposed(SideOf(p_.x, s.inputs)),
                     {.row_step = s.gates}, SideOf(p_.dw, s.gates));
  }
  gemm::Problem Bias(const TensorView& out) const {
    const Sizes& s = p_.sizes;
    return ProductOf(1, s.gates, s.rows(), {.row_step = 0, .column_step = 0}, {.row_step = s.gates},
                     SideOf(out, s.gates));
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
    const struct {
      const TensorView& view;
      float* to;
    } kInputs[] = {{p_.update, update},
                   {p_.reset, reset},
                   {p_.fresh, fresh},
                   {p_.hidden_fresh, hidden_fresh},
                   {p_.dy, dy}};
    for (const auto& input : kInputs) ReadRow(bindings, input.view, row, count, input.to);
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

  void Weights(const Bindings& bindings, const float* gates, const float* hidden,
               char* scratch) const {
    const Sizes& s = p_.sizes;
    const int64_t step = s.batch * s.gates;
    const bool backwards = p_.order.backwards;
    float* sums = sums_.In(bindings);
    first_.Run({.a = AddressOf(bindings, p_.init_h),
                .b = hidden + (backwards ? (s.steps - 1) * step : 0),
                .c = sums},
               scratch);
    // The state before a step is that behind the one that was taken before it.
    const int64_t skipped = backwards ? s.batch * s.hidden * blocks::BytesOf(p_.h.dtype) : 0;
    rest_.Run({.a = AddressOf(bindings, p_.h) + skipped,
               .b = hidden + (backwards ? 0 : step),
               .d = sums,
               .c = p_.dw_hidden.Address(bindings)},
              scratch);
    input_.Run({.a = gates, .b = AddressOf(bindings, p_.weight), .c = p_.dx.Address(bindings)},
               scratch);
    weight_.Run({.a = AddressOf(bindings, p_.x), .b = gates, .c = p_.dw.Address(bindings)},
                scratch);
    const float one = 1;
    bias_.Run({.a = &one, .b = gates, .c = p_.db.Address(bindings)}, scratch);
    hidden_bias_.Run({.a = &one, .b = hidden, .c = p_.db_hidden.Address(bindings)}, scratch);
  }

  const GradientProblem p_;
  const gemm::Plan step_, first_, rest_, input_, weight_, bias_, hidden_bias_;
  WorkspaceSlot<float> gates_, hidden_, states_, rows_, sums_;
  WorkspaceSlot<char> scratch_;
};

Status Build(Operands& operands, GruProblem* problem) {
  GruProblem& p = *problem;
  if (Status s = CheckLayer(operands, 3, &p.sizes, &p.order); !s.ok()) return s;
  size_t order = 0;
  if (Status s = CheckText(operands, kOrder, {"zrh", "rzh"}, &order); !s.ok()) return s;
  p.columns = order == 0 ? GateColumns{1, 0, 2} : GateColumns{0, 1, 2};
  p.x = ViewOf(operands, kX);
  p.weight = ViewOf(operands, kWeight);
  p.hidden_weight = ViewOf(operands, kHiddenWeight);
  p.init_h = ViewOf(operands, kInitH);
  if (operands.Given(kLengths)) p.valid = Valid(ViewOf(operands, kLengths));
  p.y = ViewOf(operands, kY);
  p.h = ViewOf(operands, kH);
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
  p.bias = ViewOf(operands, kBias);
  p.hidden_bias = ViewOf(operands, kHiddenBias);
  if (!operands[kY].IsEmpty()) call->plan = std::make_shared<GruPlan>(p);
  return {};
}

Status PrepareGruGradient(Operands& operands, PreparedCall* call) {
  GradientProblem p;
  if (Status s = Build(operands, &p); !s.ok()) return s;
  p.dy = ViewOf(operands, kDy);
  p.dh = ViewOf(operands, kDh);
  p.dw = ViewOf(operands, kDw);
  p.dw_hidden = ViewOf(operands, kDwHidden);
  p.db = ViewOf(operands, kDb);
  p.db_hidden = ViewOf(operands, kDbHidden);
  p.dx = ViewOf(operands, kDx);
  p.dh_prev = ViewOf(operands, kDhPrev);
  if (operands[kY].IsEmpty()) {
    return Fail(operands.spec().codes.shape, "y.shape = {}, expected elements",
                operands[kY].shape().ToString());
  }
  call->plan = std::make_shared<GruGradientPlan>(p);
  return {};
}

}  // namespace anyacl::recurrent
