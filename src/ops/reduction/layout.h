// SPDX-License-Identifier: Apache-2.0
// How a reduction goes through its tensor. Dimensions that are kept, and those that are reduced,
// are merged where they can be and ordered by their strides; the elements of one result are counted
// along the reduced ones, in that order. They are cut into segments, which the layout alone
// decides, and results into tiles. Threads share items: tiles, and where these are few, ranges of
// their segments.
#pragma once

#include <algorithm>
#include <cstdint>

#include "nnop/view.h"
#include "ops/blocks/blocks.h"
#include "runtime/parallel.h"

namespace anyacl::reduction {

struct Layout {
  TensorView kept;    // self's kept dimensions
  TensorView out;     // of the same sizes
  TensorView second;  // another output of these sizes; absent where an operator has one
  // out's elements are complex, and self's are not.
  bool imaginary_zero = false;
  TensorView reduced;  // self's reduced dimensions, at least one
  int64_t count = 1;   // elements of one result
  int64_t results = 1;
  // Results of a tile are read side by side, else one after the other.
  bool side_by_side = false;
  int64_t tile = 1;
  int64_t tiles = 1;  // of the last kept dimension
  int64_t segments = 1;
  int64_t parts = 1;  // items of a tile

  // Whether an item is a whole result, or several.
  bool whole() const { return parts == 1; }

  int64_t last_size() const { return kept.rank > 0 ? kept.sizes[kept.rank - 1] : 1; }
  int64_t last_stride() const { return kept.rank > 0 ? kept.strides[kept.rank - 1] : 0; }
  int64_t out_stride() const { return out.rank > 0 ? out.strides[out.rank - 1] : 1; }
  int64_t second_stride() const { return second.rank > 0 ? second.strides[second.rank - 1] : 1; }
};

// Bit i of `reduce`: self's dimension i is reduced. With `keep` out has them too, of size 1.
// Complex elements with complex results are pairs of real ones: the parts are one more kept
// dimension. With `undivided` complex numbers stay whole.
Layout LayOut(const TensorView& self, const TensorView& out, const TensorView& second,
              uint32_t reduce, bool keep, bool undivided = false);
// Cuts the results into tiles of at most `widest` where they are read side by side.
void Divide(Layout& layout, int64_t widest);

// Elements of a result in one segment.
inline constexpr int64_t kSegment = 2048;

// Results that follow each other along the last kept dimension, and some segments of their
// elements.
struct Item {
  int64_t first;  // result
  int64_t n;      // results
  int64_t self;   // where the first lies in self, in elements from the view's begin
  int64_t out;    // and its result in out
  int64_t second;
  int64_t part;
  int64_t begin;  // elements
  int64_t end;
};

Item ItemOf(const Layout& layout, int64_t tile, int64_t part, int64_t parts);

inline constexpr int64_t kWorth = 1 << 15;  // elements: 3 us in the caches

// body(item) for all of them; with parts = 1 each is a whole tile.
template <class Body>
void ForItems(const Layout& layout, int64_t parts, const Body& body) {
  const int64_t rows = layout.results / std::max<int64_t>(layout.last_size(), 1);
  const int64_t work = layout.tile * std::max<int64_t>(1, layout.count / parts);
  ParallelFor(rows * layout.tiles * parts, std::max<int64_t>(1, kWorth / work),
              [&](int64_t begin, int64_t end) {
                for (int64_t i = begin; i < end; ++i) {
                  body(ItemOf(layout, i / parts, i % parts, parts));
                }
              });
}

// body(segment, begin, end) for the item's segments, in their order; without elements for one that
// is empty.
template <class Body>
void ForSegments(const Item& item, const Body& body) {
  int64_t at = item.begin;
  do {
    const int64_t end = std::min(item.end, at + kSegment);
    body(at / kSegment, at, end);
    at = end;
  } while (at < item.end);
}

}  // namespace anyacl::reduction
