// SPDX-License-Identifier: Apache-2.0
// Places of extremes, and with MaxDim and MinDim the extremes themselves. Where items share a
// result, their best ones are compared in their order.
#include "nnop/promotion.h"
#include "nnop/workspace.h"
#include "ops/reduction/elements.h"
#include "ops/reduction/plan.h"

namespace anyacl::reduction {
namespace {

const ArgKernels<float>& KernelsOf(float, bool largest) {
  return Kernels().reduction.arg_f32[largest ? 0 : 1];
}
const ArgKernels<double>& KernelsOf(double, bool largest) {
  return Kernels().reduction.arg_f64[largest ? 0 : 1];
}
const ArgKernels<int64_t>& KernelsOf(int64_t, bool largest) {
  return Kernels().reduction.arg_i64[largest ? 0 : 1];
}

template <class T>
class ArgPlan final : public BookedPlan {
 public:
  explicit ArgPlan(const Problem& problem)
      : layout_(problem.layout),
        largest_(problem.member == Member::kArgMax || problem.member == Member::kMaxDim),
        elements_(layout_.kept.dtype, std::nullopt),
        kernels_(KernelsOf(T(), largest_)),
        store_(blocks::Storer(Element::kInt64, layout_.out.dtype)) {
    if (layout_.second.given()) {
      store_value_ = blocks::Storer(kElementOf<T>, layout_.second.dtype);
    }
    Divide(layout_, kTile);
    if (!layout_.whole()) {
      parts_ = book_.Book<Best<T>>(static_cast<size_t>(layout_.results * layout_.parts));
    }
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    Best<T>* parts = parts_.In(bindings);
    ForItems(layout_, layout_.parts, [&](const Item& item) {
      Best<T> best[kTile];
      Search(bindings, item, best);
      if (layout_.whole()) return Finish(bindings, item, best);
      std::copy_n(best, item.n, parts + item.part * layout_.results + item.first);
    });
    if (layout_.whole()) return {};
    ForItems(layout_, 1, [&](const Item& item) {
      Best<T> best[kTile];
      std::copy_n(parts + item.first, item.n, best);
      for (int64_t s = 1; s < layout_.parts; ++s) {
        const Best<T>* part = parts + s * layout_.results + item.first;
        for (int64_t i = 0; i < item.n; ++i) {
          if (IsBetter(part[i].value, best[i].value, largest_)) best[i] = part[i];
        }
      }
      Finish(bindings, item, best);
    });
    return {};
  }

 private:
  void Search(const Bindings& bindings, const Item& item, Best<T>* best) const {
    std::fill_n(best, item.n, Best<T>{T(), -1});
    char* self = layout_.kept.Address(bindings) + item.self * elements_.bytes();
    const int64_t stride = layout_.reduced.strides[0];
    const int64_t last = layout_.last_stride();
    alignas(64) T buffer[kBuffer];
    if (layout_.side_by_side) {
      const bool direct = elements_.same() && last == 1;
      for (int64_t at = item.begin; at < item.end; at += kFoldLanes) {
        const int64_t rows = std::min(kFoldLanes, item.end - at);
        char* from = self + at * stride * elements_.bytes();
        if (!direct) elements_.Load({from, rows, item.n, stride, last, false}, buffer);
        kernels_.rows(direct ? reinterpret_cast<T*>(from) : buffer, direct ? stride : item.n, rows,
                      item.n, at, best);
      }
      return;
    }
    const bool direct = elements_.same() && stride == 1;
    for (int64_t i = 0; i < item.n; ++i) {
      ForSegments(item, [&](int64_t, int64_t begin, int64_t end) {
        char* from = self + (i * last + begin * stride) * elements_.bytes();
        if (!direct) elements_.Load({from, 1, end - begin, 0, stride, false}, buffer);
        kernels_.run(direct ? reinterpret_cast<T*>(from) : buffer, end - begin, begin, best + i);
      });
    }
  }

  void Finish(const Bindings& bindings, const Item& item, const Best<T>* best) const {
    int64_t indices[kTile];
    for (int64_t i = 0; i < item.n; ++i) indices[i] = best[i].index;
    char* out = layout_.out.Address(bindings) + item.out * blocks::BytesOf(layout_.out.dtype);
    store_(indices, {out, 1, item.n, 0, layout_.out_stride(), false});
    if (!layout_.second.given()) return;
    T values[kTile];
    for (int64_t i = 0; i < item.n; ++i) values[i] = best[i].value;
    char* second =
        layout_.second.Address(bindings) + item.second * blocks::BytesOf(layout_.second.dtype);
    store_value_(values, {second, 1, item.n, 0, layout_.second_stride(), false});
  }

  Layout layout_;
  const bool largest_;
  const Elements<T> elements_;
  const ArgKernels<T>& kernels_;
  const blocks::StoreFunction store_;
  blocks::StoreFunction store_value_ = nullptr;
  WorkspaceSlot<Best<T>> parts_;
};

}  // namespace

std::shared_ptr<const Plan> MakeArgPlan(const Problem& problem) {
  const aclDataType self = problem.layout.kept.dtype;
  if (CategoryOf(self) != Category::kFloating) return std::make_shared<ArgPlan<int64_t>>(problem);
  if (self == ACL_DOUBLE) return std::make_shared<ArgPlan<double>>(problem);
  return std::make_shared<ArgPlan<float>>(problem);
}

}  // namespace anyacl::reduction
