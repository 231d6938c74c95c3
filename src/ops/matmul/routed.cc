// SPDX-License-Identifier: Apache-2.0
// Products of groups whose rows are added up by token, as MoeFinalizeRouting does it:
//   y[m] = (x[m] @ weight[g]) * scale[g] * pertokenScale[m], or of INT4 weights
//          ((x[m] - 8) @ (weight[g] * scale[g]) + bias[g] + offset[g] * sum of x[m]) *
//          pertokenScale[m]
//   out[t] = sharedInputWeight * sharedInput[t - sharedInputOffset] + the sum over the m with
//            rowIndex[m] = t of logit[m] * y[m]
// All in fp32, rows in their order.
#include <algorithm>

#include "aclnn/opdev/op_errno.h"
#include "ops/blocks/blocks.h"
#include "ops/matmul/elements.h"
#include "ops/matmul/grouped.h"
#include "ops/matmul/int4.h"
#include "ops/matmul/operators.h"
#include "runtime/parallel.h"

namespace anyacl::matmul {
namespace {

struct SharedExpert {
  TensorView rows;  // [S, N], or absent
  int64_t first = 0;
  float factor = 1;
};

class RoutedPlan final : public Plan {
 public:
  RoutedPlan(const GroupedParams& params, const SharedExpert& shared)
      : routing_(params.routing),
        list_(params.list),
        listing_(params.listing),
        shared_(shared),
        products_(MakeGroupedPlan(params)) {}

  uint64_t workspace_size() const override { return products_->workspace_size(); }

  Status Run(const Bindings& bindings, const StopToken& stop) const override {
    if (Status s = CheckRowIndex(bindings); !s.ok()) return s;
    constexpr int64_t kWorth = 1 << 14;  // numbers: some 2 us
    const int64_t rows = routing_.out.sizes[0], columns = routing_.out.sizes[1];
    ParallelFor(rows, std::max<int64_t>(1, kWorth / columns), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) Begin(bindings, row);
    });
    return products_->Run(bindings, stop);
  }

 private:
  // The rows of groups, as the products cut them.
  int64_t RowsOfGroups(const Bindings& bindings) const {
    const int64_t rows = routing_.row_index.sizes[0], groups = list_.sizes[0];
    const auto* const list = reinterpret_cast<const int64_t*>(list_.Address(bindings));
    if (listing_ == Listing::kEnds) {
      return std::clamp<int64_t>(list[(groups - 1) * list_.strides[0]], 0, rows);
    }
    int64_t end = 0;
    for (int64_t i = 0; i < groups; ++i) {
      end += std::clamp<int64_t>(list[i * list_.strides[0]], 0, rows - end);
    }
    return end;
  }

  Status CheckRowIndex(const Bindings& bindings) const {
    const int64_t rows = RowsOfGroups(bindings), results = routing_.out.sizes[0];
    for (int64_t row = 0; row < rows; ++row) {
      const int64_t index = RowIndexAt(routing_.row_index, bindings, row);
      if (index >= 0 && index < results) continue;
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "rowIndex[{}] = {}, expected 0 to {}", row, index,
                  results - 1);
    }
    return {};
  }

  // What the rows of groups are added to.
  void Begin(const Bindings& bindings, int64_t row) const {
    constexpr int64_t kBlock = 1024;
    alignas(64) float numbers[kBlock];
    const TensorView& out = routing_.out;
    const int64_t of_shared = row - shared_.first;
    const bool has_shared =
        shared_.rows.given() && of_shared >= 0 && of_shared < shared_.rows.sizes[0];
    for (int64_t n = 0; n < out.sizes[1]; n += kBlock) {
      const int64_t count = std::min(kBlock, out.sizes[1] - n);
      if (has_shared) {
        const TensorView& from = shared_.rows;
        const int64_t at = of_shared * from.strides[0] + n * from.strides[1];
        blocks::LoadRow(from.dtype, from.Address(bindings) + at * BytesOf(from), from.strides[1],
                        count, numbers);
        for (int64_t i = 0; i < count; ++i) numbers[i] *= shared_.factor;
      } else {
        std::fill_n(numbers, count, 0.0F);
      }
      const int64_t at = row * out.strides[0] + n * out.strides[1];
      blocks::StoreRow(numbers, count, out.dtype, out.Address(bindings) + at * BytesOf(out),
                       out.strides[1]);
    }
  }

  const Routing routing_;
  const TensorView list_;
  const Listing listing_;
  const SharedExpert shared_;
  const std::shared_ptr<const Plan> products_;
};

Status CheckType(const Operands& operands, int id, DTypeSet allowed) {
  if (allowed.Contains(operands[id].dtype())) return {};
  return Fail(operands.spec().codes.dtype, "{}.dtype = {}, expected {} beside {} of {}",
              operands.NameOf(id), NameOf(operands[id].dtype()), allowed.ToString(),
              operands.NameOf(kRight), NameOf(operands[kRight].dtype()));
}

Status CheckNull(const Operands& operands, int id, std::string_view reason, int code) {
  if (!operands.Given(id)) return {};
  return Fail(code, "{} is given, expected null{}", operands.NameOf(id), reason);
}

// CANN has one code for what is null and must not be, and for what is not and must be.
Status CheckGiven(const Operands& operands) {
  for (int id : {kScale, kOffset}) {
    if (Status s = CheckNull(operands, id, ", as it is reserved", operands.spec().codes.null);
        !s.ok()) {
      return s;
    }
  }
  if (!operands.Given(kShared) || operands.Given(kLogit)) return {};
  return Fail(operands.spec().codes.null, "{} is null, expected a tensor as {} is given",
              operands.NameOf(kLogit), operands.NameOf(kShared));
}

// The document's lists of types that go together.
Status CheckTypes(const Operands& operands) {
  const bool int4 = operands[kRight].dtype() == ACL_INT4;
  const DTypeSet scales = int4 ? DTypeSet{ACL_INT64} : DTypeSet{ACL_FLOAT, ACL_BF16};
  if (Status s = CheckType(operands, kQuantScale, scales); !s.ok()) return s;
  if (int4) {
    for (int id : {kSummand, kRowScale}) {
      if (operands.Given(id)) continue;
      return Fail(operands.spec().codes.null, "{} is null, expected a tensor beside {} of INT4",
                  operands.NameOf(id), operands.NameOf(kRight));
    }
    return {};
  }
  for (int id : {kSummand, kQuantOffset}) {
    if (Status s = CheckNull(operands, id, " beside weights of INT8", operands.spec().codes.shape);
        !s.ok()) {
      return s;
    }
  }
  return {};
}

Status CheckRoutedSizes(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  if (Status s = CheckElements(operands, {kLeft, kRight, kShared, kOut}); !s.ok()) return s;
  const Dims& scale = operands[kQuantScale].shape();
  if (operands[kRight].dtype() == ACL_INT4 && scale.rank() != 3) {
    return Fail(code, "{}.shape = {}, expected [{}, 1, {}] beside {} of INT4",
                operands.NameOf(kQuantScale), scale.ToString(), operands.Size("E"),
                operands.Size("N"), operands.NameOf(kRight));
  }
  return {};
}

Status CheckShared(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  if (!operands.Given(kShared)) return {};
  const int64_t rows = operands.Size("S"), results = operands.Size("B");
  if (rows <= results && operands.Int(kSharedOffset) <= results - rows) return {};
  return Fail(code, "sharedInputOffset = {}, expected 0 to {}: {} has {} rows, {} has {}",
              operands.Int(kSharedOffset), results - rows, operands.NameOf(kShared), rows,
              operands.NameOf(kOut), results);
}

Status CheckTuning(const Operands& operands) {
  if (!operands.HasRow(kTuning)) return {};
  const std::span<const int64_t> tuning = operands.Ints(kTuning);
  const int64_t rows = operands.Size("M");
  if (tuning.empty() || (tuning[0] >= 0 && tuning[0] <= rows)) return {};
  return Fail(operands.spec().codes.shape, "{}[0] = {}, expected 0 to {}: the rows of {}",
              operands.NameOf(kTuning), tuning[0], rows, operands.NameOf(kLeft));
}

Status CheckTurned(const Operands& operands) {
  for (int id : {kTransposeLeft, kTransposeRight}) {
    if (!operands.Flag(id)) continue;
    return Fail(operands.spec().codes.shape, "{} = true, expected false", operands.NameOf(id));
  }
  return {};
}

}  // namespace

Status PrepareRouted(Operands& operands, PreparedCall* call) {
  if (operands[kRight].spec->dtypes.Contains(ACL_INT4)) SeeInt4(operands, kRight);
  if (Status s = operands.CheckDTypes(); !s.ok()) return s;
  if (Status s = operands.CheckFormats(); !s.ok()) return s;
  if (Status s = CheckGiven(operands); !s.ok()) return s;
  if (Status s = CheckTypes(operands); !s.ok()) return s;
  if (Status s = operands.CheckShapes(); !s.ok()) return s;
  if (Status s = CheckRoutedSizes(operands); !s.ok()) return s;
  GroupedParams p;
  p.panels.resize(1);
  if (Status s = ReadPanels(operands, kRight, p.panels.data()); !s.ok()) return s;
  const bool turned = TurnInt4(operands, kRight) && !p.panels[0].given();
  if (Status s = operands.CheckStrides(); !s.ok()) return s;
  if (Status s = CheckInt4(operands, kRight); !s.ok()) return s;
  if (Status s = operands.CheckValues(); !s.ok()) return s;
  if (Status s = CheckTurned(operands); !s.ok()) return s;
  if (Status s = CheckShared(operands); !s.ok()) return s;
  if (Status s = CheckTuning(operands); !s.ok()) return s;

  p.form = operands[kRight].dtype() == ACL_INT4 ? GroupedForm::kShifted : GroupedForm::kIntegers;
  p.axis = Axis::kRows;
  p.groups = static_cast<size_t>(operands.Size("E"));
  p.size = operands.Size("M");
  p.listing = static_cast<Listing>(operands.Int(kGroupListType));
  p.list = ViewOf(operands, kGroupList);
  p.list_name = operands.NameOf(kGroupList);
  const auto stack = [](Stack* stack, const TensorView& view) {
    if (!view.given()) return;
    stack->views = {view};
    stack->stacked = true;
  };
  p.x.views = {ViewOf(operands, kLeft)};
  TensorView weight = p.panels[0].given() ? p.panels[0].view : ViewOf(operands, kRight);
  if (turned) weight = Permuted(weight, std::array<int64_t, 3>{0, 2, 1});
  stack(&p.weight, weight);
  TensorView scale = ViewOf(operands, kQuantScale), offset = ViewOf(operands, kQuantOffset);
  stack(&p.scale, scale.rank == 3 ? WithoutDim(scale, 1) : scale);
  if (offset.given()) stack(&p.offset, WithoutDim(offset, 1));
  stack(&p.bias, ViewOf(operands, kSummand));
  p.row_scale = ViewOf(operands, kRowScale);
  if (p.row_scale.given()) p.row_scale = WithDim(p.row_scale, 1);
  p.routing = {ViewOf(operands, kOut), ViewOf(operands, kRowIndex), ViewOf(operands, kLogit)};
  p.y.views = {p.routing.out};
  p.y.views[0].slot = -1;
  p.y.views[0].sizes[0] = p.size;
  SeeStorage(operands, kRight, p.panels[0]);
  call->plan = std::make_shared<RoutedPlan>(
      p, SharedExpert{ViewOf(operands, kShared), operands.Int(kSharedOffset),
                      static_cast<float>(operands.Real(kSharedWeight))});
  return {};
}

}  // namespace anyacl::matmul
