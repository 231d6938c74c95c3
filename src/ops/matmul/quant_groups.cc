// SPDX-License-Identifier: Apache-2.0
// Some rows at a time, because x waits in another type or sums wait in fp32. INT4 weights with
// factors of groups are what the matrix engine has for such weights, of x in BF16, which holds its
// numbers exactly. Groups of k and blocks of columns are a product each, added up in fp32.
#include "ops/matmul/quant_groups.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "nnop/workspace.h"
#include "ops/matmul/engine.h"
#include "ops/matmul/finish.h"
#include "ops/matmul/left.h"
#include "ops/matmul/quantise.h"

namespace anyacl::matmul {
namespace {

// Contiguous rows of `groups` or blocks, whatever type they had.
gemm::Matrix RowsOf(int64_t columns) { return {.row_step = columns}; }

class GroupPlan : public BookedPlan {
 public:
  explicit GroupPlan(const QuantGroupParams& params)
      : p_(params), step_(Quantiser::RowsOf(rows(), std::max(columns(), depth() / 2))) {}

 protected:
  const QuantParams& m() const { return p_.matrices; }
  int64_t rows() const { return m().y.sizes[0]; }
  int64_t columns() const { return m().y.sizes[1]; }
  int64_t depth() const { return m().x.sizes[1]; }
  int64_t group() const { return p_.sizes.depth == 0 ? depth() : p_.sizes.depth; }
  int64_t groups() const { return depth() / group(); }

  const float* RowScale(const Bindings& bindings, int64_t row, int64_t at) const {
    const TensorView& view = m().row_scale;
    return reinterpret_cast<const float*>(view.Address(bindings)) + row * view.strides[0] +
           at * view.strides[1];
  }

  const QuantGroupParams p_;
  const int64_t step_;
};

// kTokenGroup and kShifted.
class Int4Plan final : public GroupPlan {
 public:
  explicit Int4Plan(const QuantGroupParams& params)
      : GroupPlan(params), gemm_(ProblemOf(step_)), rest_(ProblemOf(rows() % step_)) {
    workspace_ = book_.Book<char>(std::max(gemm_.workspace_bytes(), rest_.workspace_bytes()));
    left_ = book_.Book<char>(static_cast<size_t>(2 * step_ * depth()));
    scales_ = book_.Book<float>(static_cast<size_t>(groups() * columns()));
    if (shifted()) {
      sums_ = book_.Book<float>(static_cast<size_t>(step_ * columns()));
    } else {
      offsets_ = book_.Book<float>(static_cast<size_t>(groups() * columns()));
    }
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    ReadAllFactors(bindings);
    for (int64_t row = 0; row < rows(); row += step_) {
      const int64_t count = std::min(step_, rows() - row);
      Convert(shifted() ? Left::kLessEight : Left::kBf16, Sliced(m().x, 0, row, count), bindings,
              left_.In(bindings));
      const TensorView y = Sliced(m().y, 0, row, count);
      const gemm::Plan& plan = count == step_ ? gemm_ : rest_;
      plan.Run({.a = left_.In(bindings),
                .b = AddressOf(m().weight, bindings),
                .d = shifted() ? p_.added.Address(bindings) : nullptr,
                .row_scale = shifted() ? nullptr : RowScale(bindings, row, 0),
                .c = shifted() ? reinterpret_cast<char*>(sums_.In(bindings)) : y.Address(bindings),
                .b_scale = scales_.In(bindings),
                .b_offset = shifted() ? nullptr : offsets_.In(bindings)},
               workspace_.In(bindings));
      if (!shifted()) continue;
      FinishRows({.y = y, .row_scale = Sliced(m().row_scale, 0, row, count)}, bindings,
                 sums_.In(bindings));
    }
    return {};
  }

 private:
  bool shifted() const { return p_.form == GroupForm::kShifted; }

  gemm::Problem ProblemOf(int64_t count) const {
    gemm::Problem g;
    g.rows = count;
    g.columns = columns();
    g.depth = depth();
    g.a = {.type = Element::kBf16, .row_step = depth()};
    g.b = MatrixOf(m().weight);
    m().panels.Put(g.b);
    g.c = shifted() ? RowsOf(columns()) : MatrixOf(m().y);
    g.b_group = RoundUp(group(), kGroupUnit);
    g.b_scale = RowsOf(columns());
    if (shifted()) {
      g.has_d = true;
      g.d = {.row_step = 0, .column_step = p_.added.strides[0]};
    } else {
      g.has_b_offset = true;
      g.b_offset = RowsOf(columns());
      g.has_row_scale = true;
      g.row_scale_step = m().row_scale.strides[0];
    }
    return g;
  }

  // The engine adds offsets, which are subtracted.
  void ReadAllFactors(const Bindings& bindings) const {
    ReadFactors(m().scale, bindings, scales_.In(bindings));
    if (shifted()) return;
    float* const offsets = offsets_.In(bindings);
    ReadFactors(m().offset, bindings, offsets);
    for (int64_t i = 0; i < groups() * columns(); ++i) offsets[i] = -offsets[i];
  }

  const gemm::Plan gemm_, rest_;
  WorkspaceSlot<char> workspace_;
  WorkspaceSlot<char> left_;
  WorkspaceSlot<float> scales_, offsets_, sums_;
};

// kGroupBlock: the sums of the groups before are what a product adds to.
class BlockPlan final : public GroupPlan {
 public:
  explicit BlockPlan(const QuantGroupParams& params) : GroupPlan(params) {
    for (bool rest : {false, true}) {
      const int64_t count = rest ? rows() % step_ : step_;
      for (Place place : {kOnly, kFirst, kMiddle, kLast}) {
        plans_.emplace_back(ProblemOf(count, place));
        bytes_ = std::max(bytes_, plans_.back().workspace_bytes());
      }
    }
    workspace_ = book_.Book<char>(bytes_);
    sums_ = book_.Book<float>(static_cast<size_t>(step_ * columns()));
    scales_ = book_.Book<float>(static_cast<size_t>(columns()));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    for (int64_t row = 0; row < rows(); row += step_) {
      const int64_t count = std::min(step_, rows() - row);
      const TensorView x = Sliced(m().x, 0, row, count);
      const TensorView y = Sliced(m().y, 0, row, count);
      for (int64_t g = 0; g < groups(); ++g) {
        const bool first = g == 0, last = g + 1 == groups();
        const Place place = first ? (last ? kOnly : kFirst) : last ? kLast : kMiddle;
        SpreadScales(bindings, g);
        float* const sums = sums_.In(bindings);
        const gemm::Plan& plan =
            plans_[static_cast<size_t>(place + (count == step_ ? 0 : kPlaces))];
        plan.Run({.a = AddressOf(Sliced(x, 1, g * group(), group()), bindings),
                  .b = AddressOf(Part(g), bindings),
                  .d = first ? static_cast<const void*>(AddressOf(m().bias, bindings)) : sums,
                  .row_scale = RowScale(bindings, row, g),
                  .column_scale = scales_.In(bindings),
                  .c = last ? static_cast<void*>(y.Address(bindings)) : sums},
                 workspace_.In(bindings));
      }
    }
    return {};
  }

 private:
  enum Place { kOnly, kFirst, kMiddle, kLast, kPlaces };

  TensorView Part(int64_t g) const { return Sliced(m().weight, 0, g * group(), group()); }

  gemm::Problem ProblemOf(int64_t count, Place place) const {
    const bool first = place == kOnly || place == kFirst, last = place == kOnly || place == kLast;
    gemm::Problem g;
    g.rows = count;
    g.columns = columns();
    g.depth = group();
    g.a = MatrixOf(m().x);
    g.b = MatrixOf(m().weight);
    g.c = last ? MatrixOf(m().y) : RowsOf(columns());
    g.has_d = !first || m().bias.given();
    if (g.has_d) {
      g.d = first ? gemm::Matrix{.row_step = 0, .column_step = m().bias.strides[0]}
                  : RowsOf(columns());
    }
    g.has_row_scale = g.has_column_scale = true;
    g.row_scale_step = m().row_scale.strides[0];
    return g;
  }

  // One for each column.
  void SpreadScales(const Bindings& bindings, int64_t g) const {
    const TensorView& view = m().scale;
    const auto* const from = reinterpret_cast<const float*>(view.Address(bindings));
    float* const to = scales_.In(bindings);
    for (int64_t n = 0; n < columns(); ++n) {
      to[n] = from[n / p_.sizes.columns * view.strides[0] + g * view.strides[1]];
    }
  }

  std::vector<gemm::Plan> plans_;
  uint64_t bytes_ = 0;
  WorkspaceSlot<char> workspace_;
  WorkspaceSlot<float> sums_, scales_;
};

}  // namespace

Status MakeQuantGroups(const QuantGroupParams& params, PreparedCall* call) {
  if (params.form == GroupForm::kGroupBlock) {
    call->plan = std::make_shared<BlockPlan>(params);
  } else {
    call->plan = std::make_shared<Int4Plan>(params);
  }
  return {};
}

}  // namespace anyacl::matmul
