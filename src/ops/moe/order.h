// SPDX-License-Identifier: Apache-2.0
// How experts are ordered by a number each.
#pragma once

#include <stdint.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace anyacl::moe {

// An expert with its number, so that no two are equal: the largest first, then the lowest number.
// NaN is larger than all else; zeros are equal.
inline uint64_t EntryOf(float x, int64_t expert) {
  constexpr uint32_t kSign = 0x80000000u;
  uint32_t bits = x == 0 ? 0 : std::bit_cast<uint32_t>(x);
  bits = std::isnan(x) ? ~0u : (bits & kSign) != 0 ? ~bits : bits | kSign;
  return static_cast<uint64_t>(~bits) << 32 | static_cast<uint64_t>(expert);
}
inline int64_t ExpertOf(uint64_t entry) { return static_cast<int64_t>(entry & 0xFFFFFFFFu); }

// The first k of `count` entries in their order.
inline void SortFirst(uint64_t* entries, int64_t k, int64_t count) {
  if (k < count) std::nth_element(entries, entries + k, entries + count);
  std::sort(entries, entries + k);
}

}  // namespace anyacl::moe
