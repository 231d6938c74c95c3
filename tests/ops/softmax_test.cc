// SPDX-License-Identifier: Apache-2.0
// Softmax, its logarithm and their gradients against the oracle: types, layouts, lengths of rows.
#include <cmath>
#include <limits>

#include "aclnnop/aclnn_logsoftmax.h"
#include "aclnnop/aclnn_logsoftmax_backward.h"
#include "aclnnop/aclnn_softmax.h"
#include "aclnnop/aclnn_softmax_backward.h"
#include "ops/rowwise_case.h"

namespace anyacl::test::rowwise {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

class SoftmaxTest : public RowwiseTest {
 protected:
  // A function of one tensor along a dimension, and its oracle; in place, too.
  template <class Phase1Of>
  void ExpectSoftmax(Phase1Of phase1, Phase2 phase2, Row (*oracle)(const Row&), double units,
                     double size) {
    for (const Case& c : Cases(GetParam())) {
      Tensor x(c.LayoutOf());
      const Tensor out(c.LayoutOf());
      const auto values = RandomValues(c.n * c.outer, c.type);
      WriteAs(x, values);
      const auto run = [&](aclTensor* to) {
        RunTwoPhase(
            [&](uint64_t* s, aclOpExecutor** e) { return phase1(x.handle(), c.dim(), to, s, e); },
            phase2);
      };
      run(out.handle());
      EXPECT_TRUE(out.GuardsIntact());
      SCOPED_TRACE(::testing::Message()
                   << c.n << " elements, first " << c.first << " gaps " << c.gaps);
      const auto actual = RowsOf(c, ReadAs(out));
      const auto rows = RowsOf(c, values);
      for (size_t r = 0; r < rows.size(); ++r) {
        // In double a row is summed one after the other.
        const double sum_units = c.type == ACL_DOUBLE ? static_cast<double>(c.n) : 0;
        ExpectNear(actual[r], oracle(rows[r]), c.type, units + sum_units, size);
      }
      run(x.handle());
      EXPECT_EQ(ReadAs(x), ReadAs(out));
    }
  }
};
TEST_P(SoftmaxTest, Softmax) {
  // The sum, one exponential of either side and two roundings.
  ExpectSoftmax(aclnnSoftmaxGetWorkspaceSize, aclnnSoftmax, Softmax, 40, 0);
}

TEST_P(SoftmaxTest, LogSoftmax) {
  ExpectSoftmax(aclnnLogSoftmaxGetWorkspaceSize, aclnnLogSoftmax, LogSoftmax, 30, 20);
}

INSTANTIATE_TEST_SUITE_P(Types, SoftmaxTest,
                         ::testing::Values(ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE));

class SoftmaxGradientTest : public RowwiseTest {};

TEST_P(SoftmaxGradientTest, TypesAndLayouts) {
  for (const Case& c : Cases(GetParam())) {
    Tensor g(c.LayoutOf()), y(c.LayoutOf());
    const Tensor out(c.LayoutOf());
    const auto gs = RandomValues(c.n * c.outer, c.type);
    std::vector<double> ys;
    for (int64_t i = 0; i < c.n * c.outer; ++i) {
      ys.push_back(AsHeld(c.type, random().Uniform(0, 1) / static_cast<double>(c.n)));
    }
    WriteAs(g, gs);
    WriteAs(y, ys);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnSoftmaxBackwardGetWorkspaceSize(g.handle(), y.handle(), c.dim(), out.handle(),
                                                      s, e);
        },
        aclnnSoftmaxBackward);
    auto actual = RowsOf(c, ReadAs(out));
    const auto g_rows = RowsOf(c, gs), y_rows = RowsOf(c, ys);
    for (size_t r = 0; r < g_rows.size(); ++r) {
      ExpectNear(actual[r], SoftmaxBackward(g_rows[r], y_rows[r]), c.type, 30,
                 8 / static_cast<double>(c.n));
    }
    for (double& value : ys) value = AsHeld(c.type, std::log(value + 1e-3));
    WriteAs(y, ys);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnLogSoftmaxBackwardGetWorkspaceSize(g.handle(), y.handle(), c.dim(),
                                                         out.handle(), s, e);
        },
        aclnnLogSoftmaxBackward);
    actual = RowsOf(c, ReadAs(out));
    const auto log_rows = RowsOf(c, ys);
    for (size_t r = 0; r < g_rows.size(); ++r) {
      ExpectNear(actual[r], LogSoftmaxBackward(g_rows[r], log_rows[r]), c.type, 40, 20);
    }
  }
}

// Gradients may become DOUBLE: they are those of FLOAT.
TEST_P(SoftmaxGradientTest, AsDouble) {
  const std::vector<int64_t> dims = {5, 37, 2};
  Tensor g({.dims = dims, .dtype = GetParam()}), y({.dims = dims, .dtype = GetParam()});
  const Tensor narrow({.dims = dims}),
      wide({.dims = dims, .dtype = ACL_DOUBLE, .strides = {1, 5, 185}});
  WriteAs(g, RandomValues(370, GetParam()));
  WriteAs(y, RandomValues(370, GetParam()));
  for (bool logarithm : {false, true}) {
    for (const Tensor* out : {&narrow, &wide}) {
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            const auto first = logarithm ? aclnnLogSoftmaxBackwardGetWorkspaceSize
                                         : aclnnSoftmaxBackwardGetWorkspaceSize;
            return first(g.handle(), y.handle(), 1, out->handle(), s, e);
          },
          logarithm ? aclnnLogSoftmaxBackward : aclnnSoftmaxBackward);
    }
    EXPECT_EQ(ReadAs(wide), ReadAs(narrow));
    EXPECT_TRUE(wide.GuardsIntact());
  }
}

INSTANTIATE_TEST_SUITE_P(Types, SoftmaxGradientTest,
                         ::testing::Values(ACL_FLOAT, ACL_FLOAT16, ACL_BF16));

class SoftmaxCallTest : public RowwiseTest {};

TEST_F(SoftmaxCallTest, SpecialValues) {
  const double inf = std::numeric_limits<double>::infinity();
  Tensor x({.dims = {4, 3}});
  const Tensor out({.dims = {4, 3}});
  WriteAs(x, {1, kNaN, 2, -inf, 0, -inf, -inf, -inf, -inf, 1000, 1000, -1000});
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnSoftmaxGetWorkspaceSize(x.handle(), 1, out.handle(), s, e);
      },
      aclnnSoftmax);
  const auto y = ReadAs(out);
  for (int i : {0, 1, 2, 6, 7, 8}) EXPECT_TRUE(std::isnan(y[i])) << i;
  EXPECT_EQ((Row{y[3], y[4], y[5], y[9], y[10], y[11]}), (Row{0, 1, 0, 0.5, 0.5, 0}));
}

TEST_F(SoftmaxCallTest, EmptyTensorsAndSingleNumbers) {
  for (std::vector<int64_t> dims : {std::vector<int64_t>{0, 3}, {3, 0}, {}}) {
    const Tensor x({.dims = dims}), out({.dims = dims});
    Tensor one({.dims = dims});
    if (dims.empty()) WriteAs(one, {5});
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnSoftmaxGetWorkspaceSize(one.handle(), -1, out.handle(), s, e);
        },
        aclnnSoftmax);
    if (dims.empty()) {
      EXPECT_EQ(ReadAs(out), Row{1});
    }
    EXPECT_TRUE(out.GuardsIntact());
  }
}

}  // namespace
}  // namespace anyacl::test::rowwise
