// SPDX-License-Identifier: Apache-2.0
// Negative log likelihoods of rows and of pixels, and their gradients.
#include <cmath>

#include "aclnnop/aclnn_multilabel_margin_loss.h"
#include "aclnnop/aclnn_nll_loss.h"
#include "aclnnop/aclnn_nll_loss2d.h"
#include "aclnnop/aclnn_nll_loss2d_backward.h"
#include "aclnnop/aclnn_nll_loss_backward.h"
#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test::nll {
namespace {

// Rows [N, C] or pixels [N, C, H, W].
struct Case {
  aclDataType type;
  std::vector<int64_t> dims;
  std::vector<int64_t> strides = {};
  aclDataType target = ACL_INT64;
  bool zero_dims = true;  // of the results

  bool plane() const { return dims.size() == 4; }
  int64_t classes() const { return dims.size() == 1 ? dims[0] : dims[1]; }
  std::vector<int64_t> Rows() const {
    if (dims.size() == 1) return {};
    if (dims.size() == 2) return {dims[0]};
    return {dims[0], dims[2], dims[3]};
  }
};

class NllTest : public DeviceTest, public ::testing::WithParamInterface<aclDataType> {
 protected:
  static constexpr int64_t kIgnore = -100;

  // Element `target` of a row.
  static size_t At(const Case& c, size_t row, int64_t target) {
    const size_t inner = c.plane() ? static_cast<size_t>(c.dims[2] * c.dims[3]) : 1;
    const auto classes = static_cast<size_t>(c.classes());
    return (row / inner * classes + static_cast<size_t>(target)) * inner + row % inner;
  }

  static void ExpectNear(double actual, double expected, aclDataType type) {
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(actual));
      return;
    }
    EXPECT_LE(std::fabs(actual - expected),
              4 * 0x1p-24 * std::fabs(expected) + 1.01 * HalfUnitOf(type, expected))
        << actual << " instead of " << expected;
  }

  void ExpectCorrect(const Case& c, int64_t reduction) {
    SCOPED_TRACE(::testing::Message() << "rank " << c.dims.size() << " reduction " << reduction);
    const Layout layout{.dims = c.dims, .dtype = c.type, .strides = c.strides};
    const bool by_row = reduction == 0 && c.dims.size() > 1;
    const std::vector<int64_t> one = c.zero_dims ? std::vector<int64_t>{} : std::vector{int64_t{1}};
    Tensor self(layout), target({.dims = c.Rows(), .dtype = c.target});
    Tensor weight({.dims = {c.classes()}, .dtype = c.type, .strides = {2}});
    const Tensor out({.dims = by_row ? c.Rows() : one, .dtype = c.type});
    const Tensor total({.dims = one, .dtype = c.type});
    std::vector<double> xs, weights, targets;
    for (int64_t i = 0; i < self.count(); ++i) {
      xs.push_back(AsHeld(c.type, -static_cast<double>(random().Int(0, 200)) / 16));
    }
    for (int64_t i = 0; i < c.classes(); ++i) {
      weights.push_back(static_cast<double>(random().Int(1, 32)) / 16);
    }
    for (int64_t i = 0; i < target.count(); ++i) {
      const bool ignored = c.target != ACL_UINT8 && random().Int(0, 4) == 0;
      targets.push_back(static_cast<double>(ignored ? kIgnore : random().Int(0, c.classes() - 1)));
    }
    WriteAs(self, xs);
    WriteAs(weight, weights);
    WriteAs(target, targets);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          const auto phase1 =
              c.plane() ? aclnnNLLLoss2dGetWorkspaceSize : aclnnNLLLossGetWorkspaceSize;
          return phase1(self.handle(), target.handle(), weight.handle(), reduction, kIgnore,
                        out.handle(), total.handle(), s, e);
        },
        c.plane() ? aclnnNLLLoss2d : aclnnNLLLoss);
    double loss = 0, weight_sum = 0;
    const auto actual = ReadAs(out);
    for (size_t r = 0; r < targets.size(); ++r) {
      const auto t = static_cast<int64_t>(targets[r]);
      const double w = t == kIgnore ? 0 : weights[static_cast<size_t>(t)];
      const double own = t == kIgnore ? 0 : -w * xs[At(c, r, t)];
      loss += own;
      weight_sum += w;
      if (by_row) ExpectNear(actual[r], own, c.type);
    }
    if (!by_row) ExpectNear(actual[0], reduction == 1 ? loss / weight_sum : loss, c.type);
    ExpectNear(ReadAs(total)[0], by_row ? 0 : weight_sum, c.type);

    Tensor g({.dims = by_row ? c.Rows() : one, .dtype = c.type});
    Tensor given_total({.dims = one, .dtype = c.type});
    const Tensor dx(layout);
    std::vector<double> gs;
    for (int64_t i = 0; i < g.count(); ++i) {
      gs.push_back(static_cast<double>(random().Int(-16, 16)) / 8);
    }
    WriteAs(g, gs);
    WriteAs(given_total, {2.5});
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          if (c.plane()) {
            return aclnnNLLLoss2dBackwardGetWorkspaceSize(
                g.handle(), self.handle(), target.handle(), weight.handle(), reduction, kIgnore,
                given_total.handle(), dx.handle(), s, e);
          }
          return aclnnNLLLossBackwardGetWorkspaceSize(g.handle(), self.handle(), target.handle(),
                                                      weight.handle(), reduction, kIgnore,
                                                      given_total.handle(), dx.handle(), s, e);
        },
        c.plane() ? aclnnNLLLoss2dBackward : aclnnNLLLossBackward);
    EXPECT_TRUE(dx.GuardsIntact());
    std::vector<double> expected(xs.size(), 0.0);
    for (size_t r = 0; r < targets.size(); ++r) {
      const auto t = static_cast<int64_t>(targets[r]);
      if (t == kIgnore) continue;
      const double own = -gs[by_row ? r : 0] * weights[static_cast<size_t>(t)];
      expected[At(c, r, t)] = reduction == 1 ? own / 2.5 : own;
    }
    const auto gradients = ReadAs(dx);
    for (size_t i = 0; i < expected.size(); ++i) ExpectNear(gradients[i], expected[i], c.type);
  }
};

TEST_P(NllTest, RowsAndPixels) {
  const aclDataType type = GetParam();
  for (int64_t reduction : {0, 1, 2}) {
    ExpectCorrect({type, {3000, 7}}, reduction);
    ExpectCorrect({type, {5, 40}, {1, 6}, ACL_INT32, false}, reduction);
    ExpectCorrect({type, {5, 40}, {}, ACL_UINT8}, reduction);
    ExpectCorrect({type, {9}, {3}}, reduction);
    ExpectCorrect({type, {2, 4, 30, 50}}, reduction);
    ExpectCorrect({type, {2, 4, 3, 5}, {60, 1, 20, 4}, ACL_INT32, false}, reduction);
  }
}

INSTANTIATE_TEST_SUITE_P(Types, NllTest, ::testing::Values(ACL_FLOAT, ACL_FLOAT16, ACL_BF16));

class NllCallTest : public DeviceTest {
 protected:
  static Phase1 Mean(const Tensor& x, const Tensor& target, const Tensor& weight, const Tensor& out,
                     int64_t reduction = 1) {
    return [&, reduction](uint64_t* s, aclOpExecutor** e) {
      return aclnnNLLLossGetWorkspaceSize(x.handle(), target.handle(), weight.handle(), reduction,
                                          -100, out.handle(), out.handle(), s, e);
    };
  }
};

// Nothing counts: 0 / 0.
TEST_F(NllCallTest, AllRowsIgnored) {
  Tensor x({.dims = {2, 3}}), target({.dims = {2}, .dtype = ACL_INT64}), weight({.dims = {3}});
  const Tensor out({.dims = {}}), total({.dims = {}});
  WriteAs(target, {-100, -100});
  WriteAs(weight, {1, 1, 1});
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnNLLLossGetWorkspaceSize(x.handle(), target.handle(), weight.handle(), 1, -100,
                                            out.handle(), total.handle(), s, e);
      },
      aclnnNLLLoss);
  EXPECT_TRUE(std::isnan(ReadAs(out)[0]));
  EXPECT_EQ(ReadAs(total)[0], 0);
}

TEST_F(NllCallTest, TargetsBeyondTheClassesFailTheTask) {
  for (double bad : {3.0, -1.0}) {
    Tensor x({.dims = {2, 3}}), target({.dims = {2}, .dtype = ACL_INT64}), weight({.dims = {3}});
    const Tensor out({.dims = {}});
    WriteAs(target, {1, bad});
    Prepared call = Prepare(Mean(x, target, weight, out));
    ASSERT_EQ(call.code, 0);
    const DeviceBuffer workspace(call.workspace_size);
    ASSERT_EQ(aclnnNLLLoss(workspace.data(), call.workspace_size, call.executor, stream()), 0);
    EXPECT_NE(aclrtSynchronizeStream(stream()), 0);
    const std::string message = aclGetRecentErrMsg();
    EXPECT_NE(message.find("target[1]"), std::string::npos) << message;
    EXPECT_TRUE(out.GuardsIntact());
  }
}

TEST_F(NllCallTest, WrongArgumentsAreRefused) {
  const Tensor x({.dims = {2, 3}}), out({.dims = {}}), two({.dims = {2}}), weight({.dims = {3}});
  const Tensor target({.dims = {2}, .dtype = ACL_INT64}),
      long_target({.dims = {3}, .dtype = ACL_INT64});
  ExpectRefused(Mean(x, long_target, weight, out), 161002, {"target.shape", "[3]", "[2]"});
  ExpectRefused(Mean(x, target, two, out), 161002, {"weight", "2", "3"});
  ExpectRefused(Mean(x, target, weight, two), 161002, {"out.shape", "[2]"});
  ExpectRefused(Mean(x, target, weight, out, 3), 161002, {"reduction", "3"});
  const Tensor row({.dims = {3}}), one({.dims = {1}, .dtype = ACL_INT64});
  ExpectRefused(Mean(row, one, weight, out), 161002, {"target.shape", "[1]", "[]"});
}

class MultilabelTest : public DeviceTest {};

TEST_F(MultilabelTest, MarginsOfRows) {
  constexpr int64_t kRows = 5, kClasses = 7;
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (aclDataType target_type : {ACL_INT32, ACL_INT64}) {
      for (int64_t reduction : {0, 1, 2}) {
        SCOPED_TRACE(::testing::Message() << type << " " << target_type << " " << reduction);
        Tensor self({.dims = {kRows, kClasses}, .dtype = type, .strides = {1, kRows + 1}});
        Tensor target({.dims = {kRows, kClasses}, .dtype = target_type});
        Tensor named({.dims = {kRows, kClasses}, .dtype = type, .strides = {2, 2 * kRows}});
        Tensor out({.dims = reduction == 0 ? std::vector<int64_t>{kRows} : std::vector<int64_t>{},
                    .dtype = type});
        std::vector<double> x, classes, flags(kRows * kClasses), losses;
        for (int64_t i = 0; i < kRows * kClasses; ++i) {
          x.push_back(AsHeld(type, random().Uniform(-2, 2)));
          // Row r has r classes, one of them twice; behind the first -1 nothing counts.
          const int64_t row = i / kClasses, place = i % kClasses;
          classes.push_back(place < row    ? static_cast<double>((place % 3 + row) % kClasses)
                            : place == row ? -1
                                           : 3);
        }
        WriteAs(self, x);
        WriteAs(target, classes);
        for (size_t row = 0; row < kRows; ++row) {
          for (size_t i = 0; i < row; ++i) {
            flags[row * kClasses + static_cast<size_t>(classes[row * kClasses + i])] = 1;
          }
          double sum = 0;
          for (size_t i = 0; i < row; ++i) {
            const auto own = static_cast<size_t>(classes[row * kClasses + i]);
            for (size_t k = 0; k < kClasses; ++k) {
              if (flags[row * kClasses + k] != 0) continue;
              sum += std::fmax(0, 1 - x[row * kClasses + own] + x[row * kClasses + k]);
            }
          }
          losses.push_back(sum / kClasses);
        }
        if (reduction != 0) {
          double sum = 0;
          for (double loss : losses) sum += loss;
          losses = {reduction == 1 ? sum / kRows : sum};
        }
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              return aclnnMultilabelMarginLossGetWorkspaceSize(self.handle(), target.handle(),
                                                               reduction, out.handle(),
                                                               named.handle(), size, executor);
            },
            aclnnMultilabelMarginLoss);
        EXPECT_EQ(ReadAs(named), flags);
        const auto actual = ReadAs(out);
        ASSERT_EQ(actual.size(), losses.size());
        for (size_t i = 0; i < losses.size(); ++i) {
          EXPECT_LE(std::fabs(actual[i] - losses[i]),
                    0x1p-22 * losses[i] + 1.01 * HalfUnitOf(type, losses[i]));
        }
      }
    }
  }
}

// A number is a row of one class.
TEST_F(MultilabelTest, SingleNumbersAndNoRows) {
  Tensor self({.dims = {}}), target({.dims = {}, .dtype = ACL_INT64}), named({.dims = {}});
  Tensor out({.dims = {}}), none({.dims = {0, 3}}), no_target({.dims = {0, 3}, .dtype = ACL_INT64});
  Tensor no_names({.dims = {0}}), empty({.dims = {0}});
  WriteAs(self, {0.5});
  WriteAs(target, {0});
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnMultilabelMarginLossGetWorkspaceSize(
            self.handle(), target.handle(), 0, out.handle(), named.handle(), size, executor);
      },
      aclnnMultilabelMarginLoss);
  EXPECT_EQ(ReadAs(out), (std::vector<double>{0}));
  EXPECT_EQ(ReadAs(named), (std::vector<double>{1}));
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnMultilabelMarginLossGetWorkspaceSize(none.handle(), no_target.handle(), 0,
                                                         empty.handle(), no_names.handle(), size,
                                                         executor);
      },
      aclnnMultilabelMarginLoss);
}

TEST_F(MultilabelTest, WrongTargetsFailTheTask) {
  for (double wrong : {-2.0, 3.0}) {
    Tensor self({.dims = {3}}), target({.dims = {3}, .dtype = ACL_INT64});
    Tensor named({.dims = {3}}), out({.dims = {}});
    WriteAs(target, {0, wrong, -1});
    const auto before = named.Bytes();
    aclOpExecutor* executor = nullptr;
    uint64_t size = 0;
    ASSERT_EQ(
        aclnnMultilabelMarginLossGetWorkspaceSize(self.handle(), target.handle(), 1, out.handle(),
                                                  named.handle(), &size, &executor),
        0);
    Tensor workspace({.dims = {static_cast<int64_t>(size)}, .dtype = ACL_INT8});
    ASSERT_EQ(aclnnMultilabelMarginLoss(workspace.data(), size, executor, stream()), 0);
    EXPECT_NE(aclrtSynchronizeStream(stream()), 0);
    EXPECT_NE(std::string(aclGetRecentErrMsg()).find("expected -1 to 2"), std::string::npos);
    EXPECT_EQ(named.Bytes(), before);
  }
}

}  // namespace
}  // namespace anyacl::test::nll
