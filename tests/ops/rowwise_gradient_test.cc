// SPDX-License-Identifier: Apache-2.0
// The gradients of layer norms against the oracle: types, layouts, lengths and numbers of rows.
#include <cmath>

#include "aclnnop/aclnn_layer_norm_backward.h"
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

}  // namespace
}  // namespace anyacl::test
