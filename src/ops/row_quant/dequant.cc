// SPDX-License-Identifier: Apache-2.0
// Numbers of integers: DequantBias and AscendAntiQuant, in fp32, each step rounded. Threads share
// tiles of rows.
#include <algorithm>
#include <string>

#include "nnop/copy_runs.h"
#include "nnop/view.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/int4_rows.h"
#include "ops/blocks/row_tiles.h"
#include "ops/blocks/rows.h"
#include "ops/row_quant/operators.h"
#include "runtime/parallel.h"

namespace anyacl::row_quant {
namespace {

using elementwise::Op;

using blocks::ForRowTiles;
using blocks::kRowTile;
using blocks::LoadTile;
using blocks::StoreTile;

Status CheckDstType(const Operands& operands) {
  const aclDataType y = operands[kY].dtype();
  if (operands.Int(kDstType) == y) return {};
  return Fail(operands.spec().codes.dtype, "{} = {}, expected {}, {}.dtype = {}",
              operands.NameOf(kDstType), operands.Int(kDstType), static_cast<int>(y),
              operands.NameOf(kY), NameOf(y));
}

class DequantBiasPlan final : public Plan {
 public:
  explicit DequantBiasPlan(const Operands& operands)
      : x_(ViewOf(operands, kX)), scale_(ViewOf(operands, kScale)), y_(ViewOf(operands, kY)) {
    if (operands.Given(kRowScale)) row_scale_ = ViewOf(operands, kRowScale);
    if (operands.Given(kBias)) bias_ = ViewOf(operands, kBias);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    ForRowTiles(x_.sizes[0], x_.sizes[1], [&](int64_t row, int64_t column, int64_t count) {
      alignas(64) float v[kRowTile];
      const int64_t at = row * x_.sizes[1] + column;
      LoadSum(bindings, at, column, count, v);
      Scale(bindings, row, column, count, v);
      StoreTile(bindings, y_, at, count, v);
    });
    return {};
  }

 private:
  // x, or its sum with a bias of integers, rounded once.
  void LoadSum(const Bindings& bindings, int64_t at, int64_t column, int64_t count,
               float* v) const {
    if (bias_.dtype != ACL_INT32) return LoadTile(bindings, x_, at, count, v);
    double x[kRowTile], bias[kRowTile];
    LoadTile(bindings, x_, at, count, x);
    LoadTile(bindings, bias_, column, count, bias);
    for (int64_t i = 0; i < count; ++i) v[i] = static_cast<float>(x[i] + bias[i]);
  }

  void Scale(const Bindings& bindings, int64_t row, int64_t column, int64_t count, float* v) const {
    alignas(64) float other[kRowTile];
    const blocks::Rows rows(count);
    LoadTile(bindings, scale_, column, count, other);
    rows(Op::kMul, v, v, other);
    if (row_scale_.given()) {
      const char* const at = row_scale_.Address(bindings) + row * row_scale_.strides[0] * 4;
      rows(Op::kMulScalar, v, v, nullptr, nullptr, LoadElement<float>(at));
    }
    if (!bias_.given() || bias_.dtype == ACL_INT32) return;
    LoadTile(bindings, bias_, column, count, other);
    rows(Op::kAdd, v, v, other);
  }

  TensorView x_, scale_, y_, row_scale_{}, bias_{};
};

class AntiQuantPlan final : public Plan {
 public:
  explicit AntiQuantPlan(const Operands& operands)
      : x_(AtLeastVector(ViewOf(operands, kX))),
        scale_(ViewOf(operands, kScale)),
        y_(AtLeastVector(ViewOf(operands, kY))),
        twice_(operands.Flag(kSqrtMode)) {
    if (operands.Given(kOffset)) offset_ = ViewOf(operands, kOffset);
    // One number for all columns is one that every step leads back to.
    for (TensorView* view : {&scale_, &offset_}) {
      if (view->given() && view->sizes[0] == 1) view->strides[0] = 0;
    }
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t columns = y_.sizes[y_.rank - 1];
    ForRowTiles(y_.elements() / columns, columns, [&](int64_t row, int64_t column, int64_t count) {
      alignas(64) float v[kRowTile], other[kRowTile];
      const blocks::Rows rows(count);
      const int64_t at = row * columns + column;
      blocks::LoadIntegers(x_, x_.Address(bindings), at, count, v);
      if (offset_.given()) {
        LoadColumns(bindings, offset_, column, count, other);
        rows(Op::kAdd, v, v, other);
      }
      LoadColumns(bindings, scale_, column, count, other);
      rows(Op::kMul, v, v, other);
      if (twice_) rows(Op::kMul, v, v, other);
      StoreTile(bindings, y_, at, count, v);
    });
    return {};
  }

 private:
  static void LoadColumns(const Bindings& bindings, const TensorView& view, int64_t column,
                          int64_t count, float* to) {
    blocks::LoadRow(view.dtype, view.Address(bindings) + column * view.strides[0] * BytesOf(view),
                    view.strides[0], count, to);
  }

  TensorView x_, scale_, y_, offset_{};
  bool twice_;
};

// What the document has for x of 4 bits, and y's shape.
Status CheckAntiQuantShapes(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  const aclDataType type = operands[kX].dtype();
  Dims y = operands[kX].shape();
  if (type != ACL_INT8 && y.rank() == 0) {
    return Fail(code, "x.shape = [], expected 1 dimension or more for x.dtype = {}", NameOf(type));
  }
  if (type == ACL_INT4 && y.back() % 2 != 0) {
    return Fail(code, "x.shape[{}] = {}, expected an even number for x.dtype = INT4", y.rank() - 1,
                y.back());
  }
  if (type == ACL_INT32) {
    if (y.back() > INT64_MAX / blocks::kPerInt32) {
      return Fail(code, "x.shape[{}] = {}, expected at most {}", y.rank() - 1, y.back(),
                  INT64_MAX / blocks::kPerInt32);
    }
    y[y.rank() - 1] *= blocks::kPerInt32;
  }
  if (Status s = CheckShapeIs(operands, kY, y); !s.ok()) return s;
  const int64_t columns = y.rank() == 0 ? 1 : y.back();
  const int64_t scales = operands[kScale].shape()[0];
  if (scales == 1 || (scales == columns && scales > 0)) return {};
  return Fail(code, "scale.shape = [{}], expected [1]{}", scales,
              columns > 1 ? " or [" + std::to_string(columns) + "]" : "");
}

}  // namespace

Status PrepareDequantBias(Operands& operands, PreparedCall* call) {
  // The document has another code for the types of what is optional.
  for (int id : {kRowScale, kBias}) {
    if (!operands.Given(id)) continue;
    const Operand& operand = operands[id];
    if (operand.spec->dtypes.Contains(operand.dtype())) continue;
    return Fail(ACLNN_ERR_INNER_TILING_ERROR, "{}.dtype = {}, expected {}", operand.Name(),
                NameOf(operand.dtype()), operand.spec->dtypes.ToString());
  }
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckDstType(operands); !s.ok()) return s;
  const aclDataType scale = operands[kScale].dtype(), y = operands[kY].dtype();
  if ((scale == ACL_FLOAT) != (y == ACL_FLOAT16)) {
    return Fail(operands.spec().codes.dtype,
                "out.dtype = {}, expected {} as weightScale.dtype = {}", NameOf(y),
                scale == ACL_FLOAT ? "FLOAT16" : "BF16", NameOf(scale));
  }
  constexpr int64_t kMostRows = 25000;
  if (const int64_t rows = operands[kX].shape()[0]; rows > kMostRows) {
    return Fail(operands.spec().codes.shape, "x.shape[0] = {}, expected at most {}", rows,
                kMostRows);
  }
  if (operands[kY].IsEmpty()) return {};
  call->plan = std::make_shared<DequantBiasPlan>(operands);
  return {};
}

Status PrepareAntiQuant(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckDstType(operands); !s.ok()) return s;
  if (operands[kX].dtype() == ACL_INT32 && operands[kX].shape().rank() == 0) {
    TensorLayout one = *operands[kX].layout;
    one.shape = one.strides = {1};
    operands.Relabel(kX, std::move(one));
  }
  if (Status s = CheckAntiQuantShapes(operands); !s.ok()) return s;
  if (operands[kY].IsEmpty()) return {};
  call->plan = std::make_shared<AntiQuantPlan>(operands);
  return {};
}

}  // namespace anyacl::row_quant
