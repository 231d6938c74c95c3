// SPDX-License-Identifier: Apache-2.0
// What group normalisation and its gradients mean, in double and in plain loops: the oracle of the
// tests. Data are [n, c, hxw], statistics [n, group], a group is c / group channels that follow
// each other.
#pragma once

#include <cstdint>
#include <vector>

namespace anyacl::test {

struct GroupNormShape {
  int64_t n = 0, c = 0, hxw = 0, group = 1;

  int64_t count() const { return n * c * hxw; }
  int64_t per_group() const { return c / group * hxw; }
  // Of element i of the data: its channel and its group among the n * group.
  int64_t ChannelOf(int64_t i) const { return i / hxw % c; }
  int64_t GroupOf(int64_t i) const { return i / hxw / (c / group); }
};

// out = (x - mean) * rstd * gamma + beta, rstd = 1 / sqrt(variance + eps), the variance being the
// mean of the squares. gamma and beta may be empty: ones and zeros.
struct GroupNormResult {
  std::vector<double> out, mean, rstd;
};
GroupNormResult GroupNorm(const GroupNormShape& shape, const std::vector<double>& x,
                          const std::vector<double>& gamma, const std::vector<double>& beta,
                          double eps);

struct GroupNormGradInput {
  GroupNormShape shape;
  std::vector<double> dy, x, mean, rstd;
  std::vector<double> gamma;  // Empty: ones.
};

// A result, and how far a sum in fp32 that is `kDepth` additions deep may lie from it.
struct Bounded {
  std::vector<double> value, bound;
};

struct GroupNormGradients {
  Bounded dx, dgamma, dbeta;
};

// Additions below the double sums, and the three roundings of a term.
inline constexpr double kDepth = 24;
inline constexpr double kUnit = 0x1p-24;

// The gradients of sum(dy * out) for given mean and rstd of any value; with true statistics, those
// of the formula by which mean and rstd follow from x.
GroupNormGradients GroupNormGrad(const GroupNormGradInput& input);

}  // namespace anyacl::test
