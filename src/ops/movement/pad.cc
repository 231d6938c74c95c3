// SPDX-License-Identifier: Apache-2.0
// ConstantPadNd, Pad, PadV3: what is left of self, and the value around it.
#include <algorithm>

#include "base/format.h"
#include "ops/blocks/convert.h"
#include "ops/blocks/padded_copy.h"
#include "ops/movement/nodes.h"
#include "ops/movement/operators.h"

namespace anyacl::movement {
namespace {

// How one dimension of out is made.
struct Padding {
  int64_t before = 0;
  int64_t after = 0;
};

// `pad` begins with the last dimension, or with the first one and has all.
Status PaddedShape(const Operands& operands, bool from_first, std::span<Padding> paddings,
                   Dims* shape) {
  const std::span<const int64_t> pad = operands.Ints(kPad);
  const Dims& self = operands[kSelf].shape();
  if (pad.size() % 2 != 0 || pad.size() > 2 * self.rank() ||
      (from_first && pad.size() != 2 * self.rank())) {
    return Fail(operands.spec().codes.shape, "{} has {} elements, expected {} {}: {}.shape = {}",
                operands.NameOf(kPad), pad.size(), from_first ? "" : "an even number up to",
                2 * self.rank(), operands.NameOf(kSelf), self.ToString());
  }
  *shape = self;
  bool grows = false;
  bool empty = false;
  for (size_t i = 0; i < self.rank(); ++i) {
    Padding& padding = paddings[i];
    const size_t at = 2 * (from_first ? i : self.rank() - 1 - i);
    if (at + 1 < pad.size()) padding = {pad[at], pad[at + 1]};
    int64_t& size = (*shape)[i];
    if (__builtin_add_overflow(size, padding.before, &size) ||
        __builtin_add_overflow(size, padding.after, &size) || size < 0) {
      return Fail(operands.spec().codes.shape,
                  "pad = [{}] makes dimension {} of self.shape = {} smaller than 0 or too large",
                  Joined(pad), i, self.ToString());
    }
    grows |= padding.before > 0 || padding.after > 0;
    empty |= size == 0;
  }
  if (!grows || !empty) return {};
  return Fail(operands.spec().codes.shape,
              "pad = [{}] makes out.shape {}, expected no size of 0 where a padding is positive",
              Joined(pad), shape->ToString());
}

std::shared_ptr<blocks::PaddedCopy> MakePlan(const TensorView& out, const TensorView& self,
                                             std::span<const Padding> paddings,
                                             const TensorView& value) {
  std::array<blocks::Place, TensorView::kMaxRank> places;
  for (int dim = 0; dim < out.rank; ++dim) {
    const int64_t size = self.sizes[dim];
    const int64_t before = paddings[static_cast<size_t>(dim)].before;
    // One that cuts more off than there is may be as small as -2^63.
    places[static_cast<size_t>(dim)] = {
        .size = size, .count = out.sizes[dim], .begin = -std::max(before, -size)};
  }
  return std::make_shared<blocks::PaddedCopy>(out, self, places, value);
}

}  // namespace

Status PreparePad(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  std::array<Padding, TensorView::kMaxRank> paddings;
  Dims shape;
  if (Status s = PaddedShape(operands, false, paddings, &shape); !s.ok()) return s;
  if (Status s = CheckShapeIs(operands, kOut, shape); !s.ok()) return s;
  const Scalar& value = *operands.ScalarAt(kValue);
  const TensorView out = ViewOf(operands, kOut);
  if (!blocks::CanConvert(value.dtype, out.dtype)) {
    return Fail(operands.spec().codes.dtype, "value.dtype = {}, expected a number that {} can hold",
                NameOf(value.dtype), NameOf(out.dtype));
  }
  if (operands[kOut].IsEmpty()) return {};
  auto plan = MakePlan(out, ViewOf(operands, kSelf), paddings, {});
  blocks::ConvertElements(value.dtype, reinterpret_cast<const char*>(value.bytes.data()), 0,
                          out.dtype, plan->constant.data(), 0, 1);
  call->plan = std::move(plan);
  return {};
}

Status PreparePadNode(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  std::array<Padding, TensorView::kMaxRank> paddings;
  Dims shape;
  if (Status s = PaddedShape(operands, true, paddings, &shape); !s.ok()) return s;
  if (Status s = CheckShapeIs(operands, kOut, shape); !s.ok()) return s;
  if (operands.Given(kValue) && ElementCount(operands[kValue].shape()) != 1) {
    return Fail(operands.spec().codes.shape, "{}.shape = {}, expected one element",
                operands.NameOf(kValue), operands[kValue].shape().ToString());
  }
  if (operands[kOut].IsEmpty()) return {};
  // Zeros without one.
  const TensorView value = ViewOf(operands, kValue);
  call->plan = MakePlan(ViewOf(operands, kOut), ViewOf(operands, kSelf), paddings, value);
  return {};
}

Status PreparePadV3(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckText(kMode, {"constant"}); !s.ok()) return s;
  return PreparePadNode(operands, call);
}

}  // namespace anyacl::movement
