// SPDX-License-Identifier: Apache-2.0
// UniqueConsecutive and UniqueDim: slices along a dimension, or complex numbers, that differ from
// the one before them, as they are or in order.
#include <cstring>

#include "nnop/copy_runs.h"
#include "nnop/dynamic_shape.h"
#include "nnop/promotion.h"
#include "ops/sorting/unique.h"

namespace anyacl::sorting {
namespace {

constexpr int64_t kFlat = 1000;  // UniqueConsecutive's dim for all elements

struct Problem {
  TensorView self;
  Distinct out;
  Dims shape;    // of values, if all differ
  int dim = -1;  // -1: of all elements
  bool ordered = false;
};

// One scalar of an element: complex numbers have two.
struct SlicePart {
  aclDataType dtype;
  int64_t bytes;
  int64_t count;
};
SlicePart PartOf(aclDataType dtype) {
  if (dtype == ACL_COMPLEX64) return {ACL_FLOAT, 4, 2};
  if (dtype == ACL_COMPLEX128) return {ACL_DOUBLE, 8, 2};
  return {dtype, BitsOf(dtype) / 8, 1};
}

class SlicesPlan final : public BookedPlan {
 public:
  explicit SlicesPlan(const Problem& problem)
      : x_(problem),
        elements_(problem.self, -1),
        part_(PartOf(problem.self.dtype)),
        type_(KeyTypeOf(part_.dtype)),
        load_(LoaderOf<Wide>(part_.dtype)) {
    slices_ = x_.dim < 0 ? elements_.length() : x_.self.sizes[x_.dim];
    if (x_.dim >= 0) {
      TensorView rest = WithoutDim(x_.self, x_.dim);
      inside_ = rest;
      per_slice_ = rest.elements();
    }
    order_ = book_.Book<int64_t>(static_cast<size_t>(2 * slices_));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    int64_t* const order = order_.In(bindings);
    int64_t* const begins = order + slices_;
    const char* const data = x_.self.elements() > 0 ? x_.self.Address(bindings) : nullptr;
    for (int64_t i = 0; i < slices_; ++i) order[i] = i;
    if (x_.ordered) {
      std::stable_sort(order, order + slices_,
                       [&](int64_t a, int64_t b) { return Compare(data, a, b) < 0; });
    }
    int64_t all = 0;
    for (int64_t i = 0; i < slices_; ++i) {
      if (i == 0 || Compare(data, order[i - 1], order[i]) != 0) begins[all++] = i;
      if (x_.out.inverse.given()) Put(x_.out.inverse, bindings, order[i], all - 1);
    }
    for (int64_t n = 0; n < all; ++n) {
      if (x_.out.counts.given()) {
        Put(x_.out.counts, bindings, n, (n + 1 < all ? begins[n + 1] : slices_) - begins[n]);
      }
    }
    if (data != nullptr) CopySlices(bindings, data, order, begins, all);
    Dims shape = x_.shape;
    shape[x_.dim < 0 ? 0 : static_cast<size_t>(x_.dim)] = all;
    SetShape(*x_.out.values_tensor, shape);
    if (x_.out.counts_tensor != nullptr) SetShape(*x_.out.counts_tensor, Dims{all});
    return {};
  }

 private:
  int64_t SliceOffset(int64_t slice) const {
    return x_.dim < 0 ? elements_.PlaceOffset(slice)
                      : slice * x_.self.strides[x_.dim] * BytesOf(x_.self);
  }
  int64_t InsideOffset(int64_t number) const {
    return x_.dim < 0 ? 0 : inside_.OffsetOf(number) * BytesOf(x_.self);
  }
  // Below 0, 0 or above, by the first element that differs; a NaN differs from everything.
  int Compare(const char* data, int64_t a, int64_t b) const {
    if (data == nullptr) return 0;
    const char* const left = data + SliceOffset(a);
    const char* const right = data + SliceOffset(b);
    for (int64_t i = 0; i < per_slice_; ++i) {
      const int64_t offset = InsideOffset(i);
      for (int64_t p = 0; p < part_.count; ++p) {
        Wide l, r;
        load_(left + offset + p * part_.bytes, 0, 1, 0, 0, &l);
        load_(right + offset + p * part_.bytes, 0, 1, 0, 0, &r);
        if (l.key() != r.key()) return l.key() < r.key() ? -1 : 1;
        // In order they are kept apart by their places.
        if (type_.floating && l.key() == type_.nan) return a < b ? -1 : 1;
      }
    }
    return 0;
  }
  static void Put(const TensorView& view, const Bindings& bindings, int64_t at, int64_t value) {
    const int64_t bytes = BytesOf(view);
    PutNumber(view.Address(bindings) + view.OffsetOf(at) * bytes, bytes, value);
  }
  // values is dense: before the dimension, the slices, behind it.
  void CopySlices(const Bindings& bindings, const char* data, const int64_t* order,
                  const int64_t* begins, int64_t all) const {
    const int64_t bytes = BytesOf(x_.self);
    char* const to = x_.out.values.Address(bindings);
    int64_t behind = 1;
    for (int i = x_.dim + 1; x_.dim >= 0 && i < x_.self.rank; ++i) behind *= x_.self.sizes[i];
    ParallelFor(all, std::max<int64_t>(1, 8192 / per_slice_), [&](int64_t begin, int64_t end) {
      for (int64_t n = begin; n < end; ++n) {
        const char* const from = data + SliceOffset(order[begins[n]]);
        for (int64_t i = 0; i < per_slice_; ++i) {
          const int64_t at = (i / behind * all + n) * behind + i % behind;
          std::memcpy(to + at * bytes, from + InsideOffset(i), static_cast<size_t>(bytes));
        }
      }
    });
  }

  const Problem x_;
  const Rows elements_;
  const SlicePart part_;
  const KeyType type_;
  const LoadFunction<Wide> load_;
  TensorView inside_;
  int64_t slices_ = 0;
  int64_t per_slice_ = 1;
  WorkspaceSlot<int64_t> order_;
};

Status PrepareSlices(Operands& operands, PreparedCall* call, Problem x, bool counts) {
  x.self = ViewOf(operands, kSelf);
  x.out.values = ViewOf(operands, kValues);
  x.out.values_tensor = operands[kValues].tensor;
  if (Status s = CheckLength(operands, Rows(x.self, -1)); !s.ok()) return s;
  if (x.dim >= 0) {
    x.shape = operands[kSelf].shape();
  } else {
    x.shape = Dims{x.self.elements()};
  }
  if (Status s = CheckShapeIs(operands, kValues, x.shape); !s.ok()) return s;
  const int64_t slices = x.dim < 0 ? x.self.elements() : x.self.sizes[x.dim];
  if (operands.Flag(kReturnInverse)) {
    const Dims expected = x.dim < 0 ? operands[kSelf].shape() : Dims{slices};
    if (Status s = CheckShapeIs(operands, kInverse, expected); !s.ok()) return s;
    x.out.inverse = ViewOf(operands, kInverse);
  }
  if (counts) {
    if (Status s = CheckShapeIs(operands, kCounts, Dims{slices}); !s.ok()) return s;
    x.out.counts = ViewOf(operands, kCounts);
    x.out.counts_tensor = operands[kCounts].tensor;
  }
  if (x.dim < 0 && PartOf(x.self.dtype).count == 1) {
    call->plan = MakeUnique(x.self, x.out, false);
  } else {
    call->plan = std::make_shared<SlicesPlan>(x);
  }
  return {};
}

}  // namespace

Status PrepareUniqueConsecutive(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  Problem x;
  if (operands.Int(kDim) != kFlat) {
    const size_t rank = operands[kSelf].shape().rank();
    if (Status s = CheckDim(operands, "dim", operands.Int(kDim), rank, &x.dim); !s.ok()) return s;
  }
  return PrepareSlices(operands, call, x, operands.Flag(kReturnCounts));
}

Status PrepareUniqueDim(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  Problem x;
  x.ordered = true;
  const size_t rank = operands[kSelf].shape().rank();
  if (Status s = CheckDim(operands, "dim", operands.Int(kDim), rank, &x.dim); !s.ok()) return s;
  return PrepareSlices(operands, call, x, true);
}

}  // namespace anyacl::sorting
