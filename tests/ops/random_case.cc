// SPDX-License-Identifier: Apache-2.0
#include "ops/random_case.h"

#include <algorithm>
#include <cmath>

namespace anyacl::test {

std::vector<double> RandomOpsTest::Made(const Shape& shape, aclDataType type, Lie lie,
                                        const Filling& filling, Phase2 phase2,
                                        const RandomSource& source) {
  const Tensor out(Lying(shape, type, lie));
  RunTwoPhase(filling(out, source), phase2);
  EXPECT_TRUE(out.GuardsIntact());
  return ReadAs(out);
}

void RandomOpsTest::CheckElements(
    aclDataType type, const Filling& filling, Phase2 phase2,
    const std::function<double(const RandomSource&, int64_t)>& expected) {
  const RandomSource sources[] = {{0, 0}, {0x123456789abcdef0, 40}, {UINT64_MAX, UINT64_MAX - 3}};
  const Shape shapes[] = {
      {},        {1},         {3},           {64}, {1023}, {1025},  {2, 3, 5},
      {77, 211}, {5, 1, 400}, {2, 3, 4, 50}, {0},  {3, 0}, {16385}, {2, 7, 3, 1, 2, 2, 3, 5}};
  size_t k = 0;
  for (const Shape& shape : shapes) {
    for (Lie lie : kOutputLies) {
      const RandomSource& source = sources[k++ % std::size(sources)];
      const std::vector<double> made = Made(shape, type, lie, filling, phase2, source);
      for (size_t i = 0; i < made.size(); ++i) {
        ASSERT_EQ(made[i], expected(source, static_cast<int64_t>(i)))
            << "element " << i << " of " << made.size() << ", type " << type << ", lie "
            << static_cast<int>(lie);
      }
    }
  }
}

Tensor WordTensor(aclDataType type, uint64_t word) {
  Tensor tensor({.dims = {1}, .dtype = type});
  tensor.Write(std::vector<uint64_t>{word});
  return tensor;
}

Moments MomentsOf(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  Moments moments;
  for (double value : values) moments.mean += value / count;
  for (double value : values) {
    moments.deviation += (value - moments.mean) * (value - moments.mean) / count;
  }
  moments.deviation = std::sqrt(moments.deviation);
  return moments;
}

double KolmogorovSmirnov(std::vector<double> values, const std::function<double(double)>& cdf) {
  std::sort(values.begin(), values.end());
  const auto count = static_cast<double>(values.size());
  double distance = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const double at = cdf(values[i]), rank = static_cast<double>(i);
    distance = std::max({distance, at - rank / count, (rank + 1) / count - at});
  }
  return distance * std::sqrt(count);
}

double ChiSquaredDeviations(std::span<const int64_t> counts) {
  double total = 0, sum = 0;
  for (int64_t count : counts) total += static_cast<double>(count);
  const double expected = total / static_cast<double>(counts.size());
  for (int64_t count : counts) sum += std::pow(static_cast<double>(count) - expected, 2) / expected;
  const auto freedom = static_cast<double>(counts.size() - 1);
  return std::abs(sum - freedom) / std::sqrt(2 * freedom);
}

}  // namespace anyacl::test
