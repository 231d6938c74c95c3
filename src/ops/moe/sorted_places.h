// SPDX-License-Identifier: Apache-2.0
// Integers in order, each with a number of its own; equal ones keep their order.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

namespace anyacl::moe {

// An integer above the number of its place: 32 bits each.
struct Placed {
  uint64_t bits = 0;

  static constexpr uint32_t kSign = 0x80000000u;  // flipped: negative ones come first
  static Placed Of(int32_t number, int64_t place) {
    const uint64_t key = std::bit_cast<uint32_t>(number) ^ kSign;
    return {key << 32 | static_cast<uint64_t>(place)};
  }
  uint32_t key() const { return static_cast<uint32_t>(bits >> 32); }
  int32_t number() const { return std::bit_cast<int32_t>(key() ^ kSign); }
  int64_t place() const { return static_cast<int64_t>(bits & 0xFFFFFFFFu); }
};

// Sorts; `other` is scratch of as many. Counting from the lowest bits on, 11 at a time: up to 2048
// experts take one pass, because bits that all numbers share need none.
inline void SortPlaced(Placed* placed, Placed* other, int64_t count) {
  constexpr int kBits = 11;
  constexpr uint32_t kMask = (1u << kBits) - 1;
  Placed* from = placed;
  Placed* to = other;
  for (int shift = 0; shift < 32; shift += kBits) {
    const auto digit = [shift](Placed p) { return p.key() >> shift & kMask; };
    std::array<int64_t, kMask + 1> begin{};
    for (int64_t i = 0; i < count; ++i) ++begin[digit(from[i])];
    if (count == 0 || begin[digit(from[0])] == count) continue;
    int64_t sum = 0;
    for (int64_t& entry : begin) sum += std::exchange(entry, sum);
    for (int64_t i = 0; i < count; ++i) to[begin[digit(from[i])]++] = from[i];
    std::swap(from, to);
  }
  if (from != placed) std::copy_n(from, count, placed);
}

}  // namespace anyacl::moe
