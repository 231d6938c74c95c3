// SPDX-License-Identifier: Apache-2.0
#include "reference/batch_norm.h"

#include <cmath>

namespace anyacl::test {

ChannelStatistics StatisticsOf(const Channel& x) {
  ChannelStatistics result = {0, 0};
  for (double value : x) result.mean += value / double(x.size());
  for (double value : x) result.variance += std::pow(value - result.mean, 2) / double(x.size());
  return result;
}

Channel BatchNorm(const Channel& x, const ChannelStatistics& statistics, double eps, double weight,
                  double bias) {
  Channel out;
  for (double value : x) {
    out.push_back((value - statistics.mean) / std::sqrt(statistics.variance + eps) * weight + bias);
  }
  return out;
}

ChannelGradients BatchNormBackward(const Channel& g, const Channel& x, double mean, double invstd,
                                   double weight, bool training) {
  ChannelGradients result = {{}, 0, 0};
  for (size_t i = 0; i < x.size(); ++i) {
    result.weight += g[i] * (x[i] - mean) * invstd;
    result.bias += g[i];
  }
  const auto n = double(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    const double xh = (x[i] - mean) * invstd;
    const double own = training ? g[i] - result.bias / n - xh * result.weight / n : g[i];
    result.x.push_back(weight * invstd * own);
  }
  return result;
}

ChannelStatistics JoinedStatistics(const std::vector<DeviceStatistics>& devices, double eps) {
  double count = 0;
  ChannelStatistics all = {0, 0};
  for (const DeviceStatistics& own : devices) {
    count += own.count;
    all.mean += own.mean * own.count;
  }
  all.mean /= count;
  for (const DeviceStatistics& own : devices) {
    const double variance = std::pow(own.invstd, -2) - eps;
    all.variance += (variance + std::pow(own.mean - all.mean, 2)) * own.count / count;
  }
  return all;
}

}  // namespace anyacl::test
