// SPDX-License-Identifier: Apache-2.0
// A product of the matrix engine for each group, one after the other: where groups end is known
// when the task runs, so their plans are made then. Some rows at a time wait: of x in another type,
// of INT8 results as int32, and of others that the engine does not finish in fp32.
#include "ops/matmul/grouped.h"

#include <algorithm>
#include <optional>

#include "nnop/workspace.h"
#include "ops/matmul/engine.h"
#include "ops/matmul/finish.h"
#include "ops/matmul/left.h"
#include "ops/matmul/operators.h"
#include "ops/matmul/quantise.h"

namespace anyacl::matmul {
namespace {

// Of one group: x and y of equal leading sizes, weight a matrix, the others of N elements, of
// [groups of k, N], or absent.
struct Product {
  TensorView x, weight, bias, scale, offset, row_scale, y, row_index, logit, quant_scale,
      quant_offset;
  const Panels* panels = nullptr;
  int64_t all_rows = 0;  // of the group, of which these are some

  int64_t rows() const { return y.sizes[y.rank - 2]; }
  int64_t columns() const { return weight.sizes[1]; }  // of the sums; a gate halves those of y
  int64_t depth() const { return weight.sizes[0]; }
};

Product Rows(Product product, int64_t begin, int64_t count) {
  product.x = Sliced(product.x, product.x.rank - 2, begin, count);
  product.y = Sliced(product.y, product.y.rank - 2, begin, count);
  for (TensorView* view : {&product.row_scale, &product.row_index, &product.logit}) {
    if (view->given()) *view = Sliced(*view, 0, begin, count);
  }
  return product;
}

// [N], or [groups of k, N].
gemm::Matrix RowOf(const TensorView& view) {
  gemm::Matrix m;
  m.type = ElementOf(view.dtype);
  m.column_step = view.strides[view.rank - 1];
  if (view.rank == 2) m.row_step = view.strides[0];
  return m;
}

Left LeftOf(const GroupedParams& p) {
  switch (p.form) {
    case GroupedForm::kShifted:
      return Left::kLessEight;
    case GroupedForm::kTokenGroups:
      return Left::kBf16;
    case GroupedForm::kIntegers:
      return p.x.views[0].dtype == ACL_INT4 ? Left::kInt8 : Left::kAsGiven;
    default:
      return Left::kAsGiven;
  }
}

// Where sums go: into y, to one that makes INT8 of them, or to one that finishes those in fp32,
// which y or the rows that they are added to take.
enum class Sums : uint8_t { kStored, kQuantised, kFinished };
Sums SumsOf(const GroupedParams& p) {
  if (p.y.views[0].dtype == ACL_INT8 && !p.quant_scale.given()) return Sums::kQuantised;
  const bool finished = p.activation || p.form == GroupedForm::kShifted || p.routing.out.given();
  return finished ? Sums::kFinished : Sums::kStored;
}

// A row of some factors, which have been brought to fp32.
bool HasColumnScale(const GroupedParams& p) {
  return p.form == GroupedForm::kIntegers && p.scale.given() && SumsOf(p) != Sums::kQuantised;
}
bool HasGroupScales(const GroupedParams& p) {
  return p.form == GroupedForm::kTokenGroups || p.form == GroupedForm::kShifted;
}

gemm::Problem ProblemOf(const GroupedParams& p, const Product& v) {
  gemm::Problem g;
  g.rows = v.rows();
  g.all_rows = v.all_rows;
  g.columns = v.columns();
  g.depth = v.depth();
  g.batch_rank = v.x.rank - 2;
  std::copy_n(v.x.sizes, g.batch_rank, g.batch);
  const Left left = LeftOf(p);
  g.a = left == Left::kAsGiven ? MatrixOf(v.x)
                               : gemm::Matrix{.type = TypeOf(left), .row_step = g.depth};
  g.b = MatrixOf(v.weight);
  v.panels->Put(g.b);
  const Sums sums = SumsOf(p);
  g.c = sums == Sums::kStored      ? MatrixOf(v.y)
        : sums == Sums::kQuantised ? gemm::Matrix{.type = Element::kInt32, .row_step = g.columns}
                                   : gemm::Matrix{.row_step = g.columns};
  g.has_d = v.bias.given();
  if (g.has_d) g.d = RowOf(v.bias);
  if (p.added) {
    g.has_d = true;
    g.d = g.c;
  }
  const int64_t group = p.factor_groups == 1 ? GroupOfAll(g.depth) : g.depth / p.factor_groups;
  if (p.form == GroupedForm::kFactors) {
    g.b_group = group;
    g.b_scale = RowOf(v.scale);
    g.has_b_offset = v.offset.given();
    if (g.has_b_offset) g.b_offset = RowOf(v.offset);
  } else if (HasGroupScales(p)) {
    g.b_group = group;
    g.b_scale = {.row_step = g.columns};
  }
  g.has_column_scale = HasColumnScale(p);
  g.has_row_scale = p.form != GroupedForm::kShifted && v.row_scale.given();
  if (g.has_row_scale) g.row_scale_step = v.row_scale.strides[0];
  return g;
}

class GroupedPlan final : public BookedPlan {
 public:
  explicit GroupedPlan(const GroupedParams& params)
      : p_(params), left_of_(LeftOf(p_)), sums_of_(SumsOf(p_)) {
    const bool listed = p_.list.given();
    const Product first = ProductOf(0, 0, listed ? p_.size : EndOf(0));
    const int64_t columns = first.columns(), depth = first.depth();  // of all where rows wait
    const bool waits = left_of_ != Left::kAsGiven || sums_of_ != Sums::kStored;
    step_ = !waits ? INT64_MAX
            : sums_of_ == Sums::kQuantised
                ? Quantiser::RowsOf(p_.size, columns)
                : Quantiser::RowsOf(p_.size, std::max(columns, depth / 2));
    if (listed) {
      ForeseeAny();
    } else {
      int64_t begin = 0;
      for (size_t i = 0; i < p_.groups; ++i) {
        ForeseeGroup(ProductOf(i, begin, EndOf(i) - begin));
        if (p_.axis != Axis::kNone) begin = EndOf(i);
      }
    }
    workspace_ = book_.Book<char>(bytes_);
    if (waits) left_ = book_.Book<char>(static_cast<size_t>(SizeOf(left_of_) * step_ * depth));
    if (HasColumnScale(p_) || HasGroupScales(p_)) {
      scales_ = book_.Book<float>(static_cast<size_t>(p_.factor_groups * columns));
    }
    if (sums_of_ == Sums::kQuantised) quantiser_.emplace(book_, Element::kInt32, p_.size, columns);
    if (sums_of_ == Sums::kFinished) {
      sums_ = book_.Book<float>(static_cast<size_t>(step_ * columns));
    }
    if (p_.quant_scale.given()) quant_scales_ = book_.Book<float>(static_cast<size_t>(columns));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    if (p_.list.given()) return RunListed(bindings);
    int64_t begin = 0;
    for (size_t i = 0; i < p_.groups; ++i) {
      if (Status s = Multiply(bindings, ProductOf(i, begin, EndOf(i) - begin)); !s.ok()) return s;
      if (p_.axis != Axis::kNone) begin = EndOf(i);
    }
    return {};
  }

 private:
  int64_t EndOf(size_t group) const { return p_.ends.empty() ? p_.size : p_.ends[group]; }

  // Numbers of the client's, which may be anything.
  Status RunListed(const Bindings& bindings) const {
    const auto* const list = reinterpret_cast<const int64_t*>(p_.list.Address(bindings));
    const auto count = static_cast<int64_t>(p_.groups);
    const auto number = [&](int64_t i) { return list[i * p_.list.strides[0]]; };
    const bool ends = p_.listing == Listing::kEnds, pairs = p_.listing == Listing::kPairs;
    const int64_t most = ends ? std::clamp<int64_t>(number(count - 1), 0, p_.size) : p_.size;
    int64_t begin = 0;
    bool moved = false;
    for (int64_t i = 0; i < count; ++i) {
      const int64_t group = pairs ? number(i) : i;
      const int64_t given = pairs ? list[i * p_.list.strides[0] + p_.list.strides[1]] : number(i);
      const int64_t end = ends ? std::min(std::max(given, begin), most)
                               : begin + std::clamp<int64_t>(given, 0, most - begin);
      const bool known = group >= 0 && group < count;
      moved |= !known || (ends ? end : end - begin) != given;
      if (known) {
        const Product product = ProductOf(static_cast<size_t>(group), begin, end - begin);
        if (Status s = Multiply(bindings, product); !s.ok()) return s;
      }
      begin = end;
    }
    if (moved) {
      Warn(
          "{} has groups that are not within 0 to {} or not within the {} there are; such are cut "
          "off or left out",
          p_.list_name, p_.size, count);
    }
    return {};
  }

  Product ProductOf(size_t group, int64_t begin, int64_t count) const {
    Product v = {p_.x.Of(group),
                 p_.weight.Of(group),
                 p_.bias.Of(group),
                 p_.scale.Of(group),
                 p_.offset.Of(group),
                 p_.row_scale,
                 p_.y.Of(group),
                 p_.routing.row_index,
                 p_.routing.logit,
                 p_.quant_scale.Of(group),
                 p_.quant_offset.Of(group),
                 &p_.panels[p_.weight.separate() ? group : 0]};
    if (p_.axis == Axis::kRows) {
      if (!p_.separate_x) v.x = Sliced(v.x, 0, begin, count);
      if (!p_.separate_y) v.y = Sliced(v.y, 0, begin, count);
      for (TensorView* view : {&v.row_scale, &v.row_index, &v.logit}) {
        if (view->given()) *view = Sliced(*view, 0, begin, count);
      }
    } else if (p_.axis == Axis::kDepth) {
      v.x = Sliced(v.x, 1, begin, count);
      if (!p_.weight.separate()) v.weight = Sliced(v.weight, 0, begin, count);
    }
    return v;
  }

  // Any number of rows, or of k, of any group. Weights differ in how they lie at most.
  void ForeseeAny() {
    std::vector<const Panels*> panels;
    std::vector<TensorView> weights;
    for (size_t i = 0; i < (p_.weight.separate() ? p_.groups : 1); ++i) {
      const Product v = ProductOf(i, 0, p_.size);
      const auto lies_as = [&](size_t j) {
        return panels[j]->width == v.panels->width && panels[j]->step == v.panels->step &&
               std::equal(weights[j].strides, weights[j].strides + 2, v.weight.strides);
      };
      bool known = false;
      for (size_t j = 0; j < weights.size(); ++j) known |= lies_as(j);
      if (known) continue;
      panels.push_back(v.panels);
      weights.push_back(v.weight);
      ForeseeParts(v);
    }
  }

  // Books for a product, for parts of its rows or of its k, one of which a group may be, and for
  // the most rows of one unit and the most k of one sum. A group of another size may need more and
  // is halved then, which a single row cannot be: it is foreseen for groups of every size.
  void ForeseeParts(Product v) {
    constexpr int64_t kMostInOneUnit = 256;
    if (p_.axis == Axis::kRows) {
      for (int64_t rows = v.rows();; rows /= 2) {
        ForeseeGroup(Rows(v, 0, rows));
        if (rows <= 1) break;
      }
      return ForeseeGroup(Rows(v, 0, std::min(v.rows(), kMostInOneUnit)));
    }
    for (;;) {
      ForeseeGroup(v);
      const int64_t depth = v.depth();
      if (depth <= 1) return;
      const int64_t next =
          depth > gemm::kMostInOneSum ? std::max(depth / 2, gemm::kMostInOneSum) : depth / 2;
      v.x = Sliced(v.x, 1, 0, next);
      v.weight = Sliced(v.weight, 0, 0, next);
    }
  }

  // Of these rows: those at a time, those of the last time, a single one.
  void ForeseeGroup(Product v) {
    v.all_rows = v.rows();
    for (int64_t rows : {std::min(v.all_rows, step_), v.all_rows % step_, int64_t{1}}) {
      if (rows == 0 || rows > v.all_rows) continue;
      bytes_ = std::max(bytes_, gemm::Plan(ProblemOf(p_, Rows(v, 0, rows))).workspace_bytes());
    }
  }

  Status Multiply(const Bindings& bindings, Product v) const {
    if (v.y.elements() == 0) return {};
    v.all_rows = v.rows();
    if (HasColumnScale(p_) || HasGroupScales(p_)) {
      ReadFactors(v.scale.rank == 1 ? WithDim(v.scale, 0) : v.scale, bindings,
                  scales_.In(bindings));
    }
    if (quantiser_) {
      return quantiser_->Run(bindings, {v.y, v.scale, {}},
                             [&](int64_t row, int64_t rows, char* sums) {
                               return MultiplyRows(bindings, Rows(v, row, rows), sums);
                             });
    }
    if (step_ == INT64_MAX) return MultiplyRows(bindings, v, v.y.Address(bindings));
    for (int64_t row = 0; row < v.rows(); row += step_) {
      const Product part = Rows(v, row, std::min(step_, v.rows() - row));
      if (sums_of_ == Sums::kStored) {
        if (Status s = MultiplyRows(bindings, part, part.y.Address(bindings)); !s.ok()) return s;
        continue;
      }
      float* const sums = sums_.In(bindings);
      if (Status s = MultiplyRows(bindings, part, reinterpret_cast<char*>(sums)); !s.ok()) return s;
      const bool shifted = p_.form == GroupedForm::kShifted;
      FinishRows({.y = part.y,
                  .row_scale = shifted ? part.row_scale : TensorView{},
                  .x = part.x,
                  .offset = shifted ? part.offset : TensorView{},
                  .activation = p_.activation,
                  .gated = p_.gated,
                  .quant_scale = part.quant_scale,
                  .quant_offset = part.quant_offset,
                  .scales = quant_scales_.In(bindings),
                  .steps = p_.steps},
                 bindings, sums);
      if (p_.routing.out.given()) {
        AddRows({p_.routing.out, part.row_index, part.logit}, bindings, sums);
      }
    }
    return {};
  }

  // A group whose plan needs more than those that were foreseen is halved.
  Status MultiplyRows(const Bindings& bindings, const Product& v, char* results) const {
    const gemm::Problem problem = ProblemOf(p_, v);
    const gemm::Plan plan(problem);
    if (plan.workspace_bytes() > bytes_) {
      const int64_t half = v.rows() / 2;
      if (half == 0) return Fail(ACLNN_ERR_INNER, "a product of one row has no workspace");
      if (Status s = MultiplyRows(bindings, Rows(v, 0, half), results); !s.ok()) return s;
      char* const behind = results + half * problem.c.row_step * BytesOf(problem.c.type);
      return MultiplyRows(bindings, Rows(v, half, v.rows() - half), behind);
    }
    const char* a = AddressOf(v.x, bindings);
    if (left_of_ != Left::kAsGiven) {
      Convert(left_of_, v.x, bindings, left_.In(bindings));
      a = left_.In(bindings);
    }
    const bool groups = HasGroupScales(p_);
    const char* const scales =
        groups ? reinterpret_cast<const char*>(scales_.In(bindings)) : AddressOf(v.scale, bindings);
    plan.Run({.a = a,
              .b = AddressOf(v.weight, bindings),
              .d = p_.added ? results : AddressOf(v.bias, bindings),
              .row_scale = reinterpret_cast<const float*>(AddressOf(v.row_scale, bindings)),
              .column_scale = problem.has_column_scale ? scales_.In(bindings) : nullptr,
              .c = results,
              .b_scale = scales,
              .b_offset = AddressOf(v.offset, bindings)},
             workspace_.In(bindings));
    return {};
  }

  const GroupedParams p_;
  const Left left_of_;
  const Sums sums_of_;
  int64_t step_ = 0;  // rows that wait; INT64_MAX where none do
  uint64_t bytes_ = 0;
  WorkspaceSlot<char> workspace_, left_;
  WorkspaceSlot<float> scales_, sums_, quant_scales_;
  std::optional<Quantiser> quantiser_;
};

}  // namespace

std::shared_ptr<const Plan> MakeGroupedPlan(const GroupedParams& params) {
  return std::make_shared<GroupedPlan>(params);
}

Status PrepareGrouped(Operands& operands, PreparedCall* call) {
  GroupedParams params;
  if (Status s = CheckGrouped(operands, &params); !s.ok()) return s;
  bool empty = true;
  for (const Operand& y : operands.List(kOut)) empty &= y.IsEmpty();
  if (empty || params.groups == 0) return {};
  call->plan = MakeGroupedPlan(params);
  return {};
}

}  // namespace anyacl::matmul
