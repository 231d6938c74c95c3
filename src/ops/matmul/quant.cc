// SPDX-License-Identifier: Apache-2.0
// One problem of the matrix engine, which adds an INT32 bias to the sums, and has factors of rows
// and columns. Results of INT8 wait as int32, and INT4 of x as INT8, some rows of a matrix at a
// time.
#include "ops/matmul/quant.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "nnop/workspace.h"
#include "ops/matmul/engine.h"
#include "ops/matmul/left.h"
#include "ops/matmul/operators.h"
#include "ops/matmul/quant_groups.h"
#include "ops/matmul/quantise.h"

namespace anyacl::matmul {
namespace {

bool HasFactors(const QuantParams& p) { return p.y.dtype == ACL_FLOAT16 || p.y.dtype == ACL_BF16; }

int64_t RowsOf(const QuantParams& p) { return p.y.sizes[p.y.rank - 2]; }
int64_t ColumnsOf(const QuantParams& p) { return p.y.sizes[p.y.rank - 1]; }
int64_t DepthOf(const QuantParams& p) { return p.x.sizes[p.x.rank - 1]; }

// The matrices of an index of the batch.
QuantParams MatricesAt(QuantParams p, int64_t index) {
  for (TensorView* view : {&p.x, &p.weight, &p.y, &p.bias}) {
    if (!view->given()) continue;
    view->offset +=
        view->OffsetOf(index * view->sizes[view->rank - 2] * view->sizes[view->rank - 1]);
    std::copy_n(view->sizes + view->rank - 2, 2, view->sizes);
    std::copy_n(view->strides + view->rank - 2, 2, view->strides);
    view->rank = 2;
  }
  return p;
}

// The whole batch, or some rows of a matrix that wait.
gemm::Problem ProblemOf(const QuantParams& p, int64_t rows) {
  TensorView batches[] = {BatchOf(p.y), BatchOf(p.x), BatchOf(p.weight), BatchOf(p.bias)};
  CoalesceInOrder(batches);
  gemm::Problem g;
  g.rows = rows;
  g.columns = ColumnsOf(p);
  g.depth = DepthOf(p);
  g.batch_rank = batches[0].rank;
  std::copy_n(batches[0].sizes, g.batch_rank, g.batch);
  g.c = p.y.dtype == ACL_INT8 ? gemm::Matrix{.type = Element::kInt32, .row_step = g.columns}
                              : MatrixOf(p.y, batches[0]);
  g.a = p.x.dtype == ACL_INT4 ? gemm::Matrix{.type = Element::kInt8, .row_step = g.depth}
                              : MatrixOf(p.x, batches[1]);
  g.b = MatrixOf(p.weight, batches[2]);
  p.panels.Put(g.b);
  g.has_d = p.bias.given();
  if (g.has_d) g.d = MatrixOf(p.bias, batches[3]);
  if (!HasFactors(p)) return g;
  g.has_row_scale = p.row_scale.given();
  if (g.has_row_scale) g.row_scale_step = p.row_scale.strides[0];
  g.has_column_scale = true;
  g.column_scale_step = p.scale.sizes[0] > 1 ? 1 : 0;
  return g;
}

class QuantPlan final : public BookedPlan {
 public:
  explicit QuantPlan(const QuantParams& params)
      : p_(params),
        waits_(p_.y.dtype == ACL_INT8 || p_.x.dtype == ACL_INT4),
        step_(waits_ ? StepOf(p_) : RowsOf(p_)),
        gemm_(PlanOf(step_)),
        rest_(PlanOf(RowsOf(p_) % step_)) {
    workspace_ = book_.Book<char>(std::max(gemm_.workspace_bytes(), rest_.workspace_bytes()));
    scales_ = book_.Book<float>(static_cast<size_t>(p_.scale.sizes[0]));
    if (p_.x.dtype == ACL_INT4) left_ = book_.Book<char>(static_cast<size_t>(step_ * DepthOf(p_)));
    if (p_.y.dtype == ACL_INT8)
      quantiser_.emplace(book_, Element::kInt32, RowsOf(p_), ColumnsOf(p_));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    if (HasFactors(p_)) {
      ReadFactors(p_.scale.dtype, p_.scale.Address(bindings), p_.scale.strides[0],
                  p_.scale.sizes[0], scales_.In(bindings));
    }
    if (!waits_) {
      Multiply(bindings, p_, 0, RowsOf(p_), p_.y.Address(bindings));
      return {};
    }
    const int64_t count = BatchOf(p_.y).elements();
    for (int64_t i = 0; i < count; ++i) {
      if (Status s = RunMatrix(bindings, MatricesAt(p_, i)); !s.ok()) return s;
    }
    return {};
  }

 private:
  // Rows that wait: as results, or as operands.
  static int64_t StepOf(const QuantParams& p) {
    return Quantiser::RowsOf(RowsOf(p), p.y.dtype == ACL_INT8 ? ColumnsOf(p) : DepthOf(p) / 4);
  }
  gemm::Plan PlanOf(int64_t rows) const {
    return gemm::Plan(ProblemOf(waits_ ? MatricesAt(p_, 0) : p_, rows));
  }

  Status RunMatrix(const Bindings& bindings, const QuantParams& p) const {
    if (quantiser_) {
      return quantiser_->Run(bindings, {p.y, p.scale, p.offset},
                             [&](int64_t row, int64_t rows, char* sums) {
                               Multiply(bindings, p, row, rows, sums);
                               return Status();
                             });
    }
    for (int64_t row = 0; row < RowsOf(p); row += step_) {
      const int64_t rows = std::min(step_, RowsOf(p) - row);
      Multiply(bindings, p, row, rows, Sliced(p.y, 0, row, rows).Address(bindings));
    }
    return {};
  }

  void Multiply(const Bindings& bindings, const QuantParams& p, int64_t row, int64_t rows,
                char* results) const {
    const gemm::Plan& plan = rows == step_ ? gemm_ : rest_;
    const bool factors = HasFactors(p);
    const char* a = nullptr;
    if (p.x.dtype == ACL_INT4) {
      Convert(Left::kInt8, Sliced(p.x, 0, row, rows), bindings, left_.In(bindings));
      a = left_.In(bindings);
    } else {
      a = AddressOf(waits_ ? Sliced(p.x, 0, row, rows) : p.x, bindings);
    }
    const auto* const row_scale = reinterpret_cast<const float*>(AddressOf(p.row_scale, bindings));
    plan.Run(
        {.a = a,
         .b = AddressOf(p.weight, bindings),
         .d = AddressOf(p.bias, bindings),
         .row_scale = row_scale == nullptr ? nullptr : row_scale + row * p.row_scale.strides[0],
         .column_scale = factors ? scales_.In(bindings) : nullptr,
         .c = results},
        workspace_.In(bindings));
  }

  const QuantParams p_;
  const bool waits_;
  const int64_t step_;  // rows at a time
  const gemm::Plan gemm_, rest_;
  WorkspaceSlot<char> workspace_;
  WorkspaceSlot<float> scales_;
  WorkspaceSlot<char> left_;
  std::optional<Quantiser> quantiser_;
};

}  // namespace

Status PrepareQuant(Operands& operands, PreparedCall* call) {
  if (Status s = CheckQuantTable(operands); !s.ok()) return s;
  if (HasGroups(operands)) {
    QuantGroupParams params;
    if (Status s = CheckQuantGroups(operands, &params); !s.ok()) return s;
    return MakeQuantGroups(params, call);
  }
  QuantParams params;
  if (Status s = CheckQuant(operands, &params); !s.ok()) return s;
  call->plan = std::make_shared<QuantPlan>(params);
  return {};
}

}  // namespace anyacl::matmul
