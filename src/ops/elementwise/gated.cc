// SPDX-License-Identifier: Apache-2.0
// Gated units that chains compute: halves or interleaved parts of a dimension, one of which the
// other lets through.
#include <limits>

#include "ops/elementwise/chain.h"
#include "ops/elementwise/parts.h"
#include "ops/elementwise/prepare.h"

namespace anyacl::elementwise {
namespace {

// Of the last dimension of an input that has another one.
Status CheckHalves(const Operands& operands, int* dim) {
  const Dims& shape = operands[kSelf].shape();
  if (shape.rank() < 2) {
    return Fail(operands.spec().codes.shape, "input.shape = {}, expected 2 to 8 dimensions",
                shape.ToString());
  }
  Dims half;
  if (Status s = HalfAlong(operands, kSelf, -1, dim, &half); !s.ok()) return s;
  return CheckShapeIs(operands, kOut, half);
}

}  // namespace

Status PrepareGeluMul(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  size_t tanh = 0;
  if (Status s = operands.CheckText(kMode, {"none", "tanh"}, &tanh); !s.ok()) return s;
  int dim = 0;
  if (Status s = CheckHalves(operands, &dim); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  const Halves x = HalvesOf(ViewOf(operands, kSelf), dim);
  call->plan =
      MakeChainPlan({.inputs = {x.first, x.second},
                     .steps = {{tanh == 1 ? Op::kGelu : Op::kGeluErf, {0}}, {Op::kMul, {2, 1}}},
                     .outputs = {{ViewOf(operands, kOut), 3}}});
  return {};
}

Status PrepareFatreluMul(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  int dim = 0;
  if (Status s = CheckHalves(operands, &dim); !s.ok()) return s;
  const Dims& shape = operands[kOther].shape();
  if (ElementCount(shape) != 1) {
    return Fail(operands.spec().codes.shape, "threshold.shape = {}, expected one element",
                shape.ToString());
  }
  if (operands[kOut].IsEmpty()) return {};
  const Halves x = HalvesOf(ViewOf(operands, kSelf), dim);
  TensorView threshold = ViewOf(operands, kOther);
  threshold.rank = 0;
  const TensorView out = ViewOf(operands, kOut);
  threshold = *Broadcast(threshold, {out.sizes, static_cast<size_t>(out.rank)});
  // A difference is above 0 where a is above the threshold, which is finite, and nowhere else.
  call->plan = MakeChainPlan(
      {.inputs = {x.first, x.second, threshold},
       .steps = {{Op::kSub, {0, 2}}, {Op::kThresholdGrad, {0, 3}}, {Op::kMul, {4, 1}}},
       .outputs = {{out, 5}}});
  return {};
}

Status PrepareClippedSwiglu(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const int code = operands.spec().codes.shape;
  int dim = 0;
  Dims half;
  if (Status s = HalfAlong(operands, kSelf, operands.Int(kDim), &dim, &half); !s.ok()) return s;
  if (Status s = CheckShapeIs(operands, kOut, half); !s.ok()) return s;
  const double limit = operands.Real(kMax);
  if (!(limit > 0)) return Fail(code, "limit = {}, expected a number above 0", limit);
  const TensorView x = ViewOf(operands, kSelf), out = ViewOf(operands, kOut);
  int64_t behind = 1, before = 1;
  for (int i = 0; i < x.rank; ++i) (i < dim ? before : behind) *= out.sizes[i];
  if (operands[kOut].IsEmpty()) return {};
  Halves parts = HalvesOf(x, dim);
  if (operands.Flag(kLayout)) {
    // By the document the dimensions behind `dim` are joined with it before every other element is
    // taken.
    if (behind != out.sizes[dim]) {
      return Fail(code, "interleaved = true with dim = {}, expected the last dimension of x",
                  operands.Int(kDim));
    }
    parts = {Sliced(x, dim, 0, out.sizes[dim], 2), Sliced(x, dim, 1, out.sizes[dim], 2)};
  }
  const double infinity = std::numeric_limits<double>::infinity();
  Chain chain = {.inputs = {parts.first, parts.second},
                 .steps = {{Op::kClamp, {0}, -infinity, limit},
                           {Op::kClamp, {1}, -limit, limit},
                           {Op::kMulScalar, {2}, operands.Real(kP)},
                           {Op::kSigmoid, {4}},
                           {Op::kMul, {2, 5}},
                           {Op::kAddScalar, {3}, operands.Real(kQ)},
                           {Op::kMul, {6, 7}}},
                 .outputs = {{out, 8}}};
  if (operands.Given(kThird)) chain.groups = {ViewOf(operands, kThird), before, behind};
  call->plan = MakeChainPlan(std::move(chain));
  return {};
}

}  // namespace anyacl::elementwise
