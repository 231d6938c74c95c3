// SPDX-License-Identifier: Apache-2.0
// Products of complex numbers, in pairs of fp64: the elements of a segment in their order, then
// what the segments give.
#include <optional>

#include "nnop/workspace.h"
#include "ops/blocks/convert.h"
#include "ops/reduction/plan.h"

namespace anyacl::reduction {
namespace {

struct Complex {
  double real, imaginary;
};

Complex operator*(Complex a, Complex b) {
  return {a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
}

class ComplexProductPlan final : public BookedPlan {
 public:
  explicit ComplexProductPlan(const Problem& problem) : layout_(problem.layout) {
    Divide(layout_, kMostResults);
    if (!layout_.whole()) {
      products_ = book_.Book<Complex>(static_cast<size_t>(layout_.results * layout_.segments));
    }
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    Complex* products = products_.In(bindings);
    ForItems(layout_, layout_.parts, [&](const Item& item) {
      for (int64_t i = 0; i < item.n; ++i) {
        std::optional<Complex> total;
        ForSegments(item, [&](int64_t segment, int64_t begin, int64_t end) {
          if (begin == end) return;
          const Complex product =
              Product(bindings, item.self + i * layout_.last_stride(), begin, end);
          if (!layout_.whole()) products[segment * layout_.results + item.first + i] = product;
          total = total ? *total * product : product;
        });
        if (layout_.whole()) Store(bindings, item, i, *total);
      }
    });
    if (layout_.whole()) return {};
    ForItems(layout_, 1, [&](const Item& item) {
      for (int64_t i = 0; i < item.n; ++i) {
        const Complex* product = products + item.first + i;
        Complex total = *product;
        for (int64_t s = 1; s < layout_.segments; ++s) total = total * product[s * layout_.results];
        Store(bindings, item, i, total);
      }
    });
    return {};
  }

 private:
  static constexpr int64_t kMostResults = 128;
  static constexpr int64_t kLoad = 128;

  // Of elements begin to end of the result whose elements begin at `base`. It begins with the first
  // element, as 1 times an infinite number is no number in one part.
  Complex Product(const Bindings& bindings, int64_t base, int64_t begin, int64_t end) const {
    const TensorView& reduced = layout_.reduced;
    const aclDataType dtype = layout_.kept.dtype;
    const int64_t bytes = blocks::BytesOf(dtype);
    const int last = reduced.rank - 1;
    const int64_t step = reduced.strides[last], above = last > 0 ? reduced.strides[last - 1] : 0;
    const char* self = layout_.kept.Address(bindings) + base * bytes;
    std::optional<Complex> total;
    Complex loaded[kLoad];
    ForTiles(reduced, begin, end, [&](int64_t offset, int64_t rows, int64_t cols, int64_t) {
      for (int64_t row = 0; row < rows; ++row) {
        for (int64_t col = 0; col < cols; col += kLoad) {
          const int64_t n = std::min(kLoad, cols - col);
          blocks::ConvertElements(dtype, self + (offset + row * above + col * step) * bytes,
                                  step * bytes, ACL_COMPLEX128, reinterpret_cast<char*>(loaded),
                                  sizeof(Complex), n);
          for (int64_t i = 0; i < n; ++i) total = total ? *total * loaded[i] : loaded[i];
        }
      }
    });
    return *total;
  }

  void Store(const Bindings& bindings, const Item& item, int64_t i, const Complex& total) const {
    const int64_t bytes = blocks::BytesOf(layout_.out.dtype);
    char* to = layout_.out.Address(bindings) + (item.out + i * layout_.out_stride()) * bytes;
    blocks::ConvertElements(ACL_COMPLEX128, reinterpret_cast<const char*>(&total), sizeof(total),
                            layout_.out.dtype, to, bytes, 1);
  }

  Layout layout_;
  WorkspaceSlot<Complex> products_;
};

}  // namespace

std::shared_ptr<const Plan> MakeComplexProductPlan(const Problem& problem) {
  return std::make_shared<ComplexProductPlan>(problem);
}

}  // namespace anyacl::reduction
