// SPDX-License-Identifier: Apache-2.0
// How both operators go through the data: a first pass over a group, something between that needs
// all of it, and a second pass.
//
// Channels of a large area are cut into chunks, so that threads can share a group. What the first
// pass finds is kept per item (a chunk of a channel of a batch element) and combined in the order
// of the items: who computed which does not show.
#pragma once

#include <algorithm>

#include "base/cpu.h"
#include "ops/group_norm/values.h"
#include "runtime/cache_share.h"
#include "runtime/parallel.h"

namespace anyacl::group_norm {

// A chunk of fp32 dy and x is 256 KiB, and takes 8 us in the caches.
inline constexpr int64_t kChunk = int64_t{1} << 15;
static_assert(kChunk % kBlock == 0);

// Rows of a group that follow each other, or a chunk of one.
struct Piece {
  int64_t item;     // the first, counted within the group
  int64_t row;      // the first, counted within the group
  int64_t element;  // the first, counted within the tensor
  int64_t rows;
  int64_t cols;
};

class Groups {
 public:
  // The passes read `streams` tensors of this type.
  Groups(const Sizes& sizes, Element element, int streams)
      : s_(sizes),
        chunks_(s_.area / kChunk + (s_.area % kChunk != 0)),
        tensor_bytes_(s_.group_elements() * BytesOf(element)),
        group_bytes_(streams * tensor_bytes_) {}

  int64_t count() const { return s_.batch * s_.groups; }
  // Per channel.
  int64_t chunks() const { return chunks_; }
  int64_t items() const { return s_.group_channels() * chunks_; }
  // Of one item.
  int64_t ItemElements(int64_t item) const {
    return std::min(kChunk, s_.area - item % chunks_ * kChunk);
  }

  // How many bytes ahead the passes over groups from memory prefetch (0: nothing, as in the caches,
  // where it costs 5 %). While the second pass writes one group, whose elements the caches hold,
  // the next group is read: up to 27 % faster for groups that are shared. For others so only if the
  // first pass does it too, a little ahead: together that is worth 6 to 9 % in fp32 and 12 to 25 %
  // in 16 bits. L2 must have room for both groups, without which it costs up to 12 %.
  int64_t FirstPassAhead(bool past_caches) const { return past_caches && TwoFitL2() ? 8192 : 0; }
  int64_t SecondPassAhead(bool past_caches) const {
    return past_caches && (TwoFitL2() || IsShared()) ? tensor_bytes_ : 0;
  }

  // For each group: first(group, begin, end) for ranges that make up its items, between(group), and
  // second(group, result of between, begin, end).
  template <class First, class Between, class Second>
  void ForEach(const First& first, const Between& between, const Second& second) const {
    if (!IsShared()) {
      const int64_t grain = std::max<int64_t>(1, kChunk / s_.group_elements());
      ParallelFor(count(), grain, [&](int64_t begin, int64_t end) {
        for (int64_t group = begin; group < end; ++group) {
          first(group, 0, items());
          second(group, between(group), 0, items());
        }
      });
      return;
    }
    const int64_t grain = std::max<int64_t>(1, kChunk / s_.area);
    for (int64_t group = 0; group < count(); ++group) {
      ParallelFor(items(), grain, [&](int64_t begin, int64_t end) { first(group, begin, end); });
      const auto found = between(group);
      ParallelFor(items(), grain,
                  [&](int64_t begin, int64_t end) { second(group, found, begin, end); });
    }
  }

  // visit(piece) for pieces that make up the items, the last chunk first.
  template <class Visit>
  void ForPieces(int64_t group, int64_t begin, int64_t end, const Visit& visit) const {
    const int64_t start = group * s_.group_elements();
    if (chunks_ == 1) {
      return visit(Piece{begin, begin, start + begin * s_.area, end - begin, s_.area});
    }
    for (int64_t item = end; item-- > begin;) {
      const int64_t row = item / chunks_;
      const int64_t element = start + row * s_.area + item % chunks_ * kChunk;
      visit(Piece{item, row, element, 1, ItemElements(item)});
    }
  }

 private:
  // Groups that fit into a core's L2 are left to one thread each, which finds them there in the
  // second pass. A larger one is shared, so that only one at a time occupies the shared cache; and
  // so are groups too few to occupy all threads.
  bool IsShared() const {
    const bool few = count() < 2 * ThreadCount();
    return s_.group_elements() > kChunk && (few || group_bytes_ > Caches().level2);
  }

  bool TwoFitL2() const { return 2 * group_bytes_ <= Caches().level2; }

  const Sizes s_;
  const int64_t chunks_;
  const int64_t tensor_bytes_;  // of a group in one tensor
  const int64_t group_bytes_;   // in all that are read
};

// Stores past the caches save reading the lines that they replace, but evict the result: only where
// all tensors together, `count` of them, come close to the size of the last cache.
inline bool GoesPastCaches(const Sizes& s, Element element, int count) {
  const int64_t bytes = s.batch * s.channels * s.area * BytesOf(element);
  return count * bytes > LastCacheShare() / 4 * 3;
}

// The parameters of all channels as numbers; `missing` stands for a tensor that is not given.
inline void ReadParameters(const TensorView& view, const Bindings& bindings, float missing,
                           int64_t count, float* values) {
  if (!view.given()) {
    std::fill_n(values, count, missing);
    return;
  }
  const Elements elements(view, bindings);
  for (int64_t c = 0; c < count; ++c) values[c] = elements.At(c);
}

}  // namespace anyacl::group_norm
