// SPDX-License-Identifier: Apache-2.0
// Rows of several pieces, which threads share where there are few of them, against the oracle; what
// pieces give that are unlike each other; columns of the data's own type.
#include <cmath>
#include <limits>

#include "aclnnop/aclnn_layer_norm.h"
#include "aclnnop/aclnn_logsoftmax.h"
#include "aclnnop/aclnn_rms_norm.h"
#include "aclnnop/aclnn_softmax.h"
#include "aclnnop/aclnn_softmax_backward.h"
#include "aclnnop/aclnn_swi_glu.h"
#include "reference/rowwise.h"
#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test {
namespace {

constexpr double kUnit = 0x1p-24;

class LongRowsTest : public DeviceTest, public ::testing::WithParamInterface<aclDataType> {
 protected:
  Row RandomRow(int64_t count, aclDataType type, double mean = 0.5) {
    Row row;
    for (int64_t i = 0; i < count; ++i) row.push_back(AsHeld(type, random().Normal(mean, 2)));
    return row;
  }

  Row SoftmaxOf(const Row& values, aclDataType type, bool logarithm = false) {
    const auto n = static_cast<int64_t>(values.size());
    Tensor x({.dims = {1, n}, .dtype = type});
    const Tensor out({.dims = {1, n}, .dtype = type});
    WriteAs(x, values);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return logarithm ? aclnnLogSoftmaxGetWorkspaceSize(x.handle(), 1, out.handle(), s, e)
                           : aclnnSoftmaxGetWorkspaceSize(x.handle(), 1, out.handle(), s, e);
        },
        logarithm ? aclnnLogSoftmax : aclnnSoftmax);
    EXPECT_TRUE(out.GuardsIntact());
    return ReadAs(out);
  }

  static void ExpectNear(const Row& actual, const Row& expected, aclDataType type, double units,
                         double size) {
    ASSERT_EQ(actual.size(), expected.size());
    for (size_t i = 0; i < actual.size(); ++i) {
      const double bound =
          units * kUnit * (std::fabs(expected[i]) + size) + 1.01 * HalfUnitOf(type, expected[i]);
      ASSERT_LE(std::fabs(actual[i] - expected[i]), bound) << i << ": " << actual[i];
    }
  }
};

constexpr int64_t kLong = 40001;

TEST_P(LongRowsTest, Softmax) {
  const Row x = RandomRow(kLong, GetParam());
  ExpectNear(SoftmaxOf(x, GetParam()), Softmax(x), GetParam(), 32, 0);
  ExpectNear(SoftmaxOf(x, GetParam(), true), LogSoftmax(x), GetParam(), 32, 8);
}

TEST_P(LongRowsTest, SoftmaxBackward) {
  const Row g = RandomRow(kLong, GetParam());
  Row y = Softmax(RandomRow(kLong, GetParam()));
  for (double& value : y) value = AsHeld(GetParam(), value);
  Tensor gradient({.dims = {kLong}, .dtype = GetParam()}),
      result({.dims = {kLong}, .dtype = GetParam()});
  const Tensor out({.dims = {kLong}, .dtype = GetParam()});
  WriteAs(gradient, g);
  WriteAs(result, y);
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnSoftmaxBackwardGetWorkspaceSize(gradient.handle(), result.handle(), 0,
                                                    out.handle(), s, e);
      },
      aclnnSoftmaxBackward);
  ExpectNear(ReadAs(out), SoftmaxBackward(g, y), GetParam(), 30, 1e-3);
}

// Gamma and beta as the data's type and contiguous are read as they lie in memory. The second row
// is far from zero, the third has pieces of different means.
TEST_P(LongRowsTest, Norms) {
  for (int64_t n : {int64_t{700}, kLong}) {
    const aclDataType type = GetParam();
    const std::vector<int64_t> dims = {3, n};
    Row values = RandomRow(n, type);
    for (double value : RandomRow(n, type, 100)) values.push_back(value);
    for (int64_t i = 0; i < n; ++i) {
      values.push_back(AsHeld(type, random().Normal(i < n / 2 ? -50 : 70, 1)));
    }
    const Row gammas = RandomRow(n, type), betas = RandomRow(n, type);
    Tensor x({.dims = dims, .dtype = type}), gamma({.dims = {n}, .dtype = type}),
        beta({.dims = {n}, .dtype = type});
    const Tensor out({.dims = dims, .dtype = type}), rstd({.dims = {3, 1}}), mean({.dims = {3, 1}});
    WriteAs(x, values);
    WriteAs(gamma, gammas);
    WriteAs(beta, betas);
    const auto row = [&](const Row& all, int64_t r) {
      return Row(all.begin() + r * n, all.begin() + (r + 1) * n);
    };
    const aclIntArray* shape = aclCreateIntArray(&n, 1);
    for (bool has_beta : {true, false}) {
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnLayerNormGetWorkspaceSize(x.handle(), shape, gamma.handle(),
                                                  has_beta ? beta.handle() : nullptr, 1e-5,
                                                  out.handle(), mean.handle(), rstd.handle(), s, e);
          },
          aclnnLayerNorm);
      for (int64_t r = 0; r < 3; ++r) {
        const NormedRow expected =
            LayerNorm(row(values, r), gammas, has_beta ? betas : Row{}, 1e-5);
        ExpectNear(row(ReadAs(out), r), expected.out, type, 60, 8);
        // Of pieces that are up to 70 from zero, each within 22 units.
        ExpectNear({ReadAs(mean)[r]}, {expected.mean}, ACL_FLOAT, 22, 70);
        ExpectNear({ReadAs(rstd)[r]}, {expected.rstd}, ACL_FLOAT, 13, 0);
      }
    }
    aclDestroyIntArray(shape);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnRmsNormGetWorkspaceSize(x.handle(), gamma.handle(), 1e-6, out.handle(),
                                              rstd.handle(), s, e);
        },
        aclnnRmsNorm);
    EXPECT_TRUE(out.GuardsIntact());
    for (int64_t r = 0; r < 3; ++r) {
      const NormedRow expected = RmsNorm(row(values, r), gammas, 1e-6);
      ExpectNear(row(ReadAs(out), r), expected.out, type, 16, 0);
      ExpectNear({ReadAs(rstd)[r]}, {expected.rstd}, ACL_FLOAT, 13, 0);
    }
  }
}

TEST_P(LongRowsTest, SwiGlu) {
  Tensor x({.dims = {2 * kLong}, .dtype = GetParam()});
  const Tensor out({.dims = {kLong}, .dtype = GetParam()});
  const Row values = RandomRow(2 * kLong, GetParam());
  WriteAs(x, values);
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnSwiGluGetWorkspaceSize(x.handle(), 0, out.handle(), s, e);
      },
      aclnnSwiGlu);
  Row expected;
  for (int64_t i = 0; i < kLong; ++i) expected.push_back(SwiGlu(values[i], values[kLong + i]));
  ExpectNear(ReadAs(out), expected, GetParam(), 8, 0);
}

INSTANTIATE_TEST_SUITE_P(Types, LongRowsTest, ::testing::Values(ACL_FLOAT, ACL_FLOAT16, ACL_BF16));

class SpecialRowsTest : public LongRowsTest {};

// Pieces of 4096 elements that have nothing to say beside the others, or that spoil the row.
TEST_P(SpecialRowsTest, Pieces) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (int64_t n : {int64_t{10000}, kLong}) {
    Row x(static_cast<size_t>(n), -kInf);
    x[5000] = x[9000] = 3;
    Row expected(x.size(), 0.0);
    expected[5000] = expected[9000] = 0.5;
    EXPECT_EQ(SoftmaxOf(x, GetParam()), expected);
    // e^-3000 is 0 beside e^0, in whichever piece.
    for (double& value : x) value = value == 3 ? 3000 : 0;
    EXPECT_EQ(SoftmaxOf(x, GetParam()), expected);
    for (double spoilt : {kInf, std::numeric_limits<double>::quiet_NaN()}) {
      x[9999] = spoilt;
      for (double value : SoftmaxOf(x, GetParam())) ASSERT_TRUE(std::isnan(value));
    }
    for (double value : SoftmaxOf(Row(x.size(), -kInf), GetParam())) {
      ASSERT_TRUE(std::isnan(value));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, SpecialRowsTest,
                         ::testing::Values(ACL_FLOAT, ACL_BF16, ACL_DOUBLE));

}  // namespace
}  // namespace anyacl::test
