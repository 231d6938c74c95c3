// SPDX-License-Identifier: Apache-2.0
// Gated units that chains compute: halves or interleaved parts of a dimension, one of which the
// other lets through.
#include <cmath>
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

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Of a clipped unit: the dimension that is cut, and the tensor `half_id` with half of x's size.
Status CheckClipped(const Operands& operands, int half_id, int* dim) {
  const int code = operands.spec().codes.shape;
  Dims half;
  if (Status s = HalfAlong(operands, kSelf, operands.Int(kDim), dim, &half); !s.ok()) return s;
  if (Status s = CheckShapeIs(operands, half_id, half); !s.ok()) return s;
  const double limit = operands.Real(kMax);
  if (!(limit > 0)) return Fail(code, "limit = {}, expected a number above 0", limit);
  // By the document the dimensions behind `dim` are joined with it before every other element is
  // taken.
  for (size_t i = static_cast<size_t>(*dim) + 1; i < half.rank(); ++i) {
    if (!operands.Flag(kLayout) || half[i] == 1) continue;
    return Fail(code, "interleaved = true with dim = {}, expected the last dimension of x",
                operands.Int(kDim));
  }
  return {};
}

// The parts of a tensor of x's shape.
Halves PartsOf(const Operands& operands, int id, int dim) {
  const TensorView x = ViewOf(operands, id);
  if (!operands.Flag(kLayout)) return HalvesOf(x, dim);
  const int64_t size = x.sizes[dim] / 2;
  return {Sliced(x, dim, 0, size, 2), Sliced(x, dim, 1, size, 2)};
}

// The rows of `half` that are computed, where the call tells it.
ChainGroups GroupsOf(const Operands& operands, const TensorView& half, int dim) {
  ChainGroups groups = {ViewOf(operands, kThird), 1, 1};
  for (int i = 0; i < half.rank; ++i) (i < dim ? groups.rows : groups.each) *= half.sizes[i];
  return groups;
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
  int dim = 0;
  if (Status s = CheckClipped(operands, kOut, &dim); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  const double limit = operands.Real(kMax);
  const Halves parts = PartsOf(operands, kSelf, dim);
  const TensorView out = ViewOf(operands, kOut);
  call->plan = MakeChainPlan({.inputs = {parts.first, parts.second},
                              .steps = {{Op::kClamp, {0}, -kInfinity, limit},
                                        {Op::kClamp, {1}, -limit, limit},
                                        {Op::kMulScalar, {2}, operands.Real(kP)},
                                        {Op::kSigmoid, {4}},
                                        {Op::kMul, {2, 5}},
                                        {Op::kAddScalar, {3}, operands.Real(kQ)},
                                        {Op::kMul, {6, 7}}},
                              .outputs = {{out, 8}},
                              .groups = GroupsOf(operands, out, dim)});
  return {};
}

Status PrepareClippedSwigluGrad(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  int dim = 0;
  if (Status s = CheckClipped(operands, kOther, &dim); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  const double limit = operands.Real(kMax), alpha = operands.Real(kP);
  // A number that equals a bound has a gradient: it lies between the bounds' neighbours.
  constexpr float kEnd = std::numeric_limits<float>::infinity();
  const double beyond = std::nextafter(static_cast<float>(limit), kEnd);
  const Halves x = PartsOf(operands, kSelf, dim), out = PartsOf(operands, kOut, dim);
  const TensorView gradient = ViewOf(operands, kOther);
  Chain chain = {.inputs = {gradient, x.first, x.second},
                 .steps = {{Op::kClamp, {1}, -kInfinity, limit},
                           {Op::kClamp, {2}, -limit, limit},
                           {Op::kAddScalar, {4}, operands.Real(kQ)},
                           {Op::kMul, {0, 5}},
                           {Op::kSwishGrad, {6, 3}, alpha},
                           {Op::kHardtanhGrad, {7, 1}, -kInfinity, beyond},
                           {Op::kSwish, {3}, alpha},
                           {Op::kMul, {0, 9}},
                           {Op::kHardtanhGrad, {10, 2}, -beyond, beyond}},
                 .outputs = {{out.first, 8}, {out.second, 11}},
                 .groups = GroupsOf(operands, gradient, dim)};
  chain.groups.clears = operands.Given(kThird);
  call->plan = MakeChainPlan(std::move(chain));
  return {};
}

}  // namespace anyacl::elementwise
