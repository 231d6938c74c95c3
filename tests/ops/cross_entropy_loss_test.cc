// SPDX-License-Identifier: Apache-2.0
// CrossEntropyLoss and its gradient against the documents' formulas in double precision.
#include <algorithm>
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_cross_entropy_loss.h"
#include "aclnnop/aclnn_cross_entropy_loss_grad.h"
#include "ops/moe_case.h"

namespace anyacl::test {
namespace {

using namespace moe;

struct Losing {
  int64_t rows = 7, classes = 12;
  aclDataType type = ACL_FLOAT, target_type = ACL_INT64;
  const char* reduction = "mean";
  int64_t ignore = -100;
  double smoothing = 0;
  bool weight = true, strided = false;
  bool mixed = false;  // logProb lies otherwise than input
};

class CrossEntropyLossTest : public MoeTest {
 protected:
  static bool Reduces(const Losing& c) {
    return c.reduction == nullptr || std::string_view(c.reduction) != "none";
  }
  static bool Averages(const Losing& c) {
    return c.reduction == nullptr || std::string_view(c.reduction) == "mean";
  }
  static char* TextOf(const Losing& c) { return const_cast<char*>(c.reduction); }

  // Of all rows: targets, of which every third is ignored if -1 is, and weights.
  struct Rows {
    Numbers input, target, weight, log_prob;
    double weight_sum = 0;
    bool Ignored(const Losing& c, int64_t row) const {
      return target[static_cast<size_t>(row)] == static_cast<double>(c.ignore);
    }
    double WeightOf(const Losing& c, int64_t row) const {
      return Ignored(c, row) ? 0 : weight[static_cast<size_t>(target[static_cast<size_t>(row)])];
    }
  };
  Rows Make(const Losing& c) {
    Rows r;
    r.input = Drawn(c.type, static_cast<size_t>(c.rows * c.classes), -9, 9);
    for (int64_t row = 0; row < c.rows; ++row) {
      r.target.push_back(c.ignore != -100 && row % 3 == 1
                             ? static_cast<double>(c.ignore)
                             : static_cast<double>(random().Int(0, c.classes - 1)));
    }
    r.weight = c.weight ? Drawn(ACL_FLOAT, static_cast<size_t>(c.classes), 0.1, 2)
                        : Numbers(static_cast<size_t>(c.classes), 1);
    for (int64_t row = 0; row < c.rows; ++row) {
      const auto begin = r.input.begin() + row * c.classes;
      const double max = *std::max_element(begin, begin + c.classes);
      double sum = 0;
      for (int64_t i = 0; i < c.classes; ++i) sum += std::exp(begin[i] - max);
      for (int64_t i = 0; i < c.classes; ++i) {
        r.log_prob.push_back(begin[i] - max - std::log(sum));
      }
      r.weight_sum += r.WeightOf(c, row);
    }
    return r;
  }

  static ::testing::Message Trace(const Losing& c) {
    return ::testing::Message() << c.rows << " x " << c.classes << " type " << c.type << " targets "
                                << c.target_type << " reduction "
                                << (c.reduction == nullptr ? "null" : c.reduction) << " ignore "
                                << c.ignore << " smoothing " << c.smoothing << " weight "
                                << c.weight << " strided " << c.strided << c.mixed;
  }

  void CheckLoss(const Losing& c) {
    SCOPED_TRACE(Trace(c));
    const Rows r = Make(c);
    const Shape shape = {c.rows, c.classes};
    const Shape losses = Reduces(c) ? Shape{1} : Shape{c.rows};
    const Tensor input = Holding(shape, c.type, r.input, c.strided);
    const Tensor target = Holding({c.rows}, c.target_type, r.target, c.strided);
    const Tensor weight = Holding({c.classes}, ACL_FLOAT, r.weight, c.strided);
    const Tensor loss = Made(losses, c.type, c.strided),
                 log_prob = Made(shape, c.type, c.strided != c.mixed);
    const Tensor zloss = Made({0}, c.type), lse = Made({3}, c.type);
    const std::vector<uint8_t> untouched = lse.Bytes();
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnCrossEntropyLossGetWorkspaceSize(
              input.handle(), target.handle(), c.weight ? weight.handle() : nullptr, TextOf(c),
              c.ignore, c.smoothing, 0, false, loss.handle(), log_prob.handle(), zloss.handle(),
              lse.handle(), s, e);
        },
        aclnnCrossEntropyLoss);
    const Numbers actual = ReadAs(loss), logs = ReadAs(log_prob);
    for (size_t i = 0; i < logs.size(); ++i) {
      ASSERT_NEAR(logs[i], r.log_prob[i], 1.01 * HalfUnitOf(c.type, r.log_prob[i]) + 1e-5) << i;
    }
    double sum = 0;
    for (int64_t row = 0; row < c.rows; ++row) {
      double one = 0, all = 0;
      if (!r.Ignored(c, row)) {
        const auto log = r.log_prob.begin() + row * c.classes;
        one = -r.WeightOf(c, row) * log[static_cast<int64_t>(r.target[static_cast<size_t>(row)])];
        for (int64_t i = 0; i < c.classes; ++i) all -= r.weight[static_cast<size_t>(i)] * log[i];
      }
      one = (1 - c.smoothing) * one + c.smoothing / static_cast<double>(c.classes) * all;
      sum += one;
      if (Reduces(c)) continue;
      ASSERT_NEAR(actual[static_cast<size_t>(row)], one,
                  1.01 * HalfUnitOf(c.type, one) + 1e-5 * (1 + one))
          << row;
    }
    if (Reduces(c)) {
      if (Averages(c)) sum /= r.weight_sum;
      if (std::isnan(sum)) {
        EXPECT_TRUE(std::isnan(actual[0]));
      } else {
        EXPECT_NEAR(actual[0], sum, 1.01 * HalfUnitOf(c.type, sum) + 1e-5 * (1 + sum));
      }
    }
    EXPECT_EQ(lse.Bytes(), untouched);
    EXPECT_TRUE(loss.GuardsIntact() && log_prob.GuardsIntact());
  }

  void CheckGradient(const Losing& c) {
    SCOPED_TRACE(Trace(c));
    const Rows r = Make(c);
    const Shape shape = {c.rows, c.classes};
    const Numbers log_prob = AsHeld(c.type, r.log_prob);
    const Numbers grads = Drawn(c.type, static_cast<size_t>(Reduces(c) ? 1 : c.rows), 0.5, 2);
    const Shape losses = !Reduces(c) ? Shape{c.rows} : c.strided ? Shape{1} : Shape{};
    const Tensor grad = Holding(losses, c.type, grads, c.strided);
    const Tensor logs = Holding(shape, c.type, log_prob, c.strided);
    const Tensor target = Holding({c.rows}, ACL_INT64, r.target, c.strided);
    const Tensor weight = Holding({c.classes}, ACL_FLOAT, r.weight, c.strided);
    const Tensor out = Made(shape, c.type, c.strided), zloss = Made({0}, c.type);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnCrossEntropyLossGradGetWorkspaceSize(
              grad.handle(), logs.handle(), target.handle(), c.weight ? weight.handle() : nullptr,
              nullptr, c.strided ? zloss.handle() : nullptr, TextOf(c), c.ignore, 0, 0,
              out.handle(), s, e);
        },
        aclnnCrossEntropyLossGrad);
    const Numbers actual = ReadAs(out);
    for (int64_t row = 0; row < c.rows; ++row) {
      const double g = grads[Reduces(c) ? 0 : static_cast<size_t>(row)];
      const double factor =
          r.Ignored(c, row) ? 0 : g * r.WeightOf(c, row) / (Averages(c) ? r.weight_sum : 1);
      for (int64_t i = 0; i < c.classes; ++i) {
        const auto at = static_cast<size_t>(row * c.classes + i);
        const bool is_target = static_cast<double>(i) == r.target[static_cast<size_t>(row)];
        const double exact = factor * (std::exp(log_prob[at]) - (is_target ? 1 : 0));
        ASSERT_NEAR(actual[at], exact, 1.01 * HalfUnitOf(c.type, exact) + 2e-6 * factor)
            << row << " " << i;
      }
    }
    EXPECT_TRUE(out.GuardsIntact());
  }
};

TEST_F(CrossEntropyLossTest, IsTheFormula) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (const char* reduction : {"mean", "sum", "none"}) {
      for (bool strided : {false, true}) {
        for (bool weight : {false, true}) {
          for (int64_t ignore : {-100, -1, 3}) {
            const Losing c = {.type = type,
                              .reduction = reduction,
                              .ignore = ignore,
                              .weight = weight,
                              .strided = strided};
            CheckLoss(c);
            CheckGradient(c);
            Losing mixed = c;
            mixed.mixed = true;
            CheckLoss(mixed);
            Losing smooth = c;
            smooth.smoothing = ignore == 3 ? 1 : 0.3;
            smooth.target_type = ACL_INT32;
            CheckLoss(smooth);
          }
        }
      }
      const Losing large = {.rows = 40, .classes = 5000, .type = type, .reduction = reduction};
      CheckLoss(large);
      CheckGradient(large);
    }
    CheckLoss({.classes = 1, .type = type, .reduction = nullptr});
    CheckGradient({.classes = 1, .type = type, .reduction = nullptr});
  }
}

// No rows: a sum of nothing, a mean of nothing.
TEST_F(CrossEntropyLossTest, NoRows) {
  for (const char* reduction : {"mean", "sum", "none"}) {
    CheckLoss({.rows = 0, .reduction = reduction});
    CheckGradient({.rows = 0, .reduction = reduction});
  }
}

TEST_F(CrossEntropyLossTest, TargetsBeyondTheClassesFailTheTask) {
  const Tensor input = Made({2, 4}, ACL_FLOAT), loss = Made({1}, ACL_FLOAT);
  const Tensor none = Made({0}, ACL_FLOAT), out = Made({2, 4}, ACL_FLOAT);
  const std::vector<uint8_t> untouched = out.Bytes();
  for (const auto& [wrong, words] :
       {std::pair{-1.0, "target[1] = -1"}, std::pair{4.0, "target[1] = 4"}}) {
    const Tensor target = Holding({2}, ACL_INT64, {1, wrong});
    ExpectTaskFails(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnCrossEntropyLossGetWorkspaceSize(
              input.handle(), target.handle(), nullptr, nullptr, -100, 0, 0, false, loss.handle(),
              out.handle(), none.handle(), none.handle(), s, e);
        },
        aclnnCrossEntropyLoss, words);
    ExpectTaskFails(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnCrossEntropyLossGradGetWorkspaceSize(
              loss.handle(), input.handle(), target.handle(), nullptr, nullptr, nullptr, nullptr,
              -100, 0, 0, out.handle(), s, e);
        },
        aclnnCrossEntropyLossGrad, words);
  }
  EXPECT_EQ(out.Bytes(), untouched);
}

TEST_F(CrossEntropyLossTest, RefusesWhatDoesNotFit) {
  const Tensor input = Made({2, 4}, ACL_FLOAT), loss = Made({1}, ACL_FLOAT);
  const Tensor none = Made({0}, ACL_FLOAT), out = Made({2, 4}, ACL_FLOAT);
  const Tensor target = Made({2}, ACL_INT64), three = Made({3}, ACL_INT64);
  const Tensor words = Made({2}, ACL_INT32), weight = Made({4}, ACL_FLOAT);
  const Tensor half = Made({4}, ACL_FLOAT16), halves = Made({2, 4}, ACL_FLOAT16);
  const Tensor each = Made({2}, ACL_FLOAT), no_class = Made({2, 0}, ACL_FLOAT);
  constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID, kTiling = ACLNN_ERR_INNER_TILING_ERROR;
  struct Wrong {
    const Tensor *input, *target, *weight, *loss, *log_prob, *zloss;
    const char* reduction = "mean";
    double smoothing = 0;
  };
  const auto handle = [](const Tensor* t) { return t != nullptr ? t->handle() : nullptr; };
  const auto refused = [&](const Wrong& w, int code,
                           std::initializer_list<std::string_view> expected) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnCrossEntropyLossGetWorkspaceSize(
              handle(w.input), handle(w.target), handle(w.weight), const_cast<char*>(w.reduction),
              -100, w.smoothing, 0, false, handle(w.loss), handle(w.log_prob), handle(w.zloss),
              none.handle(), s, e);
        },
        code, expected);
  };
  const Wrong right = {&input, &target, nullptr, &loss, &out, &none};
  const auto with = [&](auto change) {
    Wrong w = right;
    change(w);
    return w;
  };
  refused(with([&](Wrong& w) { w.zloss = nullptr; }), ACLNN_ERR_PARAM_NULLPTR, {"zlossOut"});
  refused(with([&](Wrong& w) { w.log_prob = &halves; }), kInvalid, {"logProbOut.dtype", "input"});
  refused(with([&](Wrong& w) { w.weight = &half; }), kInvalid, {"weightOptional.dtype"});
  refused(with([&](Wrong& w) { w.target = &three; }), kTiling, {"target.shape[0] = 3", "N = 2"});
  refused(with([&](Wrong& w) { w.weight = &each; }), kTiling, {"weightOptional", "C = 4"});
  refused(with([&](Wrong& w) { w.input = w.log_prob = &no_class; }), kTiling,
          {"input.shape[1] = 0"});
  refused(with([&](Wrong& w) { w.reduction = "max"; }), kTiling,
          {"reductionOptional = \"max\"", "\"mean\""});
  refused(with([&](Wrong& w) { w.reduction = "none"; }), kTiling, {"lossOut.shape = [1]", "[2]"});
  refused(with([&](Wrong& w) { w.loss = &each; }), kTiling, {"lossOut.shape = [2]", "[1] or []"});
  for (double smoothing : {-0.1, 1.5, double{NAN}}) {
    refused(with([&](Wrong& w) { w.smoothing = smoothing; }), kTiling,
            {"labelSmoothing", "0 to 1"});
  }
  const auto gradient = [&](const Tensor& grad, const Tensor& classes, const Tensor* lse,
                            double smoothing, int code,
                            std::initializer_list<std::string_view> expected) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnCrossEntropyLossGradGetWorkspaceSize(
              grad.handle(), input.handle(), classes.handle(), nullptr, nullptr, handle(lse),
              nullptr, -100, smoothing, 0, out.handle(), s, e);
        },
        code, expected);
  };
  gradient(loss, words, nullptr, 0, kInvalid, {"target.dtype = INT32"});
  gradient(loss, target, &half, 0, kInvalid, {"lseForZlossOptional.dtype = FLOAT16"});
  gradient(each, target, nullptr, 0, kTiling, {"gradLoss.shape = [2]", "[1] or []"});
  gradient(loss, target, nullptr, 0.1, kTiling, {"labelSmoothing = 0.1", "0"});
}

}  // namespace
}  // namespace anyacl::test
