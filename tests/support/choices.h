// SPDX-License-Identifier: Apache-2.0
// Where a generator of calls takes its decisions from: a seed, or the bytes that libFuzzer mutates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace anyacl::test {

class Choices {
 public:
  explicit Choices(uint64_t seed) : engine_(seed) {}
  Choices(const uint8_t* data, size_t size) : data_(data), left_(size) {}

  // In [low, high]; low when the bytes are used up.
  int64_t Int(int64_t low, int64_t high) {
    const uint64_t span = static_cast<uint64_t>(high) - static_cast<uint64_t>(low) + 1;
    if (data_ == nullptr) {
      return std::uniform_int_distribution<int64_t>(low, high)(engine_);
    }
    uint64_t bits = 0;
    for (uint64_t range = span - 1; range > 0 && left_ > 0; range >>= 8, --left_) {
      bits = bits << 8 | *data_++;
    }
    return static_cast<int64_t>(static_cast<uint64_t>(low) + (span == 0 ? bits : bits % span));
  }

  // Used-up bytes say no.
  bool OneIn(int64_t n) { return Int(1, n) == n; }
  bool Chance(double probability) { return Int(1, 256) > 256 * (1 - probability); }
  double Uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(Int(0, 65535)) / 65535;
  }

  template <class T>
  const T& Pick(const std::vector<T>& from) {
    return from[static_cast<size_t>(Int(0, static_cast<int64_t>(from.size()) - 1))];
  }

 private:
  std::mt19937_64 engine_;
  const uint8_t* data_ = nullptr;
  size_t left_ = 0;
};

}  // namespace anyacl::test
