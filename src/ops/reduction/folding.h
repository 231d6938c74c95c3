// SPDX-License-Identifier: Apache-2.0
// How the elements of results are folded: segments one by one and then together, in their order.
// Where items share a result, what segments give is kept in the workspace until then.
#pragma once

#include <cmath>
#include <limits>

#include "ops/reduction/elements.h"
#include "ops/reduction/plan.h"

namespace anyacl::reduction {

inline const FoldKernels<float>& KernelsOf(float, Fold fold) {
  return Kernels().reduction.f32[static_cast<int>(fold)];
}
inline const FoldKernels<double>& KernelsOf(double, Fold fold) {
  return Kernels().reduction.f64[static_cast<int>(fold)];
}
inline const FoldKernels<int64_t>& KernelsOf(int64_t, Fold fold) {
  return Kernels().reduction.i64[static_cast<int>(fold)];
}

// What the norm of a power folds; a sum of powers then has a root.
inline Fold FoldOfNorm(double power) {
  if (std::isinf(power)) return power > 0 ? Fold::kLargestAbs : Fold::kSmallestAbs;
  if (power == 2) return Fold::kSquares;
  if (power == 1) return Fold::kAbsSum;
  return power == 0 ? Fold::kNonZeros : Fold::kPowerSum;
}

template <class T>
inline constexpr bool kIsInteger = std::is_same_v<T, int64_t>;

template <class T>
Cell Identity(Fold fold) {
  using Real = std::numeric_limits<double>;
  using Integer = std::numeric_limits<int64_t>;
  const auto cell = [](double real, int64_t integer) {
    Cell cell;
    cell.real = real;
    if (kIsInteger<T>) cell.integer = integer;
    return cell;
  };
  switch (fold) {
    case Fold::kMax:
      return cell(-Real::infinity(), Integer::min());
    case Fold::kMin:
    case Fold::kSmallestAbs:
      return cell(Real::infinity(), Integer::max());
    case Fold::kProduct:
      return cell(1, 1);
    default:
      return cell(0, 0);
  }
}

template <class N>
N Folded(Fold fold, N a, N b) {
  if (fold == Fold::kMax || fold == Fold::kLargestAbs) return a != a ? a : a > b ? a : b;
  if (fold == Fold::kMin || fold == Fold::kSmallestAbs) return a != a ? a : a < b ? a : b;
  const bool product = fold == Fold::kProduct;
  if constexpr (std::is_same_v<N, int64_t>) {
    const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
    return static_cast<int64_t>(product ? x * y : x + y);
  } else {
    return product ? a * b : a + b;
  }
}

template <class T>
void FoldInto(Fold fold, const Cell& part, Cell* total) {
  if constexpr (kIsInteger<T>) {
    total->integer = Folded(fold, total->integer, part.integer);
  } else {
    total->real = Folded(fold, total->real, part.real);
  }
}

// Whether results that lie side by side are folded without a buffer.
template <class T>
bool CanFoldInPlace(const Layout& layout, const Elements<T>& elements) {
  return std::is_same_v<T, float> && layout.reduced.rank == 1 && layout.last_stride() == 1 &&
         elements.direct();
}

// One way of folding all elements of a run.
template <class T>
class Folding {
 public:
  Folding(const Layout& layout, const Elements<T>& elements, Fold fold, const char* self,
          const T* shifts)
      : layout_(layout),
        elements_(elements),
        kernels_(KernelsOf(T(), fold)),
        fold_(fold),
        self_(self),
        shifts_(shifts) {}

  // All elements of an item, which is whole results.
  void FoldItem(const Item& item, Cell* totals) const {
    std::fill_n(totals, item.n, Identity<T>(fold_));
    if (layout_.segments == 1 && !layout_.side_by_side) {
      for (int64_t i = 0; i < item.n; ++i) FoldRun(item, i, item.begin, item.end, totals + i);
      return;
    }
    ForSegmentsOf(item, [&](int64_t, int64_t first, int64_t n, const Cell* parts) {
      for (int64_t i = 0; i < n; ++i) FoldInto<T>(fold_, parts[i], totals + first + i);
    });
  }

  // finish(item, totals) for all results; `cells` hold one for each segment of each result.
  template <class Finish>
  void Run(Cell* cells, const Finish& finish) const {
    if (layout_.whole()) {
      return ForItems(layout_, 1, [&](const Item& item) {
        Cell totals[kWideTile];
        FoldItem(item, totals);
        finish(item, totals);
      });
    }
    ForItems(layout_, layout_.parts, [&](const Item& item) {
      ForSegmentsOf(item, [&](int64_t segment, int64_t first, int64_t n, const Cell* parts) {
        std::copy_n(parts, n, cells + segment * layout_.results + item.first + first);
      });
    });
    ForItems(layout_, 1, [&](const Item& item) {
      Cell totals[kWideTile];
      std::fill_n(totals, item.n, Identity<T>(fold_));
      for (int64_t s = 0; s < layout_.segments; ++s) {
        const Cell* parts = cells + s * layout_.results + item.first;
        for (int64_t i = 0; i < item.n; ++i) FoldInto<T>(fold_, parts[i], totals + i);
      }
      finish(item, totals);
    });
  }

 private:
  // visit(segment, first, n, cells): what a segment gives for the item's results from `first` on.
  template <class Visit>
  void ForSegmentsOf(const Item& item, const Visit& visit) const {
    if (layout_.side_by_side) {
      ForSegments(item, [&](int64_t segment, int64_t begin, int64_t end) {
        Cell cells[kWideTile];
        std::fill_n(cells, item.n, Identity<T>(fold_));
        FoldRows(item, begin, end, cells);
        visit(segment, int64_t{0}, item.n, cells);
      });
      return;
    }
    for (int64_t i = 0; i < item.n; ++i) {
      ForSegments(item, [&](int64_t segment, int64_t begin, int64_t end) {
        Cell cell = Identity<T>(fold_);
        FoldRun(item, i, begin, end, &cell);
        visit(segment, i, int64_t{1}, &cell);
      });
    }
  }

  char* At(int64_t offset) const { return const_cast<char*>(self_) + offset * elements_.bytes(); }

  // Elements begin to end of result i of the item.
  void FoldRun(const Item& item, int64_t i, int64_t begin, int64_t end, Cell* total) const {
    const T shift = shifts_ != nullptr ? shifts_[item.first + i] : T();
    const int64_t base = item.self + i * layout_.last_stride();
    const TensorView& reduced = layout_.reduced;
    if (reduced.rank == 1 && reduced.strides[0] == 1 && elements_.direct()) {
      kernels_.run(At(base + begin), elements_.type(), end - begin, shift, total);
      return;
    }
    alignas(64) T buffer[kSegment];
    const int last = reduced.rank - 1;
    ForTiles(reduced, begin, end, [&](int64_t offset, int64_t rows, int64_t run, int64_t before) {
      elements_.Load({At(base + offset), rows, run, last > 0 ? reduced.strides[last - 1] : 0,
                      reduced.strides[last], false},
                     buffer + before);
    });
    kernels_.run(buffer, kElementOf<T>, end - begin, shift, total);
  }

  // Elements begin to end of all of them: block by block, a lane after the other.
  void FoldRows(const Item& item, int64_t begin, int64_t end, Cell* totals) const {
    if (CanFoldInPlace<T>(layout_, elements_)) return FoldInPlace(item, begin, end, totals);
    alignas(64) T lanes[kFoldLanes * kTile];
    alignas(64) T buffer[kBuffer];
    const T* shifts = shifts_ != nullptr ? shifts_ + item.first : nullptr;
    for (int64_t block = begin; block < end; block += kBlock) {
      const int64_t block_end = std::min(end, block + kBlock);
      for (int64_t at = block; at < block_end; at += kFoldLanes) {
        const int64_t rows = std::min(kFoldLanes, block_end - at);
        FoldLanes(item, at, rows, shifts, at == block, buffer, lanes);
      }
      kernels_.close(lanes, std::min(kFoldLanes, block_end - block), item.n, totals);
    }
  }

  void FoldInPlace(const Item& item, int64_t begin, int64_t end, Cell* totals) const {
    if constexpr (std::is_same_v<T, float>) {
      alignas(64) float lanes[kFoldLanes * kWideTile];
      const int64_t stride = layout_.reduced.strides[0];
      kernels_.blocks(At(item.self + begin * stride), elements_.type(), stride, end - begin, item.n,
                      shifts_ != nullptr ? shifts_ + item.first : nullptr, lanes, totals);
    }
  }

  void FoldLanes(const Item& item, int64_t at, int64_t rows, const T* shifts, bool first, T* buffer,
                 T* lanes) const {
    const TensorView& reduced = layout_.reduced;
    const int64_t stride = reduced.strides[reduced.rank - 1];
    if (reduced.rank == 1 && elements_.same() && layout_.last_stride() == 1) {
      kernels_.rows(reinterpret_cast<const T*>(At(item.self + at * stride)), stride, rows, item.n,
                    shifts, first, lanes);
      return;
    }
    ForTiles(
        reduced, at, at + rows, [&](int64_t offset, int64_t outer, int64_t run, int64_t before) {
          for (int64_t r = 0; r < outer; ++r) {
            const int64_t above = outer > 1 ? r * reduced.strides[reduced.rank - 2] : 0;
            elements_.Load(
                {At(item.self + offset + above), run, item.n, stride, layout_.last_stride(), false},
                buffer + (before + r * run) * item.n);
          }
        });
    kernels_.rows(buffer, item.n, rows, item.n, shifts, first, lanes);
  }

  const Layout& layout_;
  const Elements<T>& elements_;
  const FoldKernels<T>& kernels_;
  const Fold fold_;
  const char* const self_;
  const T* const shifts_;
};

}  // namespace anyacl::reduction
