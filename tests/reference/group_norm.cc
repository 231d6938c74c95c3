// SPDX-License-Identifier: Apache-2.0
#include "reference/group_norm.h"

#include <cmath>

namespace anyacl::test {
namespace {

double AtOr(const std::vector<double>& values, int64_t i, double fallback) {
  return values.empty() ? fallback : values[static_cast<size_t>(i)];
}

}  // namespace

GroupNormResult GroupNorm(const GroupNormShape& shape, const std::vector<double>& x,
                          const std::vector<double>& gamma, const std::vector<double>& beta,
                          double eps) {
  const auto groups = static_cast<size_t>(shape.n * shape.group);
  GroupNormResult result;
  result.mean.assign(groups, 0);
  result.rstd.assign(groups, 0);
  std::vector<double> variance(groups, 0);
  const auto count = static_cast<double>(shape.per_group());
  for (int64_t i = 0; i < shape.count(); ++i) {
    result.mean[shape.GroupOf(i)] += x[i] / count;
  }
  for (int64_t i = 0; i < shape.count(); ++i) {
    variance[shape.GroupOf(i)] += std::pow(x[i] - result.mean[shape.GroupOf(i)], 2) / count;
  }
  for (size_t g = 0; g < groups; ++g) result.rstd[g] = 1 / std::sqrt(variance[g] + eps);
  for (int64_t i = 0; i < shape.count(); ++i) {
    const double xh = (x[i] - result.mean[shape.GroupOf(i)]) * result.rstd[shape.GroupOf(i)];
    result.out.push_back(xh * AtOr(gamma, shape.ChannelOf(i), 1) +
                         AtOr(beta, shape.ChannelOf(i), 0));
  }
  return result;
}

// With b and a the sums of dy and dy * xh of one channel of one batch element, K elements per
// group:
//   c1 = sum of gamma * b / K, c2 = sum of gamma * a / K over the group's channels
//   dx = rstd * (gamma * dy - c1 - xh * c2), dbeta and dgamma: b and a summed over the batch.
GroupNormGradients GroupNormGrad(const GroupNormGradInput& in) {
  const GroupNormShape& s = in.shape;
  const auto groups = static_cast<size_t>(s.n * s.group);
  const auto channels = static_cast<size_t>(s.c);
  const auto per_group = static_cast<double>(s.per_group());
  std::vector<double> c1(groups, 0), c2(groups, 0), c1_size(groups, 0), c2_size(groups, 0);
  GroupNormGradients out;
  out.dgamma.value.assign(channels, 0);
  out.dgamma.bound.assign(channels, 0);
  out.dbeta = out.dgamma;
  const auto normalized = [&](int64_t i) {
    return (in.x[i] - in.mean[s.GroupOf(i)]) * in.rstd[s.GroupOf(i)];
  };
  for (int64_t i = 0; i < s.count(); ++i) {
    const double dy = in.dy[i], product = dy * normalized(i);
    const double gamma = AtOr(in.gamma, s.ChannelOf(i), 1);
    const int64_t g = s.GroupOf(i), c = s.ChannelOf(i);
    out.dbeta.value[c] += dy;
    out.dgamma.value[c] += product;
    out.dbeta.bound[c] += kDepth * kUnit * std::fabs(dy);
    out.dgamma.bound[c] += kDepth * kUnit * std::fabs(product);
    c1[g] += gamma * dy / per_group;
    c2[g] += gamma * product / per_group;
    c1_size[g] += std::fabs(gamma * dy) / per_group;
    c2_size[g] += std::fabs(gamma * product) / per_group;
  }
  for (int64_t i = 0; i < s.count(); ++i) {
    const int64_t g = s.GroupOf(i);
    const double xh = normalized(i);
    const double scaled = AtOr(in.gamma, s.ChannelOf(i), 1) * in.dy[i];
    out.dx.value.push_back(in.rstd[g] * (scaled - c1[g] - xh * c2[g]));
    // Seven roundings of the terms, and what the sums have lost.
    const double own = 7 * (std::fabs(scaled) + std::fabs(c1[g]) + std::fabs(xh * c2[g]));
    const double sums = kDepth * (c1_size[g] + std::fabs(xh) * c2_size[g]);
    out.dx.bound.push_back(kUnit * std::fabs(in.rstd[g]) * (own + sums));
  }
  return out;
}

}  // namespace anyacl::test
