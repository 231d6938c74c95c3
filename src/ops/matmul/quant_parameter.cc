// SPDX-License-Identifier: Apache-2.0
// TransQuantParamV2 and V3: scales and offsets of INT8 results in the 64 bits in which products
// take them.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "nnop/view.h"
#include "ops/matmul/operators.h"
#include "ops/matmul/quantise.h"

namespace anyacl::matmul {
namespace {

// To the bits that are kept, the nearest, ties to even.
float RoundedScale(float scale) {
  if (!std::isfinite(scale)) return scale;
  constexpr uint32_t kDropped = ~static_cast<uint32_t>(kScaleBits);
  const auto bits = std::bit_cast<uint32_t>(scale);
  const uint32_t odd = (bits & (kDropped + 1)) != 0 ? 1 : 0;
  return std::bit_cast<float>((bits + kDropped / 2 + odd) & ~kDropped);
}

class QuantParameterPlan final : public Plan {
 public:
  QuantParameterPlan(const TensorView& scale, const TensorView& offset, bool rounds,
                     const TensorView& out)
      : scale_(scale), offset_(offset), rounds_(rounds), out_(out) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const auto* const scales = reinterpret_cast<const float*>(scale_.Address(bindings));
    const auto* const offsets =
        offset_.given() ? reinterpret_cast<const float*>(offset_.Address(bindings)) : nullptr;
    auto* const out = reinterpret_cast<uint64_t*>(out_.Address(bindings));
    for (int64_t i = 0; i < out_.elements(); ++i) {
      float scale = scales[scale_.OffsetOf(i)];
      if (rounds_) scale = RoundedScale(scale);
      out[out_.OffsetOf(i)] = offsets == nullptr
                                  ? QuantParameter(scale)
                                  : QuantParameter(scale, offsets[offset_.OffsetOf(i)]);
    }
    return {};
  }

 private:
  const TensorView scale_, offset_;
  const bool rounds_;
  const TensorView out_;
};

// One, or as many as `count`.
bool IsRow(const Dims& shape, int64_t count) {
  const bool one_row = shape.rank() == 1 || (shape.rank() == 2 && shape[0] == 1);
  return one_row && (shape.back() == 1 || shape.back() == count);
}

// Without an offset out is shaped as scale, whose rows may be groups; with one all are one row.
Status CheckShapes(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  const Dims& scale = operands[kScale].shape();
  for (int id : {kScale, kOffset, kOut}) {
    if (!operands.Given(id)) continue;
    const Operand& operand = operands[id];
    if ((operand.shape().rank() == 1 || operand.shape().rank() == 2) && !operand.IsEmpty())
      continue;
    return Fail(code, "{}.shape = {}, expected 1 or 2 dimensions and some elements", operand.Name(),
                operand.shape().ToString());
  }
  if (!operands.Given(kOffset)) return CheckShapeIs(operands, kOut, scale);
  const Dims& offset = operands[kOffset].shape();
  // A scale of two dimensions has out's shape.
  const int64_t count = scale.rank() == 2 ? scale.back() : std::max(scale.back(), offset.back());
  if (!IsRow(scale, count) || !IsRow(offset, count)) {
    return Fail(code, "scale.shape = {} and offset.shape = {}, expected a row of {} or one each",
                scale.ToString(), offset.ToString(), count);
  }
  return CheckShapeIs(operands, kOut, scale.rank() == 2 ? scale : Dims{count});
}

// A row of out's elements.
TensorView Spread(TensorView view, const TensorView& out) {
  const int last = view.rank - 1;
  const int64_t step = view.sizes[last] == 1 ? 0 : view.strides[last];
  view.rank = out.rank;
  std::copy_n(out.sizes, out.rank, view.sizes);
  std::fill_n(view.strides, out.rank, 0);
  view.strides[out.rank - 1] = step;
  return view;
}

}  // namespace

uint64_t QuantParameter(float scale) {
  return (std::bit_cast<uint32_t>(scale) & kScaleBits) | kParameterBit;
}

uint64_t QuantParameter(float scale, float offset) {
  const float held = std::nearbyint(std::fmin(std::fmax(offset, -256.0f), 255.0f));
  const auto bits = static_cast<uint64_t>(static_cast<int64_t>(held)) & kOffsetMask;
  return QuantParameter(scale) | bits << kOffsetBit;
}

Status PrepareQuantParameter(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckShapes(operands); !s.ok()) return s;
  const TensorView out = ViewOf(operands, kOut);
  TensorView scale = ViewOf(operands, kScale), offset = ViewOf(operands, kOffset);
  if (offset.given()) {
    scale = Spread(scale, out);
    offset = Spread(offset, out);
  }
  const bool rounds = operands.Given(kRoundMode) && operands.Int(kRoundMode) == 1;
  call->plan = std::make_shared<QuantParameterPlan>(scale, offset, rounds, out);
  return {};
}

}  // namespace anyacl::matmul
