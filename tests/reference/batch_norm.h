// SPDX-License-Identifier: Apache-2.0
// What batch normalisation means for one channel, in double and in plain loops.
#pragma once

#include <vector>

namespace anyacl::test {

using Channel = std::vector<double>;

struct ChannelStatistics {
  double mean, variance;
};
ChannelStatistics StatisticsOf(const Channel& x);

Channel BatchNorm(const Channel& x, const ChannelStatistics& statistics, double eps, double weight,
                  double bias);

struct ChannelGradients {
  Channel x;
  double weight, bias;
};
// `training`: the statistics depend on x.
ChannelGradients BatchNormBackward(const Channel& g, const Channel& x, double mean, double invstd,
                                   double weight, bool training);

// What several devices know of a channel: the mean and 1 / sqrt(variance + eps) of `count` elements
// of each. The statistics of all of them.
struct DeviceStatistics {
  double mean, invstd, count;
};
ChannelStatistics JoinedStatistics(const std::vector<DeviceStatistics>& devices, double eps);

}  // namespace anyacl::test
