// SPDX-License-Identifier: Apache-2.0
// TransQuantParam (of host memory), V2 and V3: scales and offsets of INT8 results in the 64 bits in
// which products take them.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <span>
#include <utility>

#include "aclnnop/aclnn_trans_quant_param.h"
#include "base/entry.h"
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

// What a device makes, and CANN's tests expect: all bits of the scale, where the document has the
// highest 19, and ties of the offset away from 0.
Status MakeParameters(std::span<const float> scales, std::span<const float> offsets,
                      uint64_t** parameters, uint64_t* count) {
  constexpr size_t kMultiple = 16;
  size_t size = std::max(scales.size(), offsets.size());
  if (size != 1) size = (size + kMultiple - 1) / kMultiple * kMultiple;
  auto* const made = static_cast<uint64_t*>(std::calloc(size, sizeof(uint64_t)));
  if (made == nullptr) {
    return Fail(ACLNN_ERR_INNER_NULLPTR, "{} elements of 8 bytes cannot be allocated", size);
  }
  for (size_t i = 0; i < scales.size(); ++i) {
    made[i] = std::bit_cast<uint32_t>(scales[i]) | kParameterBit;
  }
  for (size_t i = 0; i < offsets.size(); ++i) {
    const float held = std::fmin(std::fmax(std::round(offsets[i]), -256.0f), 255.0f);
    made[i] |= (static_cast<uint64_t>(static_cast<int64_t>(held)) & kOffsetMask) << kOffsetBit;
  }
  *parameters = made;
  *count = size;
  return {};
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

using namespace anyacl;

extern "C" aclnnStatus aclnnTransQuantParam(const float* scaleArray, uint64_t scaleSize,
                                            const float* offsetArray, uint64_t offsetSize,
                                            uint64_t** quantParam, uint64_t* quantParamSize) {
  return Entry("aclnnTransQuantParam", [&]() -> Status {
    constexpr uint64_t kMost = uint64_t{1} << 40;
    for (const auto& [name, size] :
         {std::pair{"scaleSize", scaleSize}, std::pair{"offsetSize", offsetSize}}) {
      if (size <= kMost) continue;
      return Fail(ACLNN_ERR_PARAM_INVALID, "{} = {}, expected up to 2^40", name, size);
    }
    if (scaleArray == nullptr || scaleSize == 0) {
      return Fail(ACLNN_ERR_PARAM_INVALID, "scaleArray is {} and scaleSize = {}, expected numbers",
                  scaleArray == nullptr ? "null" : "given", scaleSize);
    }
    if ((offsetArray == nullptr) != (offsetSize == 0)) {
      return Fail(ACLNN_ERR_PARAM_INVALID,
                  "offsetArray is {} and offsetSize = {}, expected numbers, or null and 0",
                  offsetArray == nullptr ? "null" : "given", offsetSize);
    }
    if (quantParam == nullptr || quantParamSize == nullptr) {
      return Fail(ACLNN_ERR_PARAM_NULLPTR, "{} is null, expected where the result goes",
                  quantParam == nullptr ? "quantParam" : "quantParamSize");
    }
    return matmul::MakeParameters({scaleArray, scaleSize}, {offsetArray, offsetSize}, quantParam,
                                  quantParamSize);
  });
}
