// SPDX-License-Identifier: Apache-2.0
// aclnnGroupNormBackward with tensors of any shape and layout: only element counts must agree, and
// the elements may lie anywhere.
#include <algorithm>

#include "ops/group_norm_case.h"

namespace anyacl::test {
namespace {

class LayoutTest : public GroupNormTest, public ::testing::WithParamInterface<TypePair> {
 protected:
  // The same bits as with contiguous tensors.
  void ExpectSameAsContiguous(const GradProblem& problem, const GradLayouts& layouts) {
    const GradResult expected = Run(problem), actual = Run(problem, layouts);
    EXPECT_EQ(actual.dx, expected.dx);
    EXPECT_EQ(actual.dgamma, expected.dgamma);
    EXPECT_EQ(actual.dbeta, expected.dbeta);
    ExpectMatchesReference(problem, layouts);
  }
};

TEST_P(LayoutTest, OnlyCountsMustAgree) {
  const GradProblem problem = RandomGrad({2, 6, 35, 3}, GetParam(), random());
  GradLayouts layouts = LayoutsOf(problem);
  layouts.dy.dims = {420};
  layouts.x.dims = layouts.dx.dims = {2, 6, 35, 1, 1};
  layouts.mean.dims = {3, 2};  // counted through, not transposed
  layouts.rstd.dims = {6};
  layouts.gamma.dims = layouts.dgamma.dims = layouts.dbeta.dims = {1, 6};
  ExpectSameAsContiguous(problem, layouts);
  layouts.dy.dims = {7, 2, 30};
  layouts.x.dims = layouts.dx.dims = {2, 3, 2, 5, 7};
  layouts.mean.dims = {1, 1, 6};
  layouts.gamma.dims = layouts.dgamma.dims = layouts.dbeta.dims = {3, 2};
  ExpectSameAsContiguous(problem, layouts);
}

TEST_P(LayoutTest, RanksFromNoneToEight) {
  GradProblem one = RandomGrad({1, 1, 1, 1}, GetParam(), random());
  GradLayouts layouts = LayoutsOf(one);
  for (Layout* layout : {&layouts.dy, &layouts.x, &layouts.mean, &layouts.rstd, &layouts.gamma,
                         &layouts.dx, &layouts.dgamma, &layouts.dbeta}) {
    layout->dims = {};
  }
  ExpectSameAsContiguous(one, layouts);
  for (const GroupNormShape& shape : std::vector<GroupNormShape>{{5, 1, 1, 1}, {3, 4, 1, 2}}) {
    const GradProblem problem = RandomGrad(shape, GetParam(), random());
    layouts = LayoutsOf(problem);
    layouts.dy.dims = {shape.n * shape.c};
    layouts.x.dims = layouts.dx.dims = {shape.n, shape.c};
    ExpectSameAsContiguous(problem, layouts);
  }
  const GradProblem problem = RandomGrad({2, 4, 36, 2}, GetParam(), random());
  layouts = LayoutsOf(problem);
  layouts.dy.dims = layouts.x.dims = layouts.dx.dims = {2, 4, 2, 1, 3, 1, 3, 2};
  ExpectSameAsContiguous(problem, layouts);
}

// Channels last: [N, H*W, C] in memory, seen as [N, C, H*W].
TEST_P(LayoutTest, ChannelsLast) {
  for (int64_t hxw : {1, 12, 600, 1100}) {
    const GradProblem problem = RandomGrad({2, 6, hxw, 2}, GetParam(), random());
    GradLayouts layouts = LayoutsOf(problem);
    layouts.dy.strides = layouts.x.strides = layouts.dx.strides = {6 * hxw, 1, 6};
    ExpectSameAsContiguous(problem, layouts);
  }
}

TEST_P(LayoutTest, EveryTensorStrided) {
  const GradProblem problem = RandomGrad({2, 6, 530, 3}, GetParam(), random());
  const GradLayouts dense = LayoutsOf(problem);
  const auto spread = [](Layout& layout) {
    layout.strides = ContiguousStrides(layout.dims);
    for (int64_t& stride : layout.strides) stride *= 3;
    layout.offset = 5;
  };
  for (Layout GradLayouts::*which :
       {&GradLayouts::dy, &GradLayouts::x, &GradLayouts::mean, &GradLayouts::rstd,
        &GradLayouts::gamma, &GradLayouts::dx, &GradLayouts::dgamma, &GradLayouts::dbeta}) {
    GradLayouts layouts = dense;
    spread(layouts.*which);
    ExpectSameAsContiguous(problem, layouts);
  }
  GradLayouts all = dense;
  for (Layout GradLayouts::*which :
       {&GradLayouts::dy, &GradLayouts::x, &GradLayouts::mean, &GradLayouts::rstd,
        &GradLayouts::gamma, &GradLayouts::dx, &GradLayouts::dgamma, &GradLayouts::dbeta}) {
    spread(all.*which);
  }
  ExpectSameAsContiguous(problem, all);
}

// A window of larger images, reversed rows, a repeated gradient.
TEST_P(LayoutTest, WindowsReversalsAndRepetition) {
  GradProblem problem = RandomGrad({2, 4, 21, 2}, GetParam(), random());
  GradLayouts layouts = LayoutsOf(problem);
  layouts.dy.dims = layouts.x.dims = layouts.dx.dims = {2, 4, 3, 7};
  layouts.x.strides = {4 * 90, 90, 10, 1};
  layouts.x.offset = 12;
  layouts.dx.strides = {-84, -21, -7, -1};
  layouts.dx.offset = 0;
  ExpectSameAsContiguous(problem, layouts);
  for (size_t i = 0; i < problem.dy.size(); ++i) problem.dy[i] = problem.dy[i % 7];
  layouts = LayoutsOf(problem);
  layouts.dy.dims = {24, 7};
  layouts.dy.strides = {0, 1};
  ExpectSameAsContiguous(problem, layouts);
}

// A strided group that threads share, cut into chunks.
TEST_P(LayoutTest, LargeStridedGroups) {
  const GradProblem problem = RandomGrad({1, 2, 40000, 1}, GetParam(), random());
  GradLayouts layouts = LayoutsOf(problem);
  layouts.dy.strides = layouts.dx.strides = {80000, 1, 2};
  layouts.x.strides = {80000, 40003, 1};
  ExpectSameAsContiguous(problem, layouts);
}

// gradInput in the memory of gradOut or of input.
TEST_P(LayoutTest, InPlace) {
  for (const GroupNormShape& shape : std::vector<GroupNormShape>{{3, 6, 77, 3}, {1, 2, 40000, 1}}) {
    const GradProblem problem = RandomGrad(shape, GetParam(), random());
    const GradResult expected = Run(problem);
    for (bool into_x : {false, true}) {
      const GradTensors t = MakeTensors(problem, LayoutsOf(problem));
      const Tensor& into = into_x ? t.x : t.dy;
      RunTwoPhase(
          [&](uint64_t* workspace_size, aclOpExecutor** executor) {
            return aclnnGroupNormBackwardGetWorkspaceSize(
                t.dy.handle(), t.x.handle(), t.mean.handle(), t.rstd.handle(), t.gamma->handle(),
                shape.n, shape.c, shape.hxw, shape.group, t.mask.handle(), into.handle(),
                t.dgamma.handle(), t.dbeta.handle(), workspace_size, executor);
          },
          &aclnnGroupNormBackward);
      EXPECT_EQ(ReadAs(into), expected.dx);
      EXPECT_EQ(ReadAs(t.dgamma), expected.dgamma);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, LayoutTest, ::testing::ValuesIn(AllTypePairs()),
                         [](const auto& info) { return NameOf(info.param); });

// Phase 1 reads no data: what counts is what the memory holds when phase 2 runs.
TEST_F(GroupNormTest, DataChangedBetweenThePhases) {
  const GradProblem first = RandomGrad({2, 6, 50, 3}, {}, random());
  const GradProblem second = RandomGrad({2, 6, 50, 3}, {}, random());
  GradTensors tensors = MakeTensors(first, LayoutsOf(first));
  const Prepared prepared = Prepare(tensors.Call());
  ASSERT_OK(prepared.code);
  WriteAs(tensors.dy, second.dy);
  WriteAs(tensors.x, second.x);
  WriteAs(tensors.mean, second.mean);
  WriteAs(tensors.rstd, second.rstd);
  WriteAs(*tensors.gamma, second.gamma);
  const Tensor workspace(
      {.dims = {static_cast<int64_t>(prepared.workspace_size)}, .dtype = ACL_UINT8});
  ASSERT_OK(aclnnGroupNormBackward(workspace.data(), prepared.workspace_size, prepared.executor,
                                   stream()));
  ASSERT_OK(aclrtSynchronizeStream(stream()));
  const GroupNormGradients expected = ReferenceOf(second);
  ExpectNear("gradInput", ReadAs(tensors.dx), expected.dx, ACL_FLOAT);
  ExpectNear("gradGammaOut", ReadAs(tensors.dgamma), expected.dgamma, ACL_FLOAT);
}

TEST_F(GroupNormTest, ExecutorsRunAgain) {
  const GradProblem problem = RandomGrad({2, 6, 50, 3}, {}, random());
  const GradTensors tensors = MakeTensors(problem, LayoutsOf(problem));
  const Prepared prepared = Prepare(tensors.Call());
  ASSERT_OK(prepared.code);
  ASSERT_OK(aclSetAclOpExecutorRepeatable(prepared.executor));
  const Tensor workspace(
      {.dims = {static_cast<int64_t>(prepared.workspace_size)}, .dtype = ACL_UINT8});
  std::vector<uint8_t> first;
  for (int run = 0; run < 3; ++run) {
    ASSERT_OK(aclrtMemset(tensors.dx.data(), 2400, 0xEE, 2400));
    ASSERT_OK(aclnnGroupNormBackward(workspace.data(), prepared.workspace_size, prepared.executor,
                                     stream()));
    ASSERT_OK(aclrtSynchronizeStream(stream()));
    if (run == 0) first = tensors.dx.Bytes();
    EXPECT_EQ(tensors.dx.Bytes(), first);
  }
  EXPECT_OK(aclDestroyAclOpExecutor(prepared.executor));
}

}  // namespace
}  // namespace anyacl::test
