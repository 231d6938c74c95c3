// SPDX-License-Identifier: Apache-2.0
// First phases of operators that are a few operations in a row.
#include <algorithm>

#include "ops/elementwise/build.h"
#include "ops/elementwise/chain.h"
#include "ops/elementwise/prepare.h"

namespace anyacl::elementwise {
namespace {

// A tensor whose first dimension is dimension `axis` of x, repeated along x's others; of one
// element along all.
TensorView AlongAxes(const TensorView& view, const TensorView& x, int axis) {
  TensorView wide = x;
  wide.slot = view.slot;
  wide.dtype = view.dtype;
  wide.offset = view.offset;
  std::fill_n(wide.strides, x.rank, 0);
  if (view.elements() != 1) std::copy_n(view.strides, view.rank, wide.strides + axis);
  return wide;
}

// scale has x's sizes from axis on: so many, or as many as it has itself. Or one element, which
// stands for all.
Status CheckScale(const Operands& operands, int axis) {
  const Dims &x = operands[kSelf].shape(), &scale = operands[kOther].shape();
  const auto rank = static_cast<int64_t>(scale.rank());
  const int64_t behind = static_cast<int64_t>(x.rank()) - axis, named = operands.Int(kSize);
  const bool by_name = operands.Flag(kMode);
  const int64_t count = !by_name ? rank : named == -1 ? behind : named;
  if (ElementCount(scale) == 1 && (by_name ? named == 0 : rank <= 1)) return {};
  if (count <= behind && scale == Dims(x.begin() + axis, static_cast<size_t>(count))) return {};
  return Fail(operands.spec().codes.shape,
              "scale.shape = {}, expected {} sizes of x.shape = {} from dimension {} on",
              scale.ToString(), count, x.ToString(), axis);
}

}  // namespace

Status PrepareSquaredRelu(Operands& operands, PreparedCall* call) {
  if (Status s = CheckCall(operands, kOne); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  call->plan = MakeChainPlan({.inputs = {ViewOf(operands, kSelf)},
                              .steps = {{Op::kRelu, {0}}, {Op::kSquare, {1}}},
                              .outputs = {{ViewOf(operands, kOut), 2}}});
  return {};
}

Status PrepareScale(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const Dims& shape = operands[kSelf].shape();
  int axis = 0;
  if (Status s = CheckDim(operands, "axis", operands.Int(kDim), shape.rank(), &axis); !s.ok()) {
    return s;
  }
  if (Status s = CheckScale(operands, axis); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  const TensorView x = ViewOf(operands, kSelf);
  Chain chain = {.inputs = {x, AlongAxes(ViewOf(operands, kOther), x, axis)},
                 .steps = {{Op::kMul, {0, 1}}},
                 .outputs = {}};
  if (operands.Given(kThird)) {
    chain.inputs.push_back(AlongAxes(ViewOf(operands, kThird), x, axis));
    chain.steps = {{Op::kMul, {0, 1}}, {Op::kAdd, {3, 2}}};
  }
  chain.outputs = {{ViewOf(operands, kOut), chain.inputs.size() + chain.steps.size() - 1}};
  call->plan = MakeChainPlan(std::move(chain));
  return {};
}

}  // namespace anyacl::elementwise
