// SPDX-License-Identifier: Apache-2.0
// Sums, means, extremes, truth and log-sum-exp. Segments are folded one by one and then together,
// in their order: where items share a result, what segments give is kept in the workspace until
// then.
#include <cmath>
#include <limits>

#include "nnop/promotion.h"
#include "nnop/workspace.h"
#include "ops/reduction/elements.h"
#include "ops/reduction/plan.h"

namespace anyacl::reduction {
namespace {

const FoldKernels<float>& KernelsOf(float, Fold fold) {
  return Kernels().reduction.f32[static_cast<int>(fold)];
}
const FoldKernels<double>& KernelsOf(double, Fold fold) {
  return Kernels().reduction.f64[static_cast<int>(fold)];
}
const FoldKernels<int64_t>& KernelsOf(int64_t, Fold fold) {
  return Kernels().reduction.i64[static_cast<int>(fold)];
}

template <class T>
constexpr bool kIsInteger = std::is_same_v<T, int64_t>;

template <class T>
Cell Identity(Fold fold) {
  using Real = std::numeric_limits<double>;
  using Integer = std::numeric_limits<int64_t>;
  Cell cell;
  if (fold == Fold::kMax || fold == Fold::kMin) {
    const bool max = fold == Fold::kMax;
    cell.real = max ? -Real::infinity() : Real::infinity();
    if (kIsInteger<T>) cell.integer = max ? Integer::min() : Integer::max();
  } else {
    cell.real = 0;
    if (kIsInteger<T>) cell.integer = 0;
  }
  return cell;
}

template <class N>
N Folded(Fold fold, N a, N b) {
  if (fold == Fold::kMax) return a != a ? a : a > b ? a : b;
  if (fold == Fold::kMin) return a != a ? a : a < b ? a : b;
  if constexpr (std::is_same_v<N, int64_t>) {
    return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  } else {
    return a + b;
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
         elements.run_format();
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

  // finish(item, totals) for all results; `cells` hold one for each segment of each result.
  template <class Finish>
  void Run(Cell* cells, const Finish& finish) const {
    if (layout_.whole()) {
      return ForItems(layout_, 1, [&](const Item& item) {
        Cell totals[kWideTile];
        std::fill_n(totals, item.n, Identity<T>(fold_));
        ForSegmentsOf(item, [&](int64_t, int64_t first, int64_t n, const Cell* parts) {
          for (int64_t i = 0; i < n; ++i) FoldInto<T>(fold_, parts[i], totals + first + i);
        });
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
    if (reduced.rank == 1 && reduced.strides[0] == 1 && elements_.run_format()) {
      kernels_.run(At(base + begin), *elements_.run_format(), end - begin, shift, total);
      return;
    }
    alignas(64) T buffer[kSegment];
    const int last = reduced.rank - 1;
    ForTiles(reduced, begin, end, [&](int64_t offset, int64_t rows, int64_t run, int64_t before) {
      elements_.Load({At(base + offset), rows, run, last > 0 ? reduced.strides[last - 1] : 0,
                      reduced.strides[last], false},
                     buffer + before);
    });
    kernels_.run(buffer, Format::kSame, end - begin, shift, total);
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
      kernels_.blocks(At(item.self + begin * stride), *elements_.run_format(), stride, end - begin,
                      item.n, shifts_ != nullptr ? shifts_ + item.first : nullptr, lanes, totals);
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

// Of the largest element: what is subtracted from all before the exponential.
float ShiftOf(double largest) { return std::isinf(largest) ? 0.0f : static_cast<float>(largest); }

Fold FoldOf(Member member) {
  switch (member) {
    case Member::kMax:
    case Member::kAny:
    case Member::kLogSumExp:
      return Fold::kMax;
    case Member::kMin:
    case Member::kAll:
      return Fold::kMin;
    default:
      return Fold::kSum;
  }
}

template <class T>
class FoldPlan final : public BookedPlan {
 public:
  explicit FoldPlan(const Problem& problem)
      : p_(problem),
        elements_(p_.layout.kept.dtype, Becomes(problem)),
        store_(blocks::Storer(kIsInteger<T> ? blocks::Number::kInt64 : blocks::Number::kFp64,
                              *blocks::ElementOf(p_.layout.out.dtype))) {
    Divide(p_.layout, CanFoldInPlace<T>(p_.layout, elements_) ? kWideTile : kTile);
    const auto results = static_cast<size_t>(p_.layout.results);
    if (!p_.layout.whole()) {
      cells_ = book_.Book<Cell>(results * static_cast<size_t>(p_.layout.segments));
    }
    if (p_.member == Member::kLogSumExp) shifts_ = book_.Book<T>(results);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const char* self = p_.layout.kept.Address(bindings);
    Cell* cells = cells_.In(bindings);
    if (p_.member != Member::kLogSumExp) {
      Folding<T>(p_.layout, elements_, FoldOf(p_.member), self, nullptr)
          .Run(cells, [&](const Item& item, Cell* totals) { Finish(bindings, item, totals); });
      return {};
    }
    T* shifts = shifts_.In(bindings);
    Folding<T>(p_.layout, elements_, Fold::kMax, self, nullptr)
        .Run(cells, [&](const Item& item, const Cell* totals) {
          for (int64_t i = 0; i < item.n; ++i) shifts[item.first + i] = ShiftOf(totals[i].real);
        });
    Folding<T>(p_.layout, elements_, Fold::kExpSum, self, shifts)
        .Run(cells, [&](const Item& item, Cell* totals) {
          for (int64_t i = 0; i < item.n; ++i) {
            totals[i].real = std::log(totals[i].real) + static_cast<double>(shifts[item.first + i]);
          }
          Finish(bindings, item, totals);
        });
    return {};
  }

 private:
  // Between floating-point types, and from integers to wider ones, conversion changes nothing that
  // rounding the result does not.
  static std::optional<aclDataType> Becomes(const Problem& problem) {
    const aclDataType from = problem.layout.kept.dtype;
    const bool changes = problem.dtype == ACL_BOOL
                             ? from != ACL_BOOL
                             : kIsInteger<T> && CategoryOf(from) == Category::kFloating;
    return changes ? std::optional(problem.dtype) : std::nullopt;
  }

  void Finish(const Bindings& bindings, const Item& item, Cell* totals) const {
    const Layout& layout = p_.layout;
    for (int64_t i = 0; i < item.n; ++i) {
      Cell& total = totals[i];
      if (p_.member == Member::kAll || p_.member == Member::kAny) {
        total.integer = total.integer > 0;
      } else if (p_.member == Member::kMean) {
        if constexpr (kIsInteger<T>) {
          total.integer = layout.count > 0 ? total.integer / layout.count : 0;
        } else {
          total.real /= static_cast<double>(layout.count);
        }
      }
    }
    char* out = layout.out.Address(bindings) + item.out * blocks::BytesOf(layout.out.dtype);
    store_(totals, {out, 1, item.n, 0, layout.out_stride(), false});
  }

  Problem p_;
  const Elements<T> elements_;
  const blocks::StoreFunction store_;
  WorkspaceSlot<Cell> cells_;
  WorkspaceSlot<T> shifts_;
};

}  // namespace

std::shared_ptr<const Plan> MakeFoldPlan(const Problem& problem) {
  const aclDataType self = problem.layout.kept.dtype;
  if (CategoryOf(problem.dtype) != Category::kFloating) {
    return std::make_shared<FoldPlan<int64_t>>(problem);
  }
  if (self == ACL_DOUBLE || problem.dtype == ACL_DOUBLE) {
    return std::make_shared<FoldPlan<double>>(problem);
  }
  return std::make_shared<FoldPlan<float>>(problem);
}

}  // namespace anyacl::reduction
