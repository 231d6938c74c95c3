// SPDX-License-Identifier: Apache-2.0
#include "ops/windows/fold.h"

#include <algorithm>

#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "runtime/parallel.h"

namespace anyacl::windows {
namespace {

using blocks::kBlock;

class FoldPlan final : public BookedPlan {
 public:
  explicit FoldPlan(const Folding& folding)
      : x_(folding),
        grad_bytes_(blocks::BytesOf(x_.grad.dtype)),
        out_bytes_(blocks::BytesOf(x_.out.dtype)),
        load_(blocks::Loader(Element::kFp64, x_.grad.dtype)),
        store_(blocks::Storer(Element::kFp64, x_.out.dtype)) {
    for (const Place& place : x_.places) plane_ *= place.size;
    count_ = x_.out.elements();
    const int64_t threads = std::min(ThreadCount(), std::max<int64_t>(count_, 1));
    sums_ = book_.Book<double>(threads, plane_);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    ParallelFor(count_, std::max<int64_t>(1, 4096 / std::max<int64_t>(plane_, 1)),
                [&](int64_t begin, int64_t end, int64_t slot) {
                  double* const sums = sums_.In(bindings) + slot * plane_;
                  for (int64_t i = begin; i < end; ++i) RunPlane(bindings, i, sums);
                });
    return {};
  }

 private:
  void RunPlane(const Bindings& bindings, int64_t number, double* sums) const {
    std::fill_n(sums, plane_, 0.0);
    const bool any = x_.places[0].count * x_.places[1].count * x_.places[2].count > 0;
    if (any) {
      char* const grad = x_.grad.Address(bindings) + x_.grad.OffsetOf(number) * grad_bytes_;
      for (int64_t i = 0; i < x_.sheets[0]; ++i) {
        for (int64_t k = 0; k < x_.sheets[1]; ++k) AddSheet(grad, i, k, sums);
      }
    }
    char* const out = x_.out.Address(bindings) + x_.out.OffsetOf(number) * out_bytes_;
    const int64_t width = x_.places[2].size;
    for (int64_t row = 0; row < plane_ / std::max<int64_t>(width, 1); ++row) {
      const int64_t depth = row / x_.places[1].size, height = row % x_.places[1].size;
      const int64_t offset = depth * x_.out_strides[0] + height * x_.out_strides[1];
      store_(sums + row * width,
             {out + offset * out_bytes_, 1, width, 0, x_.out_strides[2], false});
    }
  }

  void AddSheet(char* grad, int64_t i, int64_t k, double* sums) const {
    std::array<Place, kSpace> places = x_.places;
    places[1].begin += i * x_.sheet_begins[0];
    places[2].begin += k * x_.sheet_begins[1];
    grad += (i * x_.sheet_strides[0] + k * x_.sheet_strides[1]) * grad_bytes_;
    for (int64_t d = 0; d < places[0].count; ++d) {
      const int64_t depth = places[0].Of(d);
      for (int64_t h = 0; h < places[1].count; ++h) {
        const int64_t height = places[1].Of(h);
        if (depth < 0 || height < 0) continue;
        char* const row = grad + (d * x_.grad_strides[0] + h * x_.grad_strides[1]) * grad_bytes_;
        AddRow(row, places[2], sums + (depth * places[1].size + height) * places[2].size);
      }
    }
  }

  void AddRow(char* row, const Place& place, double* sums) const {
    alignas(64) double numbers[kBlock];
    for (int64_t at = 0; at < place.count; at += kBlock) {
      const int64_t n = std::min(kBlock, place.count - at);
      const int64_t step = x_.grad_strides[2];
      load_({row + at * step * grad_bytes_, 1, n, 0, step, false}, numbers);
      for (int64_t i = 0; i < n; ++i) {
        const int64_t to = place.Of(at + i);
        if (to >= 0) sums[to] += numbers[i];
      }
    }
  }

  const Folding x_;
  const int64_t grad_bytes_, out_bytes_;
  const blocks::LoadFunction load_;
  const blocks::StoreFunction store_;
  int64_t plane_ = 1;
  int64_t count_;
  WorkspaceSlot<double> sums_;
};

}  // namespace

std::shared_ptr<const Plan> MakeFold(const Folding& folding) {
  return std::make_shared<FoldPlan>(folding);
}

TensorView AsPairs(const TensorView& view) {
  TensorView pairs = RealParts(view);
  if (pairs.dtype == view.dtype) return view;
  // In front: the dimensions of space are the last ones.
  for (int i = pairs.rank++; i-- > 0;) {
    pairs.sizes[i + 1] = pairs.sizes[i];
    pairs.strides[i + 1] = pairs.strides[i];
  }
  pairs.sizes[0] = 2;
  pairs.strides[0] = 1;
  return pairs;
}

}  // namespace anyacl::windows
