// SPDX-License-Identifier: Apache-2.0
// Batch normalisation and its gradients against the oracle: shapes, layouts, types, what may be
// absent.
#include "reference/batch_norm.h"

#include <cmath>

#include "aclnnop/aclnn_batch_norm.h"
#include "aclnnop/aclnn_batch_norm_backward.h"
#include "aclnnop/aclnn_fast_batch_norm_backward.h"
#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test {
namespace {

// [N, C, S], with S perhaps of several dimensions.
struct Case {
  aclDataType type;
  std::vector<int64_t> dims;
  std::vector<int64_t> strides = {};
  aclFormat format = ACL_FORMAT_ND;
  bool parameters = true;
  double centre = 0.5;

  bool last() const { return format == ACL_FORMAT_NHWC; }
  int64_t channels() const { return last() ? dims.back() : dims[1]; }
  Layout LayoutOf() const {
    return {.dims = dims, .dtype = type, .strides = strides, .format = format};
  }
};

class BatchNormTest : public DeviceTest, public ::testing::WithParamInterface<aclDataType> {
 protected:
  static constexpr double kEps = 1e-3;
  static constexpr double kMomentum = 0.25;

  std::vector<double> RandomValues(int64_t count, aclDataType type, double centre = 0.5) {
    std::vector<double> values;
    for (int64_t i = 0; i < count; ++i) values.push_back(AsHeld(type, random().Normal(centre, 1)));
    return values;
  }

  // Elements of each channel, and back.
  static size_t ChannelOf(const Case& c, size_t i) {
    if (c.last()) return i % static_cast<size_t>(c.channels());
    size_t inner = 1;
    for (size_t k = 2; k < c.dims.size(); ++k) inner *= static_cast<size_t>(c.dims[k]);
    return i / inner % static_cast<size_t>(c.channels());
  }
  static std::vector<Channel> Split(const Case& c, const std::vector<double>& values) {
    std::vector<Channel> channels(static_cast<size_t>(c.channels()));
    for (size_t i = 0; i < values.size(); ++i) channels[ChannelOf(c, i)].push_back(values[i]);
    return channels;
  }

  static void ExpectNear(double actual, double expected, aclDataType type, double size) {
    ASSERT_LE(std::fabs(actual - expected),
              40 * 0x1p-24 * (std::fabs(expected) + size) + 1.01 * HalfUnitOf(type, expected))
        << actual << " instead of " << expected;
  }

  Tensor Parameter(const Case& c, const std::vector<double>& values, aclDataType type) {
    Tensor tensor({.dims = {c.channels()}, .dtype = type, .strides = {2}});
    WriteAs(tensor, values);
    return tensor;
  }

  void ExpectForward(const Case& c, bool training) {
    SCOPED_TRACE(::testing::Message() << "rank " << c.dims.size() << " channels " << c.channels()
                                      << " training " << training);
    Tensor x(c.LayoutOf());
    const Tensor out(c.LayoutOf());
    const auto xs = RandomValues(x.count(), c.type, c.centre);
    WriteAs(x, xs);
    const int64_t n = c.channels();
    const auto weights = RandomValues(n, c.type), biases = RandomValues(n, c.type);
    const auto means = RandomValues(n, ACL_FLOAT);
    auto variances = RandomValues(n, ACL_FLOAT);
    for (double& value : variances) value = AsHeld(ACL_FLOAT, std::fabs(value));
    const Tensor weight = Parameter(c, weights, c.type), bias = Parameter(c, biases, c.type);
    const Tensor running_mean = Parameter(c, means, ACL_FLOAT);
    const Tensor running_var = Parameter(c, variances, ACL_FLOAT);
    const Tensor save_mean({.dims = {n}}), save_invstd({.dims = {n}});
    const auto given = [&](const Tensor& tensor) {
      return c.parameters ? tensor.handle() : nullptr;
    };
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnBatchNormGetWorkspaceSize(x.handle(), given(weight), given(bias),
                                                given(running_mean), given(running_var), training,
                                                kMomentum, kEps, out.handle(), save_mean.handle(),
                                                save_invstd.handle(), s, e);
        },
        aclnnBatchNorm);
    EXPECT_TRUE(out.GuardsIntact());
    const auto channels = Split(c, xs), actual = Split(c, ReadAs(out));
    const auto saved_means = ReadAs(save_mean), saved_invstds = ReadAs(save_invstd);
    const auto new_means = ReadAs(running_mean), new_variances = ReadAs(running_var);
    for (size_t k = 0; k < channels.size(); ++k) {
      const ChannelStatistics own = StatisticsOf(channels[k]);
      const ChannelStatistics running =
          c.parameters ? ChannelStatistics{means[k], variances[k]} : ChannelStatistics{0, 1};
      const ChannelStatistics& used = training ? own : running;
      const double weight_k = c.parameters ? weights[k] : 1, bias_k = c.parameters ? biases[k] : 0;
      const Channel expected = BatchNorm(channels[k], used, kEps, weight_k, bias_k);
      const double invstd = 1 / std::sqrt(used.variance + kEps);
      const double spread =
          (std::fabs(c.centre) + std::fabs(used.mean) + 4) * invstd * std::fabs(weight_k);
      for (size_t i = 0; i < expected.size(); ++i) {
        ExpectNear(actual[k][i], expected[i], c.type, spread + std::fabs(bias_k));
      }
      if (!training) continue;
      ExpectNear(saved_means[k], own.mean, ACL_FLOAT, std::fabs(c.centre) + 2);
      ExpectNear(saved_invstds[k], invstd, ACL_FLOAT, 0);
      if (!c.parameters) continue;
      const auto count = double(channels[k].size());
      const double unbiased = own.variance * count / (count - 1);
      ExpectNear(new_means[k], (1 - kMomentum) * means[k] + kMomentum * own.mean, ACL_FLOAT,
                 std::fabs(c.centre) + 2);
      ExpectNear(new_variances[k], (1 - kMomentum) * variances[k] + kMomentum * unbiased, ACL_FLOAT,
                 0);
    }
    if (!training) {
      EXPECT_EQ(new_means, means);
    }
  }

  void ExpectBackward(const Case& c, bool training, const bool (&wanted)[3] = {true, true, true}) {
    SCOPED_TRACE(::testing::Message() << "rank " << c.dims.size() << " channels " << c.channels()
                                      << " training " << training);
    Tensor g(c.LayoutOf()), x(c.LayoutOf());
    const Tensor dx(c.LayoutOf());
    const auto gs = RandomValues(g.count(), c.type), xs = RandomValues(x.count(), c.type);
    WriteAs(g, gs);
    WriteAs(x, xs);
    const int64_t n = c.channels();
    const auto weights = RandomValues(n, c.type), means = RandomValues(n, ACL_FLOAT);
    auto spreads = RandomValues(n, ACL_FLOAT);
    for (double& value : spreads) value = AsHeld(ACL_FLOAT, std::fabs(value) + 0.125);
    const Tensor weight = Parameter(c, weights, c.type), mean = Parameter(c, means, ACL_FLOAT);
    const Tensor spread = Parameter(c, spreads, ACL_FLOAT), none({.dims = {0}});
    const Tensor dweight({.dims = {n}}), dbias({.dims = {n}, .dtype = c.type});
    const aclBoolArray* mask = aclCreateBoolArray(wanted, 3);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnBatchNormBackwardGetWorkspaceSize(
              g.handle(), x.handle(), c.parameters ? weight.handle() : nullptr,
              training ? nullptr : mean.handle(), training ? nullptr : spread.handle(),
              training ? mean.handle() : none.handle(), training ? spread.handle() : none.handle(),
              training, kEps, mask, wanted[0] ? dx.handle() : nullptr,
              wanted[1] ? dweight.handle() : nullptr, wanted[2] ? dbias.handle() : nullptr, s, e);
        },
        aclnnBatchNormBackward);
    const Tensor fast_dx(c.LayoutOf()), fast_dweight({.dims = {n}}),
        fast_dbias({.dims = {n}, .dtype = c.type});
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnFastBatchNormBackwardGetWorkspaceSize(
              g.handle(), x.handle(), c.parameters ? weight.handle() : nullptr,
              training ? nullptr : mean.handle(), training ? nullptr : spread.handle(),
              training ? mean.handle() : none.handle(), training ? spread.handle() : none.handle(),
              training, kEps, mask, training ? 1 : 0, wanted[0] ? fast_dx.handle() : nullptr,
              wanted[1] ? fast_dweight.handle() : nullptr,
              wanted[2] ? fast_dbias.handle() : nullptr, s, e);
        },
        aclnnFastBatchNormBackward);
    EXPECT_TRUE(!wanted[0] || ReadAs(fast_dx) == ReadAs(dx));
    EXPECT_TRUE(!wanted[1] || ReadAs(fast_dweight) == ReadAs(dweight));
    EXPECT_TRUE(!wanted[2] || ReadAs(fast_dbias) == ReadAs(dbias));
    aclDestroyBoolArray(mask);
    EXPECT_TRUE(dx.GuardsIntact());
    const auto g_channels = Split(c, gs), x_channels = Split(c, xs), actual = Split(c, ReadAs(dx));
    const auto dweights = ReadAs(dweight), dbiases = ReadAs(dbias);
    for (size_t k = 0; k < x_channels.size(); ++k) {
      const double invstd = training ? spreads[k] : 1 / std::sqrt(spreads[k] + kEps);
      const double weight_k = c.parameters ? weights[k] : 1;
      const ChannelGradients expected =
          BatchNormBackward(g_channels[k], x_channels[k], means[k], invstd, weight_k, training);
      double sums = 0, products = 0;
      for (size_t i = 0; i < x_channels[k].size(); ++i) {
        sums += std::fabs(g_channels[k][i]);
        products += std::fabs(g_channels[k][i] * (x_channels[k][i] - means[k]) * invstd);
      }
      const double size = std::fabs(weight_k) * invstd * (4 + 36 * invstd * invstd);
      for (size_t i = 0; i < expected.x.size() && wanted[0]; ++i) {
        ExpectNear(actual[k][i], expected.x[i], c.type, size);
      }
      if (wanted[1]) ExpectNear(dweights[k], expected.weight, ACL_FLOAT, products);
      if (wanted[2]) ExpectNear(dbiases[k], expected.bias, c.type, sums);
    }
  }

  std::vector<Case> Cases() {
    const aclDataType type = GetParam();
    return {{type, {5, 3}},
            {type, {70, 40}},         // channels side by side, a chunk and some rows
            {type, {130, 600}},       // more than a tile of them
            {type, {6, 40}, {1, 7}},  // neither
            {type, {2, 3, 5}},
            {type, {3, 4, 7, 9}},    // rows that share pieces
            {type, {100, 2, 7, 9}},  // several such pieces
            {type, {2, 5, 20, 30}},  // rows that are pieces
            {type, {2, 3, 70, 70}},  // rows of several pieces
            {type, {2, 20, 3, 4, 5}},
            {type, {2, 20, 6, 5}, {600, 1, 100, 20}},  // channels last in memory
            {type, {2, 3, 4, 5}, {1, 60, 2, 10}},      // dimensions that do not merge
            {type, {2, 4, 3, 5}, {}, ACL_FORMAT_NHWC},
            {type, {3, 4, 7, 9}, {}, ACL_FORMAT_NCHW, false},
            {type, {70, 40}, {}, ACL_FORMAT_ND, false}};
  }
};

TEST_P(BatchNormTest, Forward) {
  for (const Case& c : Cases()) {
    ExpectForward(c, true);
    ExpectForward(c, false);
  }
}

TEST_P(BatchNormTest, Backward) {
  for (const Case& c : Cases()) {
    ExpectBackward(c, true);
    ExpectBackward(c, false);
  }
  ExpectBackward({GetParam(), {2, 3, 5}}, true, {true, false, false});
  ExpectBackward({GetParam(), {2, 3, 5}}, false, {true, false, false});
  ExpectBackward({GetParam(), {70, 40}}, false, {true, false, false});
  ExpectBackward({GetParam(), {70, 40}}, true, {false, true, true});
  ExpectBackward({GetParam(), {2, 3, 5}}, true, {false, false, true});
}

// Data far from zero: the variance is that of the deviations.
TEST_P(BatchNormTest, DataFarFromZero) {
  if (GetParam() != ACL_FLOAT) return;
  for (const std::vector<int64_t>& dims :
       {std::vector<int64_t>{70, 40}, {3, 4, 7, 9}, {2, 3, 70, 70}}) {
    ExpectForward({.type = ACL_FLOAT, .dims = dims, .centre = 1e4}, true);
  }
}

INSTANTIATE_TEST_SUITE_P(Types, BatchNormTest, ::testing::Values(ACL_FLOAT, ACL_FLOAT16, ACL_BF16));

class BatchNormCallTest : public DeviceTest {
 protected:
  static Phase1 Forward(const Tensor& x, const Tensor* weight, bool training, const Tensor& out,
                        const Tensor* saved) {
    return [&x, weight, training, &out, saved](uint64_t* s, aclOpExecutor** e) {
      aclTensor* save = saved != nullptr ? saved->handle() : nullptr;
      return aclnnBatchNormGetWorkspaceSize(x.handle(), weight ? weight->handle() : nullptr,
                                            nullptr, nullptr, nullptr, training, 0.1, 1e-5,
                                            out.handle(), save, save, s, e);
    };
  }
};

TEST_F(BatchNormCallTest, WrongArgumentsAreRefused) {
  const Tensor x({.dims = {2, 3}}), three({.dims = {3}}), four({.dims = {4}}), row({.dims = {3}});
  ExpectRefused(Forward(x, &four, false, x, nullptr), 161002, {"weight.shape", "[4]", "[3]"});
  ExpectRefused(Forward(x, &three, true, x, nullptr), 161001, {"saveMean", "training"});
  ExpectRefused(Forward(x, &three, true, x, &four), 161002, {"saveMean.shape", "[4]", "[3]"});
  ExpectRefused(Forward(row, nullptr, false, row, nullptr), 161002, {"input.shape", "[3]"});
}

TEST_F(BatchNormCallTest, InPlaceAndEmpty) {
  Tensor x({.dims = {2, 1, 2}});
  const Tensor saved({.dims = {1}}), none({.dims = {0, 1, 2}});
  WriteAs(x, {1, 2, 3, 4});
  RunTwoPhase(Forward(x, nullptr, true, x, &saved), aclnnBatchNorm);
  EXPECT_NEAR(ReadAs(x)[0], -1.5 / std::sqrt(1.25 + 1e-5), 1e-6);
  RunTwoPhase(Forward(none, nullptr, true, none, &saved), aclnnBatchNorm);
  EXPECT_TRUE(std::isnan(ReadAs(saved)[0]));
}

// A NaN that the statistics do not see stays where it is.
TEST_F(BatchNormCallTest, GivenStatisticsKeepNaNInItsPlace) {
  const double nan = std::nan("");
  for (int64_t n : {2, 40}) {
    Tensor g({.dims = {3, n}}), x({.dims = {3, n}});
    const Tensor dx({.dims = {3, n}});
    WriteAs(g, std::vector<double>(3 * n, 1));
    WriteAs(x, std::vector<double>(3 * n, nan));
    const bool wanted[] = {true, false, false};
    const aclBoolArray* mask = aclCreateBoolArray(wanted, 3);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnBatchNormBackwardGetWorkspaceSize(g.handle(), x.handle(), nullptr, nullptr,
                                                        nullptr, nullptr, nullptr, false, 0, mask,
                                                        dx.handle(), nullptr, nullptr, s, e);
        },
        aclnnBatchNormBackward);
    aclDestroyBoolArray(mask);
    EXPECT_EQ(ReadAs(dx), std::vector<double>(3 * n, 1));
  }
}

}  // namespace
}  // namespace anyacl::test
