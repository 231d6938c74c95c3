// SPDX-License-Identifier: Apache-2.0
// The two innermost dimensions are visited in tiles, the others step by step. Kernels read and
// write rows of tensors directly where their elements are of the right type and follow each other;
// other tiles go through buffers that the first cache holds.
#include "ops/elementwise/plan.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

#include "base/ask_for_run.h"
#include "runtime/cache_share.h"
#include "runtime/parallel.h"

namespace anyacl::elementwise {
namespace {

using blocks::kBlock;
using blocks::Tile;

// Elements of a chunk, so that it takes some 2 us or more.
constexpr int64_t kChunk = 16384;
constexpr int64_t kCostlyChunk = 4096;
// A kernel's call costs as much as some 50 elements: below this, rows are joined in a buffer.
constexpr int64_t kShortRow = 16;
// Rows that go through buffers share a tile below this: another call for each of them.
constexpr int64_t kShortBufferedRow = 256;
// Of long ones, whose elements need no conversion: loops ask ahead only where they are long (sums
// of 128 MiB with every other element: 17 instead of 23 ms).
constexpr int64_t kBufferedRow = 4096;
// Tiles of tensors whose elements follow each other along the rows' dimension: several cache lines
// of a row and of a column, each of which may be a page from the next. They follow each other along
// columns, whose pages stay the same.
constexpr int64_t kTurnedRows = 64, kTurnedColumns = 128;
constexpr int64_t kTileMost = std::max(kTurnedRows * kTurnedColumns, kBlock);
// How many rows of such a tile are asked for before they are read.
constexpr int64_t kRowsAhead = 8;

class ElementwisePlan final : public Plan {
 public:
  explicit ElementwisePlan(const Program& program);
  Status Run(const Bindings& bindings, const StopToken& stop) const override;

 private:
  friend class Worker;

  const OperandView& operand(int i) const { return i == p_.inputs ? p_.out : p_.in[i]; }
  bool moves() const {
    return p_.compute == nullptr && p_.where == nullptr && p_.masked_fill == nullptr;
  }
  // A kernel can take the elements where they are, within one row.
  bool DirectInRow(int i) const;
  bool AllDirect() const;
  void ChooseRowDim();
  void ChooseTiles();

  Program p_;
  int rank_ = 0;
  int64_t rows_ = 1, cols_ = 1;
  bool direct_ = false;   // rows are read and written where they are
  bool turned_ = false;   // columns of an operand are runs of memory
  bool by_rows_ = false;  // such tiles are computed row by row, others as one block
  int64_t tile_rows_ = 1, tile_cols_ = 1;
  int64_t row_tiles_ = 1, col_tiles_ = 1, tiles_ = 1;
  int64_t grain_ = 1;
};

bool ElementwisePlan::DirectInRow(int i) const {
  const OperandView& s = operand(i);
  if (!s.native || rank_ == 0) return s.native;
  const int64_t stride = s.view.strides[rank_ - 1];
  return stride == 1 || (stride == 0 && i < p_.inputs && p_.steps);
}

bool ElementwisePlan::AllDirect() const {
  if (rank_ > 1 && cols_ < kShortRow) return false;
  if (moves()) {
    const auto dense = [&](const OperandView& s) {
      return rank_ == 0 || s.view.strides[rank_ - 1] == 1;
    };
    return (p_.in[0].native || p_.out.native) && dense(p_.in[0]) && dense(p_.out);
  }
  for (int i = 0; i <= p_.inputs; ++i) {
    if (!DirectInRow(i)) return false;
  }
  return true;
}

// Rows are stepped through along the dimension in which a transposed input is contiguous.
void ElementwisePlan::ChooseRowDim() {
  int best = rank_ - 2;
  for (int i = 0; i < p_.inputs; ++i) {
    const int64_t* strides = p_.in[i].view.strides;
    if (Magnitude(strides[rank_ - 1]) <= 1) continue;
    for (int dim = 0; dim < rank_ - 1; ++dim) {
      if (strides[dim] != 0 && Magnitude(strides[dim]) < Magnitude(strides[rank_ - 1]) &&
          (strides[best] == 0 || Magnitude(strides[dim]) < Magnitude(strides[best]))) {
        best = dim;
      }
    }
  }
  if (best == rank_ - 2) return;
  int64_t order[TensorView::kMaxRank];
  for (int i = 0; i < rank_; ++i) order[i] = i;
  std::rotate(order + best, order + best + 1, order + rank_ - 1);
  const std::span<const int64_t> all(order, static_cast<size_t>(rank_));
  for (int i = 0; i <= p_.inputs; ++i) {
    TensorView& view = i == p_.inputs ? p_.out.view : p_.in[i].view;
    view = Permuted(view, all);
  }
}

void ElementwisePlan::ChooseTiles() {
  const TensorView& out = p_.out.view;
  if (rank_ > 0) cols_ = out.sizes[rank_ - 1];
  if (rank_ > 1) rows_ = out.sizes[rank_ - 2];
  direct_ = AllDirect();
  for (int i = 0; i <= p_.inputs && rank_ > 1; ++i) {
    const int64_t along = operand(i).view.strides[rank_ - 2];
    const int64_t across = operand(i).view.strides[rank_ - 1];
    turned_ |= along != 0 && Magnitude(across) > 1 && Magnitude(along) < Magnitude(across);
  }
  bool native = true;
  for (int i = 0; i <= p_.inputs; ++i) native &= operand(i).native;
  const int64_t chunk = p_.costly ? kCostlyChunk : kChunk;
  if (turned_) {
    tile_cols_ = std::min(cols_, kTurnedColumns);
    tile_rows_ = std::min(rows_, kTurnedRows);
    by_rows_ = native && !p_.all;
  } else if (direct_ || (cols_ < kShortBufferedRow && rows_ > 1)) {
    tile_cols_ = std::min(cols_, chunk);
    tile_rows_ = std::min(rows_, (direct_ ? chunk : kBlock) / tile_cols_);
  } else {
    tile_cols_ = std::min(cols_, native ? kBufferedRow : kBlock);
  }
  row_tiles_ = (rows_ + tile_rows_ - 1) / tile_rows_;
  col_tiles_ = (cols_ + tile_cols_ - 1) / tile_cols_;
  tiles_ = row_tiles_ * col_tiles_;
  for (int dim = 0; dim < rank_ - 2; ++dim) tiles_ *= out.sizes[dim];
  grain_ = std::max<int64_t>(chunk / (tile_rows_ * tile_cols_), 1);
}

ElementwisePlan::ElementwisePlan(const Program& program) : p_(program) {
  TensorView views[kMaxInputs + 1];
  views[0] = p_.out.view;
  for (int i = 0; i < p_.inputs; ++i) views[i + 1] = p_.in[i].view;
  Coalesce({views, static_cast<size_t>(p_.inputs + 1)});
  p_.out.view = views[0];
  for (int i = 0; i < p_.inputs; ++i) p_.in[i].view = views[i + 1];
  rank_ = p_.out.view.rank;
  if (rank_ > 2) ChooseRowDim();
  ChooseTiles();
}

static_assert(sizeof(ElementwisePlan) <= 1000);  // and what shares its allocation

// One thread's run over some of the tiles.
class Worker {
 public:
  Worker(const ElementwisePlan& plan, const Bindings& bindings, bool past_caches)
      : plan_(plan), p_(plan.p_), past_caches_(past_caches) {
    for (int i = 0; i <= p_.inputs; ++i) base_[i] = plan_.operand(i).view.Address(bindings);
  }

  // Every result so far is 1, if that is asked.
  bool holds() const { return holds_; }

  void Run(int64_t begin, int64_t end) {
    const int64_t tiles = plan_.row_tiles_ * plan_.col_tiles_;
    int64_t outer = -1;
    for (int64_t t = begin; t < end && holds_; ++t) {
      if (t / tiles != outer) {
        outer = t / tiles;
        FindOuter(outer);
      }
      const Corner corner = CornerOf(t % tiles);
      RunTile(corner.row, corner.col);
    }
    if (past_caches_) anyacl::Kernels().blocks.fence();
  }

 private:
  // Buffers hold a tile's numbers of up to 8 bytes each.
  struct alignas(64) Buffer {
    char bytes[kTileMost * 8];
  };

  // Of a tile, in elements.
  struct Corner {
    int64_t row, col;
  };
  Corner CornerOf(int64_t tile) const {
    if (plan_.turned_) {
      return {tile % plan_.row_tiles_ * plan_.tile_rows_,
              tile / plan_.row_tiles_ * plan_.tile_cols_};
    }
    return {tile / plan_.col_tiles_ * plan_.tile_rows_, tile % plan_.col_tiles_ * plan_.tile_cols_};
  }

  void FindOuter(int64_t index) {
    const TensorView& out = p_.out.view;
    std::fill(std::begin(outer_), std::end(outer_), 0);
    for (int dim = out.rank - 3; dim >= 0; --dim) {
      const int64_t at = index % out.sizes[dim];
      index /= out.sizes[dim];
      for (int i = 0; i <= p_.inputs; ++i) outer_[i] += at * plan_.operand(i).view.strides[dim];
    }
  }

  Tile TileOf(int i, int64_t row, int64_t col) const {
    const OperandView& s = plan_.operand(i);
    const int rank = plan_.rank_;
    Tile tile{};
    tile.rows = std::min(plan_.tile_rows_, plan_.rows_ - row);
    tile.cols = std::min(plan_.tile_cols_, plan_.cols_ - col);
    tile.row_stride = rank > 1 ? s.view.strides[rank - 2] : tile.cols;
    tile.col_stride = rank > 0 ? s.view.strides[rank - 1] : 1;
    const int64_t at = outer_[i] + (rank > 1 ? row * tile.row_stride : 0) + col * tile.col_stride;
    tile.data = base_[i] + at * s.bytes;
    return tile;
  }

  static bool IsDense(const Tile& tile) {
    return tile.col_stride == 1 && (tile.rows == 1 || tile.row_stride == tile.cols);
  }

  void RunTile(int64_t row, int64_t col) {
    if (plan_.direct_) return RunRows(row, col);
    Tile out = TileOf(p_.inputs, row, col);
    out.past_caches = past_caches_;
    if (plan_.moves()) return Move(TileOf(0, row, col), out);
    if (plan_.by_rows_ && RowsLieThere(out)) return RunTurned(row, col, out);
    const bool direct = p_.out.native && IsDense(out);
    Block block = NewBlock(direct && past_caches_);
    for (int i = 0; i < p_.inputs; ++i) {
      block.in[i] = Read(i, TileOf(i, row, col), &block.step[i]);
    }
    block.out = direct ? out.data : buffers_[p_.inputs].bytes;
    block.count = out.rows * out.cols;
    Compute(block);
    if (p_.all) {
      holds_ = std::memchr(block.out, 0, static_cast<size_t>(block.count)) == nullptr;
    } else if (!direct) {
      Write(block.out, out);
    }
  }

  // Of a block's inputs, output and count, the rest of it is the same for all of a call.
  Block NewBlock(bool past_caches) const {
    Block block{};
    block.p = p_.p;
    block.q = p_.q;
    block.r = p_.r;
    for (int64_t& step : block.step) step = 1;
    block.past_caches = past_caches;
    return block;
  }

  void Compute(const Block& block) const {
    if (p_.compute != nullptr) return p_.compute(block);
    const auto* const chooses = static_cast<const uint8_t*>(block.in[0]);
    if (p_.where != nullptr) {
      p_.where(chooses, block.in[1], block.in[2], block.count, block.out);
    } else {
      p_.masked_fill(chooses, block.in[1], p_.constant, block.count, block.out);
    }
  }

  static bool RowsLieThere(const Tile& tile) {
    return tile.col_stride == 1 && tile.cols >= kShortRow;
  }

  // A tile of rows, some inputs of which are columns: those become rows of a buffer.
  void RunTurned(int64_t row, int64_t col, const Tile& out) {
    Block block = NewBlock(past_caches_);
    int64_t row_bytes[kMaxInputs] = {}, ahead[kMaxInputs] = {};
    for (int i = 0; i < p_.inputs; ++i) {
      const Tile tile = TileOf(i, row, col);
      const int64_t bytes = p_.in[i].bytes;
      if (RowsLieThere(tile)) {
        block.in[i] = tile.data;
        row_bytes[i] = tile.row_stride * bytes;
        ahead[i] = tile.cols * bytes;
        for (int64_t r = 0; r < std::min(tile.rows, kRowsAhead); ++r) {
          AskForRun(tile.data + r * row_bytes[i], ahead[i]);
        }
      } else {
        block.in[i] = Read(i, tile, &block.step[i]);
        if (block.step[i] != 0) row_bytes[i] = tile.cols * bytes;
      }
    }
    block.out = out.data;
    block.count = out.cols;
    for (int64_t r = 0; r < out.rows; ++r) {
      for (int i = 0; i < p_.inputs && r + kRowsAhead < out.rows; ++i) {
        AskForRun(static_cast<const char*>(block.in[i]) + kRowsAhead * row_bytes[i], ahead[i]);
      }
      Compute(block);
      NextRow(row_bytes, out.row_stride * p_.out.bytes, block);
    }
  }

  void NextRow(const int64_t* in_bytes, int64_t out_bytes, Block& block) const {
    for (int i = 0; i < p_.inputs; ++i) {
      block.in[i] = static_cast<const char*>(block.in[i]) + in_bytes[i];
    }
    block.out = static_cast<char*>(block.out) + out_bytes;
  }

  // A tile whose rows need no buffers.
  void RunRows(int64_t row, int64_t col) {
    const Tile out = TileOf(p_.inputs, row, col);
    if (plan_.moves()) return MoveRows(TileOf(0, row, col), out);
    Block block = NewBlock(past_caches_);
    int64_t row_bytes[kMaxInputs] = {};
    for (int i = 0; i < p_.inputs; ++i) {
      const Tile tile = TileOf(i, row, col);
      block.in[i] = tile.data;
      block.step[i] = tile.col_stride;
      row_bytes[i] = tile.row_stride * p_.in[i].bytes;
    }
    block.out = out.data;
    block.count = out.cols;
    for (int64_t r = 0; r < out.rows; ++r) {
      Compute(block);
      NextRow(row_bytes, out.row_stride * p_.out.bytes, block);
    }
  }

  void MoveRows(Tile from, Tile to) const {
    const int64_t rows = std::exchange(from.rows, 1);
    to.rows = 1;
    from.past_caches = to.past_caches = past_caches_;
    for (int64_t r = 0; r < rows; ++r) {
      p_.in[0].native ? p_.out.store(from.data, to) : p_.in[0].load(from, to.data);
      from.data += from.row_stride * p_.in[0].bytes;
      to.data += to.row_stride * p_.out.bytes;
    }
  }

  // The block of an input, where it is or in its buffer.
  const void* Read(int i, const Tile& tile, int64_t* step) {
    const OperandView& s = p_.in[i];
    char* buffer = buffers_[i].bytes;
    if (!s.native) {
      s.load(tile, buffer);
      return buffer;
    }
    if (IsDense(tile)) return tile.data;
    if (tile.rows == 1 && tile.col_stride == 0 && p_.steps) {
      *step = 0;
      return tile.data;
    }
    blocks::Copier(s.bytes)(tile, {buffer, tile.rows, tile.cols, tile.cols, 1, false});
    return buffer;
  }

  void Write(const void* block, const Tile& tile) {
    const Tile from = {
        static_cast<char*>(const_cast<void*>(block)), tile.rows, tile.cols, tile.cols, 1, false};
    if (p_.bools && !p_.out.native) {
      blocks::Loader(Element::kInt32, ACL_BOOL)(from, buffers_[0].bytes);
      return p_.out.store(buffers_[0].bytes, tile);
    }
    if (!p_.out.native) return p_.out.store(block, tile);
    blocks::Copier(p_.out.bytes)(from, tile);
  }

  // Without computing: a conversion, through a buffer where neither side is a block of numbers.
  void Move(const Tile& from, const Tile& to) {
    if (p_.in[0].native && IsDense(from)) return p_.out.store(from.data, to);
    if (p_.out.native && IsDense(to)) return p_.in[0].load(from, to.data);
    int64_t step = 1;
    Write(Read(0, from, &step), to);
  }

  const ElementwisePlan& plan_;
  const Program& p_;
  const bool past_caches_;
  bool holds_ = true;
  char* base_[kMaxInputs + 1];
  int64_t outer_[kMaxInputs + 1] = {};
  Buffer buffers_[kMaxInputs + 1];
};

bool SamePlace(const TensorView& a, const char* a_data, const TensorView& b, const char* b_data) {
  return a_data == b_data && std::equal(a.strides, a.strides + a.rank, b.strides);
}

Status ElementwisePlan::Run(const Bindings& bindings, const StopToken&) const {
  // What is written where it was read is in the caches already.
  bool in_place = false;
  const char* out = p_.out.view.Address(bindings);
  for (int i = 0; i < p_.inputs; ++i) {
    in_place |= SamePlace(p_.in[i].view, p_.in[i].view.Address(bindings), p_.out.view, out);
  }
  const bool past_caches =
      !in_place && p_.out.view.elements() * p_.out.bytes > LastCacheShare() / 4 * 3;
  std::atomic<bool> holds = true;
  ParallelFor(tiles_, grain_, [&](int64_t begin, int64_t end) {
    if (!holds.load(std::memory_order_relaxed)) return;
    Worker worker(*this, bindings, past_caches);
    worker.Run(begin, end);
    if (!worker.holds()) holds.store(false, std::memory_order_relaxed);
  });
  if (p_.all) {
    bindings.data[static_cast<size_t>(p_.verdict)][p_.verdict_offset] =
        holds.load(std::memory_order_relaxed) ? 1 : 0;
  }
  return {};
}

}  // namespace

std::shared_ptr<const Plan> MakePlan(Program program) {
  return std::make_shared<ElementwisePlan>(program);
}

}  // namespace anyacl::elementwise
