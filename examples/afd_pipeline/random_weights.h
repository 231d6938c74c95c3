// SPDX-License-Identifier: Apache-2.0
// Random weights: each process makes those it needs, and all make the same.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

// Which numbers.
enum class Part {
  kEmbedding,
  kHead,
  kQuery,
  kKey,
  kValue,
  kOutput,
  kGate,
  kUp,
  kUpScale,
  kDown,
  kDownScale
};

class Random {
 public:
  Random(Part part, int64_t layer = 0, int64_t expert = 0)
      : state_((static_cast<uint64_t>(part) * 64 + static_cast<uint64_t>(layer)) * 64 +
               static_cast<uint64_t>(expert)) {
    state_ = Next();
  }
  // splitmix64: a counter through a mixer.
  uint64_t Next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // From -1 to 1.
  float Number() { return static_cast<float>(Next() >> 40) / (1 << 23) - 1; }

 private:
  uint64_t state_;
};

// Numbers of variance 1 / depth, so that products are as large as their rows.
inline std::vector<float> Numbers(int64_t count, int64_t depth, Random random) {
  const float scale = std::sqrt(3.0f / static_cast<float>(depth));
  std::vector<float> numbers(static_cast<size_t>(count));
  for (float& number : numbers) number = scale * random.Number();
  return numbers;
}
