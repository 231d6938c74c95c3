// SPDX-License-Identifier: Apache-2.0
#include "ops/floyd_attention/tiles.h"

#include <cassert>
#include <cmath>

#include "ops/blocks/blocks.h"
#include "ops/blocks/rows.h"
#include "runtime/parallel.h"

namespace anyacl::floyd_attention {
namespace {

using elementwise::Op;
using gemm::ProblemOf;

constexpr int64_t kScores = 1 << 21;  // of a tile: 8 MiB
constexpr int64_t kMostOfTile = 256;
constexpr float kMasked = -4e9f;  // is added to a masked score that is scaled

constexpr Element kFp32 = Element::kFp32;

}  // namespace

Sizes::Sizes(const Operands& operands)
    : batch(operands.Size("B")),
      heads(operands.Size("H")),
      n(operands.Size("N")),
      m(operands.Size("M")),
      k(operands.Size("K")),
      d(operands.Size("D")),
      type(ElementOf(operands[kQuery].dtype())) {
  const int64_t rows = std::max<int64_t>(1, kScores / k);
  const auto side = static_cast<int64_t>(std::sqrt(static_cast<double>(rows)));
  tile_n = std::clamp<int64_t>(side, 1, std::min(n, kMostOfTile));
  tile_m = std::clamp<int64_t>(rows / tile_n, 1, std::min(m, kMostOfTile));
}

TileProducts::TileProducts(const Sizes& z, int64_t n, int64_t m)
    : n_(n),
      m_(m),
      // Rows of n: [m][D]; of m: [n][D]. Keys of n: [K][D]; of m: [K][D], M * D apart.
      scores_n_(ProblemOf({n, m, z.k, z.d}, {z.type, z.d, 1, z.m * z.d},
                          {z.type, 1, z.d, z.k * z.d}, {kFp32, z.k, 1, m * z.k})),
      scores_m_(Added(ProblemOf({m, n, z.k, z.d}, {z.type, z.m * z.d, 1, z.d},
                                {z.type, 1, z.m * z.d, z.d}, {kFp32, m * z.k, 1, z.k}))),
      rows_n_(ProblemOf({n, m, z.d, z.k}, {kFp32, z.k, 1, m * z.k}, {z.type, z.d, 1, z.k * z.d},
                        {kFp32, z.d, 1, m * z.d})),
      rows_m_(Added(ProblemOf({m, n, z.d, z.k}, {kFp32, m * z.k, 1, z.k},
                              {z.type, z.m * z.d, 1, z.d}, {kFp32, m * z.d, 1, z.d}))),
      keys_n_(Added(ProblemOf({n, z.k, z.d, m}, {kFp32, 1, z.k, m * z.k},
                              {z.type, z.d, 1, z.m * z.d}, {kFp32, z.d, 1, z.k * z.d}))),
      keys_m_(Added(ProblemOf({m, z.k, z.d, n}, {kFp32, 1, m * z.k, z.k},
                              {z.type, z.m * z.d, 1, z.d}, {kFp32, z.d, 1, z.k * z.d}))) {}

uint64_t TileProducts::workspace_bytes() const {
  uint64_t most = 0;
  for (const gemm::Plan* plan : {&scores_n_, &scores_m_, &rows_n_, &rows_m_, &keys_n_, &keys_m_}) {
    most = std::max(most, plan->workspace_bytes());
  }
  return most;
}

void TileProducts::Scores(const char* rows, const char* first, const char* second, float* scores,
                          char* scratch) const {
  scores_n_.Run({.a = rows, .b = first, .c = scores}, scratch);
  scores_m_.Run({.a = rows, .b = second, .d = scores, .c = scores}, scratch);
}

void TileProducts::Rows(const float* scores, const char* first, const char* second, float* rows,
                        char* scratch) const {
  rows_n_.Run({.a = scores, .b = first, .c = rows}, scratch);
  rows_m_.Run({.a = scores, .b = second, .d = rows, .c = rows}, scratch);
}

void TileProducts::Keys(const float* scores, const char* rows, float* first, float* second,
                        char* scratch) const {
  keys_n_.Run({.a = scores, .b = rows, .d = first, .c = first}, scratch);
  keys_m_.Run({.a = scores, .b = rows, .d = second, .c = second}, scratch);
}

TilesPlan::TilesPlan(const Sizes& sizes, const TileInputs& inputs) : z_(sizes), in_(inputs) {
  uint64_t most = 0;
  for (int64_t n : {z_.tile_n, z_.n % z_.tile_n}) {
    for (int64_t m : {z_.tile_m, z_.m % z_.tile_m}) {
      if (n == 0 || m == 0) continue;
      products_.emplace_back(z_, n, m);
      most = std::max(most, products_.back().workspace_bytes());
    }
  }
  if (in_.mask.given()) masked_ = book_.Book<float>(z_.tile_n, z_.k);
  scratch_ = book_.Book<char>(most);
}

char* TilesPlan::RowsAt(const TensorView& view, const Bindings& bindings, const Tile& tile) const {
  return view.Address(bindings) + RowOf(tile, 0) * z_.d * BytesOf(view);
}

char* TilesPlan::FirstAt(const TensorView& view, const Bindings& bindings, const Tile& tile) const {
  return view.Address(bindings) + (tile.head * z_.n + tile.first_n) * z_.k * z_.d * BytesOf(view);
}

char* TilesPlan::SecondAt(const TensorView& view, const Bindings& bindings,
                          const Tile& tile) const {
  return view.Address(bindings) + (tile.head * z_.k * z_.m + tile.first_m) * z_.d * BytesOf(view);
}

const TileProducts& TilesPlan::ProductsOf(const Tile& tile) const {
  const auto found = std::find_if(products_.begin(), products_.end(),
                                  [&](const TileProducts& p) { return p.Fits(tile); });
  assert(found != products_.end());
  return *found;
}

void TilesPlan::ReadMask(const Bindings& bindings, const Tile& tile) const {
  const TensorView& mask = in_.mask;  // [B][1][N][1][K]
  if (!mask.given()) return;
  ParallelFor(tile.n, std::max<int64_t>(1, (1 << 13) / z_.k), [&](int64_t i, int64_t end) {
    for (; i < end; ++i) {
      const char* from = mask.Address(bindings) + tile.head / z_.heads * mask.strides[0] +
                         (tile.first_n + i) * mask.strides[2];
      float* const row = masked_.In(bindings) + i * z_.k;
      for (int64_t j = 0; j < z_.k; ++j, from += mask.strides[4]) row[j] = *from != 0 ? kMasked : 0;
    }
  });
}

void TilesPlan::Score(const Bindings& bindings, const Tile& tile, float* scores) const {
  ProductsOf(tile).Scores(RowsAt(in_.query, bindings, tile), FirstAt(in_.key1, bindings, tile),
                          SecondAt(in_.key2, bindings, tile), scores, product_scratch(bindings));
  const blocks::Rows all(z_.k);
  const float* const masked = in_.mask.given() ? masked_.In(bindings) : nullptr;
  ParallelFor(tile.rows(), std::max<int64_t>(1, (1 << 14) / z_.k), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      float* const row = scores + i * z_.k;
      all(Op::kMulScalar, row, row, nullptr, nullptr, in_.scale);
      if (masked != nullptr) all(Op::kAdd, row, row, masked + i / tile.m * z_.k);
    }
  });
}

Status MakeContiguous(const Operands& operands, Steps& steps, InnerInputs* inputs) {
  for (const auto& [id, tensor] : {std::pair{kQuery, &inputs->query},
                                   {kKey1, &inputs->key1},
                                   {kValue1, &inputs->value1},
                                   {kKey2, &inputs->key2},
                                   {kValue2, &inputs->value2}}) {
    if (Status s = steps.Contiguous(id, operands[id].shape(), tensor); !s.ok()) return s;
  }
  return {};
}

Status CheckTensors(Operands& operands) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  return operands.CheckNotEmpty();
}

}  // namespace anyacl::floyd_attention
