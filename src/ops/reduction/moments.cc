// SPDX-License-Identifier: Apache-2.0
// Variances, standard deviations and, with them, means: sums of squares of the deviations from the
// mean. Who folds whole results takes both passes over an item while the second cache holds it.
#include <cmath>
#include <limits>

#include "nnop/workspace.h"
#include "ops/reduction/folding.h"

namespace anyacl::reduction {
namespace {

class MomentsPlan final : public BookedPlan {
 public:
  explicit MomentsPlan(const Problem& problem)
      : p_(problem), elements_(p_.layout.kept.dtype, std::nullopt) {
    Divide(p_.layout, CanFoldInPlace<float>(p_.layout, elements_) ? kWideTile : kTile);
    const auto results = static_cast<size_t>(p_.layout.results);
    if (!p_.layout.whole()) {
      cells_ = book_.Book<Cell>(results * static_cast<size_t>(p_.layout.segments));
    }
    means_ = book_.Book<double>(results);
    centres_ = book_.Book<float>(results);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const char* self = p_.layout.kept.Address(bindings);
    float* centres = centres_.In(bindings);
    const Folding<float> sums(p_.layout, elements_, Fold::kSum, self, nullptr);
    const Folding<float> deviations(p_.layout, elements_, Fold::kDeviations, self, centres);
    const auto centre = [&](const Item& item, const Cell* totals) {
      Centre(bindings, item, totals);
    };
    const auto finish = [&](const Item& item, const Cell* totals) {
      Finish(bindings, item, totals);
    };
    if (p_.layout.whole()) {
      ForItems(p_.layout, 1, [&](const Item& item) {
        Cell totals[kWideTile];
        sums.FoldItem(item, totals);
        centre(item, totals);
        deviations.FoldItem(item, totals);
        finish(item, totals);
      });
      return {};
    }
    sums.Run(cells_.In(bindings), centre);
    deviations.Run(cells_.In(bindings), finish);
    return {};
  }

 private:
  void Centre(const Bindings& bindings, const Item& item, const Cell* totals) const {
    for (int64_t i = 0; i < item.n; ++i) {
      const double mean = totals[i].real / static_cast<double>(p_.layout.count);
      means_.In(bindings)[item.first + i] = mean;
      centres_.In(bindings)[item.first + i] = static_cast<float>(mean);
    }
    const double* means = means_.In(bindings) + item.first;
    Write(bindings, p_.layout.second, item.second, p_.layout.second_stride(), means, item.n);
  }

  void Finish(const Bindings& bindings, const Item& item, const Cell* totals) const {
    const auto count = static_cast<double>(p_.layout.count);
    // Nothing is left to divide by: infinite, or NaN where there are no deviations.
    const double divisor = std::max(count - static_cast<double>(p_.correction), 0.0);
    double results[kWideTile];
    for (int64_t i = 0; i < item.n; ++i) {
      // What rounding the centre left of the mean.
      const double mean = means_.In(bindings)[item.first + i];
      const double off = mean - static_cast<double>(static_cast<float>(mean));
      const double sum = totals[i].real - count * off * off;
      const double variance = (std::isnan(sum) ? sum : std::max(sum, 0.0)) / divisor;
      results[i] = p_.member == Member::kStd ? std::sqrt(variance) : variance;
    }
    Write(bindings, p_.layout.out, item.out, p_.layout.out_stride(), results, item.n);
  }

  static void Write(const Bindings& bindings, const TensorView& view, int64_t at, int64_t stride,
                    const double* values, int64_t n) {
    if (!view.given()) return;
    const auto store = blocks::Storer(Element::kFp64, view.dtype);
    char* to = view.Address(bindings) + at * blocks::BytesOf(view.dtype);
    store(values, {to, 1, n, 0, stride, false});
  }

  Problem p_;
  const Elements<float> elements_;
  WorkspaceSlot<Cell> cells_;
  WorkspaceSlot<double> means_;
  WorkspaceSlot<float> centres_;
};

}  // namespace

std::shared_ptr<const Plan> MakeMomentsPlan(const Problem& problem) {
  return std::make_shared<MomentsPlan>(problem);
}

}  // namespace anyacl::reduction
