// SPDX-License-Identifier: Apache-2.0
#include "ops/reduction/layout.h"

#include "nnop/promotion.h"
#include "ops/reduction/kernel.h"

namespace anyacl::reduction {
namespace {

// Runs of fewer elements are better read side by side with others.
constexpr int64_t kShortRun = 32;

bool ReadsSideBySide(const Layout& layout) {
  if (layout.kept.rank == 0) return false;
  const int last = layout.reduced.rank - 1;
  const int64_t run = layout.reduced.sizes[last];
  if (run == 1) return true;
  const bool wide = layout.last_size() >= kShortRun;
  if (run < kShortRun && wide) return true;
  return Magnitude(layout.last_stride()) < Magnitude(layout.reduced.strides[last]) &&
         (wide || layout.last_size() > run);
}

// Results one after the other: an item takes 32 Ki elements, or one result. Side by side: equal
// shares for all threads, in rows as long as may be.
int64_t TileOf(const Layout& layout, int64_t widest) {
  if (layout.side_by_side) {
    const int64_t rows = layout.results / std::max<int64_t>(layout.last_size(), 1);
    const int64_t share = layout.last_size() * rows * layout.segments / ThreadCount();
    return std::clamp((share + 15) / 16 * 16, kTile, widest);
  }
  return std::clamp<int64_t>(kWorth / std::max<int64_t>(layout.count, 1), 1, kTile);
}

void Append(TensorView& view, const TensorView& from, int dim) {
  view.sizes[view.rank] = from.sizes[dim];
  view.strides[view.rank++] = from.strides[dim];
}

}  // namespace

Layout LayOut(const TensorView& self, const TensorView& out, const TensorView& second,
              uint32_t reduce, bool keep, bool undivided) {
  Layout layout;
  const bool complex = !undivided && CategoryOf(out.dtype) == Category::kComplex;
  const bool pairs = complex && CategoryOf(self.dtype) == Category::kComplex;
  layout.kept = pairs ? RealParts(self) : self;
  layout.out = complex ? RealParts(out) : out;
  layout.second = second;
  layout.imaginary_zero = complex && !pairs;
  const TensorView from = layout.reduced = layout.kept, to = layout.out;
  layout.kept.rank = layout.out.rank = layout.second.rank = layout.reduced.rank = 0;
  int out_dim = 0;
  for (int i = 0; i < self.rank; ++i) {
    const bool reduced = (reduce >> i & 1) != 0;
    if (reduced) {
      Append(layout.reduced, from, i);
    } else if (from.sizes[i] != 1) {  // out may have other dimensions of size 1
      Append(layout.kept, from, i);
      Append(layout.out, to, out_dim);
      Append(layout.second, second, out_dim);
    }
    if (!reduced || keep) ++out_dim;
  }
  if (pairs) {
    // There is room: of eight dimensions at least one is reduced.
    for (TensorView* view : {&layout.kept, &layout.out}) {
      view->sizes[view->rank] = 2;
      view->strides[view->rank++] = 1;
    }
  }
  layout.count = layout.reduced.elements();
  layout.results = layout.kept.elements();
  TensorView views[] = {layout.kept, layout.out, layout.second};
  Coalesce(views);
  layout.kept = views[0];
  layout.out = views[1];
  layout.second = views[2];
  Coalesce({&layout.reduced, 1});
  if (layout.reduced.rank == 0) {
    layout.reduced.rank = 1;
    layout.reduced.sizes[0] = 1;
    layout.reduced.strides[0] = 1;
  }
  layout.side_by_side = ReadsSideBySide(layout);
  layout.segments = std::max<int64_t>(1, (layout.count + kSegment - 1) / kSegment);
  return layout;
}

void Divide(Layout& layout, int64_t widest) {
  layout.tile = TileOf(layout, widest);
  layout.tiles = (layout.last_size() + layout.tile - 1) / layout.tile;
  const int64_t rows = layout.results / std::max<int64_t>(layout.last_size(), 1);
  // Memory is read in longer runs by whoever folds a result alone.
  if (rows * layout.tiles >= 8 * ThreadCount()) return;
  const int64_t together = std::max<int64_t>(1, kWorth / (kSegment * layout.tile));
  layout.parts = (layout.segments + together - 1) / together;
}

Item ItemOf(const Layout& layout, int64_t tile, int64_t part, int64_t parts) {
  const int64_t row = tile / layout.tiles;
  const int64_t column = tile % layout.tiles * layout.tile;
  Item item = {};
  item.first = row * layout.last_size() + column;
  item.n = std::min(layout.tile, layout.last_size() - column);
  item.self = column * layout.last_stride();
  item.out = column * layout.out_stride();
  item.second = column * layout.second_stride();
  int64_t rest = row;
  for (int i = layout.kept.rank - 2; i >= 0; --i) {
    const int64_t index = rest % layout.kept.sizes[i];
    rest /= layout.kept.sizes[i];
    item.self += index * layout.kept.strides[i];
    item.out += index * layout.out.strides[i];
    item.second += index * layout.second.strides[i];
  }
  const int64_t segments = (layout.segments + parts - 1) / parts;
  item.part = part;
  item.begin = std::min(layout.count, part * segments * kSegment);
  item.end = std::min(layout.count, item.begin + segments * kSegment);
  return item;
}

}  // namespace anyacl::reduction
