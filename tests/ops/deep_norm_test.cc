// SPDX-License-Identifier: Apache-2.0
// Norms of sums with a factor and the gradients of norms of sums, against the formulas of the
// documents in double precision.
#include <cmath>
#include <functional>
#include <numeric>
#include <string>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_add_layer_norm_grad.h"
#include "aclnnop/aclnn_deep_norm.h"
#include "aclnnop/aclnn_deep_norm_grad.h"
#include "ops/moe_case.h"
#include "reference/rowwise.h"

namespace anyacl::test {
namespace {

using namespace moe;

struct Norming {
  Shape leading = {5}, row = {24};
  aclDataType type = ACL_FLOAT;
  double alpha = 0.3;
  bool strided = false;
  bool dsum = true;   // of aclnnAddLayerNormGrad
  bool flat = false;  // a number of each row without ones for the row
};

class DeepNormTest : public MoeTest {
 protected:
  static constexpr double kEps = 1e-3;

  static int64_t CountOf(const Shape& dims) {
    return std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<>());
  }
  static Shape Whole(const Norming& c) {
    Shape dims = c.leading;
    dims.insert(dims.end(), c.row.begin(), c.row.end());
    return dims;
  }
  static Shape PerRow(const Norming& c) {
    Shape dims = c.leading;
    if (!c.flat || dims.empty()) dims.resize(Whole(c).size(), 1);
    return dims;
  }
  static std::string Describe(const Norming& c) {
    return "type " + std::to_string(c.type) + " rows " + std::to_string(CountOf(c.leading)) +
           " of " + std::to_string(CountOf(c.row)) + " alpha " + std::to_string(c.alpha) +
           (c.strided ? " strided" : "") + (c.dsum ? " dsum" : "") + (c.flat ? " flat" : "");
  }
  // `size`: of the terms of a sum.
  static void ExpectClose(const Tensor& tensor, const Numbers& expected, const Numbers& size) {
    const Numbers actual = ReadAs(tensor);
    for (size_t i = 0; i < actual.size(); ++i) {
      ASSERT_NEAR(actual[i], expected[i],
                  60 * 0x1p-24 * (std::fabs(expected[i]) + size[i]) +
                      1.01 * HalfUnitOf(tensor.layout().dtype, expected[i]))
          << i;
    }
    EXPECT_TRUE(tensor.GuardsIntact());
  }
  static void ExpectClose(const Tensor& tensor, const Numbers& expected, double size) {
    ExpectClose(tensor, expected, Numbers(expected.size(), size));
  }
  static Row RowAt(const Numbers& all, int64_t row, int64_t n) {
    return {all.begin() + row * n, all.begin() + (row + 1) * n};
  }

  void CheckForward(const Norming& c) {
    SCOPED_TRACE(Describe(c));
    const int64_t rows = CountOf(c.leading), n = CountOf(c.row);
    const auto all = static_cast<size_t>(rows * n), one = static_cast<size_t>(n);
    const Numbers x = Drawn(c.type, all, -3, 3), gx = Drawn(c.type, all, -3, 3);
    const Numbers gamma = Drawn(c.type, one, -2, 2), beta = Drawn(c.type, one, -2, 2);
    const Tensor x_in = Holding(Whole(c), c.type, x, c.strided);
    const Tensor gx_in = Holding(Whole(c), c.type, gx, c.strided);
    const Tensor gamma_in = Holding(c.row, c.type, gamma, c.strided);
    const Tensor beta_in = Holding(c.row, c.type, beta, c.strided);
    const Tensor y = Made(Whole(c), c.type);
    const Tensor mean = Made(PerRow(c), ACL_FLOAT), rstd = Made(PerRow(c), ACL_FLOAT);
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** e) {
          return aclnnDeepNormGetWorkspaceSize(x_in.handle(), gx_in.handle(), beta_in.handle(),
                                               gamma_in.handle(), c.alpha, kEps, mean.handle(),
                                               rstd.handle(), y.handle(), size, e);
        },
        aclnnDeepNorm);
    Numbers normal, means, rstds;
    for (int64_t r = 0; r < rows; ++r) {
      Row sum = RowAt(gx, r, n);
      for (size_t i = 0; i < one; ++i) sum[i] += c.alpha * x[static_cast<size_t>(r * n) + i];
      const NormedRow row = LayerNorm(sum, gamma, beta, kEps);
      normal.insert(normal.end(), row.out.begin(), row.out.end());
      means.push_back(row.mean);
      rstds.push_back(row.rstd);
    }
    const double size = 4 * (1 + std::fabs(c.alpha));
    ExpectClose(y, normal, size);
    if (n == 0) return;  // of no numbers there is no mean
    ExpectClose(mean, means, size);
    ExpectClose(rstd, rstds, size);
  }

  // Both gradients: of alpha * x + gx, or of x1 + x2.
  void CheckGradient(const Norming& c, bool deep) {
    SCOPED_TRACE((deep ? "deep " : "add ") + Describe(c));
    const int64_t rows = CountOf(c.leading), n = CountOf(c.row);
    const auto all = static_cast<size_t>(rows * n), one = static_cast<size_t>(n);
    const Numbers dy = Drawn(c.type, all, -3, 3), x1 = Drawn(c.type, all, -3, 3);
    const Numbers x2 = Drawn(c.type, all, -3, 3), dsum = Drawn(c.type, all, -3, 3);
    const Numbers gamma = Drawn(c.type, one, -2, 2);
    const Numbers mean = Drawn(ACL_FLOAT, static_cast<size_t>(rows), -1, 1);
    const Numbers rstd = Drawn(ACL_FLOAT, static_cast<size_t>(rows), 0.3, 1.5);
    const bool s = c.strided, s_out = s && !deep;
    const Tensor dy_in = Holding(Whole(c), c.type, dy, s), x1_in = Holding(Whole(c), c.type, x1, s);
    const Tensor x2_in = Holding(Whole(c), c.type, x2, s);
    const Tensor dsum_in = Holding(Whole(c), c.type, dsum, s);
    const Tensor gamma_in = Holding(c.row, c.type, gamma, s);
    const Tensor mean_in = Holding(PerRow(c), ACL_FLOAT, mean, s);
    const Tensor rstd_in = Holding(PerRow(c), ACL_FLOAT, rstd, s);
    const Tensor dx = Made(Whole(c), c.type, s_out), dgx = Made(Whole(c), c.type);
    const Tensor dgamma = Made(c.row, ACL_FLOAT, s_out), dbeta = Made(c.row, ACL_FLOAT, s_out);
    if (deep) {
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** e) {
            return aclnnDeepNormGradGetWorkspaceSize(
                dy_in.handle(), x1_in.handle(), x2_in.handle(), gamma_in.handle(), mean_in.handle(),
                rstd_in.handle(), c.alpha, dx.handle(), dgx.handle(), dbeta.handle(),
                dgamma.handle(), size, e);
          },
          aclnnDeepNormGrad);
    } else {
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** e) {
            return aclnnAddLayerNormGradGetWorkspaceSize(
                dy_in.handle(), x1_in.handle(), x2_in.handle(), rstd_in.handle(), mean_in.handle(),
                gamma_in.handle(), c.dsum ? dsum_in.handle() : nullptr, dx.handle(),
                dgamma.handle(), dbeta.handle(), size, e);
          },
          aclnnAddLayerNormGrad);
    }
    const double factor = deep ? c.alpha : 1;
    Numbers gradient, scaled, gammas(one), betas(one), sizes(one);
    for (int64_t r = 0; r < rows; ++r) {
      Row sum = RowAt(x2, r, n);
      for (size_t i = 0; i < one; ++i) sum[i] += factor * x1[static_cast<size_t>(r * n) + i];
      const auto at = static_cast<size_t>(r);
      const NormGradients row = LayerNormBackward(RowAt(dy, r, n), sum, gamma, mean[at], rstd[at]);
      for (size_t i = 0; i < one; ++i) {
        const double more = !deep && c.dsum ? dsum[at * one + i] : 0;
        gradient.push_back(row.x[i] + more);
        scaled.push_back(row.x[i] * factor);
        gammas[i] += row.gamma[i];
        betas[i] += row.beta[i];
        sizes[i] += 20 + std::fabs(row.gamma[i]) + std::fabs(row.beta[i]);
      }
    }
    const double size = 100 * (1 + std::fabs(factor));
    if (deep) ExpectClose(dgx, gradient, size);
    ExpectClose(dx, deep ? scaled : gradient, size * (1 + std::fabs(factor)));
    ExpectClose(dgamma, gammas, sizes);
    ExpectClose(dbeta, betas, sizes);
  }

  static std::vector<Norming> Cases() {
    std::vector<Norming> cases;
    for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
      for (bool strided : {false, true}) {
        Norming c = {.type = type, .strided = strided};
        for (double alpha : {0.3, 1.0, 0.0, -2.5}) {
          c.alpha = alpha, c.dsum = alpha < 1;
          cases.push_back(c);
        }
        c.leading = {2, 1, 3}, c.row = {4, 6};
        cases.push_back(c);
        c.leading = {1}, c.row = {40};
        cases.push_back(c);
        c.leading = {2}, c.row = {9000};
        cases.push_back(c);
        c.leading = {33}, c.row = {5000};
        cases.push_back(c);
        c.leading = {1100}, c.row = {16}, c.dsum = true;
        cases.push_back(c);
      }
    }
    return cases;
  }
};

TEST_F(DeepNormTest, NormsAreTheFormula) {
  for (const Norming& c : Cases()) CheckForward(c);
  CheckForward({.leading = {}, .row = {4, 6}});
  CheckForward({.leading = {0}});
  CheckForward({.row = {0}});
}

TEST_F(DeepNormTest, GradientsAreTheFormula) {
  for (Norming c : Cases()) {
    CheckGradient(c, true);
    c.flat = !c.strided;
    CheckGradient(c, false);
  }
  CheckGradient({.leading = {}, .row = {4, 6}}, true);
  CheckGradient({.leading = {}, .row = {24}}, false);
  CheckGradient({.leading = {0}}, true);  // sums of no rows
  CheckGradient({.row = {0}}, true);
}

TEST_F(DeepNormTest, RefusesWhatDoesNotFit) {
  const int invalid = ACLNN_ERR_PARAM_INVALID;
  const Tensor x = Made({5, 8}, ACL_FLOAT16), row = Made({8}, ACL_FLOAT16);
  const Tensor five = Made({5}, ACL_FLOAT16), wide = Made({8}, ACL_FLOAT);
  const Tensor floats = Made({5, 8}, ACL_FLOAT), flat = Made({5}, ACL_FLOAT);
  const Tensor right = Made({5, 1}, ACL_FLOAT), gaps = Made({5, 8}, ACL_FLOAT16, true);
  const Tensor turned = Made({8, 5}, ACL_FLOAT16), three = Made({3, 1}, ACL_FLOAT);
  const Tensor none = Made({0, 8}, ACL_FLOAT16), no_rows = Made({0, 1}, ACL_FLOAT);
  const auto norm = [&](const Tensor& from, const Tensor& gx, const Tensor& gamma, double eps,
                        const Tensor& mean, const Tensor& y,
                        std::initializer_list<std::string_view> words) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnDeepNormGetWorkspaceSize(from.handle(), gx.handle(), gamma.handle(),
                                               gamma.handle(), 1, eps, mean.handle(),
                                               right.handle(), y.handle(), s, e);
        },
        invalid, words);
  };
  norm(x, turned, row, 0, right, x, {"gx.shape", "[8, 5]"});
  norm(x, floats, row, 0, right, x, {"gx.dtype = FLOAT", "FLOAT16"});
  norm(x, x, wide, 0, right, x, {"beta.dtype = FLOAT", "FLOAT16"});
  norm(x, x, five, 0, right, x, {"gamma.shape = [5]", "x.shape = [5, 8]"});
  norm(row, row, row, 0, right, row, {"x.shape = [8]", "two dimensions"});
  norm(x, x, row, -1, right, x, {"epsilon = -1"});
  norm(x, x, row, 0, flat, x, {"meanOut.shape = [5]", "[5, 1]"});
  norm(x, x, row, 0, x, x, {"meanOut.dtype = FLOAT16"});
  norm(x, x, row, 0, right, gaps, {"yOut"});

  const auto deep = [&](const Tensor& dy, const Tensor& from, const Tensor& gamma,
                        const Tensor& mean, const Tensor& dx, const Tensor& dgamma,
                        std::initializer_list<std::string_view> words) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnDeepNormGradGetWorkspaceSize(dy.handle(), from.handle(), from.handle(),
                                                   gamma.handle(), mean.handle(), right.handle(), 1,
                                                   dx.handle(), from.handle(), dgamma.handle(),
                                                   dgamma.handle(), s, e);
        },
        invalid, words);
  };
  deep(x, turned, row, right, x, wide, {"x.shape", "[8, 5]"});
  deep(x, floats, row, right, x, wide, {"x.dtype = FLOAT", "FLOAT16"});
  deep(x, x, five, right, x, flat, {"gamma.shape = [5]", "x.shape = [5, 8]"});
  deep(row, row, row, right, row, wide, {"x.shape = [8]", "two dimensions"});
  deep(x, x, row, three, x, wide, {"mean.shape = [3, 1]", "[5, 1]"});
  deep(x, x, row, right, gaps, wide, {"dxOut"});
  deep(x, x, row, right, x, row, {"dbetaOut.dtype = FLOAT16", "FLOAT"});

  const auto add = [&](const Tensor& dy, const Tensor& from, const Tensor& mean,
                       const Tensor& gamma, const Tensor* dsum, const Tensor& dgamma,
                       std::initializer_list<std::string_view> words) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnAddLayerNormGradGetWorkspaceSize(
              dy.handle(), from.handle(), from.handle(), mean.handle(), mean.handle(),
              gamma.handle(), dsum != nullptr ? dsum->handle() : nullptr, from.handle(),
              dgamma.handle(), dgamma.handle(), s, e);
        },
        invalid, words);
  };
  add(x, turned, right, row, nullptr, wide, {"x1.shape", "[8, 5]"});
  add(x, floats, right, row, nullptr, wide, {"x1.dtype = FLOAT", "FLOAT16"});
  add(x, x, three, row, nullptr, wide, {"rstd.shape = [3, 1]", "[5, 1]"});
  add(x, x, right, five, nullptr, flat, {"gamma.shape = [5]", "x1.shape = [5, 8]"});
  add(x, x, right, row, &turned, wide, {"dsumOptional.shape", "[8, 5]"});
  add(x, x, right, row, &floats, wide, {"dsumOptional.dtype = FLOAT"});
  add(x, x, right, row, nullptr, flat, {"dgammaOut.shape", "[5]"});
  add(none, none, no_rows, row, nullptr, wide, {"x1.shape = [0, 8]", "elements"});
}

}  // namespace
}  // namespace anyacl::test
