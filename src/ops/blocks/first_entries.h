// SPDX-License-Identifier: Apache-2.0
// The first k entries of a row without sorting it: whoever is not before the k-th so far is passed
// over.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "kernels.h"

namespace anyacl::blocks {

// Entries that KeepFirst has room for.
inline int64_t RoomForFirst(int64_t k, int64_t length) {
  return std::min(length, 2 * k + 8 * sorting::kBlock);
}

// The first k of `length` entries, 1 <= k <= length, in any order; where k < length, the last of
// them is entries[k - 1]. A Row has
//   Load(begin, end, to)   the entries of elements begin to end - 1
//   finds()                whether Find can tell
//   Find(at, entry)        the next block from `at` on in which entries may be before that one
template <class Entry, class Row>
void KeepFirst(const Row& row, int64_t k, int64_t length, Entry* entries) {
  const int64_t room = RoomForFirst(k, length);
  if (room == length) {
    row.Load(0, length, entries);
    if (k < length) std::nth_element(entries, entries + k - 1, entries + length);
    return;
  }
  Entry block[sorting::kBlock];
  int64_t kept = 0;
  bool full = false;
  Entry worst{};
  const auto compact = [&] {
    std::nth_element(entries, entries + k - 1, entries + kept);
    worst = entries[k - 1];
    kept = k;
    full = true;
  };
  for (int64_t at = 0; at < length; at += sorting::kBlock) {
    if (full && row.finds()) {
      // Most blocks have nothing that could be kept.
      const sorting::Places found = row.Find(at, worst);
      at = found.at;
      for (uint64_t rest = found.mask; rest != 0; rest &= rest - 1) {
        const int64_t place = at + std::countr_zero(rest);
        row.Load(place, place + 1, entries + kept);
        kept += entries[kept] < worst;
      }
      if (kept + sorting::kBlock >= room) compact();
      continue;
    }
    const int64_t n = std::min(sorting::kBlock, length - at);
    row.Load(at, at + n, block);
    if (!full) {
      std::copy_n(block, n, entries + kept);
      kept += n;
    } else {
      for (int64_t i = 0; i < n; ++i) {
        entries[kept] = block[i];  // room for a block is kept
        kept += block[i] < worst;
      }
    }
    if (kept + sorting::kBlock < (full ? room : 2 * k + 2 * sorting::kBlock)) continue;
    compact();
  }
  if (kept > k) std::nth_element(entries, entries + k - 1, entries + kept);
}

}  // namespace anyacl::blocks
