// SPDX-License-Identifier: Apache-2.0
// Sums, means, products, extremes, truth, norms and log-sum-exp.
#include <cmath>

#include "nnop/promotion.h"
#include "nnop/workspace.h"
#include "ops/reduction/folding.h"

namespace anyacl::reduction {
namespace {

// Of the largest element: what is subtracted from all before the exponential.
float ShiftOf(double largest) { return std::isinf(largest) ? 0.0f : static_cast<float>(largest); }

template <class T>
Fold FoldOf(const Problem& problem) {
  switch (problem.member) {
    case Member::kMax:
    case Member::kAny:
    case Member::kLogSumExp:
      return Fold::kMax;
    case Member::kMin:
    case Member::kAll:
      return Fold::kMin;
    case Member::kProd:
      return Fold::kProduct;
    case Member::kNanSum:  // converted to an integer NaN is 0
      return std::is_same_v<T, float> ? Fold::kNanSum : Fold::kSum;
    case Member::kNorm:
    case Member::kPowers:
      return FoldOfNorm(problem.power);
    default:
      return Fold::kSum;
  }
}

template <class T>
class FoldPlan final : public BookedPlan {
 public:
  explicit FoldPlan(const Problem& problem)
      : p_(problem),
        fold_(FoldOf<T>(problem)),
        elements_(p_.layout.kept.dtype, Becomes(problem)),
        store_(
            blocks::Storer(kIsInteger<T> ? Element::kInt64 : Element::kFp64, p_.layout.out.dtype)) {
    Divide(p_.layout, CanFoldInPlace<T>(p_.layout, elements_) ? kWideTile : kTile);
    const auto results = static_cast<size_t>(p_.layout.results);
    if (!p_.layout.whole()) {
      cells_ = book_.Book<Cell>(results * static_cast<size_t>(p_.layout.segments));
    }
    if (has_shifts()) shifts_ = book_.Book<T>(results);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const char* self = p_.layout.kept.Address(bindings);
    Cell* cells = cells_.In(bindings);
    T* shifts = has_shifts() ? shifts_.In(bindings) : nullptr;
    if (p_.member == Member::kAminmax) {
      FoldBoth(bindings, cells);
      return {};
    }
    if (p_.member != Member::kLogSumExp) {
      if (has_shifts()) std::fill_n(shifts, p_.layout.results, static_cast<T>(p_.power));
      Folding<T>(p_.layout, elements_, fold_, self, shifts)
          .Run(cells, [&](const Item& item, Cell* totals) { Finish(bindings, item, totals); });
      return {};
    }
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
  // Of kPowerSum the power stands for all results.
  bool has_shifts() const { return p_.member == Member::kLogSumExp || fold_ == Fold::kPowerSum; }

  // The smallest into out, the largest into second: of whole results while the caches hold them.
  void FoldBoth(const Bindings& bindings, Cell* cells) const {
    const Layout& layout = p_.layout;
    const char* self = layout.kept.Address(bindings);
    const Folding<T> least(layout, elements_, Fold::kMin, self, nullptr);
    const Folding<T> largest(layout, elements_, Fold::kMax, self, nullptr);
    const auto finish_least = [&](const Item& item, Cell* totals) {
      Store(bindings, layout.out, item.out, layout.out_stride(), totals, item.n);
    };
    const auto finish_largest = [&](const Item& item, Cell* totals) {
      Store(bindings, layout.second, item.second, layout.second_stride(), totals, item.n);
    };
    if (!layout.whole()) {
      least.Run(cells, finish_least);
      largest.Run(cells, finish_largest);
      return;
    }
    ForItems(layout, 1, [&](const Item& item) {
      Cell totals[kWideTile];
      least.FoldItem(item, totals);
      finish_least(item, totals);
      largest.FoldItem(item, totals);
      finish_largest(item, totals);
    });
  }

  void Store(const Bindings& bindings, const TensorView& view, int64_t at, int64_t stride,
             const Cell* totals, int64_t n) const {
    char* to = view.Address(bindings) + at * blocks::BytesOf(view.dtype);
    store_(totals, {to, 1, n, 0, stride, false});
  }

  // Between floating-point types, and from integers to wider ones, conversion changes nothing that
  // rounding the result does not.
  static std::optional<aclDataType> Becomes(const Problem& problem) {
    const aclDataType from = problem.layout.kept.dtype;
    if (CategoryOf(from) == Category::kComplex) return problem.dtype;
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
      } else if (p_.member == Member::kLogSum) {
        total.real = layout.count > 0 ? std::log(total.real) : 0;
      } else if (p_.member != Member::kNorm) {
        continue;
      } else if (fold_ == Fold::kSquares) {
        total.real = std::sqrt(total.real);
      } else if (fold_ == Fold::kPowerSum) {
        total.real = std::pow(total.real, 1 / p_.power);
      }
    }
    Store(bindings, layout.out, item.out, layout.out_stride(), totals, item.n);
    if (!layout.imaginary_zero) return;
    std::fill_n(totals, item.n, Identity<T>(Fold::kSum));
    Store(bindings, layout.out, item.out + 1, layout.out_stride(), totals, item.n);
  }

  Problem p_;
  const Fold fold_;
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
