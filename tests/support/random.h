// SPDX-License-Identifier: Apache-2.0
// Reproducible random numbers: ANYACL_TEST_SEED replays a run.
#pragma once

#include <cmath>
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
  // In [low, high): the upper 53 bits. std::uniform_real_distribution took four times as long.
  double Uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }
  // Marsaglia's polar method, which makes two numbers at a time.
  double Normal(double mean, double deviation) {
    if (has_second_) {
      has_second_ = false;
      return mean + deviation * second_;
    }
    double x, y, square;
    do {
      x = Uniform(-1, 1);
      y = Uniform(-1, 1);
      square = x * x + y * y;
    } while (square > 1 || square == 0);
    const double factor = std::sqrt(-2 * std::log(square) / square);
    second_ = x * factor;
    has_second_ = true;
    return mean + deviation * y * factor;
  }
  // Nearly normal, of mean 0 and deviation 1, from -3 to 3: the sum of three numbers of 21 bits.
  // For large tensors, whose normal numbers took more time than what is computed of them.
  double Bell() {
    constexpr uint64_t kPart = (uint64_t{1} << 21) - 1;
    const uint64_t bits = engine_();
    return static_cast<double>((bits & kPart) + (bits >> 21 & kPart) + (bits >> 42 & kPart)) *
               0x1p-20 -
           3;
  }
  template <class T>
  const T& Pick(const std::vector<T>& from) {
    return from[static_cast<size_t>(Int(0, static_cast<int64_t>(from.size()) - 1))];
  }

 private:
  std::mt19937_64 engine_;
  bool has_second_ = false;
  double second_ = 0;
};

}  // namespace anyacl::test
