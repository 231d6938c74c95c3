// SPDX-License-Identifier: Apache-2.0
// Cross entropy in parts against the documents' formulas in double precision.
#include <algorithm>
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_fused_cross_entropy_loss_with_max_sum.h"
#include "aclnnop/aclnn_fused_linear_cross_entropy_loss_grad.h"
#include "aclnnop/aclnn_fused_linear_online_max_sum.h"
#include "ops/moe_case.h"

namespace anyacl::test {
namespace {

using namespace moe;

struct Part {
  int64_t rows = 13, width = 24, classes = 10;
  int64_t start = 4, end = 11;
  aclDataType type = ACL_FLOAT16, index = ACL_INT64;
  bool logits = true, strided = false;
};

struct Gradient {
  int64_t rows = 13, width = 24, classes = 130;
  aclDataType type = ACL_FLOAT16, index = ACL_INT64;
  bool softmax = true, strided = false, bools = false;
};

class MaxSumTest : public MoeTest {
 protected:
  static size_t At(int64_t row, int64_t columns, int64_t column) {
    return static_cast<size_t>(row * columns + column);
  }
  // [rows, classes] of input @ weight^T.
  static Numbers Logits(const Numbers& input, const Numbers& weight, int64_t rows, int64_t width,
                        int64_t classes) {
    Numbers z;
    for (int64_t row = 0; row < rows; ++row) {
      for (int64_t c = 0; c < classes; ++c) {
        double sum = 0;
        for (int64_t i = 0; i < width; ++i) {
          sum += input[At(row, width, i)] * weight[At(c, width, i)];
        }
        z.push_back(sum);
      }
    }
    return z;
  }

  void CheckPart(const Part& c) {
    SCOPED_TRACE(::testing::Message()
                 << c.rows << " x " << c.width << " x " << c.classes << " from " << c.start
                 << " to " << c.end << " type " << c.type << " index " << c.index << " logits "
                 << c.logits << " strided " << c.strided);
    const Numbers input = Drawn(c.type, static_cast<size_t>(c.rows * c.width), -1, 1);
    const Numbers weight = Drawn(c.type, static_cast<size_t>(c.classes * c.width), -1, 1);
    Numbers target;
    for (int64_t row = 0; row < c.rows; ++row) {
      target.push_back(static_cast<double>(row == 0   ? c.start
                                           : row == 1 ? c.end
                                           : row == 2 ? c.end + 1
                                           : row == 3 ? c.start - 1
                                                      : random().Int(0, c.end + 5)));
    }
    const Tensor x = Holding({c.rows, c.width}, c.type, input, c.strided);
    const Tensor w = Holding({c.classes, c.width}, c.type, weight, c.strided);
    const Tensor t = Holding({c.rows}, c.index, target, c.strided);
    const Tensor max = Made({c.rows}, ACL_FLOAT, c.strided);
    const Tensor sum = Made({c.rows}, ACL_FLOAT, c.strided);
    const Tensor predicted = Made({c.rows}, ACL_FLOAT, c.strided);
    const Tensor mask = Made({(c.rows + 7) / 8}, ACL_UINT8, c.strided);
    const Tensor masked = Made({c.rows}, c.index, c.strided);
    const Tensor logits = Made({c.rows, c.classes}, c.type, c.strided);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnFusedLinearOnlineMaxSumGetWorkspaceSize(
              x.handle(), w.handle(), t.handle(), c.start, c.end, max.handle(), sum.handle(),
              predicted.handle(), mask.handle(), masked.handle(),
              c.logits ? logits.handle() : nullptr, s, e);
        },
        aclnnFusedLinearOnlineMaxSum);
    const Numbers z = Logits(input, weight, c.rows, c.width, c.classes);
    const Numbers maxima = ReadAs(max), sums = ReadAs(sum), chosen = ReadAs(predicted);
    const Numbers places = ReadAs(masked), written = ReadAs(logits);
    const std::vector<uint8_t> bytes = mask.Read<uint8_t>();
    const double unit = 1e-6 * static_cast<double>(c.width + 1);
    for (int64_t row = 0; row < c.rows; ++row) {
      const auto r = static_cast<size_t>(row);
      const auto of_row = z.begin() + row * c.classes;
      const double most = *std::max_element(of_row, of_row + c.classes);
      double all = 0;
      for (int64_t i = 0; i < c.classes; ++i) all += std::exp(of_row[i] - most);
      const auto named = static_cast<int64_t>(target[r]);
      const bool foreign = named < c.start || named > c.end;
      ASSERT_NEAR(maxima[r], most, unit) << row;
      ASSERT_NEAR(sums[r], all, 4 * unit * all) << row;
      ASSERT_EQ(places[r], foreign ? 0 : static_cast<double>(named - c.start)) << row;
      ASSERT_NEAR(chosen[r], foreign ? 0 : of_row[named - c.start] - most, 2 * unit) << row;
      ASSERT_EQ(bytes[r / 8] >> (r % 8) & 1, foreign ? 1 : 0) << row;
    }
    for (size_t bit = static_cast<size_t>(c.rows); bit < bytes.size() * 8; ++bit) {
      ASSERT_EQ(bytes[bit / 8] >> (bit % 8) & 1, 1) << bit;
    }
    for (size_t i = 0; c.logits && i < z.size(); ++i) {
      ASSERT_NEAR(written[i], z[i], 1.01 * HalfUnitOf(c.type, z[i]) + unit) << i;
    }
    EXPECT_TRUE(max.GuardsIntact() && sum.GuardsIntact() && predicted.GuardsIntact());
    EXPECT_TRUE(mask.GuardsIntact() && masked.GuardsIntact() && logits.GuardsIntact());
  }

  void CheckLoss(int64_t rows, int64_t classes, aclDataType type, bool softmax, bool strided) {
    SCOPED_TRACE(::testing::Message() << rows << " x " << classes << " type " << type << " softmax "
                                      << softmax << " strided " << strided);
    const Numbers max = Drawn(ACL_FLOAT, static_cast<size_t>(rows), 1, 3);
    const Numbers sum = Drawn(ACL_FLOAT, static_cast<size_t>(rows), 1, 50);
    const Numbers predicted = Drawn(ACL_FLOAT, static_cast<size_t>(rows), -5, 0);
    const Numbers logits = Drawn(type, static_cast<size_t>(rows * classes), -6, 1);
    const Tensor max_in = Holding({rows}, ACL_FLOAT, max, strided);
    const Tensor sum_in = Holding({rows}, ACL_FLOAT, sum, strided);
    const Tensor predicted_in = Holding({rows}, ACL_FLOAT, predicted, strided);
    const Tensor logits_in = Holding({rows, classes}, type, logits, strided);
    const Tensor loss = Made({rows}, ACL_FLOAT, strided);
    const Tensor out = Made({rows, classes}, ACL_FLOAT, strided);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          // What there is no use for is ignored, whatever it is: clients pass it.
          return aclnnFusedCrossEntropyLossWithMaxSumGetWorkspaceSize(
              max_in.handle(), sum_in.handle(), predicted_in.handle(), 0,
              strided ? logits_in.handle() : nullptr, nullptr,
              softmax ? logits_in.handle() : nullptr, loss.handle(),
              softmax ? out.handle() : nullptr, s, e);
        },
        aclnnFusedCrossEntropyLossWithMaxSum);
    const Numbers losses = ReadAs(loss), shares = ReadAs(out);
    for (int64_t row = 0; row < rows; ++row) {
      const auto r = static_cast<size_t>(row);
      const double exact = std::log(sum[r]) - predicted[r];
      ASSERT_NEAR(losses[r], exact, 1e-6 * (1 + std::fabs(exact))) << row;
      for (int64_t i = 0; softmax && i < classes; ++i) {
        const double share = std::exp(logits[At(row, classes, i)] - max[r]) / sum[r];
        ASSERT_NEAR(shares[At(row, classes, i)], share, 3e-6 * share) << row << " " << i;
      }
    }
    EXPECT_TRUE(loss.GuardsIntact() && out.GuardsIntact());
  }

  void CheckGradient(const Gradient& c) {
    SCOPED_TRACE(::testing::Message()
                 << c.rows << " x " << c.width << " x " << c.classes << " type " << c.type
                 << " index " << c.index << " softmax " << c.softmax << " strided " << c.strided);
    const Numbers input = Drawn(c.type, static_cast<size_t>(c.rows * c.width), -1, 1);
    const Numbers weight = Drawn(c.type, static_cast<size_t>(c.classes * c.width), -1, 1);
    const Numbers grad = Drawn(ACL_FLOAT, static_cast<size_t>(c.rows), -2, 2);
    const Numbers z = Logits(input, weight, c.rows, c.width, c.classes);
    Numbers target, bytes(static_cast<size_t>((c.rows + 7) / 8), 0), bools, max, sum, softmax;
    for (int64_t row = 0; row < c.rows; ++row) {
      const bool foreign = row % 3 == 1;
      target.push_back(static_cast<double>(foreign ? 0 : random().Int(0, c.classes - 1)));
      if (foreign) bytes[static_cast<size_t>(row / 8)] += 1 << (row % 8);
      bools.push_back(foreign ? 1 : 0);
      const auto of_row = z.begin() + row * c.classes;
      max.push_back(AsHeld(ACL_FLOAT, *std::max_element(of_row, of_row + c.classes) + 0.5));
      double all = 3;  // another rank's
      for (int64_t i = 0; i < c.classes; ++i) all += std::exp(of_row[i] - max.back());
      sum.push_back(AsHeld(ACL_FLOAT, all));
      for (int64_t i = 0; i < c.classes; ++i) {
        softmax.push_back(AsHeld(ACL_FLOAT, std::exp(of_row[i] - max.back()) / sum.back()));
      }
    }
    const Tensor g = Holding({c.rows}, ACL_FLOAT, grad, c.strided);
    const Tensor x = Holding({c.rows, c.width}, c.type, input, c.strided);
    const Tensor w = Holding({c.classes, c.width}, c.type, weight, c.strided);
    const Tensor mask =
        c.bools ? Holding({c.rows}, ACL_BOOL, bools, c.strided)
                : Holding({static_cast<int64_t>(bytes.size())}, ACL_UINT8, bytes, c.strided);
    const Tensor t = Holding({c.rows}, c.index, target, c.strided);
    const Tensor max_in = Holding({c.rows}, ACL_FLOAT, max, c.strided);
    const Tensor sum_in = Holding({c.rows}, ACL_FLOAT, sum, c.strided);
    const Tensor softmax_in = Holding({c.rows, c.classes}, ACL_FLOAT, softmax, c.strided);
    const Tensor x_grad = Made({c.rows, c.width}, c.type, c.strided);
    const Tensor w_grad = Made({c.classes, c.width}, c.type, c.strided);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnFusedLinearCrossEntropyLossGradGetWorkspaceSize(
              g.handle(), x.handle(), w.handle(), mask.handle(), t.handle(), 0,
              c.softmax ? nullptr : max_in.handle(), c.softmax ? nullptr : sum_in.handle(),
              c.softmax ? softmax_in.handle() : nullptr, x_grad.handle(), w_grad.handle(), s, e);
        },
        aclnnFusedLinearCrossEntropyLossGrad);
    Numbers of_logits = softmax;
    for (int64_t row = 0; row < c.rows; ++row) {
      const auto r = static_cast<size_t>(row);
      if (row % 3 != 1) of_logits[At(row, c.classes, static_cast<int64_t>(target[r]))] -= 1;
      for (int64_t i = 0; i < c.classes; ++i) of_logits[At(row, c.classes, i)] *= grad[r];
    }
    const auto near = [&](double actual, double exact, double size) {
      return std::fabs(actual - exact) <= 1.01 * HalfUnitOf(c.type, exact) + 1e-5 * (size + 1e-3);
    };
    const Numbers x_actual = ReadAs(x_grad), w_actual = ReadAs(w_grad);
    for (int64_t row = 0; row < c.rows; ++row) {
      for (int64_t i = 0; i < c.width; ++i) {
        double exact = 0, size = 0;
        for (int64_t k = 0; k < c.classes; ++k) {
          const double term = of_logits[At(row, c.classes, k)] * weight[At(k, c.width, i)];
          exact += term, size += std::fabs(term);
        }
        ASSERT_PRED3(near, x_actual[At(row, c.width, i)], exact, size) << row << " " << i;
      }
    }
    for (int64_t k = 0; k < c.classes; ++k) {
      for (int64_t i = 0; i < c.width; ++i) {
        double exact = 0, size = 0;
        for (int64_t row = 0; row < c.rows; ++row) {
          const double term = of_logits[At(row, c.classes, k)] * input[At(row, c.width, i)];
          exact += term, size += std::fabs(term);
        }
        ASSERT_PRED3(near, w_actual[At(k, c.width, i)], exact, size) << k << " " << i;
      }
    }
    EXPECT_TRUE(x_grad.GuardsIntact() && w_grad.GuardsIntact());
  }
};

// Wherever it stands, the largest logit and the sum are none either.
TEST_F(MaxSumTest, ALogitThatIsNoNumber) {
  constexpr int64_t kRows = 3, kWidth = 4, kClasses = 75;
  for (const int64_t place : {0, 13, 40, 63, 64, 74}) {
    const Numbers input = Drawn(ACL_FLOAT16, kRows * kWidth, 0.5, 1);
    Numbers weight = Drawn(ACL_FLOAT16, kClasses * kWidth, -1, 1);
    weight[At(place, kWidth, 1)] = std::nan("");
    const Tensor x = Holding({kRows, kWidth}, ACL_FLOAT16, input, false);
    const Tensor w = Holding({kClasses, kWidth}, ACL_FLOAT16, weight, false);
    const Tensor t = Holding({kRows}, ACL_INT64, Numbers(kRows, 0), false);
    const Tensor max = Made({kRows}, ACL_FLOAT, false), sum = Made({kRows}, ACL_FLOAT, false);
    const Tensor predicted = Made({kRows}, ACL_FLOAT, false);
    const Tensor mask = Made({1}, ACL_UINT8, false), masked = Made({kRows}, ACL_INT64, false);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnFusedLinearOnlineMaxSumGetWorkspaceSize(
              x.handle(), w.handle(), t.handle(), 0, kClasses - 1, max.handle(), sum.handle(),
              predicted.handle(), mask.handle(), masked.handle(), nullptr, s, e);
        },
        aclnnFusedLinearOnlineMaxSum);
    for (const double most : ReadAs(max)) EXPECT_TRUE(std::isnan(most)) << place;
    for (const double all : ReadAs(sum)) EXPECT_TRUE(std::isnan(all)) << place;
  }
}

TEST_F(MaxSumTest, OnlineMaxSumIsTheFormula) {
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    for (aclDataType index : {ACL_INT64, ACL_INT32}) {
      for (bool logits : {false, true}) {
        for (bool strided : {false, true}) {
          CheckPart({.type = type, .index = index, .logits = logits, .strided = strided});
        }
      }
    }
    for (int64_t rows : {1, 7, 8, 9, 64}) CheckPart({.rows = rows, .type = type});
    CheckPart({.rows = 33, .width = 300, .classes = 2000, .start = 0, .end = 1999, .type = type});
    CheckPart({.width = 0, .type = type});
    CheckPart({.classes = 1, .start = 7, .end = 7, .type = type});
  }
  CheckPart({.rows = 0});
}

TEST_F(MaxSumTest, LossIsTheFormula) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (bool softmax : {false, true}) {
      for (bool strided : {false, true}) CheckLoss(9, 40, type, softmax, strided);
      CheckLoss(20, 3000, type, softmax, false);
    }
    CheckLoss(0, 5, type, true, false);
    CheckLoss(5, 0, type, true, false);
  }
}

TEST_F(MaxSumTest, GradientIsTheFormula) {
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    for (bool softmax : {false, true}) {
      for (bool strided : {false, true}) {
        for (aclDataType index : {ACL_INT64, ACL_INT32}) {
          CheckGradient({.type = type, .index = index, .softmax = softmax, .strided = strided});
        }
      }
      CheckGradient({.rows = 70, .width = 65, .classes = 1100, .type = type, .softmax = softmax});
      CheckGradient({.rows = 0, .type = type, .softmax = softmax});
      CheckGradient({.width = 0, .type = type, .softmax = softmax});
      CheckGradient({.type = type, .softmax = softmax, .strided = softmax, .bools = true});
    }
  }
}

TEST_F(MaxSumTest, TargetsBeyondTheClassesFailTheTask) {
  const Tensor grad = Made({2}, ACL_FLOAT), x = Made({2, 4}, ACL_BF16),
               w = Made({128, 4}, ACL_BF16);
  const Tensor softmax = Made({2, 128}, ACL_FLOAT), mask = Holding({1}, ACL_UINT8, {1});
  for (const auto& [wrong, words] :
       {std::pair{-1.0, "maskedTarget[1] = -1"}, std::pair{128.0, "maskedTarget[1] = 128"}}) {
    // That of the first row is another rank's, and not looked at.
    const Tensor target = Holding({2}, ACL_INT64, {-5, wrong});
    ExpectTaskFails(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnFusedLinearCrossEntropyLossGradGetWorkspaceSize(
              grad.handle(), x.handle(), w.handle(), mask.handle(), target.handle(), 0, nullptr,
              nullptr, softmax.handle(), x.handle(), w.handle(), s, e);
        },
        aclnnFusedLinearCrossEntropyLossGrad, words);
  }
  // Between the classes that the rank has and vocabEndIndex.
  const Tensor of_row = Made({2}, ACL_FLOAT), masked = Made({2}, ACL_INT64);
  const Tensor target = Holding({2}, ACL_INT64, {1e6, 133}), bits = Made({1}, ACL_UINT8);
  ExpectTaskFails(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnFusedLinearOnlineMaxSumGetWorkspaceSize(
            x.handle(), w.handle(), target.handle(), 5, 1000, of_row.handle(), of_row.handle(),
            of_row.handle(), bits.handle(), masked.handle(), nullptr, s, e);
      },
      aclnnFusedLinearOnlineMaxSum, "target[1] = 133, expected less than 5 + 128 classes");
}

TEST_F(MaxSumTest, RefusesWhatDoesNotFit) {
  constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID, kNull = ACLNN_ERR_PARAM_NULLPTR;
  const Tensor x = Made({9, 4}, ACL_BF16), w = Made({128, 4}, ACL_BF16);
  const Tensor half = Made({128, 4}, ACL_FLOAT16), narrow = Made({128, 5}, ACL_BF16);
  const Tensor few = Made({127, 4}, ACL_BF16), no_class = Made({0, 4}, ACL_BF16);
  const Tensor t = Made({9}, ACL_INT64), words = Made({9}, ACL_INT32),
               of_row = Made({9}, ACL_FLOAT);
  const Tensor mask = Made({2}, ACL_UINT8), byte = Made({1}, ACL_UINT8);
  const Tensor z = Made({9, 128}, ACL_BF16), halves = Made({9, 128}, ACL_FLOAT16);
  const Tensor softmax = Made({9, 128}, ACL_FLOAT), short_softmax = Made({9, 127}, ACL_FLOAT);
  const auto handle = [](const Tensor* tensor) {
    return tensor != nullptr ? tensor->handle() : nullptr;
  };
  const auto part = [&](const Tensor* weight, int64_t start, int64_t end, const Tensor* of_mask,
                        const Tensor* masked, const Tensor* logits, int code,
                        std::initializer_list<std::string_view> expected) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnFusedLinearOnlineMaxSumGetWorkspaceSize(
              x.handle(), handle(weight), t.handle(), start, end, of_row.handle(), of_row.handle(),
              of_row.handle(), handle(of_mask), handle(masked), handle(logits), s, e);
        },
        code, expected);
  };
  part(nullptr, 0, 9, &mask, &t, nullptr, kNull, {"weight"});
  part(&w, 0, 9, &mask, nullptr, nullptr, kNull, {"maskedTargetOut"});
  part(&half, 0, 9, &mask, &t, nullptr, kInvalid, {"weight.dtype = FLOAT16", "input"});
  part(&narrow, 0, 9, &mask, &t, nullptr, kInvalid, {"weight.shape[1] = 5", "H = 4"});
  part(&no_class, 0, 0, &mask, &t, nullptr, kInvalid, {"weight.shape[0] = 0"});
  part(&w, 0, 9, &mask, &words, nullptr, kInvalid, {"maskedTargetOut.dtype = INT32", "target"});
  part(&w, 0, 9, &mask, &t, &halves, kInvalid, {"vocabParallelLogitsOutOptional.dtype"});
  part(&w, 0, 9, &byte, &t, &z, kInvalid, {"targetMaskOut.shape = [1]", "[2]"});
  part(&w, -1, 9, &mask, &t, nullptr, kInvalid, {"vocabStartIndex is -1"});
  part(&w, 5, 4, &mask, &t, nullptr, kInvalid, {"vocabEndIndex = 4", "vocabStartIndex = 5"});
  const Tensor wide(Layout{.dims = {9, 65535}, .dtype = ACL_BF16}, 64);
  const Tensor wide_w(Layout{.dims = {2, 65535}, .dtype = ACL_BF16}, 64);
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnFusedLinearOnlineMaxSumGetWorkspaceSize(
            wide.handle(), wide_w.handle(), t.handle(), 0, 1, of_row.handle(), of_row.handle(),
            of_row.handle(), mask.handle(), t.handle(), nullptr, s, e);
      },
      kInvalid, {"input.shape[1] = 65535", "65534"});

  const auto loss = [&](float smoothing, const Tensor* logits, const Tensor* out, int code,
                        std::initializer_list<std::string_view> expected) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnFusedCrossEntropyLossWithMaxSumGetWorkspaceSize(
              of_row.handle(), of_row.handle(), of_row.handle(), smoothing, nullptr, nullptr,
              handle(logits), of_row.handle(), handle(out), s, e);
        },
        code, expected);
  };
  loss(0.5F, nullptr, nullptr, kInvalid, {"labelSmoothing = 0.5", "0"});
  loss(0, nullptr, &softmax, kInvalid, {"softMaxOutOptional", "null"});
  loss(0, &z, &short_softmax, kInvalid, {"softMaxOutOptional.shape[1] = 127", "V = 128"});

  const auto gradient = [&](const Tensor& weight, const Tensor& of_mask, float smoothing,
                            const Tensor* max, const Tensor* sum, const Tensor* of_softmax,
                            int code, std::initializer_list<std::string_view> expected) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnFusedLinearCrossEntropyLossGradGetWorkspaceSize(
              of_row.handle(), x.handle(), weight.handle(), of_mask.handle(), t.handle(), smoothing,
              handle(max), handle(sum), handle(of_softmax), x.handle(), weight.handle(), s, e);
        },
        code, expected);
  };
  gradient(w, mask, 0, nullptr, &of_row, nullptr, kNull, {"logitsMaxOptional is null"});
  gradient(w, mask, 0, &of_row, nullptr, nullptr, kNull, {"sumExpLogitsOptional is null"});
  gradient(w, mask, 0.5F, nullptr, nullptr, &softmax, kInvalid, {"labelSmoothing = 0.5"});
  gradient(few, mask, 0, &of_row, &of_row, nullptr, kInvalid, {"weight.shape[0] = 127", "128"});
  gradient(w, byte, 0, &of_row, &of_row, nullptr, kInvalid, {"targetMask.shape[0] = 1", "2"});
  gradient(w, Made({8}, ACL_BOOL), 0, &of_row, &of_row, nullptr, kInvalid,
           {"targetMask.shape = [8]", "[9]"});
  gradient(w, mask, 0, nullptr, nullptr, &short_softmax, kInvalid, {"softmaxOptional.shape[1]"});
}

}  // namespace
}  // namespace anyacl::test
