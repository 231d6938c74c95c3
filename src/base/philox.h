// SPDX-License-Identifier: Apache-2.0
// Philox4x32-10 (Salmon et al. 2011): four random words for each counter and key. The runtime's
// random numbers and the random operators take them from here; simd/philox_tile.h has the same
// function for sixteen counters at a time.
#pragma once

#include <stdint.h>

namespace anyacl {

inline constexpr int kPhiloxRounds = 10;
inline constexpr uint32_t kPhiloxFactor0 = 0xD2511F53u, kPhiloxFactor1 = 0xCD9E8D57u;
inline constexpr uint32_t kPhiloxKeyStep0 = 0x9E3779B9u, kPhiloxKeyStep1 = 0xBB67AE85u;

struct PhiloxBlock {
  uint32_t words[4];
};

// The counter is high * 2^64 + low.
[[gnu::always_inline]] inline PhiloxBlock Philox(uint64_t low, uint64_t high, uint64_t key) {
  uint32_t x0 = static_cast<uint32_t>(low), x1 = static_cast<uint32_t>(low >> 32);
  uint32_t x2 = static_cast<uint32_t>(high), x3 = static_cast<uint32_t>(high >> 32);
  uint32_t k0 = static_cast<uint32_t>(key), k1 = static_cast<uint32_t>(key >> 32);
  for (int round = 0; round < kPhiloxRounds; ++round) {
    const uint64_t a = uint64_t{kPhiloxFactor0} * x0;
    const uint64_t b = uint64_t{kPhiloxFactor1} * x2;
    x0 = static_cast<uint32_t>(b >> 32) ^ x1 ^ k0;
    x1 = static_cast<uint32_t>(b);
    x2 = static_cast<uint32_t>(a >> 32) ^ x3 ^ k1;
    x3 = static_cast<uint32_t>(a);
    k0 += kPhiloxKeyStep0;
    k1 += kPhiloxKeyStep1;
  }
  return {{x0, x1, x2, x3}};
}

}  // namespace anyacl
