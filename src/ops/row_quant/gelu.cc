// SPDX-License-Identifier: Apache-2.0
// GeluQuant: an activation, and integers by given scales or by one of each row, in fp32, each step
// rounded. Threads share tiles, or rows.
#include <algorithm>
#include <cmath>

#include "nnop/copy_runs.h"
#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/int4_rows.h"
#include "ops/blocks/rows.h"
#include "ops/row_quant/operators.h"
#include "runtime/parallel.h"

namespace anyacl::row_quant {
namespace {

using elementwise::Op;

constexpr int64_t kGeluTile = blocks::kMostIntegers;  // columns at a time
constexpr int64_t kGeluWorth = 1 << 12;               // numbers: some 5 us

struct GeluParams {
  TensorView x{}, scale{}, offset{}, y{}, scale_out{};
  Op gelu = Op::kGelu;
  bool dynamic = false;
};

class GeluQuantPlan final : public BookedPlan {
 public:
  explicit GeluQuantPlan(const GeluParams& params)
      : p_(params),
        columns_(p_.x.sizes[p_.x.rank - 1]),
        rows_(p_.x.elements() / columns_),
        strips_((columns_ - 1) / kGeluTile + 1) {
    if (p_.dynamic) kept_ = book_.Book<float>(std::min(ThreadCount(), rows_), columns_);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    if (p_.dynamic) {
      ParallelFor(rows_, std::max<int64_t>(1, kGeluWorth / columns_),
                  [&](int64_t begin, int64_t end, int64_t slot) {
                    float* const kept = kept_.In(bindings) + slot * columns_;
                    for (int64_t row = begin; row < end; ++row) RunRow(bindings, row, kept);
                  });
      return {};
    }
    const int64_t worth = std::max<int64_t>(1, kGeluWorth / std::min(columns_, kGeluTile));
    ParallelFor(rows_ * strips_, worth, [&](int64_t begin, int64_t end) {
      alignas(64) float v[kGeluTile];
      for (int64_t i = begin; i < end; ++i) RunTile(bindings, i / strips_, i % strips_, v);
    });
    return {};
  }

 private:
  int64_t CountAt(int64_t column) const { return std::min(kGeluTile, columns_ - column); }

  // v becomes op(v, a number for each of its columns).
  static void Apply(const Bindings& bindings, Op op, const TensorView& view, int64_t column,
                    int64_t count, float* v) {
    alignas(64) float factors[kGeluTile];
    const char* const data = view.Address(bindings);
    if (view.sizes[0] == 1) {
      std::fill_n(factors, count, blocks::LoadOne<float>(view.dtype, data));
    } else {
      const int64_t step = view.strides[0];
      blocks::LoadRow(view.dtype, data + column * step * BytesOf(view), step, count, factors);
    }
    blocks::Rows{count}(op, v, v, factors);
  }

  void Activate(const Bindings& bindings, int64_t row, int64_t column, float* v) const {
    const int64_t count = CountAt(column), at = p_.x.OffsetOf(row * columns_ + column);
    blocks::LoadRow(p_.x.dtype, p_.x.Address(bindings) + at * BytesOf(p_.x),
                    p_.x.strides[p_.x.rank - 1], count, v);
    blocks::Rows{count}(p_.gelu, v, v);
    if (p_.scale.given()) Apply(bindings, Op::kMul, p_.scale, column, count, v);
  }

  void Store(const Bindings& bindings, int64_t row, int64_t column, float* v) const {
    const int64_t count = CountAt(column);
    blocks::Rows{count}(Op::kRound, v, v);
    blocks::StoreIntegers(v, count, p_.y, p_.y.Address(bindings), row * columns_ + column);
  }

  void RunTile(const Bindings& bindings, int64_t row, int64_t strip, float* v) const {
    const int64_t column = strip * kGeluTile;
    Activate(bindings, row, column, v);
    if (p_.offset.given()) Apply(bindings, Op::kAdd, p_.offset, column, CountAt(column), v);
    Store(bindings, row, column, v);
  }

  void RunRow(const Bindings& bindings, int64_t row, float* kept) const {
    alignas(64) float absolute[kGeluTile];
    float largest = 0;
    for (int64_t column = 0; column < columns_; column += kGeluTile) {
      const int64_t count = CountAt(column);
      Activate(bindings, row, column, kept + column);
      blocks::Rows{count}(Op::kAbs, absolute, kept + column);
      const float max = Kernels().rowwise.fp32.softmax.max(absolute, count);
      if (max > largest || std::isnan(max)) largest = max;
    }
    const float scale = largest / 127;
    StoreElement(p_.scale_out.Address(bindings) + p_.scale_out.OffsetOf(row) * 4, scale);
    for (int64_t column = 0; column < columns_; column += kGeluTile) {
      float* const v = kept + column;
      blocks::Rows{CountAt(column)}(Op::kDivScalar, v, v, nullptr, nullptr, scale);
      Store(bindings, row, column, v);
    }
  }

  const GeluParams p_;
  const int64_t columns_, rows_, strips_;
  WorkspaceSlot<float> kept_;
};

struct GeluModes {
  size_t tanh = 0, dynamic = 0;
};

Status ReadModes(const Operands& operands, GeluModes* modes) {
  if (Status s = operands.CheckText(kApproximate, {"none", "tanh"}, &modes->tanh); !s.ok()) {
    return s;
  }
  if (Status s = operands.CheckText(kQuantMode, {"static", "dynamic"}, &modes->dynamic); !s.ok()) {
    return s;
  }
  if (operands.Int(kDstType) != ACL_INT8) {
    return Fail(operands.spec().codes.dtype,
                "dstType = {} ({}), expected 2 (INT8): HIFLOAT8 and FLOAT8 are not offered",
                operands.Int(kDstType), NameOf(operands.DType(kDstType)));
  }
  return operands.CheckText(kRoundMode, {"rint"});
}

// Which tensors go together, by the mode.
Status CheckGiven(const Operands& operands, bool dynamic) {
  const CheckCodes& codes = operands.spec().codes;
  const bool scale = operands.Given(kScale), scale_out = operands.Given(kScaleOut);
  if (!dynamic && !scale) {
    return Fail(codes.null, "inputScaleOptional is null, expected a tensor as quantMode is static");
  }
  if (operands.Given(kOffset) && !scale) {
    return Fail(codes.shape,
                "inputOffsetOptional is given, expected null as inputScaleOptional is");
  }
  if (dynamic && !scale_out) {
    return Fail(codes.null, "outScaleOptional is null, expected a tensor as quantMode is dynamic");
  }
  if (dynamic || !scale_out) return {};
  return Fail(codes.shape, "outScaleOptional is given, expected null as quantMode is static");
}

Status CheckFactorTypes(const Operands& operands) {
  if (!operands.Given(kScale)) return {};
  const int code = operands.spec().codes.dtype;
  const aclDataType x = operands[kX].dtype(), scale = operands[kScale].dtype();
  if (x != scale && x != ACL_FLOAT && scale != ACL_FLOAT) {
    return Fail(code, "inputScaleOptional.dtype = {}, expected {} or FLOAT as self.dtype is {}",
                NameOf(scale), NameOf(x), NameOf(x));
  }
  if (!operands.Given(kOffset) || operands[kOffset].dtype() == scale) return {};
  return Fail(code, "inputOffsetOptional.dtype = {}, expected {} as inputScaleOptional.dtype",
              NameOf(operands[kOffset].dtype()), NameOf(scale));
}

Status CheckGeluShapes(const Operands& operands, bool dynamic) {
  const Dims& x = operands[kX].shape();
  const int code = operands.spec().codes.shape;
  const size_t least = dynamic ? 2 : 1;
  if (x.rank() < least) {
    return Fail(code, "self.shape = {}, expected rank {} to 8 as quantMode is {}", x.ToString(),
                least, dynamic ? "dynamic" : "static");
  }
  if (operands.Given(kScale)) {
    const int64_t factors = operands[kScale].shape()[0];
    if (factors != 1 && factors != x.back()) {
      return Fail(code, "inputScaleOptional.shape = [{}], expected [1] or [{}]", factors, x.back());
    }
  }
  if (Status s = CheckShapeIs(operands, kY, x); !s.ok()) return s;
  if (!dynamic) return {};
  return CheckShapeIs(operands, kScaleOut, Dims(x.begin(), x.rank() - 1));
}

}  // namespace

Status PrepareGeluQuant(Operands& operands, PreparedCall* call) {
  GeluModes modes;
  if (Status s = ReadModes(operands, &modes); !s.ok()) return s;
  const bool dynamic = modes.dynamic == 1;
  if (Status s = CheckGiven(operands, dynamic); !s.ok()) return s;
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = operands.CheckNotEmpty(); !s.ok()) return s;
  if (Status s = CheckFactorTypes(operands); !s.ok()) return s;
  if (Status s = CheckGeluShapes(operands, dynamic); !s.ok()) return s;
  GeluParams params = {.x = ViewOf(operands, kX),
                       .y = ViewOf(operands, kY),
                       .gelu = modes.tanh == 1 ? Op::kGelu : Op::kGeluErf,
                       .dynamic = dynamic};
  if (operands.Given(kScale)) params.scale = ViewOf(operands, kScale);
  if (dynamic) {
    params.scale_out = ViewOf(operands, kScaleOut);
    if (operands.Given(kOffset)) {
      Warn("inputOffsetOptional has no effect as quantMode is dynamic");
    }
  } else if (operands.Given(kOffset)) {
    params.offset = ViewOf(operands, kOffset);
  }
  call->plan = std::make_shared<GeluQuantPlan>(params);
  return {};
}

}  // namespace anyacl::row_quant
