// SPDX-License-Identifier: Apache-2.0
// Reproducible random numbers: ANYACL_TEST_SEED replays a run.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace anyacl::test {

// The number in ANYACL_TEST_SEED, otherwise `fallback`.
uint64_t SeedOr(uint64_t fallback);

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}

  // Uniform in [low, high].
  int64_t Int(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(engine_);
  }
  bool Chance(double probability) { return Uniform(0, 1) < probability; }
  double Uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  double Normal(double mean, double deviation) { return mean + deviation * normal_(engine_); }
  template <class T>
  const T& Pick(const std::vector<T>& from) {
    return from[static_cast<size_t>(Int(0, static_cast<int64_t>(from.size()) - 1))];
  }

 private:
  std::mt19937_64 engine_;
  std::normal_distribution<double> normal_;  // Makes two numbers at a time and keeps one.
};

}  // namespace anyacl::test
