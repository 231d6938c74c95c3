// SPDX-License-Identifier: Apache-2.0
// A product of the matrix engine for each group, one after the other: where groups end is known
// when the task runs, so their plans are made then. Results of INT8 wait as int32, some rows at a
// time.
#include "ops/matmul/grouped.h"

#include <algorithm>
#include <optional>

#include "nnop/workspace.h"
#include "ops/matmul/engine.h"
#include "ops/matmul/quantise.h"

namespace anyacl::matmul {
namespace {

// Of one group: x and y of equal leading sizes, weight a matrix, the others of N elements or
// absent.
struct Product {
  TensorView x, weight, bias, scale, offset, quant_scale, y;

  int64_t rows() const { return y.sizes[y.rank - 2]; }
  int64_t columns() const { return y.sizes[y.rank - 1]; }
  int64_t depth() const { return weight.sizes[0]; }
  bool quantised() const { return quant_scale.given(); }
};

Product Rows(Product product, int64_t begin, int64_t count) {
  product.x = Sliced(product.x, product.x.rank - 2, begin, count);
  product.y = Sliced(product.y, product.y.rank - 2, begin, count);
  return product;
}

gemm::Matrix RowOf(const TensorView& view) {
  gemm::Matrix m;
  m.type = ElementOf(view.dtype);
  m.column_step = view.strides[0];
  return m;
}

gemm::Problem ProblemOf(const Product& v) {
  gemm::Problem p;
  p.rows = v.rows();
  p.columns = v.columns();
  p.depth = v.depth();
  p.batch_rank = v.x.rank - 2;
  std::copy_n(v.x.sizes, p.batch_rank, p.batch);
  p.a = MatrixOf(v.x);
  p.b = MatrixOf(v.weight);
  p.c =
      v.quantised() ? gemm::Matrix{.type = Element::kInt32, .row_step = p.columns} : MatrixOf(v.y);
  p.has_d = v.bias.given();
  if (p.has_d) p.d = RowOf(v.bias);
  if (v.scale.given()) {
    p.b_group = GroupOfAll(p.depth);
    p.b_scale = RowOf(v.scale);
    p.has_b_offset = v.offset.given();
    if (p.has_b_offset) p.b_offset = RowOf(v.offset);
  }
  return p;
}

class GroupedPlan final : public BookedPlan {
 public:
  explicit GroupedPlan(const GroupedParams& params) : p_(params) {
    const bool known = !p_.bounds.given();
    int64_t begin = 0, columns = 0;  // the same of all where results are INT8
    for (size_t i = 0; i < p_.groups; ++i) {
      const int64_t end = known && !p_.ends.empty() ? p_.ends[i] : p_.size;
      Product product = ProductOf(i, begin, end - begin);
      begin = known && !p_.ends.empty() ? end : 0;
      columns = product.columns();
      Foresee(product);
      if (!known) break;  // all are of one form
    }
    workspace_ = book_.Book<char>(bytes_);
    if (p_.quant_scale.given()) quantiser_.emplace(book_, Element::kInt32, p_.size, columns);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t last = static_cast<int64_t>(p_.groups) - 1;
    const bool listed = p_.bounds.given();
    const int64_t most = listed ? std::clamp<int64_t>(Bound(bindings, last), 0, p_.size) : p_.size;
    int64_t begin = 0;
    bool moved = false;
    for (int64_t i = 0; i <= last; ++i) {
      const auto group = static_cast<size_t>(i);
      int64_t end = p_.ends.empty() ? p_.size : p_.ends[group];
      if (listed) {
        const int64_t bound = Bound(bindings, i);
        end = std::min(std::max(bound, begin), most);
        moved |= end != bound;
      }
      if (Status s = Multiply(bindings, ProductOf(group, begin, end - begin)); !s.ok()) return s;
      if (p_.axis != Axis::kNone) begin = end;
    }
    if (moved) {
      Warn(
          "groupListOptional has bounds that decrease or are not within 0 to {}; the others decide",
          p_.size);
    }
    return {};
  }

 private:
  int64_t Bound(const Bindings& bindings, int64_t i) const {
    const auto* const bounds = reinterpret_cast<const int64_t*>(p_.bounds.Address(bindings));
    return bounds[i * p_.bounds.strides[0]];
  }

  Product ProductOf(size_t group, int64_t begin, int64_t count) const {
    Product v = {p_.x.Of(group),     p_.weight.Of(group), p_.bias.Of(group),
                 p_.scale.Of(group), p_.offset.Of(group), p_.quant_scale.Of(group),
                 p_.y.Of(group)};
    if (p_.axis == Axis::kRows) {
      if (!p_.separate_x) v.x = Sliced(v.x, 0, begin, count);
      v.y = Sliced(v.y, 0, begin, count);
    } else if (p_.axis == Axis::kDepth) {
      v.x = Sliced(v.x, 1, begin, count);
      if (!p_.weight.separate()) v.weight = Sliced(v.weight, 0, begin, count);
    }
    return v;
  }

  // Books for a product and for parts of its rows or of its k, one of which a group may be: for the
  // most k in one sum, too, and for a single row of each, which cannot be halved.
  void Foresee(Product v) {
    if (v.quantised()) v = Rows(v, 0, Quantiser::RowsOf(v.rows(), v.columns()));
    for (;;) {
      Include(v);
      if (!p_.bounds.given()) return;
      if (p_.axis == Axis::kRows) {
        if (v.rows() <= 1) return;
        v = Rows(v, 0, v.rows() / 2);
      } else {
        Include(Rows(v, 0, 1));
        const int64_t depth = v.depth();
        if (depth <= 1) return;
        const int64_t next =
            depth > gemm::kMostInOneSum ? std::max(depth / 2, gemm::kMostInOneSum) : depth / 2;
        v.x = Sliced(v.x, 1, 0, next);
        v.weight = Sliced(v.weight, 0, 0, next);
      }
    }
  }
  void Include(const Product& v) {
    bytes_ = std::max(bytes_, gemm::Plan(ProblemOf(v)).workspace_bytes());
  }

  Status Multiply(const Bindings& bindings, const Product& v) const {
    if (v.y.elements() == 0) return {};
    if (!v.quantised()) return MultiplyRows(bindings, v, v.y.Address(bindings));
    return quantiser_->Run(bindings, {v.y, v.quant_scale, {}},
                           [&](int64_t row, int64_t rows, char* sums) {
                             return MultiplyRows(bindings, Rows(v, row, rows), sums);
                           });
  }

  // A group whose plan needs more than those that were foreseen is halved.
  Status MultiplyRows(const Bindings& bindings, const Product& v, char* results) const {
    const gemm::Problem problem = ProblemOf(v);
    const gemm::Plan plan(problem);
    if (plan.workspace_bytes() > bytes_) {
      const int64_t half = v.rows() / 2;
      if (half == 0) return Fail(ACLNN_ERR_INNER, "a product of one row has no workspace");
      if (Status s = MultiplyRows(bindings, Rows(v, 0, half), results); !s.ok()) return s;
      char* const behind = results + half * problem.c.row_step * BytesOf(problem.c.type);
      return MultiplyRows(bindings, Rows(v, half, v.rows() - half), behind);
    }
    plan.Run({.a = AddressOf(v.x, bindings),
              .b = AddressOf(v.weight, bindings),
              .d = AddressOf(v.bias, bindings),
              .c = results,
              .b_scale = AddressOf(v.scale, bindings),
              .b_offset = AddressOf(v.offset, bindings)},
             workspace_.In(bindings));
    return {};
  }

  const GroupedParams p_;
  uint64_t bytes_ = 0;
  WorkspaceSlot<char> workspace_;
  std::optional<Quantiser> quantiser_;
};

}  // namespace

Status PrepareGrouped(Operands& operands, PreparedCall* call) {
  GroupedParams params;
  if (Status s = CheckGrouped(operands, &params); !s.ok()) return s;
  bool empty = true;
  for (const Operand& y : operands.List(kOut)) empty &= y.IsEmpty();
  if (empty || params.groups == 0) return {};
  call->plan = std::make_shared<GroupedPlan>(params);
  return {};
}

}  // namespace anyacl::matmul
