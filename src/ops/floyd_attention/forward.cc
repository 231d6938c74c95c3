// SPDX-License-Identifier: Apache-2.0
// aclnnFusedFloydAttention: tile after tile the scores of all k, their softmax, and the products
// with the values.
#include "kernels.h"
#include "ops/blocks/blocks.h"
#include "ops/floyd_attention/tiles.h"
#include "runtime/parallel.h"

namespace anyacl::floyd_attention {
namespace {

class ForwardPlan final : public TilesPlan {
 public:
  struct Results {
    TensorView max, sum, out;  // contiguous
  };
  ForwardPlan(const Sizes& sizes, const TileInputs& inputs, const Results& results)
      : TilesPlan(sizes, inputs), to_(results) {
    scores_ = book_.Book<float>(z_.tile_rows(), z_.k);
    rows_ = book_.Book<float>(z_.tile_rows(), z_.d);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    for (int64_t head = 0; head < z_.batch * z_.heads; ++head) {
      for (int64_t n = 0; n < z_.n; n += z_.tile_n) {
        Tile tile{head, n, 0, std::min(z_.tile_n, z_.n - n), 0};
        ReadMask(bindings, tile);
        for (int64_t m = 0; m < z_.m; m += z_.tile_m) {
          tile.first_m = m;
          tile.m = std::min(z_.tile_m, z_.m - m);
          RunTile(bindings, tile);
        }
      }
    }
    return {};
  }

 private:
  void RunTile(const Bindings& bindings, const Tile& tile) const {
    float* const scores = scores_.In(bindings);
    float* const rows = rows_.In(bindings);
    Score(bindings, tile, scores);
    const int64_t grain = std::max<int64_t>(1, (1 << 12) / z_.k);
    ParallelFor(tile.rows(), grain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) Softmax(bindings, tile, i, scores + i * z_.k);
    });
    ProductsOf(tile).Rows(scores, FirstAt(in_.value1, bindings, tile),
                          SecondAt(in_.value2, bindings, tile), rows, product_scratch(bindings));
    char* const out = to_.out.Address(bindings);
    ParallelFor(tile.rows(), 64, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        blocks::StoreRow(rows + i * z_.d, z_.d, to_.out.dtype,
                         out + RowOf(tile, i) * z_.d * BytesOf(to_.out), 1);
      }
    });
  }

  void Softmax(const Bindings& bindings, const Tile& tile, int64_t i, float* row) const {
    const auto& softmax = Kernels().rowwise.fp32.softmax;
    const float max = softmax.max(row, z_.k);
    const auto sum = static_cast<float>(softmax.exp_sum(row, z_.k, max, row));
    softmax.scale(row, z_.k, 1 / sum, {row, false});
    const int64_t at = RowOf(tile, i) * kStatistics;
    std::fill_n(reinterpret_cast<float*>(to_.max.Address(bindings)) + at, kStatistics, max);
    std::fill_n(reinterpret_cast<float*>(to_.sum.Address(bindings)) + at, kStatistics, sum);
  }

  const Results to_;
  WorkspaceSlot<float> scores_, rows_;
};

}  // namespace

Status PrepareForward(Operands& operands, PreparedCall* call) {
  if (Status s = CheckTensors(operands); !s.ok()) return s;
  const Sizes sizes(operands);
  Steps steps(operands);
  InnerInputs t;
  if (Status s = MakeContiguous(operands, steps, &t); !s.ok()) return s;
  PlanStep step;
  const auto result = [&](int id) { return step.View(steps.Result(id, operands[id].shape())); };
  step.AddTo(steps, std::make_shared<ForwardPlan>(
                        sizes,
                        TileInputs{.query = step.View(t.query),
                                   .key1 = step.View(t.key1),
                                   .value1 = step.View(t.value1),
                                   .key2 = step.View(t.key2),
                                   .value2 = step.View(t.value2),
                                   .mask = step.View(TensorOf(operands, kMask)),
                                   .scale = static_cast<float>(operands.Real(kScale))},
                        ForwardPlan::Results{
                            .max = result(kMax), .sum = result(kSum), .out = result(kOut)}));
  return steps.Finish(call);
}

}  // namespace anyacl::floyd_attention
