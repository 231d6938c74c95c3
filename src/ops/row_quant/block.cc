// SPDX-License-Identifier: Apache-2.0
// DynamicBlockQuant: a scale for each block of a row, in fp32, each step rounded. Threads share
// rows.
#include <algorithm>
#include <cmath>

#include "nnop/copy_runs.h"
#include "nnop/view.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/rows.h"
#include "ops/row_quant/operators.h"
#include "runtime/parallel.h"

namespace anyacl::row_quant {
namespace {

using elementwise::Op;

constexpr int64_t kMostColumns = 128;
constexpr int64_t kBlockWorth = 1 << 13;  // numbers: some 5 us

struct BlockParams {
  TensorView x{}, y{}, scale{};
  int64_t block = 0;  // columns
  float most_scale = INFINITY;
};

class BlockQuantPlan final : public Plan {
 public:
  explicit BlockQuantPlan(const BlockParams& params)
      : p_(params), columns_(p_.x.sizes[p_.x.rank - 1]) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t rows = p_.x.elements() / columns_;
    ParallelFor(rows, std::max<int64_t>(1, kBlockWorth / columns_),
                [&](int64_t begin, int64_t end) {
                  for (int64_t row = begin; row < end; ++row) {
                    for (int64_t column = 0; column < columns_; column += p_.block) {
                      RunBlock(bindings, row, column, std::min(p_.block, columns_ - column));
                    }
                  }
                });
    return {};
  }

 private:
  void RunBlock(const Bindings& bindings, int64_t row, int64_t column, int64_t count) const {
    alignas(64) float v[kMostColumns], absolute[kMostColumns];
    const blocks::Rows numbers(count);
    const int last = p_.x.rank - 1;
    const int64_t at = row * columns_ + column;
    blocks::LoadRow(p_.x.dtype, p_.x.Address(bindings) + p_.x.OffsetOf(at) * BytesOf(p_.x),
                    p_.x.strides[last], count, v);
    numbers(Op::kAbs, absolute, v);
    float scale = Kernels().rowwise.fp32.softmax.max(absolute, count) / 127;
    if (scale > p_.most_scale) scale = p_.most_scale;
    const int64_t place = row * p_.scale.sizes[last] + column / p_.block;
    StoreElement(p_.scale.Address(bindings) + p_.scale.OffsetOf(place) * 4, scale);
    numbers(Op::kDivScalar, v, v, nullptr, nullptr, scale);
    numbers(Op::kRound, v, v);
    blocks::StoreRow(v, count, ACL_INT8, p_.y.Address(bindings) + p_.y.OffsetOf(at),
                     p_.y.strides[last]);
  }

  const BlockParams p_;
  const int64_t columns_;
};

Status CheckSettings(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  if (Status s = operands.CheckText(kRoundMode, {"rint"}); !s.ok()) return s;
  if (!(operands.Real(kMinScale) >= 0)) {
    return Fail(code, "minScale = {}, expected 0 or more", operands.Real(kMinScale));
  }
  if (const int64_t block = operands.Int(kColBlock); block != 1 && block != kMostColumns) {
    return Fail(code, "colBlockSize = {}, expected 1 or {}", block, kMostColumns);
  }
  return {};
}

Status CheckShapes(const Operands& operands) {
  const Dims& x = operands[kX].shape();
  if (operands[kX].IsEmpty()) {
    return Fail(operands.spec().codes.shape, "x.shape = {}, expected 1 element or more",
                x.ToString());
  }
  if (Status s = CheckShapeIs(operands, kY, x); !s.ok()) return s;
  Dims scale = x;
  const int64_t block = operands.Int(kColBlock);
  scale[scale.rank() - 1] = (x.back() - 1) / block + 1;
  return CheckShapeIs(operands, kScaleOut, scale);
}

}  // namespace

Status PrepareBlockQuant(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckSettings(operands); !s.ok()) return s;
  if (operands.Given(kDstTypeMax) && operands.Real(kDstTypeMax) != 0) {
    return Fail(operands.spec().codes.shape, "dstTypeMax = {}, expected 0",
                operands.Real(kDstTypeMax));
  }
  if (Status s = CheckShapes(operands); !s.ok()) return s;
  call->plan = std::make_shared<BlockQuantPlan>(
      BlockParams{.x = ViewOf(operands, kX),
                  .y = ViewOf(operands, kY),
                  .scale = ViewOf(operands, kScaleOut),
                  .block = operands.Int(kColBlock),
                  .most_scale = static_cast<float>(1 / operands.Real(kMinScale))});
  return {};
}

}  // namespace anyacl::row_quant
