// SPDX-License-Identifier: Apache-2.0
// Radix sort of entries: what has an unsigned key() and, among equal keys, an order of its own in
// operator<, which is the order that they come in.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "runtime/parallel.h"

namespace anyacl::blocks {

// Keys of up to 32 bits, of up to 2^32 elements.
struct Narrow {
  uint64_t bits = 0;

  static constexpr int64_t kMostElements = int64_t{1} << 32;
  static Narrow Of(uint64_t key, int64_t place) {
    return {key << 32 | static_cast<uint64_t>(place)};
  }
  uint64_t key() const { return bits >> 32; }
  int64_t place() const { return static_cast<int64_t>(bits & 0xFFFFFFFFu); }
  friend bool operator<(Narrow a, Narrow b) { return a.bits < b.bits; }
};

inline constexpr int64_t kCompared = 256;      // below, comparisons are faster than 256 counts
inline constexpr int64_t kDigitPiece = 65536;  // entries whose digits are counted together

// Numbers of scratch `counts` for a shared sort.
constexpr int64_t CountsOf(int64_t count) { return (count + kDigitPiece - 1) / kDigitPiece * 256; }

// One pass over a digit of 8 bits, in pieces that threads share; false: all are equal.
template <class Entry>
bool SharedPass(const Entry* from, Entry* to, int64_t count, int shift, int64_t* counts) {
  const int64_t pieces = (count + kDigitPiece - 1) / kDigitPiece;
  const auto digit = [shift](const Entry& e) { return (e.key() >> shift) & 255; };
  ParallelFor(pieces, 1, [&](int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; ++p) {
      int64_t* const mine = counts + p * 256;
      std::fill_n(mine, 256, 0);
      const int64_t last = std::min(count, (p + 1) * kDigitPiece);
      for (int64_t i = p * kDigitPiece; i < last; ++i) ++mine[digit(from[i])];
    }
  });
  int64_t sum = 0;
  for (int64_t d = 0; d < 256; ++d) {
    const int64_t before = sum;
    for (int64_t p = 0; p < pieces; ++p) {
      const int64_t here = counts[p * 256 + d];
      counts[p * 256 + d] = sum;
      sum += here;
    }
    if (sum - before == count) return false;
  }
  ParallelFor(pieces, 1, [&](int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; ++p) {
      int64_t* const mine = counts + p * 256;
      const int64_t last = std::min(count, (p + 1) * kDigitPiece);
      for (int64_t i = p * kDigitPiece; i < last; ++i) to[mine[digit(from[i])]++] = from[i];
    }
  });
  return true;
}

template <class Entry>
bool Pass(const Entry* from, Entry* to, int64_t count, int shift) {
  int64_t counts[256] = {};
  const auto digit = [shift](const Entry& e) { return (e.key() >> shift) & 255; };
  for (int64_t i = 0; i < count; ++i) ++counts[digit(from[i])];
  if (counts[digit(from[0])] == count) return false;
  int64_t sum = 0;
  for (int64_t& c : counts) {
    const int64_t here = c;
    c = sum;
    sum += here;
  }
  for (int64_t i = 0; i < count; ++i) to[counts[digit(from[i])]++] = from[i];
  return true;
}

// Sorts; `other` is scratch of as many entries. With `shared`, threads share the work.
template <class Entry>
void SortEntries(Entry* entries, Entry* other, int64_t count, int key_bits, bool shared,
                 int64_t* counts) {
  if (count <= kCompared) return std::sort(entries, entries + count);
  Entry* from = entries;
  Entry* to = other;
  for (int shift = 0; shift < key_bits; shift += 8) {
    const bool moved =
        shared ? SharedPass(from, to, count, shift, counts) : Pass(from, to, count, shift);
    if (moved) std::swap(from, to);
  }
  if (from == entries) return;
  if (!shared) {
    std::copy_n(from, count, entries);
    return;
  }
  ParallelFor(count, kDigitPiece, [&](int64_t begin, int64_t end) {
    std::copy(from + begin, from + end, entries + begin);
  });
}

}  // namespace anyacl::blocks
