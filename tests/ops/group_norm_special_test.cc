// SPDX-License-Identifier: Apache-2.0
// aclnnGroupNormBackward where numbers end: NaN and infinities stay where they belong, empty
// tensors leave sums of nothing, and what the mask leaves out is not touched.
#include <cmath>
#include <limits>

#include "ops/group_norm_case.h"

namespace anyacl::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

class SpecialTest : public GroupNormTest, public ::testing::WithParamInterface<TypePair> {
 protected:
  // Two batch elements, two groups of two channels.
  GradProblem Problem() { return RandomGrad({2, 4, 40, 2}, GetParam(), random()); }

  // The elements of group `g` of the batch element `n` are NaN, no others.
  static void ExpectOnlyGroupIsNaN(const std::vector<double>& dx, int64_t n, int64_t g) {
    const GroupNormShape shape = {2, 4, 40, 2};
    for (int64_t i = 0; i < shape.count(); ++i) {
      EXPECT_EQ(std::isnan(dx[i]), shape.GroupOf(i) == n * 2 + g) << i;
    }
  }
};

TEST_P(SpecialTest, NaNInInputStaysInItsGroup) {
  GradProblem problem = Problem();
  problem.x[1 * 160 + 1 * 40 + 17] = kNaN;  // batch element 1, channel 1, group 0
  const GradResult result = Run(problem);
  ExpectOnlyGroupIsNaN(result.dx, 1, 0);
  for (size_t c = 0; c < 4; ++c) {
    EXPECT_EQ(std::isnan(result.dgamma[c]), c == 1) << c;
    EXPECT_FALSE(std::isnan(result.dbeta[c])) << c;
  }
}

TEST_P(SpecialTest, NaNInGradOutStaysInItsGroup) {
  GradProblem problem = Problem();
  problem.dy[0 * 160 + 3 * 40 + 39] = kNaN;  // batch element 0, channel 3, group 1
  const GradResult result = Run(problem);
  ExpectOnlyGroupIsNaN(result.dx, 0, 1);
  for (size_t c = 0; c < 4; ++c) {
    EXPECT_EQ(std::isnan(result.dgamma[c]), c == 3) << c;
    EXPECT_EQ(std::isnan(result.dbeta[c]), c == 3) << c;
  }
}

TEST_P(SpecialTest, NaNStatisticsStayInTheirGroup) {
  for (std::vector<double> GradProblem::*which : {&GradProblem::mean, &GradProblem::rstd}) {
    GradProblem problem = Problem();
    (problem.*which)[2] = kNaN;
    const GradResult result = Run(problem);
    ExpectOnlyGroupIsNaN(result.dx, 1, 0);
    for (size_t c = 0; c < 4; ++c) EXPECT_EQ(std::isnan(result.dgamma[c]), c < 2) << c;
  }
}

TEST_P(SpecialTest, InfinityInGradOut) {
  GradProblem problem = Problem();
  problem.dy[40] = kInfinity;  // batch element 0, channel 1, group 0
  const GradResult result = Run(problem);
  EXPECT_EQ(result.dbeta[1], kInfinity);
  EXPECT_TRUE(std::isinf(result.dgamma[1]));
  for (int64_t i = 0; i < 320; ++i) {
    EXPECT_EQ(std::isfinite(result.dx[i]), i >= 80) << i;
  }
  EXPECT_TRUE(std::isfinite(result.dbeta[0]) && std::isfinite(result.dgamma[0]));
}

// The lanes beyond the end of a row are zeros that an infinite rstd must not make NaN.
TEST_P(SpecialTest, InfiniteRstdOnRowsOfAnyLength) {
  for (int64_t hxw : {1, 7, 16, 23, 33}) {
    GradProblem problem = RandomGrad({1, 1, hxw, 1}, GetParam(), random());
    problem.x.assign(problem.x.size(), 2);
    problem.dy.assign(problem.dy.size(), 1);
    problem.mean = {1};
    problem.rstd = {kInfinity};
    const GradResult result = Run(problem);
    EXPECT_EQ(result.dgamma[0], kInfinity) << hxw;
    EXPECT_EQ(result.dbeta[0], static_cast<double>(hxw));
  }
}

TEST_P(SpecialTest, EmptyBatchOrAreaLeavesZeroSums) {
  for (const GroupNormShape& shape :
       std::vector<GroupNormShape>{{0, 4, 5, 2}, {2, 4, 0, 2}, {0, 4, 0, 1}}) {
    GradProblem problem{.shape = shape, .types = GetParam(), .gamma = {1, 1, 1, 1}};
    problem.mean.assign(static_cast<size_t>(shape.n * shape.group), 0);
    problem.rstd = problem.mean;
    for (const std::vector<double>& gamma : {std::vector<double>(4, 2), std::vector<double>()}) {
      problem.gamma = gamma;
      const GradTensors tensors = MakeTensors(problem, LayoutsOf(problem));
      RunTwoPhase(tensors.Call(), &aclnnGroupNormBackward);
      EXPECT_EQ(ReadAs(tensors.dgamma), std::vector<double>(4, 0));
      EXPECT_EQ(ReadAs(tensors.dbeta), std::vector<double>(4, 0));
      EXPECT_TRUE(tensors.GuardsIntact());
    }
  }
}

TEST_P(SpecialTest, EmptyTensorsHonourTheMask) {
  GradProblem problem{.shape = {0, 4, 5, 2}, .types = GetParam()};
  problem.mask = {true, false, true};
  const GradTensors tensors = MakeTensors(problem, LayoutsOf(problem));
  const std::vector<uint8_t> before = tensors.dgamma.Bytes();
  RunTwoPhase(tensors.Call(), &aclnnGroupNormBackward);
  EXPECT_EQ(tensors.dgamma.Bytes(), before);
  EXPECT_EQ(ReadAs(tensors.dbeta), std::vector<double>(4, 0));
}

TEST_P(SpecialTest, NoChannelsMeansNothingToWrite) {
  const GradProblem problem{.shape = {2, 0, 5, 3},
                            .types = GetParam(),
                            .mean = std::vector<double>(6, 0),
                            .rstd = std::vector<double>(6, 1)};
  const GradTensors tensors = MakeTensors(problem, LayoutsOf(problem));
  const Prepared prepared = Prepare(tensors.Call());
  ASSERT_OK(prepared.code);
  EXPECT_EQ(prepared.workspace_size, 0u);
  ASSERT_OK(aclnnGroupNormBackward(nullptr, 0, prepared.executor, stream()));
  ASSERT_OK(aclrtSynchronizeStream(stream()));
  EXPECT_TRUE(tensors.GuardsIntact());
}

// Every mask; what it leaves out keeps its bytes, whatever tensor stands there.
TEST_P(SpecialTest, MaskedOutputsAreNotTouched) {
  for (int bits = 0; bits < 8; ++bits) {
    GradProblem problem = Problem();
    problem.mask = {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0};
    SCOPED_TRACE(bits);
    const GradTensors tensors = MakeTensors(problem, LayoutsOf(problem));
    const std::vector<uint8_t> untouched[] = {tensors.dx.Bytes(), tensors.dgamma.Bytes(),
                                              tensors.dbeta.Bytes()};
    RunTwoPhase(tensors.Call(), &aclnnGroupNormBackward);
    const Tensor* outputs[] = {&tensors.dx, &tensors.dgamma, &tensors.dbeta};
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(outputs[i]->Bytes() == untouched[i], !problem.mask[i]) << i;
    }
    ExpectMatchesReference(problem);
  }
}

INSTANTIATE_TEST_SUITE_P(Types, SpecialTest, ::testing::ValuesIn(AllTypePairs()),
                         [](const auto& info) { return NameOf(info.param); });

}  // namespace
}  // namespace anyacl::test
