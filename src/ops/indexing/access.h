// SPDX-License-Identifier: Apache-2.0
// The engine of the members with index tensors. A position p has an element of every index tensor
// and an element or a box of elements of the plain tensor:
//   target[sum of index_k[p] * step_k + own steps of p + i]  <->  plain[p, i]
// Gathering reads target, scattering writes it. Members say how their tensors lie along positions
// and within boxes, in bytes; what order and threads do with it is decided here.
#pragma once

#include <array>
#include <cstdint>

#include "nnop/copy.h"
#include "nnop/view.h"

namespace anyacl::indexing {

inline constexpr int kMaxIndices = TensorView::kMaxRank;

// A few things in place.
template <class T, int kMost>
struct Few {
  std::array<T, kMost> items{};
  int count = 0;

  void push_back(const T& item) { items[static_cast<size_t>(count++)] = item; }
  T& operator[](int i) { return items[static_cast<size_t>(i)]; }
  const T& operator[](int i) const { return items[static_cast<size_t>(i)]; }
  const T& back() const { return items[static_cast<size_t>(count - 1)]; }
  T* begin() { return items.data(); }
  T* end() { return items.data() + count; }
  const T* begin() const { return items.data(); }
  const T* end() const { return items.data() + count; }
};

struct Index {
  const char* data = nullptr;
  bool wide = true;   // int64, else int32
  int64_t limit = 0;  // of the dimension that it addresses
  int64_t step = 0;   // of that dimension in target, in bytes
};

struct Axis {
  int64_t size = 1;
  int64_t target = 0;  // steps in bytes
  int64_t plain = 0;
  std::array<int64_t, kMaxIndices> index{};
  // Positions that differ along it are different elements of target, whatever the indices are.
  bool apart = false;
};
using Axes = Few<Axis, 2 * TensorView::kMaxRank>;

int64_t CountOf(const Axes& axes);

struct Access {
  char* target = nullptr;  // of the first elements
  char* plain = nullptr;
  int64_t element_bytes = 1;
  Few<Index, kMaxIndices> indices;
  Axes positions;              // row-major: equal elements of target are written in this order
  Axes inner;                  // the boxes; their indices are not used
  bool wraps = true;           // -1 is the last one
  bool skips_outside = false;  // positions out of range are left out, instead of a failure
  int64_t skipped = -1;        // positions with this index are left out

  bool LeavesOut() const { return skips_outside || skipped != -1; }
};

// For messages.
struct Names {
  const char* index = "index";
  const char* target = "self";
};

// plain = target at the indices. Where an index is out of range, part of plain may be written.
Status Gather(const Access& access, const Names& names);

enum class Reduce : uint8_t { kAssign, kAdd, kMultiply };

// A position as sums of 16 bits sort it: by target, then by number.
struct Entry {
  int64_t offset;  // in target
  int64_t plain;   // its number, and then its offset in plain

  uint64_t key() const { return static_cast<uint64_t>(offset); }
  friend bool operator<(const Entry& a, const Entry& b) {
    return a.offset != b.offset ? a.key() < b.key() : a.plain < b.plain;
  }
};

struct Scattering {
  Reduce reduce = Reduce::kAssign;
  aclDataType dtype = ACL_FLOAT;
  // What is added is multiplied by this number before, if `scaled`. It is of the type, or FLOAT if
  // Grouped().
  alignas(16) std::array<char, 16> factor{};
  bool scaled = false;
  bool by_frequency = false;  // FLOAT, FLOAT16, BF16: sums become means
  // What target's elements are before, at target's steps; null: they are in target.
  const char* source = nullptr;
  // This call has made target, so a failure may leave anything in it.
  bool may_spoil = false;
  int64_t* table = nullptr;  // scratch, WordsFor() as many positions
  Entry* entries = nullptr;  // the same, if Grouped(): two for each position
};

// Whether sums are made for one element of target after the other: numbers of 16 bits are summed in
// fp32 and rounded once.
bool Grouped(aclDataType dtype, Reduce reduce, bool by_frequency);

// Whether Scatter() takes what target's elements are before from elsewhere, if target is dense and
// the positions apart are all there are.
bool CopiesItself(const Access& access, const Scattering& scattering);

// target at the indices = plain, or sums and products with it, in the order of positions. Nothing
// is written where an index is out of range, unless `may_spoil` says that it may be.
Status Scatter(const Access& access, const Scattering& scattering, const Names& names);

}  // namespace anyacl::indexing
