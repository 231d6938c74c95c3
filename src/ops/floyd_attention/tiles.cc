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

constexpr int64_t kScores = 1 << 21;  // of a tile: 8 MiB
constexpr int64_t kMostOfTile = 256;
constexpr float kHidden = -4e9f;  // is added to a hidden score that is scaled

// Matrices of a batch: from row to row, column to column and matrix to matrix.
struct Factor {
  Element type;
  int64_t row_step, column_step, batch_step;

  gemm::Matrix Matrix() const {
    return {
        .type = type, .row_step = row_step, .column_step = column_step, .batch_step = {batch_step}};
  }
};
struct Shape {
  int64_t batch, rows, columns, depth;
};
gemm::Plan Product(const Shape& shape, const Factor& a, const Factor& b, const Factor& c,
                   bool added) {
  gemm::Problem p;
  p.rows = shape.rows;
  p.columns = shape.columns;
  p.depth = shape.depth;
  p.batch_rank = 1;
  p.batch[0] = shape.batch;
  p.a = a.Matrix();
  p.b = b.Matrix();
  p.c = c.Matrix();
  p.has_d = added;
  p.d = p.c;
  return gemm::Plan(p);
}
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
      scores_n_(Product({n, m, z.k, z.d}, {z.type, z.d, 1, z.m * z.d}, {z.type, 1, z.d, z.k * z.d},
                        {kFp32, z.k, 1, m * z.k}, false)),
      scores_m_(Product({m, n, z.k, z.d}, {z.type, z.m * z.d, 1, z.d}, {z.type, 1, z.m * z.d, z.d},
                        {kFp32, m * z.k, 1, z.k}, true)),
      rows_n_(Product({n, m, z.d, z.k}, {kFp32, z.k, 1, m * z.k}, {z.type, z.d, 1, z.k * z.d},
                      {kFp32, z.d, 1, m * z.d}, false)),
      rows_m_(Product({m, n, z.d, z.k}, {kFp32, m * z.k, 1, z.k}, {z.type, z.m * z.d, 1, z.d},
                      {kFp32, m * z.d, 1, z.d}, true)),
      keys_n_(Product({n, z.k, z.d, m}, {kFp32, 1, z.k, m * z.k}, {z.type, z.d, 1, z.m * z.d},
                      {kFp32, z.d, 1, z.k * z.d}, true)),
      keys_m_(Product({m, z.k, z.d, n}, {kFp32, 1, m * z.k, z.k}, {z.type, z.m * z.d, 1, z.d},
                      {kFp32, z.d, 1, z.k * z.d}, true)) {}

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
  if (in_.mask.given()) hidden_ = book_.Book<float>(z_.tile_n, z_.k);
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

void TilesPlan::Score(const Bindings& bindings, const Tile& tile, float* scores) const {
  ProductsOf(tile).Scores(RowsAt(in_.query, bindings, tile), FirstAt(in_.key1, bindings, tile),
                          SecondAt(in_.key2, bindings, tile), scores, product_scratch(bindings));
  const blocks::Rows all(z_.k);
  float* const hidden = in_.mask.given() ? hidden_.In(bindings) : nullptr;
  for (int64_t i = 0; i < tile.n && hidden != nullptr; ++i) {
    const TensorView& mask = in_.mask;  // [B][1][N][1][K]
    const char* from = mask.Address(bindings) + tile.head / z_.heads * mask.strides[0] +
                       (tile.first_n + i) * mask.strides[2];
    for (int64_t j = 0; j < z_.k; ++j, from += mask.strides[4]) {
      hidden[i * z_.k + j] = *from != 0 ? kHidden : 0;
    }
  }
  ParallelFor(tile.rows(), std::max<int64_t>(1, (1 << 14) / z_.k), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      float* const row = scores + i * z_.k;
      all(Op::kMulScalar, row, row, nullptr, nullptr, in_.scale);
      if (hidden != nullptr) all(Op::kAdd, row, row, hidden + i / tile.m * z_.k);
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
