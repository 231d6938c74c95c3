// SPDX-License-Identifier: Apache-2.0
// Operators on parts of tensors: the halves of a gated unit, the three of a projection, diagonals.
#include "ops/elementwise/parts.h"

#include <cmath>
#include <limits>

#include "nnop/ordered_plan.h"
#include "nnop/promotion.h"
#include "ops/elementwise/build.h"
#include "ops/elementwise/chain.h"
#include "ops/elementwise/prepare.h"

namespace anyacl::elementwise {
namespace {

// The dimension that is halved, and the shape of a half.
Status FindHalf(const Operands& operands, int id, int* dim, Dims* half) {
  return HalfAlong(operands, id, operands.Int(kDim), dim, half);
}

// `heads` times `size` columns of [batch, steps, columns], from `begin`, as [batch, heads,
// steps, size].
TensorView HeadsOf(const TensorView& view, int64_t begin, int64_t heads, int64_t size) {
  TensorView part = view;
  const int columns = view.rank - 1;
  part.offset += begin * view.strides[columns];
  part.rank = 4;
  const bool rows = view.rank == 3;
  const int64_t sizes[] = {rows ? view.sizes[0] : 1, heads, rows ? view.sizes[1] : 1, size};
  const int64_t step = view.strides[columns];
  const int64_t strides[] = {rows ? view.strides[0] : 0, size * step, rows ? view.strides[1] : 0,
                             step};
  for (int i = 0; i < 4; ++i) {
    part.sizes[i] = sizes[i];
    part.strides[i] = strides[i];
  }
  return part;
}

// Of a gated unit; the first versions activate the second half.
bool ActivatesLeft(const Operands& operands) {
  return operands.HasRow(kActivateLeft) && operands.Flag(kActivateLeft);
}

struct Range {
  double least, most;
};
// What a type holds; BOOL, BF16 and complex numbers are not looked at.
Range RangeOf(aclDataType dtype) {
  switch (dtype) {
    case ACL_INT8:
      return {-128, 127};
    case ACL_UINT8:
      return {0, 255};
    case ACL_INT16:
      return {-32768, 32767};
    case ACL_INT32:
      return {-0x1p31, 0x1p31 - 1};
    case ACL_INT64:
      return {-0x1p63, 0x1p63 - 1024};
    case ACL_FLOAT16:
      return {-65504, 65504};
    case ACL_FLOAT:
      return {-static_cast<double>(std::numeric_limits<float>::max()),
              static_cast<double>(std::numeric_limits<float>::max())};
    default:
      return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  }
}

Status CheckHeld(const Operands& operands, const ScalarValue& value) {
  const aclDataType dtype = operands[kSelf].dtype();
  const bool floating = CategoryOf(dtype) >= Category::kFloating;
  const Range range = RangeOf(dtype);
  const bool held = value.real >= range.least && value.real <= range.most;
  if (held || (floating && !std::isfinite(value.real))) return {};
  return Fail(operands.spec().codes.shape, "fillValue = {}, expected a number that {} holds",
              value.real, NameOf(dtype));
}

// [i, i] of every index i that all dimensions have.
TensorView DiagonalOf(const TensorView& view, int64_t begin_row, int64_t count) {
  TensorView diagonal = view;
  diagonal.rank = 1;
  diagonal.offset += begin_row * view.strides[0];
  diagonal.sizes[0] = count;
  diagonal.strides[0] = 0;
  for (int i = 0; i < view.rank; ++i) diagonal.strides[0] += view.strides[i];
  return diagonal;
}

}  // namespace

Halves HalvesOf(const TensorView& view, int dim) {
  const int64_t half = view.sizes[dim] / 2;
  return {Sliced(view, dim, 0, half), Sliced(view, dim, half, half)};
}

Status HalfAlong(const Operands& operands, int id, int64_t value, int* dim, Dims* half) {
  const Dims& shape = operands[id].shape();
  if (shape.rank() == 0) {
    return Fail(operands.spec().codes.shape, "{}.shape = [], expected at least one dimension",
                operands.NameOf(id));
  }
  if (Status s = CheckDim(operands, "dim", value, shape.rank(), dim); !s.ok()) return s;
  const auto axis = static_cast<size_t>(*dim);
  if (shape[axis] % 2 != 0) {
    return Fail(operands.spec().codes.shape, "{}.shape[{}] = {}, expected an even number",
                operands.NameOf(id), *dim, shape[axis]);
  }
  *half = shape;
  (*half)[axis] /= 2;
  return {};
}

Status PrepareGlu(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  int dim = 0;
  Dims half;
  if (Status s = FindHalf(operands, kSelf, &dim, &half); !s.ok()) return s;
  if (Status s = CheckShapeIs(operands, kOut, half); !s.ok()) return s;
  const aclDataType type = operands[kSelf].dtype();
  if (Status s = CheckResult(operands, type); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  const Halves x = HalvesOf(ViewOf(operands, kSelf), dim);
  call->plan = MakeChainPlan({.inputs = {x.first, x.second},
                              .steps = {{Op::kSigmoid, {1}}, {Op::kMul, {0, 2}}},
                              .outputs = {{ViewOf(operands, kOut), 3}}});
  return {};
}

Status PrepareGluBackward(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  int dim = 0;
  Dims half;
  if (Status s = FindHalf(operands, kOther, &dim, &half); !s.ok()) return s;
  if (Status s = CheckShapeIs(operands, kSelf, half); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  const TensorView g = ViewOf(operands, kSelf);
  const Halves x = HalvesOf(ViewOf(operands, kOther), dim);
  const Halves out = HalvesOf(ViewOf(operands, kOut), dim);
  call->plan = MakeChainPlan({.inputs = {g, x.first, x.second},
                              .steps = {{Op::kSigmoid, {2}},
                                        {Op::kMul, {0, 3}},
                                        {Op::kMul, {0, 1}},
                                        {Op::kSigmoidGrad, {5, 3}}},
                              .outputs = {{out.first, 4}, {out.second, 6}}});
  return {};
}

Status PrepareSwiGluGrad(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  int dim = 0;
  Dims half;
  if (Status s = FindHalf(operands, kOther, &dim, &half); !s.ok()) return s;
  if (Status s = CheckShapeIs(operands, kSelf, half); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  const TensorView g = ViewOf(operands, kSelf);
  const Halves x = HalvesOf(ViewOf(operands, kOther), dim);
  const Halves out = HalvesOf(ViewOf(operands, kOut), dim);
  call->plan = MakeChainPlan(
      {.inputs = {g, x.first, x.second},
       .steps = {{Op::kMul, {0, 2}}, {Op::kSiluGrad, {3, 1}}, {Op::kSilu, {1}}, {Op::kMul, {0, 5}}},
       .outputs = {{out.first, 4}, {out.second, 6}}});
  return {};
}

Status PrepareGeGlu(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  int dim = 0;
  Dims half;
  if (Status s = FindHalf(operands, kSelf, &dim, &half); !s.ok()) return s;
  for (int id : {kOut, kActivated}) {
    if (Status s = CheckShapeIs(operands, id, half); !s.ok()) return s;
  }
  if (operands[kOut].IsEmpty()) return {};
  Halves x = HalvesOf(ViewOf(operands, kSelf), dim);
  if (!ActivatesLeft(operands)) std::swap(x.first, x.second);
  const Op gelu = operands.Int(kMode) == 0 ? Op::kGeluErf : Op::kGelu;
  call->plan =
      MakeChainPlan({.inputs = {x.first, x.second},
                     .steps = {{gelu, {0}}, {Op::kMul, {2, 1}}},
                     .outputs = {{ViewOf(operands, kOut), 3}, {ViewOf(operands, kActivated), 2}}});
  return {};
}

Status PrepareGeGluBackward(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  int dim = 0;
  Dims half;
  if (Status s = FindHalf(operands, kOther, &dim, &half); !s.ok()) return s;
  for (int id : {kSelf, kThird}) {
    if (Status s = CheckShapeIs(operands, id, half); !s.ok()) return s;
  }
  if (operands[kOut].IsEmpty()) return {};
  Halves x = HalvesOf(ViewOf(operands, kOther), dim);
  Halves out = HalvesOf(ViewOf(operands, kOut), dim);
  if (!ActivatesLeft(operands)) {
    std::swap(x.first, x.second);
    std::swap(out.first, out.second);
  }
  const Op slope = operands.Int(kMode) == 0 ? Op::kGeluErfGrad : Op::kGeluGrad;
  call->plan = MakeChainPlan(
      {.inputs = {ViewOf(operands, kSelf), x.first, x.second, ViewOf(operands, kThird)},
       .steps = {{Op::kMul, {0, 2}}, {slope, {4, 1}}, {Op::kMul, {0, 3}}},
       .outputs = {{out.first, 5}, {out.second, 6}}});
  return {};
}

Status PrepareTransformBiasRescaleQkv(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const int64_t columns = operands[kSelf].shape()[2], heads = operands.Int(kSize);
  if (columns == 0 || columns % 3 != 0 || columns / 3 % heads != 0) {
    return Fail(operands.spec().codes.shape,
                "qkv.shape[2] = {}, expected a multiple of 3 * numHeads, numHeads = {}", columns,
                heads);
  }
  const int64_t size = columns / 3 / heads;
  const Dims& shape = operands[kSelf].shape();
  for (int id : {kOut, kKey, kValueOut}) {
    if (Status s = CheckShapeIs(operands, id, {shape[0], heads, shape[1], size}); !s.ok()) return s;
  }
  if (operands[kOut].IsEmpty()) return {};
  const TensorView qkv = ViewOf(operands, kSelf), bias = ViewOf(operands, kOther);
  const double scale = 1 / std::sqrt(static_cast<double>(size));
  std::vector<std::shared_ptr<const Plan>> plans;
  int64_t begin = 0;
  for (int id : {kOut, kKey, kValueOut}) {
    const TensorView out = ViewOf(operands, id);
    const std::span<const int64_t> sizes(out.sizes, 4);
    Chain chain = {.inputs = {HeadsOf(qkv, begin, heads, size),
                              *Broadcast(HeadsOf(bias, begin, heads, size), sizes)},
                   .steps = {{Op::kAdd, {0, 1}}},
                   .outputs = {{out, 2}}};
    if (id == kOut) {
      chain.steps.push_back({Op::kMulScalar, {2}, scale});
      chain.outputs[0].number = 3;
    }
    plans.push_back(MakeChainPlan(std::move(chain)));
    begin += heads * size;
  }
  call->plan = InOrder(std::move(plans));
  return {};
}

Status PrepareFillDiagonal(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const Dims& shape = operands[kSelf].shape();
  if (shape.rank() < 2) {
    return Fail(operands.spec().codes.shape, "selfRef.shape = {}, expected at least 2 dimensions",
                shape.ToString());
  }
  for (size_t i = 1; shape.rank() > 2 && i < shape.rank(); ++i) {
    if (shape[i] != shape[0]) {
      return Fail(operands.spec().codes.shape,
                  "selfRef.shape = {}, expected equal sizes of more than 2 dimensions",
                  shape.ToString());
    }
  }
  ScalarValue value;
  if (Status s = ReadScalar(operands, kScalar, &value); !s.ok()) return s;
  if (Status s = CheckHeld(operands, value); !s.ok()) return s;
  if (operands[kSelf].IsEmpty()) return {};
  const TensorView self = ViewOf(operands, kSelf);
  const int64_t rows = self.sizes[0], columns = self.sizes[1];
  std::vector<TensorView> diagonals = {DiagonalOf(self, 0, std::min(rows, columns))};
  // Below each diagonal of a tall matrix a row stays free, as NumPy has it.
  if (operands.Flag(kWrap) && self.rank == 2 && rows > columns) {
    const int64_t whole = rows / (columns + 1), rest = rows % (columns + 1);
    TensorView all = DiagonalOf(self, 0, columns);
    all.rank = 2;
    all.sizes[1] = all.sizes[0];
    all.strides[1] = all.strides[0];
    all.sizes[0] = whole;
    all.strides[0] = (columns + 1) * self.strides[0];
    diagonals = {all, DiagonalOf(self, whole * (columns + 1), rest)};
  }
  SetFillPlan(diagonals, value, call);
  return {};
}

Status PrepareFillTensor(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const Dims& value = operands[kOther].shape();
  if (ElementCount(value) != 1) {
    return Fail(operands.spec().codes.shape, "value.shape = {}, expected [] or [1]",
                value.ToString());
  }
  if (Status s = CheckResult(operands, operands[kOther].dtype()); !s.ok()) return s;
  // A number has no dimensions, so that it fits whatever selfRef is.
  TensorLayout number = *operands[kOther].layout;
  number.shape = number.strides = {};
  operands.Relabel(kOther, std::move(number));
  DropRepeats(operands, kSelf);
  SetMovePlan(operands, kOther, call);
  return {};
}

}  // namespace anyacl::elementwise
