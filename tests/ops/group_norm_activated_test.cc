// SPDX-License-Identifier: Apache-2.0
// Activated group norms and their gradients against the oracle of group norms and the formulas of
// the activation in double precision.
#include <cmath>
#include <limits>
#include <string>

#include "aclnnop/aclnn_group_norm_silu.h"
#include "aclnnop/aclnn_group_norm_swish.h"
#include "aclnnop/aclnn_group_norm_swish_grad.h"
#include "ops/moe_case.h"
#include "reference/group_norm.h"

namespace anyacl::test::group_norm_activated {
namespace {

using namespace moe;

constexpr int kInvalid = 161002;

double Swish(double y, double scale) { return y / (1 + std::exp(-scale * y)); }
double SwishSlope(double y, double scale) {
  const double sigmoid = 1 / (1 + std::exp(-scale * y));
  return sigmoid * (1 + scale * y * (1 - sigmoid));
}

enum class Form { kSilu, kSiluV2, kSwish };

struct Case {
  int64_t n = 2, c = 6;
  Shape area = {5};
  int64_t group = 3;
  aclDataType type = ACL_FLOAT, parameters = ACL_FLOAT;
  bool strided = false, activates = true;
  double scale = 1;
  bool gamma = true, beta = true;  // of the gradients: whether they are wanted

  Shape dims() const {
    Shape all = {n, c};
    all.insert(all.end(), area.begin(), area.end());
    return all;
  }
  GroupNormShape shape() const {
    int64_t hxw = 1;
    for (int64_t size : area) hxw *= size;
    return {n, c, hxw, group};
  }
};

class GroupNormActivatedTest : public MoeTest {
 protected:
  static std::string Describe(const Case& c) {
    const GroupNormShape s = c.shape();
    return "types " + std::to_string(c.type) + " " + std::to_string(c.parameters) + " n " +
           std::to_string(s.n) + " c " + std::to_string(s.c) + " hxw " + std::to_string(s.hxw) +
           " group " + std::to_string(s.group) + " scale " + std::to_string(c.scale) +
           (c.strided ? " strided" : "") + (c.activates ? "" : " norm alone");
  }
  static void ExpectClose(const Tensor& tensor, const Numbers& expected, double error) {
    const Numbers actual = ReadAs(tensor);
    for (size_t i = 0; i < actual.size(); ++i) {
      ASSERT_NEAR(actual[i], expected[i],
                  error * (1 + std::fabs(expected[i])) +
                      1.01 * HalfUnitOf(tensor.layout().dtype, expected[i]))
          << i;
    }
    EXPECT_TRUE(tensor.GuardsIntact());
  }

  void CheckForward(const Case& c, Form form) {
    SCOPED_TRACE(std::to_string(static_cast<int>(form)) + " " + Describe(c));
    const GroupNormShape s = c.shape();
    const auto channels = static_cast<size_t>(c.c);
    const double eps = 1e-4;
    const Numbers x = Drawn(c.type, static_cast<size_t>(s.count()), -2, 4);
    const Numbers gamma = Drawn(c.parameters, channels, -2, 2);
    const Numbers beta = Drawn(c.parameters, channels, -2, 2);
    const Tensor x_in = Holding(c.dims(), c.type, x, c.strided);
    const Tensor gamma_in = Holding({c.c}, c.parameters, gamma, c.strided);
    const Tensor beta_in = Holding({c.c}, c.parameters, beta, c.strided);
    const aclDataType statistics = form == Form::kSwish ? c.parameters : c.type;
    const Tensor out = Made(c.dims(), c.type), mean = Made({c.n, c.group}, statistics);
    const Tensor rstd = Made({c.n, c.group}, statistics);
    char format[] = "NCHW";
    switch (form) {
      case Form::kSilu:
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** e) {
              return aclnnGroupNormSiluGetWorkspaceSize(
                  x_in.handle(), gamma_in.handle(), beta_in.handle(), c.group, eps, out.handle(),
                  mean.handle(), rstd.handle(), size, e);
            },
            aclnnGroupNormSilu);
        break;
      case Form::kSiluV2:
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** e) {
              return aclnnGroupNormSiluV2GetWorkspaceSize(
                  x_in.handle(), gamma_in.handle(), beta_in.handle(), c.group, eps, c.activates,
                  out.handle(), mean.handle(), rstd.handle(), size, e);
            },
            aclnnGroupNormSiluV2);
        break;
      case Form::kSwish:
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** e) {
              return aclnnGroupNormSwishGetWorkspaceSize(
                  x_in.handle(), gamma_in.handle(), beta_in.handle(), c.group,
                  c.strided ? nullptr : format, eps, c.activates, c.scale, out.handle(),
                  mean.handle(), rstd.handle(), size, e);
            },
            aclnnGroupNormSwish);
        break;
    }
    GroupNormResult expected = GroupNorm(s, x, gamma, beta, eps);
    if (c.activates || form == Form::kSilu) {
      for (double& y : expected.out) y = Swish(y, c.scale);
    }
    ExpectClose(out, expected.out, 0x1p-18 * (1 + std::fabs(c.scale)));
    ExpectClose(mean, expected.mean, 0x1p-19);
    ExpectClose(rstd, expected.rstd, 0x1p-19);
  }

  void CheckGradient(const Case& c) {
    SCOPED_TRACE("gradient " + Describe(c));
    const GroupNormShape s = c.shape();
    const auto all = static_cast<size_t>(s.count()), channels = static_cast<size_t>(c.c);
    const auto groups = static_cast<size_t>(c.n * c.group);
    GroupNormGradInput input = {s,
                                Drawn(c.type, all, -2, 2),
                                Drawn(c.type, all, -2, 4),
                                Drawn(c.type, groups, 0.5, 1.5),
                                Drawn(c.type, groups, 0.25, 1),
                                Drawn(c.type, channels, -2, 2)};
    const Numbers beta = Drawn(c.type, channels, -2, 2);
    const Tensor dy = Holding(c.dims(), c.type, input.dy, c.strided);
    const Tensor x = Holding(c.dims(), c.type, input.x, c.strided);
    const Tensor mean = Holding({c.n, c.group}, c.type, input.mean, c.strided);
    const Tensor rstd = Holding({c.n, c.group}, c.type, input.rstd, c.strided);
    const Tensor gamma = Holding({c.c}, c.type, input.gamma, c.strided);
    const Tensor beta_in = Holding({c.c}, c.type, beta, c.strided);
    const Tensor dx = Made(c.dims(), c.type), fresh = Made({c.c}, c.type);
    const Tensor dgamma = Made({c.c}, c.type), dbeta = Made({c.c}, c.type);
    char format[] = "NCHW";
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** e) {
          return aclnnGroupNormSwishGradGetWorkspaceSize(
              dy.handle(), mean.handle(), rstd.handle(), x.handle(), gamma.handle(),
              beta_in.handle(), c.group, format, c.scale, c.gamma, c.beta, dx.handle(),
              dgamma.handle(), dbeta.handle(), size, e);
        },
        aclnnGroupNormSwishGrad);
    for (size_t i = 0; i < all; ++i) {
      const auto at = static_cast<int64_t>(i);
      const auto channel = static_cast<size_t>(s.ChannelOf(at));
      const auto group = static_cast<size_t>(s.GroupOf(at));
      const double xh = (input.x[i] - input.mean[group]) * input.rstd[group];
      input.dy[i] *= SwishSlope(xh * input.gamma[channel] + beta[channel], c.scale);
    }
    const GroupNormGradients expected = GroupNormGrad(input);
    // Each term is off by a few units beside what sums add.
    const double error = 0x1p-19 * (1 + std::fabs(c.scale)) * std::sqrt(s.n * s.hxw + 4);
    ExpectClose(dx, expected.dx.value, 0x1p-17 * (1 + std::fabs(c.scale)));
    if (c.gamma) {
      ExpectClose(dgamma, expected.dgamma.value, error);
    } else {
      EXPECT_EQ(dgamma.Bytes(), fresh.Bytes());
    }
    if (c.beta) {
      ExpectClose(dbeta, expected.dbeta.value, error);
    } else {
      EXPECT_EQ(dbeta.Bytes(), fresh.Bytes());
    }
  }

  static std::vector<Case> Cases() {
    std::vector<Case> cases;
    for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
      for (bool strided : {false, true}) {
        Case c = {.type = type, .parameters = type, .strided = strided};
        cases.push_back(c);
        c.area = {}, c.c = 8, c.group = 2;
        cases.push_back(c);
        c.area = {3, 7, 2}, c.c = 3;
        for (int64_t group : {1, 3}) {
          c.group = group;
          cases.push_back(c);
        }
        c.area = {1030}, c.n = 3, c.c = 4, c.group = 2;
        cases.push_back(c);
        c.area = {2, 17000}, c.n = 1, c.c = 2, c.group = 1;  // channels in chunks
        if (!strided) cases.push_back(c);
      }
    }
    return cases;
  }
};

TEST_F(GroupNormActivatedTest, NormsAreTheFormula) {
  for (Case c : Cases()) {
    for (bool own : {true, false}) {
      c.parameters = own ? c.type : ACL_FLOAT;
      CheckForward(c, Form::kSilu);
      for (bool activates : {true, false}) {
        c.activates = activates;
        CheckForward(c, Form::kSiluV2);
        CheckForward(c, Form::kSwish);
      }
      c.activates = true;
    }
    for (double scale : {0.0, 0.5, -3.0}) {
      c.scale = scale;
      CheckForward(c, Form::kSwish);
    }
  }
}

TEST_F(GroupNormActivatedTest, GradientsAreTheFormula) {
  for (Case c : Cases()) {
    CheckGradient(c);
    c.gamma = false;
    CheckGradient(c);
    c.beta = false;
    CheckGradient(c);
    c.gamma = true;
    for (double scale : {0.0, 0.5, -3.0}) {
      c.scale = scale;
      CheckGradient(c);
    }
  }
}

TEST_F(GroupNormActivatedTest, NothingOfNoBatch) {
  const Tensor x = Made({0, 4, 3}, ACL_FLOAT), row = Holding({4}, ACL_FLOAT, {1, 2, 3, 4});
  const Tensor mean = Made({0, 2}, ACL_FLOAT);
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** e) {
        return aclnnGroupNormSiluGetWorkspaceSize(x.handle(), row.handle(), row.handle(), 2, 1e-5,
                                                  x.handle(), mean.handle(), mean.handle(), size,
                                                  e);
      },
      aclnnGroupNormSilu);
}

TEST_F(GroupNormActivatedTest, SiluRefusesWhatDoesNotFit) {
  const Tensor x = Made({2, 6, 5}, ACL_FLOAT16), row = Made({6}, ACL_FLOAT16);
  const Tensor other = Made({6}, ACL_BF16), short_row = Made({5}, ACL_FLOAT16);
  const Tensor mean = Made({2, 3}, ACL_FLOAT16), wrong = Made({3, 2}, ACL_FLOAT16);
  const Tensor floats = Made({2, 3}, ACL_FLOAT), wide = Made({2, 6, 5}, ACL_FLOAT);
  const Tensor gaps = Made({2, 6, 5}, ACL_FLOAT16, true), four = Made({2, 4}, ACL_FLOAT16);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto call = [&](const Tensor& gamma, const Tensor& beta, int64_t group, double eps,
                        const Tensor& out, const Tensor& to_mean,
                        std::initializer_list<std::string_view> words) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnGroupNormSiluGetWorkspaceSize(x.handle(), gamma.handle(), beta.handle(),
                                                    group, eps, out.handle(), to_mean.handle(),
                                                    to_mean.handle(), s, e);
        },
        kInvalid, words);
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnGroupNormSiluV2GetWorkspaceSize(x.handle(), gamma.handle(), beta.handle(),
                                                      group, eps, true, out.handle(),
                                                      to_mean.handle(), to_mean.handle(), s, e);
        },
        kInvalid, words);
  };
  call(other, row, 3, 1, x, mean, {"gamma.dtype = BF16", "FLOAT16 or FLOAT"});
  call(row, other, 3, 1, x, mean, {"beta.dtype = BF16", "FLOAT16 or FLOAT"});
  call(short_row, row, 3, 1, x, mean, {"gamma.shape[0] = 5", "6"});
  call(row, row, 0, 1, x, mean, {"group = 0"});
  call(row, row, -1, 1, x, mean, {"group = -1"});
  call(row, row, 4, 1, x, four, {"self.shape[1] = 6", "multiple of group = 4"});
  call(row, row, 3, 0, x, mean, {"eps = 0", "more than 0"});
  call(row, row, 3, nan, x, mean, {"eps = nan"});
  call(row, row, 3, 1, wide, mean, {"out.dtype = FLOAT", "FLOAT16"});
  call(row, row, 3, 1, gaps, mean, {"out"});
  call(row, row, 3, 1, x, wrong, {"meanOut.shape[0] = 3", "2"});
  call(row, row, 3, 1, x, floats, {"meanOut.dtype = FLOAT", "FLOAT16"});
}

TEST_F(GroupNormActivatedTest, SwishRefusesWhatDoesNotFit) {
  const Tensor x = Made({2, 6, 5}, ACL_FLOAT16), row = Made({6}, ACL_FLOAT16);
  const Tensor wide_row = Made({6}, ACL_FLOAT), mean = Made({2, 3}, ACL_FLOAT16);
  const Tensor wide_mean = Made({2, 3}, ACL_FLOAT), four = Made({2, 4}, ACL_FLOAT16);
  const Tensor none = Made({2, 6, 0}, ACL_FLOAT16), flat = Made({6}, ACL_FLOAT16);
  const Tensor other = Made({6}, ACL_BF16), other_mean = Made({2, 3}, ACL_BF16);
  char nchw[] = "NCHW", nhwc[] = "NHWC";
  const auto call = [&](const Tensor& from, const Tensor& gamma, const Tensor& beta, int64_t group,
                        char* format, double eps, const Tensor& to_mean,
                        std::initializer_list<std::string_view> words) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnGroupNormSwishGetWorkspaceSize(from.handle(), gamma.handle(), beta.handle(),
                                                     group, format, eps, true, 1, from.handle(),
                                                     to_mean.handle(), to_mean.handle(), s, e);
        },
        kInvalid, words);
  };
  call(x, row, wide_row, 3, nchw, 1, mean, {"beta.dtype = FLOAT", "FLOAT16"});
  call(x, other, other, 3, nchw, 1, other_mean, {"gamma.dtype = BF16", "FLOAT16 or FLOAT"});
  call(x, wide_row, wide_row, 3, nchw, 1, mean, {"meanOut.dtype = FLOAT16", "FLOAT"});
  call(x, row, row, 3, nhwc, 1, mean, {"dataFormatOptional", "NHWC", "NCHW"});
  call(x, row, row, 4, nchw, 1, four, {"x.shape[1] = 6", "multiple of numGroups = 4"});
  call(x, row, row, 3, nchw, -1, mean, {"eps = -1"});
  call(none, row, row, 3, nchw, 1, mean, {"x.shape = [2, 6, 0]", "elements"});
  call(flat, row, row, 3, nchw, 1, mean, {"x.shape"});

  const Tensor many = Made({1, 4001}, ACL_FLOAT16), many_row = Made({4001}, ACL_FLOAT16);
  const Tensor one = Made({1, 1}, ACL_FLOAT16), gaps = Made({2, 6, 5}, ACL_FLOAT16, true);
  const auto grad = [&](const Tensor& dy, const Tensor& gamma, int64_t group, char* format,
                        const Tensor& statistics, const Tensor& dx,
                        std::initializer_list<std::string_view> words) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnGroupNormSwishGradGetWorkspaceSize(
              dy.handle(), statistics.handle(), statistics.handle(), dy.handle(), gamma.handle(),
              gamma.handle(), group, format, 1, true, true, dx.handle(), gamma.handle(),
              gamma.handle(), s, e);
        },
        kInvalid, words);
  };
  grad(x, row, 3, nchw, wide_mean, x, {"mean.dtype = FLOAT", "FLOAT16"});
  grad(x, wide_row, 3, nchw, mean, x, {"gamma.dtype = FLOAT", "FLOAT16"});
  grad(x, row, 0, nchw, mean, x, {"numGroups = 0"});
  grad(x, row, 4, nchw, four, x, {"dy.shape[1] = 6", "multiple of numGroups = 4"});
  grad(x, row, 3, nhwc, mean, x, {"dataFormatOptional", "NHWC"});
  grad(x, row, 3, nchw, mean, gaps, {"dxOut"});
  grad(many, many_row, 1, nchw, one, many, {"dy.shape[1] = 4001", "4000"});
  grad(none, row, 3, nchw, mean, none, {"dy.shape = [2, 6, 0]", "elements"});
}

}  // namespace
}  // namespace anyacl::test::group_norm_activated
