// SPDX-License-Identifier: Apache-2.0
// Gradients of biases that groups of rows were given: sums of the groups' rows.
#include <algorithm>

#include "aclnn/opdev/op_errno.h"
#include "base/division.h"
#include "nnop/copy_runs.h"
#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/reduction/operators.h"
#include "ops/steps.h"
#include "runtime/parallel.h"

namespace anyacl::reduction {
namespace {

class GroupedSumPlan final : public BookedPlan {
 public:
  // `sizes`: groups are told by how many rows they have, not by where these end.
  GroupedSumPlan(const TensorView& rows, const TensorView& groups, const TensorView& out,
                 bool sizes)
      : rows_(rows),
        groups_(groups),
        out_(out),
        sizes_(sizes),
        ends_(book_.Book<int64_t>(static_cast<size_t>(groups.sizes[0]))) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    int64_t* const ends = ends_.In(bindings);
    if (Status s = ReadEnds(bindings, ends); !s.ok()) return s;
    const int64_t groups = groups_.sizes[0], blocks = CeilDivide(out_.sizes[1], kColumns);
    const int64_t each = CeilDivide(rows_.elements(), groups * blocks) + 1;
    constexpr int64_t kWorth = 1 << 14;  // elements: 10 us
    ParallelFor(groups * blocks, CeilDivide(kWorth, each), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t group = i / blocks;
        Sum(bindings, group, group > 0 ? ends[group - 1] : 0, ends[group], i % blocks * kColumns);
      }
    });
    return {};
  }

 private:
  static constexpr int64_t kColumns = 256;

  Status ReadEnds(const Bindings& bindings, int64_t* ends) const {
    const int64_t rows = rows_.sizes[0];
    int64_t last = 0;
    for (int64_t g = 0; g < groups_.sizes[0]; ++g) {
      const char* const at =
          groups_.Address(bindings) + groups_.OffsetOf(g) * anyacl::BytesOf(groups_);
      const int64_t number =
          groups_.dtype == ACL_INT64 ? LoadElement<int64_t>(at) : int64_t{LoadElement<int32_t>(at)};
      const int64_t least = sizes_ ? 0 : last, most = sizes_ ? rows - last : rows;
      if (number < least || number > most) {
        return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                    "groupIdxOptional[{}] = {}, expected {} to {} of {} rows", g, number, least,
                    most, rows);
      }
      last = ends[g] = sizes_ ? last + number : number;
    }
    return {};
  }

  // Rows `begin` to `end`, in double precision, of the columns from `first` on.
  void Sum(const Bindings& bindings, int64_t group, int64_t begin, int64_t end,
           int64_t first) const {
    const int64_t count = std::min(kColumns, out_.sizes[1] - first);
    double sums[kColumns] = {}, row[kColumns];
    const int64_t bytes = anyacl::BytesOf(rows_);
    const char* const data = rows_.Address(bindings) + first * rows_.strides[1] * bytes;
    for (int64_t r = begin; r < end; ++r) {
      blocks::LoadRow(rows_.dtype, data + r * rows_.strides[0] * bytes, rows_.strides[1], count,
                      row);
      for (int64_t i = 0; i < count; ++i) sums[i] += row[i];
    }
    const int64_t at = group * out_.strides[0] + first * out_.strides[1];
    blocks::StoreRow(sums, count, out_.dtype, out_.Address(bindings) + at * bytes, out_.strides[1]);
  }

  TensorView rows_, groups_, out_;
  bool sizes_ = false;
  WorkspaceSlot<int64_t> ends_;
};

}  // namespace

Status PrepareGroupedBias(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const bool grouped = operands.Given(kGroups);
  const Dims& shape = operands[kSelf].shape();
  if (shape.rank() != (grouped ? 2u : 3u)) {
    return Fail(operands.spec().codes.shape,
                "gradY.shape = {}, expected {} dimensions as groupIdxOptional is {}",
                shape.ToString(), grouped ? 2 : 3, grouped ? "given" : "null");
  }
  constexpr int64_t kMostGroups = 2048;
  if (grouped && operands[kGroups].shape()[0] > kMostGroups) {
    return Fail(operands.spec().codes.shape, "groupIdxOptional.shape = {}, expected at most [{}]",
                operands[kGroups].shape().ToString(), kMostGroups);
  }
  if (operands[kOut].IsEmpty()) return {};
  if (grouped) {
    const bool sizes = operands.HasRow(kGroupType) && operands.Int(kGroupType) == 1;
    call->plan = std::make_shared<GroupedSumPlan>(
        ViewOf(operands, kSelf), ViewOf(operands, kGroups), ViewOf(operands, kOut), sizes);
    return {};
  }
  Steps steps(operands);
  const InnerTensor out = TensorOf(operands, kOut);
  if (Status s = steps.Call("aclnnReduceSum", {TensorOf(operands, kSelf), IntArray{1}, false,
                                               int64_t{out.layout.dtype}, out});
      !s.ok()) {
    return s;
  }
  return steps.Finish(call);
}

}  // namespace anyacl::reduction
