// SPDX-License-Identifier: Apache-2.0
// aclnnFusedFloydAttentionGrad: tile after tile the probabilities anew, the gradients of the
// scores, and their products. Gradients of keys and values that belong to n are summed over the
// tiles of these n, those that belong to m over all tiles of a head, in fp32 and in their order.
#include "kernels.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/rows.h"
#include "ops/floyd_attention/tiles.h"
#include "runtime/parallel.h"

namespace anyacl::floyd_attention {
namespace {

using elementwise::Op;

class GradientPlan final : public TilesPlan {
 public:
  struct Others {
    TensorView dout, out, max, sum;     // contiguous
    TensorView dq, dk1, dv1, dk2, dv2;  // contiguous
  };
  GradientPlan(const Sizes& sizes, const TileInputs& inputs, const Others& others)
      : TilesPlan(sizes, inputs), t_(others) {
    p_ = book_.Book<float>(z_.tile_rows(), z_.k);
    ds_ = book_.Book<float>(z_.tile_rows(), z_.k);
    rows_ = book_.Book<float>(z_.tile_rows(), z_.d);
    for (WorkspaceSlot<float>* of_n : {&dk1_, &dv1_}) {
      *of_n = book_.Book<float>(z_.tile_n * z_.k, z_.d);
    }
    for (WorkspaceSlot<float>* of_m : {&dk2_, &dv2_}) *of_m = book_.Book<float>(z_.m * z_.k, z_.d);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    for (int64_t head = 0; head < z_.batch * z_.heads; ++head) {
      for (const auto& sums : {dk2_, dv2_}) Clear(sums.In(bindings), z_.m);
      for (int64_t n = 0; n < z_.n; n += z_.tile_n) {
        Tile tile{head, n, 0, std::min(z_.tile_n, z_.n - n), 0};
        ReadMask(bindings, tile);
        for (const auto& sums : {dk1_, dv1_}) Clear(sums.In(bindings), tile.n);
        for (int64_t m = 0; m < z_.m; m += z_.tile_m) {
          tile.first_m = m;
          tile.m = std::min(z_.tile_m, z_.m - m);
          RunTile(bindings, tile);
        }
        StoreFirst(bindings, tile, dk1_, t_.dk1);
        StoreFirst(bindings, tile, dv1_, t_.dv1);
      }
      StoreSecond(bindings, head, dk2_, t_.dk2);
      StoreSecond(bindings, head, dv2_, t_.dv2);
    }
    return {};
  }

 private:
  void Clear(float* sums, int64_t count) const {
    ParallelFor(count * z_.k * z_.d, 1 << 14,
                [&](int64_t begin, int64_t end) { std::fill(sums + begin, sums + end, 0.0f); });
  }

  void RunTile(const Bindings& bindings, const Tile& tile) const {
    float* const p = p_.In(bindings);
    float* const ds = ds_.In(bindings);
    float* const rows = rows_.In(bindings);
    char* const scratch = product_scratch(bindings);
    const TileProducts& products = ProductsOf(tile);
    const char* const dout = RowsAt(t_.dout, bindings, tile);
    Score(bindings, tile, p);
    products.Scores(dout, FirstAt(in_.value1, bindings, tile), SecondAt(in_.value2, bindings, tile),
                    ds, scratch);
    ParallelFor(tile.rows(), std::max<int64_t>(1, (1 << 12) / z_.k),
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; ++i) {
                    Differentiate(bindings, RowOf(tile, i), p + i * z_.k, ds + i * z_.k);
                  }
                });
    // Before dq is stored, which may lie where the query or dout does.
    const int64_t of_m = tile.first_m * z_.k * z_.d;
    products.Keys(ds, RowsAt(in_.query, bindings, tile), dk1_.In(bindings),
                  dk2_.In(bindings) + of_m, scratch);
    products.Keys(p, dout, dv1_.In(bindings), dv2_.In(bindings) + of_m, scratch);
    products.Rows(ds, FirstAt(in_.key1, bindings, tile), SecondAt(in_.key2, bindings, tile), rows,
                  scratch);
    ParallelFor(tile.rows(), 64, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        blocks::StoreRow(rows + i * z_.d, z_.d, t_.dq.dtype, At(t_.dq, bindings, RowOf(tile, i)),
                         1);
      }
    });
  }

  // Row `row` of D numbers.
  char* At(const TensorView& view, const Bindings& bindings, int64_t row) const {
    return view.Address(bindings) + row * z_.d * BytesOf(view);
  }

  // A row's scores become probabilities, and the gradients of these those of the scores.
  void Differentiate(const Bindings& bindings, int64_t row, float* p, float* ds) const {
    const auto statistic = [&](const TensorView& view) {
      return reinterpret_cast<const float*>(view.Address(bindings))[row * kStatistics];
    };
    const blocks::Rows rows(z_.k);
    rows(Op::kAddScalar, p, p, nullptr, nullptr, -statistic(t_.max));
    rows(Op::kExp, p, p);
    rows(Op::kMulScalar, p, p, nullptr, nullptr, 1 / statistic(t_.sum));
    const auto& kernels =
        t_.dout.dtype == ACL_BF16 ? Kernels().rowwise.bf16 : Kernels().rowwise.fp16;
    const double delta = kernels.dot(At(t_.dout, bindings, row), At(t_.out, bindings, row), z_.d);
    rows(Op::kAddScalar, ds, ds, nullptr, nullptr, static_cast<float>(-delta));
    rows(Op::kMul, ds, ds, p);
    rows(Op::kMulScalar, ds, ds, nullptr, nullptr, in_.scale);
  }

  // [n][K][D]
  void StoreFirst(const Bindings& bindings, const Tile& tile, const WorkspaceSlot<float>& sums,
                  const TensorView& to) const {
    const int64_t first = (tile.head * z_.n + tile.first_n) * z_.k;
    ParallelFor(tile.n * z_.k, 64, [&](int64_t begin, int64_t end) {
      blocks::StoreRow(sums.In(bindings) + begin * z_.d, (end - begin) * z_.d, to.dtype,
                       At(to, bindings, first + begin), 1);
    });
  }
  // [m][K][D] as [K][M][D]
  void StoreSecond(const Bindings& bindings, int64_t head, const WorkspaceSlot<float>& sums,
                   const TensorView& to) const {
    ParallelFor(z_.k * z_.m, 64, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t k = i / z_.m, m = i % z_.m;
        blocks::StoreRow(sums.In(bindings) + (m * z_.k + k) * z_.d, z_.d, to.dtype,
                         At(to, bindings, head * z_.k * z_.m + i), 1);
      }
    });
  }

  const Others t_;
  WorkspaceSlot<float> p_, ds_, rows_;
  WorkspaceSlot<float> dk1_, dv1_;  // [n of a tile][K][D]
  WorkspaceSlot<float> dk2_, dv2_;  // [M][K][D]
};

}  // namespace

Status PrepareBackward(Operands& operands, PreparedCall* call) {
  if (Status s = CheckTensors(operands); !s.ok()) return s;
  const Sizes sizes(operands);
  Steps steps(operands);
  InnerInputs t;
  if (Status s = MakeContiguous(operands, steps, &t); !s.ok()) return s;
  PlanStep step;
  GradientPlan::Others others;
  for (const auto& [id, view] : {std::pair{kDOut, &others.dout},
                                 {kOut, &others.out},
                                 {kMax, &others.max},
                                 {kSum, &others.sum}}) {
    InnerTensor tensor;
    if (Status s = steps.Contiguous(id, operands[id].shape(), &tensor); !s.ok()) return s;
    *view = step.View(tensor);
  }
  for (const auto& [id, view] : {std::pair{kDQuery, &others.dq},
                                 {kDKey1, &others.dk1},
                                 {kDValue1, &others.dv1},
                                 {kDKey2, &others.dk2},
                                 {kDValue2, &others.dv2}}) {
    *view = step.View(steps.Result(id, operands[id].shape()));
  }
  step.AddTo(steps, std::make_shared<GradientPlan>(
                        sizes,
                        TileInputs{.query = step.View(t.query),
                                   .key1 = step.View(t.key1),
                                   .value1 = step.View(t.value1),
                                   .key2 = step.View(t.key2),
                                   .value2 = step.View(t.value2),
                                   .mask = step.View(TensorOf(operands, kMask)),
                                   .scale = static_cast<float>(operands.Real(kScale))},
                        others));
  return steps.Finish(call);
}

}  // namespace anyacl::floyd_attention
