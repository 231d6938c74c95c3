// SPDX-License-Identifier: Apache-2.0
// The gradient's plan: items for the threads, and the sum of what splits of the columns have left
// of dq.
#include <algorithm>
#include <memory>

#include "base/division.h"
#include "kernels.h"
#include "nnop/workspace.h"
#include "ops/flash_attention/gradient.h"
#include "ops/flash_attention/in_turn.h"
#include "ops/flash_attention/op.h"
#include "ops/flash_attention/sink.h"
#include "runtime/parallel.h"

namespace anyacl::flash_attention {
namespace {

using attention::Bound;

// So many items keep the threads of a usual machine busy: where batch and heads are fewer, columns
// are split, no finer than 256 (packing the rows for a split costs as much as 12 columns), and
// while partial results stay below 128 MiB.
constexpr int64_t kItems = 32;
constexpr int64_t kLeastColumns = 256;
constexpr int64_t kPartialFloats = int64_t{32} << 20;

// Of one thread.
size_t PieceOf(const GradientParams& params, const Cut& cut) {
  return (GradientScratch(params, cut, nullptr).size() + kWorkspaceAlignment - 1) /
         kWorkspaceAlignment * kWorkspaceAlignment;
}

class GradientPlan final : public BookedPlan {
 public:
  explicit GradientPlan(GradientParams params)
      : params_(std::move(params)), cut_(CutOf(params_)), piece_(PieceOf(params_, cut_)) {
    scratch_ = book_.Book<char>(piece_ * static_cast<size_t>(ThreadCount()));
    if (cut_.splits == 1) return;
    const attention::Params& p = params_.common;
    partials_ = book_.Book<float>(
        static_cast<size_t>(p.batch * p.heads() * cut_.splits * cut_.head_floats()));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const attention::Params& p = params_.common;
    const Bound bound = attention::Bind(p, {}, bindings);
    const int64_t items = p.batch * p.kv_heads * cut_.splits;
    ParallelFor(items, 1, [&](int64_t begin, int64_t end, int64_t slot) {
      char* const scratch = scratch_.In(bindings) + static_cast<size_t>(slot) * piece_;
      for (int64_t i = begin; i < end; ++i) {
        const GradientItem item{i / cut_.splits / p.kv_heads, i / cut_.splits % p.kv_heads,
                                i % cut_.splits};
        float* const partials = PartialsOf(bindings, item.batch, item.head * p.group, item.split);
        AddGradient(bound, params_, cut_, item, scratch, partials,
                    cut_.splits * cut_.head_floats());
      }
    });
    if (cut_.splits == 1) return {};
    const int64_t heads = p.batch * p.heads();
    ParallelFor(heads, 1, [&](int64_t begin, int64_t end, int64_t slot) {
      char* const scratch = scratch_.In(bindings) + static_cast<size_t>(slot) * piece_;
      for (int64_t i = begin; i < end; ++i) {
        const int64_t batch = i / p.heads(), head = i % p.heads();
        float* const sum = PartialsOf(bindings, batch, head, 0);
        for (int64_t split = 1; split < cut_.splits; ++split) {
          const float* part = PartialsOf(bindings, batch, head, split);
          Kernels().flash_attention.add(part, cut_.head_floats(), sum);
        }
        float* const square = GradientScratch(params_, cut_, scratch).square;
        WriteQueryGradient(bound, params_, cut_, batch, head, sum, square);
      }
    });
    return {};
  }

 private:
  // Null where there is one split.
  float* PartialsOf(const Bindings& bindings, int64_t batch, int64_t head, int64_t split) const {
    if (cut_.splits == 1) return nullptr;
    const int64_t index = (batch * params_.common.heads() + head) * cut_.splits + split;
    return partials_.In(bindings) + index * cut_.head_floats();
  }

  const GradientParams params_;
  const Cut cut_;
  const size_t piece_;
  WorkspaceSlot<char> scratch_;
  WorkspaceSlot<float> partials_;
};

}  // namespace

Cut CutOf(const GradientParams& params) {
  const attention::Params& p = params.common;
  Cut cut;
  const int64_t unit = p.cache_type == Element::kBf16 ? 32 : 16;
  cut.step = static_cast<int>(CeilDivide(p.dim, unit) * unit);
  cut.row_blocks = CeilDivide(p.query_size, kRows);
  const int64_t items = std::max<int64_t>(1, p.batch * p.kv_heads);
  const int64_t all = std::max<int64_t>(1, p.batch * p.heads() * cut.head_floats());
  cut.splits = std::min({CeilDivide(kItems, items), CeilDivide(p.kv_size, kLeastColumns),
                         std::max<int64_t>(1, kPartialFloats / all)});
  cut.splits = std::max<int64_t>(1, cut.splits);
  cut.split_columns = CeilDivide(CeilDivide(p.kv_size, cut.splits), kTile) * kTile;
  // Rounding up may leave nothing for the last ones.
  if (cut.split_columns > 0) cut.splits = CeilDivide(p.kv_size, cut.split_columns);
  return cut;
}

std::shared_ptr<const Plan> MakeGradient(GradientParams params) {
  return std::make_shared<GradientPlan>(std::move(params));
}

// A split takes no more than all columns, and where there are splits, what they leave of dq is
// bounded.
uint64_t MostWorkspace(const GradientParams& params) {
  const attention::Params& p = params.common;
  Cut cut = CutOf(params);
  const int64_t items = std::max<int64_t>(1, p.batch * p.kv_heads);
  const int64_t splits = std::min(CeilDivide(kItems, items), CeilDivide(p.kv_size, kLeastColumns));
  const int64_t partials =
      std::min(splits * p.batch * p.heads() * cut.head_floats(), kPartialFloats);
  cut.splits = 1;
  cut.split_columns = CeilDivide(p.kv_size, kTile) * kTile;
  WorkspaceBook book;
  book.Book<char>(PieceOf(params, cut) * static_cast<size_t>(ThreadCount()));
  if (splits > 1) book.Book<float>(static_cast<size_t>(partials));
  return book.size();
}

Status PrepareGradient(Operands& operands, PreparedCall* call) {
  Sizes sizes;
  bool nothing_to_do = false;
  if (Status s = CheckGradient(operands, &sizes, &nothing_to_do); !s.ok() || nothing_to_do) {
    return s;
  }
  GradientParams params;
  params.common = CommonParams(operands, sizes);
  params.dim = sizes.dim;
  const auto rows = [&](int id, int64_t dim) { return RowsOf(operands, id, sizes, dim); };
  params.key = rows(kKey, sizes.dim);
  params.value = rows(kValue, sizes.value_dim);
  params.dy = rows(kDy, sizes.value_dim);
  params.out = rows(kAttention, sizes.value_dim);
  params.dq = rows(kDq, sizes.dim);
  params.dk = rows(kDk, sizes.dim);
  params.dv = rows(kDv, sizes.value_dim);
  if (WritesPseGradient(operands, sizes)) {
    params.dpse = LastDims(operands, kDpse);
    // A pse beside scaled scores has their derivative.
    if (PseOf(operands) == Pse::kAddedToScaled) {
      params.dpse_scale = static_cast<float>(1 / operands.Real(kScaleValue));
    }
  }
  auto sink = MakeSinkGradient(operands, sizes, params.common, {{0, sizes.query}});
  call->plan = MakeGradient(std::move(params));
  if (sink != nullptr) call->plan = std::make_shared<PlansInTurn>(std::vector{call->plan, sink});
  return {};
}

}  // namespace anyacl::flash_attention
