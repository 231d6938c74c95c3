// SPDX-License-Identifier: Apache-2.0
// aclnnMhcPre: the product with phi, whose columns gamma multiplies instead of those of x, and then
// all else of one token after the other, which threads share.
#include <cmath>

#include "ops/mhc/checks.h"
#include "ops/mhc/tokens.h"
#include "ops/steps.h"
#include "runtime/parallel.h"

namespace anyacl::mhc {
namespace {

using elementwise::Op;

struct GatesParams {
  TensorView x, mix, alpha, bias;  // the last two [A] and [K]
  TensorView hidden, post, residual, inverse_rms, pre;
  int64_t tokens = 0;
  double norm_eps = 0;
  float gate_eps = 0;
};

class GatesPlan final : public BookedPlan {
 public:
  explicit GatesPlan(const GatesParams& params)
      : p_(params),
        n_(p_.x.sizes[p_.x.rank - 2]),
        columns_(p_.x.sizes[p_.x.rank - 1]),
        mixed_(p_.bias.sizes[0]),
        floats_((n_ + 1) * kTile + 2 * n_ * (n_ + 2)) {
    scratch_ = book_.Book<float>(ThreadCount(), floats_);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    ParallelFor(p_.tokens, std::max<int64_t>(1, kGrain / (n_ * columns_)),
                [&](int64_t begin, int64_t end, int64_t slot) {
                  float* const scratch = scratch_.In(bindings) + slot * floats_;
                  for (int64_t t = begin; t < end; ++t) RunToken(bindings, t, scratch);
                });
    return {};
  }

 private:
  void RunToken(const Bindings& bindings, int64_t token, float* scratch) const {
    const Streams x(scratch, n_);
    float* const sum = x.Of(n_);
    float* const gates = x.Of(n_ + 1);
    const float inverse = InverseRms(bindings, token, x);
    if (p_.inverse_rms.given()) Tokens(p_.inverse_rms, bindings, 0).StoreOne(inverse, token);
    Gate(bindings, token, inverse, gates, gates + n_ * (n_ + 2));
    if (p_.pre.given()) Tokens(p_.pre, bindings, 1).Store(gates, token, 0, 0, n_);
    Tokens(p_.post, bindings, 1).Store(gates + n_, token, 0, 0, n_);
    for (int64_t i = 0; i < n_ && p_.residual.given(); ++i) {
      Tokens(p_.residual, bindings, 2).Store(gates + (2 + i) * n_, token, i, 0, n_);
    }
    ForTiles(columns_, [&](int64_t column, int64_t count) {
      x.Load(Tokens(p_.x, bindings, 2), token, column, count);
      x.Combine(gates, 1, count, sum);
      Tokens(p_.hidden, bindings, 1).Store(sum, token, 0, column, count);
    });
  }

  float InverseRms(const Bindings& bindings, int64_t token, const Streams& x) const {
    double squares = 0;
    ForTiles(columns_, [&](int64_t column, int64_t count) {
      x.Load(Tokens(p_.x, bindings, 2), token, column, count);
      for (int64_t i = 0; i < n_; ++i) {
        squares += Kernels().rowwise.fp32.dot(x.Of(i), x.Of(i), count);
      }
    });
    const auto numbers = static_cast<double>(n_ * columns_);
    return static_cast<float>(1 / std::sqrt(squares / numbers + p_.norm_eps));
  }

  // hPre, hPost and hRes, one behind the other.
  void Gate(const Bindings& bindings, int64_t token, float inverse, float* gates,
            float* bias) const {
    float alpha[3] = {};
    const int64_t groups = p_.alpha.sizes[0];
    Tokens(p_.alpha, bindings, 1).Load(0, 0, 0, groups, alpha);
    Tokens(p_.bias, bindings, 1).Load(0, 0, 0, mixed_, bias);
    Tokens(p_.mix, bindings, 1).Load(token, 0, 0, mixed_, gates);
    blocks::Rows{mixed_}(Op::kMulScalar, gates, gates, nullptr, nullptr, inverse);
    for (int64_t g = 0; g < groups; ++g) {
      float* const of_group = gates + g * n_;
      const blocks::Rows rows(g < 2 ? n_ : n_ * n_);
      rows(Op::kAddScaled, of_group, bias + g * n_, of_group, nullptr, alpha[g]);
      if (g == 2) return;
      rows(Op::kSigmoid, of_group, of_group);
      if (g == 1) rows(Op::kMulScalar, of_group, of_group, nullptr, nullptr, 2);
      if (g == 1 && groups == 3) continue;
      rows(Op::kAddScalar, of_group, of_group, nullptr, nullptr, p_.gate_eps);
    }
    std::fill_n(gates + 2 * n_, n_ * n_, 0.0f);
  }

  const GatesParams p_;
  const int64_t n_, columns_, mixed_, floats_;
  WorkspaceSlot<float> scratch_;
};

}  // namespace

Status PreparePre(Operands& operands, PreparedCall* call) {
  if (Status s = CheckTensors(operands); !s.ok()) return s;
  if (Status s = CheckMixture(operands); !s.ok()) return s;
  const int64_t tokens = TokensOf(operands), numbers = operands.Size("W");
  const int64_t mixed = operands.Size("K");
  Steps steps(operands);
  InnerTensor x, phi, gamma, alpha, bias;
  Status s = steps.Contiguous(kX, {tokens, numbers}, &x);
  if (s.ok()) s = steps.Contiguous(kPhi, {mixed, numbers}, &phi);
  if (s.ok()) s = steps.Contiguous(kAlpha, operands[kAlpha].shape(), &alpha);
  if (s.ok()) s = steps.Contiguous(kBias, {mixed}, &bias);
  if (s.ok() && operands.Given(kGamma)) {
    s = steps.Contiguous(kGamma, {1, numbers}, &gamma);
    const InnerTensor scaled = steps.Piece("phi", ACL_FLOAT, {mixed, numbers});
    if (s.ok()) s = steps.Call("aclnnMul", {phi, gamma, scaled});
    phi = scaled;
  }
  if (!s.ok()) return s;
  const Dims mix_shape = {tokens, mixed};
  const InnerTensor mix = operands.Given(kMix) ? steps.Result(kMix, mix_shape)
                                               : steps.Piece("hMix", ACL_FLOAT, mix_shape);
  constexpr int64_t kKeepTypes = 0;
  if (s = steps.Call("aclnnMm", {x, phi.Turned(), mix, kKeepTypes}); !s.ok()) return s;

  PlanStep step;
  const auto view = [&](int id) { return step.View(TensorOf(operands, id)); };
  step.AddTo(steps, std::make_shared<GatesPlan>(
                        GatesParams{.x = view(kX),
                                    .mix = step.View(mix),
                                    .alpha = step.View(alpha),
                                    .bias = step.View(bias),
                                    .hidden = view(kHiddenIn),
                                    .post = view(kPost),
                                    .residual = view(kResidual),
                                    .inverse_rms = view(kInverseRms),
                                    .pre = view(kPre),
                                    .tokens = tokens,
                                    .norm_eps = operands.Real(kNormEps),
                                    .gate_eps = static_cast<float>(operands.Real(kEps))}));
  return steps.Finish(call);
}

}  // namespace anyacl::mhc
