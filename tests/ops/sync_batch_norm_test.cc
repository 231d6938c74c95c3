// SPDX-License-Identifier: Apache-2.0
// Batch normalisation in parts: devices that each have some of the elements find the statistics,
// the results and the gradients of all of them together, and the parts alone.
#include <cmath>

#include "aclnnop/aclnn_batch_norm_backward_reduce.h"
#include "aclnnop/aclnn_batch_norm_elemt.h"
#include "aclnnop/aclnn_batch_norm_elemt_backward.h"
#include "aclnnop/aclnn_batch_norm_gather_stats_with_counts.h"
#include "aclnnop/aclnn_batch_norm_reduce.h"
#include "aclnnop/aclnn_batch_norm_stats.h"
#include "aclnnop/aclnn_sync_batch_norm_gather_stats.h"
#include "reference/batch_norm.h"
#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test::sync_batch_norm {
namespace {

constexpr double kEps = 1e-3;

using Values = std::vector<double>;

// What one device has of the elements, and what it finds out about them.
struct Device {
  std::vector<int64_t> dims;
  Values xs, gs;
  Tensor x, g;
  Values means, invstds;

  int64_t count() const { return x.count() / dims[1]; }  // of each channel
};

// Numbers by channel.
std::vector<Channel> Split(const std::vector<int64_t>& dims, const Values& values) {
  std::vector<Channel> channels(static_cast<size_t>(dims[1]));
  size_t inner = 1;
  for (size_t k = 2; k < dims.size(); ++k) inner *= static_cast<size_t>(dims[k]);
  for (size_t i = 0; i < values.size(); ++i) {
    channels[i / inner % channels.size()].push_back(values[i]);
  }
  return channels;
}

class SyncBatchNormTest : public DeviceTest, public ::testing::WithParamInterface<aclDataType> {
 protected:
  Values RandomValues(int64_t count, aclDataType type, double centre = 0.5) {
    Values values;
    for (int64_t i = 0; i < count; ++i) values.push_back(AsHeld(type, random().Normal(centre, 1)));
    return values;
  }
  static Tensor PerChannel(const Values& values, aclDataType type = ACL_FLOAT) {
    Tensor tensor({.dims = {static_cast<int64_t>(values.size())}, .dtype = type, .strides = {2}});
    WriteAs(tensor, values);
    return tensor;
  }
  static void ExpectClose(double actual, double expected, aclDataType type, double size) {
    ASSERT_LE(std::fabs(actual - expected),
              100 * 0x1p-24 * (std::fabs(expected) + size) + 1.01 * HalfUnitOf(type, expected))
        << actual << " instead of " << expected;
  }

  Device MakeDevice(const std::vector<int64_t>& dims, double centre) {
    const Layout layout = {.dims = dims, .dtype = GetParam()};
    Tensor x(layout), g(layout);
    const Values xs = RandomValues(x.count(), GetParam(), centre);
    const Values gs = RandomValues(x.count(), GetParam());
    WriteAs(x, xs);
    WriteAs(g, gs);
    return {dims, xs, gs, std::move(x), std::move(g), {}, {}};
  }

  void FindStats(Device& device) {
    const Tensor mean({.dims = {device.dims[1]}}),
        invstd({.dims = {device.dims[1]}, .strides = {3}});
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnBatchNormStatsGetWorkspaceSize(device.x.handle(), kEps, mean.handle(),
                                                     invstd.handle(), s, e);
        },
        aclnnBatchNormStats);
    EXPECT_TRUE(mean.GuardsIntact() && invstd.GuardsIntact());
    device.means = ReadAs(mean);
    device.invstds = ReadAs(invstd);
    const auto channels = Split(device.dims, device.xs);
    for (size_t c = 0; c < channels.size(); ++c) {
      const ChannelStatistics own = StatisticsOf(channels[c]);
      ExpectClose(device.means[c], own.mean, ACL_FLOAT, 4);
      ExpectClose(device.invstds[c], 1 / std::sqrt(own.variance + kEps), ACL_FLOAT, 1);
    }
  }

  void Gather(const std::vector<Device>& devices, const Tensor& mean, const Tensor& invstd) {
    Values means, invstds, counts;
    for (const Device& device : devices) {
      means.insert(means.end(), device.means.begin(), device.means.end());
      invstds.insert(invstds.end(), device.invstds.begin(), device.invstds.end());
      counts.push_back(static_cast<double>(device.count()));
    }
    const Layout layout = {.dims = {std::ssize(devices), mean.count()}};
    Tensor all_means(layout), all_invstds(layout);
    WriteAs(all_means, means);
    WriteAs(all_invstds, invstds);
    const Tensor count = PerChannel(counts);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnBatchNormGatherStatsWithCountsGetWorkspaceSize(
              devices[0].x.handle(), all_means.handle(), all_invstds.handle(), nullptr, nullptr,
              0.1, kEps, count.handle(), mean.handle(), invstd.handle(), s, e);
        },
        aclnnBatchNormGatherStatsWithCounts);
  }

  Values Normalised(const Device& device, const Tensor& weight, const Tensor& bias,
                    const Tensor& mean, const Tensor& invstd) {
    const Tensor out(device.x.layout());
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnBatchNormElemtGetWorkspaceSize(device.x.handle(), weight.handle(),
                                                     bias.handle(), mean.handle(), invstd.handle(),
                                                     123, out.handle(), s, e);
        },
        aclnnBatchNormElemt);
    EXPECT_TRUE(out.GuardsIntact());
    return ReadAs(out);
  }

  // Adds a device's sums to those of the others.
  void AddSums(const Device& device, const Tensor& weight, const Tensor& mean, const Tensor& invstd,
               Values& sums, Values& products) {
    const int64_t n = mean.count();
    const Tensor sum({.dims = {n}}), product({.dims = {n}, .strides = {2}});
    const Tensor dweight({.dims = {n}}), dbias({.dims = {n}});
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnBatchNormReduceBackwardGetWorkspaceSize(
              device.g.handle(), device.x.handle(), mean.handle(), invstd.handle(), weight.handle(),
              true, true, true, sum.handle(), product.handle(), dweight.handle(), dbias.handle(), s,
              e);
        },
        aclnnBatchNormReduceBackward);
    EXPECT_TRUE(product.GuardsIntact());
    const Values own_sums = ReadAs(sum), own_products = ReadAs(product);
    const Values dweights = ReadAs(dweight), rstds = ReadAs(invstd);
    EXPECT_EQ(ReadAs(dbias), own_sums);
    for (size_t c = 0; c < sums.size(); ++c) {
      sums[c] += own_sums[c];
      products[c] += own_products[c];
      ExpectClose(dweights[c], own_products[c] * rstds[c], ACL_FLOAT, 0);
    }
  }

  Values Gradient(const Device& device, const Tensor& weight, const Tensor& mean,
                  const Tensor& invstd, const Tensor& sum, const Tensor& product,
                  const Tensor& counter) {
    const Tensor dx(device.x.layout());
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnBatchNormElemtBackwardGetWorkspaceSize(
              device.g.handle(), device.x.handle(), mean.handle(), invstd.handle(), weight.handle(),
              sum.handle(), product.handle(), counter.handle(), dx.handle(), s, e);
        },
        aclnnBatchNormElemtBackward);
    EXPECT_TRUE(dx.GuardsIntact());
    return ReadAs(dx);
  }

  void ExpectAsOne(const std::vector<int64_t>& rest) {
    SCOPED_TRACE(rest.size());
    std::vector<Device> devices;
    const auto channels = static_cast<size_t>(rest[0]);
    std::vector<Channel> xs(channels), gs(channels);
    for (int64_t n : {2, 5, 70}) {
      std::vector<int64_t> dims = {n};
      dims.insert(dims.end(), rest.begin(), rest.end());
      devices.push_back(MakeDevice(dims, 0.25 * static_cast<double>(n)));
      FindStats(devices.back());
      const auto x = Split(dims, devices.back().xs), g = Split(dims, devices.back().gs);
      for (size_t c = 0; c < channels; ++c) {
        xs[c].insert(xs[c].end(), x[c].begin(), x[c].end());
        gs[c].insert(gs[c].end(), g[c].begin(), g[c].end());
      }
    }
    const Tensor mean({.dims = {rest[0]}}), invstd({.dims = {rest[0]}});
    Gather(devices, mean, invstd);
    const Values weights = RandomValues(rest[0], GetParam()),
                 biases = RandomValues(rest[0], GetParam());
    const Tensor weight = PerChannel(weights, GetParam()), bias = PerChannel(biases, GetParam());
    Values sums(channels, 0), products(channels, 0);
    for (const Device& device : devices) AddSums(device, weight, mean, invstd, sums, products);
    const Tensor sum = PerChannel(sums), product = PerChannel(products);
    Tensor counter({.dims = {1, 3}, .dtype = ACL_INT32});
    Values counts;
    for (const Device& device : devices) counts.push_back(static_cast<double>(device.count()));
    WriteAs(counter, counts);
    size_t before = 0;
    for (const Device& device : devices) {
      const auto out = Split(device.dims, Normalised(device, weight, bias, mean, invstd));
      const auto dx =
          Split(device.dims, Gradient(device, weight, mean, invstd, sum, product, counter));
      for (size_t c = 0; c < channels; ++c) {
        const ChannelStatistics own = StatisticsOf(xs[c]);
        const double rstd = 1 / std::sqrt(own.variance + kEps);
        const Channel expected = BatchNorm(xs[c], own, kEps, weights[c], biases[c]);
        const Channel slopes = BatchNormBackward(gs[c], xs[c], own.mean, rstd, weights[c], true).x;
        const double size = 20 * rstd * (std::fabs(weights[c]) + 1);
        for (size_t i = 0; i < out[c].size(); ++i) {
          ExpectClose(out[c][i], expected[before + i], GetParam(), size + std::fabs(biases[c]));
          ExpectClose(dx[c][i], slopes[before + i], GetParam(), size);
        }
      }
      before += out[0].size();
    }
  }
};

// Three devices with different numbers of elements against one that has all.
TEST_P(SyncBatchNormTest, DevicesTogetherAreAsOneWithAllElements) {
  for (const std::vector<int64_t>& rest : {std::vector<int64_t>{20}, {5, 7}, {3, 9, 11}}) {
    ExpectAsOne(rest);
  }
}

TEST_P(SyncBatchNormTest, GathersStatisticsAndKeepsRunningOnes) {
  const aclDataType type = GetParam();
  constexpr int64_t kDevices = 4, kChannels = 5;
  constexpr double kMomentum = 0.25;
  const Values means = RandomValues(kDevices * kChannels, type);
  Values invstds = RandomValues(kDevices * kChannels, type);
  for (double& value : invstds) value = AsHeld(type, std::fabs(value) + 0.125);
  const Values counts = {3, 1, 7, 20};
  const Values old_means = RandomValues(kChannels, type), old_vars = RandomValues(kChannels, type);
  const Tensor x({.dims = {2, kChannels, 3}});
  Tensor mean({.dims = {kDevices, kChannels}, .dtype = type, .strides = {1, kDevices}});
  Tensor invstd({.dims = {kDevices, kChannels}, .dtype = type});
  WriteAs(mean, means);
  WriteAs(invstd, invstds);
  const Tensor count = PerChannel(counts, type);
  const Tensor running_mean = PerChannel(old_means, type), running_var = PerChannel(old_vars, type);
  const Tensor mean_all({.dims = {kChannels}}), invstd_all({.dims = {kChannels}, .dtype = type});
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnBatchNormGatherStatsWithCountsGetWorkspaceSize(
            x.handle(), mean.handle(), invstd.handle(), running_mean.handle(), running_var.handle(),
            kMomentum, kEps, count.handle(), mean_all.handle(), invstd_all.handle(), s, e);
      },
      aclnnBatchNormGatherStatsWithCounts);
  EXPECT_TRUE(running_mean.GuardsIntact() && running_var.GuardsIntact());
  const Values new_means = ReadAs(mean_all), new_invstds = ReadAs(invstd_all);
  const Values running_means = ReadAs(running_mean), running_vars = ReadAs(running_var);
  for (size_t c = 0; c < kChannels; ++c) {
    std::vector<DeviceStatistics> devices;
    for (size_t k = 0; k < kDevices; ++k) {
      devices.push_back({means[k * kChannels + c], invstds[k * kChannels + c], counts[k]});
    }
    const ChannelStatistics all = JoinedStatistics(devices, kEps);
    ExpectClose(new_means[c], all.mean, ACL_FLOAT, 0);
    ExpectClose(new_invstds[c], 1 / std::sqrt(all.variance + kEps), type, 0);
    ExpectClose(running_means[c], (1 - kMomentum) * old_means[c] + kMomentum * all.mean, type, 0);
    const double unbiased = all.variance * 31 / 30;
    ExpectClose(running_vars[c], (1 - kMomentum) * old_vars[c] + kMomentum * unbiased, type, 0);
  }
}

TEST_P(SyncBatchNormTest, SumsOfChannels) {
  const std::vector<int64_t> dims = {3, 5, 7, 4};
  for (bool last : {false, true}) {
    Layout layout = {.dims = dims, .dtype = GetParam(), .format = ACL_FORMAT_NCHW};
    if (last) layout = {.dims = {3, 7, 4, 5}, .dtype = GetParam(), .format = ACL_FORMAT_NHWC};
    Tensor x(layout);
    const Values xs = RandomValues(x.count(), GetParam());
    WriteAs(x, xs);
    const Tensor sum({.dims = {5}, .strides = {2}}), square({.dims = {5}});
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnBatchNormReduceGetWorkspaceSize(x.handle(), sum.handle(), square.handle(), s,
                                                      e);
        },
        aclnnBatchNormReduce);
    Values sums(5), squares(5);
    for (size_t i = 0; i < xs.size(); ++i) {
      const size_t c = last ? i % 5 : i / 28 % 5;
      sums[c] += xs[i];
      squares[c] += xs[i] * xs[i];
    }
    for (size_t c = 0; c < 5; ++c) {
      ExpectClose(ReadAs(sum)[c], sums[c], ACL_FLOAT, 100);
      ExpectClose(ReadAs(square)[c], squares[c], ACL_FLOAT, 0);
    }
    EXPECT_TRUE(sum.GuardsIntact());
  }
}

TEST_P(SyncBatchNormTest, GathersSumsAndKeepsRunningStatistics) {
  const aclDataType type = GetParam();
  if (type == ACL_BF16) return;
  constexpr int64_t kDevices = 3, kChannels = 4;
  constexpr float kMomentum = 0.25f;
  const Values counts = {4, 1, 7};
  Values sums, squares;
  for (int64_t k = 0; k < kDevices; ++k) {
    for (int64_t c = 0; c < kChannels; ++c) {
      double sum = 0, square = 0;
      for (int64_t i = 0; i < static_cast<int64_t>(counts[static_cast<size_t>(k)]); ++i) {
        const double x = static_cast<double>(random().Int(-8, 8)) / 4;
        sum += x;
        square += x * x;
      }
      sums.push_back(sum);  // FLOAT16 holds these
      squares.push_back(square);
    }
  }
  const Values means = RandomValues(kChannels, type), variances = RandomValues(kChannels, type);
  Tensor sum({.dims = {kDevices, kChannels}, .dtype = type, .strides = {1, kDevices}});
  Tensor square({.dims = {kDevices, kChannels}, .dtype = type});
  WriteAs(sum, sums);
  WriteAs(square, squares);
  for (aclDataType counted : {ACL_INT32, ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    const Tensor count = PerChannel(counts, counted);
    const Tensor mean = PerChannel(means, type), variance = PerChannel(variances, type);
    const Tensor batch_mean({.dims = {kChannels}}), invstd({.dims = {kChannels}});
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnSyncBatchNormGatherStatsGetWorkspaceSize(
              sum.handle(), square.handle(), count.handle(), mean.handle(), variance.handle(),
              kMomentum, static_cast<float>(kEps), batch_mean.handle(), invstd.handle(), s, e);
        },
        aclnnSyncBatchNormGatherStats);
    for (size_t c = 0; c < kChannels; ++c) {
      double all = 0, all_squares = 0;
      for (size_t k = 0; k < kDevices; ++k) {
        all += sums[k * kChannels + c] / 12;
        all_squares += squares[k * kChannels + c] / 12;
      }
      const double spread = all_squares - all * all;
      ExpectClose(ReadAs(batch_mean)[c], all, ACL_FLOAT, 0.1);
      ExpectClose(ReadAs(invstd)[c], 1 / std::sqrt(spread + kEps), ACL_FLOAT, 1);
      ExpectClose(ReadAs(mean)[c], 0.75 * means[c] + 0.25 * all, type, 0.1);
      ExpectClose(ReadAs(variance)[c], 0.75 * variances[c] + 0.25 * spread * 12 / 11, type, 0.1);
    }
    EXPECT_TRUE(mean.GuardsIntact() && variance.GuardsIntact());
  }
}

INSTANTIATE_TEST_SUITE_P(Types, SyncBatchNormTest,
                         ::testing::Values(ACL_FLOAT, ACL_FLOAT16, ACL_BF16));

class SyncBatchNormCallTest : public DeviceTest {};

// What is not wanted is not looked at; no elements have the sums 0.
TEST_F(SyncBatchNormCallTest, UnwantedSumsAndNoElements) {
  const Tensor x({.dims = {0, 2, 3}}), two({.dims = {2}}), five({.dims = {5}});
  Tensor sum({.dims = {2}}), product({.dims = {2}});
  WriteAs(sum, {7, 7});
  const auto call = [&](const Tensor& g, bool input, bool weight) {
    return [&g, &x, &two, &sum, &product, &five, input, weight](uint64_t* s, aclOpExecutor** e) {
      return aclnnBatchNormReduceBackwardGetWorkspaceSize(
          g.handle(), x.handle(), two.handle(), two.handle(), nullptr, input, weight, false,
          input ? sum.handle() : five.handle(), input ? product.handle() : nullptr, nullptr,
          nullptr, s, e);
    };
  };
  RunTwoPhase(call(x, false, false), aclnnBatchNormReduceBackward);
  EXPECT_EQ(ReadAs(sum), (Values{7, 7}));
  RunTwoPhase(call(x, true, false), aclnnBatchNormReduceBackward);
  EXPECT_EQ(ReadAs(sum), (Values{0, 0}));
  EXPECT_EQ(ReadAs(product), (Values{0, 0}));
  ExpectRefused(call(x, true, true), 161001, {"gradWeight", "weightG"});
  ExpectRefused(call(two, true, false), 161002, {"[2]"});
}

TEST_F(SyncBatchNormCallTest, WrongArgumentsAreRefused) {
  const Tensor x({.dims = {2, 3}}), none({.dims = {2, 0}}), three({.dims = {3}});
  const Tensor four({.dims = {4}}), empty({.dims = {0}}), row({.dims = {0, 3}});
  const auto stats = [](const Tensor& input, const Tensor& mean) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnBatchNormStatsGetWorkspaceSize(input.handle(), kEps, mean.handle(), mean.handle(),
                                                 s, e);
    };
  };
  ExpectRefused(stats(none, empty), 161002, {"input.shape", "[2, 0]", "a channel"});
  ExpectRefused(stats(x, four), 161002, {"mean.shape", "[4]", "[3]"});
  ExpectRefused(stats(three, three), 161002, {"input.shape", "[3]", "2 to 8"});
  const auto gather = [&](const Tensor& means, const Tensor& counts) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnBatchNormGatherStatsWithCountsGetWorkspaceSize(
          x.handle(), means.handle(), means.handle(), nullptr, nullptr, 0.1, kEps, counts.handle(),
          three.handle(), three.handle(), s, e);
    };
  };
  ExpectRefused(gather(x, three), 161002, {"counts.shape", "3"});
  ExpectRefused(gather(row, empty), 161002, {"mean.shape", "[0, 3]"});
  const auto reduce = [](const Tensor& input, const Tensor& sum) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnBatchNormReduceGetWorkspaceSize(input.handle(), sum.handle(), sum.handle(), s, e);
    };
  };
  const Tensor image({.dims = {2, 3, 4, 5}}), nothing({.dims = {2, 0, 4, 5}});
  Tensor zeros({.dims = {3}});
  WriteAs(zeros, {7, 7, 7});
  ExpectRefused(reduce(x, three), 161002, {"x", "rank 2"});
  ExpectRefused(reduce(image, four), 161002, {"squareSum.shape", "[4]", "[3]"});
  RunTwoPhase(reduce(nothing, empty), aclnnBatchNormReduce);
  RunTwoPhase(reduce(Tensor({.dims = {0, 3, 4, 5}}), zeros), aclnnBatchNormReduce);
  EXPECT_EQ(ReadAs(zeros), (Values{0, 0, 0}));
  const auto sums = [&](const Tensor& total, const Tensor& counts, const Tensor& running) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnSyncBatchNormGatherStatsGetWorkspaceSize(
          total.handle(), total.handle(), counts.handle(), running.handle(), running.handle(), 0.1f,
          1e-5f, running.handle(), running.handle(), s, e);
    };
  };
  const Tensor two({.dims = {2}}), half({.dims = {3}, .dtype = ACL_FLOAT16});
  ExpectRefused(sums(x, three, three), 161002, {"sampleCount.shape", "3"});
  ExpectRefused(sums(x, two, four), 161002, {"mean.shape", "4"});
  ExpectRefused(sums(x, two, half), 161002, {"mean.dtype", "FLOAT16"});
  ExpectRefused(sums(row, empty, three), 161002, {"totalSum.shape", "[0, 3]"});
  RunTwoPhase(sums(none, two, empty), aclnnSyncBatchNormGatherStats);
}

}  // namespace
}  // namespace anyacl::test::sync_batch_norm
