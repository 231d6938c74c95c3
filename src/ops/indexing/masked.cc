// SPDX-License-Identifier: Apache-2.0
// Members with a mask: MaskedSelect, InplaceMaskedFillTensor, InplaceMaskedScatter.
#include "nnop/copy_runs.h"
#include "nnop/dynamic_shape.h"
#include "ops/blocks/convert.h"
#include "ops/indexing/nonzero.h"
#include "ops/indexing/plan.h"

namespace anyacl::indexing {
namespace {

// Elements of a view by their numbers in row-major order, which rise.
class Numbered {
 public:
  explicit Numbered(const TensorView& view) : view_(view) {
    TensorView joined[] = {view};
    CoalesceInOrder(joined);
    linear_ = joined[0].rank <= 1;
    bytes_ = BytesOf(view);
    step_ = joined[0].rank == 1 ? joined[0].strides[0] * bytes_ : 0;
  }
  const TensorView& view() const { return view_; }

  // body(i, offset in bytes) of elements numbers[0], numbers[1], ...
  template <class Body>
  void ForEach(const int64_t* numbers, int64_t n, const Body& body) const {
    if (linear_) {
      for (int64_t i = 0; i < n; ++i) body(i, numbers[i] * step_);
      return;
    }
    Coordinates at(view_);
    for (int64_t i = 0; i < n; ++i) {
      at.MoveTo(numbers[i]);
      body(i, at.offset() * bytes_);
    }
  }

 private:
  TensorView view_;
  bool linear_;
  int64_t bytes_, step_;
};

class MaskPlan : public BookedPlan {
 protected:
  MaskPlan(const TensorView& elements, const TensorView& mask)
      : elements_(elements), nonzero_(mask) {
    starts_ = book_.Book<int64_t>(static_cast<size_t>(nonzero_.chunks()));
  }
  int64_t Count(const Bindings& bindings) const {
    return nonzero_.Count(bindings, starts_.In(bindings));
  }
  // body(number among the selected ones, address of the element), T being its bits.
  template <class Body>
  void ForSelected(const Bindings& bindings, const Body& body) const {
    if (nonzero_.elements() == 0) return;
    char* const data = elements_.view().Address(bindings);
    nonzero_.ForEach(bindings, starts_.In(bindings),
                     [&](int64_t first, const int64_t* places, int64_t n) {
                       body(first, n, [&](const auto& each) {
                         elements_.ForEach(
                             places, n, [&](int64_t i, int64_t offset) { each(i, data + offset); });
                       });
                     });
  }

  const Numbered elements_;
  const Nonzero nonzero_;
  WorkspaceSlot<int64_t> starts_;
};

class SelectPlan final : public MaskPlan {
 public:
  SelectPlan(const TensorView& self, const TensorView& mask, const TensorView& out,
             std::shared_ptr<Tensor> tensor)
      : MaskPlan(self, mask),
        converts_(self.dtype != out.dtype),
        out_(out),
        tensor_(std::move(tensor)) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t all = Count(bindings);
    if (all > 0) {
      WithBytes(BytesOf(elements_.view()), [&]<class T>(T) {
        constexpr int64_t kBytes = sizeof(T);
        const int64_t out_bytes = BytesOf(out_);
        char* const out = out_.Address(bindings);
        ForSelected(bindings, [&](int64_t first, int64_t n, const auto& run) {
          T selected[Nonzero::kBlock];  // before they are converted
          char* const to = out + first * out_bytes;
          char* const gathered = converts_ ? reinterpret_cast<char*>(selected) : to;
          run([&](int64_t i, const char* from) {
            StoreElement(gathered + i * kBytes, LoadElement<T>(from));
          });
          if (!converts_) return;
          blocks::ConvertElements(elements_.view().dtype, gathered, kBytes, out_.dtype, to,
                                  out_bytes, n);
        });
      });
    }
    SetShape(*tensor_, Dims{all});
    return {};
  }

 private:
  const bool converts_;
  const TensorView out_;
  const std::shared_ptr<Tensor> tensor_;
};

class FillPlan final : public MaskPlan {
 public:
  FillPlan(const TensorView& self, const TensorView& mask, const TensorView& value)
      : MaskPlan(self, mask), value_(value) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const TensorView& self = elements_.view();
    alignas(16) char element[16];
    blocks::ConvertElements(value_.dtype, value_.Address(bindings), 0, self.dtype, element, 0, 1);
    Count(bindings);
    WithBytes(BytesOf(self), [&]<class T>(T) {
      const T value = LoadElement<T>(element);
      ForSelected(bindings, [&](int64_t, int64_t, const auto& run) {
        run([&](int64_t, char* to) { StoreElement(to, value); });
      });
    });
    return {};
  }

 private:
  const TensorView value_;
};

class MaskedScatterPlan final : public MaskPlan {
 public:
  MaskedScatterPlan(const TensorView& self, const TensorView& mask, const TensorView& source)
      : MaskPlan(self, mask), source_(source) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t all = Count(bindings);
    const int64_t given = source_.view().elements();
    if (all > given) {
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                  "source has {} elements, expected at least the {} for which mask is true", given,
                  all);
    }
    if (all == 0) return {};
    WithBytes(BytesOf(elements_.view()), [&]<class T>(T) {
      const char* const source = source_.view().Address(bindings);
      ForSelected(bindings, [&](int64_t first, int64_t n, const auto& run) {
        int64_t numbers[Nonzero::kBlock], offsets[Nonzero::kBlock];
        for (int64_t i = 0; i < n; ++i) numbers[i] = first + i;
        source_.ForEach(numbers, n, [&](int64_t i, int64_t offset) { offsets[i] = offset; });
        run([&](int64_t i, char* to) { StoreElement(to, LoadElement<T>(source + offsets[i])); });
      });
    });
    return {};
  }

 private:
  const Numbered source_;
};

// The mask as self's shape; self's alone counts.
Status BroadcastMask(const Operands& operands, const TensorView& self, TensorView* mask) {
  const auto wide =
      Broadcast(ViewOf(operands, kMask), {self.sizes, static_cast<size_t>(self.rank)});
  if (!wide) {
    return Fail(operands.spec().codes.shape,
                "mask.shape = {}, expected one that broadcasts to selfRef.shape = {}",
                operands[kMask].shape().ToString(), ShapeOf(self).ToString());
  }
  *mask = *wide;
  return {};
}

}  // namespace

Status PrepareMaskedSelect(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const Dims& self = operands[kSelf].shape();
  const Dims& mask = operands[kMask].shape();
  const auto shape = BroadcastShape(self, mask);
  if (!shape) {
    return Fail(operands.spec().codes.shape,
                "mask.shape = {}, expected one that broadcasts with self.shape = {}",
                mask.ToString(), self.ToString());
  }
  const auto count = ElementCount(*shape);
  if (Status s = CheckShapeIs(operands, kOut, Dims{count.value_or(-1)}); !s.ok()) return s;
  const std::span<const int64_t> sizes(shape->begin(), shape->rank());
  call->plan = std::make_shared<SelectPlan>(*Broadcast(ViewOf(operands, kSelf), sizes),
                                            *Broadcast(ViewOf(operands, kMask), sizes),
                                            ViewOf(operands, kOut), operands[kOut].tensor);
  return {};
}

Status PrepareMaskedFill(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const TensorView self = ViewOf(operands, kSelf);
  TensorView mask;
  if (Status s = BroadcastMask(operands, self, &mask); !s.ok()) return s;
  const TensorView value = ViewOf(operands, kValue);
  if (value.elements() != 1) {
    return Fail(operands.spec().codes.shape, "value.shape = {}, expected a single element",
                ShapeOf(value).ToString());
  }
  if (self.elements() > 0) call->plan = std::make_shared<FillPlan>(self, mask, value);
  return {};
}

Status PrepareMaskedScatter(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const TensorView self = ViewOf(operands, kSelf);
  TensorView mask;
  if (Status s = BroadcastMask(operands, self, &mask); !s.ok()) return s;
  if (self.elements() == 0) return {};
  call->plan = std::make_shared<MaskedScatterPlan>(self, mask, ViewOf(operands, kSource));
  return {};
}

}  // namespace anyacl::indexing
