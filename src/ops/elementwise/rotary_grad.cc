// SPDX-License-Identifier: Apache-2.0
// The gradients of a rotary position embedding: pairs turned back, and for the angles the sums of
// products over the dimensions that they were broadcast along. Those are taken in blocks of
// kSummed, in fp32, whose sums are joined in double, in their order: the shape alone decides.
#include <algorithm>
#include <optional>

#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/rows.h"
#include "ops/elementwise/build.h"
#include "ops/elementwise/chain.h"
#include "ops/elementwise/prepare.h"
#include "ops/elementwise/rotary.h"
#include "runtime/parallel.h"

namespace anyacl::elementwise {
namespace {

constexpr int64_t kNumbers = 1024;  // at a time: eight buffers within L1
constexpr int64_t kSummed = 64;
constexpr int64_t kGradGrain = 1 << 14;  // products: 5 us

// The elements of a part: those dimensions that the angles have, those that are summed, the row.
struct Side {
  TensorView kept, summed;
  int64_t step = 1;
};
Side SideOf(const TensorView& view, const bool* is_summed) {
  Side side = {view, view, view.strides[view.rank - 1]};
  side.kept.rank = side.summed.rank = 0;
  for (int i = 0; i + 1 < view.rank; ++i) {
    TensorView& to = is_summed[i] ? side.summed : side.kept;
    to.sizes[to.rank] = view.sizes[i];
    to.strides[to.rank++] = view.strides[i];
  }
  return side;
}

struct GradProblem {
  Parts dy, x, dcos, dsin;
};

class AnglePlan final : public BookedPlan {
 public:
  AnglePlan(const GradProblem& problem, std::shared_ptr<const Plan> turn) : turn_(std::move(turn)) {
    const TensorView& dy = problem.dy.first;
    const TensorView& dcos = problem.dcos.first;
    bool summed[TensorView::kMaxRank] = {};
    for (int i = 0; i + 1 < dy.rank; ++i) {
      summed[i] = dcos.sizes[i] != dy.sizes[i];
      (summed[i] ? terms_ : angles_) *= dy.sizes[i];
    }
    const TensorView* const in[] = {&problem.dy.first, &problem.dy.second, &problem.x.first,
                                    &problem.x.second};
    const TensorView* const out[] = {&problem.dcos.first, &problem.dcos.second, &problem.dsin.first,
                                     &problem.dsin.second};
    for (int i = 0; i < 4; ++i) {
      in_[i] = SideOf(*in[i], summed);
      out_[i] = SideOf(*out[i], summed);
    }
    columns_ = dy.sizes[dy.rank - 1];
    const TensorView& kept = in_[0].kept;
    line_ = kept.rank == 0 ? 1 : kept.sizes[kept.rank - 1];
    rows_ = std::clamp<int64_t>(kNumbers / std::max<int64_t>(columns_, 1), 1, line_);
    line_tiles_ = (line_ + rows_ - 1) / rows_;
    column_tiles_ = (columns_ + kNumbers - 1) / kNumbers;
    blocks_ = std::max<int64_t>(1, (terms_ + kSummed - 1) / kSummed);
    if (blocks_ > 1) {
      sums_ = book_.Book<float>(static_cast<size_t>(4 * blocks_ * angles_ * columns_));
    }
  }

  Status Run(const Bindings& bindings, const StopToken& stop) const override {
    const int64_t tiles = angles_ / line_ * line_tiles_ * column_tiles_;
    const int64_t work = 4 * rows_ * std::min(columns_, kNumbers) * std::min(terms_, kSummed);
    ParallelFor(tiles * blocks_, std::max<int64_t>(1, kGradGrain / (work + 1)),
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; ++i) {
                    AddUp(bindings, TileOf(i / blocks_), i % blocks_);
                  }
                });
    if (blocks_ > 1) {
      ParallelFor(tiles, std::max<int64_t>(1, kGradGrain / (rows_ * columns_ * blocks_ + 1)),
                  [&](int64_t begin, int64_t end) {
                    for (int64_t i = begin; i < end; ++i) Join(bindings, TileOf(i));
                  });
    }
    return turn_ == nullptr ? Status() : turn_->Run(bindings, stop);
  }

 private:
  // `rows` angles from `angle` on, which differ in the last dimension kept, and their columns.
  struct Tile {
    int64_t angle, rows, column, columns;
    int64_t count() const { return rows * columns; }
  };
  Tile TileOf(int64_t index) const {
    const int64_t column = index % column_tiles_ * kNumbers;
    index /= column_tiles_;
    const int64_t row = index % line_tiles_ * rows_;
    return {index / line_tiles_ * line_ + row, std::min(rows_, line_ - row), column,
            std::min(columns_ - column, kNumbers)};
  }

  static blocks::Tile In(const Bindings& bindings, const Side& side, const Tile& tile,
                         int64_t term) {
    const TensorView& kept = side.kept;
    const int64_t at =
        kept.OffsetOf(tile.angle) + side.summed.OffsetOf(term) + tile.column * side.step;
    return {kept.Address(bindings) + at * BytesOf(kept),      tile.rows, tile.columns,
            kept.rank == 0 ? 0 : kept.strides[kept.rank - 1], side.step, false};
  }

  // Where a block's sums of one result wait.
  float* SumsOf(const Bindings& bindings, const Tile& tile, int64_t block, int result) const {
    return sums_.In(bindings) + ((block * 4 + result) * angles_ + tile.angle) * columns_ +
           tile.column;
  }

  void AddUp(const Bindings& bindings, const Tile& tile, int64_t block) const {
    alignas(64) float numbers[4][kNumbers], totals[4][kNumbers];
    const blocks::Rows rows(tile.count());
    float* sums[4];
    for (int i = 0; i < 4; ++i) {
      sums[i] = blocks_ > 1 ? SumsOf(bindings, tile, block, i) : totals[i];
      std::fill_n(sums[i], tile.count(), 0.0f);
    }
    const int64_t end = std::min(terms_, (block + 1) * kSummed);
    for (int64_t term = block * kSummed; term < end; ++term) {
      for (int i = 0; i < 4; ++i) {
        const auto load = blocks::Loader(Element::kFp32, in_[i].kept.dtype);
        load(In(bindings, in_[i], tile, term), numbers[i]);
      }
      const auto& [dy1, dy2, x1, x2] = numbers;
      rows(Op::kAddcmul, sums[0], sums[0], dy1, x1);
      rows(Op::kAddcmul, sums[1], sums[1], dy2, x2);
      rows(Op::kAddcmul, sums[2], sums[2], dy1, x2, -1);
      rows(Op::kAddcmul, sums[3], sums[3], dy2, x1);
    }
    if (blocks_ > 1) return;
    for (int i = 0; i < 4; ++i) {
      const auto store = blocks::Storer(Element::kFp32, out_[i].kept.dtype);
      store(sums[i], In(bindings, out_[i], tile, 0));
    }
  }

  void Join(const Bindings& bindings, const Tile& tile) const {
    double totals[kNumbers];
    for (int i = 0; i < 4; ++i) {
      std::fill_n(totals, tile.count(), 0.0);
      for (int64_t block = 0; block < blocks_; ++block) {
        const float* const sums = SumsOf(bindings, tile, block, i);
        for (int64_t k = 0; k < tile.count(); ++k) totals[k] += static_cast<double>(sums[k]);
      }
      const auto store = blocks::Storer(Element::kFp64, out_[i].kept.dtype);
      store(totals, In(bindings, out_[i], tile, 0));
    }
  }

  const std::shared_ptr<const Plan> turn_;  // null: no rows
  Side in_[4], out_[4];
  int64_t angles_ = 1;  // rows of them
  int64_t terms_ = 1;   // of each sum
  int64_t columns_;     // pairs of a row
  int64_t line_;        // angles along the last dimension kept
  int64_t rows_, line_tiles_, column_tiles_, blocks_;
  WorkspaceSlot<float> sums_;
};

}  // namespace

Status PrepareRotaryGrad(Operands& operands, PreparedCall* call) {
  // The document's example then has them without elements, and so has MindSpeed, in another rank.
  for (const int id : {kDCos, kDSin}) {
    if (!operands.Given(kX) && operands[id].shape() != operands[kOther].shape()) operands.Drop(id);
  }
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const auto pairs = static_cast<Pairs>(operands.Int(kMode));
  if (Status s = CheckRotary(operands, pairs); !s.ok()) return s;
  const auto view = [&](int id) { return ViewOf(operands, id); };
  const TensorView dx = view(kOut);
  const std::span<const int64_t> sizes(dx.sizes, static_cast<size_t>(dx.rank));
  const bool to_halves = pairs == Pairs::kNeighboursToHalves;
  const Pairs of_x = to_halves ? Pairs::kNeighbours : pairs;
  const Pairs of_y = to_halves ? Pairs::kHalves : pairs;
  const Parts dy = PartsOf(view(kSelf), of_y), to = PartsOf(dx, of_x);
  std::shared_ptr<const Plan> turn;
  if (!operands[kOut].IsEmpty()) {
    const Parts cos = PartsOf(*Broadcast(view(kOther), sizes), of_y);
    const Parts sin = PartsOf(*Broadcast(view(kThird), sizes), of_y);
    turn = MakeChainPlan(
        {.inputs = {dy.first, dy.second, cos.first, cos.second, sin.first, sin.second},
         .steps = {{Op::kMul, {0, 2}},
                   {Op::kAddcmul, {6, 1, 5}, 1},
                   {Op::kMul, {1, 3}},
                   {Op::kAddcmul, {8, 0, 4}, -1}},
         .outputs = {{to.first, 7}, {to.second, 9}}});
  }
  if (operands.Given(kX) && !operands[kDCos].IsEmpty()) {
    call->plan = std::make_shared<AnglePlan>(
        GradProblem{dy, PartsOf(view(kX), of_x), PartsOf(view(kDCos), of_y),
                    PartsOf(view(kDSin), of_y)},
        std::move(turn));
  } else {
    call->plan = std::move(turn);
  }
  return {};
}

}  // namespace anyacl::elementwise
