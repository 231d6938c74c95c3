// SPDX-License-Identifier: Apache-2.0
// aclnnMhcPost and its gradients: threads share the tokens, of which each thread has a tile of
// columns of all streams at a time. The gradients of hRes and hPost are sums over the columns, in
// their order.
#include "nnop/workspace.h"
#include "ops/mhc/checks.h"
#include "ops/mhc/tokens.h"
#include "runtime/parallel.h"

namespace anyacl::mhc {
namespace {

struct PostParams {
  TensorView x, residual, hidden, post;
  TensorView out = {};
  TensorView grad = {}, grad_x = {}, grad_residual = {}, grad_hidden = {}, grad_post = {};
  int64_t tokens = 0;
};

class TokensPlan : public BookedPlan {
 public:
  Status Run(const Bindings& bindings, const StopToken&) const override {
    ParallelFor(p_.tokens, std::max<int64_t>(1, kGrain / (n_ * columns_)),
                [&](int64_t begin, int64_t end, int64_t slot) {
                  float* const scratch = scratch_.In(bindings) + slot * floats_;
                  double* const sums = sums_.In(bindings) + slot * n_ * (n_ + 1);
                  for (int64_t t = begin; t < end; ++t) RunToken(bindings, t, scratch, sums);
                });
    return {};
  }

 protected:
  // `rows` of a tile of columns.
  TokensPlan(const PostParams& params, int64_t rows)
      : p_(params),
        n_(p_.x.sizes[p_.x.rank - 2]),
        columns_(p_.x.sizes[p_.x.rank - 1]),
        floats_(rows * kTile + n_ * (n_ + 1)) {
    scratch_ = book_.Book<float>(ThreadCount(), floats_);
    sums_ = book_.Book<double>(ThreadCount(), n_ * (n_ + 1));
  }

  virtual void RunToken(const Bindings& bindings, int64_t token, float* scratch,
                        double* sums) const = 0;

  // [n][n], and then [n] of hPost.
  void LoadMatrix(const Bindings& bindings, int64_t token, float* residual, float* post) const {
    const Tokens from(p_.residual, bindings, 2);
    for (int64_t i = 0; i < n_ && p_.residual.given(); ++i) {
      from.Load(token, i, 0, n_, residual + i * n_);
    }
    Tokens(p_.post, bindings, 1).Load(token, 0, 0, n_, post);
  }
  const PostParams p_;
  const int64_t n_, columns_;

 private:
  const int64_t floats_;
  WorkspaceSlot<float> scratch_;
  WorkspaceSlot<double> sums_;
};

class PostPlan final : public TokensPlan {
 public:
  // Streams, hOut and the result.
  explicit PostPlan(const PostParams& params)
      : TokensPlan(params, params.x.sizes[params.x.rank - 2] + 2) {}

 private:
  void RunToken(const Bindings& bindings, int64_t token, float* scratch, double*) const override {
    const Streams x(scratch, n_);
    float* const hidden = x.Of(n_);
    float* const sum = x.Of(n_ + 1);
    float* const residual = x.Of(n_ + 2);
    float* const post = residual + n_ * n_;
    LoadMatrix(bindings, token, residual, post);
    const Tokens to(p_.out, bindings, 2);
    ForTiles(columns_, [&](int64_t column, int64_t count) {
      const blocks::Rows rows(count);
      x.Load(Tokens(p_.x, bindings, 2), token, column, count);
      Tokens(p_.hidden, bindings, 1).Load(token, 0, column, count, hidden);
      for (int64_t j = 0; j < n_; ++j) {
        if (p_.residual.given()) x.Combine(residual + j, n_, count, sum);
        const float* const mixed = p_.residual.given() ? sum : x.Of(j);
        rows(elementwise::Op::kAddScaled, sum, mixed, hidden, nullptr, post[j]);
        to.Store(sum, token, j, column, count);
      }
    });
  }
};

class PostBackwardPlan final : public TokensPlan {
 public:
  // The gradient's streams and those of x, hOut and a result.
  explicit PostBackwardPlan(const PostParams& params)
      : TokensPlan(params, 2 * params.x.sizes[params.x.rank - 2] + 2) {}

 private:
  void RunToken(const Bindings& bindings, int64_t token, float* scratch,
                double* sums) const override {
    const Streams grad(scratch, n_), x(grad.Of(n_), n_);
    float* const hidden = x.Of(n_);
    float* const residual = x.Of(n_ + 2);
    float* const post = residual + n_ * n_;
    // hRes' gradient and then that of hPost, [n + 1][n].
    std::fill_n(sums, (n_ + 1) * n_, 0.0);
    LoadMatrix(bindings, token, residual, post);
    ForTiles(columns_, [&](int64_t column, int64_t count) {
      grad.Load(Tokens(p_.grad, bindings, 2), token, column, count);
      x.Load(Tokens(p_.x, bindings, 2), token, column, count);
      Tokens(p_.hidden, bindings, 1).Load(token, 0, column, count, hidden);
      for (int64_t i = 0; i <= n_; ++i) {
        for (int64_t j = 0; j < n_; ++j) {
          sums[i * n_ + j] += Kernels().rowwise.fp32.dot(x.Of(i), grad.Of(j), count);
        }
      }
      StoreStreams(bindings, token, column, count, grad, residual, post, x.Of(n_ + 1));
    });
    std::copy_n(sums, (n_ + 1) * n_, residual);
    const Tokens to(p_.grad_residual, bindings, 2);
    for (int64_t i = 0; i < n_; ++i) to.Store(residual + i * n_, token, i, 0, n_);
    Tokens(p_.grad_post, bindings, 1).Store(residual + n_ * n_, token, 0, 0, n_);
  }

  // The gradients of x and hOut, by way of `sum`.
  void StoreStreams(const Bindings& bindings, int64_t token, int64_t column, int64_t count,
                    const Streams& grad, const float* residual, const float* post,
                    float* sum) const {
    const Tokens to(p_.grad_x, bindings, 2);
    for (int64_t i = 0; i < n_; ++i) {
      if (p_.residual.given()) grad.Combine(residual + i * n_, 1, count, sum);
      to.Store(p_.residual.given() ? sum : grad.Of(i), token, i, column, count);
    }
    grad.Combine(post, 1, count, sum);
    Tokens(p_.grad_hidden, bindings, 1).Store(sum, token, 0, column, count);
  }
};

}  // namespace

Status PreparePost(Operands& operands, PreparedCall* call) {
  if (Status s = CheckTensors(operands); !s.ok()) return s;
  call->plan = std::make_shared<PostPlan>(PostParams{.x = ViewOf(operands, kX),
                                                     .residual = ViewOf(operands, kResidual),
                                                     .hidden = ViewOf(operands, kHiddenOut),
                                                     .post = ViewOf(operands, kPost),
                                                     .out = ViewOf(operands, kOut),
                                                     .tokens = TokensOf(operands)});
  return {};
}

Status PreparePostBackward(Operands& operands, PreparedCall* call) {
  if (Status s = CheckTensors(operands); !s.ok()) return s;
  call->plan = std::make_shared<PostBackwardPlan>(
      PostParams{.x = ViewOf(operands, kX),
                 .residual = ViewOf(operands, kResidual),
                 .hidden = ViewOf(operands, kHiddenOut),
                 .post = ViewOf(operands, kPost),
                 .grad = ViewOf(operands, kGradOut),
                 .grad_x = ViewOf(operands, kGradX),
                 .grad_residual = ViewOf(operands, kGradResidual),
                 .grad_hidden = ViewOf(operands, kGradHiddenOut),
                 .grad_post = ViewOf(operands, kGradPost),
                 .tokens = TokensOf(operands)});
  return {};
}

}  // namespace anyacl::mhc
