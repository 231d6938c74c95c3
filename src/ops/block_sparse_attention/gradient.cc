// SPDX-License-Identifier: Apache-2.0
// aclnnBlockSparseAttentionGrad: of each sequence and head of keys some tiles of queries at a time,
// each of one head and within one block, against the keys that its block sees, piece by piece. Rows
// are brought together and made up with zeros, so that all products have one shape; what a tile
// adds to the gradients of its keys goes to sums in fp32, tile after tile. The tiles that are left
// of several sequences and heads are taken together, those of each in one go: so no bit depends on
// what else is in the call.
#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "base/division.h"
#include "gemm/batched.h"
#include "kernels.h"
#include "nnop/workspace.h"
#include "ops/block_sparse_attention/problem.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/row_sums.h"
#include "runtime/parallel.h"

namespace anyacl::block_sparse_attention {
namespace {

using gemm::Factor;

constexpr int64_t kMostTiles = 8, kMostRows = 128, kMostKeys = 512, kKeyStep = 64;
constexpr int64_t kSummedKeys = 8192;  // of sequences and heads at a time: 8 MiB of sums

struct GradientParams {
  Problem problem;
  TensorView dout, query, key, value, out, lse, dq, dk, dv;  // [batch][head][row][column]
};

struct Sizes {
  int64_t tiles, rows, keys, dim;  // of products
  int64_t all_rows;                // of a block, however few the call has
  Element type;

  explicit Sizes(const GradientParams& g) {
    const Problem& p = g.problem;
    all_rows = std::clamp<int64_t>(p.block_rows, 1, kMostRows);
    rows = std::clamp<int64_t>(p.most_rows(), 1, all_rows);
    keys = std::clamp(RoundUp(p.most_keys(), kKeyStep), kKeyStep, kMostKeys);
    const int64_t heads = std::clamp<int64_t>(p.batch * p.heads, 1, kMostTiles);
    // Tiles end where blocks of rows do.
    const int64_t of_head = p.most_rows() / p.block_rows * CeilDivide(p.block_rows, rows) +
                            CeilDivide(p.most_rows() % p.block_rows, rows);
    tiles = std::clamp<int64_t>(heads * of_head, 1, kMostTiles);
    dim = p.dim;
    type = ElementOf(g.query.dtype);
  }
  Factor Rows() const { return {type, dim, 1, rows * dim}; }
  Factor Keys() const { return {type, dim, 1, keys * dim}; }
  Factor Scores() const { return {Element::kFp32, keys, 1, rows * keys}; }

  // Of a tile's rows with its keys, with the bits of a whole tile with the most keys.
  gemm::Problem WithKeys() const {
    gemm::Problem problem = gemm::ProblemOf({tiles, rows, keys, dim}, Rows(), Keys().Turned());
    problem.all_rows = all_rows;
    return problem;
  }
  // Of scores with keys, added to what is there.
  gemm::Problem OfRows() const {
    gemm::Problem problem = Added(gemm::ProblemOf({tiles, rows, dim, keys}, Scores(), Keys()));
    problem.all_rows = all_rows;
    problem.all_depth = kMostKeys;
    return problem;
  }
  // Of scores, turned, with rows.
  gemm::Problem OfKeys() const {
    gemm::Problem problem = gemm::ProblemOf({tiles, keys, dim, rows}, Scores().Turned(), Rows());
    problem.all_rows = kMostKeys;
    problem.all_depth = all_rows;
    return problem;
  }
};

class GradientPlan final : public BookedPlan {
 public:
  explicit GradientPlan(GradientParams params)
      : g_(std::move(params)),
        z_(g_),
        scores_of_(z_.WithKeys()),
        dq_of_(z_.OfRows()),
        dk_of_(z_.OfKeys()),
        units_(
            std::clamp<int64_t>(kSummedKeys / std::max<int64_t>(1, p().most_keys()), 1, z_.tiles)) {
    for (int64_t i = 0; i < units_; ++i) {
      key_sums_.emplace_back(&book_, p().most_keys(), z_.dim);
      value_sums_.emplace_back(&book_, p().most_keys(), z_.dim);
    }
    const int64_t rows = z_.tiles * z_.rows, keys = z_.tiles * z_.keys;
    q_ = book_.Book<uint16_t>(rows, z_.dim);
    dy_ = book_.Book<uint16_t>(rows, z_.dim);
    k_ = book_.Book<uint16_t>(keys, z_.dim);
    v_ = book_.Book<uint16_t>(keys, z_.dim);
    p_scores_ = book_.Book<float>(rows, z_.keys);
    ds_ = book_.Book<float>(rows, z_.keys);
    deltas_ = book_.Book<float>(rows, int64_t{1});
    dq_ = book_.Book<float>(rows, z_.dim);
    parts_ = book_.Book<float>(keys, z_.dim);
    scratch_ = book_.Book<char>(std::max(
        {scores_of_.workspace_bytes(), dq_of_.workspace_bytes(), dk_of_.workspace_bytes()}));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    Rest rest;
    for (int64_t b = 0; b < p().batch; ++b) {
      for (int64_t head = 0; head < p().key_heads; ++head) AddUnit(bindings, b, head, &rest);
    }
    AddRest(bindings, &rest);
    p().FillUnused(bindings, g_.dq, &Sequence::first_row, &Sequence::rows, 0);
    for (const TensorView* view : {&g_.dk, &g_.dv}) {
      p().FillUnused(bindings, *view, &Sequence::first_key, &Sequence::keys, 0);
    }
    return {};
  }

 private:
  // A sequence and a head of keys, with sums of its own.
  struct Unit {
    int64_t b = 0, key_head = 0;
    size_t sums = 0;
  };
  // Rows of one head within one block, and the keys that they have yet to meet.
  struct Tile {
    Unit unit = {};
    int64_t head = 0, first = 0, rows = 0;
    std::vector<int32_t> keys = {};  // of the sequence
    std::span<const int32_t> Piece(size_t begin, int64_t most) const {
      if (begin >= keys.size()) return {};
      return std::span(keys).subspan(begin,
                                     std::min(keys.size() - begin, static_cast<size_t>(most)));
    }
  };

  // Tiles of less than a product, all that is left of some units.
  struct Rest {
    std::vector<Tile> tiles = {};
    std::vector<Unit> units = {};
  };

  const Problem& p() const { return g_.problem; }
  const Sequence& At(int64_t b) const { return p().SequenceOf(b); }

  static char* RowOf(const TensorView& view, const Bindings& bindings, int64_t b, int64_t head,
                     int64_t row) {
    return bindings.data[static_cast<size_t>(view.slot)] +
           attention::RowAt(view, b, head, row) * BytesOf(view);
  }
  char* QueryRow(const TensorView& view, const Bindings& bindings, int64_t b, int64_t head,
                 int64_t row) const {
    return RowOf(view, bindings, p().ragged ? 0 : b, head, At(b).first_row + row);
  }
  char* KeyRow(const TensorView& view, const Bindings& bindings, const Unit& unit,
               int64_t row) const {
    return RowOf(view, bindings, p().ragged ? 0 : unit.b, unit.key_head,
                 At(unit.b).first_key + row);
  }

  std::vector<Tile> TilesOf(const Unit& unit) const {
    const int64_t group = p().heads / p().key_heads, rows = At(unit.b).rows;
    std::vector<Tile> tiles;
    for (int64_t head = unit.key_head * group; head < (unit.key_head + 1) * group; ++head) {
      for (int64_t first = 0; first < rows; first += tiles.back().rows) {
        const int64_t end = std::min((first / p().block_rows + 1) * p().block_rows, rows);
        tiles.push_back({unit, head, first, std::min(z_.rows, end - first)});
      }
    }
    return tiles;
  }

  void AddUnit(const Bindings& bindings, int64_t b, int64_t key_head, Rest* rest) const {
    Unit unit = {b, key_head};
    std::vector<Tile> tiles = TilesOf(unit);
    const auto most = static_cast<size_t>(z_.tiles);
    const size_t whole = tiles.size() / most * most;
    if (rest->units.size() == static_cast<size_t>(units_) ||
        rest->tiles.size() + tiles.size() - whole > most) {
      AddRest(bindings, rest);
    }
    unit.sums = rest->units.size();
    for (Tile& tile : tiles) tile.unit = unit;
    key_sums_[unit.sums].Clear(bindings, At(b).keys);
    value_sums_[unit.sums].Clear(bindings, At(b).keys);
    for (size_t i = 0; i < whole; i += most) AddTiles(bindings, std::span(tiles).subspan(i, most));
    if (whole == tiles.size()) return StoreSums(bindings, unit);
    std::move(tiles.begin() + static_cast<std::ptrdiff_t>(whole), tiles.end(),
              std::back_inserter(rest->tiles));
    rest->units.push_back(unit);
  }

  void AddRest(const Bindings& bindings, Rest* rest) const {
    if (!rest->tiles.empty()) AddTiles(bindings, rest->tiles);
    for (const Unit& unit : rest->units) StoreSums(bindings, unit);
    *rest = {};
  }

  void StoreSums(const Bindings& bindings, const Unit& unit) const {
    const auto store = [&](const blocks::RowSums& sums, const TensorView& to) {
      sums.ForRows(bindings, At(unit.b).keys, [&](int64_t key, const float* numbers) {
        blocks::StoreRow(numbers, z_.dim, to.dtype, KeyRow(to, bindings, unit, key), to.strides[3]);
      });
    };
    store(key_sums_[unit.sums], g_.dk);
    store(value_sums_[unit.sums], g_.dv);
  }

  void AddTiles(const Bindings& bindings, std::span<Tile> tiles) const {
    size_t most = 0;
    for (Tile& tile : tiles) {
      const int64_t block = tile.first / p().block_rows;
      p().ForChosen(bindings, tile.unit.b, tile.head, block, [&](int64_t number, int64_t count) {
        for (int64_t j = 0; j < count; ++j) {
          tile.keys.push_back(static_cast<int32_t>(number * p().block_keys + j));
        }
      });
      most = std::max(most, tile.keys.size());
    }
    ParallelFor(z_.tiles * z_.rows, 16, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) LoadRow(bindings, tiles, i);
    });
    for (size_t begin = 0; begin < most; begin += static_cast<size_t>(z_.keys)) {
      AddPiece(bindings, tiles, begin);
    }
    ParallelFor(z_.tiles * z_.rows, 64, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) StoreRow(bindings, tiles, i);
    });
    for (Tile& tile : tiles) tile.keys = {};
  }

  // Row `i` of all tiles; null if it is none.
  char* TileRow(const TensorView& view, const Bindings& bindings, std::span<const Tile> tiles,
                int64_t i) const {
    const auto t = static_cast<size_t>(i / z_.rows);
    if (t >= tiles.size() || i % z_.rows >= tiles[t].rows) return nullptr;
    return QueryRow(view, bindings, tiles[t].unit.b, tiles[t].head, tiles[t].first + i % z_.rows);
  }

  // Numbers of 16 bits as they are, or zeros.
  void Copy(const TensorView& view, char* from, uint16_t* to) const {
    if (from == nullptr) {
      std::fill_n(to, z_.dim, uint16_t{0});
      return;
    }
    blocks::Copier(sizeof(uint16_t))({from, 1, z_.dim, 0, view.strides[3], false},
                                     {reinterpret_cast<char*>(to), 1, z_.dim, 0, 1, false});
  }

  // Row `i` of all tiles: the query, the gradient, and its product with what came out.
  void LoadRow(const Bindings& bindings, std::span<const Tile> tiles, int64_t i) const {
    const auto row = [&](const TensorView& view) { return TileRow(view, bindings, tiles, i); };
    Copy(g_.query, row(g_.query), q_.In(bindings) + i * z_.dim);
    Copy(g_.dout, row(g_.dout), dy_.In(bindings) + i * z_.dim);
    std::fill_n(dq_.In(bindings) + i * z_.dim, z_.dim, 0.0f);
    if (row(g_.query) == nullptr) return;
    float dout[attention::kMaxDim], out[attention::kMaxDim];
    blocks::LoadRow(g_.dout.dtype, row(g_.dout), g_.dout.strides[3], z_.dim, dout);
    blocks::LoadRow(g_.out.dtype, row(g_.out), g_.out.strides[3], z_.dim, out);
    deltas_.In(bindings)[i] = Kernels().native_sparse_attention.dot(dout, out, z_.dim);
  }

  void StoreRow(const Bindings& bindings, std::span<const Tile> tiles, int64_t i) const {
    char* const to = TileRow(g_.dq, bindings, tiles, i);
    if (to == nullptr) return;
    blocks::StoreRow(dq_.In(bindings) + i * z_.dim, z_.dim, g_.dq.dtype, to, g_.dq.strides[3]);
  }

  // The keys of all tiles from number `begin` of each one's list on.
  void AddPiece(const Bindings& bindings, std::span<const Tile> tiles, size_t begin) const {
    ParallelFor(z_.tiles * z_.keys, 64, [&](int64_t first, int64_t end) {
      for (int64_t i = first; i < end; ++i) {
        const auto t = static_cast<size_t>(i / z_.keys);
        const auto keys =
            t < tiles.size() ? tiles[t].Piece(begin, z_.keys) : std::span<const int32_t>{};
        const auto j = static_cast<size_t>(i % z_.keys);
        const auto row = [&](const TensorView& view) {
          return j < keys.size() ? KeyRow(view, bindings, tiles[t].unit, keys[j]) : nullptr;
        };
        Copy(g_.key, row(g_.key), k_.In(bindings) + i * z_.dim);
        Copy(g_.value, row(g_.value), v_.In(bindings) + i * z_.dim);
      }
    });
    char* const scratch = scratch_.In(bindings);
    float* const p_scores = p_scores_.In(bindings);
    float* const ds = ds_.In(bindings);
    float* const parts = parts_.In(bindings);
    scores_of_.Run({.a = q_.In(bindings), .b = k_.In(bindings), .c = p_scores}, scratch);
    scores_of_.Run({.a = dy_.In(bindings), .b = v_.In(bindings), .c = ds}, scratch);
    ParallelFor(z_.tiles * z_.rows, 16, [&](int64_t first, int64_t end) {
      for (int64_t i = first; i < end; ++i) Differentiate(bindings, tiles, begin, i);
    });
    dq_of_.Run({.a = ds, .b = k_.In(bindings), .d = dq_.In(bindings), .c = dq_.In(bindings)},
               scratch);
    for (const auto& [scores, rows, sums] : {std::tuple{ds, q_.In(bindings), &key_sums_},
                                             {p_scores, dy_.In(bindings), &value_sums_}}) {
      dk_of_.Run({.a = scores, .b = rows, .c = parts}, scratch);
      for (size_t t = 0; t < tiles.size(); ++t) {
        (*sums)[tiles[t].unit.sums].Add(bindings, tiles[t].Piece(begin, z_.keys),
                                        parts + static_cast<int64_t>(t) * z_.keys * z_.dim, 0,
                                        z_.dim);
      }
    }
  }

  // A row's products become probabilities and the gradients of its scores.
  void Differentiate(const Bindings& bindings, std::span<const Tile> tiles, size_t begin,
                     int64_t i) const {
    const auto t = static_cast<size_t>(i / z_.rows);
    float* const p_scores = p_scores_.In(bindings) + i * z_.keys;
    float* const ds = ds_.In(bindings) + i * z_.keys;
    const char* const lse = TileRow(g_.lse, bindings, tiles, i);
    if (lse == nullptr) {
      std::fill_n(p_scores, z_.keys, 0.0f);
      std::fill_n(ds, z_.keys, 0.0f);
      return;
    }
    Kernels().native_sparse_attention.differentiate(
        {.p = p_scores,
         .ds = ds,
         .count = static_cast<int64_t>(tiles[t].Piece(begin, z_.keys).size()),
         .all = z_.keys,
         .scale = p().scale,
         .max = blocks::LoadOne<float>(g_.lse.dtype, lse),
         .sum = 1,
         .delta = deltas_.In(bindings)[i]});
  }

  const GradientParams g_;
  const Sizes z_;
  const gemm::Plan scores_of_, dq_of_, dk_of_;
  const int64_t units_;  // at a time
  std::vector<blocks::RowSums> key_sums_, value_sums_;
  WorkspaceSlot<uint16_t> q_, dy_, k_, v_;
  // Of each tile [row][key], or rows of numbers.
  WorkspaceSlot<float> p_scores_, ds_, deltas_, dq_, parts_;
  WorkspaceSlot<char> scratch_;
};

}  // namespace

Status PrepareBackward(Operands& operands, PreparedCall* call) {
  GradientParams g;
  if (Status s = CheckProblem(operands, &g.problem); !s.ok()) return s;
  const std::pair<int, TensorView*> views[] = {
      {kDOut, &g.dout}, {kQuery, &g.query}, {kKey, &g.key}, {kValue, &g.value}, {kOut, &g.out},
      {kLse, &g.lse},   {kDQuery, &g.dq},   {kDKey, &g.dk}, {kDValue, &g.dv}};
  for (const auto& [id, view] : views) *view = ViewByHead(operands, g.problem, id);
  call->plan = std::make_shared<GradientPlan>(std::move(g));
  return {};
}

}  // namespace anyacl::block_sparse_attention
