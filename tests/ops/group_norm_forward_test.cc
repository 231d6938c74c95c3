// SPDX-License-Identifier: Apache-2.0
// aclnnGroupNorm against the oracle, and a layer trained with it and aclnnGroupNormBackward alone.
#include <cmath>
#include <limits>

#include "aclnnop/aclnn_group_norm.h"
#include "ops/group_norm_case.h"

namespace anyacl::test {
namespace {

constexpr int kNullptr = 161001;
constexpr int kInvalid = 161002;

struct NormProblem {
  GroupNormShape shape;
  aclDataType type = ACL_FLOAT;
  std::vector<double> x = {}, gamma = {}, beta = {};  // Empty parameters: none.
  double eps = 1e-5;
};

struct NormLayouts {
  Layout x, gamma, beta, out, mean, rstd;
};

struct NormTensors {
  Tensor x, gamma, beta, out, mean, rstd;
};

class ForwardTest : public GroupNormTest, public ::testing::WithParamInterface<aclDataType> {
 protected:
  NormProblem RandomProblem(const GroupNormShape& shape, aclDataType type = ACL_FLOAT) {
    NormProblem problem{.shape = shape, .type = type};
    const double mean = random().Uniform(-2, 2);
    for (int64_t i = 0; i < shape.count(); ++i) problem.x.push_back(random().Normal(mean, 3));
    for (int64_t c = 0; c < shape.c; ++c) {
      problem.gamma.push_back(random().Normal(1, 0.5));
      problem.beta.push_back(random().Normal(0, 1));
    }
    return problem;
  }

  static NormLayouts LayoutsFor(const NormProblem& problem) {
    const GroupNormShape& s = problem.shape;
    NormLayouts layouts;
    layouts.x = {.dims = {s.n, s.c, s.hxw}, .dtype = problem.type};
    layouts.out = layouts.x;
    layouts.gamma = {.dims = {s.c}, .dtype = problem.type};
    layouts.beta = layouts.gamma;
    layouts.mean = {.dims = {s.n, s.group}, .dtype = problem.type};
    layouts.rstd = layouts.mean;
    return layouts;
  }

  static NormTensors Make(const NormProblem& problem, const NormLayouts& l) {
    NormTensors t{Tensor(l.x),   Tensor(l.gamma), Tensor(l.beta),
                  Tensor(l.out), Tensor(l.mean),  Tensor(l.rstd)};
    WriteAs(t.x, problem.x);
    if (!problem.gamma.empty()) WriteAs(t.gamma, problem.gamma);
    if (!problem.beta.empty()) WriteAs(t.beta, problem.beta);
    return t;
  }

  static Phase1 CallOf(const NormProblem& problem, const NormTensors& t) {
    return [&problem, &t](uint64_t* workspace_size, aclOpExecutor** executor) {
      const GroupNormShape& s = problem.shape;
      return aclnnGroupNormGetWorkspaceSize(
          t.x.handle(), problem.gamma.empty() ? nullptr : t.gamma.handle(),
          problem.beta.empty() ? nullptr : t.beta.handle(), s.n, s.c, s.hxw, s.group, problem.eps,
          t.out.handle(), t.mean.handle(), t.rstd.handle(), workspace_size, executor);
    };
  }

  GroupNormResult Run(const NormProblem& problem, const NormLayouts& layouts) {
    const NormTensors t = Make(problem, layouts);
    RunTwoPhase(CallOf(problem, t), &aclnnGroupNorm);
    for (const Tensor* tensor : {&t.x, &t.out, &t.mean, &t.rstd}) {
      EXPECT_TRUE(tensor->GuardsIntact());
    }
    return {ReadAs(t.out), ReadAs(t.mean), ReadAs(t.rstd)};
  }
  GroupNormResult Run(const NormProblem& problem) { return Run(problem, LayoutsFor(problem)); }

  // The statistics are as exact as their type; out has five roundings in fp32 of terms of its size.
  static void ExpectNearReference(const NormProblem& problem, const GroupNormResult& actual) {
    const GroupNormShape& s = problem.shape;
    const std::vector<double> x = AsHeld(problem.type, problem.x);
    const std::vector<double> gamma = AsHeld(problem.type, problem.gamma);
    const std::vector<double> beta = AsHeld(problem.type, problem.beta);
    const GroupNormResult expected = GroupNorm(s, x, gamma, beta, problem.eps);
    Bounded mean{expected.mean, {}}, rstd{expected.rstd, {}}, out{expected.out, {}};
    for (size_t g = 0; g < expected.mean.size(); ++g) {
      const double deviation = 1 / expected.rstd[g];
      mean.bound.push_back(kDepth * kUnit * deviation);
      rstd.bound.push_back(2 * kDepth * kUnit * expected.rstd[g]);
    }
    for (int64_t i = 0; i < s.count(); ++i) {
      const double scale = gamma.empty() ? 1 : std::fabs(gamma[s.ChannelOf(i)]);
      const double shift = beta.empty() ? 0 : std::fabs(beta[s.ChannelOf(i)]);
      const double xh = std::fabs(x[i] - expected.mean[s.GroupOf(i)]) * expected.rstd[s.GroupOf(i)];
      out.bound.push_back(kUnit * ((5 + 2 * kDepth) * (1 + xh) * scale + 2 * shift));
    }
    ExpectNear("meanOut", actual.mean, mean, problem.type);
    ExpectNear("rstdOut", actual.rstd, rstd, problem.type);
    ExpectNear("out", actual.out, out, problem.type);
  }
  void ExpectCorrect(const NormProblem& problem) { ExpectNearReference(problem, Run(problem)); }
};

TEST_P(ForwardTest, EveryShortArea) {
  for (int64_t hxw = 1; hxw <= 70; ++hxw) ExpectCorrect(RandomProblem({2, 6, hxw, 3}, GetParam()));
}

TEST_P(ForwardTest, AreasAroundBlocksAndChunks) {
  for (int64_t hxw : {511, 512, 513, 1100, 32767, 32769, 98315}) {
    ExpectCorrect(RandomProblem({1, 2, hxw, 1}, GetParam()));
  }
}

TEST_P(ForwardTest, ShapesOfAllKinds) {
  for (const GroupNormShape& shape : std::vector<GroupNormShape>{{3, 8, 9, 1},
                                                                 {3, 8, 9, 8},
                                                                 {1, 1, 1, 1},
                                                                 {64, 4, 1, 4},
                                                                 {1, 8000, 4, 1},
                                                                 {7, 15, 20, 5},
                                                                 {2, 320, 64, 32}}) {
    ExpectCorrect(RandomProblem(shape, GetParam()));
  }
}

TEST_P(ForwardTest, WithoutParameters) {
  NormProblem problem = RandomProblem({2, 6, 50, 3}, GetParam());
  problem.beta.clear();
  ExpectCorrect(problem);
  problem.gamma.clear();
  ExpectCorrect(problem);
}

TEST_P(ForwardTest, StridedTensorsGiveTheSameBits) {
  const NormProblem problem = RandomProblem({2, 6, 1100, 2}, GetParam());
  const GroupNormResult dense = Run(problem);
  NormLayouts layouts = LayoutsFor(problem);
  layouts.x.strides = layouts.out.strides = {6 * 1100, 1, 6};
  layouts.gamma.strides = layouts.beta.strides = {3};
  layouts.mean.strides = layouts.rstd.strides = {1, 2};
  const GroupNormResult strided = Run(problem, layouts);
  EXPECT_EQ(strided.out, dense.out);
  EXPECT_EQ(strided.mean, dense.mean);
  EXPECT_EQ(strided.rstd, dense.rstd);
  // One side dense.
  layouts.out.strides = {};
  EXPECT_EQ(Run(problem, layouts).out, dense.out);
}

TEST_P(ForwardTest, InPlace) {
  const NormProblem problem = RandomProblem({2, 6, 77, 3}, GetParam());
  const GroupNormResult expected = Run(problem);
  const NormTensors t = Make(problem, LayoutsFor(problem));
  RunTwoPhase(
      [&](uint64_t* workspace_size, aclOpExecutor** executor) {
        return aclnnGroupNormGetWorkspaceSize(t.x.handle(), t.gamma.handle(), t.beta.handle(), 2, 6,
                                              77, 3, problem.eps, t.x.handle(), t.mean.handle(),
                                              t.rstd.handle(), workspace_size, executor);
      },
      &aclnnGroupNorm);
  EXPECT_EQ(ReadAs(t.x), expected.out);
}

TEST_P(ForwardTest, EmptyDataHaveMeanZeroAndNoDeviation) {
  const NormProblem problem{
      .shape = {2, 4, 0, 2}, .type = GetParam(), .gamma = {1, 1, 1, 1}, .beta = {0, 0, 0, 0}};
  const GroupNormResult result = Run(problem);
  EXPECT_EQ(result.mean, std::vector<double>(4, 0));
  for (double rstd : result.rstd) EXPECT_TRUE(std::isnan(rstd));
  Run({.shape = {0, 4, 5, 2}, .type = GetParam()});
  const GroupNormResult none = Run({.shape = {2, 0, 5, 3}, .type = GetParam()});
  EXPECT_EQ(none.mean, std::vector<double>(6, 0));
}

TEST_P(ForwardTest, NaNAndInfinityStayInTheirGroup) {
  for (double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    NormProblem problem = RandomProblem({2, 4, 40, 2}, GetParam());
    problem.x[160 + 57] = bad;  // batch element 1, group 0
    const GroupNormResult result = Run(problem);
    for (int64_t i = 0; i < 320; ++i) {
      EXPECT_EQ(std::isnan(result.out[i]), problem.shape.GroupOf(i) == 2) << i;
    }
    for (int64_t g = 0; g < 4; ++g) EXPECT_EQ(std::isnan(result.rstd[g]), g == 2);
  }
}

INSTANTIATE_TEST_SUITE_P(Types, ForwardTest, ::testing::Values(ACL_FLOAT, ACL_FLOAT16, ACL_BF16),
                         [](const auto& info) {
                           return std::string(info.param == ACL_FLOAT     ? "fp32"
                                              : info.param == ACL_FLOAT16 ? "fp16"
                                                                          : "bf16");
                         });

using ForwardCallTest = ForwardTest;

// The variance is that of deviations, not a difference of squares; outliers come first or last.
TEST_F(ForwardCallTest, DataFarFromZero) {
  for (double mean : {1000.0, -30000.0, 1e6}) {
    NormProblem problem = RandomProblem({2, 4, 5000, 2});
    for (double& x : problem.x) x = mean + random().Normal(0, 1);
    ExpectCorrect(problem);
    problem.x.front() = 0;
    problem.x.back() = 2 * mean;
    ExpectCorrect(problem);
  }
}

TEST_F(ForwardCallTest, ConstantDataLeaveBeta) {
  NormProblem problem = RandomProblem({2, 4, 33, 2});
  problem.x.assign(problem.x.size(), 3.25);
  const GroupNormResult result = Run(problem);
  EXPECT_EQ(result.mean, std::vector<double>(4, 3.25));
  for (double rstd : result.rstd) EXPECT_NEAR(rstd, 1 / std::sqrt(1e-5), 1e-4);
  for (int64_t i = 0; i < problem.shape.count(); ++i) {
    EXPECT_EQ(result.out[i], static_cast<float>(problem.beta[problem.shape.ChannelOf(i)]));
  }
}

TEST_F(ForwardCallTest, EpsMustBePositive) {
  NormProblem problem = RandomProblem({2, 4, 5, 2});
  const NormTensors t = Make(problem, LayoutsFor(problem));
  for (double eps : {0.0, -1e-5, std::numeric_limits<double>::quiet_NaN()}) {
    problem.eps = eps;
    ExpectRefused(CallOf(problem, t), kInvalid, {"eps"});
  }
}

TEST_F(ForwardCallTest, SizesMustBeThoseOfSelf) {
  const NormProblem good = RandomProblem({2, 4, 6, 2});
  const NormTensors t = Make(good, LayoutsFor(good));
  const auto expect = [&](const GroupNormShape& shape,
                          std::initializer_list<std::string_view> words) {
    NormProblem problem = good;
    problem.shape = shape;
    ExpectRefused(CallOf(problem, t), kInvalid, words);
  };
  expect({3, 4, 6, 2}, {"self", "N", "2", "3"});
  expect({2, 8, 6, 2}, {"self", "C", "4", "8"});
  expect({2, 4, 5, 2}, {"self", "48", "40"});
  expect({2, 4, 6, 4}, {"meanOut", "group", "2", "4"});
  expect({2, 4, 6, 3}, {"C", "group", "3"});
  expect({2, 4, 6, 0}, {"group", "0"});
  expect({2, 4, -6, 2}, {"HxW", "-6"});
  NormProblem flat = RandomProblem({2, 4, 1, 2});
  NormLayouts layouts = LayoutsFor(flat);
  layouts.x.dims = layouts.out.dims = {2, 4};
  EXPECT_EQ(Run(flat, layouts).out.size(), 8u);
  layouts.out.dims = {2, 4, 1};
  const NormTensors other = Make(flat, layouts);
  ExpectRefused(CallOf(flat, other), kInvalid, {"out", "self"});
}

TEST_F(ForwardCallTest, SelfAndOutHaveOneFormat) {
  const NormProblem problem = RandomProblem({2, 4, 6, 2});
  NormLayouts layouts = LayoutsFor(problem);
  layouts.out.format = ACL_FORMAT_NCL;
  const NormTensors t = Make(problem, layouts);
  ExpectRefused(CallOf(problem, t), kInvalid, {"out", "NCL", "ND"});
}

TEST_F(ForwardCallTest, SecondPhaseWithoutExecutor) {
  TakeMessages();
  ExpectFailure(aclnnGroupNorm(nullptr, 0, nullptr, stream()), kNullptr, {"executor"});
}

// A user's view: out and its gradients come from the two operators, and the gradients predict what
// happens to the loss. Then gradient descent on gamma and beta finds a hidden layer's parameters.
TEST_F(ForwardCallTest, TrainsALayer) {
  const GroupNormShape shape = {4, 6, 20, 3};
  NormProblem layer = RandomProblem(shape);
  const NormProblem hidden = [&] {
    NormProblem other = RandomProblem(shape);
    other.x = layer.x;
    return other;
  }();
  const std::vector<double> target = Run(hidden).out;
  const auto loss = [&](const GroupNormResult& result) {
    double sum = 0;
    for (size_t i = 0; i < target.size(); ++i) {
      sum += std::pow(result.out[i] - target[i], 2) / 2;
    }
    return sum / static_cast<double>(target.size());
  };
  // The loss's gradients by the operators.
  const auto gradients = [&](const GroupNormResult& result) {
    GradProblem grad{.shape = shape, .types = {ACL_FLOAT, ACL_FLOAT}};
    grad.x = layer.x;
    grad.mean = result.mean;
    grad.rstd = result.rstd;
    grad.gamma = layer.gamma;
    for (size_t i = 0; i < target.size(); ++i) {
      grad.dy.push_back((result.out[i] - target[i]) / static_cast<double>(target.size()));
    }
    return GroupNormTest::Run(grad, LayoutsOf(grad));
  };

  const GroupNormResult start = Run(layer);
  const GradResult slope = gradients(start);
  // Central differences of the operator itself, in fp32: a step of 1e-2 keeps three digits.
  const auto difference = [&](double& parameter) {
    const double at = parameter;
    parameter = at + 1e-2;
    const double above = loss(Run(layer));
    parameter = at - 1e-2;
    const double below = loss(Run(layer));
    parameter = at;
    return (above - below) / 2e-2;
  };
  for (size_t c = 0; c < 6; ++c) {
    EXPECT_NEAR(slope.dgamma[c], difference(layer.gamma[c]), 2e-4) << c;
    EXPECT_NEAR(slope.dbeta[c], difference(layer.beta[c]), 2e-4) << c;
  }
  for (size_t i = 0; i < layer.x.size(); i += 17) {
    EXPECT_NEAR(slope.dx[i], difference(layer.x[i]), 2e-4) << i;
  }

  for (int step = 0; step < 60; ++step) {
    const GradResult now = gradients(Run(layer));
    for (size_t c = 0; c < 6; ++c) {
      layer.gamma[c] -= 4 * now.dgamma[c];
      layer.beta[c] -= 4 * now.dbeta[c];
    }
  }
  EXPECT_LT(loss(Run(layer)), 1e-6 * loss(start));
  for (size_t c = 0; c < 6; ++c) {
    EXPECT_NEAR(layer.gamma[c], hidden.gamma[c], 0.01);
    EXPECT_NEAR(layer.beta[c], hidden.beta[c], 0.01);
  }
}

}  // namespace
}  // namespace anyacl::test
