// SPDX-License-Identifier: Apache-2.0
// Products with weights that stand for numbers by factors and offsets: of the tensor, of each
// column, or of each column and group of k. A problem of the matrix engine, which makes numbers of
// them a panel at a time. Results of INT8 wait as fp32, some rows at a time.
#include <algorithm>
#include <optional>

#include "nnop/view.h"
#include "nnop/workspace.h"
#include "ops/matmul/elements.h"
#include "ops/matmul/engine.h"
#include "ops/matmul/int4.h"
#include "ops/matmul/operators.h"
#include "ops/matmul/quantise.h"
#include "ops/matmul/weight.h"

namespace anyacl::matmul {
namespace {

constexpr int64_t kMostSize = 65535;  // of k and n

Status CheckWeightQuantSizes(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  if (Status s = CheckElements(operands, {kLeft, kRight}); !s.ok()) return s;
  for (const char* size : {"K", "N"}) {
    if (operands.Size(size) <= kMostSize) continue;
    return Fail(code, "weight has {} = {}, expected at most {}", size, operands.Size(size),
                kMostSize);
  }
  return {};
}

Status CheckGroupSize(const Operands& operands) {
  const int64_t group = operands.Int(kGroupSize), k = operands.Size("K");
  if (group == 0 || (group >= kGroupUnit && group < k && group % kGroupUnit == 0)) return {};
  return Fail(operands.spec().codes.shape,
              "antiquantGroupSize = {}, expected 0 or a multiple of {} up to {}, as K = {}", group,
              kGroupUnit, k - 1, k);
}

// INT8 results come with their scale, others have x's type.
Status CheckWeightQuantResult(const Operands& operands) {
  const bool scaled = operands.Given(kQuantScale);
  if (operands.Given(kQuantOffset) && !scaled) {
    return Fail(operands.spec().codes.dtype,
                "quantScaleOptional is null, expected a tensor beside quantOffsetOptional");
  }
  const aclDataType expected = scaled ? ACL_INT8 : operands[kLeft].dtype();
  if (operands[kOut].dtype() == expected) return {};
  return Fail(operands.spec().codes.dtype, "y.dtype = {}, expected {} as quantScaleOptional is {}",
              NameOf(operands[kOut].dtype()), NameOf(expected), scaled ? "given" : "null");
}

// Of the tensor or of its columns.
bool IsOfColumns(const Dims& shape, int64_t n) {
  if (shape.rank() != 1 && (shape.rank() != 2 || shape[0] != 1)) return false;
  return shape.back() == 1 || shape.back() == n;
}

Status CheckQuantScale(const Operands& operands) {
  if (!operands.Given(kQuantScale)) return {};
  const Dims& shape = operands[kQuantScale].shape();
  const int64_t n = operands.Size("N");
  if (IsOfColumns(shape, n)) return {};
  return Fail(operands.spec().codes.shape,
              "quantScaleOptional.shape = {0}, expected [1], [1, 1], [{1}] or [1, {1}]",
              shape.ToString(), n);
}

// [1], [1, 1]: of the tensor; [N], [1, N]: of its columns; [groups, N].
Status CheckScale(const Operands& operands) {
  const Dims& shape = operands[kScale].shape();
  const int64_t group = operands.Int(kGroupSize), n = operands.Size("N");
  const int64_t groups = group == 0 ? 1 : (operands.Size("K") + group - 1) / group;
  const bool fits = group == 0 ? IsOfColumns(shape, n) : shape == Dims{groups, n};
  if (fits) return {};
  return Fail(
      operands.spec().codes.shape, "antiquantScale.shape = {}, expected {}", shape.ToString(),
      group == 0 ? Format("[1], [1, 1], [{0}] or [1, {0}]", n) : Format("[{}, {}]", groups, n));
}

Status CheckBias(const Operands& operands) {
  if (!operands.Given(kSummand)) return {};
  const Dims& shape = operands[kSummand].shape();
  const int64_t n = operands.Size("N");
  if (shape == Dims{n} || shape == Dims{1, n}) return {};
  return Fail(operands.spec().codes.shape, "biasOptional.shape = {}, expected [{}] or [1, {}]",
              shape.ToString(), n, n);
}

// A row, or one number, for each column; one row of groups for all k.
gemm::Matrix FactorsOf(const TensorView& view) {
  gemm::Matrix m;
  m.type = ElementOf(view.dtype);
  const int last = view.rank - 1;
  m.row_step = view.rank == 2 && view.sizes[0] > 1 ? view.strides[0] : 0;
  m.column_step = view.sizes[last] > 1 ? view.strides[last] : 0;
  return m;
}

struct Views {
  TensorView x, weight, scale, offset, bias, y, quant_scale, quant_offset;

  int64_t rows() const { return y.sizes[0]; }
  int64_t columns() const { return y.sizes[1]; }
  bool quantised() const { return quant_scale.given(); }
};

// Of so many of x's rows.
gemm::Problem ProblemOf(const Views& v, const Panels& panels, int64_t group, int64_t rows) {
  gemm::Problem p;
  p.rows = rows;
  p.columns = v.y.sizes[1];
  p.depth = v.x.sizes[1];
  p.a = MatrixOf(v.x);
  p.b = MatrixOf(v.weight);
  panels.Put(p.b);
  p.c = v.quantised() ? gemm::Matrix{.row_step = p.columns} : MatrixOf(v.y);
  p.b_group = group > 0 ? group : GroupOfAll(p.depth);
  p.b_scale = FactorsOf(v.scale);
  p.has_b_offset = v.offset.given();
  if (p.has_b_offset) p.b_offset = FactorsOf(v.offset);
  p.has_d = v.bias.given();
  if (p.has_d) {
    p.d = FactorsOf(v.bias);
    p.d.row_step = 0;
  }
  return p;
}

class WeightQuantPlan final : public BookedPlan {
 public:
  WeightQuantPlan(const Views& views, const Panels& panels, int64_t group)
      : v_(views),
        step_(v_.quantised() ? Quantiser::RowsOf(v_.rows(), v_.columns()) : v_.rows()),
        gemm_(ProblemOf(v_, panels, group, step_)),
        rest_(ProblemOf(v_, panels, group, v_.rows() % step_)) {
    workspace_ = book_.Book<char>(std::max(gemm_.workspace_bytes(), rest_.workspace_bytes()));
    if (v_.quantised()) quantiser_.emplace(book_, Element::kFp32, v_.rows(), v_.columns());
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    if (!v_.quantised()) return Multiply(bindings, 0, step_, v_.y.Address(bindings));
    return quantiser_->Run(
        bindings, {v_.y, v_.quant_scale, v_.quant_offset},
        [&](int64_t row, int64_t rows, char* sums) { return Multiply(bindings, row, rows, sums); });
  }

 private:
  Status Multiply(const Bindings& bindings, int64_t row, int64_t rows, char* results) const {
    const gemm::Plan& plan = rows == step_ ? gemm_ : rest_;
    plan.Run({.a = AddressOf(Sliced(v_.x, 0, row, rows), bindings),
              .b = AddressOf(v_.weight, bindings),
              .d = AddressOf(v_.bias, bindings),
              .c = results,
              .b_scale = AddressOf(v_.scale, bindings),
              .b_offset = AddressOf(v_.offset, bindings)},
             workspace_.In(bindings));
    return {};
  }

  const Views v_;
  const int64_t step_;  // rows at a time
  const gemm::Plan gemm_, rest_;
  WorkspaceSlot<char> workspace_;
  std::optional<Quantiser> quantiser_;
};

}  // namespace

Status PrepareWeightQuant(Operands& operands, PreparedCall* call) {
  if (operands[kRight].shape().rank() == 2) SeeInt4(operands, kRight);
  if (Status s = operands.CheckDTypes(); !s.ok()) return s;
  if (Status s = CheckWeightQuantResult(operands); !s.ok()) return s;
  if (Status s = operands.CheckFormats(); !s.ok()) return s;
  if (Status s = operands.CheckValues(); !s.ok()) return s;
  if (Status s = operands.CheckShapes(); !s.ok()) return s;
  if (Status s = CheckWeightQuantSizes(operands); !s.ok()) return s;
  Panels panels;
  if (Status s = ReadPanels(operands, kRight, &panels); !s.ok()) return s;
  const bool transposed = TurnInt4(operands, kRight);
  if (Status s = operands.CheckStrides(); !s.ok()) return s;
  if (Status s = CheckInt4(operands, kRight); !s.ok()) return s;
  if (Status s = CheckGroupSize(operands); !s.ok()) return s;
  if (Status s = CheckScale(operands); !s.ok()) return s;
  if (Status s = CheckBias(operands); !s.ok()) return s;
  if (Status s = CheckQuantScale(operands); !s.ok()) return s;
  Views v = {ViewOf(operands, kLeft),       ViewOf(operands, kRight),      ViewOf(operands, kScale),
             ViewOf(operands, kOffset),     ViewOf(operands, kSummand),    ViewOf(operands, kOut),
             ViewOf(operands, kQuantScale), ViewOf(operands, kQuantOffset)};
  if (transposed) v.weight = Permuted(v.weight, std::array<int64_t, 2>{1, 0});
  if (panels.given()) v.weight = panels.view;
  SeeStorage(operands, kRight, panels);
  call->plan = std::make_shared<WeightQuantPlan>(v, panels, operands.Int(kGroupSize));
  return {};
}

}  // namespace anyacl::matmul
