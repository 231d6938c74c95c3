// SPDX-License-Identifier: Apache-2.0
// Losses of pairs of elements and their gradients against the oracle: types, broadcasting, layouts,
// reductions.
#include "reference/loss.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "aclnnop/aclnn_binary_cross_entropy.h"
#include "aclnnop/aclnn_binary_cross_entropy_backward.h"
#include "aclnnop/aclnn_binary_cross_entropy_with_logits.h"
#include "aclnnop/aclnn_binary_cross_entropy_with_logits_backward.h"
#include "aclnnop/aclnn_binary_cross_entropy_with_logits_target_backward.h"
#include "aclnnop/aclnn_kl_div.h"
#include "aclnnop/aclnn_kl_div_backward.h"
#include "aclnnop/aclnn_kl_div_target_backward.h"
#include "aclnnop/aclnn_l1_loss.h"
#include "aclnnop/aclnn_l1_loss_backward.h"
#include "aclnnop/aclnn_mse_loss.h"
#include "aclnnop/aclnn_mse_loss_backward.h"
#include "aclnnop/aclnn_mse_loss_out.h"
#include "aclnnop/aclnn_smooth_l1_loss.h"
#include "aclnnop/aclnn_smooth_l1_loss_backward.h"
#include "aclnnop/aclnn_soft_margin_loss.h"
#include "aclnnop/aclnn_soft_margin_loss_backward.h"
#include "ops/loss_case.h"

namespace anyacl::test {
namespace {

struct Inputs {
  const aclTensor *g, *x, *y, *w, *pos_weight;
  int64_t reduction;
  aclTensor* out;
  float beta = 0.75f;  // of SmoothL1Loss; 1 has a kernel of its own
};

// All first phases behind one signature.
struct Loss {
  const char* name;
  aclnnStatus (*value)(const Inputs&, uint64_t*, aclOpExecutor**);
  Phase2 value2;
  aclnnStatus (*gradient)(const Inputs&, uint64_t*, aclOpExecutor**);
  Phase2 gradient2;
  bool probabilities = false;  // x and y are 0 to 1
  bool weighted = false;
  bool in_target = false;  // the gradient has the target's shape
  bool alike = false;      // x and y have one shape
};

template <auto kPhase1>
aclnnStatus Pair(const Inputs& i, uint64_t* s, aclOpExecutor** e) {
  return kPhase1(i.x, i.y, i.reduction, i.out, s, e);
}
template <auto kPhase1>
aclnnStatus PairGradient(const Inputs& i, uint64_t* s, aclOpExecutor** e) {
  return kPhase1(i.g, i.x, i.y, i.reduction, i.out, s, e);
}
template <bool kLog>
aclnnStatus Kl(const Inputs& i, uint64_t* s, aclOpExecutor** e) {
  return aclnnKlDivGetWorkspaceSize(i.x, i.y, i.reduction, kLog, i.out, s, e);
}
template <bool kLog>
aclnnStatus KlGradient(const Inputs& i, uint64_t* s, aclOpExecutor** e) {
  return aclnnKlDivBackwardGetWorkspaceSize(i.g, i.x, i.y, i.reduction, kLog, i.out, s, e);
}

template <bool kLog>
aclnnStatus KlTargetGradient(const Inputs& i, uint64_t* s, aclOpExecutor** e) {
  return aclnnKlDivTargetBackwardGetWorkspaceSize(i.g, i.x, i.y, i.reduction, kLog, i.out, s, e);
}

const std::vector<Loss>& AllLosses() {
  static const std::vector<Loss> kLosses = {
      {"MseLoss", Pair<aclnnMseLossGetWorkspaceSize>, aclnnMseLoss,
       PairGradient<aclnnMseLossBackwardGetWorkspaceSize>, aclnnMseLossBackward},
      {"L1Loss", Pair<aclnnL1LossGetWorkspaceSize>, aclnnL1Loss,
       PairGradient<aclnnL1LossBackwardGetWorkspaceSize>, aclnnL1LossBackward},
      {"SoftMarginLoss", Pair<aclnnSoftMarginLossGetWorkspaceSize>, aclnnSoftMarginLoss,
       PairGradient<aclnnSoftMarginLossBackwardGetWorkspaceSize>, aclnnSoftMarginLossBackward},
      {"SmoothL1Loss",
       [](const Inputs& i, uint64_t* s, aclOpExecutor** e) {
         return aclnnSmoothL1LossGetWorkspaceSize(i.x, i.y, i.reduction, i.beta, i.out, s, e);
       },
       aclnnSmoothL1Loss,
       [](const Inputs& i, uint64_t* s, aclOpExecutor** e) {
         return aclnnSmoothL1LossBackwardGetWorkspaceSize(i.g, i.x, i.y, i.reduction, i.beta, i.out,
                                                          s, e);
       },
       aclnnSmoothL1LossBackward},
      {"BinaryCrossEntropy",
       [](const Inputs& i, uint64_t* s, aclOpExecutor** e) {
         return aclnnBinaryCrossEntropyGetWorkspaceSize(i.x, i.y, i.w, i.reduction, i.out, s, e);
       },
       aclnnBinaryCrossEntropy,
       [](const Inputs& i, uint64_t* s, aclOpExecutor** e) {
         return aclnnBinaryCrossEntropyBackwardGetWorkspaceSize(i.g, i.x, i.y, i.w, i.reduction,
                                                                i.out, s, e);
       },
       aclnnBinaryCrossEntropyBackward, true, true},
      {"BinaryCrossEntropyWithLogits",
       [](const Inputs& i, uint64_t* s, aclOpExecutor** e) {
         return aclnnBinaryCrossEntropyWithLogitsGetWorkspaceSize(i.x, i.y, i.w, i.pos_weight,
                                                                  i.reduction, i.out, s, e);
       },
       aclnnBinaryCrossEntropyWithLogits,
       [](const Inputs& i, uint64_t* s, aclOpExecutor** e) {
         return aclnnBinaryCrossEntropyWithLogitsBackwardGetWorkspaceSize(
             i.g, i.x, i.y, i.w, i.pos_weight, i.reduction, i.out, s, e);
       },
       aclnnBinaryCrossEntropyWithLogitsBackward, false, true},
      {"BinaryCrossEntropyWithLogitsTarget",
       [](const Inputs& i, uint64_t* s, aclOpExecutor** e) {
         return aclnnBinaryCrossEntropyWithLogitsGetWorkspaceSize(i.x, i.y, i.w, i.pos_weight,
                                                                  i.reduction, i.out, s, e);
       },
       aclnnBinaryCrossEntropyWithLogits,
       [](const Inputs& i, uint64_t* s, aclOpExecutor** e) {
         return aclnnBinaryCrossEntropyWithLogitsTargetBackwardGetWorkspaceSize(
             i.g, i.x, i.y, i.w, i.pos_weight, i.reduction, i.out, s, e);
       },
       aclnnBinaryCrossEntropyWithLogitsTargetBackward, false, true, true, true},
      {"KlDiv", Kl<false>, aclnnKlDiv, KlGradient<false>, aclnnKlDivBackward, true},
      {"KlDivLog", Kl<true>, aclnnKlDiv, KlGradient<true>, aclnnKlDivBackward},
      {"KlDivTarget", Kl<false>, aclnnKlDiv, KlTargetGradient<false>, aclnnKlDivTargetBackward,
       true, false, true},
      {"KlDivTargetLog", Kl<true>, aclnnKlDiv, KlTargetGradient<true>, aclnnKlDivTargetBackward,
       false, false, true},
  };
  return kLosses;
}

class LossCaseTest : public loss::LossCase {
 protected:
  std::vector<double> Random(const Loss& loss, const Tensor& tensor) {
    std::vector<double> values;
    for (int64_t i = 0; i < tensor.count(); ++i) {
      // Few numbers: 0 and 1 among them, and equal ones.
      const double value = loss.probabilities ? static_cast<double>(random().Int(0, 64)) / 64
                                              : static_cast<double>(random().Int(-64, 64)) / 16;
      values.push_back(AsHeld(tensor.layout().dtype, value));
    }
    return values;
  }

  struct Problem {
    Layout x, y;
    bool weights = false;
    float beta = 0.75f;
  };

  void ExpectCorrect(const Loss& loss, const Problem& p, aclDataType out_type) {
    Tensor x(p.x), y(p.y);
    std::vector<int64_t> dims = p.x.dims;
    for (size_t i = 0; i < dims.size(); ++i) dims[i] = std::max(dims[i], p.y.dims[i]);
    Tensor w({.dims = {dims.back()}, .dtype = p.x.dtype}), pos({.dims = {1}, .dtype = p.x.dtype});
    Tensor g({.dims = dims, .dtype = p.x.dtype}), g_one({.dims = {}, .dtype = p.x.dtype});
    const auto xs = Random(loss, x), ys = Random(loss, y), ws = Random(loss, w);
    const auto poss = Random(loss, pos), gs = Random(loss, g);
    WriteAs(x, xs);
    WriteAs(y, ys);
    WriteAs(w, ws);
    WriteAs(pos, poss);
    WriteAs(g, gs);
    WriteAs(g_one, {1.5});
    const bool weighted = p.weights && loss.weighted;
    const auto terms = [&](size_t i) {
      LossTerms t = {xs[At(i, dims, p.x.dims)], ys[At(i, dims, p.y.dims)]};
      if (weighted) t.w = ws[At(i, dims, {dims.back()})];
      if (weighted) t.pos_weight = poss[0];
      t.beta = double{p.beta};
      return t;
    };
    Inputs inputs = {nullptr,
                     x.handle(),
                     y.handle(),
                     weighted ? w.handle() : nullptr,
                     weighted ? pos.handle() : nullptr,
                     0,
                     nullptr,
                     p.beta};
    const auto run = [&](auto phase1, Phase2 phase2, const Tensor& out) {
      inputs.out = out.handle();
      RunTwoPhase([&](uint64_t* s, aclOpExecutor** e) { return phase1(inputs, s, e); }, phase2);
      EXPECT_TRUE(out.GuardsIntact());
      return ReadAs(out);
    };
    const auto near = [&](double actual, double expected, double size) {
      if (std::isinf(AsHeld(out_type, expected))) {
        ASSERT_EQ(actual, AsHeld(out_type, expected));
        return;
      }
      ASSERT_LE(std::fabs(actual - expected),
                24 * 0x1p-24 * (std::fabs(expected) + size) + 1.01 * HalfUnitOf(out_type, expected))
          << loss.name << ": " << actual << " instead of " << expected;
    };
    const Tensor every({.dims = dims, .dtype = out_type}), one({.dims = {}, .dtype = out_type});
    const auto count = static_cast<size_t>(every.count());
    double sum = 0, size = 0;
    const auto values = run(loss.value, loss.value2, every);
    for (size_t i = 0; i < count; ++i) {
      const double expected = LossValue(loss.name, terms(i));
      near(values[i], expected, 8);
      sum += expected;
      size += std::fabs(expected) + 8;
    }
    inputs.reduction = 1;
    near(run(loss.value, loss.value2, one)[0], sum / double(count), size / double(count));
    inputs.reduction = 2;
    near(run(loss.value, loss.value2, one)[0], sum, size);
    for (int reduction : {0, 1, 2}) {
      inputs.reduction = reduction;
      inputs.g = reduction == 0 ? g.handle() : g_one.handle();
      const auto gradients = run(loss.gradient, loss.gradient2, every);
      for (size_t i = 0; i < count; ++i) {
        const size_t averaged = loss.in_target ? count : xs.size();
        const double by = (reduction == 0 ? gs[i] : 1.5) / (reduction == 1 ? double(averaged) : 1);
        near(gradients[i], LossGradient(loss.name, terms(i)) * by, 8 * std::fabs(by));
      }
    }
  }
};

class EveryLoss : public LossCaseTest, public ::testing::WithParamInterface<Loss> {
 protected:
  void ExpectCorrect(const Problem& p, aclDataType out_type) {
    LossCaseTest::ExpectCorrect(GetParam(), p, out_type);
  }
};

TEST_P(EveryLoss, TypesShapesAndLayouts) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (int64_t n : {1, 17, 512, 2047, 2049, 9000}) {
      ExpectCorrect({{.dims = {n}, .dtype = type}, {.dims = {n}, .dtype = type}, n % 2 == 1}, type);
    }
    const std::vector<int64_t> dims = {3, 40, 5};
    ExpectCorrect({{.dims = dims, .dtype = type, .strides = {1, 3, 120}},
                   {.dims = dims, .dtype = type, .strides = {-200, 5, 1}, .offset = 400},
                   true},
                  type);
    const std::vector<int64_t> few = {3, 1, 5};
    const bool in_target = GetParam().in_target;
    if (!GetParam().alike) {
      ExpectCorrect({{.dims = in_target ? few : dims, .dtype = type},
                     {.dims = in_target ? dims : few, .dtype = type}},
                    type);
    }
    if (type != ACL_FLOAT && GetParam().name == std::string_view("BinaryCrossEntropy")) continue;
    ExpectCorrect({{.dims = dims, .dtype = type}, {.dims = dims, .dtype = ACL_FLOAT}}, ACL_FLOAT);
  }
}

TEST_P(EveryLoss, EmptyTensors) {
  const Loss& loss = GetParam();
  const Tensor x({.dims = {0, 3}}), one({.dims = {1}});
  const auto run = [&](int64_t reduction, const Tensor& out) {
    const Inputs inputs = {nullptr, x.handle(), x.handle(),  nullptr,
                           nullptr, reduction,  out.handle()};
    RunTwoPhase([&](uint64_t* s, aclOpExecutor** e) { return loss.value(inputs, s, e); },
                loss.value2);
  };
  run(0, x);
  run(2, one);
  EXPECT_EQ(ReadAs(one)[0], 0);
  run(1, one);
  EXPECT_TRUE(std::isnan(ReadAs(one)[0]));
}

TEST_P(EveryLoss, WrongArgumentsAreRefused) {
  const Loss& loss = GetParam();
  const Tensor x({.dims = {2, 3}}), y({.dims = {2, 2}}), one({.dims = {1}});
  const auto refused = [&](const Tensor& target, int64_t reduction, const Tensor& out,
                           std::initializer_list<std::string_view> words) {
    const Inputs inputs = {x.handle(), x.handle(), target.handle(), nullptr,
                           nullptr,    reduction,  out.handle()};
    ExpectRefused([&](uint64_t* s, aclOpExecutor** e) { return loss.value(inputs, s, e); }, 161002,
                  words);
  };
  refused(y, 0, x, {"target.shape", "[2, 2]"});
  refused(x, 0, one, {"[1]", "[2, 3]"});
  refused(x, 1, x, {"[2, 3]", "[]"});
  // Which takes any other number for the sum.
  const bool any = loss.name == std::string_view("SoftMarginLoss");
  refused(x, 4, x, {any ? "[] or [1]" : "reduction is 4"});
}

INSTANTIATE_TEST_SUITE_P(All, EveryLoss, ::testing::ValuesIn(AllLosses()),
                         [](const auto& info) { return std::string(info.param.name); });

class LossTest : public LossCaseTest {};

TEST_F(LossTest, SmoothL1LossWithBetaOfOne) {
  const auto& losses = AllLosses();
  const auto loss = std::find_if(losses.begin(), losses.end(), [](const Loss& l) {
    return l.name == std::string_view("SmoothL1Loss");
  });
  ASSERT_NE(loss, losses.end());
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    ExpectCorrect(
        *loss,
        {.x = {.dims = {2049}, .dtype = type}, .y = {.dims = {2049}, .dtype = type}, .beta = 1},
        type);
  }
}

// Reduced over the first dimension alone.
TEST_F(LossTest, MseLossOut) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    Tensor x({.dims = {7, 1, 5}, .dtype = type}),
        y({.dims = {3, 5}, .dtype = ACL_FLOAT16, .strides = {1, 3}});
    const auto xs = Drawn(x), ys = Drawn(y);
    for (int64_t reduction : {0, 1, 2}) {
      std::vector<int64_t> dims = {7, 3, 5};
      if (reduction != 0) dims.erase(dims.begin());
      const Tensor out({.dims = dims, .dtype = type});
      const auto actual = Run(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnMseLossOutGetWorkspaceSize(x.handle(), y.handle(), reduction, out.handle(),
                                                   s, e);
          },
          aclnnMseLossOut, out);
      std::vector<double> expected(actual.size());
      for (size_t i = 0; i < 105; ++i) {
        const LossTerms terms = {xs[i / 15 * 5 + i % 5], ys[i % 15]};
        expected[i % expected.size()] += LossValue("MseLoss", terms) / (reduction == 1 ? 7 : 1);
      }
      for (size_t i = 0; i < actual.size(); ++i) {
        ASSERT_NEAR(actual[i], expected[i], 1e-5 + 1.01 * HalfUnitOf(type, expected[i]));
      }
    }
  }
  const Tensor x({.dims = {0, 3}}), row({.dims = {3}}), wrong({.dims = {2}});
  const auto call = [&](int64_t reduction, const Tensor& out) {
    return [&, reduction](uint64_t* s, aclOpExecutor** e) {
      return aclnnMseLossOutGetWorkspaceSize(x.handle(), x.handle(), reduction, out.handle(), s, e);
    };
  };
  EXPECT_EQ(Run(call(2, row), aclnnMseLossOut, row), std::vector<double>(3));
  EXPECT_TRUE(std::isnan(Run(call(1, row), aclnnMseLossOut, row)[0]));
  ExpectRefused(call(1, wrong), 161002, {"out.shape = [2]", "[3]"});
  ExpectRefused(call(3, row), 161002, {"reduction is 3"});
}

TEST_F(LossTest, InputsThatBroadcastToTooMuchAreRefused) {
  constexpr int64_t kMany = int64_t{1} << 40;
  const Tensor column({.dims = {kMany, 1}, .strides = {0, 0}});
  const Tensor row({.dims = {1, kMany}, .strides = {0, 0}}), one({.dims = {}});
  for (int64_t reduction : {1, 2}) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMseLossGetWorkspaceSize(column.handle(), row.handle(), reduction,
                                              one.handle(), s, e);
        },
        161002, {"broadcast to [1099511627776, 1099511627776]"});
  }
}

TEST_F(LossTest, L1LossOfIntegers) {
  Tensor x({.dims = {3}, .dtype = ACL_INT64}), y({.dims = {3}, .dtype = ACL_INT64});
  const Tensor every({.dims = {3}, .dtype = ACL_INT64}), one({.dims = {}, .dtype = ACL_INT64});
  x.Write<int64_t>({1, INT64_MAX, -5});
  y.Write<int64_t>({4, INT64_MAX - 1, -5});
  const auto run = [&](const Tensor& out, int64_t reduction) {
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnL1LossGetWorkspaceSize(x.handle(), y.handle(), reduction, out.handle(), s, e);
        },
        aclnnL1Loss);
    return out.Read<int64_t>();
  };
  EXPECT_EQ(run(every, 0), (std::vector<int64_t>{3, 1, 0}));
  EXPECT_EQ(run(one, 2), (std::vector<int64_t>{4}));
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnL1LossGetWorkspaceSize(x.handle(), y.handle(), 1, one.handle(), s, e);
      },
      161002, {"INT64", "mean"});
}

// Where exponentials overflow and logarithms of small numbers lose their bits.
TEST_F(LossTest, ExtremeLogits) {
  Tensor x({.dims = {5}}), y({.dims = {5}});
  const Tensor out({.dims = {5}});
  WriteAs(x, {1000, -1000, 30, -30, 1e-6});
  WriteAs(y, {1, 1, 1, 0, 0.5});
  const auto logits = Run(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnBinaryCrossEntropyWithLogitsGetWorkspaceSize(x.handle(), y.handle(), nullptr,
                                                                 nullptr, 0, out.handle(), s, e);
      },
      aclnnBinaryCrossEntropyWithLogits, out);
  EXPECT_EQ(logits[0], 0);
  EXPECT_EQ(logits[1], 1000);
  EXPECT_NEAR(logits[2] / std::exp(-30), 1, 1e-6);
  EXPECT_NEAR(logits[3] / std::exp(-30), 1, 1e-6);
  WriteAs(x, {1e-10, 1 - 0x1p-24, 0, 1, 0.5});
  WriteAs(y, {0, 1, 1, 0, 0.5});
  const auto bce = Run(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnBinaryCrossEntropyGetWorkspaceSize(x.handle(), y.handle(), nullptr, 0,
                                                       out.handle(), s, e);
      },
      aclnnBinaryCrossEntropy, out);
  EXPECT_NEAR(bce[0] / 1e-10, 1, 1e-6);
  EXPECT_NEAR(bce[1] / 0x1p-24, 1, 1e-6);
  EXPECT_EQ(bce[2], 100);
  EXPECT_EQ(bce[3], 100);
}

}  // namespace
}  // namespace anyacl::test
