// SPDX-License-Identifier: Apache-2.0
// The gradient of gating by sigmoid, against differences of what it is the gradient of, in double
// precision.
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_moe_gating_top_k_backward.h"
#include "ops/moe_case.h"

namespace anyacl::test {
namespace {

using namespace moe;

struct Gating {
  int64_t rows = 5, experts = 8, k = 3;
  aclDataType type = ACL_FLOAT;
  double factor = 2.5, eps = 1e-3;
  bool strided = false;
};

class MoeGatingGradientTest : public MoeTest {
 protected:
  // The sum of a row's results times their gradients.
  static double Results(const Gating& c, const Numbers& x, const Numbers& gradient,
                        const Integers& experts) {
    const auto sigmoid = [&](size_t k) {
      return 1 / (1 + std::exp(-x[static_cast<size_t>(experts[k])]));
    };
    double total = c.eps, sum = 0;
    for (size_t k = 0; k < experts.size(); ++k) total += sigmoid(k);
    for (size_t k = 0; k < experts.size(); ++k) sum += gradient[k] * sigmoid(k) / total * c.factor;
    return sum;
  }

  void Check(const Gating& c) {
    SCOPED_TRACE(::testing::Message() << c.rows << "x" << c.experts << " k " << c.k << " type "
                                      << c.type << " strided " << c.strided);
    const auto count = static_cast<size_t>(c.rows * c.experts);
    const auto chosen = static_cast<size_t>(c.rows * c.k);
    const Numbers x = Drawn(ACL_FLOAT, count, -3, 3), gradient = Drawn(c.type, chosen, -2, 2);
    Numbers norm, experts;
    for (double number : x) norm.push_back(1 / (1 + std::exp(-number)));
    for (int64_t i = 0; i < c.rows * c.k; ++i) {
      // The last row has one expert, perhaps several times.
      const int64_t row = i / c.k, k = i % c.k;
      experts.push_back(static_cast<double>(row == c.rows - 1 ? 1 : (row * 3 + k * 5) % c.experts));
    }
    const Tensor norm_in = Holding({c.rows, c.experts}, ACL_FLOAT, norm, c.strided);
    const Tensor gradient_in = Holding({c.rows, c.k}, c.type, gradient, c.strided);
    const Tensor expert_in = Holding({c.rows, c.k}, ACL_INT32, experts, c.strided);
    const Tensor out = Made({c.rows, c.experts}, c.type, c.strided);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeGatingTopKBackwardGetWorkspaceSize(norm_in.handle(), gradient_in.handle(),
                                                            expert_in.handle(), 0, 1, c.factor,
                                                            c.eps, out.handle(), s, e);
        },
        aclnnMoeGatingTopKBackward);
    const Numbers actual = ReadAs(out);
    for (int64_t row = 0; row < c.rows; ++row) {
      const auto at = static_cast<size_t>(row * c.experts);
      Numbers own(x.begin() + row * c.experts, x.begin() + (row + 1) * c.experts);
      const Numbers grads(gradient.begin() + row * c.k, gradient.begin() + (row + 1) * c.k);
      const Integers named(experts.begin() + row * c.k, experts.begin() + (row + 1) * c.k);
      for (size_t j = 0; j < own.size(); ++j) {
        const double was = own[j], step = 1e-4;
        own[j] = was + step;
        const double above = Results(c, own, grads, named);
        own[j] = was - step;
        const double expected = (above - Results(c, own, grads, named)) / (2 * step);
        own[j] = was;
        ASSERT_NEAR(actual[at + j], expected, 2e-6 + 1.01 * HalfUnitOf(c.type, expected))
            << row << " " << j;
      }
    }
    EXPECT_TRUE(out.GuardsIntact());
  }
};

TEST_F(MoeGatingGradientTest, IsTheGradient) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (bool strided : {false, true}) {
      Check({.type = type, .strided = strided});
      Check({.rows = 70, .experts = 256, .k = 8, .type = type, .eps = 1e-20, .strided = strided});
    }
  }
  Check({.rows = 1, .experts = 2, .k = 1});
  Check({.rows = 2, .experts = 3, .k = 3, .factor = -1});
}

TEST_F(MoeGatingGradientTest, RefusesWhatDoesNotFit) {
  const Tensor norm = Made({5, 8}, ACL_FLOAT), gradient = Made({5, 3}, ACL_BF16);
  const Tensor many = Made({5, 9}, ACL_BF16), many_experts = Made({5, 9}, ACL_INT32);
  const Tensor out = Made({5, 8}, ACL_BF16), other = Made({5, 8}, ACL_FLOAT);
  Tensor expert = Made({5, 3}, ACL_INT32);
  const auto call = [&](const Tensor& dy, const Tensor& index, int64_t renorm, int64_t type,
                        const Tensor& to) -> Phase1 {
    return [&, renorm, type](uint64_t* s, aclOpExecutor** e) {
      return aclnnMoeGatingTopKBackwardGetWorkspaceSize(norm.handle(), dy.handle(), index.handle(),
                                                        renorm, type, 1, 0, to.handle(), s, e);
    };
  };
  const auto refused = [&](const Phase1& phase, std::initializer_list<std::string_view> words) {
    ExpectRefused(phase, ACLNN_ERR_PARAM_INVALID, words);
  };
  refused(call(gradient, expert, 0, 0, out), {"normType is 0", "1"});
  refused(call(gradient, expert, 2, 1, out), {"renorm is 2"});
  refused(call(gradient, expert, 0, 1, other), {"out.dtype = FLOAT", "BF16"});
  refused(call(gradient, many_experts, 0, 1, out), {"expertIdx.shape[1] = 9", "3"});
  refused(call(many, many_experts, 0, 1, out), {"gradY.shape[1] = 9", "at most 8"});
  for (int32_t wrong : {8, -1}) {
    Integers experts(15, 2);
    experts[7] = wrong;
    expert.Write(experts);
    ExpectTaskFails(call(gradient, expert, 0, 1, out), aclnnMoeGatingTopKBackward,
                    "expertIdx[2][1] = " + std::to_string(wrong) + ", expected 0 to 7");
  }
}

}  // namespace
}  // namespace anyacl::test
