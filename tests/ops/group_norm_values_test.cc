// SPDX-License-Identifier: Apache-2.0
// aclnnGroupNormBackward against the oracle and against finite differences of the forward formula,
// for all pairs of types, and on data that are hard to sum.
#include <cmath>
#include <limits>

#include "ops/group_norm_case.h"

namespace anyacl::test {
namespace {

constexpr TypePair kFp32 = {ACL_FLOAT, ACL_FLOAT};
constexpr TypePair kFp16 = {ACL_FLOAT16, ACL_FLOAT16};
constexpr TypePair kBf16 = {ACL_BF16, ACL_BF16};

std::vector<double> Ramp(int64_t count) {
  std::vector<double> values;
  for (int64_t i = 1; i <= count; ++i) values.push_back(static_cast<double>(i));
  return values;
}

// The example of the operator's document. Its gradInput is zero but for the rounding of rstd: dy is
// x, whose own direction the normalisation takes out.
TEST_F(GroupNormTest, ExampleOfTheDocument) {
  const GradProblem problem{.shape = {2, 3, 4, 1},
                            .types = kFp32,
                            .dy = Ramp(24),
                            .x = Ramp(24),
                            .mean = {6.5, 18.5},
                            .rstd = {0.2896827, 0.2896827},
                            .gamma = {1, 1, 1}};
  const GradResult result = Run(problem);
  const std::vector<double> dgamma = {-75.896866, 2.8968267, 155.849289};
  for (size_t c = 0; c < 3; ++c) EXPECT_NEAR(result.dgamma[c], dgamma[c], 2e-5);
  EXPECT_EQ(result.dbeta, (std::vector<double>{68, 100, 132}));
  for (double value : result.dx) EXPECT_LE(std::fabs(value), 1e-6);
  ExpectMatchesReference(problem);
}

class TypesTest : public GroupNormTest, public ::testing::WithParamInterface<TypePair> {
 protected:
  void ExpectCorrect(const GroupNormShape& shape) {
    SCOPED_TRACE(
        ::testing::PrintToString(std::vector<int64_t>{shape.n, shape.c, shape.hxw, shape.group}));
    ExpectMatchesReference(RandomGrad(shape, GetParam(), random()));
  }
};

TEST_P(TypesTest, EveryShortArea) {
  for (int64_t hxw = 1; hxw <= 70; ++hxw) ExpectCorrect({2, 6, hxw, 3});
}

// Blocks are 512 elements, chunks 32768.
TEST_P(TypesTest, AreasAroundBlocksAndChunks) {
  for (int64_t hxw : {511, 512, 513, 1023, 1024, 1055, 1537, 32767, 32768, 32769, 65536, 98315}) {
    ExpectCorrect({1, 2, hxw, 1});
  }
}

TEST_P(TypesTest, OneGroupAndOneChannelPerGroup) {
  for (int64_t hxw : {1, 9, 130}) {
    ExpectCorrect({3, 8, hxw, 1});
    ExpectCorrect({3, 8, hxw, 8});
    ExpectCorrect({1, 1, hxw, 1});
  }
}

TEST_P(TypesTest, BatchesAndGroupsThatDoNotDivideAmongThreads) {
  for (int64_t n : {1, 2, 3, 7, 64}) {
    for (int64_t group : {1, 5, 15}) ExpectCorrect({n, 15, 20, group});
  }
}

TEST_P(TypesTest, ModelShapes) {
  ExpectCorrect({2, 320, 64, 32});
  ExpectCorrect({1, 128, 1024, 32});
  ExpectCorrect({20, 6, 100, 2});
  ExpectCorrect({1024, 32, 1, 32});
  ExpectCorrect({1, 8000, 4, 1});
  ExpectCorrect({64, 4, 1, 4});
}

// A group that is shared among threads, and one that a thread keeps.
TEST_P(TypesTest, LargeGroups) {
  ExpectCorrect({1, 3, 70001, 1});
  ExpectCorrect({1, 9000, 9, 3});
}

TEST_P(TypesTest, NoGammaMeansOnes) {
  GradProblem problem = RandomGrad({3, 6, 35, 2}, GetParam(), random());
  problem.gamma.assign(6, 1);
  const GradResult ones = Run(problem);
  problem.gamma.clear();
  const GradResult none = Run(problem);
  EXPECT_EQ(none.dx, ones.dx);
  EXPECT_EQ(none.dgamma, ones.dgamma);
  EXPECT_EQ(none.dbeta, ones.dbeta);
}

// mean and rstd are taken as they are given, whatever x says.
TEST_P(TypesTest, StatisticsOfOtherData) {
  for (int round = 0; round < 20; ++round) {
    GradProblem problem = RandomGrad({2, 6, 37, 3}, GetParam(), random());
    for (double& mean : problem.mean) mean = random().Uniform(-3, 3);
    for (double& rstd : problem.rstd) rstd = random().Uniform(-2, 2);
    ExpectMatchesReference(problem);
  }
}

// Central differences of sum(dy * out) in double. The operator gets rounded data and statistics.
TEST_P(TypesTest, FiniteDifferences) {
  const double tolerance = GetParam().parameters != ACL_FLOAT ? 0.04
                           : GetParam().data != ACL_FLOAT     ? 0.02
                                                              : 2e-5;
  for (const GroupNormShape& shape :
       std::vector<GroupNormShape>{{2, 6, 5, 3}, {1, 4, 7, 1}, {3, 5, 4, 5}, {2, 8, 1, 2}}) {
    GradProblem problem = RandomGrad(shape, GetParam(), random());
    const double eps = 1e-3;
    SetStatistics(problem, eps);
    problem.dy = AsHeld(GetParam().data, problem.dy);
    problem.x = AsHeld(GetParam().data, problem.x);
    problem.gamma = AsHeld(GetParam().parameters, problem.gamma);
    std::vector<double> x = problem.x, gamma = problem.gamma, beta(gamma.size(), 0.5);
    const auto loss = [&] {
      const GroupNormResult forward = GroupNorm(shape, x, gamma, beta, eps);
      double sum = 0;
      for (size_t i = 0; i < x.size(); ++i) sum += problem.dy[i] * forward.out[i];
      return sum;
    };
    const auto slope = [&](double& parameter) {
      constexpr double kStep = 1e-5;
      const double at = parameter;
      parameter = at + kStep;
      const double above = loss();
      parameter = at - kStep;
      const double below = loss();
      parameter = at;
      return (above - below) / (2 * kStep);
    };
    const GradResult result = Run(problem);
    for (size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(result.dx[i], slope(x[i]), tolerance);
    for (size_t c = 0; c < gamma.size(); ++c) {
      const double size = 1 + std::fabs(slope(gamma[c])) + std::fabs(slope(beta[c]));
      EXPECT_NEAR(result.dgamma[c], slope(gamma[c]), 3 * tolerance * size);
      EXPECT_NEAR(result.dbeta[c], slope(beta[c]), tolerance * size);
    }
  }
}

// All of dy alike moves only beta, and it is summed without error.
TEST_P(TypesTest, ConstantGradient) {
  GradProblem problem = RandomGrad({2, 4, 48, 2}, GetParam(), random());
  problem.dy.assign(problem.dy.size(), 1);
  problem.gamma.clear();
  const GradResult result = Run(problem);
  EXPECT_EQ(result.dbeta, std::vector<double>(4, 96));
  const double unit = GetParam().parameters == ACL_FLOAT  ? 1e-6
                      : GetParam().parameters == ACL_BF16 ? 0.02
                                                          : 0.002;
  for (double value : result.dx) EXPECT_LE(std::fabs(value), unit);
}

INSTANTIATE_TEST_SUITE_P(Types, TypesTest, ::testing::ValuesIn(AllTypePairs()),
                         [](const auto& info) { return NameOf(info.param); });

// Centred: the error does not grow with |mean| * rstd, as it does where mean * rstd is subtracted
// from x * rstd or raw moments are combined. The oracle's bound knows nothing of the mean.
TEST_F(GroupNormTest, DataFarFromZero) {
  for (double mean : {1000.0, -1000.0, 30000.0, 1e6}) {
    GradProblem problem = RandomGrad({2, 8, 800, 2}, kFp32, random());
    for (double& x : problem.x) x = static_cast<float>(mean + random().Normal(0, 1));
    SetStatistics(problem);
    // The statistics as fp32 has them belong to the problem.
    problem.mean = AsHeld(ACL_FLOAT, problem.mean);
    problem.rstd = AsHeld(ACL_FLOAT, problem.rstd);
    ExpectMatchesReference(problem);
    const GradResult result = Run(problem);
    const GroupNormGradients expected = ReferenceOf(problem);
    for (size_t i = 0; i < result.dx.size(); ++i) {
      ASSERT_NEAR(result.dx[i], expected.dx.value[i], 2e-6);
    }
  }
}

// 2^20 + 1 elements per channel: what an fp32 sum would lose, blocks keep.
TEST_F(GroupNormTest, LongSumsStayExact) {
  const int64_t count = (int64_t{1} << 20) + 1;
  GradProblem problem{.shape = {1, 2, count, 1}, .types = kFp32};
  problem.dy.assign(static_cast<size_t>(2 * count), 16.25);
  problem.x.assign(static_cast<size_t>(2 * count), 0.75);
  problem.mean = {0.5};
  problem.rstd = {2};
  const GradResult result = Run(problem);
  const double sum = 16.25 * static_cast<double>(count);
  EXPECT_EQ(result.dbeta, std::vector<double>(2, static_cast<float>(sum)));
  EXPECT_EQ(result.dgamma, std::vector<double>(2, static_cast<float>(sum * 0.5)));
}

TEST_F(GroupNormTest, GroupOfOneElement) {
  const GradProblem problem{.shape = {1, 1, 1, 1},
                            .types = kFp32,
                            .dy = {2},
                            .x = {3},
                            .mean = {2.5},
                            .rstd = {0.7},
                            .gamma = {1.5}};
  EXPECT_NEAR(Run(problem).dx[0], -0.25725, 1e-6);
  // With the true mean there is nothing to move.
  GradProblem centred = RandomGrad({5, 4, 1, 4}, kFp32, random());
  centred.mean = centred.x = AsHeld(ACL_FLOAT, centred.x);
  for (double value : ReferenceOf(centred).dx.value) EXPECT_NEAR(value, 0, 1e-9);
  ExpectMatchesReference(centred);
}

// gradGammaOut and gradBetaOut are rounded once, from the sum over the batch.
TEST_F(GroupNormTest, SumsAreRoundedOnceToEven) {
  // 2048 + 1 lies halfway between two fp16 numbers, 2048 + 3 too; 256 + 1 and 256 + 3 in bf16.
  struct Tie {
    TypePair types;
    double big, small, rounded;
  };
  for (const Tie& tie : {Tie{kFp16, 2048, 1, 2048}, Tie{kFp16, 2048, 3, 2052},
                         Tie{kBf16, 256, 1, 256}, Tie{kBf16, 256, 3, 260},
                         // Rounded to fp32 first, these would be ties: 2^-20 is lost in neither.
                         Tie{kFp16, 2049, 0x1p-20, 2050}, Tie{kBf16, 257, 0x1p-20, 258}}) {
    GradProblem problem{.shape = {2, 1, 2, 1}, .types = tie.types};
    // 2049 and 257 are no numbers of the types: two of each batch element make them up.
    problem.dy = {tie.big - 1, tie.small, 1, 0};
    if (tie.big == 2048 || tie.big == 256) problem.dy = {tie.big, 0, tie.small, 0};
    if (tie.big == 2049) problem.dy = {2048, 1, tie.small, 0};
    if (tie.big == 257) problem.dy = {256, 1, tie.small, 0};
    problem.x = {1, 1, 1, 1};
    problem.mean = {0, 0};
    problem.rstd = {1, 1};
    const GradResult result = Run(problem);
    EXPECT_EQ(result.dbeta[0], tie.rounded);
    EXPECT_EQ(result.dgamma[0], tie.rounded);
  }
}

TEST_F(GroupNormTest, SumsBeyondTheRangeOfFp16) {
  GradProblem problem{.shape = {1, 1, 2, 1}, .types = kFp16};
  problem.x = {2, 2};
  problem.mean = {1};
  problem.rstd = {0.5};
  problem.dy = {35000, 35000};
  EXPECT_EQ(Run(problem).dbeta[0], std::numeric_limits<double>::infinity());
  EXPECT_EQ(Run(problem).dgamma[0], 35008);  // 35000 is 35008 in fp16
  problem.dy = {65504, 15};                  // 65519: still nearer to 65504
  EXPECT_EQ(Run(problem).dbeta[0], 65504);
  problem.dy = {65504, 16};  // 65520: halfway to 65536, which is the even one
  EXPECT_EQ(Run(problem).dbeta[0], std::numeric_limits<double>::infinity());
}

// Parameters next to 1 whose last bits decide the result.
TEST_F(GroupNormTest, ParametersAreConvertedExactly) {
  for (TypePair types : {kFp16, kBf16}) {
    const double unit = types.data == ACL_BF16 ? 0x1p-7 : 0x1p-10;
    GradProblem problem{.shape = {1, 1, 2, 1}, .types = types};
    problem.dy = {1, 0};
    problem.x = {2 + 2 * unit, 0};
    problem.mean = {1 + unit};
    problem.rstd = {1 + unit};
    problem.gamma = {1 + unit};
    EXPECT_EQ(Run(problem).dgamma, std::vector{AsHeld(types.data, (1 + unit) * (1 + unit))});
    ExpectMatchesReference(problem);
  }
}

}  // namespace
}  // namespace anyacl::test
