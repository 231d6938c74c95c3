// SPDX-License-Identifier: Apache-2.0
// GroupNormSiluQuant against the document's formula in double precision.
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_group_norm_silu_quant.h"
#include "ops/moe_case.h"

namespace anyacl::test {
namespace {

using namespace moe;

class GroupNormQuantTest : public MoeTest {
 protected:
  static constexpr double kEps = 1e-3;
  static const aclTensor* When(bool given, const Tensor& t) { return given ? t.handle() : nullptr; }
};

TEST_F(GroupNormQuantTest, IsTheFormula) {
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    for (unsigned bits = 0; bits < 16; ++bits) {
      const bool gamma = (bits & 1) != 0, beta = (bits & 2) != 0, s = (bits & 4) != 0;
      const bool one = (bits & 8) != 0;
      for (const Shape& shape : {Shape{2, 6, 3, 5}, Shape{3, 6}}) {
        const size_t plane = shape.size() == 2 ? 1 : 15, channels = 6, group = 2;
        const size_t count = static_cast<size_t>(shape[0]) * channels * plane;
        const size_t length = channels / group * plane;
        const Numbers x = Drawn(type, count, -3, 3), gammas = Drawn(type, channels, -2, 2);
        const Numbers betas = Drawn(type, channels, -2, 2);
        const Numbers scales = Drawn(ACL_FLOAT, one ? 1 : channels, 0.01, 0.05);
        const Tensor x_in = Holding(shape, type, x, s), gamma_in = Holding({6}, type, gammas, s);
        const Tensor beta_in = Holding({6}, type, betas, s);
        const Tensor scale_in = Holding({one ? 1 : 6}, ACL_FLOAT, scales, s);
        const Tensor out = Made(shape, ACL_INT8, s), mean = Made({shape[0], 2}, type, s);
        const Tensor rstd = Made({shape[0], 2}, type, s);
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** e) {
              return aclnnGroupNormSiluQuantGetWorkspaceSize(
                  x_in.handle(), When(gamma, gamma_in), When(beta, beta_in), scale_in.handle(), 2,
                  kEps, true, out.handle(), mean.handle(), rstd.handle(), size, e);
            },
            aclnnGroupNormSiluQuant);
        const Numbers actual = ReadAs(out), means = ReadAs(mean), rstds = ReadAs(rstd);
        for (size_t g = 0; g < count / length; ++g) {
          double average = 0, variance = 0;
          for (size_t i = 0; i < length; ++i) {
            average += x[g * length + i] / static_cast<double>(length);
          }
          for (size_t i = 0; i < length; ++i) {
            variance += std::pow(x[g * length + i] - average, 2) / static_cast<double>(length);
          }
          const double by = 1 / std::sqrt(variance + kEps);
          ASSERT_NEAR(means[g], average, 1e-5 + 1.01 * HalfUnitOf(type, average));
          ASSERT_NEAR(rstds[g], by, 1e-5 * by + 1.01 * HalfUnitOf(type, by));
          for (size_t i = g * length; i < (g + 1) * length; ++i) {
            const size_t c = i / plane % channels;
            double y = (x[i] - average) * by;
            if (gamma) y *= gammas[c];
            if (beta) y += betas[c];
            const double exact = y / (1 + std::exp(-y)) / scales[one ? 0 : c];
            ASSERT_EQ(actual[i], std::rint(actual[i]));
            ASSERT_NEAR(actual[i], std::fmin(std::fmax(exact, -128), 127), 0.5 + 3e-3);
          }
        }
        EXPECT_TRUE(out.GuardsIntact() && mean.GuardsIntact() && rstd.GuardsIntact());
      }
    }
  }
}

TEST_F(GroupNormQuantTest, NoElementsAndWhatIsRefused) {
  const Tensor none = Made({2, 6, 0}, ACL_FLOAT16), out = Made({2, 6, 0}, ACL_INT8);
  const Tensor mean = Made({2, 2}, ACL_FLOAT16), rstd = Made({2, 2}, ACL_FLOAT16);
  const Tensor one = Holding({1}, ACL_FLOAT, {1}), five = Made({5}, ACL_FLOAT);
  const auto call = [&](const Tensor& scale, bool activates) {
    return [&, activates](uint64_t* size, aclOpExecutor** e) {
      return aclnnGroupNormSiluQuantGetWorkspaceSize(
          none.handle(), nullptr, nullptr, scale.handle(), 2, kEps, activates, out.handle(),
          mean.handle(), rstd.handle(), size, e);
    };
  };
  RunTwoPhase(call(one, true), aclnnGroupNormSiluQuant);
  for (double value : ReadAs(mean)) EXPECT_EQ(value, 0);
  for (double value : ReadAs(rstd)) EXPECT_TRUE(std::isnan(value));
  ExpectRefused(call(five, true), ACLNN_ERR_PARAM_INVALID, {"quantScale.shape = [5]", "[6]"});
  ExpectRefused(call(one, false), ACLNN_ERR_PARAM_INVALID, {"activateSilu = false"});
}

}  // namespace
}  // namespace anyacl::test
