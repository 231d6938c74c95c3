// SPDX-License-Identifier: Apache-2.0
// out = x / scales + zeroPoints, rounded to nearest even and held within out's type.
#include "nnop/promotion.h"
#include "ops/elementwise/build.h"
#include "ops/elementwise/chain.h"
#include "ops/elementwise/prepare.h"

namespace anyacl::elementwise {
namespace {

// One number for all elements, or one for each index of a dimension; by name in that dimension.
TensorView AlongDim(TensorView numbers, const TensorView& x, int dim) {
  if (numbers.rank > 1) {
    numbers.sizes[0] = numbers.sizes[dim];
    numbers.strides[0] = numbers.strides[dim];
  }
  TensorView spread = x;
  spread.slot = numbers.slot;
  spread.dtype = numbers.dtype;
  spread.offset = numbers.offset;
  for (int i = 0; i < x.rank; ++i) spread.strides[i] = 0;
  if (numbers.sizes[0] != 1) spread.strides[dim] = numbers.strides[0];
  return spread;
}

Status CheckQuantizeTypes(const Operands& operands) {
  const int code = operands.spec().codes.dtype;
  if (operands.Given(kDType) && operands.DType(kDType) != operands[kOut].dtype()) {
    return Fail(code, "dtype = {}, expected {} as out.dtype", NameOf(operands.DType(kDType)),
                NameOf(operands[kOut].dtype()));
  }
  const bool bf16 = operands[kSelf].dtype() == ACL_BF16;
  for (int id : {kOther, kThird}) {
    if (!operands.Given(id) || operands[id].dtype() != ACL_BF16 || bf16) continue;
    return Fail(code, "{}.dtype = BF16, expected another type as x.dtype = {}", operands.NameOf(id),
                NameOf(operands[kSelf].dtype()));
  }
  return {};
}

// All dimensions but `dim` have one entry.
Status CheckNodeShape(const Operands& operands, int dim) {
  Dims expected = operands[kSelf].shape();
  for (size_t i = 0; i < expected.rank(); ++i) {
    if (i != static_cast<size_t>(dim)) expected[i] = 1;
  }
  return CheckShapeIs(operands, kOther, expected);
}

}  // namespace

Status PrepareQuantize(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckQuantizeTypes(operands); !s.ok()) return s;
  const Dims& shape = operands[kSelf].shape();
  const bool node = operands[kOther].shape().rank() > 1;
  const int64_t scales = operands[kOther].shape()[0];
  int dim = 0;
  if (node) {
    if (Status s = CheckDim(operands, "axis", operands.Int(kDim), shape.rank(), &dim); !s.ok()) {
      return s;
    }
    if (Status s = CheckNodeShape(operands, dim); !s.ok()) return s;
  } else if (scales != 1) {
    if (Status s = CheckDim(operands, "axis", operands.Int(kDim), shape.rank(), &dim); !s.ok()) {
      return s;
    }
    const int64_t size = shape.rank() > 0 ? shape[static_cast<size_t>(dim)] : 1;
    if (scales != size) {
      return Fail(operands.spec().codes.shape, "scales.shape = [{}], expected [1] or [{}]", scales,
                  size);
    }
  }
  if (operands[kOut].IsEmpty()) return {};
  const TensorView x = ViewOf(operands, kSelf);
  Chain chain = {.inputs = {x, AlongDim(ViewOf(operands, kOther), x, dim)},
                 .steps = {},
                 .outputs = {{ViewOf(operands, kOut), 3}}};
  if (operands.Given(kThird)) {
    chain.inputs.push_back(AlongDim(ViewOf(operands, kThird), x, dim));
    chain.steps = {{Op::kDiv, {0, 1}}, {Op::kAdd, {3, 2}}, {Op::kRound, {4}}};
    chain.outputs[0].number = 5;
  } else {
    chain.steps = {{Op::kDiv, {0, 1}}, {Op::kRound, {2}}};
  }
  call->plan = MakeChainPlan(std::move(chain));
  return {};
}

}  // namespace anyacl::elementwise
