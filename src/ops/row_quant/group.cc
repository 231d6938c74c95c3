// SPDX-License-Identifier: Apache-2.0
// GroupQuant: rows with the scales of their groups, in fp32, each step rounded. Threads share rows.
#include <algorithm>

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

constexpr int64_t kGroupTile = blocks::kMostIntegers;  // columns at a time
constexpr int64_t kGroupWorth = 1 << 14;               // numbers: some 5 us

struct GroupParams {
  TensorView x{}, scale{}, groups{}, offset{}, y{};
};

class GroupQuantPlan final : public BookedPlan {
 public:
  explicit GroupQuantPlan(const GroupParams& params)
      : p_(params), rows_(p_.x.sizes[0]), columns_(p_.x.sizes[1]) {
    ends_ = book_.Book<int64_t>(static_cast<size_t>(p_.groups.sizes[0]));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t* const ends = ReadEnds(bindings);
    const int64_t groups = p_.groups.sizes[0];
    float offset = 0;
    if (p_.offset.given()) {
      offset = blocks::LoadOne<float>(p_.offset.dtype, p_.offset.Address(bindings));
    }
    ParallelFor(rows_, std::max<int64_t>(1, kGroupWorth / columns_),
                [&](int64_t begin, int64_t end) {
                  for (int64_t row = begin; row < end; ++row) {
                    const int64_t group = std::upper_bound(ends, ends + groups, row) - ends;
                    if (group < groups) RunRow(bindings, row, group, offset);
                  }
                });
    return {};
  }

 private:
  // Numbers in no order, which the document leaves unchecked, are replaced by the largest so far:
  // each row has one group at most. Rows behind the last end are nobody's.
  const int64_t* ReadEnds(const Bindings& bindings) const {
    int64_t* const ends = ends_.In(bindings);
    int64_t largest = 0;
    for (int64_t g = 0; g < p_.groups.sizes[0]; ++g) {
      const char* const at =
          p_.groups.Address(bindings) + p_.groups.OffsetOf(g) * BytesOf(p_.groups);
      largest = std::max(largest, p_.groups.dtype == ACL_INT64 ? LoadElement<int64_t>(at)
                                                               : int64_t{LoadElement<int32_t>(at)});
      ends[g] = largest;
    }
    return ends;
  }

  static void Load(const Bindings& bindings, const TensorView& view, int64_t row, int64_t column,
                   int64_t count, float* to) {
    const int64_t at = row * view.strides[0] + column * view.strides[1];
    blocks::LoadRow(view.dtype, view.Address(bindings) + at * BytesOf(view), view.strides[1], count,
                    to);
  }

  void RunRow(const Bindings& bindings, int64_t row, int64_t group, float offset) const {
    alignas(64) float v[kGroupTile], scale[kGroupTile];
    for (int64_t column = 0; column < columns_; column += kGroupTile) {
      const int64_t n = std::min(kGroupTile, columns_ - column);
      const blocks::Rows numbers(n);
      Load(bindings, p_.x, row, column, n, v);
      Load(bindings, p_.scale, group, column, n, scale);
      numbers(Op::kMul, v, v, scale);
      if (p_.offset.given()) numbers(Op::kAddScalar, v, v, nullptr, nullptr, offset);
      numbers(Op::kRound, v, v);
      blocks::StoreIntegers(v, n, p_.y, p_.y.Address(bindings), row * columns_ + column);
    }
  }

  const GroupParams p_;
  const int64_t rows_, columns_;
  WorkspaceSlot<int64_t> ends_;
};

}  // namespace

Status PrepareGroupQuant(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const CheckCodes& codes = operands.spec().codes;
  const aclDataType y = operands[kY].dtype();
  if (operands.Int(kDstType) != y) {
    return Fail(codes.dtype, "dstType = {}, expected {}, y.dtype = {}", operands.Int(kDstType),
                static_cast<int>(y), NameOf(y));
  }
  constexpr int64_t kMostGroups = int64_t{1} << 48;  // of which the workspace holds the ends
  if (const int64_t groups = operands[kScale].shape()[0]; groups < 1 || groups > kMostGroups) {
    return Fail(codes.shape, "scale.shape[0] = {}, expected 1 to {} groups", groups, kMostGroups);
  }
  if (operands.Given(kOffset)) {
    const Dims& offset = operands[kOffset].shape();
    if (!(offset == Dims{1} || offset.rank() == 0)) {
      return Fail(codes.shape, "offsetOptional.shape = {}, expected [1] or []", offset.ToString());
    }
  }
  const int64_t columns = operands[kX].shape()[1];
  if (y == ACL_INT4 && columns % 2 != 0) {
    return Fail(codes.shape, "x.shape[1] = {}, expected an even number for y.dtype = INT4",
                columns);
  }
  if (operands[kX].IsEmpty()) return {};
  GroupParams params = {.x = ViewOf(operands, kX),
                        .scale = ViewOf(operands, kScale),
                        .groups = ViewOf(operands, kGroups),
                        .y = ViewOf(operands, kY)};
  if (operands.Given(kOffset)) params.offset = ViewOf(operands, kOffset);
  call->plan = std::make_shared<GroupQuantPlan>(params);
  return {};
}

}  // namespace anyacl::row_quant
