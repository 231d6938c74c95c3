// SPDX-License-Identifier: Apache-2.0
#include "nnop/copy.h"
#include "nnop/ordered_plan.h"
#include "nnop/promotion.h"
#include "nnop/scalar.h"
#include "ops/cumulative/scan.h"

namespace anyacl::cumulative {
namespace {

// Complex numbers are two sums; a dimension for them may be one too many.
TensorView Parts(const TensorView& view) {
  if (CategoryOf(view.dtype) != Category::kComplex) return view;
  TensorView parts = WithDim(RealParts(view), view.rank);
  parts.sizes[view.rank] = 2;
  parts.strides[view.rank] = 1;
  return parts;
}

// Each result where the next one would be: the sums of all but the element itself. The first one is
// a sum of none, whose place is returned.
TensorView Shift(Problem* x) {
  const int64_t rest = x->out.sizes[x->dim] - 1;
  const TensorView first = Sliced(x->out, x->dim, 0, 1);
  x->self = Sliced(x->self, x->dim, 0, rest);
  x->out = Sliced(x->out, x->dim, 1, rest);
  return first;
}

std::shared_ptr<const Plan> Zeros(const TensorView& view) {
  auto plan = std::make_shared<CopyPlan>();
  plan->copies.Add(FillLoopsOf(view), view.slot, -1);
  return plan;
}

Status Finish(Operands& operands, PreparedCall* call, Problem x, int64_t dim) {
  const int out = operands.Given(kValues) ? kValues : operands.Given(kOut) ? kOut : kSelf;
  x.self = AtLeastVector(ViewOf(operands, kSelf));
  x.out = AtLeastVector(ViewOf(operands, out));
  if (operands.Given(kIndices)) x.places = AtLeastVector(ViewOf(operands, kIndices));
  const auto rank = static_cast<size_t>(x.self.rank);
  if (Status s = CheckDim(operands, "dim", dim, rank, &x.dim); !s.ok()) return s;
  if (x.self.elements() == 0) return {};
  const bool complex = CategoryOf(x.self.dtype) == Category::kComplex;
  if (complex != (CategoryOf(x.out.dtype) == Category::kComplex)) {
    return Fail(operands.spec().codes.dtype,
                "{}.dtype = {}, out.dtype = {}, expected both complex or none",
                operands.NameOf(kSelf), NameOf(x.self.dtype), NameOf(x.out.dtype));
  }
  if (complex && x.self.rank == TensorView::kMaxRank) {
    return Fail(operands.spec().codes.shape, "{}.shape = {} has rank 8, expected at most 7: {}",
                operands.NameOf(kSelf), operands[kSelf].shape().ToString(),
                "its elements are complex");
  }
  if (operands.HasRow(kReverse) && operands.Flag(kReverse)) {
    for (TensorView* view : {&x.self, &x.out}) {
      const int64_t size = view->sizes[x.dim];
      if (size > 1) *view = Sliced(*view, x.dim, size - 1, size, -1);
    }
  }
  std::vector<std::shared_ptr<const Plan>> plans;
  if (operands.HasRow(kExclusive) && operands.Flag(kExclusive)) plans = {Zeros(Shift(&x))};
  x.self = Parts(x.self);
  x.out = Parts(x.out);
  if (complex) x.dtype = x.out.dtype;
  if (x.self.elements() > 0) plans.push_back(MakeScan(x));
  call->plan = InOrder(std::move(plans));
  return {};
}

// The type of the result, as an argument says it once more.
Status CheckType(const Operands& operands, aclDataType out) {
  const aclDataType dtype = operands.DType(kDType);
  if (dtype == out) return {};
  return Fail(operands.spec().codes.dtype, "dtype = {}, expected {}: out.dtype", NameOf(dtype),
              NameOf(out));
}

Status PrepareExtreme(Operands& operands, PreparedCall* call, Member member) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  return Finish(operands, call, {.member = member, .dtype = operands[kSelf].dtype()},
                operands.Int(kDim));
}

}  // namespace

Status PrepareSum(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const aclDataType out = operands[kOut].dtype();
  if (Status s = CheckType(operands, out); !s.ok()) return s;
  return Finish(operands, call, {.member = Member::kSum, .dtype = out}, operands.Int(kDim));
}

Status PrepareSumV2(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  return Finish(operands, call, {.member = Member::kSum, .dtype = operands[kOut].dtype()},
                operands.Int(kDim));
}

Status PrepareProduct(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const bool in_place = !operands.Given(kOut);
  const aclDataType out = operands[in_place ? kSelf : kOut].dtype();
  if (!in_place) {
    const aclDataType self = operands[kSelf].dtype();
    if (operands.DType(kDType) != ACL_DT_UNDEFINED) {
      if (Status s = CheckType(operands, out); !s.ok()) return s;
    } else if (self != out) {
      return Fail(operands.spec().codes.dtype, "out.dtype = {}, expected {}: dtype is undefined",
                  NameOf(out), NameOf(self));
    }
  }
  ScalarValue dim;
  if (Status s = ReadScalar(operands, kDim, &dim); !s.ok()) return s;
  return Finish(operands, call, {.member = Member::kProduct, .dtype = out}, dim.integer);
}

Status PrepareLargest(Operands& operands, PreparedCall* call) {
  return PrepareExtreme(operands, call, Member::kLargest);
}
Status PrepareSmallest(Operands& operands, PreparedCall* call) {
  return PrepareExtreme(operands, call, Member::kSmallest);
}

}  // namespace anyacl::cumulative
