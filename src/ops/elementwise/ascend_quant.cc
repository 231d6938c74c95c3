// SPDX-License-Identifier: Apache-2.0
// AscendQuant: y = round(x * scale + offset), or with scale twice, in fp32, each step rounded; held
// within INT8, or within INT4, of which INT32 packs eight. The chains of this folder have no INT4.
#include <algorithm>

#include "nnop/view.h"
#include "ops/blocks/row_tiles.h"
#include "ops/blocks/rows.h"
#include "ops/elementwise/prepare.h"

namespace anyacl::elementwise {
namespace {

struct QuantParams {
  TensorView x, scale, offset, y;  // scale and offset spread over x
  bool twice = false;
  Op rounding = Op::kRound;
};

class AscendQuantPlan final : public Plan {
 public:
  explicit AscendQuantPlan(const QuantParams& params) : p_(params) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t columns = p_.x.sizes[p_.x.rank - 1];
    blocks::ForRowTiles(p_.x.elements() / columns, columns,
                        [&](int64_t row, int64_t column, int64_t count) {
                          RunTile(bindings, row * columns + column, count);
                        });
    return {};
  }

 private:
  void RunTile(const Bindings& bindings, int64_t at, int64_t count) const {
    alignas(64) float v[blocks::kRowTile], scale[blocks::kRowTile], offset[blocks::kRowTile];
    const blocks::Rows numbers(count);
    blocks::LoadTile(bindings, p_.x, at, count, v);
    blocks::LoadTile(bindings, p_.scale, at, count, scale);
    numbers(Op::kMul, v, v, scale);
    if (p_.twice) numbers(Op::kMul, v, v, scale);
    if (p_.offset.given()) {
      blocks::LoadTile(bindings, p_.offset, at, count, offset);
      numbers(Op::kAdd, v, v, offset);
    }
    numbers(p_.rounding, v, v);
    blocks::StoreIntegers(v, count, p_.y, p_.y.Address(bindings), at);
  }

  const QuantParams p_;
};

// One number, or one for each index of a dimension, in one dimension or as many as x has.
TensorView Spread(const TensorView& numbers, const TensorView& x, int dim) {
  TensorView spread = x;
  spread.slot = numbers.slot;
  spread.dtype = numbers.dtype;
  spread.offset = numbers.offset;
  std::fill_n(spread.strides, x.rank, 0);
  const int along = numbers.rank == 1 ? 0 : dim;
  if (numbers.sizes[along] != 1) spread.strides[dim] = numbers.strides[along];
  return spread;
}

Status CheckRounding(const Operands& operands, Op* rounding) {
  constexpr Op kRoundings[] = {Op::kRound, Op::kCeil, Op::kFloor, Op::kTrunc};
  size_t mode = 0;
  Status s = operands.CheckText(kMode, {"round", "ceil", "floor", "trunc"}, &mode);
  *rounding = kRoundings[mode];
  return s;
}

Status CheckTypes(const Operands& operands) {
  const int code = operands.spec().codes.dtype;
  const aclDataType x = operands[kSelf].dtype(), y = operands[kOut].dtype();
  if (operands.Int(kDType) != y) {
    return Fail(code, "dstType = {}, expected {}, y.dtype = {}", operands.Int(kDType),
                static_cast<int>(y), NameOf(y));
  }
  // The older document lets scales of FLOAT values have a type of their own.
  const bool free = x == ACL_FLOAT && !operands.Given(kDim);
  if (free || operands[kOther].dtype() == x) return {};
  return Fail(code, "scale.dtype = {}, expected {} as x.dtype", NameOf(operands[kOther].dtype()),
              NameOf(x));
}

Status CheckShapes(const Operands& operands, int dim) {
  const int code = operands.spec().codes.shape;
  const Dims& x = operands[kSelf].shape();
  const Dims& scale = operands[kOther].shape();
  const int64_t size = x[static_cast<size_t>(dim)];
  Dims whole = x;
  for (size_t i = 0; i < whole.rank(); ++i) whole[i] = 1;
  Dims along = whole;
  along[static_cast<size_t>(dim)] = size;
  if (!(scale == Dims{1} || scale == Dims{size} || scale == whole || scale == along)) {
    return Fail(code, "scale.shape = {}, expected [1], [{}] or {}", scale.ToString(), size,
                along.ToString());
  }
  Dims y = x;
  const aclDataType type = operands[kOut].dtype();
  const int64_t unit = type == ACL_INT32 ? blocks::kPerInt32 : type == ACL_INT4 ? 2 : 1;
  if (x.back() % unit != 0) {
    return Fail(code, "x.shape = {}, expected a multiple of {} in the last dimension for y of {}",
                x.ToString(), unit, NameOf(type));
  }
  if (type == ACL_INT32) y[y.rank() - 1] /= blocks::kPerInt32;
  return CheckShapeIs(operands, kOut, y);
}

}  // namespace

Status PrepareAscendQuant(Operands& operands, PreparedCall* call) {
  QuantParams p;
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckTypes(operands); !s.ok()) return s;
  if (Status s = CheckRounding(operands, &p.rounding); !s.ok()) return s;
  const auto rank = static_cast<int>(operands[kSelf].shape().rank());
  int dim = rank - 1;
  if (operands.Given(kDim)) {
    if (Status s = CheckDim(operands, "axis", operands.Int(kDim), rank, &dim); !s.ok()) return s;
    if (dim < rank - 2) {
      return Fail(operands.spec().codes.shape,
                  "axis = {}, expected one of the last two dimensions of {}", operands.Int(kDim),
                  operands[kSelf].shape().ToString());
    }
  }
  if (Status s = CheckShapes(operands, dim); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  p.x = ViewOf(operands, kSelf);
  p.scale = Spread(ViewOf(operands, kOther), p.x, dim);
  if (operands.Given(kThird)) p.offset = Spread(ViewOf(operands, kThird), p.x, dim);
  p.y = ViewOf(operands, kOut);
  p.twice = operands.Flag(kScalar);
  call->plan = std::make_shared<AscendQuantPlan>(p);
  return {};
}

}  // namespace anyacl::elementwise
