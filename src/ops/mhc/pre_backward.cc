// SPDX-License-Identifier: Apache-2.0
// aclnnMhcPreBackward. Per token the gradients of what the sigmoids took; sums of these over the
// tokens for alpha and bias; products with x for phi and, some tokens at a time, with phi for x and
// gamma. Threads share tokens, or columns where tokens are summed, in their order.
#include <cmath>

#include "base/division.h"
#include "gemm/gemm.h"
#include "ops/mhc/checks.h"
#include "ops/mhc/tokens.h"
#include "ops/steps.h"
#include "runtime/parallel.h"

namespace anyacl::mhc {
namespace {

using elementwise::Op;

constexpr int64_t kChunkNumbers = 1 << 20;  // of x's gradient at a time: 4 MiB

struct GradGatesParams {
  TensorView x, alpha, grad_hidden, grad_post, grad_residual, inverse_rms, mix, pre, post;
  // [T][K + 3]: what alpha multiplies, and its own three products; [T][K]: of hMix; [T]: what x
  // is times, as it stands in the mean of squares.
  TensorView grad_sums, grad_mix, factors;
  int64_t tokens = 0;
  float gate_eps = 0;
};

class GradGatesPlan final : public BookedPlan {
 public:
  explicit GradGatesPlan(const GradGatesParams& params)
      : p_(params),
        n_(p_.x.sizes[p_.x.rank - 2]),
        columns_(p_.x.sizes[p_.x.rank - 1]),
        mixed_(n_ * (n_ + 2)),
        floats_((n_ + 1) * kTile + 3 * mixed_ + 3) {
    scratch_ = book_.Book<float>(ThreadCount(), floats_);
    dots_ = book_.Book<double>(ThreadCount(), n_);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    ParallelFor(p_.tokens, std::max<int64_t>(1, kGrain / (n_ * columns_)),
                [&](int64_t begin, int64_t end, int64_t slot) {
                  float* const scratch = scratch_.In(bindings) + slot * floats_;
                  double* const dots = dots_.In(bindings) + slot * n_;
                  for (int64_t t = begin; t < end; ++t) RunToken(bindings, t, scratch, dots);
                });
    return {};
  }

 private:
  void RunToken(const Bindings& bindings, int64_t token, float* scratch, double* dots) const {
    const Streams x(scratch, n_);
    float* const hidden = x.Of(n_);
    float* const grads = x.Of(n_ + 1);  // K + 3
    float* const mix = grads + mixed_ + 3;
    float* const gate = mix + mixed_;
    std::fill_n(dots, n_, 0.0);
    ForTiles(columns_, [&](int64_t column, int64_t count) {
      x.Load(Tokens(p_.x, bindings, 2), token, column, count);
      Tokens(p_.grad_hidden, bindings, 1).Load(token, 0, column, count, hidden);
      for (int64_t i = 0; i < n_; ++i) {
        dots[i] += Kernels().rowwise.fp32.dot(x.Of(i), hidden, count);
      }
    });
    std::copy_n(dots, n_, grads);
    Tokens(p_.grad_post, bindings, 1).Load(token, 0, 0, n_, grads + n_);
    for (int64_t i = 0; i < n_; ++i) {
      Tokens(p_.grad_residual, bindings, 2).Load(token, i, 0, n_, grads + (2 + i) * n_);
    }
    Ungate(bindings, token, grads, gate);
    Unmix(bindings, token, grads, mix);
  }

  // The gradients of the sigmoids' results become those of what they took.
  void Ungate(const Bindings& bindings, int64_t token, float* grads, float* gate) const {
    const blocks::Rows rows(n_);
    Tokens(p_.pre, bindings, 1).Load(token, 0, 0, n_, gate);
    rows(Op::kAddScalar, gate, gate, nullptr, nullptr, -p_.gate_eps);
    rows(Op::kSigmoidGrad, grads, grads, gate);
    Tokens(p_.post, bindings, 1).Load(token, 0, 0, n_, gate);
    // hPost is twice a sigmoid.
    rows(Op::kMulScalar, gate, gate, nullptr, nullptr, 0.5f);
    rows(Op::kSigmoidGrad, grads + n_, grads + n_, gate);
    rows(Op::kMulScalar, grads + n_, grads + n_, nullptr, nullptr, 2);
  }

  // From there to hMix, and the mean of squares.
  void Unmix(const Bindings& bindings, int64_t token, float* grads, float* mix) const {
    float alpha[3] = {};
    Tokens(p_.alpha, bindings, 1).Load(0, 0, 0, 3, alpha);
    Tokens(p_.mix, bindings, 1).Load(token, 0, 0, mixed_, mix);
    const float inverse = Tokens(p_.inverse_rms, bindings, 0).One(token);
    double of_inverse = 0;
    for (int64_t g = 0; g < 3; ++g) {
      const double dot =
          Kernels().rowwise.fp32.dot(grads + g * n_, mix + g * n_, g < 2 ? n_ : n_ * n_);
      grads[mixed_ + g] = static_cast<float>(dot * inverse);
      of_inverse += dot * alpha[g];
    }
    Tokens(p_.grad_sums, bindings, 1).Store(grads, token, 0, 0, mixed_ + 3);
    for (int64_t g = 0; g < 3; ++g) {
      const blocks::Rows rows(g < 2 ? n_ : n_ * n_);
      rows(Op::kMulScalar, grads + g * n_, grads + g * n_, nullptr, nullptr, alpha[g] * inverse);
    }
    Tokens(p_.grad_mix, bindings, 1).Store(grads, token, 0, 0, mixed_);
    const double cube = double{inverse} * inverse * inverse;
    Tokens(p_.factors, bindings, 0)
        .StoreOne(static_cast<float>(-of_inverse * cube / static_cast<double>(n_ * columns_)),
                  token);
  }

  const GradGatesParams p_;
  const int64_t n_, columns_, mixed_, floats_;
  WorkspaceSlot<float> scratch_;
  WorkspaceSlot<double> dots_;
};

struct GradStreamsParams {
  TensorView x, grad_mix, factors, phi, gamma, pre, grad_hidden, grad_x_post;
  TensorView grad_x, grad_gamma;  // the latter [N * D]
  int64_t tokens = 0;
};

class GradStreamsPlan final : public BookedPlan {
 public:
  explicit GradStreamsPlan(const GradStreamsParams& params)
      : p_(params),
        n_(p_.x.sizes[p_.x.rank - 2]),
        columns_(p_.x.sizes[p_.x.rank - 1]),
        chunk_(std::clamp<int64_t>(kChunkNumbers / (n_ * columns_), 1, p_.tokens)),
        whole_(ProductOf(chunk_)),
        rest_(ProductOf(p_.tokens % chunk_)) {
    products_ = book_.Book<float>(chunk_, n_ * columns_);
    scratch_ = book_.Book<float>(ThreadCount(), 3 * kTile);
    product_scratch_ =
        book_.Book<char>(std::max(whole_.workspace_bytes(), rest_.workspace_bytes()));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    if (p_.grad_gamma.given()) {
      std::fill_n(Floats(p_.grad_gamma, bindings), n_ * columns_, 0.0f);
    }
    for (int64_t first = 0; first < p_.tokens; first += chunk_) {
      const int64_t count = std::min(chunk_, p_.tokens - first);
      const gemm::Plan& product = count == chunk_ ? whole_ : rest_;
      product.Run({.a = Floats(p_.grad_mix, bindings) + first * mixed(),
                   .b = p_.phi.Address(bindings),
                   .c = products_.In(bindings)},
                  product_scratch_.In(bindings));
      AddGamma(bindings, first, count);
      StoreStreams(bindings, first, count);
    }
    return {};
  }

 private:
  int64_t mixed() const { return n_ * (n_ + 2); }
  static float* Floats(const TensorView& view, const Bindings& bindings) {
    return reinterpret_cast<float*>(view.Address(bindings));
  }
  gemm::Problem ProductOf(int64_t tokens) const {
    gemm::Problem p;
    p.rows = tokens;
    p.all_rows = p_.tokens;
    p.columns = n_ * columns_;
    p.depth = mixed();
    p.a = {.row_step = p.depth};
    p.b = {.row_step = p.columns};
    p.c = {.row_step = p.columns};
    return p;
  }
  const float* ProductAt(const Bindings& bindings, int64_t token, int64_t stream,
                         int64_t column) const {
    return products_.In(bindings) + (token * n_ + stream) * columns_ + column;
  }
  // Calls visit(stream, column, count, scratch of three tiles) for tiles of columns.
  template <class Visit>
  void ForColumns(const Bindings& bindings, const Visit& visit) const {
    const int64_t tiles = CeilDivide(columns_, kTile);
    ParallelFor(n_ * tiles, 1, [&](int64_t begin, int64_t end, int64_t slot) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t column = i % tiles * kTile;
        visit(i / tiles, column, std::min(kTile, columns_ - column),
              scratch_.In(bindings) + slot * 3 * kTile);
      }
    });
  }

  // The tokens of a chunk are summed before they join the others.
  void AddGamma(const Bindings& bindings, int64_t first, int64_t tokens) const {
    if (!p_.grad_gamma.given()) return;
    ForColumns(bindings, [&](int64_t i, int64_t column, int64_t count, float* part) {
      float* const x = part + kTile;
      const blocks::Rows rows(count);
      std::fill_n(part, count, 0.0f);
      for (int64_t t = 0; t < tokens; ++t) {
        Tokens(p_.x, bindings, 2).Load(first + t, i, column, count, x);
        rows(Op::kAddcmul, part, part, x, ProductAt(bindings, t, i, column));
      }
      float* const sum = Floats(p_.grad_gamma, bindings) + i * columns_ + column;
      rows(Op::kAdd, sum, sum, part);
    });
  }

  void StoreStreams(const Bindings& bindings, int64_t first, int64_t tokens) const {
    const int64_t grain = std::max<int64_t>(1, kGrain / (n_ * columns_));
    ParallelFor(tokens, grain, [&](int64_t begin, int64_t end, int64_t slot) {
      float* const scratch = scratch_.In(bindings) + slot * 3 * kTile;
      for (int64_t t = begin; t < end; ++t) {
        float weights[kMostStreams];
        Tokens(p_.pre, bindings, 1).Load(first + t, 0, 0, n_, weights);
        const float factor = Tokens(p_.factors, bindings, 0).One(first + t);
        for (int64_t i = 0; i < n_; ++i) {
          ForTiles(columns_, [&](int64_t column, int64_t count) {
            StoreTile(bindings, first, t, i, column, count, weights[i], factor, scratch);
          });
        }
      }
    });
  }

  void StoreTile(const Bindings& bindings, int64_t first, int64_t t, int64_t i, int64_t column,
                 int64_t count, float weight, float factor, float* scratch) const {
    float* const sum = scratch;
    float* const other = scratch + kTile;
    const blocks::Rows rows(count);
    const float* product = ProductAt(bindings, t, i, column);
    if (p_.gamma.given()) {
      Tokens(p_.gamma, bindings, 2).Load(0, i, column, count, other);
      rows(Op::kMul, sum, product, other);
      product = sum;
    }
    Tokens(p_.x, bindings, 2).Load(first + t, i, column, count, other);
    rows(Op::kAddScaled, sum, product, other, nullptr, factor);
    Tokens(p_.grad_hidden, bindings, 1).Load(first + t, 0, column, count, other);
    rows(Op::kAddScaled, sum, sum, other, nullptr, weight);
    if (p_.grad_x_post.given()) {
      Tokens(p_.grad_x_post, bindings, 2).Load(first + t, i, column, count, other);
      rows(Op::kAdd, sum, sum, other);
    }
    Tokens(p_.grad_x, bindings, 2).Store(sum, first + t, i, column, count);
  }

  const GradStreamsParams p_;
  const int64_t n_, columns_, chunk_;
  const gemm::Plan whole_, rest_;
  WorkspaceSlot<float> products_, scratch_;
  WorkspaceSlot<char> product_scratch_;
};

struct Pieces {
  InnerTensor sums, mix, factors;
};

Status AddGates(const Operands& operands, const Pieces& pieces, Steps& steps) {
  PlanStep step;
  const auto view = [&](int id) { return step.View(TensorOf(operands, id)); };
  step.AddTo(steps, std::make_shared<GradGatesPlan>(
                        GradGatesParams{.x = view(kX),
                                        .alpha = view(kAlpha),
                                        .grad_hidden = view(kGradHiddenIn),
                                        .grad_post = view(kGradPost),
                                        .grad_residual = view(kGradResidual),
                                        .inverse_rms = view(kInverseRms),
                                        .mix = view(kMix),
                                        .pre = view(kPre),
                                        .post = view(kPost),
                                        .grad_sums = step.View(pieces.sums),
                                        .grad_mix = step.View(pieces.mix),
                                        .factors = step.View(pieces.factors),
                                        .tokens = TokensOf(operands),
                                        .gate_eps = static_cast<float>(operands.Real(kEps))}));
  const int64_t mixed = pieces.mix.layout.shape[1];
  const InnerTensor sums = steps.Piece("gradBias", ACL_FLOAT, {mixed + 3});
  Status s =
      steps.Call("aclnnReduceSum", {pieces.sums, IntArray{0}, false, int64_t{ACL_FLOAT}, sums});
  if (s.ok()) s = steps.Copy(TensorOf(operands, kGradBias), sums.Rows(0, mixed));
  if (s.ok()) s = steps.Copy(TensorOf(operands, kGradAlpha), sums.Rows(mixed, 3));
  return s;
}

Status AddStreams(const Operands& operands, const Pieces& pieces, const InnerTensor& phi,
                  Steps& steps) {
  const bool scaled = operands.Given(kGamma);
  PlanStep step;
  const auto view = [&](int id) { return step.View(TensorOf(operands, id)); };
  const bool sums = operands.Given(kGradGamma) && scaled;
  InnerTensor grad_gamma;
  if (sums) grad_gamma = steps.Piece("gradGamma", ACL_FLOAT, operands[kGradGamma].shape());
  step.AddTo(steps, std::make_shared<GradStreamsPlan>(
                        GradStreamsParams{.x = view(kX),
                                          .grad_mix = step.View(pieces.mix),
                                          .factors = step.View(pieces.factors),
                                          .phi = step.View(phi),
                                          .gamma = view(kGamma),
                                          .pre = view(kPre),
                                          .grad_hidden = view(kGradHiddenIn),
                                          .grad_x_post = view(kGradXPost),
                                          .grad_x = view(kGradX),
                                          .grad_gamma = step.View(grad_gamma),
                                          .tokens = TokensOf(operands)}));
  if (!operands.Given(kGradGamma)) return {};
  if (sums) return steps.Copy(TensorOf(operands, kGradGamma), grad_gamma);
  return steps.Call("aclnnInplaceZero", {TensorOf(operands, kGradGamma)});
}

}  // namespace

Status PreparePreBackward(Operands& operands, PreparedCall* call) {
  if (Status s = CheckTensors(operands); !s.ok()) return s;
  if (Status s = CheckMixture(operands); !s.ok()) return s;
  const int64_t tokens = TokensOf(operands), numbers = operands.Size("W");
  const int64_t mixed = operands.Size("K");
  Steps steps(operands);
  const Pieces pieces = {.sums = steps.Piece("gradBias", ACL_FLOAT, {tokens, mixed + 3}),
                         .mix = steps.Piece("hMix", ACL_FLOAT, {tokens, mixed}),
                         .factors = steps.Piece("invRms", ACL_FLOAT, {tokens})};
  InnerTensor x, phi, gamma;
  Status s = steps.Contiguous(kX, {tokens, numbers}, &x);
  if (s.ok()) s = steps.Contiguous(kPhi, {mixed, numbers}, &phi);
  if (s.ok() && operands.Given(kGamma)) s = steps.Contiguous(kGamma, {1, numbers}, &gamma);
  if (s.ok()) s = AddGates(operands, pieces, steps);
  if (!s.ok()) return s;
  // gradX may lie where x does, which this product reads; gradPhi and gradGamma where phi and gamma
  // do, which the streams read.
  const InnerTensor product = steps.Piece("gradPhi", ACL_FLOAT, {mixed, numbers});
  const InnerTensor grad_phi = TensorOf(operands, kGradPhi);
  constexpr int64_t kKeepTypes = 0;
  s = steps.Call("aclnnMm", {pieces.mix.Turned(), x, product, kKeepTypes});
  if (s.ok() && gamma.given()) s = steps.Call("aclnnMul", {product, gamma, product});
  if (s.ok()) s = AddStreams(operands, pieces, phi, steps);
  if (s.ok()) s = steps.Copy(grad_phi, product);
  if (!s.ok()) return s;
  return steps.Finish(call);
}

}  // namespace anyacl::mhc
