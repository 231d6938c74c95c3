// SPDX-License-Identifier: Apache-2.0
// RmsNormGradQuant against the document's formulas in double precision.
#include <algorithm>
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_rms_norm_grad_quant.h"
#include "ops/moe_case.h"

namespace anyacl::test {
namespace {

using namespace moe;

struct Gradient {
  Shape leading = {5}, row = {24};
  aclDataType type = ACL_FLOAT, gamma_type = ACL_FLOAT, scale_type = ACL_FLOAT;
  bool offset = true, divides = true, strided = false;
};

class RmsNormGradQuantTest : public MoeTest {
 protected:
  static size_t CountOf(const Shape& shape) {
    size_t count = 1;
    for (int64_t size : shape) count *= static_cast<size_t>(size);
    return count;
  }

  void Check(const Gradient& c) {
    SCOPED_TRACE(::testing::Message()
                 << ::testing::PrintToString(c.leading) << " rows of "
                 << ::testing::PrintToString(c.row) << " type " << c.type << " gamma "
                 << c.gamma_type << " scale " << c.scale_type << " offset " << c.offset
                 << " divides " << c.divides << " strided " << c.strided);
    Shape shape = c.leading;
    shape.insert(shape.end(), c.row.begin(), c.row.end());
    const size_t rows = CountOf(c.leading), n = CountOf(c.row);
    const Numbers dy = Drawn(c.type, rows * n, -2, 2), x = Drawn(c.type, rows * n, -2, 2);
    const Numbers rstd = Drawn(ACL_FLOAT, rows, 0.5, 2), gamma = Drawn(c.gamma_type, n, -2, 2);
    const double scale = AsHeld(c.scale_type, c.divides ? 0.03 : 30), offset = c.offset ? -9 : 0;
    const bool s = c.strided;
    const Tensor dy_in = Holding(shape, c.type, dy, s), x_in = Holding(shape, c.type, x, s);
    const Tensor rstd_in = Holding(c.leading, ACL_FLOAT, rstd, s);
    const Tensor gamma_in = Holding(c.row, c.gamma_type, gamma, s);
    const Tensor scale_in = Holding({1}, c.scale_type, {scale});
    const Tensor offset_in = Holding({1}, ACL_INT32, {offset});
    const Tensor dx = Made(shape, ACL_INT8, s), dgamma = Made(c.row, ACL_FLOAT, s);
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** e) {
          return aclnnRmsNormGradQuantGetWorkspaceSize(
              dy_in.handle(), x_in.handle(), rstd_in.handle(), gamma_in.handle(), scale_in.handle(),
              c.offset ? offset_in.handle() : nullptr, "static", c.divides, dx.handle(),
              dgamma.handle(), size, e);
        },
        aclnnRmsNormGradQuant);
    const Numbers actual = ReadAs(dx), sums = ReadAs(dgamma);
    Numbers dg(n, 0);
    for (size_t r = 0; r < rows; ++r) {
      double mean = 0;
      for (size_t j = 0; j < n; ++j) {
        const size_t at = r * n + j;
        mean += dy[at] * gamma[j] * x[at] * rstd[r] / static_cast<double>(n);
        dg[j] += dy[at] * x[at] * rstd[r];
      }
      for (size_t j = 0; j < n; ++j) {
        const size_t at = r * n + j;
        const double value = (dy[at] * gamma[j] - rstd[r] * x[at] * mean) * rstd[r];
        const double exact = (c.divides ? value / scale : value * scale) + offset;
        // Near the middle of two integers either is right.
        ASSERT_NEAR(actual[at], std::clamp(exact, -128.0, 127.0), 0.5 + 2e-3) << r << " " << j;
      }
    }
    for (size_t j = 0; j < n; ++j) {
      ASSERT_NEAR(sums[j], dg[j], 1e-5 * static_cast<double>(rows + 1)) << j;
    }
    EXPECT_TRUE(dx.GuardsIntact() && dgamma.GuardsIntact());
  }
};

TEST_F(RmsNormGradQuantTest, TiesGoToTheEvenInteger) {
  Numbers halves;
  for (int i = -40; i < 40; ++i) halves.push_back(i + 0.5);
  const auto n = static_cast<int64_t>(halves.size());
  const Numbers ones(halves.size(), 1), zeros(halves.size(), 0);
  // Of x = 0 the gradient is dy * gamma * rstd.
  const Tensor dy = Holding({1, n}, ACL_FLOAT, halves), x = Holding({1, n}, ACL_FLOAT, zeros);
  const Tensor rstd = Holding({1}, ACL_FLOAT, {1}), gamma = Holding({n}, ACL_FLOAT, ones);
  const Tensor scale = Holding({1}, ACL_FLOAT, {1});
  const Tensor dx = Made({1, n}, ACL_INT8), dgamma = Made({n}, ACL_FLOAT);
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** e) {
        return aclnnRmsNormGradQuantGetWorkspaceSize(
            dy.handle(), x.handle(), rstd.handle(), gamma.handle(), scale.handle(), nullptr,
            "static", false, dx.handle(), dgamma.handle(), size, e);
      },
      aclnnRmsNormGradQuant);
  const Numbers actual = ReadAs(dx);
  for (size_t i = 0; i < actual.size(); ++i) EXPECT_EQ(actual[i], std::nearbyint(halves[i])) << i;
}

TEST_F(RmsNormGradQuantTest, IsTheFormula) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (bool strided : {false, true}) {
      for (bool divides : {false, true}) {
        Check({.type = type, .divides = divides, .strided = strided});
        Check({.leading = {2, 3},
               .row = {4, 5},
               .type = type,
               .gamma_type = type,
               .scale_type = type,
               .offset = false,
               .divides = divides,
               .strided = strided});
      }
    }
    Check({.leading = {3}, .row = {2500}, .type = type});
    Check({.leading = {300}, .row = {70}, .type = type});
    Check({.leading = {0}, .type = type});
  }
  Check({.row = {0}});
}

TEST_F(RmsNormGradQuantTest, RefusesWhatDoesNotFit) {
  const Tensor x = Made({3, 4}, ACL_FLOAT16), rstd = Made({3}, ACL_FLOAT);
  const Tensor gamma = Made({4}, ACL_FLOAT16), bf16 = Made({4}, ACL_BF16);
  const Tensor gamma3 = Made({3}, ACL_FLOAT16), scale = Made({1}, ACL_FLOAT);
  const Tensor bf16_scale = Made({1}, ACL_BF16), scales = Made({4}, ACL_FLOAT);
  const Tensor dx = Made({3, 4}, ACL_INT8), dgamma = Made({4}, ACL_FLOAT);
  const Tensor dgamma3 = Made({3}, ACL_FLOAT), rstd4 = Made({4}, ACL_FLOAT);
  const Tensor hifloat8({.dims = {3, 4}, .dtype = ACL_HIFLOAT8});
  const auto refused = [&](const Tensor& r, const Tensor& g, const Tensor& by, const char* mode,
                           const Tensor& to, const Tensor& sums, int code,
                           std::initializer_list<std::string_view> words) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnRmsNormGradQuantGetWorkspaceSize(x.handle(), x.handle(), r.handle(),
                                                       g.handle(), by.handle(), nullptr, mode, true,
                                                       to.handle(), sums.handle(), s, e);
        },
        code, words);
  };
  constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID;
  refused(rstd, bf16, scale, "static", dx, dgamma, kInvalid, {"gamma.dtype = BF16", "FLOAT16"});
  refused(rstd, gamma, bf16_scale, "static", dx, dgamma, kInvalid, {"scalesX.dtype = BF16"});
  refused(rstd, gamma, scales, "static", dx, dgamma, kInvalid, {"scalesX.shape"});
  refused(rstd, gamma, scale, "dynamic", dx, dgamma, kInvalid, {"quantMode", "dynamic", "static"});
  refused(rstd, gamma, scale, nullptr, dx, dgamma, ACLNN_ERR_PARAM_NULLPTR, {"quantMode"});
  refused(rstd, gamma, scale, "static", hifloat8, dgamma, kInvalid, {"dxOut.dtype = HIFLOAT8"});
  refused(rstd, gamma3, scale, "static", dx, dgamma3, kInvalid, {"gamma.shape = [3]"});
  refused(rstd4, gamma, scale, "static", dx, dgamma, kInvalid, {"rstd.shape = [4]"});
}

}  // namespace
}  // namespace anyacl::test
