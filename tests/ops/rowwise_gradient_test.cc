// SPDX-License-Identifier: Apache-2.0
// The gradients of norms against the oracle: types, layouts, lengths and numbers of rows.
#include <cmath>

#include "aclnnop/aclnn_layer_norm_backward.h"
#include "aclnnop/aclnn_rms_norm_grad.h"
#include "reference/rowwise.h"
#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test {
namespace {

struct Case {
  aclDataType type;
  int64_t rows, n;
  bool gaps = false;
  bool mask[3] = {true, true, true};
};

class LayerNormBackwardTest : public DeviceTest, public ::testing::WithParamInterface<aclDataType> {
 protected:
  std::vector<double> RandomValues(int64_t count, aclDataType type) {
    std::vector<double> values;
    for (int64_t i = 0; i < count; ++i) values.push_back(AsHeld(type, random().Normal(0.25, 1)));
    return values;
  }

  // `size`: of the terms of a sum.
  static void ExpectNear(double actual, double expected, aclDataType type, double size) {
    ASSERT_LE(std::fabs(actual - expected),
              60 * 0x1p-24 * (std::fabs(expected) + size) + 1.01 * HalfUnitOf(type, expected))
        << actual << " instead of " << expected;
  }

  void ExpectCorrect(const Case& c) {
    SCOPED_TRACE(::testing::Message() << c.rows << " rows of " << c.n << " gaps " << c.gaps);
    Layout layout{.dims = {c.rows, c.n}, .dtype = c.type};
    if (c.gaps) layout.strides = {1, c.rows + 3};
    Tensor g(layout), x(layout), gamma({.dims = {c.n}, .dtype = c.type});
    Tensor mean({.dims = {c.rows, 1}}), rstd({.dims = {c.rows, 1}});
    const Tensor dx(layout), dgamma({.dims = {c.n}, .strides = {2}});
    const Tensor dbeta({.dims = {c.n}, .dtype = c.type});
    const auto gs = RandomValues(c.rows * c.n, c.type), xs = RandomValues(c.rows * c.n, c.type);
    const auto gammas = RandomValues(c.n, c.type);
    const auto means = RandomValues(c.rows, ACL_FLOAT), rstds = RandomValues(c.rows, ACL_FLOAT);
    WriteAs(g, gs);
    WriteAs(x, xs);
    WriteAs(gamma, gammas);
    WriteAs(mean, means);
    WriteAs(rstd, rstds);
    const aclIntArray* shape = aclCreateIntArray(&c.n, 1);
    const aclBoolArray* mask = aclCreateBoolArray(c.mask, 3);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnLayerNormBackwardGetWorkspaceSize(
              g.handle(), x.handle(), shape, mean.handle(), rstd.handle(), gamma.handle(), nullptr,
              mask, c.mask[0] ? dx.handle() : nullptr, c.mask[1] ? dgamma.handle() : nullptr,
              c.mask[2] ? dbeta.handle() : nullptr, s, e);
        },
        aclnnLayerNormBackward);
    aclDestroyBoolArray(mask);
    aclDestroyIntArray(shape);
    EXPECT_TRUE(dx.GuardsIntact() && dgamma.GuardsIntact() && dbeta.GuardsIntact());
    const auto dxs = ReadAs(dx), dgammas = ReadAs(dgamma), dbetas = ReadAs(dbeta);
    Row gamma_sums(c.n), beta_sums(c.n), sizes(c.n);
    for (int64_t r = 0; r < c.rows; ++r) {
      const auto begin = static_cast<size_t>(r * c.n), end = begin + static_cast<size_t>(c.n);
      const NormGradients expected =
          LayerNormBackward(Row(gs.begin() + begin, gs.begin() + end),
                            Row(xs.begin() + begin, xs.begin() + end), gammas, means[r], rstds[r]);
      for (int64_t i = 0; i < c.n; ++i) {
        gamma_sums[i] += expected.gamma[i];
        beta_sums[i] += expected.beta[i];
        sizes[i] += std::fabs(expected.gamma[i]) + std::fabs(expected.beta[i]);
        const double size = 20 * std::fabs(rstds[r]) * (1 + std::fabs(rstds[r] * rstds[r]));
        if (c.mask[0]) ExpectNear(dxs[begin + i], expected.x[i], c.type, size);
      }
    }
    for (int64_t i = 0; i < c.n; ++i) {
      if (c.mask[1]) ExpectNear(dgammas[i], gamma_sums[i], ACL_FLOAT, sizes[i]);
      if (c.mask[2]) ExpectNear(dbetas[i], beta_sums[i], c.type, sizes[i]);
    }
  }
};

TEST_P(LayerNormBackwardTest, LengthsAndNumbersOfRows) {
  for (int64_t n : {1, 7, 16, 33, 512, 513, 4097, 9000}) {
    for (bool gaps : {false, true}) {
      ExpectCorrect({GetParam(), 3, n, gaps});
      if (n < 600) ExpectCorrect({GetParam(), 40, n, gaps});
    }
  }
  ExpectCorrect({GetParam(), 1100, 40});
  ExpectCorrect({GetParam(), 1100, 40, true});
  ExpectCorrect({GetParam(), 70, 4100});  // more blocks than threads share pieces of
}

TEST_P(LayerNormBackwardTest, OnlyWhatIsWanted) {
  for (int which = 0; which < 8; ++which) {
    for (int64_t n : {100, 5000}) {
      ExpectCorrect(
          {GetParam(), 20, n, false, {(which & 1) != 0, (which & 2) != 0, (which & 4) != 0}});
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, LayerNormBackwardTest,
                         ::testing::Values(ACL_FLOAT, ACL_FLOAT16, ACL_BF16));

class LayerNormBackwardCallTest : public DeviceTest {
 protected:
  // The gradients of [2, 2, 4] by [2, 4], with statistics of this shape.
  Phase1 Call(const Tensor& g, const Tensor& mean, const Tensor* dx, const bool* wanted,
              size_t masks = 3) {
    Destroy();
    const int64_t sizes[] = {2, 4};
    shape_ = aclCreateIntArray(sizes, 2);
    mask_ = aclCreateBoolArray(wanted, masks);
    return [this, &g, &mean, dx](uint64_t* s, aclOpExecutor** e) {
      return aclnnLayerNormBackwardGetWorkspaceSize(
          g.handle(), g.handle(), shape_, mean.handle(), mean.handle(), nullptr, nullptr, mask_,
          dx != nullptr ? dx->handle() : nullptr, nullptr, nullptr, s, e);
    };
  }
  void Destroy() {
    if (shape_ != nullptr) aclDestroyIntArray(shape_);
    if (mask_ != nullptr) aclDestroyBoolArray(mask_);
    shape_ = nullptr;
    mask_ = nullptr;
  }
  void TearDown() override {
    Destroy();
    DeviceTest::TearDown();
  }

  const aclIntArray* shape_ = nullptr;
  const aclBoolArray* mask_ = nullptr;
};

TEST_F(LayerNormBackwardCallTest, WrongArgumentsAreRefused) {
  const Tensor g({.dims = {2, 2, 4}}), mean({.dims = {2, 1, 1}}), three({.dims = {3, 1, 1}});
  const bool wanted[] = {true, false, false};
  ExpectRefused(Call(g, mean, nullptr, wanted), 161001, {"gradInputOut", "outputMask[0]"});
  ExpectRefused(Call(g, three, &g, wanted), 161002, {"mean.shape", "[3, 1, 1]", "[2, 1, 1]"});
  ExpectRefused(Call(g, mean, &g, wanted, 2), 161002, {"outputMask", "2", "3"});
}

// The gradient may take the place of gradOut.
TEST_F(LayerNormBackwardCallTest, InPlace) {
  Tensor g({.dims = {2, 2, 4}}), mean({.dims = {2, 1, 1}});
  const Tensor dx({.dims = {2, 2, 4}});
  WriteAs(g, {1, 2, 3, 4, 5, 6, 7, 9, 1, 0, 1, 0, 2, 2, 2, 7});
  WriteAs(mean, {0.5, 2});
  const bool wanted[] = {true, false, false};
  RunTwoPhase(Call(g, mean, &dx, wanted), aclnnLayerNormBackward);
  RunTwoPhase(Call(g, mean, &g, wanted), aclnnLayerNormBackward);
  EXPECT_EQ(ReadAs(g), ReadAs(dx));
}

// Nothing is added up over no rows.
TEST_F(LayerNormBackwardCallTest, NoRows) {
  const Tensor g({.dims = {0, 4}}), mean({.dims = {0, 1}}), dgamma({.dims = {4}});
  const int64_t n = 4;
  shape_ = aclCreateIntArray(&n, 1);
  const bool wanted[] = {false, true, false};
  mask_ = aclCreateBoolArray(wanted, 3);
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnLayerNormBackwardGetWorkspaceSize(g.handle(), g.handle(), shape_, mean.handle(),
                                                      mean.handle(), nullptr, nullptr, mask_,
                                                      nullptr, dgamma.handle(), nullptr, s, e);
      },
      aclnnLayerNormBackward);
  EXPECT_EQ(ReadAs(dgamma), Row(4, 0.0));
}

class RmsNormGradTest : public LayerNormBackwardTest {
 protected:
  void ExpectGradients(const Case& c, aclDataType gamma_type) {
    SCOPED_TRACE(::testing::Message() << c.rows << " rows of " << c.n << " gaps " << c.gaps);
    Layout layout{.dims = {c.rows, c.n}, .dtype = c.type};
    if (c.gaps) layout.strides = {1, c.rows + 3};
    Tensor g(layout), x(layout), gamma({.dims = {c.n}, .dtype = gamma_type});
    Tensor rstd({.dims = {c.rows}});
    const Tensor dx(layout), dgamma({.dims = {c.n}, .strides = {c.gaps ? 2 : 1}});
    const auto gs = RandomValues(c.rows * c.n, c.type), xs = RandomValues(c.rows * c.n, c.type);
    const auto gammas = RandomValues(c.n, gamma_type), rstds = RandomValues(c.rows, ACL_FLOAT);
    WriteAs(g, gs);
    WriteAs(x, xs);
    WriteAs(gamma, gammas);
    WriteAs(rstd, rstds);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnRmsNormGradGetWorkspaceSize(g.handle(), x.handle(), rstd.handle(),
                                                  gamma.handle(), dx.handle(), dgamma.handle(), s,
                                                  e);
        },
        aclnnRmsNormGrad);
    EXPECT_TRUE(dx.GuardsIntact() && dgamma.GuardsIntact());
    const auto dxs = ReadAs(dx), dgammas = ReadAs(dgamma);
    Row sums(c.n), sizes(c.n);
    for (int64_t r = 0; r < c.rows; ++r) {
      const auto begin = static_cast<size_t>(r * c.n), end = begin + static_cast<size_t>(c.n);
      const NormGradients expected =
          RmsNormBackward(Row(gs.begin() + begin, gs.begin() + end),
                          Row(xs.begin() + begin, xs.begin() + end), gammas, rstds[r]);
      const double size = 20 * std::fabs(rstds[r]) * (1 + rstds[r] * rstds[r]);
      for (int64_t i = 0; i < c.n; ++i) {
        sums[i] += expected.gamma[i];
        sizes[i] += std::fabs(expected.gamma[i]);
        ExpectNear(dxs[begin + i], expected.x[i], c.type, size);
      }
    }
    for (int64_t i = 0; i < c.n; ++i) ExpectNear(dgammas[i], sums[i], ACL_FLOAT, sizes[i]);
  }
};

TEST_P(RmsNormGradTest, LengthsAndNumbersOfRows) {
  for (int64_t n : {1, 7, 33, 512, 513, 4097, 9000}) {
    for (bool gaps : {false, true}) {
      ExpectGradients({GetParam(), 3, n, gaps}, GetParam());
      ExpectGradients({GetParam(), n < 600 ? 40 : 2, n, gaps}, ACL_FLOAT);
    }
  }
  ExpectGradients({GetParam(), 1100, 40}, GetParam());
  ExpectGradients({GetParam(), 70, 4100}, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Types, RmsNormGradTest,
                         ::testing::Values(ACL_FLOAT, ACL_FLOAT16, ACL_BF16));

// Rows of two dimensions, statistics with ones for them and without.
TEST_F(LayerNormBackwardCallTest, RmsNormsOfSeveralDimensions) {
  Tensor g({.dims = {3, 2, 4}}), x({.dims = {3, 2, 4}}), gamma({.dims = {2, 4}});
  WriteAs(g, {1, 2, 3, 4, 5, 6, 7, 9, 1, 0, 1, 0, 2, 2, 2, 7, 1, 1, 4, 4, 0, 0, 2, 2});
  WriteAs(x, {3, 1, 2, 1, 0, 1, 0, 1, 2, 2, 2, 2, 3, 3, 3, 3, 1, 2, 1, 2, 1, 2, 1, 0});
  WriteAs(gamma, {1, 2, 1, 2, 1, 2, 1, 2});
  std::vector<double> first;
  for (const std::vector<int64_t>& dims : {std::vector<int64_t>{3}, {3, 1, 1}}) {
    Tensor rstd({.dims = dims});
    WriteAs(rstd, {0.5, 2, 1});
    const Tensor dx({.dims = {3, 2, 4}}), dgamma({.dims = {2, 4}});
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnRmsNormGradGetWorkspaceSize(g.handle(), x.handle(), rstd.handle(),
                                                  gamma.handle(), dx.handle(), dgamma.handle(), s,
                                                  e);
        },
        aclnnRmsNormGrad);
    const Row gs = ReadAs(g), xs = ReadAs(x);
    const NormGradients expected = RmsNormBackward(
        Row(gs.begin(), gs.begin() + 8), Row(xs.begin(), xs.begin() + 8), ReadAs(gamma), 0.5);
    const Row actual = ReadAs(dx);
    for (size_t i = 0; i < 8; ++i) EXPECT_NEAR(actual[i], expected.x[i], 1e-5);
    if (first.empty()) first = actual;
    EXPECT_EQ(actual, first);
  }
}

TEST_F(LayerNormBackwardCallTest, WrongRmsNormsAreRefused) {
  const Tensor x({.dims = {2, 4}}), half({.dims = {2, 4}, .dtype = ACL_FLOAT16}),
      rstd({.dims = {2, 1}}), three({.dims = {3}}), gamma({.dims = {4}}), other({.dims = {3}});
  const auto call = [](const Tensor& dy, const Tensor& x, const Tensor& rstd, const Tensor& gamma,
                       const Tensor& dgamma) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnRmsNormGradGetWorkspaceSize(dy.handle(), x.handle(), rstd.handle(),
                                              gamma.handle(), x.handle(), dgamma.handle(), s, e);
    };
  };
  ExpectRefused(call(half, x, rstd, gamma, gamma), 161002, {"x.dtype", "FLOAT16"});
  ExpectRefused(call(x, x, three, gamma, gamma), 161002, {"rstd.shape", "[3]", "[2, 1]"});
  ExpectRefused(call(x, x, rstd, other, other), 161002, {"gamma.shape", "[3]"});
  ExpectRefused(call(x, x, rstd, gamma, other), 161002, {"dgammaOut.shape", "[3]"});
}

}  // namespace
}  // namespace anyacl::test
