// SPDX-License-Identifier: Apache-2.0
// Scores of Floyd attention are [n][m][k], those of keys that belong to n and of keys that belong
// to m: products of matrices for each n, and for each m. Some n and some m at a time make a tile,
// of which all k are there. Tensors are contiguous; a tile's scores are [n][m][K], its rows
// [n][m][D].
#pragma once

#include <algorithm>
#include <vector>

#include "gemm/batched.h"
#include "nnop/view.h"
#include "nnop/workspace.h"
#include "ops/floyd_attention/operators.h"
#include "ops/steps.h"

namespace anyacl::floyd_attention {

inline constexpr int64_t kStatistics = 8;  // of a row, all alike

struct Sizes {
  int64_t batch = 0, heads = 0, n = 0, m = 0, k = 0, d = 0;
  int64_t tile_n = 0, tile_m = 0;  // of a whole tile
  Element type = Element::kFp16;

  explicit Sizes(const Operands& operands);
  int64_t tile_rows() const { return tile_n * tile_m; }
};

// Some n and m of one head of a batch entry, which are heads together.
struct Tile {
  int64_t head = 0, first_n = 0, first_m = 0, n = 0, m = 0;

  int64_t rows() const { return n * m; }
};

class TileProducts {
 public:
  TileProducts(const Sizes& sizes, int64_t n, int64_t m);

  bool Fits(const Tile& tile) const { return tile.n == n_ && tile.m == m_; }
  uint64_t workspace_bytes() const;
  // scores[n, m, k] = rows[n, m] . (first[n, k] + second[k, m])
  void Scores(const char* rows, const char* first, const char* second, float* scores,
              char* scratch) const;
  // rows[n, m] = sum over k of scores[n, m, k] * (first[n, k] + second[k, m])
  void Rows(const float* scores, const char* first, const char* second, float* rows,
            char* scratch) const;
  // first[n][k] += sum over m of scores[n, m, k] * rows[n, m], second[m][k] += that over n
  void Keys(const float* scores, const char* rows, float* first, float* second,
            char* scratch) const;

 private:
  int64_t n_, m_;
  gemm::Plan scores_n_, scores_m_, rows_n_, rows_m_, keys_n_, keys_m_;
};

// Contiguous, but for the mask.
struct TileInputs {
  TensorView query, key1, value1, key2, value2, mask;
  float scale = 1;
};

// What both plans share: tiles of all heads, the n of a head outside and its m inside, and scores.
class TilesPlan : public BookedPlan {
 protected:
  TilesPlan(const Sizes& sizes, const TileInputs& inputs);

  // The first number of a tile: of rows [N][M][D], of keys [N][K][D] and of keys [K][M][D].
  char* RowsAt(const TensorView& view, const Bindings& bindings, const Tile& tile) const;
  char* FirstAt(const TensorView& view, const Bindings& bindings, const Tile& tile) const;
  char* SecondAt(const TensorView& view, const Bindings& bindings, const Tile& tile) const;
  // Row i of a tile in a tensor [N][M], in rows of its own.
  int64_t RowOf(const Tile& tile, int64_t i) const {
    return (tile.head * z_.n + tile.first_n + i / tile.m) * z_.m + tile.first_m + i % tile.m;
  }
  const TileProducts& ProductsOf(const Tile& tile) const;
  // What is masked from the n of a tile, before the scores of its first m.
  void ReadMask(const Bindings& bindings, const Tile& tile) const;
  // The scores of a tile, scaled, and masked ones as small as the document has them.
  void Score(const Bindings& bindings, const Tile& tile, float* scores) const;
  char* product_scratch(const Bindings& bindings) const { return scratch_.In(bindings); }

  const Sizes z_;
  const TileInputs in_;

 private:
  std::vector<TileProducts> products_;
  WorkspaceSlot<float> masked_;  // [n of a tile][K]: what is added
  WorkspaceSlot<char> scratch_;
};

// The inputs as contiguous tensors.
struct InnerInputs {
  InnerTensor query, key1, value1, key2, value2;
};
Status MakeContiguous(const Operands& operands, Steps& steps, InnerInputs* inputs);

// The table, and that tensors have elements.
Status CheckTensors(Operands& operands);

}  // namespace anyacl::floyd_attention
