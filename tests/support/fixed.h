// SPDX-License-Identifier: Apache-2.0
// Numbers and hashes that are the same on every system, which distributions of the standard library
// are not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace anyacl::test {

// A linear congruential sequence (Knuth's for 64 bits): the upper bits are good.
class FixedSequence {
 public:
  explicit FixedSequence(uint64_t seed = 1) : state_(seed) {}

  uint64_t Next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return state_;
  }
  // The upper bits of the next number.
  uint32_t Bits(int count) { return static_cast<uint32_t>(Next() >> (64 - count)); }
  // Of 0 to 1, multiples of 2^-24.
  float Unit() { return static_cast<float>(Bits(24)) * 0x1p-24f; }
  std::vector<uint8_t> Bytes(size_t count) {
    std::vector<uint8_t> bytes(count);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(Bits(8));
    return bytes;
  }

 private:
  uint64_t state_;
};

// Numbers of -2 to 2 that every floating-point type holds exactly, multiples of 1/32, in a sequence
// of a long period (an additive one, of golden ratio): a misplaced element shows.
inline float FixedValue(uint64_t i) {
  const uint64_t mixed = (i + 1) * 0x9e3779b97f4a7c15u;
  return static_cast<float>(static_cast<int>(mixed >> 57) - 64) / 32.0f;
}

// From integers alone: odd multiples of 2^-6 in (-8, 8) times a third.
inline std::vector<double> FixedNumbers(int64_t count, uint64_t seed = 1) {
  std::vector<double> numbers;
  FixedSequence sequence(seed);
  for (int64_t i = 0; i < count; ++i) {
    numbers.push_back((static_cast<double>(sequence.Bits(10)) - 511.5) / 64 / 3);
  }
  return numbers;
}

// FNV-1a (Fowler, Noll, Vo); of several pieces: the hash of those before goes along.
inline uint64_t Fingerprint(const void* data, size_t size, uint64_t hash = 0xcbf29ce484222325u) {
  const auto* bytes = static_cast<const uint8_t*>(data);
  for (size_t i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * 0x100000001b3u;
  return hash;
}
inline uint64_t Fingerprint(const std::vector<uint8_t>& bytes,
                            uint64_t hash = 0xcbf29ce484222325u) {
  return Fingerprint(bytes.data(), bytes.size(), hash);
}

}  // namespace anyacl::test
