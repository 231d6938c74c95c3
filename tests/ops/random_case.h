// SPDX-License-Identifier: Apache-2.0
// What the tests of random operators share: statistics of what was made, and tensors for seeds.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "ops/movement_case.h"
#include "reference/random.h"
#include "support/numbers.h"

namespace anyacl::test {

// Makes the first phase of a call that fills a tensor.
using Filling = std::function<Phase1(const Tensor& out, const RandomSource& source)>;

class RandomOpsTest : public DeviceTest {
 protected:
  // All elements, of a tensor that lies as told; nothing beside them is written.
  std::vector<double> Made(const Shape& shape, aclDataType type, Lie lie, const Filling& filling,
                           Phase2 phase2, const RandomSource& source);
  // Of a dense tensor in one dimension.
  std::vector<double> Made(int64_t count, aclDataType type, const Filling& filling, Phase2 phase2,
                           const RandomSource& source) {
    return Made({count}, type, Lie::kDense, filling, phase2, source);
  }
  // Every element is expected(i), for all layouts and counts around blocks and chunks.
  void CheckElements(aclDataType type, const Filling& filling, Phase2 phase2,
                     const std::function<double(const RandomSource&, int64_t)>& expected);
};

// A tensor of one element.
Tensor WordTensor(aclDataType type, uint64_t word);

struct Moments {
  double mean = 0;
  double deviation = 0;
};
Moments MomentsOf(const std::vector<double>& values);

// The largest distance of the empirical distribution function of `values` to `cdf`, times the
// square root of their number: above 1.95 in one of a thousand samples of the distribution
// (Kolmogorov and Smirnov).
double KolmogorovSmirnov(std::vector<double> values, const std::function<double(double)>& cdf);

// How far apart counts are from equal ones, in standard deviations of the chi-squared distribution.
double ChiSquaredDeviations(std::span<const int64_t> counts);

}  // namespace anyacl::test
