// SPDX-License-Identifier: Apache-2.0
// Numbers of a row with their places, as integers that sort as they do. NaN is the largest; zeros
// are equal; equal ones stand by their places, so that no two entries are equal. For keys of any
// type see ops/sorting/entries.h.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace anyacl::blocks {

inline uint32_t OrderOf(float x) {
  constexpr uint32_t kSign = 0x80000000u;
  const uint32_t bits = x == 0 ? 0 : std::bit_cast<uint32_t>(x);
  return std::isnan(x) ? ~0u : (bits & kSign) != 0 ? ~bits : bits | kSign;
}
// The smallest first.
inline uint64_t EntryOf(float x, int64_t place) {
  return uint64_t{OrderOf(x)} << 32 | static_cast<uint64_t>(place);
}
// The largest first.
inline uint64_t FallingEntryOf(float x, int64_t place) {
  return uint64_t{~OrderOf(x)} << 32 | static_cast<uint64_t>(place);
}
inline int64_t PlaceOf(uint64_t entry) { return static_cast<int64_t>(entry & 0xFFFFFFFFu); }

// The first k of `count` entries in their order.
inline void SortFirst(uint64_t* entries, int64_t k, int64_t count) {
  if (k < count) std::nth_element(entries, entries + k, entries + count);
  std::sort(entries, entries + k);
}

}  // namespace anyacl::blocks
