// SPDX-License-Identifier: Apache-2.0
// RmsNormGradQuant: RmsNormGrad in FLOAT, then integers of its dx, each step rounded. Threads share
// tiles.
#include <algorithm>

#include "ops/blocks/blocks.h"
#include "ops/blocks/int4_rows.h"
#include "ops/blocks/rows.h"
#include "ops/norm_quant/operators.h"
#include "ops/steps.h"
#include "runtime/parallel.h"

namespace anyacl::norm_quant {
namespace {

using elementwise::Op;

// dx, contiguous, by one scale.
struct QuantisedGradient {
  InnerTensor dx;
  TensorView scale{}, offset{}, y{};
  bool divides = false;

  void Run(const Bindings& bindings) const {
    const int64_t columns = y.sizes[y.rank - 1], rows = y.elements() / columns;
    constexpr int64_t kTile = blocks::kMostIntegers;
    const int64_t strips = (columns - 1) / kTile + 1;
    const auto by = blocks::LoadOne<float>(scale.dtype, scale.Address(bindings));
    const float shift =
        offset.given() ? blocks::LoadOne<float>(offset.dtype, offset.Address(bindings)) : 0;
    constexpr int64_t kWorth = 1 << 14;  // numbers: some 5 us
    const int64_t grain = std::max<int64_t>(1, kWorth / std::min(columns, kTile));
    ParallelFor(rows * strips, grain, [&](int64_t begin, int64_t end) {
      alignas(64) float v[kTile];
      for (int64_t i = begin; i < end; ++i) {
        const int64_t column = i % strips * kTile, at = i / strips * columns + column;
        const int64_t count = std::min(kTile, columns - column);
        const blocks::Rows numbers(count);
        blocks::LoadRow(ACL_FLOAT, dx.Address(bindings) + at * 4, 1, count, v);
        numbers(divides ? Op::kDivScalar : Op::kMulScalar, v, v, nullptr, nullptr, by);
        if (offset.given()) numbers(Op::kAddScalar, v, v, nullptr, nullptr, shift);
        numbers(Op::kRound, v, v);
        blocks::StoreIntegers(v, count, y, y.Address(bindings), at);
      }
    });
  }
};

Status CheckGradient(const Operands& operands) {
  const CheckCodes& codes = operands.spec().codes;
  const aclDataType dy = operands[kDy].dtype();
  for (int id : {kGamma, kScales1}) {
    const aclDataType type = operands[id].dtype();
    if (type == dy || type == ACL_FLOAT) continue;
    return Fail(codes.dtype, "{}.dtype = {}, expected {}{} as dy.dtype is {}", operands.NameOf(id),
                NameOf(type), NameOf(dy), dy == ACL_FLOAT ? "" : " or FLOAT", NameOf(dy));
  }
  if (Status s = operands.CheckText(kQuantMode, {"static"}); !s.ok()) return s;
  const Dims& x = operands[kX1].shape();
  if (x.rank() >= 2) return {};
  return Fail(codes.shape, "x.shape = {}, expected rank 2 to 8", x.ToString());
}

}  // namespace

Status PrepareRmsNormGradQuant(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckGradient(operands); !s.ok()) return s;
  const Dims& shape = operands[kX1].shape();
  Steps steps(operands);
  // A gradient of 16 bits would be rounded before its integer.
  const auto as_float = [&](int id, InnerTensor* tensor) -> Status {
    *tensor = TensorOf(operands, id);
    if (tensor->layout.dtype == ACL_FLOAT) return {};
    const InnerTensor given = *tensor;
    *tensor = steps.Piece(given.name, ACL_FLOAT, shape);
    return steps.Copy(*tensor, given);
  };
  InnerTensor dy, x;
  if (Status s = as_float(kDy, &dy); !s.ok()) return s;
  if (Status s = as_float(kX1, &x); !s.ok()) return s;
  const InnerTensor dx = steps.Piece("dx", ACL_FLOAT, shape);
  if (Status s = steps.Call("aclnnRmsNormGrad",
                            {dy, x, TensorOf(operands, kRstd), TensorOf(operands, kGamma), dx,
                             TensorOf(operands, kDgamma)});
      !s.ok()) {
    return s;
  }
  if (!operands[kX1].IsEmpty()) {
    const QuantisedGradient quantised = {
        .dx = dx,
        .scale = ViewOf(operands, kScales1),
        .offset = operands.Given(kOffsets1) ? ViewOf(operands, kOffsets1) : TensorView{},
        .y = ViewOf(operands, kY1),
        .divides = operands.Flag(kDivMode)};
    steps.Add([quantised](const Bindings& bindings, char*, const StopToken&) {
      quantised.Run(bindings);
      return Status();
    });
  }
  return steps.Finish(call);
}

}  // namespace anyacl::norm_quant
