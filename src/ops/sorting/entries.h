// SPDX-License-Identifier: Apache-2.0
// Elements as keys, unsigned numbers in the elements' order, together with where they were. NaN is
// larger than all else; zeros are equal whatever their sign, and so are NaNs. Entries of equal keys
// are ordered by their places, so that every order is stable, whatever sorts.
#pragma once

#include <cstdint>

#include "base/dtype.h"
#include "ops/blocks/radix_sort.h"

namespace anyacl::sorting {

using blocks::Narrow;

struct Wide {
  uint64_t bits = 0;
  int64_t where = 0;

  static Wide Of(uint64_t key, int64_t place) { return {key, place}; }
  uint64_t key() const { return bits; }
  int64_t place() const { return where; }
  friend bool operator<(Wide a, Wide b) {
    return a.bits != b.bits ? a.bits < b.bits : a.where < b.where;
  }
};

// What keys of a type are.
struct KeyType {
  int bits = 32;      // of a key
  uint64_t nan = 0;   // the key of NaN; 0: there is none
  uint64_t zero = 0;  // that of 0
  bool floating = false;
};
KeyType KeyTypeOf(aclDataType dtype);

// Reads `count` elements at a step in bytes; `flip` is xor-ed to the keys: all ones for descending
// order. Entries have places first, first + 1, ...
template <class Entry>
using LoadFunction = void (*)(const char* from, int64_t step, int64_t count, uint64_t flip,
                              int64_t first, Entry* to);
template <class Entry>
LoadFunction<Entry> LoaderOf(aclDataType dtype);

// Writes the elements that entries stand for. Zeros and NaNs, whose keys do not tell them apart,
// and truth are read again from `from`.
template <class Entry>
using StoreFunction = void (*)(const Entry* entries, int64_t count, uint64_t flip, const char* from,
                               int64_t from_step, char* to, int64_t to_step);
template <class Entry>
StoreFunction<Entry> StorerOf(aclDataType dtype);

using blocks::CountsOf;
using blocks::SortEntries;

}  // namespace anyacl::sorting
