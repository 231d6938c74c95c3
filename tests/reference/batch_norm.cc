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

}  // namespace anyacl::test
