// SPDX-License-Identifier: Apache-2.0
// QuantizedBatchNorm, of integers: plane by plane, some numbers at a time, each step rounded to
// fp32. Threads share planes.
#include <algorithm>
#include <cmath>

#include "nnop/scalar.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/rows.h"
#include "ops/row_quant/operators.h"
#include "runtime/parallel.h"

namespace anyacl::row_quant {
namespace {

using elementwise::Op;

class QuantizedBatchNormPlan final : public Plan {
 public:
  TensorView x, y, mean, variance, weight, bias;
  float in_scale = 1, in_offset = 0, out_scale = 1, out_offset = 0, eps = 0;

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t plane = x.sizes[2] * x.sizes[3], channels = x.sizes[1];
    constexpr int64_t kWorth = 1 << 14;  // numbers: some 5 us
    ParallelFor(x.sizes[0] * channels, std::max<int64_t>(1, kWorth / plane),
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; ++i) {
                    RunPlane(bindings, i * plane, plane, i % channels);
                  }
                });
    return {};
  }

 private:
  static constexpr int64_t kTile = 2048;  // numbers at a time

  static float At(const Bindings& bindings, const TensorView& view, int64_t channel) {
    return blocks::LoadOne<float>(view.dtype,
                                  view.Address(bindings) + channel * view.strides[0] * 4);
  }

  void RunPlane(const Bindings& bindings, int64_t first, int64_t count, int64_t channel) const {
    const float centre = At(bindings, mean, channel);
    const float deviation = std::sqrt(At(bindings, variance, channel) + eps);
    const auto load = blocks::Loader(Element::kFp32, x.dtype);
    const auto store = blocks::Storer(Element::kFp32, y.dtype);
    alignas(64) float v[kTile];
    for (int64_t at = first; at < first + count; at += kTile) {
      const int64_t n = std::min(kTile, first + count - at);
      const blocks::Rows row(n);
      const auto apply = [&](Op op, float p) { row(op, v, v, nullptr, nullptr, p); };
      blocks::ForTiles(x, x.Address(bindings), at, at + n,
                       [&](const blocks::Tile& tile, int64_t before) { load(tile, v + before); });
      apply(Op::kAddScalar, -in_offset);
      apply(Op::kMulScalar, in_scale);
      apply(Op::kAddScalar, -centre);
      apply(Op::kDivScalar, deviation);
      if (weight.given()) apply(Op::kMulScalar, At(bindings, weight, channel));
      if (bias.given()) apply(Op::kAddScalar, At(bindings, bias, channel));
      apply(Op::kDivScalar, out_scale);
      apply(Op::kAddScalar, out_offset);
      row(Op::kRound, v, v);
      blocks::ForTiles(y, y.Address(bindings), at, at + n,
                       [&](const blocks::Tile& tile, int64_t before) { store(v + before, tile); });
    }
  }
};

// A zero point has a place among the numbers of input's type.
Status ReadOffset(const Operands& operands, int id, float* offset) {
  ScalarValue value;
  if (Status s = ReadScalar(operands, id, &value); !s.ok()) return s;
  const aclDataType type = operands[kX].dtype();
  const int64_t least = type == ACL_UINT8 ? 0 : type == ACL_INT8 ? -128 : INT32_MIN;
  const int64_t most = type == ACL_UINT8 ? 255 : type == ACL_INT8 ? 127 : INT32_MAX;
  if (!(value.real >= static_cast<double>(least) && value.real <= static_cast<double>(most))) {
    return Fail(operands.spec().codes.shape, "{} = {}, expected {} to {} as input.dtype is {}",
                operands.NameOf(id), value.real, least, most, NameOf(type));
  }
  *offset = static_cast<float>(value.integer);
  return {};
}

Status ReadScale(const Operands& operands, int id, float* scale) {
  ScalarValue value;
  if (Status s = ReadScalar(operands, id, &value); !s.ok()) return s;
  *scale = static_cast<float>(value.real);
  return {};
}

}  // namespace

Status PrepareQuantizedBatchNorm(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = operands.CheckNotEmpty(); !s.ok()) return s;
  const auto plan = std::make_shared<QuantizedBatchNormPlan>();
  if (Status s = ReadScale(operands, kInScale, &plan->in_scale); !s.ok()) return s;
  if (Status s = ReadScale(operands, kOutScale, &plan->out_scale); !s.ok()) return s;
  if (Status s = ReadOffset(operands, kInOffset, &plan->in_offset); !s.ok()) return s;
  if (Status s = ReadOffset(operands, kOutOffset, &plan->out_offset); !s.ok()) return s;
  plan->eps = static_cast<float>(operands.Real(kEps));
  plan->x = ViewOf(operands, kX);
  plan->y = ViewOf(operands, kY);
  plan->mean = ViewOf(operands, kMean);
  plan->variance = ViewOf(operands, kVariance);
  plan->weight = ViewOf(operands, kScale);
  plan->bias = ViewOf(operands, kBias);
  call->plan = plan;
  return {};
}

}  // namespace anyacl::row_quant
