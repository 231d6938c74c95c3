// SPDX-License-Identifier: Apache-2.0
// aclnnMhcPre and its gradients against the documents' sums in double precision; gradients also as
// what a change of the inputs does.
#include "aclnnop/aclnn_mhc_pre.h"
#include "aclnnop/aclnn_mhc_pre_backward.h"
#include "aclnnop/aclnn_mhc_pre_v2.h"
#include "ops/mhc_case.h"

namespace anyacl::test {
namespace {

constexpr double kNormEps = 1e-3, kGateEps = 0.25;  // large enough to be seen

struct Case {
  Shape tokens = {5};
  int64_t streams = 4, columns = 70, alphas = 3;
  aclDataType type = ACL_BF16;
  bool gamma = true, kept = true, x_post = true, strided = false;

  Shape With(const Shape& each) const {
    Shape dims = tokens;
    dims.insert(dims.end(), each.begin(), each.end());
    return dims;
  }
  int64_t mixed() const { return alphas == 3 ? streams * (streams + 2) : 2 * streams; }
};

class MhcPreTest : public MhcTest {
 protected:
  struct Tensors {
    Tensor x, phi, alpha, bias, gamma;
    Tensor hidden, post, residual, inverse_rms, mix, pre;
    Tensor grad_hidden, grad_post, grad_residual, x_post;
    Tensor grad_x, grad_phi, grad_alpha, grad_bias, grad_gamma;
  };
  Tensors TensorsOf(const Case& c) {
    const auto drawn = [&](const Shape& dims, aclDataType type = ACL_FLOAT) {
      return Drawn(dims, type, c.strided);
    };
    const int64_t n = c.streams, columns = c.columns, mixed = c.mixed();
    // So that products with phi are about 1.
    const double weight = 1 / std::sqrt(static_cast<double>(n * columns));
    return {.x = drawn(c.With({n, columns}), c.type),
            .phi = Drawn({mixed, n * columns}, ACL_FLOAT, c.strided, -weight, weight),
            .alpha = drawn({c.alphas}),
            .bias = drawn({mixed}),
            .gamma = drawn({n, columns}),
            .hidden = drawn(c.With({columns}), c.type),
            .post = drawn(c.With({n})),
            .residual = drawn(c.With({n, n})),
            .inverse_rms = drawn(c.tokens),
            .mix = drawn(c.With({mixed})),
            .pre = drawn(c.With({n})),
            .grad_hidden = drawn(c.With({columns}), c.type),
            .grad_post = drawn(c.With({n})),
            .grad_residual = drawn(c.With({n, n})),
            .x_post = drawn(c.With({n, columns}), c.type),
            .grad_x = drawn(c.With({n, columns}), c.type),
            .grad_phi = drawn({mixed, n * columns}),
            .grad_alpha = drawn({3}),
            .grad_bias = drawn({mixed}),
            .grad_gamma = drawn({n, columns})};
  }
  static Phase1 ForwardOf(const Case& c, const Tensors& t) {
    return [&c, &t](uint64_t* s, aclOpExecutor** e) {
      const auto kept = [&](const Tensor& tensor) { return c.kept ? tensor.handle() : nullptr; };
      return aclnnMhcPreGetWorkspaceSize(t.x.handle(), t.phi.handle(), t.alpha.handle(),
                                         t.bias.handle(), c.gamma ? t.gamma.handle() : nullptr,
                                         kNormEps, kGateEps, t.hidden.handle(), t.post.handle(),
                                         t.residual.handle(), kept(t.inverse_rms), kept(t.mix),
                                         kept(t.pre), s, e);
    };
  }
  static Phase1 BackwardOf(const Case& c, const Tensors& t) {
    return [&c, &t](uint64_t* s, aclOpExecutor** e) {
      return aclnnMhcPreBackwardGetWorkspaceSize(
          t.x.handle(), t.phi.handle(), t.alpha.handle(), t.grad_hidden.handle(),
          t.grad_post.handle(), t.grad_residual.handle(), t.inverse_rms.handle(), t.mix.handle(),
          t.pre.handle(), t.post.handle(), c.gamma ? t.gamma.handle() : nullptr,
          c.x_post ? t.x_post.handle() : nullptr, static_cast<float>(kGateEps), t.grad_x.handle(),
          t.grad_phi.handle(), t.grad_alpha.handle(), t.grad_bias.handle(), t.grad_gamma.handle(),
          s, e);
    };
  }
  static PreProblem ProblemOf(const Case& c, const Tensors& t) {
    int64_t tokens = 1;
    for (int64_t size : c.tokens) tokens *= size;
    return {.tokens = tokens,
            .streams = c.streams,
            .columns = c.columns,
            .norm_eps = kNormEps,
            .gate_eps = kGateEps,
            .x = ReadAs(t.x),
            .phi = ReadAs(t.phi),
            .alpha = ReadAs(t.alpha),
            .bias = ReadAs(t.bias),
            .gamma = c.gamma ? ReadAs(t.gamma) : Numbers{}};
  }
  static PreGradProblem GradsOf(const Case& c, const Tensors& t) {
    return {.hidden = ReadAs(t.grad_hidden),
            .post = ReadAs(t.grad_post),
            .residual = ReadAs(t.grad_residual),
            .x_post = c.x_post ? ReadAs(t.x_post) : Numbers{}};
  }

  void Check(const Case& c) {
    SCOPED_TRACE(::testing::Message()
                 << c.streams << " x " << c.columns << " type " << c.type << " alphas " << c.alphas
                 << " gamma " << c.gamma << " kept " << c.kept << " strided " << c.strided);
    const Tensors t = TensorsOf(c);
    const PreProblem p = ProblemOf(c, t);
    RunTwoPhase(ForwardOf(c, t), aclnnMhcPre);
    const PreResults expected = Pre(p);
    ExpectNear(t.hidden, expected.hidden, "hIn");
    ExpectNear(t.post, expected.post, "hPost");
    ExpectNear(t.residual, expected.residual, "hRes");
    if (!c.kept) return;
    ExpectNear(t.inverse_rms, expected.inverse_rms, "invRms");
    ExpectNear(t.mix, expected.mix, "hMix");
    ExpectNear(t.pre, expected.pre, "hPre");
    if (c.alphas == 3) CheckGradients(c, t, expected);
  }
  void CheckGradients(const Case& c, const Tensors& t, const PreResults& results) {
    RunTwoPhase(BackwardOf(c, t), aclnnMhcPreBackward);
    const PreGradients expected = PreGradient(ProblemOf(c, t), results, GradsOf(c, t));
    ExpectNear(t.grad_x, expected.x, "gradX");
    ExpectNear(t.grad_phi, expected.phi, "gradPhi");
    ExpectNear(t.grad_alpha, expected.alpha, "gradAlpha");
    ExpectNear(t.grad_bias, expected.bias, "gradBias");
    ExpectNear(t.grad_gamma, c.gamma ? expected.gamma : SizedNumbers(expected.gamma.size()),
               "gradGamma");
  }
};

TEST_F(MhcPreTest, ResultsAreThoseOfTheSums) {
  for (aclDataType type : {ACL_BF16, ACL_FLOAT16}) {
    Check({.type = type});
    Check({.type = type, .gamma = false, .x_post = false});
    Check({.tokens = {2, 3}, .streams = 6, .columns = 48, .type = type, .strided = true});
    Check({.tokens = {1}, .streams = 8, .columns = 1100, .type = type});
  }
  Check({.kept = false});
  Check({.alphas = 2});
  Check({.alphas = 2, .gamma = false, .strided = true});
  Check({.tokens = {1}, .streams = 1, .columns = 1});
  Check({.tokens = {40}, .columns = 1500});
}

// Gradients of x come some tokens at a time: four of 262,144 columns.
TEST_F(MhcPreTest, TokensOfSeveralChunksAreSummed) {
  Check({.tokens = {9}, .streams = 1, .columns = 1 << 18});
}

TEST_F(MhcPreTest, TheSecondVersionIsTheFirst) {
  const Case c{};
  const Tensors t = TensorsOf(c);
  RunTwoPhase(ForwardOf(c, t), aclnnMhcPre);
  const Numbers hidden = ReadAs(t.hidden), mix = ReadAs(t.mix);
  const auto of_mode = [&](int64_t mode) {
    return [&t, mode](uint64_t* s, aclOpExecutor** e) {
      return aclnnMhcPreV2GetWorkspaceSize(
          t.x.handle(), t.phi.handle(), t.alpha.handle(), t.bias.handle(), t.gamma.handle(),
          kNormEps, kGateEps, mode, t.hidden.handle(), t.post.handle(), t.residual.handle(),
          t.inverse_rms.handle(), t.mix.handle(), t.pre.handle(), s, e);
    };
  };
  for (int64_t mode : {0, 1}) {
    WriteAs(const_cast<Tensor&>(t.mix), Numbers(mix.size(), 7));
    RunTwoPhase(of_mode(mode), aclnnMhcPreV2);
    EXPECT_EQ(ReadAs(t.hidden), hidden);
    EXPECT_EQ(ReadAs(t.mix), mix);
  }
  ExpectRefused(of_mode(2), ACLNN_ERR_PARAM_INVALID, {"opImplMode", "2"});
}

TEST_F(MhcPreTest, GradientsAreWhatAChangeDoes) {
  const Case c{.tokens = {3}, .columns = 6, .type = ACL_FLOAT16, .x_post = false};
  const Tensors t = TensorsOf(c);
  RunTwoPhase(ForwardOf(c, t), aclnnMhcPre);
  RunTwoPhase(BackwardOf(c, t), aclnnMhcPreBackward);
  const PreProblem p = ProblemOf(c, t);
  const PreGradProblem g = GradsOf(c, t);
  const auto check = [&](Numbers PreProblem::*of, const Tensor& result) {
    const Numbers actual = ReadAs(result);
    for (size_t i = 0; i < actual.size(); ++i) {
      const double slope = Slope(p.*of, i, 1e-4, [&](const Numbers& moved) {
        PreProblem changed = p;
        changed.*of = moved;
        const PreResults r = Pre(changed);
        return Dot(g.hidden, r.hidden) + Dot(g.post, r.post) + Dot(g.residual, r.residual);
      });
      EXPECT_NEAR(actual[i], slope, 1e-4 + HalfUnitOf(result.layout().dtype, slope)) << i;
    }
  };
  check(&PreProblem::x, t.grad_x);
  check(&PreProblem::phi, t.grad_phi);
  check(&PreProblem::alpha, t.grad_alpha);
  check(&PreProblem::bias, t.grad_bias);
  check(&PreProblem::gamma, t.grad_gamma);
}

TEST_F(MhcPreTest, GradientsMayTakeThePlacesOfWhatTheyAreOf) {
  for (const bool strided : {false, true}) {
    const Case c{.tokens = {40}, .columns = 1500, .strided = strided};
    const Tensors t = TensorsOf(c);
    RunTwoPhase(ForwardOf(c, t), aclnnMhcPre);
    RunTwoPhase(BackwardOf(c, t), aclnnMhcPreBackward);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMhcPreBackwardGetWorkspaceSize(
              t.x.handle(), t.phi.handle(), t.alpha.handle(), t.grad_hidden.handle(),
              t.grad_post.handle(), t.grad_residual.handle(), t.inverse_rms.handle(),
              t.mix.handle(), t.pre.handle(), t.post.handle(), t.gamma.handle(), t.x_post.handle(),
              static_cast<float>(kGateEps), t.x.handle(), t.phi.handle(), t.alpha.handle(),
              t.bias.handle(), t.gamma.handle(), s, e);
        },
        aclnnMhcPreBackward);
    EXPECT_EQ(ReadAs(t.x), ReadAs(t.grad_x));
    EXPECT_EQ(ReadAs(t.phi), ReadAs(t.grad_phi));
    EXPECT_EQ(ReadAs(t.alpha), ReadAs(t.grad_alpha));
    EXPECT_EQ(ReadAs(t.bias), ReadAs(t.grad_bias));
    EXPECT_EQ(ReadAs(t.gamma), ReadAs(t.grad_gamma));
  }
}

TEST_F(MhcPreTest, WrongCallsAreRefused) {
  const int invalid = ACLNN_ERR_PARAM_INVALID;
  const Case c{}, two{.alphas = 2}, four{.alphas = 4};
  const Tensors t = TensorsOf(c), of_two = TensorsOf(two), of_four = TensorsOf(four);
  const auto call = [&](const Tensor& phi, const Tensor& alpha, const Tensor& bias,
                        const Tensor* residual, const Tensor* mix, const Tensor* pre) {
    return [&, residual, mix, pre](uint64_t* s, aclOpExecutor** e) {
      const auto handle = [](const Tensor* tensor) { return tensor ? tensor->handle() : nullptr; };
      return aclnnMhcPreGetWorkspaceSize(t.x.handle(), phi.handle(), alpha.handle(), bias.handle(),
                                         nullptr, kNormEps, kGateEps, t.hidden.handle(),
                                         t.post.handle(), handle(residual), nullptr, handle(mix),
                                         handle(pre), s, e);
    };
  };
  const auto& [x, phi, alpha, bias, gamma, h, p, residual, i, mix, pre, gh, gp, gr, xp, gx, gph, ga,
               gb, gg] = t;
  ExpectRefused(call(phi, alpha, bias, nullptr, nullptr, nullptr), ACLNN_ERR_PARAM_NULLPTR,
                {"hRes", "null"});
  ExpectRefused(call(phi, alpha, bias, &residual, &mix, nullptr), invalid, {"hMixOptional"});
  ExpectRefused(call(phi, alpha, bias, &residual, nullptr, &pre), invalid, {"hPreOptional"});
  ExpectRefused(call(phi, of_two.alpha, bias, &residual, nullptr, nullptr), invalid,
                {"phi", "24", "8"});
  ExpectRefused(call(of_two.phi, alpha, of_two.bias, &residual, nullptr, nullptr), invalid,
                {"phi", "8", "24"});
  ExpectRefused(call(phi, of_four.alpha, bias, &residual, nullptr, nullptr), invalid,
                {"alpha", "4"});
  RunTwoPhase(call(of_two.phi, of_two.alpha, of_two.bias, nullptr, nullptr, nullptr), aclnnMhcPre);
  const Case none{.tokens = {0}};
  ExpectRefused(ForwardOf(none, TensorsOf(none)), invalid, {"x", "some elements"});
  ExpectRefused(BackwardOf(none, TensorsOf(none)), invalid, {"x", "some elements"});
}

}  // namespace
}  // namespace anyacl::test
