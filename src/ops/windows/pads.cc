// SPDX-License-Identifier: Apache-2.0
// Paddings by what is there, and sums back.
#include <algorithm>

#include "base/format.h"
#include "nnop/operands.h"
#include "ops/blocks/padded_copy.h"
#include "ops/windows/fold.h"

namespace anyacl::windows {
namespace {

struct Margins {
  int64_t before = 0;
  int64_t after = 0;
};
using AllMargins = std::array<Margins, TensorView::kMaxRank>;

Place::Beyond BeyondOf(Border border) {
  switch (border) {
    case Border::kReflect:
      return Place::Beyond::kReflect;
    case Border::kReplicate:
      return Place::Beyond::kReplicate;
    default:
      return Place::Beyond::kWrap;
  }
}

// Of each dimension, and the padded shape; `self` is the row that has the shape without.
Status ReadMargins(const Operands& operands, Border border, int dims, AllMargins* margins,
                   Dims* padded) {
  const std::span<const int64_t> padding = operands.Ints(kPadding);
  const Dims& self = operands[kSelf].shape();
  const CheckCodes& codes = operands.spec().codes;
  const auto rank = static_cast<size_t>(dims);
  if (self.rank() != rank + 1 && self.rank() != rank + 2) {
    return Fail(codes.shape, "self.shape = {} has rank {}, expected {} or {}", self.ToString(),
                self.rank(), dims + 1, dims + 2);
  }
  // As in PyTorch: none but batches. Gradients of others than replications may have no channels on
  // a device.
  const bool batched = self.rank() == rank + 2;
  const bool lenient = operands.HasRow(kGrad) && border != Border::kReplicate && dims < 3;
  for (size_t dim = batched || lenient ? 1 : 0; dim < self.rank(); ++dim) {
    if (self[dim] != 0) continue;
    return Fail(codes.shape, "self.shape = {}, expected at least one element in dimension {}",
                self.ToString(), dim);
  }
  if (padding.size() != 2 * rank) {
    return Fail(codes.shape, "padding has {} elements, expected {}", padding.size(), 2 * rank);
  }
  *padded = self;
  for (size_t i = 0; i < rank; ++i) {
    const size_t dim = self.rank() - 1 - i;
    const Margins m = {padding[2 * i], padding[2 * i + 1]};
    const int64_t size = self[dim];
    const int64_t least = border == Border::kWrap ? 0 : -size;
    const int64_t most = border == Border::kReplicate ? INT64_MAX / 4 : size - 1;
    const bool fits = m.before <= most && m.after <= most && m.before >= least &&
                      m.after >= least && size + m.before + m.after >= 0;
    if (!fits) {
      return Fail(codes.shape, "padding = [{}], expected {} to {} in dimension {}: self.shape = {}",
                  Joined(padding), least, most, dim, self.ToString());
    }
    (*margins)[dim] = m;
    (*padded)[dim] = size + m.before + m.after;
  }
  return {};
}

Place PlaceOf(const Margins& margins, int64_t size, Border border) {
  return {.beyond = BeyondOf(border),
          .size = size,
          .count = size + margins.before + margins.after,
          .begin = -margins.before};
}

}  // namespace

Status PreparePad(Operands& operands, PreparedCall* call, Border border, int dims) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  AllMargins margins;
  Dims padded;
  if (Status s = ReadMargins(operands, border, dims, &margins, &padded); !s.ok()) return s;
  if (Status s = CheckShapeIs(operands, kOut, padded); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  const TensorView self = ViewOf(operands, kSelf);
  std::array<Place, TensorView::kMaxRank> places;
  for (size_t dim = 0; dim < padded.rank(); ++dim) {
    places[dim] = PlaceOf(margins[dim], self.sizes[dim], border);
  }
  call->plan = std::make_shared<blocks::PaddedCopy>(ViewOf(operands, kOut), self, places);
  return {};
}

Status PreparePadBackward(Operands& operands, PreparedCall* call, Border border, int dims) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  AllMargins margins;
  Dims padded;
  if (Status s = ReadMargins(operands, border, dims, &margins, &padded); !s.ok()) return s;
  if (Status s = CheckShapeIs(operands, kGrad, padded); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  Folding x;
  x.grad = AsPairs(ViewOf(operands, kGrad));
  x.out = AsPairs(ViewOf(operands, kOut));
  const size_t rank = padded.rank();
  for (int i = 0; i < dims; ++i) {
    const auto at = static_cast<size_t>(kSpace - 1 - i);
    const int last = x.out.rank - 1;
    const size_t dim = rank - 1 - static_cast<size_t>(i);
    x.grad_strides[at] = x.grad.strides[last];
    x.out_strides[at] = x.out.strides[last];
    x.places[at] = PlaceOf(margins[dim], x.out.sizes[last], border);
    x.grad = WithoutDim(x.grad, last);
    x.out = WithoutDim(x.out, last);
  }
  call->plan = MakeFold(x);
  return {};
}

}  // namespace anyacl::windows
